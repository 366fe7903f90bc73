"""What water heaters can do."""

from collections.abc import Iterator

from homeassistant.components.water_heater import WaterHeaterEntityFeature as Feature
from homeassistant.const import STATE_OFF
from homeassistant.core import State

from .checks import IS_OFF, STATE, has_value, is_none_of
from .fields import features_of, has, listed, number
from .table import Attribute, Domain, Kept, Service, Step

_TARGET, _MODE = "temperature", "operation_mode"
_TOLERANCE = 0.5


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for a water heater: its mode, which is its state, and its target."""
    if STATE in changed and features_of(state) & Feature.OPERATION_MODE:
        yield "set_operation_mode", {_MODE: before.state}
    degrees = before.number(_TARGET)
    if _TARGET in changed and degrees is not None:
        yield "set_temperature", {_TARGET: degrees}


WATER_HEATER = Domain(
    name="water_heater",
    attributes=(
        Attribute(
            name=_TARGET,
            tolerance=_TOLERANCE,
            service="set_temperature",
            feature=Feature.TARGET_TEMPERATURE,
            in_scenes=True,
        ),
    ),
    services=(
        Service(name="turn_on", able=has(Feature.ON_OFF), check=is_none_of(STATE_OFF)),
        Service(name="turn_off", able=has(Feature.ON_OFF), check=IS_OFF),
        Service(
            name="set_temperature",
            able=has(Feature.TARGET_TEMPERATURE),
            fields={_TARGET: number("min_temp", "max_temp", unit="°")},
            required=frozenset({_TARGET}),
            check=has_value(_TARGET, tolerance=_TOLERANCE),
            notes_off=True,
        ),
        Service(
            name="set_operation_mode",
            able=has(Feature.OPERATION_MODE),
            fields={_MODE: listed("operation_list")},
            required=frozenset({_MODE}),
            check=has_value(STATE, _MODE),
        ),
    ),
    put_back=_put_back,
)
"""The table of water heaters."""
