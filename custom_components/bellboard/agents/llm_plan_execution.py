"""Execution of a capable model's plan: grounded, made into calls by the domains' tables, or asked about."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
import logging
from typing import Any

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State
from homeassistant.helpers import intent

from ..domains.models import Command, ToolCall
from ..domains.table import Domain
from ..home.catalog import CatalogEntity, is_exposed
from ..llm.errors import ModelError
from ..llm.models import Message
from ..memory.pending import SAID
from ..plans.models import AskUser, Plan
from .base import AgentRequest, AgentResult, states_of
from .device_planner import ModelPlan, ModelStep
from .fallback import read_draft
from .grounding import Ground, Grounding
from .hallucination_guard import claims_to_act
from .listed_items import is_due
from .misstated import true_states
from .offered_actions import within_range
from .plan_answers import (
    PlanError,
    async_ask,
    build_answer,
    build_confirmation,
    build_steps,
    final_refusal,
    refusal_answer,
)
from .said_colors import with_said_color
from .wording import describe_names, describe_states

_LOGGER = logging.getLogger(__name__)

_ASSUMED_GROUNDS = frozenset({Ground.ASSUMED, Ground.HABIT, Ground.DESCRIBED})
# Reasons that lie in what devices can do: a model may know of another way.
_OF_DEVICES = frozenset({"cannot", "no_effect"})
# For another plan to be asked for; so many things are told one by one in the reason why.
_LEAST_SECONDS, _MOST_TOLD = 2.0, 12
_AGAIN = (
    'Plan all of it once more: only what was meant, or "ask", or say in "refuse" why it cannot be.'
)

ASSUMED = "(assumed)"
"""Pseudo-rule id of a confirmation for values that a model assumed; no policy has this id."""

type CallMaker = Callable[[AgentRequest, Command, Sequence[State]], Awaitable[list[ToolCall]]]
"""Makes the calls of a chosen action of a domain on the states of its targets; raises `PlanError` for none."""


@dataclass(frozen=True, slots=True)
class _Grounded:
    """A step with its targets that may be meant, and why they are; `needs_yes` if it is beyond comfort.

    It is `by_habit` where a habit is why its player is meant, which counts as assumed.
    """

    step: ModelStep
    entities: tuple[CatalogEntity, ...]
    states: tuple[State, ...]
    is_assumed: bool = False
    by_habit: bool = False
    needs_yes: bool = False
    described: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Judged:
    """A model's plan with its steps that may be meant, the calls for them, and why the rest is not done.

    `error` is why a step cannot be done, `stopped` tells the model of all that was left out.
    """

    grounding: Grounding
    planned: ModelPlan
    grounded: Sequence[_Grounded]
    plan: Plan
    error: PlanError | None = None
    stopped: str = ""


async def async_answer_by_model(
    request: AgentRequest,
    agent_id: str,
    tables: Sequence[Domain],
    make_calls: CallMaker,
    *,
    instructions: str = "",
) -> AgentResult:
    """Let the request's model plan with the devices of some domains, and carry the plan out.

    `instructions` stand in its prompt beside the built-in ones.

    What the model assumed outside the place meant is refused; what it assumed beyond comfort is asked about
    before anything is done.

    Raises:
        ModelError: the model could not be asked, or did not answer as it was asked to.
    """
    grounding = Grounding(request)
    planned = await request.planner.async_plan(request, tables, instructions)
    judged = await _async_judged(grounding, agent_id, planned, make_calls)
    is_own = bool(planned.steps or planned.unable)
    if judged.stopped:
        judged = await _async_judged_again(judged, agent_id, tables, make_calls, instructions)
    planned, grounded, plan = judged.planned, judged.grounded, judged.plan
    refusal = judged.error.answer(request) if judged.error else None
    if not (planned.steps or planned.unable):
        answer = await _async_without_steps(request, agent_id, planned)
        return final_refusal(answer) if is_own else answer
    left_out = describe_names(request, _left_out(grounding, planned, grounded))
    elsewhere = request.language.say("plan.left_out", targets=left_out) if left_out else ""
    if not plan.calls:
        _LOGGER.debug("%s: nothing of the plan can be carried out: %s", agent_id, judged.stopped)
        key = "not_understood" if grounded else "nothing_at_all"
        refusal = refusal or refusal_answer(request, key)
        if elsewhere and judged.error is None:
            refusal = replace(refusal, content=elsewhere)
        return final_refusal(refusal)
    is_asked = _is_asked(grounding, grounded) or _reaches_others(grounding, plan, grounded)
    if is_asked:
        asked = build_confirmation(request, plan, (ASSUMED,))
        waiting = plan.model_copy(update={"steps": (asked,)})
        return await async_ask(request, waiting)
    answer = build_answer(request, await request.runner.async_run(plan))
    # What is not done of it is told beside what is.
    reason = _reason(request, planned.refuse) if planned.refuse else ""
    left = [text for text in (refusal.content if refusal else "", elsewhere, reason) if text]
    if not left:
        return answer
    return replace(
        answer,
        content=" ".join(filter(None, (answer.content, *left))),
        remarks=(*answer.remarks, *left),
    )


async def _async_judged(
    grounding: Grounding, agent_id: str, planned: ModelPlan, make_calls: CallMaker
) -> _Judged:
    """Return what of a model's plan can be carried out, and why the rest cannot."""
    grounded = tuple(found for step in planned.steps if (found := _ground(grounding, step)))
    plan, error = await _async_calls(grounding, agent_id, grounded, make_calls)
    request = grounding.request
    if planned.unable:
        unable = states_of(request.hass, planned.unable)
        error = error or PlanError("cannot", targets=describe_states(request, unable))
    outside = _left_out(grounding, planned, grounded)
    reasons = [f"not where it was said: {_listed(request, outside)}"] if outside else []
    if planned.steps and not (grounded or outside):
        reasons.append("that was not meant, or not in these words")
    if error and error.key in _OF_DEVICES and not plan.calls:
        reasons.append(error.answer(request).content.removesuffix("."))
    return _Judged(
        grounding, planned, grounded, plan, error, f"{'; '.join(reasons)}." if reasons else ""
    )


def _listed(request: AgentRequest, ids: Sequence[str]) -> str:
    """Return the names of some entities; of very many how many more there are."""
    names = [request.catalog.entities[each].name for each in ids]
    more = len(names) - _MOST_TOLD
    return ", ".join([*names[:_MOST_TOLD], *([f"{more} more"] if more > 0 else [])])


async def _async_judged_again(
    judged: _Judged,
    agent_id: str,
    tables: Sequence[Domain],
    make_calls: CallMaker,
    instructions: str,
) -> _Judged:
    """Ask once more for a plan of which something is not carried out, and return the better of both.

    Without time for it, or where the model gives none, that is the first.
    """
    request = judged.grounding.request
    deadline, now = request.runner.deadline, asyncio.get_running_loop().time()
    seconds = min(request.timeout, deadline - now) if deadline else request.timeout
    if seconds < _LEAST_SECONDS:
        return judged
    before = (
        Message(role="assistant", content=judged.planned.written),
        Message(role="user", content=f"Not done: {judged.stopped} {_AGAIN}"),
    )
    try:
        planned = await request.planner.async_plan(
            replace(request, timeout=seconds), tables, instructions, before=before
        )
    except ModelError:
        return judged
    second = await _async_judged(judged.grounding, agent_id, planned, make_calls)
    is_better = second.plan.calls or not judged.plan.calls
    return second if is_better else judged


def _is_asked(grounding: Grounding, grounded: Sequence[_Grounded]) -> bool:
    """Return whether a yes is needed before a plan is carried out."""
    described = {target for each in grounded for target in each.described}
    return any(each.needs_yes for each in grounded) or len(described) > grounding.most_described


def _ground(grounding: Grounding, step: ModelStep) -> _Grounded | None:
    """Return a step with those of its targets that can be meant, None where none can.

    Nor is one of use with words of the model's own where the person's are wanted.
    """
    if any(
        row.is_verbatim and not grounding.is_verbatim(str(step.parameters.get(row.name)))
        for row in step.action.parameters
    ):
        return None
    request, known = grounding.request, grounding.request.catalog.entities
    if _ticks_off_due(grounding, step):
        return None
    entities = [
        entity
        for target in step.targets
        if (entity := known.get(target))
        and is_exposed(request.hass, target)
        and request.rights.may_read(target)
        and not grounding.is_outside(entity)
    ]
    states = states_of(request.hass, [entity.entity_id for entity in entities])
    there = {state.entity_id for state in states}
    entities = [entity for entity in entities if entity.entity_id in there]
    if not entities:
        return None
    reasons = {
        entity.entity_id: Ground.DERIVED
        if _is_only_one_able(grounding, step, entity)
        else grounding.of_target(entity)
        for entity in entities
    }
    grounds = set(reasons.values())
    described = [each for each in entities if reasons[each.entity_id] is Ground.DESCRIBED]
    if Ground.HABIT in grounds and not step.action.takes_usual:
        # Where music is usually heard says nothing of where anything else is done.
        grounds = grounds - {Ground.HABIT} | {Ground.ASSUMED}
    return _Grounded(
        step,
        tuple(entities),
        tuple(states),
        is_assumed=not _ASSUMED_GROUNDS.isdisjoint(grounds) or grounding.assumes(step.parameters),
        by_habit=Ground.HABIT in grounds,
        needs_yes=Ground.ASSUMED in grounds
        or grounding.needs_name(described)
        or grounding.is_beyond_comfort(step.action, step.parameters, entities, states),
        described=tuple(each.entity_id for each in described),
    )


def _ticks_off_due(grounding: Grounding, step: ModelStep) -> bool:
    """Return whether a step ticks off what was said to be still due."""
    is_tick = step.action.name == "complete" and any(t.startswith("todo.") for t in step.targets)
    item = str(step.parameters.get("item", ""))
    return is_tick and is_due(grounding.request, grounding.spoken, item)


def _is_only_one_able(grounding: Grounding, step: ModelStep, entity: CatalogEntity) -> bool:
    """Return whether an entity without a room is the only one that can do a step: the calendar to write."""
    if entity.area_id or not step.action.capability:
        return False
    request = grounding.request
    every = request.catalog.by_domain.get(entity.domain, ())
    states = states_of(request.hass, [each.entity_id for each in every])
    is_alone = len(step.action.capable_states(states)) == 1
    return is_alone and grounding.of_target(entity) is Ground.ASSUMED and not grounding.names_any


async def _async_calls(
    grounding: Grounding, agent_id: str, grounded: Sequence[_Grounded], make_calls: CallMaker
) -> tuple[Plan, PlanError | None]:
    """Return the plan of all steps that can be done, and why the first other one cannot, if there is one."""
    request = grounding.request
    calls: list[ToolCall] = []
    actions: list[Command] = []
    error: PlanError | None = None
    awake: set[str] = set()
    for each in grounded:
        chosen = Command(each.step.action.name, _reachable(grounding, each))
        states = [_awake(state) if state.entity_id in awake else state for state in each.states]
        try:
            made = await make_calls(request, chosen, states)
        except PlanError as err:
            error = error or err
            continue
        made += _unable(made, each)
        said_by = {"assumed": each.is_assumed, "habit": "player" if each.by_habit else ""}
        calls += [with_said_color(request, call.model_copy(update=said_by)) for call in made]
        awake |= {target for call in made if _turns_on(call) for target in call.targets}
        targets = tuple(entity.entity_id for entity in each.entities)
        actions.append(replace(chosen, targets=targets))
    names = "+".join(dict.fromkeys(each.step.action.name for each in grounded))
    steps = build_steps(request, calls)
    return Plan(intent_id=names, agent_id=agent_id, steps=steps, actions=tuple(actions)), error


def _reaches_others(grounding: Grounding, plan: Plan, grounded: Sequence[_Grounded]) -> bool:
    """Return whether a call reaches what its step does not name, and nobody spoke of: music that is taken from a room.

    What is where the speaker is may be meant without a word.
    """
    if not any(each.step.action.sees_others for each in grounded):
        return False
    request = grounding.request
    named = {entity.entity_id for each in grounded for entity in each.entities}
    reached = {target for call in plan.calls for target in (*call.targets, *_named_in(call))}
    others = (request.catalog.entities.get(target) for target in reached - named)
    return any(
        other.area_id != request.area_id and grounding.is_outside(other)
        for other in others
        if other
    )


def _named_in(call: ToolCall) -> list[str]:
    """Return the entity ids in a call's data: the players of a group, the one that music is taken from."""
    values = [*call.data.values()]
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    return [text for text in texts if isinstance(text, str) and "." in text]


def _left_out(grounding: Grounding, planned: ModelPlan, grounded: Sequence[_Grounded]) -> list[str]:
    """Return the entity ids that a plan is for and that were left out, though nobody excepted them."""
    known = grounding.request.catalog.entities
    taken = {entity.entity_id for each in grounded for entity in each.entities}
    wanted = dict.fromkeys(target for step in planned.steps for target in step.targets)
    return [
        target
        for target in wanted
        if target not in taken
        and (entity := known.get(target))
        and grounding.request.rights.may_read(target)
        and not grounding.request.spoken_bounds.excepts(entity)
    ]


def _turns_on(call: ToolCall) -> bool:
    """Return whether what a call is for is on after it."""
    return call.action.rpartition(".")[2] in {"turn_on", "play_media", "media_play"}


def _awake(state: State) -> State:
    """Return a state as it is once the entity has been turned on by an earlier step of the plan."""
    return State(state.entity_id, STATE_ON, state.attributes) if state.state == STATE_OFF else state


def _unable(made: Sequence[ToolCall], grounded: _Grounded) -> list[ToolCall]:
    """Return a call for the targets of a step that cannot do it, so that they are reported."""
    reached = {target for call in made for target in call.targets}
    # Who joins a group, and where what plays goes on, stands in the values of a call.
    reached |= {str(each) for call in made for each in call.data.get("group_members", ())}
    left = tuple(e.entity_id for e in grounded.entities if e.entity_id not in reached)
    return [made[0].model_copy(update={"targets": left})] if made and left else []


def _reachable(grounding: Grounding, grounded: _Grounded) -> dict[str, Any]:
    """Return a step's values; one that nobody said ("the coldest") is as far as its own targets go."""
    step = grounded.step
    rows = {parameter.name: parameter for parameter in step.action.parameters}
    return {
        name: value
        if grounding.of_value(value) is Ground.SAID
        else within_range(rows[name], value, grounded.states)
        for name, value in step.parameters.items()
    }


async def _async_without_steps(
    request: AgentRequest, agent_id: str, planned: ModelPlan
) -> AgentResult:
    """Return the question that a model asks, or the reason why it does nothing."""
    if prompt := read_draft(planned.ask, request.language):
        question = AskUser(param="value", prompt=prompt, data={SAID: request.instruction})
        plan = Plan(intent_id=f"{agent_id}/ask", agent_id=agent_id, steps=(question,))
        return await async_ask(request, plan)
    codes = intent.IntentResponseErrorCode
    return AgentResult(
        success=False,
        content=_reason(request, planned.refuse),
        error_code=codes.NO_VALID_TARGETS if planned.refuse else codes.NO_INTENT_MATCH,
    )


def _reason(request: AgentRequest, reason: str) -> str:
    """Return a model's reason as it may be spoken: never a claim that anything was done."""
    if not reason or claims_to_act(request, reason):
        return request.language.say("plan.not_understood")
    if told := true_states(request, reason):
        return told
    return reason if reason[-1:] in ".!?" else f"{reason}."
