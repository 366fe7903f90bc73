"""The agents of last resort: one says what could not be done, one asks to hear it again."""

from typing import ClassVar

from homeassistant.helpers import intent

from ..plans.models import AskUser
from .base import AgentRequest, Answer
from .models import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID, AgentCard


class FallbackAgent:
    """Says what could not be done and what can."""

    card: ClassVar[AgentCard] = AgentCard(
        id=FALLBACK_AGENT_ID, name="Fallback", description="Answers what nobody else can."
    )

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Decline, and name the cause where there is one."""
        codes = intent.IntentResponseErrorCode
        return Answer(
            success=False,
            content=request.words or request.language.say(request.decline or "fallback"),
            error_code=codes.FAILED_TO_HANDLE if request.decline else codes.NO_INTENT_MATCH,
        )


class ClarificationAgent:
    """Asks the user to say it another way."""

    card: ClassVar[AgentCard] = AgentCard(
        id=CLARIFICATION_AGENT_ID,
        name="Clarification",
        description="Asks when it is not clear what was meant.",
    )

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Ask."""
        prompt = request.words or request.language.say("ask.agent")
        return Answer(
            success=True, content=prompt, question=AskUser(param="request", prompt=prompt)
        )
