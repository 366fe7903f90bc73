"""Whatever a device can and cannot do, no planned call asks of it what Home Assistant would refuse or drop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import chain, combinations
from random import Random
from typing import Any
from unittest.mock import patch

from homeassistant.components.climate import ClimateEntityFeature, HVACMode
from homeassistant.components.light import (
    ColorMode,
    LightEntityFeature,
    brightness_supported,
    color_supported,
    valid_supported_color_modes,
)
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.setup import async_setup_component
import pytest
import voluptuous as vol

from custom_components.bellboard.domains.actions import (
    Action,
    ActionError,
    ActionInput,
    Parameter,
    ParameterKind,
)
from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.domains.registry import table_of
from custom_components.bellboard.domains.table import Domain

# Of a player's features there are millions of combinations: so many are drawn, and each alone, and all but each.
_DRAWN = 1500
_SEED = 20261124


@dataclass(frozen=True)
class Known:
    """What Home Assistant itself wants of a service: the schema of its data, and features of the entity."""

    schema: Callable[[Any], Any]
    features: tuple[int, ...]

    def takes(self, state: State, data: Mapping[str, Any]) -> bool:
        """Return whether an entity has the features, and the schema takes the data."""
        has = int(state.attributes["supported_features"])
        if self.features and not any(has & mask == mask for mask in self.features):
            return False
        self.schema({"entity_id": [state.entity_id], **data})
        return True


@pytest.fixture
async def services(hass: HomeAssistant) -> dict[str, Known]:
    """Return what Home Assistant's own components register."""
    found: dict[str, Known] = {}
    register = EntityComponent.async_register_entity_service

    def note(
        component: EntityComponent[Any],
        name: str,
        schema: Any,
        func: Any,
        required_features: Any = None,
        *positional: Any,
        **options: Any,
    ) -> None:
        register(component, name, schema, func, required_features, *positional, **options)
        registered = hass.services.async_services_for_domain(component.domain)[name].schema
        assert registered is not None
        masks = tuple(int(mask) for mask in required_features or ())
        found[f"{component.domain}.{name}"] = Known(registered, masks)

    with patch.object(EntityComponent, "async_register_entity_service", note):
        for domain in ("climate", "media_player", "light"):
            assert await async_setup_component(hass, domain, {})
    for name in ("turn_on", "turn_off", "toggle"):
        service = hass.services.async_services_for_domain("light")[name]
        assert service.schema is not None
        found.setdefault(f"light.{name}", Known(service.schema, ()))
    return found


def flags(kind: type[IntFlag]) -> list[int]:
    """Return the features of a domain, each alone."""
    return [int(flag) for flag in kind]


def every(parts: Sequence[int]) -> Iterator[int]:
    """Yield all combinations of features."""
    for chosen in chain.from_iterable(combinations(parts, n) for n in range(len(parts) + 1)):
        yield sum(chosen)


def some(parts: Sequence[int], random: Random) -> Iterator[int]:
    """Yield each feature alone, all but each, and combinations that are drawn."""
    yield from (0, sum(parts), *parts, *(sum(parts) - one for one in parts))
    for _ in range(_DRAWN):
        yield sum(one for one in parts if random.random() < 0.5)


def values_of(parameter: Parameter, state: State, random: Random) -> Any:
    """Return a value that somebody may ask for, also one that the device does not have."""
    match parameter.kind:
        case ParameterKind.COLOR:
            return random.choice(["red", "turquoise", [255, 120, 0]])
        case ParameterKind.CHOICE:
            own = [str(o) for o in state.attributes.get(parameter.options) or ()]
            return random.choice([*own, *parameter.choices, "no such thing"])
        case ParameterKind.STEP:
            return random.choice([-30, -1, 1, 30])
        case _:
            return random.choice([-5, 0, 1, 19, 20.5, 50, 100, 2700, 9000])


def planned(table: Domain, action: Action, state: State, random: Random) -> list[ToolCall]:
    """Return the calls of an action with drawn values, none where it is said why there are none."""
    if any(each.kind is ParameterKind.TEXT for each in action.parameters):
        # What is searched for becomes a call once a player has found it.
        return []
    parameters = {
        each.name: values_of(each, state, random)
        for each in action.parameters
        if not action.any_parameter or random.random() < 0.7
    }
    try:
        return table.plan(action, ActionInput(parameters=parameters), [state])
    except ActionError:
        return []


def check(
    hass: HomeAssistant, services: Mapping[str, Known], table: Domain, state: State, random: Random
) -> int:
    """Check all actions of a table for one entity, and return how many calls there were."""
    count = 0
    for action in table.plannable_actions:
        for call in planned(table, action, state, random):
            service = table.service(call.action.partition(".")[2])
            assert service
            if service.find_refusal(hass, state, call.data):
                # It is refused and told before Home Assistant is asked.
                continue
            count += 1
            try:
                assert services[call.action].takes(state, call.data), (call, state)
            except vol.Invalid as err:
                raise AssertionError(f"{call}: {err}") from err
    return count


async def test_no_call_asks_of_a_thermostat_what_it_cannot_do(
    hass: HomeAssistant, services: dict[str, Known]
) -> None:
    table, random, count = table_of("climate"), Random(_SEED), 0  # noqa: S311
    assert table
    lists = {
        "preset_modes": ["eco", "away"],
        "fan_modes": ["low", "high"],
        "swing_modes": ["on", "off"],
        "swing_horizontal_modes": ["on", "off"],
    }
    for features in every(flags(ClimateEntityFeature)):
        modes = [mode.value for mode in HVACMode if random.random() < 0.6] or ["off"]
        attributes: dict[str, Any] = {
            "supported_features": features,
            "hvac_modes": modes,
            "min_temp": 7,
            "max_temp": 30,
            "min_humidity": 30,
            "max_humidity": 70,
            **{name: options for name, options in lists.items() if random.random() < 0.8},
        }
        targets = {"temperature": 20, "target_temp_low": 18, "target_temp_high": 24}
        attributes |= {name: at for name, at in targets.items() if random.random() < 0.7}
        state = State("climate.a", random.choice(modes), attributes)
        count += check(hass, services, table, state, random)
    assert count > 1000


async def test_no_call_asks_of_a_player_what_it_cannot_do(
    hass: HomeAssistant, services: dict[str, Known]
) -> None:
    table, random, count = table_of("media_player"), Random(_SEED), 0  # noqa: S311
    assert table
    for features in some(flags(MediaPlayerEntityFeature), random):
        attributes = {
            "supported_features": features,
            "source_list": ["Radio", "TV"],
            "sound_mode_list": ["Movie"],
            **({"volume_level": 0.4} if random.random() < 0.7 else {}),
        }
        mode = random.choice(["off", "idle", "playing", "paused"])
        count += check(hass, services, table, State("media_player.a", mode, attributes), random)
    assert count > 1000


async def test_no_call_asks_of_a_lamp_what_it_cannot_do(
    hass: HomeAssistant, services: dict[str, Known]
) -> None:
    table, random, count = table_of("light"), Random(_SEED), 0  # noqa: S311
    assert table
    every_mode = [mode for mode in ColorMode if mode is not ColorMode.UNKNOWN]
    for chosen in chain.from_iterable(combinations(every_mode, n) for n in range(1, 5)):
        try:
            modes = valid_supported_color_modes(chosen)
        except vol.Error:
            continue
        for features in every(flags(LightEntityFeature)):
            attributes = {
                "supported_features": features,
                "supported_color_modes": sorted(modes),
                "effect_list": ["rainbow"],
                "min_color_temp_kelvin": 2200,
                "max_color_temp_kelvin": 6500,
                "brightness": 120,
            }
            state = State("light.a", random.choice(["on", "off"]), attributes)
            count += check(hass, services, table, state, random)
            for action in table.plannable_actions:
                for call in planned(table, action, state, random):
                    if table.service(call.action.partition(".")[2]).find_refusal(hass, state, call.data) is None:  # type: ignore[union-attr]  # fmt: skip
                        assert _is_heard(set(modes), features, call.data), (call, state)
    assert count > 1000


def _is_heard(modes: set[ColorMode], features: int, data: Mapping[str, Any]) -> bool:
    """Return whether a lamp has all that is in the data: Home Assistant drops the rest without a word."""
    needs = {
        "brightness": brightness_supported(modes),
        "color_name": color_supported(modes),
        "rgb_color": color_supported(modes),
        "hs_color": color_supported(modes),
        "color_temp_kelvin": ColorMode.COLOR_TEMP in modes or color_supported(modes),
        "white": ColorMode.WHITE in modes,
        "effect": bool(features & LightEntityFeature.EFFECT),
        "flash": bool(features & LightEntityFeature.FLASH),
        "transition": bool(features & LightEntityFeature.TRANSITION),
    }
    wanted = {"brightness" if name.startswith("brightness") else name for name in data}
    return all(able for name, able in needs.items() if name in wanted)
