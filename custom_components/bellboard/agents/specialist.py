"""A specialist for one kind of device: an instruction becomes a plan, the plan is carried out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from homeassistant.core import State
from homeassistant.helpers import intent

from ..domains.actions import (
    ActionError,
    ActionInput,
    IsOffError,
    OtherModeError,
    OutOfRangeError,
    ParameterKind,
)
from ..domains.models import ToolCall
from ..domains.registry import read_parameters
from ..domains.table import Domain
from ..home.catalog import CatalogEntity, is_exposed
from ..llm.models import Message
from ..nlu.targets import Reach, Scope, find_scope
from ..plans.models import AskUser, Candidate, Plan, PlannedAction, RecognizedIntent, Respond
from ..plans.planner import Chosen, async_ask_for_plan, prompt_messages
from .asking import which
from .base import AgentRequest, Answer
from .models import AgentCard
from .offers import offers, prompt_of
from .steps import intent_id_of, narrow, planned, spoken_of, states_of
from .telling import answer_of, asking, refused, steps_of
from .unknown_names import is_only_a_place, names_unknown
from .wording import SpokenValues, climate_mode, describe_targets

# More names than these are not offered to a model.
_MAX_NAMED_TARGETS = 24
_MAX_ACTIONS = 4
SWITCHING = frozenset({"turn_on", "turn_off"})
"""With these the verb may say what a thing must be able to do ("heat the office")."""

# What the actions are called that only tell something.
_TELLING = "tell_"
# How targets are found where an instruction names none of them.
_UNNAMED = {Reach.SPEAKER_AREA, Reach.PLAYING, Reach.ONLY, Reach.OPEN}


class PlanError(Exception):
    """An instruction cannot become a plan; `key` and `values` are the reply that says why.

    Where it `is_final`, nobody else can do it either.
    """

    def __init__(self, key: str, *, is_final: bool = False, **values: str) -> None:
        """Keep the reply's key and values."""
        super().__init__(key)
        self.key = key
        self.values = values
        self.is_final = is_final

    def answer(self, request: AgentRequest) -> Answer:
        """Return the answer that says why."""
        said = refused(request, self.key, **self.values)
        if not self.is_final:
            return said
        return replace(said, error_code=intent.IntentResponseErrorCode.FAILED_TO_HANDLE)


def nothing_like_that(request: AgentRequest, *, is_final: bool = True) -> PlanError:
    """Return the error that says that there is nothing of the kind, in the places that were named."""
    if not (places := request.named.places):
        return PlanError("nothing_at_all", is_final=is_final)
    names = request.language.join(place.name for place in places)
    return PlanError("nothing_here", is_final=is_final, places=names)


def not_there(request: AgentRequest) -> Answer:
    """Return the answer that there is nothing of the kind, in the places that were named."""
    return nothing_like_that(request).answer(request)


def is_off(request: AgentRequest, states: Sequence[State]) -> PlanError:
    """Return the error that says that nothing can be done with things, because they are off."""
    key = "are_off" if len(states) > 1 else "is_off"
    return PlanError(key, targets=describe_states(request, states))


def plan_error(request: AgentRequest, problem: ActionError) -> PlanError:
    """Return the error that words why an action cannot be planned."""
    targets = describe_states(request, problem.states)
    match problem:
        case IsOffError(states=states):
            return is_off(request, states)
        case OutOfRangeError(low=low, high=high, unit=unit):
            ends = (_with_unit(request, end, unit) for end in (low, high))
            return PlanError("out_of_range", targets=targets, low=next(ends), high=next(ends))
        case OtherModeError(mode=mode):
            return PlanError("other_mode", targets=targets, mode=climate_mode(request, mode))
        case _:
            return PlanError("cannot", targets=targets)


def _with_unit(request: AgentRequest, value: float, unit: str) -> str:
    """Return a value with its unit, as it is spoken."""
    if unit == "K":
        return f"{value} K"
    return SpokenValues(request, "").value(value, unit)


class Specialist:
    """An agent for the entities of one domain: all that it can do stands in the domain's table."""

    card: ClassVar[AgentCard]
    table: ClassVar[Domain]
    examples: ClassVar[tuple[tuple[str, str], ...]]

    @property
    def domain(self) -> str:
        """Return the domain of the entities it is for."""
        return self.table.name

    @cached_property
    def prompt(self) -> list[Message]:
        """Return the fixed messages that a model is asked with."""
        return prompt_messages(prompt_of(self.table), self.examples)

    def wanted_mode(self, request: AgentRequest) -> str:
        """Return "heat" or "cool" where an instruction says what something is to do."""
        return ""

    async def async_calls(
        self, request: AgentRequest, chosen: Chosen, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls that carry out a chosen action on entities.

        Entities that lack the ability are left out.

        Raises:
            PlanError: none of the entities can do it, or not with this value.
        """
        if (action := self.table.action(chosen.name)) is None:
            raise PlanError("cannot", targets=describe_states(request, states))
        wanted = ActionInput(parameters=chosen.parameters, mode=self.wanted_mode(request))
        try:
            return self.table.plan(action, wanted, states)
        except ActionError as err:
            raise plan_error(request, err) from err

    def from_intent(self, intent: RecognizedIntent) -> list[Chosen]:
        """Return the action a recognised intent stands for.

        Raises:
            KeyError: it stands for none.
        """
        for action in self.table.actions:
            for row in action.intents:
                if row.name == intent.name and row.matches(intent.slots):
                    return [Chosen(action.name, read_parameters(action, row, intent.slots))]
        raise KeyError(intent.name)

    def tell(self, request: AgentRequest, what: str, states: Sequence[State]) -> str:
        """Return the answer to a question about entities, by its name ("tell_on"). Nothing is done."""
        return request.language.say("plan.not_understood")

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Plan, act, and say what happened; or tell what was asked."""
        if request.intent and request.intent.name.startswith(f"{self.card.id}/{_TELLING}"):
            try:
                return await self._async_tell(request, request.intent)
            except PlanError as err:
                return err.answer(request)
        try:
            plan = await self._async_plan(request)
        except PlanError as err:
            return err.answer(request)
        if question := plan.question:
            await request.runner.async_run(plan)
            return Answer(success=True, content=question.prompt, plan=plan, question=question)
        return await self.async_carry_out(request, plan)

    async def _async_tell(self, request: AgentRequest, intent: RecognizedIntent) -> Answer:
        """Answer a question about the entities that are exposed and there right now."""
        states = _visible(request, intent.targets)
        what = intent.name.partition("/")[2]
        content = self.tell(request, what, states)
        plan = Plan(intent_id=intent.name, agent_id=self.card.id, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        execution.said()
        return Answer(success=True, content=content, plan=plan)

    async def async_carry_out(
        self, request: AgentRequest, plan: Plan, confirmed: frozenset[str] = frozenset()
    ) -> Answer:
        """Run a plan and describe what came of it; `confirmed` are the policies agreed to."""
        return answer_of(request, await request.runner.async_run(plan, confirmed=confirmed))

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> Answer:
        """Carry out what a question asked a yes for, now that it was given.

        The calls are made anew from the actions: what was stored of them is not trusted.
        """
        try:
            plan = await self._async_rebuilt(request, question)
        except PlanError as err:
            return err.answer(request)
        return await self.async_carry_out(request, plan, frozenset(question.rules))

    async def async_asked_again(self, request: AgentRequest, question: AskUser) -> Answer:
        """Ask for the yes to a question anew, in words made of what its actions come to."""
        try:
            plan = await self._async_rebuilt(request, question)
        except PlanError as err:
            return err.answer(request)
        asked = asking(request, plan, question.rules)
        return Answer(success=True, content=asked.prompt, plan=plan, question=asked)

    async def _async_rebuilt(self, request: AgentRequest, question: AskUser) -> Plan:
        """Return the plan for the actions of a question, each for its own entities.

        Raises:
            PlanError: nothing can be done of it by this agent, here and now.
        """
        calls: list[ToolCall] = []
        for action in question.actions:
            own = [t for t in action.targets if t.partition(".")[0] == self.domain]
            if states := _visible(request, own):
                calls += await self.async_calls(
                    request, Chosen(action.name, action.parameters), states
                )
        if not calls:
            raise PlanError("nothing_at_all")
        return Plan(
            intent_id=question.action or intent_id_of([Chosen(a.name) for a in question.actions]),
            agent_id=self.card.id,
            steps=steps_of(request, calls),
            actions=question.actions,
        )

    async def async_resume(
        self, request: AgentRequest, question: AskUser, targets: Sequence[str]
    ) -> Answer:
        """Carry out the half-made plan of a question that was answered with entities."""
        only = PlannedAction(name=str(question.action), parameters=question.data)
        return await self.async_do(request, question.actions or (only,), targets)

    async def async_do(
        self, request: AgentRequest, actions: Sequence[PlannedAction], targets: Sequence[str]
    ) -> Answer:
        """Carry out actions that are known already, on entities that are known already.

        Only those of the agent's own domain that are exposed and there right now are acted on.
        """
        allowed = [
            target for target in dict.fromkeys(targets) if target.partition(".")[0] == self.domain
        ]
        chosen = [Chosen(action.name, action.parameters) for action in actions]
        try:
            if not (states := _visible(request, allowed)):
                return refused(request, "nothing_at_all")
            plan = await self._async_plan_for(request, intent_id_of(chosen), chosen, states)
        except PlanError as err:
            return err.answer(request)
        return await self.async_carry_out(request, plan)

    async def _async_plan(self, request: AgentRequest) -> Plan:
        """Return the plan for an instruction, from its intent or from the model."""
        if request.intent:
            states = _readable(request, states_of(request.hass, request.intent.targets))
            chosen = self._chosen(request.intent)
            if (
                request.intent.is_ambiguous
                and len(apt := self._apt(request, chosen[0], states)) > 1
            ):
                return self._ask_for_target(request, request.intent.name, apt, chosen)
            return await self._async_plan_for(request, request.intent.name, chosen, states)
        # A model might find something to do also in what only asks something.
        is_question = request.language.has_question_mark(request.instruction)
        # "In the kitchen, ..." is only the beginning of what was said.
        if request.model is None or is_question or is_only_a_place(request):
            raise PlanError("not_understood")
        scope = self._scope(request)
        states = states_of(request.hass, tuple(entity.entity_id for entity in scope.entities))
        chosen = await self._async_choose(request, scope, states)
        if any(self.misses(request, step, scope, states) for step in chosen):
            raise self._missing(request)
        if scope.reach is Reach.OPEN:
            return self._ask_for_target(request, intent_id_of(chosen), states, chosen)
        return await self._async_plan_for(request, intent_id_of(chosen), chosen, states, scope)

    def misses(
        self, request: AgentRequest, step: Chosen, scope: Scope, states: Sequence[State]
    ) -> bool:
        """Return whether what an instruction names is none of what could be meant.

        It names only things of other domains, or something by a name that nothing has. A model
        takes something else then.
        """
        action = self.table.action(step.name)
        if action and any(parameter.kind is ParameterKind.TEXT for parameter in action.parameters):
            # Titles are made of any words.
            return False
        if request.named.is_foreign(self.domain):
            return True
        is_named = scope.reach in {Reach.NAMED, Reach.EVERYWHERE}
        return not is_named and names_unknown(request, self.domain, states)

    def _apt(self, request: AgentRequest, step: Chosen, states: Sequence[State]) -> Sequence[State]:
        """Return the states of what is of the kind that the instruction names, if it names one.

        Raises:
            PlanError: nothing is.
        """
        named, with_verbs = request.named, step.name in SWITCHING
        if not named.of(self.domain, with_verbs=with_verbs):
            return states
        known = request.catalog.entities
        fitting = {
            entity.entity_id
            for entity in named.fitting(
                request.hass,
                [known[state.entity_id] for state in states if state.entity_id in known],
                with_verbs=with_verbs,
            )
        }
        if not (found := [state for state in states if state.entity_id in fitting]):
            raise nothing_like_that(request)
        return found

    def _chosen(self, intent: RecognizedIntent) -> list[Chosen]:
        """Return the actions of an intent: one that is named after the agent's own action, or others."""
        agent_id, _, action = intent.name.partition("/")
        if action and agent_id == self.card.id:
            return [Chosen(action, dict(intent.slots))]
        return self.from_intent(intent)

    def _scope(self, request: AgentRequest) -> Scope:
        """Return the entities an instruction can mean.

        Raises:
            PlanError: there are none, in the place that was named or at all.
        """
        scope = find_scope(
            request.hass,
            request.catalog,
            self.domain,
            request.instruction,
            area_id=request.area_id,
            # What all things of a kind are called singles out none of them.
            ignored=request.language.ignored | request.language.phrases.kind_words,
            everywhere=request.language.everywhere,
        )
        if scope.reach in _UNNAMED and (recent := spoken_of(request, self.domain)):
            return Scope(Reach.NAMED, recent)
        if not (scope := self._scope_of_kind(request, scope)).entities:
            raise self._missing(request)
        return scope

    def _missing(self, request: AgentRequest) -> PlanError:
        """Return the error that says that what is named is not there; it may be somebody else's thing."""
        return nothing_like_that(request, is_final=not request.named.is_foreign(self.domain))

    def _scope_of_kind(self, request: AgentRequest, scope: Scope) -> Scope:
        """Return a scope with what is of the kind named: of the place, else the only one there is."""
        fitting = request.named.fitting(request.hass, scope.entities)
        if fitting or scope.places:
            return replace(scope, entities=fitting)
        every = request.catalog.by_domain.get(self.domain, ())
        found = request.named.fitting(request.hass, every)
        return Scope(Reach.ONLY if len(found) == 1 else Reach.OPEN, found)

    async def _async_choose(
        self, request: AgentRequest, scope: Scope, states: Sequence[State]
    ) -> list[Chosen]:
        """Ask the model which actions are meant, and for which of several entities in a place."""
        if request.model is None or not (actions := offers(self.table, request, states)):
            raise PlanError("cannot", targets=describe_targets(request, scope.entities))
        choosable = scope.reach in {Reach.PLACE, Reach.SPEAKER_AREA, Reach.EVERYWHERE}
        names = [entity.name for entity in scope.entities] if choosable else []
        if len(names) > _MAX_NAMED_TARGETS or len(set(names)) < len(names):
            names = []
        # One request is one action, unless its words join several ("brighter and blue").
        joins = len(request.language.joins.findall(request.instruction))
        return await async_ask_for_plan(
            request.model,
            self.prompt,
            request.instruction,
            actions=actions,
            targets=names,
            seconds=request.timeout,
            most=min(1 + joins, _MAX_ACTIONS),
        )

    async def _async_plan_for(
        self,
        request: AgentRequest,
        intent_id: str,
        chosen: Sequence[Chosen],
        states: Sequence[State],
        scope: Scope | None = None,
    ) -> Plan:
        """Return the plan that carries out chosen actions on entities."""
        calls: list[ToolCall] = []
        actions: list[PlannedAction] = []
        for step in chosen:
            targets = self._apt(request, step, narrow(states, step, scope))
            made = await self.async_calls(request, step, targets)
            calls += [*made, *_left_out(request, made, targets)]
            actions.append(planned(step, targets))
        return Plan(
            intent_id=intent_id,
            agent_id=self.card.id,
            steps=steps_of(request, calls),
            actions=tuple(actions),
        )

    def _ask_for_target(
        self,
        request: AgentRequest,
        intent_id: str,
        states: Sequence[State],
        chosen: Sequence[Chosen],
    ) -> Plan:
        """Return a plan that asks which entity is meant and keeps all actions for the answer."""
        entities = [request.catalog.entities[state.entity_id] for state in states]
        actions = tuple(planned(step) for step in chosen)
        question = AskUser(
            param="target",
            prompt=which(request.language, request.catalog, entities),
            candidates=tuple(
                Candidate(entity_id=entity.entity_id, name=entity.name) for entity in entities
            ),
            action=chosen[0].name,
            data=dict(chosen[0].parameters),
            actions=actions if len(actions) > 1 else (),
        )
        return Plan(intent_id=intent_id, agent_id=self.card.id, steps=(question,), actions=actions)


def _visible(request: AgentRequest, targets: Sequence[str]) -> list[State]:
    """Return the states of what is exposed, there, and may be read by whoever asks."""
    exposed = [target for target in targets if is_exposed(request.hass, target)]
    return _readable(request, states_of(request.hass, exposed))


def _readable(request: AgentRequest, states: list[State]) -> list[State]:
    """Return those of some states that whoever asks may read; what they may not is not there.

    Raises:
        PlanError: they may read none of them.
    """
    found = [state for state in states if request.rights.may_read(state.entity_id)]
    if states and not found:
        raise PlanError("nothing_at_all")
    return found


def _left_out(
    request: AgentRequest, calls: Sequence[ToolCall], states: Sequence[State]
) -> list[ToolCall]:
    """Return the call for what was named and cannot do it, so that it is refused by name."""
    if not calls or request.intent is None or not request.intent.is_list:
        return []
    reached = {target for call in calls for target in call.targets}
    missing = tuple(state.entity_id for state in states if state.entity_id not in reached)
    return [calls[0].model_copy(update={"targets": missing})] if missing else []


def describe_states(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the names of the entities that states belong to, as they are spoken."""
    entities: list[CatalogEntity] = [
        entity for s in states if (entity := request.catalog.entities.get(s.entity_id))
    ]
    return describe_targets(request, entities)
