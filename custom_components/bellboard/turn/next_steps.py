"""What comes after the first agents: whether something is left to be done, and who goes on.

The orchestrator's part of V2 routing: it lets agents work, asks who is next, and ends what does not
end by itself. Agents are told their instruction and their data, and nothing of all this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from homeassistant.helpers.intent import IntentResponseErrorCode

from ..agents.base import Answer
from ..agents.dispatch import Dispatched
from ..agents.models import AgentCard, AgentResponse
from ..assistant import UNROUTED_AGENTS
from ..const import FALLBACK_AGENT_ID
from ..nlu.loader import Language
from ..routing.choice import eligible
from ..routing.models import Assignment, Source
from ..workflow.models import RoutingStep, TaskEnvelopeV2
from ..workflow.router import NextStepRouter
from ..workflow.run import End, Finished, Work, Workflow
from .agent_output import action_of, output_of, task_of
from .context import Turn
from .decision import async_eligible_cards, async_understand
from .next_step_routers import TALKERS, next_step_routers

# Who was chosen by what only guesses, and not by what reads the whole sentence.
_GUESSED = frozenset(
    {Source.MODEL, Source.ESCALATION, Source.GATEKEEPER, Source.VOCABULARY, Source.DEFAULT}
)
# Why an agent could do nothing that another one may be able to do.
_NOT_MINE = frozenset(
    {IntentResponseErrorCode.NO_INTENT_MATCH, IntentResponseErrorCode.NO_VALID_TARGETS}
)


@dataclass(slots=True)
class Forwarding:
    """The agents of one turn, one after the other.

    `dispatched` is what they answered, in order. What only was said for the next agent is not in it.
    """

    turn: Turn
    routers: Sequence[NextStepRouter]
    cards: Sequence[AgentCard]
    dispatched: list[Dispatched] = field(default_factory=list)
    about: tuple[str, ...] = ()
    has_forwarded: bool = False

    async def async_begin(self, task: TaskEnvelopeV2) -> Finished:
        """Let a task's agent work, and all that come after it."""
        return self._noted(await self._workflow.async_begin(task))

    async def async_go_on(self, parts: Sequence[Assignment], first: list[Dispatched]) -> Finished:
        """Go on from what the agents of a first choice answered."""
        works = [self._kept(entry) for entry in first]
        task = task_of(self.turn, parts, works)
        self.turn.runner.once = True
        finished = self._noted(await self._workflow.async_go_on(task, works[-1]))
        if any(entry.answer.success for entry in self.dispatched[len(first) :]):
            # Somebody else could do it.
            lost = [entry for entry in first if _is_not_mine(entry.answer)]
            self.dispatched = [entry for entry in self.dispatched if entry not in lost]
        return finished

    @property
    def _workflow(self) -> Workflow:
        """Return the workflow that this turn's agents work in."""
        return Workflow(
            routers=self.routers,
            agents=self.cards,
            run=self._async_work,
            max_iterations=self.turn.assistant.options.workflow.max_iterations,
        )

    async def _async_work(self, task: TaskEnvelopeV2) -> Work:
        """Let one agent work on a task."""
        self.has_forwarded = True
        part = await self._async_part(task)
        runner = self.turn.runner
        runner.repeated, made = 0, runner.made
        (dispatched,) = await self.turn.async_dispatch_all([part])
        runner.once = True
        if runner.repeated and runner.made == made:
            return replace(self._work(dispatched), is_repeated=True)
        self._forget_words()
        return self._kept(dispatched)

    async def _async_part(self, task: TaskEnvelopeV2) -> Assignment:
        """Return what an agent is told: what its instruction means, where that is plain."""
        instruction = task.instruction or ""
        route = await async_understand(
            self.turn.assistant, replace(self.turn.user_input, text=instruction)
        )
        understood = route.assignments[0]
        if understood.decline or understood.is_settled:
            return understood
        decided = (task.routing_trace or (None,))[-1]
        part = Assignment(
            agent_id=task.agent_id,
            instruction=instruction,
            confidence=_confidence_of(decided),
            source=Source.FORWARDED,
            reason=(decided and decided.reasoning) or "",
            data=task.input,
            about=self.about,
        )
        is_whole = len(route.assignments) == 1 and understood.agent_id == task.agent_id
        return replace(part, intent=understood.intent) if is_whole else part

    def _kept(self, dispatched: Dispatched) -> Work:
        """Return what an agent made, and keep its answer."""
        self.dispatched.append(dispatched)
        targets = [t for result in dispatched.answer.results for t in result.call.targets]
        self.about = tuple(dict.fromkeys(targets)) or self.about
        return self._work(dispatched)

    def _work(self, dispatched: Dispatched) -> Work:
        """Return what an agent made, for whoever decides and for whoever goes on."""
        answer = dispatched.answer
        output = output_of(self.turn, answer)
        return Work(output=output, action=action_of(output), waits=answer.question is not None)

    def _forget_words(self) -> None:
        """Do not say what an agent said that only talks: it was for the agent after it."""
        if self.dispatched and _only_talks(self.turn, self.dispatched[-1]):
            self.dispatched.pop()

    def _noted(self, finished: Finished) -> Finished:
        """Keep how it was decided in the turn's trace."""
        self.turn.trace.routing += [step.as_json() for step in finished.trace]
        if finished.end is End.LIMIT:
            self.dispatched.append(_stopped(self.turn))
        return finished


async def async_take_parts(turn: Turn, parts: Sequence[Assignment]) -> list[Dispatched]:
    """Let the agents of a first choice answer, and those who go on after them.

    Where the words say that one step depends on another, those that do wait: whoever decides about
    the next step says what becomes of them. What is a command is never left out.
    """
    may_be_left = _may_be_left(turn, parts)
    has_steps = may_be_left and turn.language.has_steps(turn.user_input.text)
    waiting = [part for part in parts[1:] if has_steps and _depends(turn.language, part)]
    taken = [part for part in parts if part not in waiting]
    first = await turn.async_dispatch_all(taken)
    if not may_be_left or not _is_left(taken, first, has_steps=has_steps):
        return [*first, *await turn.async_dispatch_all(_commands(turn.language, waiting))]
    cards = await async_eligible_cards(turn.assistant, turn.user_input)
    # A question goes to nobody who would act on it, at whatever step.
    cards = eligible(turn.language, cards, [turn.user_input.text])
    forwarding = Forwarding(turn, next_step_routers(turn), cards)
    finished = await forwarding.async_go_on(taken, first)
    if forwarding.has_forwarded:
        return forwarding.dispatched
    turn.runner.once = False
    # Nobody knows better than the first choice did, or what was asked for is still to be done.
    left = waiting if _is_unsure(turn, finished) else _commands(turn.language, waiting)
    return [*forwarding.dispatched, *await turn.async_dispatch_all(left)]


async def async_run_task(turn: Turn, task: TaskEnvelopeV2) -> tuple[list[Dispatched], Finished]:
    """Let the agent of a task answer, and those who go on after it."""
    cards = await async_eligible_cards(turn.assistant, turn.user_input)
    forwarding = Forwarding(turn, next_step_routers(turn), cards)
    finished = await forwarding.async_begin(task)
    return forwarding.dispatched, finished


def _may_be_left(turn: Turn, parts: Sequence[Assignment]) -> bool:
    """Return whether something can be left after the first choice at all.

    What was read from its first to its last word is done with; what is declined stays declined.
    """
    assistant = turn.assistant
    return (
        assistant.options.workflow.frequency == "after_each"
        and (assistant.gatekeeper is not None or assistant.models.routing is not None)
        and any(part.source in _GUESSED for part in parts)
        and not any(part.decline or part.agent_id in UNROUTED_AGENTS for part in parts)
    )


def _is_left(
    parts: Sequence[Assignment], dispatched: Sequence[Dispatched], *, has_steps: bool
) -> bool:
    """Return whether something may be left: a step, or what its agent could not do."""
    if any(entry.answer.question for entry in dispatched):
        return False
    return has_steps or any(
        part.source in _GUESSED and _is_not_mine(entry.answer)
        for part, entry in zip(parts, dispatched, strict=True)
    )


def _depends(language: Language, part: Assignment) -> bool:
    """Return whether a part may depend on what comes of another: it does not name what it is about.

    What was read from its first to its last word depends on nothing.
    """
    if part.source not in _GUESSED:
        return False
    return language.has_steps(part.instruction) or language.references.refers(part.instruction)


def _commands(language: Language, parts: Sequence[Assignment]) -> list[Assignment]:
    """Return those of some parts that ask for something to be done."""
    return [part for part in parts if language.begins_with_verb(part.instruction)]


def _is_not_mine(answer: Answer) -> bool:
    """Return whether an agent did nothing because nothing in it was for that agent."""
    return not answer.success and not answer.results and answer.error_code in _NOT_MINE


def _is_unsure(turn: Turn, finished: Finished) -> bool:
    """Return whether nobody could say that nothing is left."""
    confidence = finished.trace[-1].confidence
    threshold = turn.assistant.options.router.confidence_threshold
    return finished.end is End.UNDECIDED or (confidence is not None and confidence < threshold)


def _stopped(turn: Turn) -> Dispatched:
    """Return what tells that there may be more to do."""
    text = turn.language.say("too_many_steps")
    response = AgentResponse(agent_id=FALLBACK_AGENT_ID, success=False, error_message=text)
    return Dispatched(Answer(success=False, content=text), response)


def _only_talks(turn: Turn, dispatched: Dispatched) -> bool:
    """Return whether an answer is nothing but words of an agent that does nothing in the home."""
    agent = turn.assistant.registry.get(dispatched.response.agent_id)
    return isinstance(agent, TALKERS) and not dispatched.answer.results


def _confidence_of(decided: RoutingStep | None) -> float:
    """Return how sure a decision is; one without a number was meant."""
    return 1.0 if decided is None or decided.confidence is None else decided.confidence
