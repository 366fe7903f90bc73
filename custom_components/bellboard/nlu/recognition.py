"""What Home Assistant's recogniser understands, without anything being carried out."""

from dataclasses import replace
from typing import Any

from hassil.recognize import RecognizeResult
from homeassistant.components.conversation import ConversationInput, async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant

from ..plans.models import RecognizedIntent
from .intents import match_intent
from .sentence import has_many_words

START_TIMER = "HassStartTimer"
TELLING = frozenset(
    {
        "HassClimateGetTemperature",
        "HassGetCurrentDate",
        "HassGetCurrentTime",
        "HassGetState",
        "HassGetWeather",
        "HassNevermind",
        "HassRespond",
        "HassTimerStatus",
    }
)
"""Home Assistant's intents that only tell something, or are only talk."""

COMMAND_SLOT = "conversation_command"
"""Where Home Assistant keeps the words of a command that is for later."""


def is_delayed(found: RecognizedIntent | None) -> bool:
    """Return whether an intent is a command for later, and no mere timer."""
    return found is not None and found.name == START_TIMER and bool(found.slots.get(COMMAND_SLOT))


async def async_recognize(
    hass: HomeAssistant, user_input: ConversationInput, text: str, *, strict: bool = True
) -> RecognizeResult | None:
    """Return what Home Assistant understands of a text, or None.

    With `strict` only what it is sure of; else what its agent would do, which may be more. A text
    with many words is not looked at.
    """
    if has_many_words(text):
        return None
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent):
        return None
    result = await agent.async_recognize_intent(
        replace(user_input, text=text), strict_intents_only=strict
    )
    return None if result is None or result.unmatched_entities else result


async def async_is_trigger(hass: HomeAssistant, user_input: ConversationInput, text: str) -> bool:
    """Return whether an automation waits for a text: Home Assistant's agent lets it run before all else."""
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent) or has_many_words(text):
        return False
    found = await agent.async_recognize_sentence_trigger(replace(user_input, text=text))
    return found is not None


def recognized(
    hass: HomeAssistant, result: RecognizeResult, area_id: str | None
) -> RecognizedIntent:
    """Return a recognised intent with the exposed entities it is for; `area_id` is the speaker's.

    Without entities where it is for none, where it does not say which, and where they are not known.
    """
    slots = {slot: entity.value for slot, entity in result.entities.items()}
    found = resolved(hass, result.intent.name, slots, area_id)
    return replace(found, asks=result.response or "")


def resolved(
    hass: HomeAssistant, name: str, slots: dict[str, Any], area_id: str | None
) -> RecognizedIntent:
    """Return an intent with the exposed entities that its slots mean, if they are known."""
    if (matched := match_intent(hass, name, slots, area_id)) is None:
        return RecognizedIntent(name, slots)
    return RecognizedIntent(name, slots, matched.entity_ids, matched.is_ambiguous)
