"""The catalog holds what is exposed, is rebuilt when the home changes, and only then."""

import asyncio
from collections.abc import Callable, Generator
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)
import pytest

from custom_components.bellboard.assistant import DATA_CATALOG
from custom_components.bellboard.home import catalog as catalog_module
from custom_components.bellboard.home.catalog import Catalog, CatalogSource, Place
from tests.conftest import Setup

UNEXPOSED = {
    "light.alarm_beacon",
    "light.laser_warning_light",
    "media_player.guest_room_speaker",
    "climate.workshop_heater",
    "switch.dust_extractor",
    "lock.garage_side_door",
}


@pytest.fixture
def source(hass: HomeAssistant, house: ConfigEntry) -> Generator[CatalogSource]:
    """Return a catalog source that notices the changes of the demo house."""
    source = CatalogSource(hass)
    source.async_listen()
    yield source
    source.async_unlisten()


def expose(hass: HomeAssistant, entity_id: str, *, exposed: bool) -> None:
    """Expose an entity to Assist, or withdraw it."""
    async_expose_entity(hass, "conversation", entity_id, exposed)


async def test_only_what_is_exposed_is_in_it(hass: HomeAssistant, source: CatalogSource) -> None:
    catalog = await source.async_get()
    assert set(hass.states.async_entity_ids()) >= UNEXPOSED
    assert not UNEXPOSED & set(catalog.entities)
    assert {"light.floor_lamp", "climate.bedroom_thermostat", "cover.kitchen_blinds"} <= set(
        catalog.entities
    )


async def test_an_entity_has_its_names_area_floor_and_kind(source: CatalogSource) -> None:
    catalog = await source.async_get()
    lamp = catalog.entities["light.floor_lamp"]
    assert (lamp.name, lamp.domain) == ("Floor Lamp", "light")
    assert set(lamp.names) == {"Floor Lamp", "Tall Lamp", "Stehlampe"}
    assert catalog.areas[str(lamp.area_id)].name == "Living Room"
    assert catalog.floors[str(lamp.floor_id)].name == "Ground Floor"
    assert catalog.entities["cover.garage_door"].device_class == "garage"


async def test_places_have_their_aliases_and_floors(source: CatalogSource) -> None:
    catalog = await source.async_get()
    kitchen = next(area for area in catalog.areas.values() if area.name == "Kitchen")
    assert set(kitchen.names) == {"Kitchen", "Küche", "Cuisine"}
    assert not kitchen.is_floor
    found = [floor for floor in catalog.floors.values() if "downstairs" in floor.names]
    assert [(place.name, place.is_floor) for place in found] == [("Ground Floor", True)]
    assert kitchen.floor_id == found[0].id


async def test_entities_of_a_domain_are_sorted_by_name(source: CatalogSource) -> None:
    lights = [entity.name for entity in (await source.async_get()).by_domain["light"]]
    assert lights == sorted(lights)


async def test_a_domain_without_entities_names_nothing() -> None:
    catalog = Catalog()
    assert list(catalog.named("light").find(("kitchen", "lamp"))) == []
    assert catalog.distinctive("light", ("lamp",)) == ()


async def test_a_word_that_one_entity_has_singles_it_out(source: CatalogSource) -> None:
    catalog = await source.async_get()

    def distinct(*words: str) -> list[str]:
        return [entity.entity_id for entity in catalog.distinctive("light", words)]

    assert distinct("tall") == ["light.floor_lamp"]
    assert distinct("lamp") == []
    assert distinct("bedside") == []
    assert distinct("left", "lamp") == ["light.left_bedside_lamp"]
    assert distinct() == []


async def test_states_do_not_rebuild_it(hass: HomeAssistant, source: CatalogSource) -> None:
    before = await source.async_get()
    await hass.services.async_call(
        "light", "turn_on", {"entity_id": "light.floor_lamp", "brightness_pct": 5}, blocking=True
    )
    await hass.async_block_till_done()
    assert await source.async_get() is before


async def test_turns_do_not_rebuild_it(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    before = await hass.data[DATA_CATALOG].async_get()
    await speaker.say("turn off the floor lamp")
    await speaker.say("what time is it")
    after = await hass.data[DATA_CATALOG].async_get()
    assert after is before
    assert after.version == before.version


def withdraw(hass: HomeAssistant) -> None:
    expose(hass, "light.floor_lamp", exposed=False)


def admit(hass: HomeAssistant) -> None:
    expose(hass, "light.alarm_beacon", exposed=True)


def rename(hass: HomeAssistant) -> None:
    er.async_get(hass).async_update_entity("light.floor_lamp", aliases=["Gooseneck"])


def give_area(hass: HomeAssistant) -> None:
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen
    entry = er.async_get(hass).async_get("light.floor_lamp")
    assert entry
    assert entry.device_id
    dr.async_get(hass).async_update_device(entry.device_id, area_id=kitchen.id)


def rename_area(hass: HomeAssistant) -> None:
    registry = ar.async_get(hass)
    area = registry.async_get_area_by_name("Living Room")
    assert area
    registry.async_update(area.id, aliases={"Parlour"})


def rename_floor(hass: HomeAssistant) -> None:
    registry = fr.async_get(hass)
    floor = registry.async_get_floor_by_name("Ground Floor")
    assert floor
    registry.async_update(floor.floor_id, name="Parterre")


def add_entity(hass: HomeAssistant) -> None:
    hass.states.async_set("light.garden", "off", {"friendly_name": "Garden Light"})


def remove_entity(hass: HomeAssistant) -> None:
    er.async_get(hass).async_remove("light.floor_lamp")


def names(catalog: Catalog, entity_id: str) -> set[str]:
    entity = catalog.entities.get(entity_id)
    return set(entity.names) if entity else set()


def area_of(catalog: Catalog, entity_id: str) -> str:
    return catalog.areas[str(catalog.entities[entity_id].area_id)].name


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        (withdraw, lambda c: "light.floor_lamp" not in c.entities),
        (admit, lambda c: "light.alarm_beacon" in c.entities),
        (rename, lambda c: names(c, "light.floor_lamp") == {"Gooseneck"}),
        (give_area, lambda c: area_of(c, "light.floor_lamp") == "Kitchen"),
        (rename_area, lambda c: any("Parlour" in area.names for area in c.areas.values())),
        (rename_floor, lambda c: any(floor.name == "Parterre" for floor in c.floors.values())),
        (add_entity, lambda c: names(c, "light.garden") == {"Garden Light"}),
        (remove_entity, lambda c: "light.floor_lamp" not in c.entities),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_a_change_of_the_home_is_seen(
    hass: HomeAssistant,
    source: CatalogSource,
    change: Callable[[HomeAssistant], None],
    holds: Callable[[Catalog], bool],
) -> None:
    before = await source.async_get()
    assert not holds(before)
    change(hass)
    await hass.async_block_till_done()
    after = await source.async_get()
    assert holds(after)
    assert after.version > before.version


async def test_nothing_is_noticed_after_the_end(hass: HomeAssistant, house: ConfigEntry) -> None:
    source = CatalogSource(hass)
    source.async_listen()
    before = await source.async_get()
    source.async_unlisten()
    withdraw(hass)
    await hass.async_block_till_done()
    assert await source.async_get() is before


async def test_a_change_during_the_build_is_not_lost(
    hass: HomeAssistant, source: CatalogSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_module, "_ENTITIES_AT_ONCE", 10)
    real = catalog_module._read_entity
    seen: list[str] = []

    def reading(hass: HomeAssistant, state: State, areas: dict[str, Place]) -> Any:
        seen.append(state.entity_id)
        if len(seen) == 30 and "light.floor_lamp" in seen:
            # As if it was withdrawn while others are still being read.
            withdraw(hass)
        return real(hass, state, areas)

    lights_first = sorted(hass.states.async_all(), key=lambda s: s.entity_id != "light.floor_lamp")
    monkeypatch.setattr(type(hass.states), "async_all", lambda *_: lights_first)
    monkeypatch.setattr(catalog_module, "_read_entity", reading)
    catalog = await source.async_get()
    assert "light.floor_lamp" not in catalog.entities
    assert catalog.version == 2


async def test_who_comes_during_a_build_waits_for_it(
    source: CatalogSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_module, "_ENTITIES_AT_ONCE", 5)
    first, second = await asyncio.gather(source.async_get(), source.async_get())
    assert first is second
    assert first.version == 1


async def test_a_build_that_failed_is_tried_again(
    source: CatalogSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(catalog_module, "_read_entity", _fail)
        with pytest.raises(RuntimeError):
            await source.async_get()
    assert "light.floor_lamp" in (await source.async_get()).entities


def _fail(*_: object) -> None:
    raise RuntimeError


async def test_an_entity_without_a_speakable_name_is_left_out(
    hass: HomeAssistant, source: CatalogSource
) -> None:
    hass.states.async_set("light.nameless", "off", {"friendly_name": "!?"})
    assert "light.nameless" not in (await source.async_get()).entities


async def test_an_area_that_is_gone_leaves_its_entities(
    hass: HomeAssistant, source: CatalogSource
) -> None:
    registry = ar.async_get(hass)
    area = registry.async_get_area_by_name("Kitchen")
    assert area
    registry.async_delete(area.id)
    await hass.async_block_till_done()
    ceiling = (await source.async_get()).entities["light.kitchen_ceiling"]
    assert ceiling.area_id is None
    assert ceiling.floor_id is None
