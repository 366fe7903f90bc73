"""Agents that delegate to another conversation agent of Home Assistant, or to a script.

The target is fixed when the agent is configured or registered. No model output changes it.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
import logging
from typing import Any

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
from .base import AgentRequest, AgentResult
from .home import HomeAgent
from .models import AgentCard
from .plan_answers import build_answer, build_steps, compose

_LOGGER = logging.getLogger(__name__)

SCRIPT_DOMAIN = "script"

_FINISHED = "finished"
# Script outcomes with which no step was run.
_REFUSALS = frozenset({"failed_single", "failed_max_runs", "disallowed_recursion_detected"})

# Ids of the agents that are delegating in this task, to detect a loop.
_HANDING_OVER: ContextVar[frozenset[str]] = ContextVar("handing_over", default=frozenset())


class HandOverAgent:
    """Delegates instructions to a conversation agent or a script."""

    def __init__(self, card: AgentCard, target: str) -> None:
        """Store the card, and the entity id of the conversation agent or script."""
        self.card = card.model_copy(update={"only_tells": True})
        self.target = target

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Delegate the instruction and return the outcome."""
        if self.card.id in _HANDING_OVER.get():
            _LOGGER.warning("%s hands over to itself, in a circle", self.card.id)
            return self._failed(request, ErrorCode.FAILED)
        if self._is_home_assistant:
            return await HomeAgent().async_answer(request)
        return await self._async_if_allowed(request, self._plan(request), frozenset())

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Delegate the instruction that the user confirmed."""
        if self._is_home_assistant:
            return await HomeAgent().async_confirmed(request, question)
        text = str(question.data.get("text") or request.instruction)
        request = replace(request, instruction=text)
        return await self._async_if_allowed(request, self._plan(request), frozenset(question.rules))

    @property
    def _is_home_assistant(self) -> bool:
        """Return whether the target is Home Assistant's own agent, whose intents can be planned."""
        return self.target == HOME_ASSISTANT_AGENT

    def _plan(self, request: AgentRequest) -> Plan:
        """Return the delegation as a plan, so that policies can check it."""
        domain, _, name = self.target.partition(".")
        if domain == SCRIPT_DOMAIN:
            call = ToolCall(action=f"{SCRIPT_DOMAIN}.{name}")
        else:
            call = ToolCall(action="conversation.process", data={"agent_id": self.target})
        return Plan(
            intent_id="hand_over", agent_id=self.card.id, steps=build_steps(request, (call,))
        )

    async def _async_if_allowed(
        self, request: AgentRequest, plan: Plan, confirmed: frozenset[str]
    ) -> AgentResult:
        """Delegate, unless the user may not run the script, a policy denies it or the run is dry."""
        if self.target.startswith(f"{SCRIPT_DOMAIN}.") and not request.rights.may_control(
            self.target
        ):
            return self._failed(request, ErrorCode.NOT_ALLOWED)
        return await async_hand_over_if_allowed(
            request,
            plan,
            # In its own task: chat sessions and script traces set context variables.
            lambda: create_eager_task(self._async_hand_over(request)),
            confirmed,
        )

    async def _async_hand_over(self, request: AgentRequest) -> AgentResult:
        """Call the conversation agent or run the script."""
        _HANDING_OVER.set(_HANDING_OVER.get() | {self.card.id})
        if self.target.startswith(f"{SCRIPT_DOMAIN}."):
            return await self._async_run_script(request)
        return await self._async_converse(request)

    async def _async_converse(self, request: AgentRequest) -> AgentResult:
        """Return the conversation agent's answer, from a conversation of its own."""
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
            extra_system_prompt=request.data_as_json,
        )
        response = result.response
        content = str(response.speech.get("plain", {}).get("speech") or "").strip()
        if response.response_type is intent.IntentResponseType.ERROR:
            if not content:
                return self._failed(request, ErrorCode.FAILED)
            code = response.error_code or intent.IntentResponseErrorCode.UNKNOWN
            return AgentResult(success=False, content=content, native=response, error_code=code)
        if not content:
            return self._done(request)
        question = AskUser(param="request", prompt=content)
        return AgentResult(
            success=True,
            content=content,
            native=response,
            question=question if result.continue_conversation else None,
        )

    async def _async_run_script(self, request: AgentRequest) -> AgentResult:
        """Run the script to its end and return its `speech`, or how it ended."""
        hass, user_input = request.hass, request.user_input
        if (service := _script_service(hass, self.target)) is None:
            return self._failed(request, ErrorCode.UNAVAILABLE)
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
            # Only the type: the text of an integration's error may hold anything.
            _LOGGER.warning("%s failed: %s", self.target, type(err).__name__)
            return self._failed(request, _code_of(err))
        # A script that was refused or aborted raises nothing.
        if (ended := script_execution_get()) not in {_FINISHED, None}:
            _LOGGER.warning("%s did not run to its end: %s", self.target, ended)
            code = ErrorCode.INVALID if ended in _REFUSALS else ErrorCode.FAILED
            return self._failed(request, code)
        speech: Any = (response or {}).get("speech")
        if isinstance(speech, str) and speech.strip():
            return AgentResult(success=True, content=speech.strip())
        return self._done(request)

    def _done(self, request: AgentRequest) -> AgentResult:
        """Return the answer for a success without a text of its own."""
        fragment = request.language.say("done.script", name=self.card.name)
        content = request.language.sentence([fragment])
        return AgentResult(success=True, content=content, fragments=(fragment,))

    def _failed(self, request: AgentRequest, code: ErrorCode) -> AgentResult:
        """Return the answer for a failure."""
        failure = request.language.say(f"failed.{code}", targets=self.card.name)
        content = compose(request.language, (), [failure])
        return AgentResult(success=False, content=content, failures=(failure,))


async def async_hand_over_if_allowed(
    request: AgentRequest,
    plan: Plan,
    answering: Callable[[], Awaitable[AgentResult]],
    confirmed: frozenset[str],
) -> AgentResult:
    """Return the answer of whom a plan hands over to, unless a policy denies it or the run is dry.

    `confirmed` are the policy rules that the user confirmed.
    """
    answers: list[AgentResult] = []

    async def do() -> bool:
        answers.append(await answering())
        return answers[0].success

    execution = await request.runner.async_hand_over(plan, do, confirmed=confirmed)
    if answers:
        execution.mark_responded()
        return answers[0]
    return build_answer(request, execution)


def _script_service(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the name of the service that runs a script, or None where it cannot be run.

    It is the script's key, which stays when its entity is renamed.
    """
    state = hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        return None
    entry = er.async_get(hass).async_get(entity_id)
    name = entry.unique_id if entry else entity_id.partition(".")[2]
    return name if hass.services.has_service(SCRIPT_DOMAIN, name) else None


def _code_of(err: Exception) -> ErrorCode:
    """Return the error code for what a script raised."""
    match err:
        case Unauthorized():
            return ErrorCode.NOT_ALLOWED
        case ServiceNotFound():
            return ErrorCode.UNSUPPORTED
        case _:
            return ErrorCode.FAILED
