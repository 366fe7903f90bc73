"""Specialist for one entity domain: plans an instruction and executes the plan.

The plan comes from a recognised intent, or from a model that chooses among the domain's actions
(Agent router orchestration, Planner).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from homeassistant.const import STATE_ON, STATE_PLAYING
from homeassistant.core import State

from ..domains.actions import ActionError, ActionInput, ParameterKind
from ..domains.models import PLAYER, Command, ToolCall
from ..domains.registry import read_intent
from ..domains.table import Domain
from ..home.catalog import is_exposed
from ..llm.models import Message
from ..nlu.bounds import TargetMatch, TargetScope, find_targets
from ..nlu.reading import read_tags
from ..plans.models import AskUser, Plan, Respond
from .base import (
    AgentRequest,
    AgentResult,
    build_intent_id,
    filter_targets,
    resolve_pronoun,
    states_of,
)
from .disambiguation import (
    build_target_plan,
    find_usual_target,
    is_for_room,
    mark_habit,
    plan_usual_level,
    with_usual_level,
)
from .grounding import Grounding
from .llm_plan_execution import async_answer_by_model
from .llm_state_answers import async_tell_by_model
from .models import AgentCard
from .offered_actions import ASK, MISSING, NOTHING, always_offered, offer_actions
from .plan_answers import (
    NO_MEDIA,
    UNKNOWN_MEDIA,
    PlanError,
    async_ask,
    build_answer,
    build_confirmation,
    build_steps,
    not_found_error,
    refusal_answer,
    to_plan_error,
    value_question_plan,
)
from .planner import build_prompt, prompt_messages
from .unresolved_names import has_unresolved_name, names_only_places
from .wording import describe_states, describe_targets

# With more targets a model is offered none, and all of them are meant.
_MAX_NAMED_TARGETS = 24
_MAX_ACTIONS = 4
SWITCH_ACTIONS = frozenset({"turn_on", "turn_off"})
"""Actions whose verb may imply the kind of device ("heat the office")."""

# Prefix of intents that only report states.
_STATE_QUESTION = "tell_"
# Questions which things are at work, and the states of those.
_TELLING, _AT_WORK = {"tell_on", "tell_playing"}, {STATE_ON, STATE_PLAYING}
# Scopes in which the instruction names no target.
_UNNAMED = {TargetScope.SPEAKER_AREA, TargetScope.PLAYING, TargetScope.ONLY, TargetScope.AMBIGUOUS}


class Specialist:
    """Agent for the entities of one domain; its actions are those of the domain's table.

    `examples` are pairs of a request and the JSON of its plan, for the model's prompt.
    """

    card: ClassVar[AgentCard]
    table: ClassVar[Domain]
    examples: ClassVar[tuple[tuple[str, str], ...]]

    @property
    def domain(self) -> str:
        """Return the domain of its target entities."""
        return self.table.name

    @cached_property
    def prompt(self) -> list[Message]:
        """Return the fixed messages of the prompt: the same for every request, so that servers cache them."""
        return prompt_messages(build_prompt(self.table), self.examples)

    def requested_mode(self, request: AgentRequest) -> str:
        """Return "heat" or "cool" where an instruction implies the mode, else ""."""
        return ""

    async def async_calls(
        self, request: AgentRequest, chosen: Command, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls that carry out a chosen action on entities.

        Entities without the capability are left out.

        Raises:
            PlanError: no entity has the capability, or none takes the value.
        """
        if (action := self.table.action(chosen.name)) is None:
            raise PlanError("cannot", targets=describe_states(request, states))
        wanted = ActionInput(
            parameters=chosen.parameters,
            mode=self.requested_mode(request),
            others=self._readable(request) if action.sees_others else (),
        )
        try:
            return self.table.plan(action, wanted, states)
        except ActionError as err:
            raise to_plan_error(request, err) from err

    def _readable(self, request: AgentRequest) -> list[State]:
        """Return the states of all entities of the domain that the user may read."""
        every = [each.entity_id for each in request.catalog.by_domain.get(self.domain, ())]
        states = states_of(request.hass, every)
        return [state for state in states if request.rights.may_read(state.entity_id)]

    def choose_from_intent(self, intent: Command) -> list[Command]:
        """Return the action that an intent maps to: one of the agent's own ("light-agent/set"), or a row.

        Raises:
            KeyError: it maps to none.
        """
        agent_id, _, own_action = intent.name.partition("/")
        if own_action and agent_id == self.card.id:
            return [Command(own_action, intent.parameters)]
        if found := read_intent(self.table.actions, intent.name, intent.parameters):
            return [Command(*found)]
        raise KeyError(intent.name)

    def answer_state_question(
        self, request: AgentRequest, what: str, states: Sequence[State]
    ) -> str:
        """Return the reply to a question about states; `what` is its name ("tell_on")."""
        return request.language.say("plan.not_understood")

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Plan and execute the instruction, or answer the question about states that it is."""
        if request.intent and request.intent.missing:
            asked = value_question_plan(request, self.card.id, request.intent.missing)
            return await async_ask(request, asked)
        if request.intent and request.intent.name.startswith(f"{self.card.id}/{_STATE_QUESTION}"):
            try:
                return await self._async_answer_state_question(request, request.intent)
            except PlanError as err:
                return err.answer(request)
        if request.intent is None and request.is_capable and request.model:
            return await self._async_answer_by_model(request)
        try:
            plan = await self._async_plan(request)
        except PlanError as err:
            if err.key in {NO_MEDIA, UNKNOWN_MEDIA} and request.is_capable and request.model:
                # It knows what "something mellow" is, and what played where.
                return await self._async_answer_by_model(request)
            return err.answer(request)
        if plan.question:
            return await async_ask(request, plan)
        return await self.async_carry_out(request, plan)

    async def _async_answer_by_model(self, request: AgentRequest) -> AgentResult:
        """Let a capable model plan the instruction, or answer the question that it is; a question never acts."""
        if request.is_question:
            return await async_tell_by_model(request, self.card.id)
        return await async_answer_by_model(request, self.card.id, (self.table,), self.async_calls)

    async def _async_answer_state_question(
        self, request: AgentRequest, intent: Command
    ) -> AgentResult:
        """Answer a question about states, from the entities that are exposed and readable now."""
        states = _visible_states(request, intent.targets)
        what = intent.name.partition("/")[2]
        content = self.answer_state_question(request, what, states)
        plan = Plan(intent_id=intent.name, agent_id=self.card.id, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        execution.mark_responded()
        # "Turn it off" is for what was told to play, and for nothing else that could.
        about = tuple(s.entity_id for s in states if what not in _TELLING or s.state in _AT_WORK)
        return AgentResult(success=True, content=content, plan=plan, about=about)

    async def async_carry_out(
        self, request: AgentRequest, plan: Plan, confirmed: frozenset[str] = frozenset()
    ) -> AgentResult:
        """Execute a plan and return its answer; `confirmed` are the policy rules that the user confirmed."""
        return build_answer(request, await request.runner.async_run(plan, confirmed=confirmed))

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Carry out what the user confirmed.

        The calls are planned anew from the question's actions: stored calls are not trusted.
        """
        try:
            plan = await self._async_rebuilt(request, question)
        except PlanError as err:
            return err.answer(request)
        return await self.async_carry_out(request, plan, frozenset(question.rules))

    async def async_asked_again(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Ask for confirmation again, with a text from the actions as they are planned now."""
        try:
            plan = await self._async_rebuilt(request, question)
        except PlanError as err:
            return err.answer(request)
        asked = build_confirmation(request, plan, question.rules)
        return AgentResult(success=True, content=asked.prompt, plan=plan, question=asked)

    async def _async_rebuilt(self, request: AgentRequest, question: AskUser) -> Plan:
        """Return the plan for the actions of a question, each with its own targets.

        Raises:
            PlanError: this agent can do none of them now.
        """
        calls: list[ToolCall] = []
        for action in question.actions:
            own = [t for t in action.targets if t.partition(".")[0] == self.domain]
            if states := _visible_states(request, own):
                calls += await self._async_with_habit(request, action, states)
        if not calls:
            raise PlanError("nothing_at_all")
        return Plan(
            intent_id=question.action or build_intent_id(question.actions),
            agent_id=self.card.id,
            steps=build_steps(request, calls),
            actions=question.actions,
        )

    async def async_do(
        self, request: AgentRequest, actions: Sequence[Command], targets: Sequence[str]
    ) -> AgentResult:
        """Carry out planned actions on target entities.

        Targets of other domains, and those that are not exposed or not readable now, are left out.
        """
        allowed = [
            target for target in dict.fromkeys(targets) if target.partition(".")[0] == self.domain
        ]
        chosen = [replace(action, targets=(), by_habit={}) for action in actions]
        try:
            if not (states := _visible_states(request, allowed)):
                return refusal_answer(request, "nothing_at_all")
            plan = await self._async_plan_for(request, build_intent_id(chosen), chosen, states)
        except PlanError as err:
            return err.answer(request)
        return await self.async_carry_out(request, plan)

    async def _async_plan(self, request: AgentRequest) -> Plan:
        """Return the plan for an instruction, from its recognised intent or from the model."""
        if request.intent:
            states = _readable_states(request, states_of(request.hass, request.intent.targets))
            chosen = self.choose_from_intent(request.intent)
            apt = self._filter_by_kind(request, chosen[0], states) if request.intent.is_open else ()
            if len(apt) > 1 or (apt and request.intent.is_guess):
                usual = find_usual_target(request, self.table, chosen, apt)
                return await self._async_plan_for_one(
                    request, request.intent.name, chosen, apt, usual
                )
            return await self._async_plan_for(request, request.intent.name, chosen, states)
        # A model might choose an action for a mere question.
        is_question = read_tags(request.instruction, request.language).is_question
        # "In the kitchen, ..." is the beginning of an unfinished sentence.
        if request.model is None or is_question or names_only_places(request):
            raise PlanError("not_understood")
        matched = self._find_targets(request)
        matched = replace(matched, entities=tuple(request.bounds.keep(matched.entities)))
        if not matched.entities:
            raise self._not_found(request)
        states = states_of(request.hass, tuple(entity.entity_id for entity in matched.entities))
        chosen = await self._async_ask_model(request, matched, states)
        if asked := next((step for step in chosen if step.name == ASK), None):
            return value_question_plan(request, self.card.id, str(asked.parameters[MISSING]))
        if not (chosen := [step for step in chosen if step.name != NOTHING]):
            raise PlanError("not_understood")
        if any(self.names_other_target(request, step, matched, states) for step in chosen):
            raise self._not_found(request)
        grounding = Grounding(request)
        chosen = [replace(step, assumed=grounding.assumes(step.parameters)) for step in chosen]
        intent_id = build_intent_id(chosen)
        if matched.scope in _UNNAMED and grounding.is_made_up(matched.entities):
            return await self._async_plan_for_one(request, intent_id, chosen, states, None)
        usual = find_usual_target(request, self.table, chosen, states, matched)
        if usual or matched.scope is TargetScope.AMBIGUOUS:
            return await self._async_plan_for_one(request, intent_id, chosen, states, usual)
        return await self._async_plan_for(request, intent_id, chosen, states, matched)

    def names_other_target(
        self,
        request: AgentRequest,
        step: Command,
        matched: TargetMatch,
        states: Sequence[State],
    ) -> bool:
        """Return whether an instruction names only entities of other domains, or an unknown name.

        A model would choose another target then.
        """
        action = self.table.action(step.name)
        if action and any(parameter.kind is ParameterKind.TEXT for parameter in action.parameters):
            # Any words may be a title.
            return False
        if request.named.is_foreign(self.domain):
            return True
        is_named = matched.scope in {TargetScope.NAMED, TargetScope.WHOLE_HOME}
        return not is_named and has_unresolved_name(request, self.domain, states)

    def _filter_by_kind(
        self, request: AgentRequest, step: Command, states: Sequence[State]
    ) -> Sequence[State]:
        """Return the states of the entities of the kind of device that is named, all if none is.

        Raises:
            PlanError: no entity is of that kind.
        """
        with_verbs = step.name in SWITCH_ACTIONS
        is_read = bool(request.intent and request.intent.domain)
        if request.intent and (request.intent.is_without_others or (is_read and not with_verbs)):
            # "Everything but the television": a kind that is named is not the one that is meant. And what was read
            # word by word is of the kind that was said, but for "heat" and "cool".
            return states
        named = request.named
        if not named.kinds_of(self.domain, with_verbs=with_verbs):
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
            raise not_found_error(request)
        return found

    def _find_targets(self, request: AgentRequest) -> TargetMatch:
        """Return the candidate targets of an instruction, and the scope they were found in.

        Raises:
            PlanError: there are none, in the place named or at all.
        """
        matched = find_targets(
            request.hass,
            request.catalog,
            self.domain,
            request.bounds,
            area_id=request.area_id,
            # A word for all devices of a kind ("lamp") singles out none of them.
            ignored=request.ignored_in_names,
        )
        if matched.scope in _UNNAMED and (recent := resolve_pronoun(request, self.domain)):
            return TargetMatch(TargetScope.NAMED, recent)
        if not (matched := self._narrow_to_kind(request, matched)).entities:
            raise self._not_found(request)
        return matched

    def _not_found(self, request: AgentRequest) -> PlanError:
        """Return the error that nothing was found; not final if a device of another domain is named."""
        return not_found_error(request, is_final=not request.named.is_foreign(self.domain))

    def _narrow_to_kind(self, request: AgentRequest, matched: TargetMatch) -> TargetMatch:
        """Return the targets of the kind of device named: in the place, else of the whole home."""
        fitting = request.named.fitting(request.hass, matched.entities)
        if fitting or matched.places:
            return replace(matched, entities=fitting)
        every = request.catalog.by_domain.get(self.domain, ())
        found = request.named.fitting(request.hass, every)
        return TargetMatch(TargetScope.ONLY if len(found) == 1 else TargetScope.AMBIGUOUS, found)

    async def _async_ask_model(
        self, request: AgentRequest, matched: TargetMatch, states: Sequence[State]
    ) -> list[Command]:
        """Ask the model for the actions, and for their targets among several entities of a place."""
        if request.model is None or not (actions := offer_actions(self.table, request, states)):
            raise PlanError("cannot", targets=describe_targets(request, matched.entities))
        choosable = matched.scope in {
            TargetScope.PLACE,
            TargetScope.SPEAKER_AREA,
            TargetScope.WHOLE_HOME,
        }
        names = {entity.name: entity.entity_id for entity in matched.entities if choosable}
        if len(names) > _MAX_NAMED_TARGETS or len(names) < len(matched.entities):
            names = {}
        # At most one action for each part that conjunctions join ("brighter and blue").
        joins = len(request.language.joins.findall(request.instruction))
        return await request.planner.async_choose(
            request,
            self.prompt,
            actions=[*actions, *always_offered(self.table, request.language)],
            targets=names,
            most=min(1 + joins, _MAX_ACTIONS),
        )

    async def _async_plan_for(
        self,
        request: AgentRequest,
        intent_id: str,
        chosen: Sequence[Command],
        states: Sequence[State],
        matched: TargetMatch | None = None,
    ) -> Plan:
        """Return the plan that carries out chosen actions on entities.

        What is turned on in a room may come on at the level that is usual there.
        """
        is_of_room = is_for_room(request, chosen, states, matched)
        calls: list[ToolCall] = []
        actions: list[Command] = []
        for each in chosen:
            targets = self._filter_by_kind(request, each, filter_targets(states, each))
            step = with_usual_level(request, self.table, each, targets) if is_of_room else each
            made = await self._async_with_habit(request, step, targets)
            calls += [*made, *_unreached_calls(request, made, targets)]
            actions.append(replace(step, targets=tuple(state.entity_id for state in targets)))
        return Plan(
            intent_id=intent_id,
            agent_id=self.card.id,
            steps=build_steps(request, calls),
            actions=tuple(actions),
            is_for_room=is_of_room,
        )

    async def _async_with_habit(
        self, request: AgentRequest, step: Command, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls of a chosen action on entities; those in which nobody said all of it say so.

        Raises:
            PlanError: there are none.
        """
        if PLAYER in step.by_habit:
            return mark_habit(await self.async_calls(request, step, states), "player")
        usual = plan_usual_level(self.table, step, step.by_habit, states) if step.by_habit else []
        reached = {target for call in usual for target in call.targets}
        left = [state for state in states if state.entity_id not in reached]
        plain = await self.async_calls(request, step, left) if left or not usual else []
        assumed = {"assumed": True} if step.assumed else {}
        return [*mark_habit(usual, "level"), *(call.model_copy(update=assumed) for call in plain)]

    async def _async_plan_for_one(
        self,
        request: AgentRequest,
        intent_id: str,
        chosen: Sequence[Command],
        states: Sequence[State],
        usual: State | None,
    ) -> Plan:
        """Return a plan for the usual one of several targets, else one that asks for it, with the actions to resume."""
        if usual:
            steps = [replace(step, by_habit={PLAYER: usual.entity_id}) for step in chosen]
            return await self._async_plan_for(request, intent_id, steps, [usual])
        entities = [request.catalog.entities[state.entity_id] for state in states]
        return build_target_plan(request, self.card.id, intent_id, entities, tuple(chosen))


def _visible_states(request: AgentRequest, targets: Sequence[str]) -> list[State]:
    """Return the states of the targets that are exposed, have a state, and are readable by the user."""
    exposed = [target for target in targets if is_exposed(request.hass, target)]
    return _readable_states(request, states_of(request.hass, exposed))


def _readable_states(request: AgentRequest, states: list[State]) -> list[State]:
    """Return the states that the user may read.

    Raises:
        PlanError: there are none, which sounds as if the entities did not exist.
    """
    found = [state for state in states if request.rights.may_read(state.entity_id)]
    if states and not found:
        raise PlanError("nothing_at_all")
    return found


def _unreached_calls(
    request: AgentRequest, calls: Sequence[ToolCall], states: Sequence[State]
) -> list[ToolCall]:
    """Return a call for targets that were listed by name and cannot do it, so that they are reported."""
    if not calls or request.intent is None or not request.intent.is_list:
        return []
    reached = {target for call in calls for target in call.targets}
    missing = tuple(state.entity_id for state in states if state.entity_id not in reached)
    return [calls[0].model_copy(update={"targets": missing})] if missing else []
