"""General agent: knowledge questions and talk, answered by the model without access to the home."""

from typing import ClassVar

from homeassistant.helpers import intent

from ..const import GENERAL_AGENT_ID
from ..llm.models import Message
from ..plans.models import Plan, Respond
from .base import AgentRequest, AgentResult
from .hallucination_guard import asks_about_home, claims_about_home
from .models import AgentCard

_MAX_TOKENS = 300
# In characters.
_MAX_DATA = 2000
_REMEMBERED_MESSAGES = 6

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
        plan = Plan(intent_id="talk", agent_id=self.card.id, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        said = [
            Message(role=message.role, content=message.content)
            for message in request.history[-_REMEMBERED_MESSAGES:]
        ]
        messages = [
            Message(role="system", content=_PROMPT),
            *said,
            Message(role="user", content=_question(request)),
        ]
        completion = await request.model.complete(
            messages, max_tokens=_MAX_TOKENS, timeout=request.timeout
        )
        content = completion.text.strip()
        execution.mark_responded()
        claims = request.language.claims.search(content) if request.is_capable else None
        is_claim = bool(claims) if request.is_capable else claims_about_home(request, content)
        if request.data is None and is_claim:
            return _decline_home_question(request)
        return AgentResult(
            success=bool(content), content=content or request.language.say("fallback")
        )


def _decline_home_question(request: AgentRequest) -> AgentResult:
    """Return the answer that the state of the home is not known here."""
    return AgentResult(success=False, content=request.language.say("plan.beyond"))


def _question(request: AgentRequest) -> str:
    """Return the user message: the instruction, and the data to answer it from if there are any."""
    if (data := request.data_as_json) is None:
        return request.instruction
    return f"{request.instruction}\n\nData: {data[:_MAX_DATA]}"
