"""Next steps after the first agents: whether something is left to be done, and by which agent.

The orchestrator's part of V2 routing: it lets agents work, asks who is next, and ends what does not
end by itself. Agents are told their instruction and their data, and nothing of all this.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
import logging
from typing import Any

from homeassistant.helpers.intent import IntentResponseErrorCode

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched, as_dispatched
from ..agents.models import NOBODY, AgentCard
from ..json_model import timestamp
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..plans.runner import Tally
from ..routing.choice import answering_cards
from ..routing.gatekeeper import GatekeeperRouter
from ..routing.models import Assignment, Source
from ..routing.next_grounding import InstructionGrounding
from ..routing.next_llm import LlmNextStep
from ..routing.next_models import (
    FIXED,
    VERSION_2,
    NextStepRouter,
    RoutingStep,
    TaskEnvelopeV2,
    WorkflowContext,
    WorkflowStep,
    topic_of,
)
from ..routing.next_run import EndReason, StepResult, Workflow, WorkflowResult
from .context import TurnContext
from .decision import async_eligible_cards, async_understand, port_to, routing_model, variant_of
from .dispatch import (
    GUESSES,
    async_dispatch_after,
    async_dispatch_parts,
    async_store_response,
    is_not_mine,
)

_LOGGER = logging.getLogger(__name__)


async def async_dispatch_with_next_steps(
    context: TurnContext, parts: Sequence[Assignment]
) -> list[Dispatched]:
    """Let the agents of a first choice answer, and those who go on after them.

    What depends on what another part comes to waits: whoever decides about the next step says what becomes of it.
    What is a command is never left out.
    """
    waiting = [part for at, part in enumerate(parts) if _depends(context, part, parts[:at])]
    taken = [part for part in parts if part not in waiting]
    first = await async_dispatch_parts(context, taken)
    is_always = context.assistant.options.workflow.frequency == "after_each"
    if not _is_left(context, taken, first, is_expected=is_always or bool(waiting)):
        left = _commands(context.language, waiting)
        return [*await async_dispatch_after(context, first, left)]
    cards = await async_eligible_cards(context.assistant, context.user_input)
    # A question goes to nobody who would act on it, at whatever step.
    cards = answering_cards(context.language, cards, [context.text])
    forwarding = _Forwarding(context, create_next_step_routers(context), cards)
    await async_store_response(context, first[-1])
    finished = await forwarding.async_go_on(taken, first)
    if forwarding.has_forwarded:
        return forwarding.dispatched
    # Nobody knows better than the first choice did, or what was asked for is still to be done.
    left = waiting if _is_unsure(context, finished) else _commands(context.language, waiting)
    return [*forwarding.dispatched, *await async_dispatch_parts(context, left)]


async def async_run_task(
    context: TurnContext, envelope: TaskEnvelopeV2
) -> tuple[list[Dispatched], WorkflowResult]:
    """Let the agent of a task answer, and those who go on after it."""
    cards = await async_eligible_cards(context.assistant, context.user_input)
    forwarding = _Forwarding(context, create_next_step_routers(context), cards)
    finished = await forwarding.async_begin(envelope)
    return forwarding.dispatched, finished


@dataclass(slots=True)
class _Forwarding:
    """The agents of one turn, one after the other.

    `dispatched` is what they answered, in order; text that was only meant for the next agent is not in
    it. `about` are the entity ids that the last of them acted on.
    """

    context: TurnContext
    routers: Sequence[NextStepRouter]
    cards: Sequence[AgentCard]
    dispatched: list[Dispatched] = field(default_factory=list)
    about: tuple[str, ...] = ()
    has_forwarded: bool = False
    _has_worked: bool = False

    async def async_begin(self, envelope: TaskEnvelopeV2) -> WorkflowResult:
        """Let a task's agent work, and all that come after it."""
        return self._noted(await self._workflow.async_begin(envelope))

    async def async_go_on(
        self, parts: Sequence[Assignment], first: list[Dispatched]
    ) -> WorkflowResult:
        """Go on from what the agents of a first choice answered."""
        works = [self._kept(entry) for entry in first]
        envelope = create_envelope(self.context, parts, works)
        finished = self._noted(await self._workflow.async_go_on(envelope, works[-1]))
        if any(is_not_mine(entry.answer) for entry in first):
            self.dispatched = _refused_once(first, self.dispatched)
        return finished

    @property
    def _workflow(self) -> Workflow:
        """Return the workflow that this turn's agents work in."""
        return Workflow(
            routers=self.routers,
            agents=self.cards,
            run=self._async_work,
            max_iterations=self.context.assistant.options.workflow.max_iterations,
        )

    async def _async_work(self, envelope: TaskEnvelopeV2) -> StepResult:
        """Let one agent work on a task; what was done before is not done again."""
        self.has_forwarded = True
        part = await self._async_part(envelope)
        runner = self.context.runner
        decided = (envelope.routing_trace or (None,))[-1]
        # Fixed steps may do again what one before them did: on, off, and on again.
        is_bound = self._has_worked and not (decided and decided.router == FIXED)
        with runner.without_repeats() if is_bound else nullcontext(Tally()) as tally:
            (dispatched,) = await async_dispatch_parts(self.context, [part])
        if tally.only_repeats:
            return replace(self._work(dispatched), is_repeated=True)
        await async_store_response(self.context, dispatched)
        self._drop_intermediate_text()
        return self._kept(dispatched)

    async def _async_part(self, envelope: TaskEnvelopeV2) -> Assignment:
        """Return what an agent is told: what its instruction means, where that is plain."""
        instruction = envelope.instruction or ""
        route = await async_understand(
            self.context.assistant, replace(self.context.user_input, text=instruction)
        )
        understood = route.assignments[0]
        if understood.decline or understood.has_reply:
            return understood
        decided = (envelope.routing_trace or (None,))[-1]
        part = Assignment(
            agent_id=envelope.agent_id,
            instruction=instruction,
            confidence=_confidence_of(decided),
            source=Source.FORWARDED,
            reason=(decided and decided.reasoning) or "",
            data=envelope.input,
            about=self.about,
        )
        is_whole = len(route.assignments) == 1 and understood.agent_id == envelope.agent_id
        return replace(part, intent=understood.intent) if is_whole else part

    def _kept(self, dispatched: Dispatched) -> StepResult:
        """Keep an agent's answer, and return its output."""
        self._has_worked = True
        self.dispatched.append(dispatched)
        answer = dispatched.answer
        targets = [t for result in answer.results for t in result.call.targets] or answer.about
        self.about = tuple(dict.fromkeys(targets)) or self.about
        return self._work(dispatched)

    def _work(self, dispatched: Dispatched) -> StepResult:
        """Return an agent's output, for the router of the next step and for the agent after it."""
        answer = dispatched.answer
        output = serialise_output(self.context, answer)
        return StepResult(
            output=output, action=summarise_output(output), waits=answer.question is not None
        )

    def _drop_intermediate_text(self) -> None:
        """Keep a text-only agent's intermediate output out of the reply: it was for the next agent."""
        if self.dispatched and _is_text_only(self.context, self.dispatched[-1]):
            self.dispatched.pop()

    def _noted(self, finished: WorkflowResult) -> WorkflowResult:
        """Note in the trace how it was decided."""
        self.context.record.add_next_steps(step.as_json() for step in finished.trace)
        if finished.end is EndReason.LIMIT:
            _LOGGER.warning("Max iterations reached, completing workflow")
            self.dispatched.append(_stopped(self.context.language))
        return finished


def _is_left(
    context: TurnContext,
    parts: Sequence[Assignment],
    dispatched: Sequence[Dispatched],
    *,
    is_expected: bool,
) -> bool:
    """Return whether something may be left: what was expected, or what a part's agent did not do or cover.

    Nothing is while a question is open.
    """
    if any(entry.answer.question for entry in dispatched):
        return False
    return is_expected or any(
        part.source in GUESSES
        and (_is_undone(context, part, entry.answer) or _is_uncovered(context, part))
        for part, entry in zip(parts, dispatched, strict=True)
    )


def _is_undone(context: TurnContext, part: Assignment, answer: AgentResult) -> bool:
    """Return whether an agent left a part undone that may be another's.

    Where a capable model had to see first whether something is so, that it does nothing is what was asked for.
    """
    is_seen = part.spoken and read_tags(part.instruction, context.language).is_conditional
    return is_not_mine(answer) and not is_seen


def _is_uncovered(context: TurnContext, part: Assignment) -> bool:
    """Return whether an agent may have done only a step of its part: one that was cut out of the words said.

    A part that a capable model wrote is one thing for its agent, which does all of it or says what it does not.
    """
    return not part.spoken and context.reading.has_steps


def _depends(context: TurnContext, part: Assignment, before: Sequence[Assignment]) -> bool:
    """Return whether a part may depend on what comes of one before it.

    Then it does not name what it is about, or the words of the turn have steps and one tells of what the other does.
    What was read from its first to its last word depends on nothing.
    """
    if not before or part.source not in GUESSES:
        return False
    reading = read_tags(part.instruction, context.language)
    is_told = any(_tells(context, each) for each in before)
    if context.reading.has_steps:
        return reading.has_steps or reading.refers or is_told != _tells(context, part)
    return is_told and reading.refers and not _tells(context, part)


def _tells(context: TurnContext, part: Assignment) -> bool:
    """Return whether a part comes to words alone: an answer, or what its agent tells."""
    agent = context.assistant.registry.get(part.agent_id)
    return part.asks or (agent is not None and agent.card.only_tells)


def _commands(language: Language, parts: Sequence[Assignment]) -> list[Assignment]:
    """Return those of some parts that ask for something to be done."""
    return [part for part in parts if read_tags(part.instruction, language).begins_with_verb]


def _refused_once(
    first: Sequence[Dispatched], dispatched: Sequence[Dispatched]
) -> list[Dispatched]:
    """Return answers without the refusals of the first agents where a later one did it, or knows better why not."""
    begun = set(map(id, first))
    goes_on = any(id(entry) not in begun and not _is_unknown(entry) for entry in dispatched)

    def is_left_out(entry: Dispatched) -> bool:
        """Return whether another answer says more."""
        if id(entry) in begun:
            return goes_on and is_not_mine(entry.answer)
        return _is_unknown(entry)

    return [entry for entry in dispatched if not is_left_out(entry)]


def _is_unknown(dispatched: Dispatched) -> bool:
    """Return whether an agent only says that it did not understand what to do."""
    answer = dispatched.answer
    no_match = IntentResponseErrorCode.NO_INTENT_MATCH
    return is_not_mine(answer) and answer.error_code is no_match


def _is_unsure(context: TurnContext, finished: WorkflowResult) -> bool:
    """Return whether nobody could say that nothing is left."""
    confidence = finished.trace[-1].confidence
    threshold = context.assistant.options.router.confidence_threshold
    return finished.end is EndReason.UNDECIDED or (
        confidence is not None and confidence < threshold
    )


def _stopped(language: Language) -> Dispatched:
    """Return the answer that there may be more to do."""
    text = language.say("too_many_steps")
    return as_dispatched(NOBODY, AgentResult(success=False, content=text))


def _is_text_only(context: TurnContext, dispatched: Dispatched) -> bool:
    """Return whether an answer is nothing but text of an agent that calls nothing by itself."""
    agent = context.assistant.registry.get(dispatched.response.agent_id)
    return agent is not None and agent.card.only_tells and not dispatched.answer.results


def _confidence_of(decided: RoutingStep | None) -> float:
    """Return how sure a decision is; one without a number was meant."""
    return 1.0 if decided is None or decided.confidence is None else decided.confidence


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


def create_next_step_routers(context: TurnContext) -> tuple[NextStepRouter, ...]:
    """Return the routers of next steps, in the order in which they are asked.

    A model that is unsure or fails is followed by the one for escalation, and a trial has its own, as for the
    first choice.
    """
    assistant, options = context.assistant, context.assistant.options
    routers: list[NextStepRouter] = []
    if assistant.gatekeeper is not None:
        threshold = options.router.confidence_threshold
        routers.append(
            GatekeeperRouter(
                assistant.gatekeeper, confidence_threshold=threshold, action_of=summarise_output
            )
        )
    variant = variant_of(options.router, str(context.user_input.conversation_id))
    asked = [routing_model(assistant, variant), assistant.models.escalation]
    ports = [port_to(assistant, model, context.record.model) for model in asked]
    models = [port for port in ports if port is not None]
    routers += [
        LlmNextStep(
            model,
            max_iterations=options.workflow.max_iterations,
            temperature=options.workflow.temperature,
            confidence_threshold=options.router.confidence_threshold,
            max_attempts=options.router.max_attempts,
            timeout=options.routing_timeout,
            ground=_ground_of(context),
            has_next=model is not models[-1],
        )
        for model in models
    ]
    return tuple(routers)


def _ground_of(context: TurnContext) -> InstructionGrounding:
    """Return the names and numbers that an instruction may hold only if somebody else spoke of them."""
    language, catalog = context.language, context.catalog
    return InstructionGrounding(
        names=catalog.spoken_names,
        everywhere=language.everywhere | language.quantities,
        ignored=language.ignored.union(*language.vocabulary.values()),
        numbers=(language.numbers, language.amounts),
        untrusted_agents=frozenset(
            agent.card.id for agent in context.assistant.registry if agent.card.only_tells
        ),
    )
