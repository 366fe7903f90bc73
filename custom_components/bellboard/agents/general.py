"""General agent: knowledge questions and talk; a capable model may use tools for them."""

from dataclasses import replace
from typing import ClassVar

from homeassistant.helpers import intent

from ..const import GENERAL_AGENT_ID
from ..llm.models import Message
from ..plans.models import AskUser, Plan, Respond
from .base import AgentRequest, AgentResult
from .hallucination_guard import (
    asks_about_home,
    asks_of_state,
    claims_about_home,
    claims_beyond_data,
)
from .models import AgentCard
from .offered_tools import async_use_confirmed
from .speech import spoken
from .tool_talk import async_talk, said_before

_MAX_TOKENS = 300
# In characters.
_MAX_DATA = 2000

_PROMPT = (
    "You are the voice of a home. Answer in one or two short spoken sentences, in the language of"
    " the question. You cannot control devices here: never say that you did."
)


class GeneralAgent:
    """Answers general questions with the text of a model, unless they are about the home."""

    card: ClassVar[AgentCard] = AgentCard(
        id=GENERAL_AGENT_ID,
        name="Conversation",
        description="Questions and talk.",
        talks=True,
        only_tells=True,
        offer="ask.offer_general",
        capabilities=("knowledge", "jokes"),
        examples=("who wrote Faust", "tell me a joke", "how do I boil an egg"),
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Return the model's text, or that the home's state is not known here.

        Raises:
            ModelError: the model could not be asked.
        """
        if request.model is None:
            return AgentResult(
                success=False,
                content=request.language.say("fallback"),
                error_code=intent.IntentResponseErrorCode.NO_INTENT_MATCH,
            )
        if request.data is None and not request.is_capable and asks_about_home(request):
            return _decline_home_question(request)
        if request.may_pass_on and asks_of_state(request) and not request.acts:
            # Whoever sees the home tells what is so, and why; what more is wanted than an answer is done with tools.
            no_match = intent.IntentResponseErrorCode.NO_INTENT_MATCH
            return replace(_decline_home_question(request), error_code=no_match)
        plan = Plan(intent_id="talk", agent_id=self.card.id, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        if request.is_capable and request.data is None:
            answer = await async_talk(request, request.model)
            execution.mark_responded()
            return answer
        completion = await request.model.complete(
            _messages(request), max_tokens=_MAX_TOKENS, timeout=request.timeout
        )
        content = spoken(completion.text)
        execution.mark_responded()
        # What was looked up or done may be told, and nothing else of the home.
        is_claim = claims_beyond_data if request.data is not None else claims_about_home
        if is_claim(request, content):
            return _decline_home_question(request)
        return AgentResult(
            success=bool(content), content=content or request.language.say("fallback")
        )

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Use the tool that a yes was given to."""
        return await async_use_confirmed(request, question)


def _messages(request: AgentRequest) -> list[Message]:
    """Return the messages of a talk: what is fixed first, then what was said, and the question last."""
    system = "\n".join(filter(None, [_PROMPT, request.persona]))
    asked = Message(role="user", content=_question(request))
    return [Message(role="system", content=system), *said_before(request), asked]


def _decline_home_question(request: AgentRequest) -> AgentResult:
    """Return the answer that the state of the home is not known here."""
    return AgentResult(success=False, content=request.language.say("plan.beyond"))


def _question(request: AgentRequest) -> str:
    """Return the user message: the instruction, and the data to answer it from if there are any."""
    if (data := request.data_as_json) is None:
        return request.instruction
    return f"{request.instruction}\n\nData: {data[:_MAX_DATA]}"
