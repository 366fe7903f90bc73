"""What the home agent does by itself: commands about what was spoken of that have no sentence."""

from collections.abc import Mapping, Sequence

from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.vacuum import VacuumEntityFeature
from homeassistant.core import State

from ..const import HOME_AGENT_ID
from ..domains.models import ToolCall
from ..home.catalog import is_exposed
from ..plans.models import Plan, PlannedAction
from .base import AgentRequest
from .steps import states_of
from .telling import steps_of

# The actions by their names, with the feature that one of several needs.
_STOPS: Mapping[str, Sequence[tuple[int, str]]] = {
    "cover": (
        (CoverEntityFeature.STOP, "stop_cover"),
        (CoverEntityFeature.STOP_TILT, "stop_cover_tilt"),
    ),
    "valve": ((0, "stop_valve"),),
    "vacuum": ((VacuumEntityFeature.STOP, "stop"), (VacuumEntityFeature.PAUSE, "pause")),
    "lawn_mower": ((0, "pause"),),
}

DOES_ITSELF: Mapping[str, frozenset[str]] = {
    **{domain: frozenset({"stop"}) for domain in _STOPS},
    "fan": frozenset({"set_speed"}),
}
"""The actions that are carried out without a sentence for Home Assistant, by domain."""


def plan_for(
    request: AgentRequest, actions: Sequence[PlannedAction], targets: Sequence[str]
) -> Plan:
    """Return the plan for actions on things that are exposed and there right now.

    What is not among the actions that are done without a sentence is left out.
    """
    exposed = [target for target in targets if is_exposed(request.hass, target)]
    states = [
        state
        for state in states_of(request.hass, exposed)
        if request.rights.may_read(state.entity_id)
    ]
    calls = [
        _call(action, state)
        for action in actions
        for state in states
        if action.name in DOES_ITSELF.get(state.domain, ())
    ]
    return Plan(
        intent_id="+".join(dict.fromkeys(action.name for action in actions)),
        agent_id=HOME_AGENT_ID,
        steps=steps_of(request, calls),
        actions=tuple(action.model_copy(update={"targets": tuple(exposed)}) for action in actions),
    )


def _call(action: PlannedAction, state: State) -> ToolCall:
    """Return the call that does an action with one thing."""
    if action.name == "set_speed":
        data = {"percentage": action.parameters["value"]}
        return ToolCall(action="fan.set_percentage", targets=(state.entity_id,), data=data)
    features = int(state.attributes.get("supported_features", 0))
    ways = _STOPS[state.domain]
    service = next((name for mask, name in ways if features & mask == mask), ways[0][1])
    return ToolCall(action=f"{state.domain}.{service}", targets=(state.entity_id,))
