"""A model that plans what the test says, and requests put to an agent directly."""

from collections.abc import Callable, Sequence
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.util import dt as dt_util
import pytest

from custom_components.bellboard.agents.base import AgentRequest
from custom_components.bellboard.agents.device_planner import ModelPlanner
from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.plans.runner import PlanRunner
from custom_components.bellboard.plans.tool_executor import ServiceExecutor
from custom_components.bellboard.policy.engine import Interaction, NullPolicyEngine
from custom_components.bellboard.routing.reading import ReadingRouter
from tests.servers import Message

type Answerer = Callable[[list[Message], dict[str, Any] | None], dict[str, Any] | str]


def planning(agent: str, *steps: dict[str, Any]) -> Answerer:
    """Return the answers of a model that chooses an agent and plans these steps."""

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any]:
        assert schema
        if "agentId" in schema["properties"]:
            return {"agentId": agent}
        return {"actions": list(steps)}

    return answer


def called(calls: Sequence[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Return recorded service calls as the action and its data."""
    return [(f"{call['domain']}.{call['service']}", call["service_data"]) for call in calls]


def shown(hass: HomeAssistant, entity_id: str, *names: str) -> dict[str, Any]:
    """Return the state and some attributes of an entity."""
    state = hass.states.get(entity_id)
    assert state
    return {name: state.state if name == "state" else state.attributes.get(name) for name in names}


type Ask = Callable[..., AgentRequest]


@pytest.fixture
async def ask(hass: HomeAssistant, house: ConfigEntry) -> Ask:
    """Return a function that makes a request to an agent, in the demo house."""
    source = CatalogSource(hass)
    catalog = await source.async_get()
    english = await async_get_language(hass, "en")
    words = await ReadingRouter(hass, source).async_house(english)

    def make(
        text: str,
        *,
        area: str | None = None,
        intent: Command | None = None,
        **options: Any,
    ) -> AgentRequest:
        place = ar.async_get(hass).async_get_area_by_name(area) if area else None
        values: dict[str, Any] = {
            "hass": hass,
            "instruction": text,
            "user_input": ConversationInput(
                text=text,
                context=Context(),
                conversation_id="talk",
                device_id=None,
                satellite_id=None,
                language="en",
                agent_id="conversation.bellboard",
            ),
            "language": english,
            "catalog": catalog,
            "house": words,
            "area_id": place.id if place else None,
            "intent": intent,
            "timeout": 5.0,
            "planner": ModelPlanner(),
            "runner": PlanRunner(
                hass=hass,
                context=Context(),
                executor=ServiceExecutor(hass),
                policy=NullPolicyEngine(),
                interaction=Interaction(
                    id="turn", session_id="talk", text=text, language="en", at=dt_util.now()
                ),
            ),
        }
        return AgentRequest(**values | options)

    return make
