"""The tools that a capable model is offered for one request, and what a yes to one of them does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..llm.models import FunctionCall, Message, Tool, object_schema
from ..plans.models import AskUser
from .base import Act, AgentRequest, AgentResult
from .grounded_speech import GroundedSpeech
from .home_tools import home_tools
from .llm_api_tools import LlmApiTool, async_llm_api_tools
from .plan_answers import refusal_answer
from .tools import ACT, AgentTool, ToolConversation, ToolOutcome, failed

_LONGEST_INSTRUCTION = 300
_TELL = "The user was told nothing of it: say in one sentence that it was not done."
_TELL_PROMPT = """\
You are the voice of a home. Tell in one short spoken sentence, in the language of the user, what came of it."""


@dataclass(frozen=True, slots=True)
class ActTool:
    """Has something done by the agent that is for it: its plan is verified, judged and can be undone."""

    act: Act
    tool: ClassVar[Tool] = Tool(
        name=ACT,
        description=(
            "Have something done in the home (lights, music, heating, blinds, locks, timers, lists,"
            " scenes, calendar entries, reminders at a clock time): one instruction in plain words of"
            " the speaker's language, with names, rooms and values. Tells what was said of it."
        ),
        parameters=object_schema(
            {"instruction": {"type": "string", "maxLength": _LONGEST_INSTRUCTION}}
        ),
    )

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return what the agents said that carried an instruction out."""
        instruction = " ".join(str(arguments.get("instruction") or "").split())
        if not instruction:
            return failed("The instruction is missing.")
        answer = await self.act(instruction[:_LONGEST_INSTRUCTION])
        if not (answer.success or answer.results or answer.question):
            # Whoever talks knows better how to say why.
            return ToolOutcome({"done": False, "why": answer.content, "note": _TELL}, is_error=True)
        return ToolOutcome({"said": answer.content, "done": answer.success}, answer=answer)


async def async_tools(request: AgentRequest) -> list[AgentTool]:
    """Return the tools of a request. A question changes nothing, so that it only gets those that read."""
    of_apis = await async_llm_api_tools(request, request.llm_apis)
    if _only_asks(request):
        of_apis = [each for each in of_apis if _reads(each)]
        return [*home_tools(request), *of_apis]
    acting: list[AgentTool] = [ActTool(request.act)] if request.act else []
    return [*acting, *home_tools(request), *of_apis]


async def async_has_acting_tools(request: AgentRequest) -> bool:
    """Return whether a tool of an LLM API does something for a command."""
    if _only_asks(request):
        return False
    return not all(map(_reads, await async_llm_api_tools(request, request.llm_apis)))


def _only_asks(request: AgentRequest) -> bool:
    """Return whether only an answer is wanted, and nothing beside the question: "is there one? If so, reserve it"."""
    return request.is_question and not request.acts


def _reads(tool: AgentTool) -> bool:
    """Return whether a tool of an LLM API only reads."""
    return isinstance(tool, LlmApiTool) and tool.source.annotations.read_only


async def async_use_confirmed(request: AgentRequest, question: AskUser) -> AgentResult:
    """Return what comes of a tool that a yes was given to; one that is not offered any more is refused.

    Raises:
        ModelError: the model could not be asked what to say of it.
    """
    named = question.data.get("tool")
    for each in await async_llm_api_tools(request, request.llm_apis):
        if isinstance(each, LlmApiTool) and each.tool.name == named:
            outcome = await each.async_confirmed(request, question)
            return outcome.answer or await _async_told(request, question, each, outcome)
    return refusal_answer(request, "nothing_at_all")


async def _async_told(
    request: AgentRequest, question: AskUser, tool: LlmApiTool, outcome: ToolOutcome
) -> AgentResult:
    """Return what the model says of a tool that was used."""
    if request.model is None:
        return refusal_answer(request, "not_understood")
    call = FunctionCall(id="call_0", name=tool.tool.name, arguments=question.data["arguments"])
    messages = [
        Message(role="system", content=_TELL_PROMPT),
        Message(role="user", content=str(question.data.get("text"))),
        Message(role="assistant", content="", tool_calls=(call,)),
    ]
    conversation = ToolConversation(request, request.model, messages, [tool])
    conversation.note(call, outcome)
    return await GroundedSpeech(conversation).async_result()
