"""What valves can do."""

from collections.abc import Iterator

from homeassistant.components.valve import ValveEntityFeature as Feature
from homeassistant.const import STATE_CLOSED, STATE_OPEN
from homeassistant.core import State

from .checks import STATE
from .fields import features_of, has
from .openings import ALIKE, TOLERANCE, opening_actions, opening_services, way_back
from .table import Attribute, Domain, Kept, Step


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the step for a valve."""
    position = before.number("current_position")
    if position is not None and features_of(state) & Feature.SET_POSITION:
        yield "set_valve_position", {"position": position}
    elif STATE in changed and (way := way_back(before)):
        yield f"{way}_valve", {}


VALVE = Domain(
    name="valve",
    alike=ALIKE,
    brings={STATE_OPEN: "open_valve", STATE_CLOSED: "close_valve"},
    attributes=(
        Attribute(
            "current_position", tolerance=TOLERANCE, service="set_valve_position", field="position"
        ),
    ),
    services=opening_services(
        "valve",
        opens=has(Feature.OPEN),
        closes=has(Feature.CLOSE),
        toggles=has(Feature.OPEN | Feature.CLOSE),
        stops=has(Feature.STOP),
        sets=has(Feature.SET_POSITION),
    ),
    actions=opening_actions("valve", stops=("stop_valve",), moves=False),
    put_back=_put_back,
    is_slow=True,
)
"""The table of valves."""
