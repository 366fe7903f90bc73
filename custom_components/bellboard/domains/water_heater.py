"""Table of water heaters."""

from collections.abc import Iterator

from homeassistant.components.water_heater import WaterHeaterEntityFeature as Feature
from homeassistant.const import STATE_OFF
from homeassistant.core import State

from .actions import Action, Parameter, choice
from .checks import IS_OFF, STATE, has_value, is_none_of
from .effects import Effect, always, on_off, where
from .services import (
    Attribute,
    SavedState,
    Service,
    UndoStep,
    features_of,
    has,
    listed,
    number,
    setting_service,
)
from .switch import on_off_actions
from .table import Domain

_TARGET, _MODE = "temperature", "operation_mode"
_TOLERANCE = 0.5
_SWITCHES_ON = where(_MODE, lambda mode: mode != STATE_OFF)
_SWITCHES_OFF = where(_MODE, lambda mode: mode == STATE_OFF)


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a water heater: its operation mode, which is its state, and its target."""
    if STATE in changed and features_of(state) & Feature.OPERATION_MODE:
        yield "set_operation_mode", {_MODE: before.state}
    degrees = before.number(_TARGET)
    if _TARGET in changed and degrees is not None:
        yield "set_temperature", {_TARGET: degrees}


WATER_HEATER = Domain(
    name="water_heater",
    attributes=(
        Attribute(
            _TARGET,
            tolerance=_TOLERANCE,
            service="set_temperature",
            feature=Feature.TARGET_TEMPERATURE,
        ),
    ),
    services=(
        Service("turn_on", has(Feature.ON_OFF), check=is_none_of(STATE_OFF)),
        Service("turn_off", has(Feature.ON_OFF), check=IS_OFF),
        Service(
            "set_temperature",
            has(Feature.TARGET_TEMPERATURE),
            fields={_TARGET: number("min_temp", "max_temp", unit="°")},
            required=frozenset({_TARGET}),
            check=has_value(_TARGET, tolerance=_TOLERANCE),
            warns_if_off=True,
        ),
        setting_service(
            "set_operation_mode",
            has(Feature.OPERATION_MODE),
            _MODE,
            listed("operation_list"),
            attribute=STATE,
        ),
    ),
    actions=(
        *on_off_actions(),
        Action(
            "set_temperature",
            "set_temperature",
            parameters=(
                Parameter(
                    _TARGET,
                    field=_TARGET,
                    unit="°",
                    low="min_temp",
                    high="max_temp",
                    must_reach=True,
                    cast=float,
                    commands=("degrees", "number"),
                    measures="temperature",
                ),
            ),
        ),
        Action(
            "set_mode",
            "set_operation_mode",
            parameters=(choice("mode", _MODE, "operation_list", measures="mode"),),
        ),
    ),
    plan_undo=_undo_steps,
    effects=(
        *on_off(
            turns_on={"set_operation_mode": _SWITCHES_ON, "set_temperature": _SWITCHES_ON},
            turns_off={"set_operation_mode": _SWITCHES_OFF, "set_temperature": _SWITCHES_OFF},
        ),
        # Who is away has another target temperature.
        Effect({"set_temperature": always}, also={"set_away_mode": always}),
    ),
)
"""Table of water heaters."""
