"""Tests of states that automations can make for what is waited for: found by trying a condition on every state."""

from homeassistant.components.alarm_control_panel import AlarmControlPanelState
from homeassistant.components.climate import HVACMode
from homeassistant.components.cover import CoverState
from homeassistant.components.lock import LockState
from homeassistant.components.media_player import MediaPlayerState
from homeassistant.components.vacuum import VacuumActivity
from homeassistant.const import STATE_HOME, STATE_NOT_HOME, STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State

from ..home.automations import StateTest
from .condition_results import ConditionResult

_ON_OFF = (STATE_ON, STATE_OFF)
_AT_HOME = (STATE_HOME, STATE_NOT_HOME)
_STATES: dict[str, tuple[str, ...]] = {
    "alarm_control_panel": tuple(AlarmControlPanelState),
    "binary_sensor": _ON_OFF,
    "climate": tuple(HVACMode),
    "cover": tuple(CoverState),
    "device_tracker": _AT_HOME,
    "fan": _ON_OFF,
    "humidifier": _ON_OFF,
    "input_boolean": _ON_OFF,
    "light": _ON_OFF,
    "lock": tuple(LockState),
    "media_player": tuple(MediaPlayerState),
    "person": _AT_HOME,
    "sun": ("above_horizon", "below_horizon"),
    "switch": _ON_OFF,
    "vacuum": tuple(VacuumActivity),
    "valve": tuple(CoverState),
}
"""The states of what has always the same ones, by domain; of all else they are its `options`."""

_MEASURED = {"temperature": "current_temperature", "humidity": "current_humidity"}
_OTHER_UNITS = frozenset({"kW", "MW", "mW"})
_HARDLY = 0.01
"""What "at least 19" is above 19 less this."""


def state_test(hass: HomeAssistant, result: ConditionResult) -> StateTest | None:
    """Return the test of states that a condition is, None where it is no plain one."""
    if result.bound:
        return _number_test(hass, result, *result.bound)
    if result.shows is None:
        return None
    found: set[tuple[str, ...]] = set()
    for entity_id in result.entity_ids:
        state = hass.states.get(entity_id)
        if state is None or not (known := _states_of(state)):
            return None
        shown = (State(entity_id, each, state.attributes) for each in known)
        found.add(tuple(each.state for each in shown if result.shows(each)))
    states = found.pop() if len(found) == 1 else ()
    if not states:
        return None
    return StateTest(entity_ids=result.entity_ids, states=states, needs_all=result.needs_all)


def _states_of(state: State) -> tuple[str, ...]:
    """Return all states that something may have, () where they are not known."""
    options = state.attributes.get("options")
    if state.domain in {"sensor", "select", "input_select"} and isinstance(options, list):
        return tuple(map(str, options))
    return _STATES.get(state.domain, ())


def _number_test(
    hass: HomeAssistant, result: ConditionResult, measure: str, than: str, number: float
) -> StateTest | None:
    """Return the test of a number; None where several things tell it in different ways."""
    domains = {entity_id.partition(".")[0] for entity_id in result.entity_ids}
    states = [hass.states.get(entity_id) for entity_id in result.entity_ids]
    units = {state.attributes.get("unit_of_measurement") for state in states if state}
    if domains <= {"sensor", "number", "input_number"} and units.isdisjoint(_OTHER_UNITS):
        attribute = None
    elif domains == {"climate"} and measure in _MEASURED:
        attribute = _MEASURED[measure]
    else:
        return None
    hardly = _HARDLY if than in {"at_least", "at_most"} else 0.0
    is_above = than in {"above", "at_least"}
    return StateTest(
        entity_ids=result.entity_ids,
        above=number - hardly if is_above else None,
        below=None if is_above else number + hardly,
        attribute=attribute,
    )
