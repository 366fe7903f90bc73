"""What opens a house is opened by its own name: neither by "the door", nor by "everything"."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "browser/house.yaml"
GARAGE = "cover.garage_door"

THE_DOOR = [
    ("en", "open the door"),
    ("en", "open all doors"),
    ("de", "öffne die Tür"),
    ("de", "öffne alle Türen"),
    ("es", "abre la puerta"),
    ("fr", "ouvre la porte"),
    ("it", "apri la porta"),
    ("nl", "doe de deur open"),
    ("pl", "otwórz drzwi"),
    ("pt", "abre a porta"),
]
EVERYTHING = [
    ("en", "open everything"),
    ("en", "raise everything"),
    ("en", "open everything downstairs"),
    ("en", "unlock everything"),
    ("de", "mach alles auf"),
    ("es", "abre todo"),
    ("fr", "ouvre tout"),
    ("it", "apri tutto"),
    ("nl", "doe alles open"),
    ("pl", "otwórz wszystko"),
    ("pt", "abre tudo"),
]
BY_NAME = [
    ("en", "open the garage door"),
    ("en", "open up the garage"),
    ("de", "öffne das Garagentor"),
    ("es", "abre el portón del garaje"),
    ("fr", "ouvre la porte du garage"),
    ("it", "apri la porta del garage"),
    ("nl", "doe de garagedeur open"),
    ("pl", "otwórz bramę od garażu"),
    ("pt", "abre o portão da garagem"),
]
# What closes and locks needs no name.
CLOSING = [("en", "close everything"), ("en", "close all doors"), ("de", "mach alles zu")]


def is_entrance(entity_id: str) -> bool:
    """Return whether an entity opens the house."""
    return entity_id == GARAGE or entity_id.startswith("lock.")


@in_one_house(("language", "text"), THE_DOOR)
async def test_the_door_is_asked_about_where_a_lock_or_a_garage_may_be_meant(
    speak: Setup, language: str, text: str
) -> None:
    """Open nothing, and ask for the one that can be opened, which a yes then opens."""
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert said.changes == {}
    assert "Garage Door" in said.reply
    assert "?" in said.reply


@in_one_house(("language", "text"), THE_DOOR)
async def test_the_door_of_a_room_is_none_of_another(
    speak: Setup, language: str, text: str
) -> None:
    """Open no garage door from the hallway, where there are doors of its own."""
    said = await (await speak()).say(text, language=language, area="Hallway")
    assert said.changes == {}


@in_one_house(("language", "text"), EVERYTHING)
async def test_everything_leaves_closed_what_opens_the_house(
    speak: Setup, language: str, text: str
) -> None:
    """Open no door with all the rest, and say which was left."""
    said = await (await speak()).say(text, language=language)
    assert not any(map(is_entrance, said.changes))
    assert "Door" in said.reply


@in_one_house(("language", "text"), BY_NAME)
async def test_a_garage_door_is_opened_by_its_name(speak: Setup, language: str, text: str) -> None:
    """Open what is named, at once."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {GARAGE}


@in_one_house(("language", "text"), CLOSING)
async def test_everything_is_closed_with_what_opens_the_house(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Close a garage door with all the rest."""
    await hass.services.async_call("cover", "open_cover", {"entity_id": GARAGE}, blocking=True)
    said = await (await speak()).say(text, language=language)
    assert GARAGE in said.changes


@in_one_house(("text", "opened"), [("yes", True), ("the garage door", True), ("no", False)])
async def test_the_answer_says_whether_the_garage_door_was_meant(
    speak: Setup, text: str, opened: bool
) -> None:
    """Open the garage door only after a yes, or its name."""
    speaker = await speak()
    await speaker.say("open the door")
    said = await speaker.say(text)
    assert (GARAGE in said.changes) is opened
