"""Stages plan_created to tool_execute: agents are told their parts, and what they answered is noted."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from homeassistant.helpers import intent

from ..agents.base import Agent, AgentResult
from ..agents.dispatch import ActionAgent, Dispatched, async_dispatch, async_do
from ..agents.plan_answers import aggregate
from ..assistant import UNROUTED_AGENTS, Assistant
from ..home.catalog import CatalogEntity
from ..memory.models import TaskState
from ..memory.turns import remember_response
from ..nlu.bounds import read_bounds
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.recognition import is_delayed
from ..plans.execution import AffectedEntities, PlaceInOrder, PlanOrder, are_apart
from ..plans.policy_check import UNKNOWABLE, reach_of_entities
from ..plans.runner import Tally
from ..routing.models import Assignment, Source
from ..routing.router import declined
from ..telemetry.otel import record_run
from .borne_out import async_bear_out
from .context import TurnContext
from .decision import async_decide, async_if_eligible, is_barred
from .delayed import async_plan_later
from .put_back import async_end_later
from .record import TurnRecord

_NOTHING: AffectedEntities = frozenset()
# How an agent fails where another one may succeed.
_NOT_MINE = frozenset(
    {
        intent.IntentResponseErrorCode.NO_INTENT_MATCH,
        intent.IntentResponseErrorCode.NO_VALID_TARGETS,
    }
)
# Replies that say that nothing was done, and what is said instead of a part beside others.
_NOTHING_DONE = {
    **{key: f"{key}_part" for key in ("decline.later", "decline.past", "decline.condition")},
    "delayed.unclear": "decline.later_part",
}


GUESSES = frozenset(
    {Source.MODEL, Source.ESCALATION, Source.GATEKEEPER, Source.VOCABULARY, Source.DEFAULT}
)
"""Sources that guess who is meant, and do not read the whole sentence."""


async def async_parallel_groups(
    context: TurnContext, parts: Sequence[Assignment]
) -> AsyncIterator[Sequence[Assignment]]:
    """Yield the parts of a sentence in their order, those together that can be worked on at the same time.

    None is taken before what was said before it where the two may touch the same, where the words say that a step
    depends on another, or where only an answer is wanted, which what is done before it would change.
    """
    is_in_turn = context.reading.has_steps
    group: list[Assignment] = []
    reached: list[AffectedEntities] = []
    for part in parts:
        # Each may reach thousands of entities.
        await asyncio.sleep(0)
        reach = reach_of(context, part)
        if group and (is_in_turn or not all(are_apart(reach, other) for other in reached)):
            yield group
            group, reached = [], []
        group.append(part)
        reached.append(reach)
    if group:
        yield group


def reach_of(context: TurnContext, part: Assignment) -> AffectedEntities:
    """Return the entity ids that the agent of a part may touch, as far as that is known without a plan."""
    assistant, agent = context.assistant, context.assistant.registry.get(part.agent_id)
    if part.decline or part.has_reply or _only_answers(context, part.agent_id):
        return _NOTHING
    if part.asks:
        return None
    if part.intent:
        # Timers and lists have no targets: whoever else works does not touch them.
        return reach_of_entities(assistant.hass, part.intent.targets)
    if specialist := assistant.specialists.get(part.agent_id):
        return _of_domains(context, part, [specialist.domain])
    if agent and agent.card.reaches_all:
        own = {each.domain for each in assistant.specialists.values()}
        return _of_domains(
            context, part, [d for d in context.catalog.by_domain if d not in {*own, *UNKNOWABLE}]
        )
    return None


def _of_domains(context: TurnContext, part: Assignment, domains: Iterable[str]) -> AffectedEntities:
    """Return what an agent of some domains may touch: what is named of them, in the places that are."""
    bounds = read_bounds(part.instruction, context.house)
    found: list[CatalogEntity] = [
        entity for domain in domains for entity in context.catalog.by_domain.get(domain, ())
    ]
    if bounds.places and not bounds.is_everywhere:
        near = {bounds.near(context.catalog, context.area_id)} if bounds.is_here else set()
        places = {*bounds.places, *near} - {None}
        found = [
            entity
            for entity in found
            if entity.entity_id in bounds.named
            or not places.isdisjoint({entity.area_id, entity.floor_id})
        ]
    return reach_of_entities(context.assistant.hass, (entity.entity_id for entity in found))


async def async_dispatch_parts(
    context: TurnContext, parts: Sequence[Assignment]
) -> list[Dispatched]:
    """Let the agents of all parts answer: those for different things at once, where wanted, else in order.

    The answers and the record of them are in order in any case.
    """
    # What one was given already, nobody hands to it a second time; whoever talks looks up what a part depends on.
    at_work = {part.agent_id for part in parts if not _talks(context, part.agent_id)}
    context = replace(context, at_work_too=context.at_work_too | at_work)
    if len(parts) > 1:
        # Of several answers one is made before any of it is said.
        context = replace(context, voice=None)
    is_parallel = context.assistant.options.dispatch.parallel and len(parts) > 1
    groups = async_parallel_groups(context, parts) if is_parallel else _async_in_order(parts)
    answered: list[Dispatched] = []
    working: list[str] = []
    left: list[str] = []
    open_parts = len(parts)
    shared = {text for text, count in Counter(p.instruction for p in parts).items() if count > 1}

    async def async_answer(context: TurnContext, part: Assignment) -> Dispatched:
        """Let one agent answer, and store what it did while others are still to answer."""
        nonlocal open_parts
        # Of what several are told, nothing is done twice.
        is_shared = part.instruction in shared
        with context.runner.without_repeats() if is_shared else nullcontext(Tally()) as tally:
            dispatched = await _async_dispatch(context, part)
        if tally.only_repeats and not dispatched.answer.question:
            dispatched = _unsaid(dispatched)
        open_parts -= 1
        working.remove(part.agent_id)
        context.record.works(working, left)
        if open_parts:
            await async_store_response(context, dispatched)
        return dispatched

    async for group in groups:
        working = [part.agent_id for part in group]
        left = [part.agent_id for part in parts[len(answered) + len(group) :]]
        context.record.works(working, left)
        together = await _async_dispatch_at_once(context, group, async_answer)
        answered += [
            note_part(context, part, dispatched)
            for part, dispatched in zip(group, together, strict=True)
        ]
    return _name_parts(context.language, parts, _without_idle(parts, answered, shared))


async def async_dispatch_after(
    context: TurnContext, done: Sequence[Dispatched], parts: Sequence[Assignment]
) -> tuple[Dispatched, ...]:
    """Let the agents of parts answer after what was done, which is stored before; return all of it."""
    if done and parts:
        await async_store_response(context, done[-1])
    return (*done, *await async_dispatch_parts(context, parts))


async def async_store_response(context: TurnContext, dispatched: Dispatched) -> None:
    """Store the task with what one of several agents did, or one that another had do it: a crash loses none of it."""
    tasks = context.assistant.tasks
    task = tasks.get(context.conversation_id, caller=context.caller)
    if task and task.state is TaskState.WORKING:
        remember_response(task, dispatched.response)
        task.keep_artifacts(context.record.artifacts())
        await tasks.async_save_working(task)


async def _async_in_order(parts: Sequence[Assignment]) -> AsyncIterator[Sequence[Assignment]]:
    """Yield each part by itself."""
    for part in parts:
        yield (part,)


async def _async_dispatch_at_once(
    context: TurnContext,
    parts: Sequence[Assignment],
    async_answer: Callable[[TurnContext, Assignment], Awaitable[Dispatched]],
) -> list[Dispatched]:
    """Run the agents of parts concurrently; calls on shared entities keep the order of the sentence."""
    if len(parts) == 1:
        return [await async_answer(context, parts[0])]
    order = PlanOrder()

    async def in_place(part: Assignment, place: PlaceInOrder) -> Dispatched:
        """Let one agent work, and then those that wait for it."""
        try:
            runner = replace(context.runner, place=place)
            return await async_answer(replace(context, runner=runner), part)
        finally:
            await place.async_done()

    return await asyncio.gather(*(in_place(part, order.place()) for part in parts))


def note_part(context: TurnContext, part: Assignment, dispatched: Dispatched) -> Dispatched:
    """Record the answer to a part, and return it."""
    note_answer(
        context.assistant,
        context.record,
        dispatched,
        confidence=part.confidence,
        source=part.source,
    )
    return dispatched


def note_answer(
    assistant: Assistant,
    record: TurnRecord,
    dispatched: Dispatched,
    *,
    confidence: float,
    source: Source,
) -> None:
    """Note an agent's answer in the trace, in the agent's track record and, where wanted, the metrics."""
    response = dispatched.response
    is_measured = assistant.options.dispatch.enable_telemetry
    assistant.record.note(response.agent_id, success=response.success)
    if is_measured:
        record_run(response.agent_id, response.execution_time_ms, success=response.success)
    record.answered(
        response,
        confidence=confidence,
        source=source,
        is_measured=is_measured,
        model=dispatched.model,
    )


async def _async_dispatch(context: TurnContext, part: Assignment) -> Dispatched:
    """Let the agent of one part answer it, and note the part's intent."""
    noted, context = context.at_work(part)
    dispatched = await _async_answer(context, part)
    if part.schedule:
        dispatched = await async_end_later(context, part, part.schedule, dispatched)
    return noted.answered(dispatched)


async def _async_answer(context: TurnContext, part: Assignment) -> Dispatched:
    """Return the answer of one part's agent, or of the one that takes over what it does not understand."""
    registry, options = context.assistant.registry, context.assistant.options.dispatch
    if is_delayed(part.intent):
        return await async_plan_later(context, part)
    if _is_given_up(context, part):
        part = declined(
            part.instruction, part.decline or "again.given_up", "It was asked often enough."
        )
    acted: list[Dispatched] = []
    act, other = partial(_async_act, context, part, acted), _other_of_rest(context, part)
    agent = registry.agent_for(part.agent_id)
    request = replace(context.request_for(part), act=act, may_pass_on=bool(other))
    if part.known and isinstance(agent, ActionAgent):
        return await async_do(agent, request, part.known, part.known[0].targets, options)
    dispatched = await async_dispatch(agent, request, options)
    if waiting := next((each for each in acted if each.answer.question), None):
        # The next words are for whoever asks.
        return replace(waiting, answer=replace(waiting.answer, content=dispatched.answer.content))
    if not (other and _is_taken_over(context, part, registry.agent_for(other), dispatched.answer)):
        return dispatched
    # It goes on once: whoever takes it over can only do it or refuse.
    taken = replace(part, agent_id=other, intent=None)
    taken = await async_if_eligible(context.assistant, context.user_input, taken)
    act = partial(_async_act, context, taken, acted)
    request = replace(context.request_for(taken), act=act)
    return await async_dispatch(registry.agent_for(taken.agent_id), request, options)


async def _async_act(
    context: TurnContext, part: Assignment, acted: list[Dispatched], instruction: str
) -> AgentResult:
    """Have an instruction that a model wrote carried out, by other agents than that of its own part.

    What it names and nobody spoke of is asked about. `acted` gets the answers.
    """
    assistant = context.assistant
    said = replace(context.user_input, text=instruction)
    decision = await async_decide(assistant, said, use=context.part_use)
    chosen = [
        replace(each, spoken=context.text)
        for each in decision.route.assignments
        if not _only_answers(context, each.agent_id)
        and not (each.agent_id == part.agent_id and each.intent is None)
        and not each.asks
    ]
    parts = await async_bear_out(context, chosen, instruction, is_later=bool(part.later))
    if not parts:
        return AgentResult(success=False, content=context.language.say("plan.not_understood"))
    # Whoever has it done is not handed it again.
    above = context.at_work_too | {part.agent_id}
    found = await async_dispatch_parts(replace(context, voice=None, at_work_too=above), parts)
    await async_store_response(context, found[-1])
    acted += found
    answers = [each.answer for each in found]
    question = next((each.question for each in answers if each.question), None)
    return AgentResult(
        success=any(each.success for each in answers),
        content=aggregate(context.language, answers, assistant.options.aggregation),
        results=tuple(result for each in answers for result in each.results),
        plan=answers[-1].plan,
        question=question,
    )


def _only_answers(context: TurnContext, agent_id: str) -> bool:
    """Return whether an agent talks, or answers where nobody was chosen: it does nothing to the home by itself."""
    return agent_id in UNROUTED_AGENTS or _talks(context, agent_id)


def _talks(context: TurnContext, agent_id: str) -> bool:
    """Return whether an agent talks, and looks things up with tools."""
    return context.assistant.registry.agent_for(agent_id).card.talks


def _is_given_up(context: TurnContext, part: Assignment) -> bool:
    """Return whether it was asked often enough already what is meant."""
    is_asked = part.is_clarification or part.source is Source.FALLBACK
    return is_asked and context.asked >= context.assistant.options.memory.max_clarifications


def _is_taken_over(
    context: TurnContext, part: Assignment, other: Agent, answer: AgentResult
) -> bool:
    """Return whether another agent takes over what a model gave to one that does not understand it.

    A command stays refused where the other only talks: it could not carry it out.
    """
    return (
        answer.is_unmatched
        and part.source in GUESSES - {Source.VOCABULARY, Source.DEFAULT}
        and not (
            other.card.talks and read_tags(part.instruction, context.language).begins_with_verb
        )
    )


def _other_of_rest(context: TurnContext, part: Assignment) -> str:
    """Return the id of the other agent of the rest, for a part of one of these; "" where it may not be asked.

    What one was given already, nobody hands to it a second time.
    """
    assistant, said = context.assistant, context.user_input
    if not assistant.registry.agent_for(part.agent_id).card.takes_the_rest:
        return ""
    rest = (agent.card.id for agent in assistant.registry if agent.card.takes_the_rest)
    return next(
        (
            each
            for each in rest
            if each not in {part.agent_id, *context.at_work_too}
            and not is_barred(assistant, said, each)
        ),
        "",
    )


def _without_idle(
    parts: Sequence[Assignment], answered: Sequence[Dispatched], shared: Collection[str]
) -> list[Dispatched]:
    """Return answers in which an agent says nothing that had nothing to do in what others were told, too, and did."""
    done = {p.instruction for p, entry in zip(parts, answered, strict=True) if entry.answer.success}
    return [
        _unsaid(entry)
        if part.instruction in done.intersection(shared) and is_not_mine(entry.answer)
        else entry
        for part, entry in zip(parts, answered, strict=True)
    ]


def _unsaid(entry: Dispatched) -> Dispatched:
    """Return an answer without words: what it is about is another's, which did it."""
    return replace(entry, answer=AgentResult(success=True, content=""))


def is_not_mine(answer: AgentResult) -> bool:
    """Return whether an agent did nothing because nothing in it was for that agent."""
    return not answer.success and not answer.results and answer.error_code in _NOT_MINE


def _name_parts(
    language: Language, parts: Sequence[Assignment], dispatched: Sequence[Dispatched]
) -> list[Dispatched]:
    """Return answers that name the parts of a sentence that were not understood, or were declined beside others."""
    if len(parts) < 2:
        return list(dispatched)
    is_done = any(_does_something(entry.answer) for entry in dispatched)
    found: list[Dispatched] = []
    for part, entry in zip(parts, dispatched, strict=True):
        answer, named = entry.answer, part.instruction.strip(" .,;!?")
        if _is_not_understood(answer):
            words = language.say("plan.not_understood_part", part=named)
        elif is_done and not answer.results and (key := _NOTHING_DONE.get(answer.declined)):
            words = language.say(key, part=named)
        else:
            words = answer.content
        found.append(replace(entry, answer=replace(answer, content=words)))
    return found


def _does_something(answer: AgentResult) -> bool:
    """Return whether an answer tells that something was done, planned or answered."""
    return answer.did_something and bool(answer.content)


def _is_not_understood(answer: AgentResult) -> bool:
    """Return whether an answer says that it was not understood what to do."""
    return answer.is_unmatched and not answer.fragments


def may_have_next_steps(context: TurnContext, parts: Sequence[Assignment]) -> bool:
    """Return whether something can be left after the first choice at all.

    What was read from its first to its last word is done with; what is declined stays declined.
    """
    assistant = context.assistant
    frequency = assistant.options.workflow.frequency
    has_router = assistant.gatekeeper is not None or assistant.models.routing is not None
    is_declined = any(part.decline or part.agent_id in UNROUTED_AGENTS for part in parts)
    if frequency == "once" or not has_router or is_declined:
        return False
    return frequency == "after_each" or any(part.source in GUESSES for part in parts)
