"""The home agent: everything else Home Assistant understands, done by Home Assistant's own agent."""

from typing import ClassVar

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT, async_converse
from homeassistant.helpers import intent

from .base import AgentRequest, Answer
from .models import HOME_AGENT_ID, AgentCard


class HomeAgent:
    """Hands an instruction to Home Assistant's own conversation agent, in the same conversation."""

    card: ClassVar[AgentCard] = AgentCard(
        id=HOME_AGENT_ID,
        name="Home Assistant",
        description="All else in the home.",
        capabilities=("blinds", "locks", "timers", "lists", "time", "weather"),
        examples=("close the blinds", "add milk to my list", "set a timer for 5 minutes"),
    )

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Return Home Assistant's own answer."""
        user_input = request.user_input
        conversation_id = user_input.conversation_id
        if request.language.references.refers(request.instruction):
            # Home Assistant remembers "it" from its own turns only, and ours may have been between.
            conversation_id = f"{conversation_id}-alone"
        result = await async_converse(
            request.hass,
            request.instruction,
            conversation_id,
            user_input.context,
            language=user_input.language,
            agent_id=HOME_ASSISTANT_AGENT,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
        )
        response = result.response
        success = response.response_type is not intent.IntentResponseType.ERROR
        return Answer(
            success=success,
            content=str(response.speech.get("plain", {}).get("speech", "")),
            native=response,
            error_code=response.error_code or intent.IntentResponseErrorCode.UNKNOWN,
        )
