"""What agents made of a turn's tasks, as it goes to whoever decides and to whoever goes on."""

from collections.abc import Sequence
from typing import Any

from ..agents.base import Answer
from ..json_model import timestamp
from ..routing.history import WorkflowStep
from ..routing.models import Assignment
from ..workflow.models import VERSION_2, TaskEnvelopeV2, WorkflowContext, topic_of
from ..workflow.run import Work
from .context import Turn

# In characters.
_MOST_SUMMARY = 200


def task_of(turn: Turn, parts: Sequence[Assignment], works: Sequence[Work]) -> TaskEnvelopeV2:
    """Return the task of the last part, with the parts before it as steps that were taken."""
    steps = tuple(
        WorkflowStep(agent_id=part.agent_id, action=work.action, timestamp=timestamp())
        for part, work in zip(parts[:-1], works, strict=False)
    )
    return TaskEnvelopeV2(
        conversation_id=turn.trace.conversation_id,
        topic=topic_of(parts[-1].agent_id),
        instruction=parts[-1].instruction,
        input={},
        version=VERSION_2,
        context=WorkflowContext(
            original_query=turn.user_input.text,
            steps_completed=steps,
            iteration_count=len(steps),
        ),
    )


def output_of(turn: Turn, answer: Answer) -> dict[str, Any]:
    """Return what an agent made as JSON: what it says, and what it did to what."""
    did = [
        {
            "action": result.call.action,
            "done": [_name(turn, target) for target in result.done],
            "failed": [_name(turn, o.entity_id) for o in result.outcomes if not o.ok],
        }
        for result in answer.results
    ]
    return {"success": answer.success, "response": answer.content} | ({"did": did} if did else {})


def action_of(output: Any) -> str:
    """Return what sums up what an agent made."""
    return str(output["response"])[:_MOST_SUMMARY]


def _name(turn: Turn, entity_id: str) -> str:
    """Return what a thing is called; its id where it has no name that may be said."""
    entity = turn.catalog.entities.get(entity_id)
    return entity.name if entity else entity_id
