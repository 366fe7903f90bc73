"""Table of valves."""

from collections.abc import Iterator

from homeassistant.components.valve import ValveEntityFeature as Feature
from homeassistant.core import State

from .checks import STATE
from .effects import opened_closed
from .open_close import (
    EQUIVALENT_STATES,
    TOLERANCE,
    find_restoring_verb,
    open_close_actions,
    open_close_services,
    position_value,
)
from .services import Attribute, SavedState, UndoStep, features_of, has
from .table import Domain


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo step of a valve: its position, or open or close."""
    position = before.number("current_position")
    if position is not None and features_of(state) & Feature.SET_POSITION:
        yield "set_valve_position", {"position": position}
    elif STATE in changed and (way := find_restoring_verb(before)):
        yield f"{way}_valve", {}


VALVE = Domain(
    name="valve",
    equivalent_states=EQUIVALENT_STATES,
    attributes=(
        Attribute(
            "current_position", tolerance=TOLERANCE, service="set_valve_position", field="position"
        ),
    ),
    services=open_close_services(
        "valve",
        opens=has(Feature.OPEN),
        closes=has(Feature.CLOSE),
        toggles=has(Feature.OPEN | Feature.CLOSE),
        stops=has(Feature.STOP),
        sets=has(Feature.SET_POSITION),
    ),
    actions=open_close_actions("valve", stops=("stop_valve",), moves=False),
    plan_undo=_undo_steps,
    effects=opened_closed("valve"),
    policy_values=(position_value("valve"),),
    is_slow=True,
)
"""Table of valves."""
