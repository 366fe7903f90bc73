"""Rules judge effects: what ends in the same state is caught by a rule on any action that ends in it.

Each action of Home Assistant's demo devices is run for real, from several states. Whatever ends in the same new state
has to be caught by a rule on any of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import product
from typing import Any
from unittest.mock import patch

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed
import voluptuous as vol

from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.plans.policy_check import PolicyCheck
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.conftest import Setup
from tests.test_policies import WHO
from tests.test_policy_reach import obey, rule


@dataclass(frozen=True)
class Device:
    """A demo device, the states it is tried from, and what its actions take; `shown` tells two states apart."""

    entity_id: str
    begins: Sequence[tuple[str, Mapping[str, Any]]]
    takes: Sequence[tuple[str, Mapping[str, Any]]]
    shown: Sequence[str] = ()

    @property
    def domain(self) -> str:
        """Return its domain."""
        return self.entity_id.partition(".")[0]


def plain(*services: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return actions without data."""
    return [(service, {}) for service in services]


SWITCHING = plain("turn_on", "turn_off", "toggle")
PLAYING = ("play_media", {"media_content_id": "x", "media_content_type": "music"})
DEVICES = (
    Device(
        "light.bed_light",
        [("turn_off", {}), ("turn_on", {"brightness": 100})],
        [*SWITCHING, ("turn_on", {"brightness_pct": 60}), ("turn_on", {"brightness": 0})],
    ),
    Device("switch.decorative_lights", SWITCHING[:2], SWITCHING),
    Device("siren.siren", SWITCHING[:2], SWITCHING),
    Device("input_boolean.guests", SWITCHING[:2], SWITCHING),
    Device(
        "cover.living_room_window",
        plain("open_cover", "close_cover"),
        [
            *plain("open_cover", "close_cover", "toggle"),
            ("set_cover_position", {"position": 100}),
            ("set_cover_position", {"position": 0}),
            ("set_cover_position", {"position": 50}),
        ],
        ["current_position"],
    ),
    Device(
        "valve.front_garden",
        plain("open_valve", "close_valve"),
        plain("open_valve", "close_valve", "toggle"),
    ),
    Device("lock.openable_lock", plain("lock"), plain("unlock", "open")),
    Device(
        "climate.hvac",
        [("set_hvac_mode", {"hvac_mode": mode}) for mode in ("off", "cool")],
        [
            *SWITCHING,
            *(("set_hvac_mode", {"hvac_mode": mode}) for mode in ("off", "cool", "heat")),
            *(
                ("set_temperature", {"temperature": 21, "hvac_mode": mode})
                for mode in ("off", "cool", "heat")
            ),
        ],
    ),
    Device(
        "fan.living_room_fan",
        [("turn_off", {}), ("set_percentage", {"percentage": 67}), ("set_percentage", {"percentage": 33})],
        [
            *SWITCHING,
            *(("set_percentage", {"percentage": percent}) for percent in (0, 33, 67, 100)),
            *plain("increase_speed", "decrease_speed"),
            ("set_preset_mode", {"preset_mode": "auto"}),
            ("turn_on", {"percentage": 33}),
            ("turn_on", {"preset_mode": "auto"}),
        ],
    ),
    Device("humidifier.humidifier", SWITCHING[:2], SWITCHING),
    Device(
        "water_heater.demo_water_heater",
        [("set_operation_mode", {"operation_mode": mode}) for mode in ("off", "eco")],
        [("set_operation_mode", {"operation_mode": mode}) for mode in ("off", "eco")],
    ),
    Device(
        "media_player.walkman",
        plain("turn_off", "media_play"),
        [*SWITCHING, *plain("media_play", "media_pause", "media_play_pause"), PLAYING],
    ),
    Device(
        "media_player.walkman",
        plain("media_pause"),
        [*plain("media_play", "media_pause", "media_play_pause"), PLAYING],
    ),
    Device(
        "media_player.walkman",
        [("volume_set", {"volume_level": 0.5})],
        [*plain("volume_up", "volume_down"), *(("volume_set", {"volume_level": v}) for v in (0.6, 0.4))],
        ["volume_level"],
    ),
    Device("vacuum.demo_vacuum_0_ground_floor", plain("stop"), plain("start", "clean_spot")),
    Device(
        "select.speed",
        [("select_option", {"option": "ridiculous_speed"})],
        [
            ("select_option", {"option": "light_speed"}),
            *plain("select_first", "select_last", "select_next", "select_previous"),
        ],
    ),
    Device(
        "input_number.level",
        [("set_value", {"value": 5})],
        [("set_value", {"value": 6}), ("set_value", {"value": 4}), *plain("increment", "decrement")],
    ),
    Device(
        "counter.visits",
        [("set_value", {"value": 5})],
        [("set_value", {"value": 6}), ("set_value", {"value": 0}), *plain("increment", "reset")],
    ),
)  # fmt: skip

HELPERS = {
    "input_boolean": {"guests": {}},
    "input_number": {"level": {"min": 0, "max": 10, "initial": 5}},
    "counter": {"visits": {}},
}


@dataclass
class Ended:
    """What ended in one new state: the calls, from where."""

    before: State
    calls: dict[str, ToolCall] = field(default_factory=dict)


async def _call(hass: HomeAssistant, device: Device, service: str, data: Mapping[str, Any]) -> bool:
    """Call a service for a device, and return whether it took it."""
    try:
        await hass.services.async_call(
            device.domain, service, {**data, "entity_id": device.entity_id}, blocking=True
        )
    except HomeAssistantError, vol.Invalid:
        return False
    await hass.async_block_till_done()
    state, now = hass.states.get(device.entity_id), dt_util.utcnow()
    while state and state.state in {"opening", "closing"}:
        # The demo covers move once a second.
        now += timedelta(seconds=1)
        async_fire_time_changed(hass, now)
        await hass.async_block_till_done()
        state = hass.states.get(device.entity_id)
    return True


async def _ends(hass: HomeAssistant, device: Device) -> list[Ended]:
    """Return what ends in the same new state, by running it."""
    found: dict[tuple[Any, ...], Ended] = {}

    def shown(state: State) -> tuple[Any, ...]:
        return (state.state, *(state.attributes.get(name) for name in device.shown))

    for begin in device.begins:
        for service, data in device.takes:
            assert await _call(hass, device, *begin), begin
            before = hass.states.get(device.entity_id)
            assert before is not None
            if not await _call(hass, device, service, data):
                continue
            after = hass.states.get(device.entity_id)
            assert after is not None
            if shown(after) == shown(before):
                continue
            key = (begin[0], *shown(before), *begin[1].items(), *shown(after))
            ended = found.setdefault(key, Ended(before))
            action = f"{device.domain}.{service}"
            ended.calls[f"{action} {data}"] = ToolCall(
                action=action, targets=(device.entity_id,), data=dict(data)
            )
    return [*found.values()]


@pytest.mark.long
async def test_a_rule_on_one_action_is_about_all_that_end_in_the_same_state(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    await speak()
    await _demo(hass)
    for delay in ("lock.LOCK_UNLOCK_DELAY", "valve.OPEN_CLOSE_DELAY"):
        monkeypatch.setattr(f"homeassistant.components.demo.{delay}", 0)
    passed: list[str] = []
    compared = 0
    for device in DEVICES:
        for ended in await _ends(hass, device):
            hass.states.async_set(device.entity_id, ended.before.state, ended.before.attributes)
            end = hass.states.get(device.entity_id)
            assert end is not None
            names = {call.action for call in ended.calls.values()}
            names |= {f"homeassistant.{n.partition('.')[2]}" for n in names if n.endswith(_ANY)}
            for named, call in product(sorted(names), ended.calls.values()):
                compared += 1
                await obey(hass, rule(action=[named]))
                check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
                verdicts = await check.async_check(call, 1, frozenset())
                is_caught = all(verdict.effect is PolicyEffect.DENY for verdict in verdicts)
                if not is_caught and not _is_by_the_way(named, call):
                    passed.append(f"{call.action} {call.data} from {ended.before.state}: {named}")
    assert passed == []
    assert compared > 300


_ANY = ("turn_on", "turn_off", "toggle")


def _is_by_the_way(named: str, call: ToolCall) -> bool:
    """Return whether a rule on an action is not meant to be about a call: turning on is not about turning off."""
    is_on = named in {"light.turn_on", "homeassistant.turn_on"}
    return is_on and call.action in {"light.turn_off", "light.toggle"}


async def _demo(hass: HomeAssistant) -> None:
    """Set up Home Assistant's demo devices of these kinds, and helpers."""
    for domain, config in HELPERS.items():
        assert await async_setup_component(hass, domain, {domain: config})
    platforms = [Platform(each) for each in {device.domain for device in DEVICES} - {*HELPERS}]
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    with (
        patch("homeassistant.components.demo.async_setup", return_value=True),
        patch(
            "homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", platforms
        ),
    ):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
