"""Hands instructions over: to another conversation agent, or to a script.

Whom an agent hands over to is named when it is registered. Nothing a model says changes it.
"""

from contextvars import ContextVar
from dataclasses import replace
import logging
from typing import Any

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    async_converse,
    async_get_agent,
)
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceNotFound, Unauthorized
from homeassistant.helpers import entity_registry as er, intent
from homeassistant.helpers.trace import script_execution_get
from homeassistant.util.async_ import create_eager_task
import voluptuous as vol

from ..domains.models import ErrorCode, ToolCall
from ..plans.models import AskUser, Plan
from .aggregation import compose
from .base import AgentRequest, Answer
from .home import HomeAgent
from .models import AgentCard
from .telling import answer_of, steps_of

_LOGGER = logging.getLogger(__name__)

SCRIPT_DOMAIN = "script"

_FINISHED = "finished"
# Why Home Assistant did not even begin to run a script.
_REFUSALS = frozenset({"failed_single", "failed_max_runs", "disallowed_recursion_detected"})

# The agents that are handing over right now, to notice when one is reached from itself.
_HANDING_OVER: ContextVar[frozenset[str]] = ContextVar("handing_over", default=frozenset())


class HandOverAgent:
    """Lets another conversation agent or a script answer."""

    def __init__(self, card: AgentCard, target: str) -> None:
        """Take the agent's card, and the entity id of the conversation agent or script."""
        self.card = card
        self.target = target

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Hand the instruction over and return what came of it."""
        if self.card.id in _HANDING_OVER.get():
            _LOGGER.warning("%s hands over to itself, in a circle", self.card.id)
            return self._failed(request, ErrorCode.FAILED)
        if self._is_home_assistant:
            return await HomeAgent().async_answer(request)
        return await self._async_if_allowed(request, self._plan(request), frozenset())

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> Answer:
        """Hand over what a question asked a yes for, now that it was given."""
        if self._is_home_assistant:
            return await HomeAgent().async_confirmed(request, question)
        text = str(question.data.get("text") or request.instruction)
        request = replace(request, instruction=text)
        return await self._async_if_allowed(request, self._plan(request), frozenset(question.rules))

    @property
    def _is_home_assistant(self) -> bool:
        """Return whether it hands over to Home Assistant's own agent, of which it is known what it does."""
        return self.target == HOME_ASSISTANT_AGENT

    def _plan(self, request: AgentRequest) -> Plan:
        """Return the plan to hand over, as policies see it."""
        domain, _, name = self.target.partition(".")
        if domain == SCRIPT_DOMAIN:
            call = ToolCall(action=f"{SCRIPT_DOMAIN}.{name}")
        else:
            call = ToolCall(action="conversation.process", data={"agent_id": self.target})
        return Plan(intent_id="hand_over", agent_id=self.card.id, steps=steps_of(request, (call,)))

    async def _async_if_allowed(
        self, request: AgentRequest, plan: Plan, confirmed: frozenset[str]
    ) -> Answer:
        """Hand over, unless a policy or a dry run keeps it from it."""
        answers: list[Answer] = []

        async def do() -> bool:
            # In a task of its own: chat sessions and script traces change their surroundings.
            answers.append(await create_eager_task(self._async_hand_over(request)))
            return answers[0].success

        execution = await request.runner.async_hand_over(plan, do, confirmed=confirmed)
        if answers:
            execution.said()
            return answers[0]
        return answer_of(request, execution)

    async def _async_hand_over(self, request: AgentRequest) -> Answer:
        """Ask the conversation agent or run the script."""
        _HANDING_OVER.set(_HANDING_OVER.get() | {self.card.id})
        if self.target.startswith(f"{SCRIPT_DOMAIN}."):
            return await self._async_run_script(request)
        return await self._async_converse(request)

    async def _async_converse(self, request: AgentRequest) -> Answer:
        """Return what the conversation agent says, in a conversation of its own."""
        if async_get_agent(request.hass, self.target) is None:
            return self._failed(request, ErrorCode.UNAVAILABLE)
        user_input = request.user_input
        result = await async_converse(
            request.hass,
            request.instruction,
            f"{user_input.conversation_id}-{self.card.id}",
            user_input.context,
            language=user_input.language,
            agent_id=self.target,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            extra_system_prompt=request.written_data,
        )
        response = result.response
        content = str(response.speech.get("plain", {}).get("speech") or "").strip()
        if response.response_type is intent.IntentResponseType.ERROR:
            if not content:
                return self._failed(request, ErrorCode.FAILED)
            code = response.error_code or intent.IntentResponseErrorCode.UNKNOWN
            return Answer(success=False, content=content, native=response, error_code=code)
        if not content:
            return self._done(request)
        question = AskUser(param="request", prompt=content)
        return Answer(
            success=True,
            content=content,
            native=response,
            question=question if result.continue_conversation else None,
        )

    async def _async_run_script(self, request: AgentRequest) -> Answer:
        """Run the script to its end and return what it says, or what became of it."""
        hass, user_input = request.hass, request.user_input
        if (service := _script_service(hass, self.target)) is None:
            return self._failed(request, ErrorCode.UNAVAILABLE)
        if not await _async_may_control(hass, user_input.context.user_id, self.target):
            return self._failed(request, ErrorCode.NOT_ALLOWED)
        variables = {
            "instruction": request.instruction,
            "language": user_input.language,
            "conversation_id": user_input.conversation_id,
            "device_id": user_input.device_id,
            "data": request.data,
        }
        try:
            response = await hass.services.async_call(
                SCRIPT_DOMAIN,
                service,
                variables,
                blocking=True,
                context=user_input.context,
                return_response=True,
            )
        except (HomeAssistantError, vol.Invalid) as err:
            # Only the kind of error: what integrations write into the text can hold anything.
            _LOGGER.warning("%s failed: %s", self.target, type(err).__name__)
            return self._failed(request, _code_of(err))
        # A script that was refused or broke off returns as if nothing had happened.
        if (ended := script_execution_get()) not in {_FINISHED, None}:
            _LOGGER.warning("%s did not run to its end: %s", self.target, ended)
            code = ErrorCode.INVALID if ended in _REFUSALS else ErrorCode.FAILED
            return self._failed(request, code)
        speech: Any = (response or {}).get("speech")
        if isinstance(speech, str) and speech.strip():
            return Answer(success=True, content=speech.strip())
        return self._done(request)

    def _done(self, request: AgentRequest) -> Answer:
        """Return the answer for what was done without a word."""
        fragment = request.language.say("done.script", name=self.card.name)
        content = request.language.sentence([fragment])
        return Answer(success=True, content=content, fragments=(fragment,))

    def _failed(self, request: AgentRequest, code: ErrorCode) -> Answer:
        """Return the answer for what could not be done."""
        failure = request.language.say(f"failed.{code}", targets=self.card.name)
        content = compose(request.language, (), [failure])
        return Answer(success=False, content=content, failures=(failure,))


def _script_service(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the name of the action that runs a script, or None where the script cannot be run.

    It is the script's key, which stays when its entity is renamed.
    """
    state = hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        return None
    entry = er.async_get(hass).async_get(entity_id)
    name = entry.unique_id if entry else entity_id.partition(".")[2]
    return name if hass.services.has_service(SCRIPT_DOMAIN, name) else None


async def _async_may_control(hass: HomeAssistant, user_id: str | None, entity_id: str) -> bool:
    """Return whether a user may control an entity; nobody in particular may."""
    if user_id is None:
        return True
    user = await hass.auth.async_get_user(user_id)
    return user is not None and user.permissions.check_entity(entity_id, POLICY_CONTROL)


def _code_of(err: Exception) -> ErrorCode:
    """Return the error code for what a script raised."""
    match err:
        case Unauthorized():
            return ErrorCode.NOT_ALLOWED
        case ServiceNotFound():
            return ErrorCode.UNSUPPORTED
        case _:
            return ErrorCode.FAILED
