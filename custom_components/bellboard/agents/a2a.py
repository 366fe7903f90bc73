"""Agent that delegates to an agent elsewhere, over the A2A protocol (Agent2Agent).

The address is fixed when the agent is configured. What is sent is the instruction, what the step before
made, and the language: nothing of the house.
"""

from collections import OrderedDict
from dataclasses import replace
import logging
from typing import Protocol

from ..a2a.client import A2AClient
from ..a2a.errors import A2AError, TaskGoneError, TokenRefusedError
from ..a2a.models import AgentReply, RemoteState
from ..a2a.protocol import Outgoing
from ..domains.models import ToolCall
from ..plans.models import CONFIRM, AskUser, Plan
from .base import AgentRequest, AgentResult
from .handover import async_hand_over_if_allowed
from .models import AgentCard
from .plan_answers import build_steps
from .speech import speakable

_LOGGER = logging.getLogger(__name__)

SEND_ACTION = "a2a.send_message"
"""The action by which a policy names what is sent to such an agent; its data hold the `agent_id`."""
MAX_SPOKEN = 600
"""Characters of a reply at most."""
DEFAULT_SECONDS = 25.0
"""Seconds until a reply, by default less than an agent is given for its answer."""

# Of so many conversations the ids are kept.
_MOST_CONVERSATIONS = 100
# Keys of a question's data.
_CONTEXT_ID, _TASK_ID = "context_id", "task_id"

# Reply keys of the states in which a task ends without what was asked for.
_NOT_DONE = {
    RemoteState.FAILED: "failed",
    RemoteState.REJECTED: "rejected",
    RemoteState.CANCELED: "canceled",
}


type _Owned = tuple[str | None, str | None]


class OnToken(Protocol):
    """Hears whether an agent accepted the token it was sent."""

    def __call__(self, *, is_accepted: bool) -> None:
        """Note it."""
        ...


class A2AAgent:
    """Delegates instructions to an A2A agent."""

    def __init__(
        self,
        card: AgentCard,
        client: A2AClient,
        *,
        seconds: float = DEFAULT_SECONDS,
        on_token: OnToken | None = None,
    ) -> None:
        """Store the card for routers, and the client of the agent.

        `seconds` is how long the agent may take for a reply. `on_token` is told whether the agent accepted
        the token, or its lack, whenever that is known.
        """
        self.card = card
        self.client = client
        self._seconds = seconds
        self._on_token = on_token
        self._contexts: OrderedDict[_Owned, str] = OrderedDict()

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Delegate the instruction and return the outcome."""
        return await self._async_if_allowed(request, request.answers, frozenset())

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Delegate the instruction that the user confirmed."""
        text = str(question.data.get("text") or request.instruction)
        request = replace(request, instruction=text)
        return await self._async_if_allowed(request, question, frozenset(question.rules))

    async def _async_if_allowed(
        self, request: AgentRequest, question: AskUser | None, confirmed: frozenset[str]
    ) -> AgentResult:
        """Delegate, unless a policy denies it or the run is dry. `question` is the one that is answered."""
        message = self._message(request, question)
        call = ToolCall(action=SEND_ACTION, data={"agent_id": self.card.id})
        plan = Plan(
            intent_id="hand_over", agent_id=self.card.id, steps=build_steps(request, (call,))
        )
        result = await async_hand_over_if_allowed(
            request, plan, lambda: self._async_send(request, message), confirmed
        )
        if result.question and result.question.param == CONFIRM:
            # A policy asks whether it may be sent: an answer still belongs to its task then.
            return replace(result, question=_with_ids(result.question, message))
        return result

    def _message(self, request: AgentRequest, question: AskUser | None) -> Outgoing:
        """Return what is sent."""
        ids = question.data if question else {}
        context_id = ids.get(_CONTEXT_ID) or self._contexts.get(_owned(request), "")
        return Outgoing(
            text=request.instruction,
            data=request.data,
            language=request.user_input.language,
            context_id=str(context_id),
            task_id=str(ids.get(_TASK_ID) or ""),
        )

    async def _async_send(self, request: AgentRequest, message: Outgoing) -> AgentResult:
        """Send a message and return the outcome; a failure is one sentence and one line in the log."""
        try:
            reply = await self._async_reply(message)
        except A2AError as err:
            _LOGGER.warning("%s: %s", self.card.id, err)
            if isinstance(err, TokenRefusedError):
                self._note_token(is_accepted=False)
            return self._failed(request, err.kind)
        self._note_token(is_accepted=True)
        self._keep_context(_owned(request), reply.context_id)
        return self._result(request, reply)

    async def _async_reply(self, message: Outgoing) -> AgentReply:
        """Return the reply to a message; one to a task that is gone is sent as a new one.

        Raises:
            A2AError: there is none.
        """
        try:
            return await self.client.async_send(message, self._seconds)
        except TaskGoneError:
            if not message.task_id:
                raise
        anew = replace(message, context_id="", task_id="")
        return await self.client.async_send(anew, self._seconds)

    def _note_token(self, *, is_accepted: bool) -> None:
        """Tell whether the agent accepted the token."""
        if self._on_token:
            self._on_token(is_accepted=is_accepted)

    def _keep_context(self, key: _Owned, context_id: str) -> None:
        """Keep the id with which a speaker's conversation goes on at the agent."""
        if context_id:
            self._contexts[key] = context_id
            self._contexts.move_to_end(key)
            if len(self._contexts) > _MOST_CONVERSATIONS:
                self._contexts.popitem(last=False)

    def _result(self, request: AgentRequest, reply: AgentReply) -> AgentResult:
        """Return the outcome that a reply tells of."""
        content = speakable(reply.text, MAX_SPOKEN)
        match reply.state:
            case RemoteState.COMPLETED:
                return AgentResult(success=True, content=content or self._say(request, "done"))
            case RemoteState.INPUT_REQUIRED if content:
                question = _with_ids(AskUser(param="request", prompt=content), reply)
                return AgentResult(success=True, content=content, question=question)
            case RemoteState.AUTH_REQUIRED:
                return self._failed(request, "auth_required")
            case RemoteState.FAILED | RemoteState.REJECTED | RemoteState.CANCELED as state:
                _LOGGER.warning("%s: its task is %s", self.card.id, state)
                text = content or self._say(request, _NOT_DONE[state])
                return AgentResult(success=False, content=text)
            case state:
                _LOGGER.warning("%s: its task is %s, which cannot be answered", self.card.id, state)
                return self._failed(request, "bad_reply")

    def _failed(self, request: AgentRequest, key: str) -> AgentResult:
        """Return the answer for a failure, by the key of its cause."""
        return AgentResult(success=False, content=self._say(request, key))

    def _say(self, request: AgentRequest, key: str) -> str:
        """Return a sentence about the agent."""
        return request.language.say(f"a2a.{key}", name=self.card.name)


def _owned(request: AgentRequest) -> _Owned:
    """Return the key of a speaker's conversation: what the agent was told in it is theirs."""
    return request.user_input.context.user_id, request.user_input.conversation_id


def _with_ids(question: AskUser, ids: AgentReply | Outgoing) -> AskUser:
    """Return a question with the ids of what its answer belongs to."""
    data = {**question.data, _CONTEXT_ID: ids.context_id, _TASK_ID: ids.task_id}
    return question.model_copy(update={"data": data})
