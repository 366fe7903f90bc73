"""Tool use: a model answers with the help of tools, in a bounded loop.

What a tool reads is shown to the model as JSON. What a tool does is done by an agent under the policies: its own
reply is said, and whatever it asks ends the loop.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
import json
from typing import Any, Protocol

from ..llm.client import ModelClient
from ..llm.models import Delta, FunctionCall, Message, Tool
from .base import AgentRequest, AgentResult

OUR_TOOLS = ACT, HISTORY, FORECAST, CALENDAR = "act", "history", "forecast", "calendar"
"""The names of Bellboard's own tools. What these tell and do is trusted, so that no tool of others has one of them."""
MOST_ROUNDS = 5
"""Rounds in which a model may ask for tools, in one answer."""
_MOST_CALLS = 8
# In characters: what is longer is cut.
_MOST_SHOWN = 6000
_MAX_TOKENS = 300


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a tool call: `data` for the model, and the `answer` of an agent that did something or asks.

    A tool that `acted` without an answer leaves the words to the model.
    """

    data: Mapping[str, Any]
    is_error: bool = False
    acted: bool = False
    answer: AgentResult | None = None


class AgentTool(Protocol):
    """A tool that an agent offers to its model."""

    @property
    def tool(self) -> Tool:
        """Return the tool as a model is told of it."""
        ...

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return what comes of the tool; arguments that do not fit are an error in the outcome, not raised."""
        ...


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call with its outcome; `shown` is what the model read of it."""

    call: FunctionCall
    outcome: ToolOutcome
    shown: str


@dataclass(frozen=True, slots=True)
class Words:
    """Some words of an answer: the model's, or the reply of an agent that did something (`is_reply`)."""

    text: str
    is_reply: bool = False


@dataclass(slots=True)
class ToolConversation:
    """One answer of a model that may use tools: what was asked so far, and which tools were used.

    `timeout` of a round is that of the request, in seconds.
    """

    request: AgentRequest
    model: ModelClient
    messages: list[Message]
    tools: Sequence[AgentTool]
    uses: list[ToolUse] = field(default_factory=list)

    @property
    def answers(self) -> list[AgentResult]:
        """Return the answers of agents that did something on the way."""
        return [use.outcome.answer for use in self.uses if use.outcome.answer]

    @property
    def used(self) -> frozenset[str]:
        """Return the names of the tools that told something."""
        return frozenset(use.call.name for use in self.uses if not use.outcome.is_error)

    @property
    def has_failed(self) -> bool:
        """Return whether something was to be done, and nothing was."""
        acted = [use.outcome for use in self.uses if use.call.name == ACT]
        return any(each.is_error for each in acted) and not any(each.answer for each in acted)

    @property
    def has_acted(self) -> bool:
        """Return whether a tool did something of which the model tells."""
        return any(use.outcome.acted for use in self.uses)

    @property
    def shown(self) -> str:
        """Return all that the model read of tools."""
        return "\n".join(use.shown for use in self.uses)

    async def async_words(self, *, streams: bool) -> AsyncGenerator[Words]:
        """Yield what the model says, with the replies of agents where they did something; it `streams` if it can.

        A question of an agent is the last.

        Raises:
            ModelError: the model could not be asked.
        """
        for number in range(MOST_ROUNDS + 1):
            said, calls = "", tuple[FunctionCall, ...]()
            async with aclosing(self._async_ask(streams=streams)) as deltas:
                async for delta in deltas:
                    said += delta.text
                    calls += delta.tool_calls
                    if delta.text:
                        yield Words(delta.text)
            if not calls or number == MOST_ROUNDS:
                return
            self.messages.append(Message(role="assistant", content=said, tool_calls=calls))
            for call in calls:
                use = await self._async_use(call, is_last=number == MOST_ROUNDS - 1)
                if answer := use.outcome.answer:
                    yield Words(answer.content, is_reply=True)
                    if answer.question:
                        return

    async def _async_ask(self, *, streams: bool) -> AsyncGenerator[Delta]:
        """Yield one round of the model's answer, as it comes or as a whole."""
        offered = [each.tool for each in self.tools]
        timeout = self.request.timeout
        if streams:
            stream = self.model.stream(
                self.messages, max_tokens=_MAX_TOKENS, tools=offered, timeout=timeout
            )
            async with aclosing(stream) as deltas:
                async for delta in deltas:
                    yield delta
            return
        completion = await self.model.complete(
            self.messages, max_tokens=_MAX_TOKENS, tools=offered, timeout=timeout
        )
        yield Delta(text=completion.text, tool_calls=completion.tool_calls)

    async def _async_use(self, call: FunctionCall, *, is_last: bool) -> ToolUse:
        """Call a tool once, note the call with its outcome, and return it; in the last round nothing can follow."""
        same = (use for use in self.uses if _key(use.call) == _key(call))
        known = next(same, None)
        outcome = known.outcome if known else await self._async_called(call)
        if known:
            # Nothing is done or said twice.
            outcome = ToolOutcome(outcome.data, outcome.is_error, outcome.acted)
        data = dict(outcome.data)
        if outcome.answer:
            data["note"] = (
                "The user was told so already. Answer with nothing, or with what else was wanted."
            )
        if is_last:
            data["hint"] = "No further tools: answer now."
        return self.note(call, ToolOutcome(data, outcome.is_error, outcome.acted, outcome.answer))

    def note(self, call: FunctionCall, outcome: ToolOutcome) -> ToolUse:
        """Note a call with its outcome, of which the model is told."""
        shown = json.dumps(outcome.data, ensure_ascii=False, default=str)[:_MOST_SHOWN]
        use = ToolUse(call, outcome, shown)
        self.uses.append(use)
        self.messages.append(Message(role="tool", content=shown, answers=call))
        return use

    async def _async_called(self, call: FunctionCall) -> ToolOutcome:
        """Return what comes of a call; one of no tool, or one too many, is an error that the model is told."""
        found = next((each for each in self.tools if each.tool.name == call.name), None)
        if found is None:
            return failed("There is no such tool.")
        if len(self.uses) >= _MOST_CALLS:
            return failed("Too many calls.")
        return await found.async_call(self.request, call.arguments)


def failed(cause: str) -> ToolOutcome:
    """Return the outcome of a call that came to nothing, with the cause for the model."""
    return ToolOutcome({"error": cause}, is_error=True)


def _key(call: FunctionCall) -> str:
    """Return a key that is equal for calls of one tool with the same arguments."""
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, default=str)}"
