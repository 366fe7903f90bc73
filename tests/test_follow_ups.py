"""A question may be about what was spoken of before, and what is louder is what plays."""

from homeassistant.core import HomeAssistant
import pytest

from tests.asked_house import put_people
from tests.conftest import Setup
from tests.one_house import in_one_house

IS_IT_ON = [
    ("en", "turn on the floor lamp", "is it on", "turn off the floor lamp"),
    ("en", "turn on the floor lamp", "are they on?", "turn off the floor lamp"),
    ("de", "schalte die Stehlampe ein", "ist sie an", "schalte die Stehlampe aus"),
    ("es", "enciende Floor Lamp", "¿está encendida?", "apaga Floor Lamp"),
    ("fr", "allume Floor Lamp", "est-elle allumée ?", "éteins Floor Lamp"),
    ("it", "accendi Floor Lamp", "è accesa?", "spegni Floor Lamp"),
    ("nl", "doe Floor Lamp aan", "staat hij aan", "doe Floor Lamp uit"),
    ("pl", "włącz Floor Lamp", "czy jest włączona", "wyłącz Floor Lamp"),
    ("pt", "acende Floor Lamp", "está acesa?", "apaga Floor Lamp"),
    ("sv", "tänd Floor Lamp", "är den tänd", "släck Floor Lamp"),
]
LOUDER = [
    ("en", "louder"),
    ("de", "lauter"),
    ("es", "más alto"),
    ("es", "más fuerte"),
    ("pl", "głośniej"),
    ("pt", "mais alto"),
    ("pt", "mais forte"),
    ("sv", "högre"),
]
YES = {"Yes.", "Ja.", "Sí.", "Oui.", "Sì.", "Tak.", "Sim."}
NO = {"No.", "Nein.", "Non.", "Nee.", "Nie.", "Não.", "Nej."}


@in_one_house(("language", "before", "asked", "after"), IS_IT_ON)
async def test_it_is_asked_of_what_was_spoken_of(
    speak: Setup, language: str, before: str, asked: str, after: str
) -> None:
    """Answer for the lamp that was turned on, and again when it was turned off, and change nothing."""
    speaker = await speak()
    await speaker.say(before, language=language)
    said = await speaker.say(asked, language=language)
    assert said.changes == {}
    assert said.reply in YES
    await speaker.say(after, language=language)
    assert (await speaker.say(asked, language=language)).reply in NO


@in_one_house(("language", "asked"), [(language, asked) for language, _, asked, _ in IS_IT_ON])
async def test_it_is_nothing_where_nothing_was_spoken_of(
    speak: Setup, language: str, asked: str
) -> None:
    """Neither answer nor change anything where nobody can know what "it" is."""
    said = await (await speak()).say(asked, language=language)
    assert said.changes == {}
    assert said.reply not in YES | NO


@in_one_house(("language", "text"), LOUDER)
async def test_louder_is_what_plays(speak: Setup, language: str, text: str) -> None:
    """Turn up the speaker that plays in the room, though no word says what is meant."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {*said.changes} == {"media_player.kitchen_speaker"}


# Words that are "louder" of a player, too.
FASTER = [
    ("en", "turn on Bedroom Fan", "faster"),
    ("de", "mach Bedroom Fan an", "stärker"),
    ("es", "enciende Bedroom Fan", "más fuerte"),
    ("fr", "allume Bedroom Fan", "plus fort"),
    ("it", "accendi Bedroom Fan", "più forte"),
    ("nl", "zet Bedroom Fan aan", "harder"),
    ("pl", "włącz Bedroom Fan", "mocniej"),
    ("pt", "liga Bedroom Fan", "mais forte"),
    ("sv", "sätt på Bedroom Fan", "starkare"),
]


@in_one_house(("language", "first", "more"), FASTER)
async def test_more_of_a_fan_is_faster(speak: Setup, language: str, first: str, more: str) -> None:
    speaker = await speak()
    await speaker.say(first, language=language)
    said = await speaker.say(more, language=language)
    assert {call["domain"] for call in said.calls} == {"fan"}, said.reply


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "is anybody home", "what's playing"),
        ("en", "who is home", "how warm is it"),
        ("de", "ist jemand zu Hause", "was läuft gerade"),
        ("fr", "qui est à la maison", "qu'est-ce qui joue"),
        ("nl", "wie is er thuis", "wat speelt er"),
    ],
)
async def test_a_question_of_its_own_goes_on_with_none(
    hass: HomeAssistant, speak: Setup, language: str, first: str, second: str
) -> None:
    put_people(hass)
    alone = await (await speak()).say(second, language=language, area="Bedroom")
    speaker = await speak()
    before = await speaker.say(first, language=language, area="Bedroom")
    after = await speaker.say(second, language=language, area="Bedroom")
    assert "Pete" in before.reply
    assert after.reply == alone.reply


@in_one_house(
    ("language", "first", "more"),
    [
        ("en", "close the blinds in the living room", "in the bedroom too, but only halfway"),
        ("de", "mach die Rollos im Living Room runter", "im Bedroom auch, aber nur halb"),
        ("nl", "doe de jaloezieën in Living Room dicht", "in Bedroom ook, maar half"),
    ],
)
async def test_the_same_elsewhere_may_have_a_value_of_its_own(
    speak: Setup, language: str, first: str, more: str
) -> None:
    speaker = await speak()
    await speaker.say(first, language=language)
    said = await speaker.say(more, language=language)
    [call] = said.calls
    assert call["service_data"] == {"entity_id": ["cover.bedroom_blinds"], "position": 50}
