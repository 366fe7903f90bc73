"""The agents of last resort: one says what could not be done, one asks to hear it again."""

from typing import ClassVar

from homeassistant.helpers import intent

from ..const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID, GENERAL_AGENT_ID, HOME_AGENT_ID
from ..plans.models import AskUser
from .base import AgentRequest, Answer
from .clarifying import async_draft
from .models import AgentCard

# What is offered, by the agent that is asked after a yes.
_OFFERS = {GENERAL_AGENT_ID: "ask.offer_general", HOME_AGENT_ID: "ask.offer_home"}


class FallbackAgent:
    """Says what could not be done and what can."""

    card: ClassVar[AgentCard] = AgentCard(
        id=FALLBACK_AGENT_ID, name="Fallback", description="Answers what nobody else can."
    )

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Decline, and name the cause where there is one; say why nothing had to be done."""
        if request.is_settled:
            return Answer(success=True, content=request.words)
        codes = intent.IntentResponseErrorCode
        return Answer(
            success=False,
            content=request.words or request.language.say(request.decline or "fallback"),
            error_code=codes.FAILED_TO_HANDLE if request.decline else codes.NO_INTENT_MATCH,
            unknown=not request.decline,
        )


class ClarificationAgent:
    """Asks the user what was meant, and offers to ask somebody else."""

    card: ClassVar[AgentCard] = AgentCard(
        id=CLARIFICATION_AGENT_ID,
        name="Clarification",
        description="Asks when it is not clear what was meant.",
    )

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Ask, in the user's own words for it where there are any, else in a model's or in ours."""
        if request.words:
            return _asking(request.words)
        prompt = await async_draft(request) or request.language.say("ask.agent")
        if (offer := _OFFERS.get(request.offer)) is None:
            return _asking(prompt)
        return _asking(
            f"{prompt} {request.language.say(offer)}",
            {"offer": request.offer, "text": request.instruction},
        )


def _asking(prompt: str, offered: dict[str, str] | None = None) -> Answer:
    """Return the answer that asks what was meant; `offered` is what a yes to it would do."""
    question = AskUser(param="request", prompt=prompt, data=offered or {})
    return Answer(success=True, content=prompt, question=question, unknown=True)
