"""Words for up and down mean the floor that is called so, never what merely has its level."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from homeassistant.core import HomeAssistant
import pytest
import yaml

from tests.conftest import Setup, async_speaking
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

# In each language: what is said of the ground floor by its name, and by where it is.
GROUND_FLOOR: Mapping[str, tuple[str, str]] = {
    "en": ("switch the ground floor lights off", "turn off all the lights downstairs"),
    "de": ("Mach im Erdgeschoss die Lampen aus", "schalte unten alle Lampen aus"),
    "es": ("apaga las lámparas de la planta baja", "apaga todas las luces de abajo"),
    "fr": ("éteins les lumières du rez-de-chaussée", "éteins toutes les lumières en bas"),
    "it": ("spegni le luci al piano terra", "spegni tutte le luci di sotto"),
    "nl": ("doe de lampen op de begane grond uit", "doe beneden alle lampen uit"),
    "pl": ("zgaś światła na parterze", "zgaś wszystkie światła na dole"),
    "pt": ("apaga as luzes do rés do chão", "apaga todas as luzes lá em baixo"),
}
UPSTAIRS: Mapping[str, str] = {
    "en": "turn off all the lights upstairs",
    "de": "mach oben alle Lichter aus",
    "es": "apaga todas las luces de arriba",
    "fr": "éteins toutes les lumières en haut",
    "it": "spegni tutte le luci di sopra",
    "nl": "doe boven alle lampen uit",
    "pl": "zgaś wszystkie światła na górze",
    "pt": "apaga todas as luzes lá em cima",
}
NAMES = [
    "Erdgeschoss",
    "planta baja",
    "rez-de-chaussée",
    "piano terra",
    "begane grond",
    "parter",
    "rés do chão",
]
SAID = [(language, text) for language, texts in GROUND_FLOOR.items() for text in texts]
WHERE = [(language, texts[1]) for language, texts in GROUND_FLOOR.items()]
ABOVE = [*UPSTAIRS.items()]

type Floor = tuple[str, int | None, list[str], str]

NAMED: list[Floor] = [
    ("Ground Floor", 0, NAMES, "hall_lamp"),
    ("Outside", 0, [], "tree_lights"),
    ("Annexe", 0, [], "annexe_lamp"),
]
WITHOUT_A_LAMP: list[Floor] = [("Ground Floor", 0, NAMES, ""), ("Outside", 0, [], "tree_lights")]
NUMBERED: list[Floor] = [
    ("Basement", -1, [], "tool_lamp"),
    ("First Floor", 0, [], "hall_lamp"),
    ("Second Floor", 1, [], "loft_lamp"),
    ("Garden", 0, [], "tree_lights"),
    ("Garage", 1, [], "car_lamp"),
]
ALIKE: list[Floor] = [("North Wing", 0, [], "hall_lamp"), ("South Wing", 0, [], "tree_lights")]
CALLED_SO: list[Floor] = [("Garden Level", 0, ["Downstairs"], "hall_lamp"), ("Loft", 1, [], "")]
# Below the ground, and called by a word for the ground floor.
BELOW: list[Floor] = [("Cellar", -1, ["Unten"], "tool_lamp"), ("Diele", 0, [], "hall_lamp")]
# The word for the highest floor is the name of the one in the middle.
BETWEEN: list[Floor] = [
    ("Basis", 0, [], "hall_lamp"),
    ("Erster Stock", 1, [], "tool_lamp"),
    ("Zweiter Stock", 2, [], "loft_lamp"),
]

HOUSES: Mapping[str, tuple[list[Floor], Iterable[tuple[str, str]], str]] = {
    "one of a level is called so": (NAMED, SAID, "hall_lamp"),
    "what is called so has no lamp": (WITHOUT_A_LAMP, SAID, ""),
    "what is around the house is no floor": (NUMBERED, WHERE, "hall_lamp"),
    "what is around the house is not the highest": (NUMBERED, ABOVE, "loft_lamp"),
    "several of a level are none of them": (ALIKE, WHERE, ""),
    "a garden is what it is called": (CALLED_SO, WHERE, "hall_lamp"),
    "a name is no other floor": (BELOW, [("de", "schalte unten alle Lampen aus")], "tool_lamp"),
    "an inflected name, too": (
        BETWEEN,
        [("de", "Mach im ersten Stock alle Lichter aus")],
        "tool_lamp",
    ),
}


@pytest.mark.parametrize("kind", HOUSES)
async def test_a_word_for_a_floor_is_for_that_floor_only(
    hass: HomeAssistant, tmp_path: Path, kind: str
) -> None:
    """Turn off the lamps of the floor that is meant, and of no other; none where that is not known."""
    floors, said, lamp = HOUSES[kind]
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump({"floors": [_floor(*each) for each in floors]}))
    await async_move_in(hass, str(path))
    wrong: dict[str, list[str]] = {}
    async with async_speaking(hass) as speak:
        speaker = await speak()
        for language, text in said:
            speaker.conversation_id = None
            lamps = hass.states.async_entity_ids("light")
            await hass.services.async_call("light", "turn_on", {"entity_id": lamps}, blocking=True)
            changes = (await speaker.say(text, language=language)).changes
            if {*changes} != ({f"light.{lamp}"} if lamp else set()):
                wrong[text] = [*changes]
    assert wrong == {}


def _floor(name: str, level: int | None, aliases: list[str], lamp: str) -> dict[str, object]:
    """Return how a floor with one room is described, and its lamp if it has one."""
    item = {"id": f"light.{lamp}", "name": lamp.replace("_", " ").title(), "modes": ["onoff"]}
    areas = [{"name": f"Room {name}", "entities": [item] if lamp else []}]
    return {"name": name, "level": level, "aliases": aliases, "areas": areas}


GROUND = frozenset(
    f"light.{each}"
    for each in (
        *("bookshelf_lights", "desk_lamp", "dining_table", "floor_lamp", "hallway_ceiling"),
        *("kitchen_ceiling", "kitchen_counter", "kitchen_pendant", "living_room_ceiling"),
        *("mirror_light", "reading_lamp", "sideboard_lamp", "tv_backlight"),
    )
)
UPPER_CEILINGS = frozenset(
    f"light.{each}_ceiling" for each in ("bathroom", "bedroom", "guest_room", "kids_room")
)
UPPER = UPPER_CEILINGS | {
    f"light.{each}"
    for each in (
        *("bathroom_mirror", "guest_lamp", "left_bedside_lamp", "night_light"),
        "right_bedside_lamp",
    )
}
HALLWAY = frozenset({"light.hallway_ceiling", "light.mirror_light"})

# Language, the speaker's room, what is said, and what it is for: where that is said, nothing else is.
WHERE_IT_IS_SAID = [
    ("en", "Hallway", "turn off all the lights on this floor", GROUND),
    ("en", "Hallway", "lights out on this floor, but leave the hallway on", GROUND - HALLWAY),
    ("en", "Hallway", "turn off all the lights down here", GROUND),
    ("en", "Bedroom", "turn off all the lights up here", UPPER),
    ("de", "Hallway", "mach alle Lichter auf diesem Stockwerk aus", GROUND),
    ("de", "Bedroom", "mach alle Lampen hier oben aus", UPPER),
    ("es", "Hallway", "apaga todas las luces de esta planta", GROUND),
    ("fr", "Hallway", "éteins toutes les lumières de cet étage", GROUND),
    ("fr", "Bedroom", "éteins toutes les lumières ici en haut", UPPER),
    ("it", "Hallway", "spegni tutte le luci di questo piano", GROUND),
    ("it", "Bedroom", "spegni tutte le luci quassù", UPPER),
    ("nl", "Hallway", "doe alle lampen op deze verdieping uit", GROUND),
    ("pl", "Hallway", "zgaś wszystkie światła na tym piętrze", GROUND),
    ("pl", "Bedroom", "zgaś wszystkie światła tutaj na górze", UPPER),
    ("pt", "Hallway", "apaga todas as luzes deste andar", GROUND),
    ("pt", "Bedroom", "apaga todas as luzes aqui em cima", UPPER),
    ("sv", "Hallway", "släck alla lampor på den här våningen", GROUND),
    ("en", "Hallway", "all the ceiling lights on upstairs, just the ceiling ones", UPPER_CEILINGS),
    ("en", "Hallway", "turn on all the lights upstairs, only the ceiling ones", UPPER_CEILINGS),
    ("en", "Living Room", "turn on the lights, only the floor lamp", {"light.floor_lamp"}),
    (
        "en",
        "Hallway",
        "turn off the ceiling lights upstairs and the lamps",
        UPPER_CEILINGS
        | {"light.guest_lamp", "light.left_bedside_lamp", "light.right_bedside_lamp"},
    ),
]


# "Down here" is where it is said, and a kitchen without a heating has none.
NOT_THERE = [
    ("en", "turn the heating up down here"),
    ("en", "turn off the heating in here"),
    ("en", "turn off the fan up here"),
    ("de", "mach die Heizung hier unten wärmer"),
    ("es", "sube la calefacción aquí abajo"),
    ("fr", "monte le chauffage ici en bas"),
    ("it", "alza il riscaldamento qui giù"),
    ("nl", "zet de verwarming hier beneden hoger"),
    ("pl", "podkręć ogrzewanie tu na dole"),
    ("pt", "aumenta o aquecimento aqui em baixo"),
    ("sv", "höj värmen här nere"),
]


@in_one_house(("language", "text"), NOT_THERE)
async def test_nothing_of_another_room_is_taken_for_what_is_here(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert not said.changes
    assert "Kitchen" in said.reply


@in_one_house(("language", "area", "text", "meant"), WHERE_IT_IS_SAID)
async def test_where_it_is_said_is_the_only_place(
    speak: Setup, language: str, area: str, text: str, meant: frozenset[str]
) -> None:
    said = await (await speak()).say(text, language=language, area=area)
    assert {id_ for call in said.calls for id_ in call["service_data"]["entity_id"]} == meant
