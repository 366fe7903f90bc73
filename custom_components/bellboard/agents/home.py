"""Home agent: delegates to Home Assistant's own conversation agent whatever no specialist takes."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
import json
from typing import ClassVar

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT, async_converse
from homeassistant.core import State
from homeassistant.helpers import intent

from ..const import HOME_AGENT_ID
from ..domains.models import Command, ToolCall
from ..domains.registry import find_lacking, tables
from ..llm.errors import ModelError
from ..nlu.ahead import TELL_AHEAD
from ..nlu.intents import find_intent_handler
from ..nlu.kinds import KINDS
from ..nlu.listing import LIST_REQUEST
from ..nlu.questions import ReadQuestion
from ..nlu.reading import read_tags
from ..nlu.recognition import (
    async_error_text,
    async_find_trigger,
    async_recognize,
    is_delayed,
    is_no_search,
    recognizer_language,
    to_recognized_intent,
)
from ..plans.execution import PlanExecution
from ..plans.models import AskUser, Plan, Respond
from .base import AgentRequest, AgentResult, declined_answer
from .days_ahead import async_tell_ahead
from .disambiguation import build_target_plan
from .grounding import Grounding
from .home_plans import (
    announces_to_nobody,
    asks_unreadable,
    build_direct_plan,
    build_home_plan,
    build_trigger_plan,
    direct_calls,
    targets_other_kind,
    wakes_satellites,
)
from .home_states import correct_state_answer
from .listed_items import async_answer_list
from .llm_plan_execution import async_answer_by_model
from .llm_state_answers import async_tell_by_model
from .models import AgentCard
from .offered_tools import async_has_acting_tools, async_use_confirmed
from .plan_answers import (
    PlanError,
    async_ask,
    build_answer,
    not_found_answer,
    refusal_answer,
    value_question_plan,
)
from .read_questions import answer_question
from .tool_talk import async_talk
from .unresolved_names import unknown_words
from .wording import describe_targets

# Prefix of the intents of actions on entities of domains without a specialist.
_OWN = f"{HOME_AGENT_ID}/"
_TELL = f"{_OWN}tell"
# Home Assistant's intents that do nothing where they reach no thing.
_FOR_THINGS = frozenset(
    {
        intent.INTENT_TURN_ON,
        intent.INTENT_TURN_OFF,
        intent.INTENT_TOGGLE,
        intent.INTENT_SET_POSITION,
        intent.INTENT_STOP_MOVING,
    }
)


class HomeAgent:
    """Delegates an instruction to Home Assistant's own conversation agent, in the same conversation.

    Its intents are recognised and planned beforehand, so that policies can deny them.
    """

    card: ClassVar[AgentCard] = AgentCard(
        id=HOME_AGENT_ID,
        name="Home Assistant",
        description="All else in the home.",
        reaches_all=True,
        offer="ask.offer_home",
        capabilities=("blinds", "locks", "timers", "lists", "time", "weather"),
        details="Also fans, doors, sockets, vacuums, scenes, calendar entries, any question what is on, open,"
        " warm or playing.",
        examples=("close the blinds", "add milk to my list", "set a timer for 5 minutes"),
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Return Home Assistant's own answer, or carry out one of the agent's own intents."""
        if request.intent and request.intent.name.startswith(_OWN):
            return await self._async_carry_out(request, request.intent)
        try:
            understood = await _async_read_intent(request)
        except PlanError as problem:
            if not (request.is_capable and request.model):
                return problem.answer(request)
            understood = None
        if understood and request.is_capable and not _is_borne_out(request, understood):
            # A model put it into words that name what nobody spoke of.
            understood = None
        if not understood and request.is_capable and request.model:
            return await _async_answer_by_model(request)
        if understood and asks_unreadable(request, understood):
            return AgentResult(success=False, content=request.language.say("plan.nothing_at_all"))
        if is_delayed(understood):
            # Home Assistant would run it later without a user. Ours are stored by `turn/delayed`.
            return declined_answer(request.language, "decline.later")
        plan = await _async_plan(request, understood)
        if plan is None:
            return await _async_not_understood(request)
        is_for_nothing = announces_to_nobody(plan) or _reaches_nothing(request, understood)
        if is_for_nothing or targets_other_kind(request, plan):
            return not_found_answer(request)
        answer = await self._async_hand_over(request, request.instruction, plan)
        if _finds_nothing(answer, plan):
            if request.is_capable and request.model:
                # Home Assistant knew the words, and no answer; where the model fails, that stands.
                with suppress(ModelError):
                    return await _async_answer_by_model(request)
            return _only_sensed(request) or answer
        told = correct_state_answer(request, understood) if answer.success and understood else None
        return answer if told is None else replace(answer, content=told, native=None)

    async def _async_carry_out(self, request: AgentRequest, recognized: Command) -> AgentResult:
        """Carry out an action on entities of any domain, or ask which of them is meant; or answer a question."""
        if recognized.missing:
            asked = value_question_plan(request, HOME_AGENT_ID, recognized.missing)
            return await async_ask(request, asked)
        if recognized.name == f"{_OWN}{LIST_REQUEST}":
            return await async_answer_list(request, recognized)
        if recognized.name == f"{_OWN}{TELL_AHEAD}":
            return await async_tell_ahead(request, recognized)
        if recognized.name == _TELL:
            question = ReadQuestion(entity_ids=recognized.targets, **recognized.parameters)
            return await self._async_tell(request, question)
        known = request.catalog.entities
        action = Command(recognized.name.removeprefix(_OWN), recognized.parameters)
        entities = [known[target] for target in recognized.targets if target in known]
        if not (recognized.is_guess or (recognized.is_ambiguous and len(entities) > 1)):
            return await self.async_do(request, (action,), recognized.targets)
        plan = build_target_plan(request, HOME_AGENT_ID, recognized.name, entities, (action,))
        return await async_ask(request, plan)

    async def _async_tell(self, request: AgentRequest, question: ReadQuestion) -> AgentResult:
        """Answer a question about states, from the entities that are readable now."""
        told = answer_question(request, question)
        plan = Plan(intent_id=_TELL, agent_id=HOME_AGENT_ID, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        execution.mark_responded()
        if told is None:
            return AgentResult(success=False, content=request.language.say("plan.nothing_at_all"))
        return AgentResult(success=True, content=told.text, plan=plan, about=told.about)

    async def async_do(
        self, request: AgentRequest, actions: Sequence[Command], targets: Sequence[str]
    ) -> AgentResult:
        """Carry out planned actions on target entities."""
        return await self._async_do(request, actions, targets, frozenset())

    async def _async_do(
        self,
        request: AgentRequest,
        actions: Sequence[Command],
        targets: Sequence[str],
        confirmed: frozenset[str],
    ) -> AgentResult:
        """Carry out planned actions; `confirmed` are the policy rules that the user confirmed."""
        plan = build_direct_plan(request, actions, targets)
        if not plan.calls:
            return refusal_answer(request, "nothing_at_all")
        return build_answer(request, await request.runner.async_run(plan, confirmed=confirmed))

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Carry out what the user confirmed.

        The plan is made anew and compared with the question: a stored plan is not trusted.
        """
        if question.data.get("tool"):
            return await async_use_confirmed(request, question)
        if question.actions:
            targets = dict.fromkeys(t for action in question.actions for t in action.targets)
            return await self._async_do(
                request, question.actions, tuple(targets), frozenset(question.rules)
            )
        text = str(question.data.get("text") or request.instruction)
        request = replace(request, instruction=text, intent=None)
        try:
            understood = await _async_read_intent(request)
        except PlanError as problem:
            return problem.answer(request)
        plan = await _async_plan(request, understood)
        if (
            plan is None
            or not plan.calls
            or set(map(_call_key, plan.calls)) != set(map(_call_key, question.calls))
        ):
            return refusal_answer(request, "nothing_at_all")
        return await self._async_hand_over(request, text, plan, frozenset(question.rules))

    async def _async_hand_over(
        self,
        request: AgentRequest,
        text: str,
        plan: Plan,
        confirmed: frozenset[str] = frozenset(),
    ) -> AgentResult:
        """Let Home Assistant answer if policies allow it; report the verified outcome where it differs."""
        if wakes_satellites(request, plan, text):
            return refusal_answer(request, "wakes")
        if any(find_lacking(request.hass, call) for call in plan.calls):
            # Home Assistant would start a script without its values.
            execution = await request.runner.async_run(plan, confirmed=confirmed)
            return build_answer(request, execution)
        native: list[intent.IntentResponse] = []

        async def do() -> bool:
            # In a fresh conversation, so that Home Assistant's memory cannot complete an unclear sentence.
            alone = not plan.intent_id or read_tags(text, request.language).refers
            native.append(await _async_converse(request, text, alone=alone))
            return _succeeded(native[0])

        execution = await request.runner.async_hand_over(plan, do, confirmed=confirmed)
        # Told with its names: Home Assistant would only say "Locked" of what a model put into words, and
        # "Activated" of any scene.
        is_scene = bool(plan.calls) and all(call.action == "scene.turn_on" for call in plan.calls)
        is_reworded = request.is_capable and text != request.spoken
        is_named = (is_scene or is_reworded) and any(result.done for result in execution.results)
        # Home Assistant says "Closing" of what was closed, too.
        made = [result for result in execution.results if result.outcomes]
        is_unchanged = bool(made) and not any(result.changed for result in made)
        is_told = (execution.ok and not is_unchanged) or (native and not _succeeded(native[0]))
        if native and is_told and not is_named:
            return _native_answer(request, native[0], execution)
        if request.runner.dry_run and not plan.calls:
            return AgentResult(success=True, content=request.language.say("would.plain"), plan=plan)
        return build_answer(request, execution)


def _reaches_nothing(request: AgentRequest, understood: Command | None) -> bool:
    """Return whether a dry run is for things of which none is there, which Home Assistant tells once it tries."""
    is_for_things = understood is not None and understood.name in _FOR_THINGS
    return request.runner.dry_run and is_for_things and not (understood and understood.targets)


def _finds_nothing(answer: AgentResult, plan: Plan) -> bool:
    """Return whether Home Assistant itself answers that it knows no answer, or nothing to do it with."""
    if answer.success or answer.native is None:
        return False
    is_nowhere = answer.error_code is intent.IntentResponseErrorCode.NO_VALID_TARGETS
    return not plan.calls or (is_nowhere and not any(call.targets for call in plan.calls))


def _only_sensed(request: AgentRequest) -> AgentResult | None:
    """Return the answer that what is named by its kind is there, and is only a sensor; None where it is not.

    Home Assistant says of a window without a motor that there is none.
    """
    kinds = [KINDS[kind] for kind in request.bounds.kinds if kind in KINDS]
    known = [
        entity
        for entity in request.catalog.by_domain.get("binary_sensor", ())
        if any(kind.includes(entity, None) for kind in kinds)
        and request.rights.may_read(entity.entity_id)
    ]
    places = request.bounds.places or {request.area_id}
    there = [each for each in known if not places.isdisjoint({each.area_id, each.floor_id})]
    if not (there or (known and not request.bounds.places)):
        return None
    return refusal_answer(request, "cannot", targets=describe_targets(request, there or known))


async def _async_not_understood(request: AgentRequest) -> AgentResult:
    """Return that nothing was understood: which words are not known, else in Home Assistant's own words.

    It is not handed over: Home Assistant's agent would act on guesses then, which no policy has seen.
    """
    language = request.language
    if unknown := unknown_words(request):
        content = language.say("plan.unknown_words", words=unknown)
    else:
        native = await async_error_text(request.hass, request.user_input.language)
        content = native or language.say("plan.not_understood")
    code = intent.IntentResponseErrorCode.NO_INTENT_MATCH
    return AgentResult(success=False, content=content, error_code=code, unknown=not unknown)


def _is_borne_out(request: AgentRequest, understood: Command) -> bool:
    """Return whether what an instruction comes to is what was said, where a model wrote the instruction.

    What Home Assistant recognises in the words as they were said was read before, and left to the model. What is
    put on a list is for a plan, too: Home Assistant takes any words for one item.
    """
    if request.intent is None and request.model:
        is_item = "item" in understood.parameters and "todo" in request.catalog.by_domain
        if is_item or (understood.targets and request.instruction == request.spoken):
            return False
    if request.instruction == request.spoken:
        return True
    return Grounding(request).bears_out(understood.targets)


async def _async_answer_by_model(request: AgentRequest) -> AgentResult:
    """Let a capable model answer a question about the home, or plan with all that no specialist is for."""
    if request.is_question:
        return await async_tell_by_model(request, HOME_AGENT_ID)
    by_domain = request.catalog.by_domain
    own = [table for table in tables() if not table.agent_id and table.name in by_domain]
    answer = await async_answer_by_model(request, HOME_AGENT_ID, own, _async_make)
    is_open = not (answer.success or answer.question or answer.results)
    if is_open and request.model and await async_has_acting_tools(request):
        # A script with fields is in no plan, nor what a server of somebody else's does.
        return await async_talk(request, request.model)
    return answer


async def _async_make(
    request: AgentRequest, chosen: Command, states: Sequence[State]
) -> list[ToolCall]:
    """Return the calls of an action that a model chose; what cannot do it is told by the check before a call."""
    return direct_calls(chosen, states[0].domain, states)


async def _async_plan(request: AgentRequest, understood: Command | None) -> Plan | None:
    """Return the plan for a sentence trigger if there is one, else for an intent; None for neither."""
    written = await async_find_trigger(request.hass, request.user_input, request.instruction)
    if written is not None:
        return build_trigger_plan(request, written)
    return build_home_plan(request, understood) if understood else None


def _call_key(call: ToolCall) -> str:
    """Return a key that is equal for calls with the same action, targets and data."""
    data = json.dumps(call.data, sort_keys=True, default=str)
    return f"{call.action} {sorted(call.targets)} {data}"


async def _async_read_intent(request: AgentRequest) -> Command | None:
    """Return the intent that was handed over, or that Home Assistant recognises by its sentences.

    Raises:
        PlanError: nothing that could carry it out is set up.
    """
    if request.intent:
        return _set_up(request, request.intent)
    result = await async_recognize(request.hass, request.user_input, request.instruction)
    house = request.house
    if result is None or (house and is_no_search(result, request.instruction, house)):
        return None
    return _set_up(request, to_recognized_intent(request.hass, result, request.area_id))


def _set_up(request: AgentRequest, recognized: Command) -> Command:
    """Return an intent that something is set up for; a sentence of an integration that is not is known, too.

    What has targets is set up.

    Raises:
        PlanError: nobody would carry it out.
    """
    if not (recognized.targets or find_intent_handler(request.hass, recognized.name)):
        raise PlanError("not_set_up", is_final=True)
    return recognized


async def _async_converse(
    request: AgentRequest, text: str, *, alone: bool
) -> intent.IntentResponse:
    """Return the response of Home Assistant's own agent, `alone` in a fresh conversation.

    Home Assistant resolves "it" from its own turns only, and turns of ours may lie between.
    """
    user_input = request.user_input
    conversation_id = user_input.conversation_id
    if alone:
        conversation_id = f"{conversation_id}-alone"
    result = await async_converse(
        request.hass,
        text,
        conversation_id,
        user_input.context,
        language=recognizer_language(user_input.language),
        agent_id=HOME_ASSISTANT_AGENT,
        device_id=user_input.device_id,
        satellite_id=user_input.satellite_id,
    )
    return result.response


def _succeeded(response: intent.IntentResponse) -> bool:
    """Return whether a response is not an error."""
    return response.response_type is not intent.IntentResponseType.ERROR


def _native_answer(
    request: AgentRequest, response: intent.IntentResponse, execution: PlanExecution
) -> AgentResult:
    """Return Home Assistant's own response as an answer.

    Of an error that it did not expect it says the words for the log: "Received invalid slot info for ...".
    """
    execution.mark_responded()
    said = str(response.speech.get("plain", {}).get("speech", ""))
    is_unexpected = response.error_code is intent.IntentResponseErrorCode.UNKNOWN
    return AgentResult(
        success=_succeeded(response),
        content=request.language.say("error") if is_unexpected else said,
        native=None if is_unexpected else response,
        plan=execution.plan,
        error_code=response.error_code or intent.IntentResponseErrorCode.UNKNOWN,
    )
