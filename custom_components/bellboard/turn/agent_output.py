"""Serialises what agents made, for the routers of next steps and for the agents after them."""

from collections.abc import Sequence
from typing import Any

from ..agents.base import AgentResult
from ..json_model import timestamp
from ..routing.history import WorkflowStep
from ..routing.models import Assignment
from ..routing.next_models import VERSION_2, TaskEnvelopeV2, WorkflowContext, topic_of
from ..routing.next_run import StepResult
from .context import TurnContext

# In characters.
_MOST_SUMMARY = 200


def create_envelope(
    context: TurnContext, parts: Sequence[Assignment], works: Sequence[StepResult]
) -> TaskEnvelopeV2:
    """Return the envelope of the last part, with the parts before it as steps that were taken."""
    steps = tuple(
        WorkflowStep(agent_id=part.agent_id, action=work.action, timestamp=timestamp())
        for part, work in zip(parts[:-1], works, strict=False)
    )
    return TaskEnvelopeV2(
        conversation_id=context.conversation_id,
        topic=topic_of(parts[-1].agent_id),
        instruction=parts[-1].instruction,
        input={},
        version=VERSION_2,
        context=WorkflowContext(
            original_query=context.text,
            steps_completed=steps,
            iteration_count=len(steps),
        ),
    )


def serialise_output(context: TurnContext, answer: AgentResult) -> dict[str, Any]:
    """Return an agent's answer as JSON: what it says, and what it did to which entities."""
    did = [
        {
            "action": result.call.action,
            "done": [_name(context, target) for target in result.done],
            "failed": [_name(context, o.entity_id) for o in result.outcomes if not o.ok],
        }
        for result in answer.results
    ]
    return {"success": answer.success, "response": answer.content} | ({"did": did} if did else {})


def summarise_output(output: Any) -> str:
    """Return the summary of an agent's output."""
    return str(output["response"])[:_MOST_SUMMARY]


def _name(context: TurnContext, entity_id: str) -> str:
    """Return the name of an entity; its id where it has no name that may be said."""
    entity = context.catalog.entities.get(entity_id)
    return entity.name if entity else entity_id
