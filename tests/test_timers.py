"""A timer that was spoken of is told of and cancelled without its name."""

from tests.conftest import Setup
from tests.one_house import in_one_house

ABOUT = [
    ("en", "set a timer for ten minutes", "how much longer", "cancel it"),
    ("de", "stell einen Timer auf zehn Minuten", "wie lange noch", "stopp ihn bitte"),
    ("es", "pon un temporizador de diez minutos", "¿cuánto queda?", "páralo"),
    ("fr", "mets un minuteur de dix minutes", "il reste combien de temps", "arrête-le"),
    ("it", "imposta un timer di dieci minuti", "quanto manca ancora?", "fermalo"),
    ("nl", "zet een timer voor tien minuten", "hoe lang nog?", "stop hem maar"),
    ("pl", "ustaw minutnik na 10 minut", "ile jeszcze zostało?", "wyłącz go"),
    ("pt", "define um temporizador de 10 minutos", "quanto tempo falta?", "para isso"),
    ("sv", "sätt en timer på 10 minuter", "hur lång tid är det kvar", "stoppa den"),
]


@in_one_house(("language", "start", "asks", "stops"), ABOUT)
async def test_a_timer_that_runs_is_meant(
    speak: Setup, language: str, start: str, asks: str, stops: str
) -> None:
    speaker = await speak()
    await speaker.say(start, language=language, area="Kitchen")
    manager = speaker.hass.data["intent.timer"]
    assert len(manager.timers) == 1
    told = await speaker.say(asks, language=language, area="Kitchen")
    said = await speaker.say(stops, language=language, area="Kitchen")
    left = list(manager.timers)
    for timer_id in left:
        manager.cancel_timer(timer_id)
    assert not left, said.reply
    assert any(each in told.reply for each in ("10", "9", "59")), told.reply
    assert not said.changes


async def test_what_was_done_since_is_meant_before_a_timer(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("set a timer for ten minutes", area="Kitchen")
    await speaker.say("turn on the reading lamp", area="Kitchen")
    said = await speaker.say("turn it off again", area="Kitchen")
    assert list(said.changes) == ["light.reading_lamp"]
    manager = speaker.hass.data["intent.timer"]
    (timer,) = manager.timers.values()
    manager.cancel_timer(timer.id)
