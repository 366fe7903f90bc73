"""The action that tells who would answer a sentence, and why. Nothing is carried out."""

from dataclasses import asdict

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
import voluptuous as vol

from ..const import DOMAIN
from ..home.rights import async_rights
from ..nlu.loader import async_get_language
from ..tasks.memory import last_turn
from ..turn.decision import async_decide
from .explaining import explain
from .lookup import ATTR_ASSISTANT, ATTR_CONVERSATION_ID, find_assistant
from .sentence import SENTENCE_FIELDS, sentence_of

SERVICE_ROUTE = "route"


@callback
def async_register_route_action(hass: HomeAssistant) -> None:
    """Register the action. Anybody may ask who answers."""
    hass.services.async_register(
        DOMAIN,
        SERVICE_ROUTE,
        _async_route,
        vol.Schema({**SENTENCE_FIELDS}),
        supports_response=SupportsResponse.ONLY,
    )


async def _async_route(call: ServiceCall) -> ServiceResponse:
    """Return who would answer a sentence, and what its words say. Nothing is remembered."""
    hass, data = call.hass, call.data
    entity_id, assistant = find_assistant(hass, data.get(ATTR_ASSISTANT))
    conversation_id = data.get(ATTR_CONVERSATION_ID)
    task = assistant.tasks.get(conversation_id) if conversation_id else None
    sentence = sentence_of(call, entity_id)
    decision = await async_decide(assistant, sentence, memory=last_turn(task) if task else "")
    explanation = explain(
        sentence.text,
        route=decision.route,
        cards=decision.cards,
        language=await async_get_language(hass, sentence.language),
        catalog=await assistant.catalog.async_get(),
        rights=await async_rights(hass, sentence.context.user_id),
    )
    return {
        **decision.route.choice.as_json(),
        "explanation": asdict(explanation),
        "source": decision.source.value,
        "tier": decision.tier,
        "promptTokens": decision.use.usage.prompt_tokens,
        "cachedTokens": decision.use.usage.cached_tokens,
        "ms": decision.ms,
    }
