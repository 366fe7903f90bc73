"""Table of fans."""

from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.components.fan import FanEntityFeature as Feature
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .actions import Action, Intent, StepSizes, choice, percentage
from .checks import IS_OFF, STATE, TOGGLED, OutcomeCheck, has_moved, near
from .effects import Data, Effect, always, given, moves, on_off, unless_in, where
from .models import StateLike, ToolCall
from .services import (
    Attribute,
    ReplyTranslation,
    SavedState,
    Service,
    UndoStep,
    ValueFormatter,
    as_number,
    at_most_one,
    features_of,
    flag,
    has,
    listed,
    needing,
    number,
    one_of,
    restore_attributes,
    setting_service,
)
from .switch import on_off_actions
from .table import Domain, PolicyValue

# In percentage points: without a `percentage_step` a fan is taken to have three speeds.
_NEAREST = 100 / 3
_PERCENT = number(0, 100, whole=True, unit="%")
_PRESET = needing(has(Feature.PRESET_MODE), listed("preset_modes"))
_SPEED = needing(has(Feature.SET_SPEED), _PERCENT)


def _runs(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a fan is on, at the speed or in the preset asked for."""
    percentage, preset = data.get("percentage"), data.get("preset_mode")
    if percentage is not None:
        return _has_speed(state, data, before)
    if preset is not None and state.attributes.get("preset_mode") != preset:
        return False
    return state.state == STATE_ON


def _has_speed(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a fan has the speed nearest to a percentage; 0 is off."""
    wanted = data["percentage"]
    if wanted == 0:
        return state.state == STATE_OFF
    step = state.attributes.get("percentage_step")
    tolerance = step if isinstance(step, int | float) else _NEAREST
    return state.state == STATE_ON and near(state.attributes.get("percentage"), wanted, tolerance)


def _build_reply(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to a speed or a preset, or the one named after the service."""
    if (percent := call.data.get("percentage")) is not None:
        return "speed", {"value": words.percent(percent)}
    if preset := call.data.get("preset_mode"):
        return "set", {"value": words.mode(str(preset), "preset_mode")}
    if (swings := call.data.get("oscillating")) is not None:
        return ("swing" if swings else "stop_swing"), {}
    return call.action.partition(".")[2], {}


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a fan: its speed or preset, its settings, and off last."""
    if before.state == STATE_ON and changed & {STATE, "percentage", "preset_mode"}:
        yield _undo_off(before, state)
    yield from restore_attributes(_SETTINGS, before, state, changed)
    if before.state == STATE_OFF and STATE in changed:
        yield "turn_off", {}


def _undo_off(before: SavedState, state: State) -> UndoStep:
    """Return the undo step that turns a fan on as it ran before."""
    preset, percentage = before.text("preset_mode"), before.number("percentage")
    if preset and features_of(state) & Feature.PRESET_MODE:
        return "set_preset_mode", {"preset_mode": preset}
    if percentage and features_of(state) & Feature.SET_SPEED:
        return "set_percentage", {"percentage": percentage}
    return "turn_on", {}


def _speed_step_service(name: str, direction: int) -> Service:
    """Return the service that changes a fan's speed by a step, up where `direction` is above 0."""
    return Service(
        name,
        has(Feature.SET_SPEED),
        fields={"percentage_step": _PERCENT},
        check=has_moved("percentage", direction, 100),
        reply=_build_reply,
    )


_SETTINGS = (
    Attribute("oscillating", service="oscillate", feature=Feature.OSCILLATE),
    Attribute("direction", service="set_direction", feature=Feature.DIRECTION),
)

# Policy values and effects.


def _step_of(data: Mapping[str, Any], state: StateLike) -> float:
    """Return by how much a step changes a fan's speed, in percentage points."""
    step = as_number(data.get("percentage_step"))
    own = as_number(state.attributes.get("percentage_step"))
    return step if step is not None else own if own is not None else _NEAREST


def _is_about_speed(action: str, data: Mapping[str, Any]) -> bool:
    """Return whether a call sets or changes a fan's speed."""
    return action in _SPEED_STEPS or (action.startswith("fan.") and _PERCENTAGE in data)


def _speed_after(action: str, data: Mapping[str, Any], shown: StateLike | None) -> float | None:
    """Return the speed after a call, in percent; None where it is not known."""
    if (direction := _SPEED_STEPS.get(action)) is None:
        return as_number(data.get(_PERCENTAGE))
    if shown is None:
        return None
    now = as_number(shown.attributes.get(_PERCENTAGE)) or 0.0
    return min(max(now + direction * _step_of(data, shown), 0.0), 100.0)


def _speed_call(action: str, data: Mapping[str, Any], value: float) -> tuple[str, dict[str, Any]]:
    """Return the call that sets a speed."""
    if action in _SPEED_STEPS:
        return "fan.set_percentage", {_PERCENTAGE: value}
    return action, {**data, _PERCENTAGE: value}


def _ends(state: StateLike | None, data: Data) -> bool:
    """Return whether a step down may turn a fan off."""
    after = None if state is None else _speed_after("fan.decrease_speed", data or {}, state)
    return after is None or after <= 0


_PERCENTAGE = "percentage"
_SPEED_STEPS = {"fan.increase_speed": 1, "fan.decrease_speed": -1}
_WHILE_OFF = unless_in(STATE_ON)
_EFFECTS = (
    *on_off(
        turns_on={
            "set_percentage": where(_PERCENTAGE, lambda percent: percent != 0),
            "increase_speed": _WHILE_OFF,
            "set_preset_mode": always,
        },
        turns_off={
            "set_percentage": where(_PERCENTAGE, lambda percent: percent == 0),
            "decrease_speed": _ends,
        },
        also_off={"turn_on": where(_PERCENTAGE, lambda percent: percent == 0)},
    ),
    *(
        Effect(
            {
                f"{name}_speed": always,
                "set_percentage": moves(_PERCENTAGE, _PERCENTAGE, direction),
            },
            also={"turn_on": given(_PERCENTAGE)},
        )
        for name, direction in (("increase", 1), ("decrease", -1))
    ),
    Effect({"set_preset_mode": always}, also={"turn_on": given("preset_mode")}),
)


FAN = Domain(
    name="fan",
    attributes=(
        Attribute("percentage", tolerance=2, service="set_percentage", while_on=True),
        Attribute("preset_mode", service="set_preset_mode", while_on=True),
        *_SETTINGS,
    ),
    services=(
        Service(
            "turn_on",
            has(Feature.TURN_ON),
            fields={"percentage": _SPEED, "preset_mode": _PRESET},
            rule=at_most_one(frozenset({"percentage", "preset_mode"})),
            check=OutcomeCheck(_runs, (STATE, "percentage", "preset_mode")),
            reply=_build_reply,
        ),
        Service("turn_off", has(Feature.TURN_OFF), check=IS_OFF, reply=_build_reply),
        Service(
            "toggle", has(Feature.TURN_ON | Feature.TURN_OFF), check=TOGGLED, reply=_build_reply
        ),
        Service(
            "set_percentage",
            fields={"percentage": _SPEED},
            required=frozenset({"percentage"}),
            check=OutcomeCheck(_has_speed, (STATE, "percentage"), "the nearest speed"),
            reply=_build_reply,
        ),
        _speed_step_service("increase_speed", 1),
        _speed_step_service("decrease_speed", -1),
        setting_service("set_preset_mode", None, "preset_mode", _PRESET, reply=_build_reply),
        setting_service(
            "oscillate", has(Feature.OSCILLATE), "oscillating", flag, reply=_build_reply
        ),
        setting_service(
            "set_direction",
            has(Feature.DIRECTION),
            "direction",
            one_of("forward", "reverse"),
            reply=_build_reply,
        ),
    ),
    actions=(
        *on_off_actions(halts=True),
        Action(
            "set_speed",
            "set_percentage",
            parameters=(
                percentage("value", "percentage", measures="speed", least="percentage_step"),
            ),
            intents=(Intent("HassFanSetSpeed", {"percentage": "value"}),),
            is_direct=True,
        ),
        Action(
            "set_preset",
            "set_preset_mode",
            capability=has(Feature.PRESET_MODE),
            parameters=(choice("preset", "preset_mode", "preset_modes", measures="preset"),),
        ),
        *(
            Action(
                name,
                "oscillate",
                data={"oscillating": name == "oscillate"},
                capability=has(Feature.OSCILLATE),
                commands=frozenset({name}),
            )
            for name in ("oscillate", "stop_oscillating")
        ),
    ),
    # `lowest`: "slower" does not turn a fan off.
    step_sizes=StepSizes(
        sizes={"little": 10, "": 25, "much": 50},
        words=("faster", "slower"),
        sets=("set_speed", "value"),
        attribute="percentage",
        lowest=1,
    ),
    plan_undo=_undo_steps,
    effects=_EFFECTS,
    policy_values=(
        PolicyValue(name=_PERCENTAGE, is_about=_is_about_speed, of=_speed_after, to=_speed_call),
    ),
)
"""Table of fans."""
