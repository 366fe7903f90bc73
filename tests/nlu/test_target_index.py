"""Targets by name are those that Home Assistant finds, whatever is asked of them and whatever changed before."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from unittest.mock import Mock

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    intent,
)
from homeassistant.setup import async_setup_component
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.nlu import target_index
from custom_components.bellboard.nlu.target_index import async_match_targets

NAMES = ("Lamp", "lamp ", "Desk Lamp", "LAMP", "Straße", "light.e0", "Light.E0", "Nothing", "")
DOMAINS = ("light", "switch", "cover", "fan")
CLASSES = ("outlet", "blind", "tv")


def a_set(values: tuple[str, ...]) -> st.SearchStrategy[set[str] | None]:
    """Return a strategy of some of the values, or of none asked for."""
    return st.none() | st.sets(st.sampled_from(values), max_size=3)


CONSTRAINTS = st.builds(
    intent.MatchTargetsConstraints,
    name=st.none() | st.sampled_from(NAMES),
    area_name=st.none() | st.sampled_from(("Den", "snug", "Hall", "Nowhere")),
    floor_name=st.none() | st.sampled_from(("Attic", "top", "Nowhere")),
    domains=a_set(DOMAINS),
    device_classes=a_set(CLASSES),
    features=st.none() | st.integers(0, 3),
    states=a_set(("on", "off")),
    assistant=st.none() | st.just("conversation"),
    allow_duplicate_names=st.booleans(),
    single_target=st.booleans(),
)
PLACES = st.none() | st.sampled_from(("den", "hall", "attic"))
PREFERENCES = st.builds(intent.MatchTargetsPreferences, area_id=PLACES, floor_id=PLACES)
ENTITIES = st.lists(
    st.tuples(
        st.sampled_from(DOMAINS),
        st.sampled_from(NAMES[:5]),
        st.sampled_from((None, "den", "hall")),
        st.sampled_from((None, *CLASSES)),
        st.integers(0, 3),
        st.sampled_from(("on", "off")),
        st.booleans(),
    ),
    max_size=8,
)

type Furniture = tuple[str, str, str | None, str | None, int, str, bool]
type Same = Callable[[intent.MatchTargetsConstraints, intent.MatchTargetsPreferences], None]


@pytest.fixture
async def same(hass: HomeAssistant) -> Same:
    """Return what asserts that both find the same, in rooms that are there."""
    assert await async_setup_component(hass, "homeassistant", {})
    floor = fr.async_get(hass).async_create("Attic", aliases={"Top"})
    ar.async_get(hass).async_create("Den", aliases={"Snug"}, floor_id=floor.floor_id)
    ar.async_get(hass).async_create("Hall")
    for domain, number in product(DOMAINS, range(1, 8, 2)):
        er.async_get(hass).async_get_or_create(
            domain, "test", str(number), suggested_object_id=f"e{number}"
        )

    def check(
        constraints: intent.MatchTargetsConstraints, preferences: intent.MatchTargetsPreferences
    ) -> None:
        theirs = intent.async_match_targets(hass, constraints, preferences)
        ours = async_match_targets(hass, constraints, preferences)
        assert ours == theirs

    return check


def furnish(hass: HomeAssistant, entities: list[Furniture]) -> None:
    """Put entities into the home, every other one into the registry, in the place of what was there."""
    registry = er.async_get(hass)
    for old in [state.entity_id for state in hass.states.async_all()]:
        hass.states.async_remove(old)
    for number, (domain, name, area, kind, features, state, exposed) in enumerate(entities):
        entity_id = f"{domain}.e{number}"
        if number % 2:
            more = ["Desk Lamp"] if number % 3 else []
            registry.async_update_entity(
                entity_id, name=name, area_id=area, aliases=[er.COMPUTED_NAME, *more]
            )
        values = {"friendly_name": name, "device_class": kind, "supported_features": features}
        hass.states.async_set(entity_id, state, values)
        async_expose_entity(hass, "conversation", entity_id, exposed)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ENTITIES, st.lists(st.tuples(CONSTRAINTS, PREFERENCES), min_size=1, max_size=8))
async def test_both_find_the_same(
    hass: HomeAssistant,
    same: Same,
    entities: list[Furniture],
    asked: list[tuple[intent.MatchTargetsConstraints, intent.MatchTargetsPreferences]],
) -> None:
    furnish(hass, entities)
    for constraints, preferences in asked:
        same(constraints, preferences)


async def test_a_change_is_known_at_once(hass: HomeAssistant, same: Same) -> None:
    furnish(hass, [("light", "Lamp", "den", None, 0, "on", True)] * 3)
    registry, nobody = er.async_get(hass), intent.MatchTargetsPreferences()
    asked = intent.MatchTargetsConstraints(name="Lamp", allow_duplicate_names=True)

    def check(*names: str) -> None:
        for name in ("Lamp", *names):
            same(replace(asked, name=name), nobody)

    den = intent.MatchTargetsConstraints(area_name="Den", domains={"light"})
    check()
    same(den, nobody)
    registry.async_update_entity("light.e1", area_id="hall")
    same(den, nobody)
    registry.async_update_entity("light.e1", area_id="den")
    same(den, nobody)
    hass.states.async_set("light.e0", "on", {"friendly_name": "Torch"})
    check("Torch")
    registry.async_update_entity("light.e1", name="Beacon")
    check("Beacon")
    registry.async_update_entity("light.e1", aliases=["Lighthouse"])
    check("Lighthouse", "Beacon")
    hass.states.async_set("light.e9", "off", {"friendly_name": "Lighthouse"})
    check("Lighthouse")
    hass.states.async_remove("light.e1")
    check("Lighthouse", "Beacon")
    registry.async_update_entity("light.e1", new_entity_id="light.other")
    hass.states.async_set("light.other", "off")
    check("Lighthouse", "light.other")


async def test_an_index_that_was_prepared_is_used_until_a_change(
    hass: HomeAssistant, same: Same, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(hass, [("light", "Lamp", "den", None, 0, "on", True)] * 4)
    build = Mock(wraps=target_index._async_build)
    monkeypatch.setattr(target_index, "_async_build", build)
    asked = intent.MatchTargetsConstraints(name="Lamp", allow_duplicate_names=True)
    await target_index.async_prepare_targets(hass)
    await target_index.async_prepare_targets(hass)
    same(asked, intent.MatchTargetsPreferences())
    build.assert_not_called()
    er.async_get(hass).async_update_entity("light.e1", name="Beacon")
    await hass.async_block_till_done()
    same(asked, intent.MatchTargetsPreferences())
    build.assert_called_once()


async def test_a_change_ends_the_preparation(
    hass: HomeAssistant, same: Same, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(hass, [("light", "Lamp", "den", None, 0, "on", True)] * 4)
    monkeypatch.setattr(target_index, "_STATES_AT_ONCE", 2)
    preparing = hass.async_create_task(target_index.async_prepare_targets(hass))
    hass.states.async_set("light.e0", "on", {"friendly_name": "Torch"})
    await preparing
    for name in ("Lamp", "Torch"):
        asked = intent.MatchTargetsConstraints(name=name, allow_duplicate_names=True)
        same(asked, intent.MatchTargetsPreferences())
