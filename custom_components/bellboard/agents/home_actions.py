"""What the home agent does by itself: commands about what was spoken of that have no sentence."""

from collections.abc import Sequence

from homeassistant.core import State

from ..const import HOME_AGENT_ID
from ..domains.actions import ActionInput
from ..domains.models import ToolCall
from ..domains.registry import is_direct, table_of
from ..home.catalog import is_exposed
from ..plans.models import Plan, PlannedAction
from .base import AgentRequest
from .steps import states_of
from .telling import steps_of


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
        call
        for action in actions
        for state in states
        if is_direct(state.domain, action.name)
        for call in _calls(action, state)
    ]
    return Plan(
        intent_id="+".join(dict.fromkeys(action.name for action in actions)),
        agent_id=HOME_AGENT_ID,
        steps=steps_of(request, calls),
        actions=tuple(action.model_copy(update={"targets": tuple(exposed)}) for action in actions),
    )


def _calls(action: PlannedAction, state: State) -> list[ToolCall]:
    """Return the calls that do an action with one thing."""
    table = table_of(state.domain)
    row = table.action(action.name) if table else None
    return (
        table.plan(row, ActionInput(parameters=action.parameters), [state]) if table and row else []
    )
