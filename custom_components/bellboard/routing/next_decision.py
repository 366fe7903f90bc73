"""A model's next-step decision: its schema, and how an answer is validated (V2 routing)."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field, ValidationError, model_validator

from ..llm.errors import BadOutputError
from ..llm.models import Completion, JsonSchema
from ..llm.retry import shown_again
from .cleaning import clean
from .history import EnvelopeModel

TOOL_NAME = "make_routing_decision"
"""The name of the decision's schema, and of the tool (V2 routing, Anthropic Integration)."""

MAX_REASONING = 200
MAX_INSTRUCTION = 300
"""The characters of an instruction at most: it says what to do and does not repeat the output."""

_TITLE = "RoutingDecisionOutput"
_DESCRIPTION = "Make routing decision for workflow"


class RoutingDecisionOutput(EnvelopeModel):
    """A model's decision (V2 routing, RoutingDecisionOutput).

    `next_agent` and `next_instruction` are required unless the workflow is complete.
    """

    workflow_complete: bool
    reasoning: str
    next_agent: str | None = None
    next_instruction: str | None = Field(default=None, max_length=MAX_INSTRUCTION)

    @model_validator(mode="after")
    def _has_next_step(self) -> Self:
        """Refuse a decision to go on without an agent or an instruction.

        Raises:
            ValueError: the agent or its instruction is missing.
        """
        if self.next_step is None and not self.workflow_complete:
            raise ValueError("next_agent and next_instruction are required until it is complete")
        return self

    @property
    def next_step(self) -> tuple[str, str] | None:
        """Return the next agent and its instruction; None where the workflow is complete."""
        if self.workflow_complete or not self.next_agent or not self.next_instruction:
            return None
        return self.next_agent, self.next_instruction


def decision_schema(agents: Sequence[str]) -> JsonSchema:
    """Return the schema of a decision, with `agents` as an enum.

    Every field is required and those that may be left out are nullable, as strict mode wants it.
    """
    return {
        "title": _TITLE,
        "description": _DESCRIPTION,
        "type": "object",
        "properties": {
            "workflow_complete": {"type": "boolean"},
            "reasoning": {"type": "string", "maxLength": MAX_REASONING},
            "next_agent": {"type": ["string", "null"], "enum": [*agents, None]},
            "next_instruction": {
                "anyOf": [{"type": "string", "maxLength": MAX_INSTRUCTION}, {"type": "null"}]
            },
        },
        "required": ["workflow_complete", "reasoning", "next_agent", "next_instruction"],
        "additionalProperties": False,
    }


def read_decision(completion: Completion, agents: Sequence[str]) -> RoutingDecisionOutput:
    """Return a model's decision, its texts sanitised.

    Raises:
        BadOutputError: it is no decision, or one for somebody who is none of `agents`.
    """
    try:
        written = RoutingDecisionOutput.model_validate(completion.data or {})
    except ValidationError as err:
        raise _bad(_what_is_wrong(err), completion) from err
    cleaned = written.model_copy(
        update={
            "reasoning": clean(written.reasoning, MAX_REASONING),
            "next_instruction": clean(written.next_instruction or "", MAX_INSTRUCTION) or None,
        }
    )
    if cleaned.workflow_complete:
        return cleaned
    if cleaned.next_step is None:
        raise _bad("an instruction that says nothing", completion)
    if cleaned.next_agent not in agents:
        raise _bad("an agent that does not exist", completion)
    return cleaned


def _what_is_wrong(err: ValidationError) -> str:
    """Return the first validation error in fixed phrases of ours."""
    [first, *_] = err.errors(include_url=False, include_context=False, include_input=False)
    if first["loc"]:
        # Only the name of a field of ours can stand there, since what is unknown is ignored.
        return f"not a decision: {first['loc'][0]}"
    return "it is not complete, but nobody goes on"


def _bad(detail: str, completion: Completion) -> BadOutputError:
    """Return the error of an answer that cannot be used, with the answer for the retry."""
    return BadOutputError(detail, text=shown_again(completion.data))
