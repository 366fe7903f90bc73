"""What Home Assistant's recogniser understands, without anything being carried out."""

from dataclasses import replace
from typing import Any

from hassil.recognize import RecognizeResult
from homeassistant.components.conversation import ConversationInput, async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant

from ..home.intents import match_intent
from .models import RecognizedIntent


async def async_recognize(
    hass: HomeAssistant, user_input: ConversationInput, text: str, *, strict: bool = True
) -> RecognizeResult | None:
    """Return what Home Assistant understands of a text, or None.

    With `strict` only what it is sure of; else what its agent would do, which may be more.
    """
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent):
        return None
    result = await agent.async_recognize_intent(
        replace(user_input, text=text), strict_intents_only=strict
    )
    return None if result is None or result.unmatched_entities else result


def recognized(
    hass: HomeAssistant, result: RecognizeResult, area_id: str | None
) -> RecognizedIntent:
    """Return a recognised intent with the exposed entities it is for; `area_id` is the speaker's.

    Without entities where it is for none, where it does not say which, and where they are not known.
    """
    slots = {slot: entity.value for slot, entity in result.entities.items()}
    return resolved(hass, result.intent.name, slots, area_id)


def resolved(
    hass: HomeAssistant, name: str, slots: dict[str, Any], area_id: str | None
) -> RecognizedIntent:
    """Return an intent with the exposed entities that its slots mean, if they are known."""
    if (matched := match_intent(hass, name, slots, area_id)) is None:
        return RecognizedIntent(name, slots)
    return RecognizedIntent(name, slots, matched.entity_ids, matched.is_ambiguous)
