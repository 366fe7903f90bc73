"""Next-step router that asks a model (V2 routing, LlmRouter)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import accumulate
import re
from typing import Self

from pydantic import Field, ValidationError, model_validator

from ..agents.models import AgentCard
from ..llm.client import ModelClient, async_ask_until_usable, shown_again
from ..llm.errors import BadOutputError, ModelError, OrchestratorError
from ..llm.logprobs import choice_distribution, shares_at
from ..llm.models import Completion, JsonSchema, Message, TokenLogprob, object_schema
from .cleaning import clean
from .log import log_no_choice
from .next_grounding import InstructionGrounding
from .next_models import (
    Complete,
    EnvelopeModel,
    Forward,
    Json,
    RoutingDecision,
    TaskEnvelopeV2,
    UndecidedError,
)
from .next_prompt import decision_messages

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
        **object_schema(
            {
                "workflow_complete": {"type": "boolean"},
                "reasoning": {"type": "string", "maxLength": MAX_REASONING},
                "next_agent": {"type": ["string", "null"], "enum": [*agents, None]},
                "next_instruction": {
                    "anyOf": [{"type": "string", "maxLength": MAX_INSTRUCTION}, {"type": "null"}]
                },
            }
        ),
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


_COMPLETE = "workflow_complete"
_AGENT = "next_agent"
# Inside a JSON string a quote has a backslash before it, so this can only be the field itself.
_WRITTEN = re.compile(rf'(?<!\\)"{_COMPLETE}"\s*:\s*(true|false)')
_THOUGHTS_END = "</think>"
_LITERALS = (b"true", b"false")


def confidence_of(
    completion: Completion, decision: RoutingDecisionOutput, agents: Sequence[str]
) -> float | None:
    """Return the probability of a whole decision, between 0 and 1; None without log-probabilities.

    That is whether the task is complete and, where it is not, also which of `agents` goes on.
    """
    share = _share_of_complete(completion, is_complete=decision.workflow_complete)
    if share is None or decision.next_step is None:
        return None if share is None else round(share, 4)
    agent_id, _ = decision.next_step
    among = choice_distribution(completion, _AGENT, agents)
    return None if among is None else round(share * among[agent_id], 4)


def _share_of_complete(completion: Completion, *, is_complete: bool) -> float | None:
    """Return the probability of what was written for `workflow_complete`.

    None where it cannot be told: no log-probabilities, no such field, or several.
    """
    tokens = [token for token in completion.logprobs if token.piece]
    # Latin-1 keeps bytes and characters in step; a token may end inside a character.
    text = b"".join(token.piece for token in tokens).decode("latin-1")
    # What looks like the end of thoughts may stand in the reasoning.
    for begin in dict.fromkeys((max(text.rfind(_THOUGHTS_END), 0), 0)):
        found = list(_WRITTEN.finditer(text, begin))
        if len(found) == 1 and found[0][1] == str(is_complete).lower():
            return _share_at(tokens, found[0].start(1), found[0][1].encode())
    return None


def _share_at(tokens: Sequence[TokenLogprob], start: int, value: bytes) -> float:
    """Return the share of a literal that begins `start` bytes into the text of the tokens."""
    ends = list(accumulate(len(token.piece) for token in tokens))
    at = bisect_right(ends, start)
    begin = ends[at] - len(tokens[at].piece)
    lead = tokens[at].piece[: start - begin].strip()
    return shares_at(tokens[at], _LITERALS, lambda piece: _begun(piece, lead))[value]


def _begun(piece: bytes, lead: bytes) -> tuple[bytes, ...]:
    """Return the literal that a token begins, or nothing where it begins neither.

    `lead` is the punctuation that the written token has before it.
    """
    piece = piece.lstrip()
    if not piece.startswith(lead):
        return ()
    rest = piece.removeprefix(lead).strip()
    if not rest:
        return ()
    return tuple(each for each in _LITERALS if each.startswith(rest) or rest.startswith(each))


ROUTER = "llm"

UNSURE = "The model is unsure, and another one is asked."
NOBODY_ELSE = "There is no agent that could go on."
INVENTED = "The instruction names something that nobody had spoken of."


@dataclass(frozen=True, slots=True)
class LlmNextStep:
    """Next-step router with a model's decisions, as structured output.

    `ground` checks its instructions. `max_iterations` is only told to the model: `Workflow` counts.
    `timeout` is in seconds, for one call. Below `confidence_threshold` (0 to 1) nothing is forwarded: a
    weak model must not send things around; where it `has_next`, another model is asked then. A decision
    without log-probabilities is taken as it is.
    """

    model: ModelClient
    _: KW_ONLY
    ground: InstructionGrounding
    max_iterations: int = 10
    temperature: float = 0.1
    max_tokens: int = 500
    max_attempts: int = 3
    timeout: float = 5.0
    confidence_threshold: float = 0.7
    has_next: bool = False

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return the next step; completion as well where the model is unsure or invents something.

        Raises:
            UndecidedError: the model could not be asked, or none of its answers can be used.
        """
        if not registry:
            return Complete(final_output=work_output, router=ROUTER, reasoning=NOBODY_ELSE)
        try:
            written, confidence = await self._async_ask(original_task, work_output, registry)
        except ModelError as err:
            # Its text is a fixed phrase of ours.
            log_no_choice(str(err))
            raise UndecidedError(str(err)) from err
        except Exception as err:
            # Whatever it is, what was done so far stands and is said.
            cause = str(OrchestratorError("routing", err))
            log_no_choice(cause)
            raise UndecidedError(cause) from err
        if self.has_next and confidence is not None and confidence < self.confidence_threshold:
            raise UndecidedError(UNSURE)
        if written.next_step is None:
            return Complete(
                final_output=work_output,
                router=ROUTER,
                reasoning=written.reasoning or None,
                confidence=confidence,
            )
        agent_id, instruction = written.next_step
        if confidence is not None and confidence < self.confidence_threshold:
            return Complete(
                final_output=work_output,
                router=ROUTER,
                reasoning=f"Too uncertain that {agent_id} has to go on.",
                confidence=confidence,
            )
        if not self.ground.allows(instruction, original_task, work_output):
            # The model did not find it complete: nothing is known to speak for that.
            return Complete(
                final_output=work_output, router=ROUTER, reasoning=INVENTED, confidence=0.0
            )
        return Forward(
            next_agent=agent_id,
            next_instruction=instruction,
            forwarded_data=work_output,
            router=ROUTER,
            reasoning=written.reasoning or None,
            confidence=confidence,
        )

    async def _async_ask(
        self, task: TaskEnvelopeV2, work_output: Json, cards: Sequence[AgentCard]
    ) -> tuple[RoutingDecisionOutput, float | None]:
        """Return the model's decision and its confidence, None without log-probabilities; with retries.

        Raises:
            ModelError: the model could not be asked, or no answer fits.
        """
        agents = [card.id for card in cards]
        return await async_ask_until_usable(
            lambda messages: self._async_decide(messages, agents),
            decision_messages(task, work_output, cards, self.max_iterations),
            attempts=self.max_attempts,
            again="Decide again, only with the JSON asked for.",
        )

    async def _async_decide(
        self, messages: Sequence[Message], agents: Sequence[str]
    ) -> tuple[RoutingDecisionOutput, float | None]:
        """Return the decision in one answer of the model, and its confidence.

        Raises:
            ModelError: the model could not be asked, or its answer is no decision.
        """
        completion = await self.model.complete(
            messages,
            schema=decision_schema(agents),
            schema_name=TOOL_NAME,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            logprobs=True,
            timeout=self.timeout,
        )
        written = read_decision(completion, agents)
        return written, confidence_of(completion, written, agents)
