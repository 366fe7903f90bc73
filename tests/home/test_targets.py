"""Which entities an instruction means: what was named, where, and what has to be asked."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest

from custom_components.bellboard.home.catalog import Catalog, CatalogSource
from custom_components.bellboard.home.speaker import speaker_area
from custom_components.bellboard.nlu.bounds import (
    TargetMatch,
    TargetScope,
    find_targets,
    read_bounds,
)
from custom_components.bellboard.nlu.house import HomeLexicon
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.routing.reading import ReadingRouter
from tests.conftest import voice_panel

BEDROOM = {"light.bedroom_ceiling", "light.left_bedside_lamp", "light.right_bedside_lamp"}
KITCHEN = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}
BATHROOM = {"light.bathroom_ceiling", "light.bathroom_mirror"}
LIVING_ROOM = {
    "light.living_room_ceiling",
    "light.floor_lamp",
    "light.reading_lamp",
    "light.tv_backlight",
}


# What is said, where, how its targets are found, and which (None: every light).
CASES: list[tuple[str, str | None, TargetScope, set[str] | None]] = [
    # By name, alias, or a word nothing else has; wherever the speaker is.
    ("turn on the floor lamp", "Kitchen", TargetScope.NAMED, {"light.floor_lamp"}),
    ("die Stehlampe bitte", None, TargetScope.NAMED, {"light.floor_lamp"}),
    ("the tall one", "Kitchen", TargetScope.NAMED, {"light.floor_lamp"}),
    (
        "floor lamp and reading lamp",
        None,
        TargetScope.NAMED,
        {"light.floor_lamp", "light.reading_lamp"},
    ),
    # The longest name wins: this is the lamp, not the kitchen.
    ("dim the kitchen pendant", "Bedroom", TargetScope.NAMED, {"light.kitchen_pendant"}),
    # A place, by name, alias or floor.
    ("make the kitchen brighter", "Bedroom", TargetScope.PLACE, KITCHEN),
    ("Küche heller", None, TargetScope.PLACE, KITCHEN),
    (
        "lights off in the cellar",
        "Kitchen",
        TargetScope.PLACE,
        {
            "light.laundry_room_light",
            "light.workshop_ceiling",
            "light.workbench_light",
            "light.garage_light",
        },
    ),
    ("kitchen and bedroom lights off", None, TargetScope.PLACE, KITCHEN | BEDROOM),
    # An area and a floor: both must hold.
    ("the bathroom upstairs", None, TargetScope.PLACE, BATHROOM),
    ("the bathroom downstairs", None, TargetScope.PLACE, set()),
    # A place narrows a name it holds ...
    (
        "the bedside lamp in the bedroom",
        None,
        TargetScope.NAMED,
        BEDROOM - {"light.bedroom_ceiling"},
    ),
    ("the reading lamp in the lounge", None, TargetScope.NAMED, {"light.reading_lamp"}),
    # ... and is added to a name it does not hold.
    ("floor lamp and the kitchen", None, TargetScope.NAMED, KITCHEN | {"light.floor_lamp"}),
    # A word that merely singles out something elsewhere does not leave the place.
    ("something tall in the kitchen", None, TargetScope.PLACE, KITCHEN),
    ("the tall one in the lounge", None, TargetScope.NAMED, {"light.floor_lamp"}),
    # Everywhere, here, and open.
    ("every lamp in the house off", "Bedroom", TargetScope.WHOLE_HOME, None),
    ("brighter please", "Bedroom", TargetScope.SPEAKER_AREA, BEDROOM),
    ("brighter please", None, TargetScope.AMBIGUOUS, None),
    # A number does not name anything.
    ("brightness to 40", "Bedroom", TargetScope.SPEAKER_AREA, BEDROOM),
]


@pytest.fixture
async def words(hass: HomeAssistant, house: ConfigEntry, english: Language) -> HomeLexicon:
    """Return what words mean in the demo house."""
    reader = ReadingRouter(hass, CatalogSource(hass))
    return await reader.async_house(english)


@pytest.fixture
async def catalog(words: HomeLexicon) -> Catalog:
    """Return the catalog of the demo house."""
    return words.catalog


def area_id(hass: HomeAssistant, name: str | None) -> str | None:
    """Return the id of an area, or None for none."""
    if name is None:
        return None
    area = ar.async_get(hass).async_get_area_by_name(name)
    assert area
    return area.id


def scope(
    hass: HomeAssistant,
    words: HomeLexicon,
    language: Language,
    text: str,
    *,
    domain: str = "light",
    area: str | None = None,
) -> TargetMatch:
    """Return the scope of an instruction said in an area."""
    return find_targets(
        hass,
        words.catalog,
        domain,
        read_bounds(text, words),
        area_id=area_id(hass, area),
        ignored=language.ignored,
    )


def ids(found: TargetMatch) -> set[str]:
    return {entity.entity_id for entity in found.entities}


async def test_what_is_meant_is_found_in_the_words(
    hass: HomeAssistant, catalog: Catalog, words: HomeLexicon, english: Language
) -> None:
    every = {entity.entity_id for entity in catalog.by_domain["light"]}
    for text, area, reach, expected in CASES:
        found = scope(hass, words, english, text, area=area)
        assert found.scope is reach, text
        assert ids(found) == (every if expected is None else expected), text


async def test_what_is_not_exposed_is_never_meant(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    for text in ("the alarm beacon", "the whole house", "hallway", "brighter"):
        assert "light.alarm_beacon" not in ids(scope(hass, words, english, text, area="Hallway"))


async def test_a_place_with_nothing_of_the_kind_stays_that_place(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    found = scope(
        hass,
        words,
        english,
        "play jazz in the laundry room",
        domain="media_player",
        area="Office",
    )
    assert found.scope is TargetScope.PLACE
    assert found.entities == ()
    assert [place.name for place in found.places] == ["Laundry Room"]


async def test_a_room_without_player_means_the_one_that_plays(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    found = scope(hass, words, english, "louder", domain="media_player", area="Laundry Room")
    assert (found.scope, ids(found)) == (TargetScope.PLAYING, {"media_player.kitchen_speaker"})


async def test_a_speaker_nearby_goes_before_the_one_that_plays(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    found = scope(hass, words, english, "louder", domain="media_player", area="Office")
    assert (found.scope, ids(found)) == (TargetScope.SPEAKER_AREA, {"media_player.office_speaker"})


async def test_where_nothing_plays_it_is_asked(
    hass: HomeAssistant, catalog: Catalog, words: HomeLexicon, english: Language
) -> None:
    speaker = {"entity_id": "media_player.kitchen_speaker"}
    await hass.services.async_call("media_player", "turn_off", speaker, blocking=True)
    found = scope(hass, words, english, "louder", domain="media_player")
    assert found.scope is TargetScope.AMBIGUOUS
    assert len(found.entities) == len(catalog.by_domain["media_player"])


async def test_the_only_one_is_meant_wherever_the_speaker_is(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    found = scope(hass, words, english, "start cleaning", domain="vacuum", area="Bedroom")
    assert (found.scope, ids(found)) == (TargetScope.ONLY, {"vacuum.dusty"})


async def test_a_domain_without_entities_leaves_nothing(
    hass: HomeAssistant, words: HomeLexicon, english: Language
) -> None:
    assert scope(hass, words, english, "boil water", domain="water_heater").entities == ()


async def test_the_speaker_is_where_the_satellite_is(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    panel = voice_panel(hass, "Kitchen")
    registry = er.async_get(hass)
    satellite = registry.async_get_or_create(
        "assist_satellite", "demo_house", "one", original_name="Satellite", has_entity_name=True
    )
    other = voice_panel(hass, "Office")
    assert speaker_area(hass, satellite.entity_id, other) == area_id(hass, "Office")
    registry.async_update_entity(satellite.entity_id, device_id=panel)
    assert speaker_area(hass, satellite.entity_id, other) == area_id(hass, "Kitchen")
    registry.async_update_entity(satellite.entity_id, area_id=area_id(hass, "Bedroom"))
    assert speaker_area(hass, satellite.entity_id, other) == area_id(hass, "Bedroom")


async def test_the_speaker_is_where_the_device_is(hass: HomeAssistant, house: ConfigEntry) -> None:
    panel = voice_panel(hass, "Kitchen")
    assert speaker_area(hass, None, panel) == area_id(hass, "Kitchen")
    assert speaker_area(hass, "assist_satellite.gone", panel) == area_id(hass, "Kitchen")
    dr.async_get(hass).async_update_device(panel, area_id=None)
    assert speaker_area(hass, None, panel) is None


async def test_whoever_writes_is_nowhere(hass: HomeAssistant) -> None:
    assert speaker_area(hass, None, None) is None
    assert speaker_area(hass, None, "gone") is None
