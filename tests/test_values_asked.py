"""A value that is missing is asked for, and the answer is taken; light without a lamp is that of the room."""

from homeassistant.config_entries import ConfigEntry

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "levels_house.yaml"

TIMERS = [
    ("en", "set a timer", "five minutes", 300),
    ("en", "please set a timer", "for half an hour", 1800),
    ("de", "stell einen Timer", "fünf Minuten", 300),
    ("de", "stelle bitte einen Timer", "für zwei Stunden bitte", 7200),
    ("es", "pon un temporizador", "de diez minutos", 600),
    ("fr", "mets un minuteur", "cinq minutes", 300),
    ("it", "imposta un timer", "cinque minuti", 300),
    ("nl", "zet een timer", "vijf minuten", 300),
    ("pl", "ustaw minutnik", "na pięć minut", 300),
    ("pt", "põe um temporizador", "cinco minutos", 300),
    ("sv", "ställ in en timer", "fem minuter", 300),
    ("en", "start an egg timer", "four and a half minutes", 270),
    ("de", "mach mal einen Timer für den Tee", "viereinhalb Minuten", 270),
    ("es", "quiero un temporizador para el arroz", "cuatro minutos y medio", 270),
    ("fr", "lance un minuteur pour le riz", "quatre minutes et demie", 270),
    ("it", "avvia un conto alla rovescia per il riso", "quattro minuti e mezzo", 270),
    ("nl", "start een timer voor de rijst", "vier en een halve minuut", 270),
    ("pl", "włącz minutnik na ryż", "cztery i pół minuty", 270),
    ("pt", "quero um temporizador para o arroz", "quatro minutos e meio", 270),
    ("sv", "sätt en timer för riset", "fyra och en halv minut", 270),
]
NO_TIMER = [
    ("en", "cancel the timer"),
    ("en", "don't set a timer"),
    ("en", "is there a timer"),
    ("en", "stop the timer for the rice"),
    ("de", "stell keinen Timer"),
]
VOLUMES = [
    ("en", "set the volume", "30 percent"),
    ("en", "set the volume", "to 30"),
    ("es", "ajusta el volumen", "al 30 por ciento"),
    ("fr", "règle le volume", "30 pour cent"),
    ("it", "imposta il volume", "30 per cento"),
    ("nl", "stel het volume in", "30 procent"),
    ("pl", "ustaw głośność", "30 procent"),
    ("pt", "ajusta o volume", "30 por cento"),
    ("sv", "ställ in volymen", "30 procent"),
]
MUSIC = [
    ("en", "play", "jazz"),
    ("de", "spiel etwas", "Jazz"),
    ("nl", "speel iets", "jazz"),
    ("pl", "zagraj coś", "jazz"),
    ("pt", "toca alguma coisa", "jazz"),
    ("sv", "spela något", "jazz"),
]
BRIGHT = [
    ("en", "make it bright"),
    ("en", "make it nice and bright in here"),
    ("de", "mach es hell"),
    ("es", "ilumina esto"),
    ("fr", "mets de la lumière"),
    ("it", "fai luce"),
    ("nl", "maak het licht"),
    ("pl", "zrób tu jasno"),
    ("pt", "ilumina isto"),
    ("sv", "gör det ljust"),
]
NOT_BRIGHT = [
    ("en", "is it bright in here"),
    ("en", "don't make it bright"),
    ("de", "ist es hell hier"),
    ("nl", "is het licht hier"),
]


@in_one_house(("language", "request", "answer", "seconds"), TIMERS)
async def test_a_timer_is_asked_for_its_time(
    speak: Setup, language: str, request: str, answer: str, seconds: int
) -> None:
    """Ask for how long, and start Home Assistant's timer for as long as the answer says."""
    speaker = await speak()
    asked = await speaker.say(request, language=language, area="Kitchen")
    assert asked.reply.strip().endswith("?")
    assert asked.calls == []
    await speaker.say(answer, language=language, area="Kitchen")
    manager = speaker.hass.data["intent.timer"]
    (timer,) = manager.timers.values()
    assert timer.created_seconds == seconds
    manager.cancel_timer(timer.id)


@in_one_house(("language", "text"), NO_TIMER)
async def test_other_words_about_timers_ask_for_no_time(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert not said.reply.strip().endswith("?"), said.reply


async def test_a_device_without_timers_says_so(speak: Setup, house: ConfigEntry) -> None:
    """Say at once that there are none, and ask for nothing."""
    said = await (await speak()).say("set a timer")
    assert said.reply == "Timers don't work on this device."


@in_one_house(("language", "request", "answer"), VOLUMES)
async def test_a_volume_is_asked_for(
    speak: Setup, language: str, request: str, answer: str
) -> None:
    """Ask how loud, and set what the answer says."""
    speaker = await speak()
    asked = await speaker.say(request, language=language, area="Kitchen")
    assert asked.reply.strip().endswith("?")
    assert asked.calls == []
    said = await speaker.say(answer, language=language, area="Kitchen")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": ["media_player.kitchen"], "volume_level": 0.3}
    ]


@in_one_house(("language", "request", "answer"), MUSIC)
async def test_music_is_asked_for(speak: Setup, language: str, request: str, answer: str) -> None:
    """Ask what to play where nothing plays, and play what the answer says."""
    speaker = await speak()
    asked = await speaker.say(request, language=language, area="Kitchen")
    assert asked.reply.strip().endswith("?")
    said = await speaker.say(answer, language=language, area="Kitchen")
    assert [call["service"] for call in said.calls][-1:] == ["play_media"], said.reply


@in_one_house(("language", "text"), BRIGHT)
async def test_it_is_made_bright_where_it_is_said(speak: Setup, language: str, text: str) -> None:
    """Turn on the light of a room that is dark."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert [call["service_data"] for call in said.calls] == [{"entity_id": ["light.kitchen"]}]


@in_one_house(("language", "text"), NOT_BRIGHT)
async def test_light_that_is_asked_about_is_left_alone(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.changes == {}, said.reply
