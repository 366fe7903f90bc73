"""Fallback and clarification agent (RouterExecutor contract, FallbackAgentId and ClarificationAgentId)."""

from typing import ClassVar

from homeassistant.helpers import intent

from ..const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID, GENERAL_AGENT_ID, HOME_AGENT_ID
from ..memory.pending import SAID
from ..plans.models import AskUser
from .base import AgentRequest, AgentResult
from .clarification_draft import async_draft, read_draft
from .models import AgentCard

# Reply keys of the offer to ask another agent, by that agent's id.
_OFFERS = {GENERAL_AGENT_ID: "ask.offer_general", HOME_AGENT_ID: "ask.offer_home"}


class FallbackAgent:
    """Declines an instruction that no other agent takes, with the reason and what is possible."""

    card: ClassVar[AgentCard] = AgentCard(
        id=FALLBACK_AGENT_ID, name="Fallback", description="Answers what nobody else can."
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Decline with the cause, or give the settled answer of the request."""
        if request.is_settled:
            return AgentResult(success=True, content=request.words)
        codes = intent.IntentResponseErrorCode
        return AgentResult(
            success=False,
            content=request.words or request.language.say(request.decline or "fallback"),
            # What its owner says of it is a reason, too.
            error_code=codes.FAILED_TO_HANDLE
            if request.decline or request.words
            else codes.NO_INTENT_MATCH,
            unknown=not request.decline,
        )


class ClarificationAgent:
    """Asks the user what was meant, and offers to ask another agent."""

    card: ClassVar[AgentCard] = AgentCard(
        id=CLARIFICATION_AGENT_ID,
        name="Clarification",
        description="Asks when it is not clear what was meant.",
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Ask with the text of the options, else with a model's draft, else with the language's text."""
        if request.words:
            # What a model wrote is spoken only if it is a plain question.
            is_written = request.is_capable
            words = read_draft(request.words, request.language) if is_written else request.words
            asked = words or request.language.say("ask.agent")
            return _asking(asked, {SAID: request.instruction})
        prompt = await async_draft(request) or request.language.say("ask.agent")
        if (offer := _OFFERS.get(request.offer)) is None:
            return _asking(prompt)
        return _asking(
            f"{prompt} {request.language.say(offer)}",
            {"offer": request.offer, "text": request.instruction},
        )


def _asking(prompt: str, offered: dict[str, str] | None = None) -> AgentResult:
    """Return the answer with a question; `offered` is the agent and text of the offer in it."""
    question = AskUser(param="request", prompt=prompt, data=offered or {})
    return AgentResult(success=True, content=prompt, question=question, unknown=True)
