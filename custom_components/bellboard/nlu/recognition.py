"""Home Assistant's sentence recogniser, run without carrying out the intent."""

from dataclasses import replace
from typing import Any

from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult
from home_assistant_intents import get_languages
from homeassistant.components.conversation import ConversationInput, async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.const import STATE_HOME, STATE_NOT_HOME
from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..home.names import words_of
from .house import HomeLexicon
from .intents import match_intent
from .loader import Language, async_get_language, nearest_language
from .play import is_no_title
from .spans import cover_text
from .strict_recognition import async_prepare_recognition, async_recognize_strict
from .tokens import has_many_words

_NO_INTENT = "no_intent"
"""Key of Home Assistant's reply to what is not understood."""

GET_STATE, START_TIMER, BROADCAST = "HassGetState", "HassStartTimer", "HassBroadcast"
QUERY_INTENTS = frozenset(
    {
        "HassClimateGetTemperature",
        "HassGetCurrentDate",
        "HassGetCurrentTime",
        GET_STATE,
        "HassGetWeather",
        "HassNevermind",
        "HassRespond",
        "HassTimerStatus",
    }
)
"""Home Assistant's intents that report something or only respond, and change nothing."""

_LANGUAGES = tuple(sorted(get_languages()))

_FALLING_LIST = "volume_step_down"
"""The one list of Home Assistant's sentences whose numbers are multiplied by -1."""

COMMAND_SLOT = "conversation_command"
"""Slot of a timer intent with the sentence of a delayed command."""

SCHEDULE_SLOT, MESSAGE_SLOT, SPOKEN_SLOT, PARTS_SLOT = "schedule", "message", "spoken", "parts"
"""Slots of ours beside it: when it is to be done (`Schedule`), what is to be said then, whether its answer is, and what
it comes to, where that is known."""

REPLACED_SLOT, UNREAD_SLOT, ALSO_SLOT = "replaced", "unread", "also"
"""Slots with the id of the command for later that is cancelled once this one is planned, whether it was not
understood, and the slots of those that repeat beside it in the same sentence."""
ALERT_SLOT, TOLD_ON_SLOT = "alert", "told_on"
"""Slot with the kind of what is said then (`memory.delayed.Alert`)."""


def recognizer_language(code: str) -> str:
    """Return the language in which Home Assistant's agent is to read what was said in that of a code.

    Its agent keeps all sentences of a language by the code that it is asked with, for as long as it runs.
    """
    return nearest_language(code, _LANGUAGES)


async def async_prepare(hass: HomeAssistant, code: str) -> None:
    """Load Home Assistant's sentences of a language and index them."""
    if isinstance(agent := async_get_agent(hass), DefaultAgent):
        language = recognizer_language(code)
        await agent.async_prepare(language)
        await async_prepare_recognition(hass, agent, language)


def is_delayed(found: Command | None) -> bool:
    """Return whether an intent is a delayed command, and not a mere timer."""
    return (
        found is not None and found.name == START_TIMER and bool(found.parameters.get(COMMAND_SLOT))
    )


async def async_recognize(
    hass: HomeAssistant, user_input: ConversationInput, text: str
) -> RecognizeResult | None:
    """Return Home Assistant's recognition result of a text that matches one of its templates exactly, or None.

    Texts with too many words are not matched, and a result that is not what was said is none.
    """
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent) or has_many_words(text):
        return None
    language = recognizer_language(user_input.language)
    said = replace(user_input, text=text, language=language)
    result = await async_recognize_strict(hass, agent, said)
    if result is None or await _async_is_misread(hass, result, language):
        return None
    return result


def is_no_search(result: RecognizeResult, text: str, house: HomeLexicon) -> bool:
    """Return whether a result is a search for any words, where these are for a device: "put the hall light on low"."""
    slots = result.entities.keys()
    is_search = "search_query" in slots and "media_class" not in slots
    return is_search and is_no_title(cover_text(text, house))


async def async_error_text(hass: HomeAssistant, code: str) -> str:
    """Return Home Assistant's reply to what is not understood, in the language of a code; "" where it has none."""
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent):
        return ""
    intents = await agent.async_get_or_load_intents(recognizer_language(code))
    return str(intents.error_responses.get(_NO_INTENT, "")) if intents else ""


async def _async_is_misread(hass: HomeAssistant, result: RecognizeResult, language: str) -> bool:
    """Return whether a recognition result is not what was said."""
    if _has_wrong_sign(result):
        return True
    return _asks_for_unknown_zone(hass, result, await async_get_language(hass, language))


def _asks_for_unknown_zone(
    hass: HomeAssistant, result: RecognizeResult, language: Language
) -> bool:
    """Return whether a question is who is in a zone that the home does not have.

    Its sentences take any words for a zone: "who is the queen of the bees".
    """
    state = result.entities.get("state")
    if result.intent.name != GET_STATE or state is None or not state.is_wildcard:
        return False
    zones = (each.name for each in hass.states.async_all("zone"))
    known = {words_of(name) for name in (*zones, STATE_HOME, STATE_NOT_HOME)}
    return words_of(str(state.value)) not in known | language.at_home


def _has_wrong_sign(result: RecognizeResult) -> bool:
    """Return whether a number in words has not the sign of its list.

    hassil keeps the words of a range by its limits only: after "turn it down by ten", "forty percent" is -40
    for as long as Home Assistant runs, and where "forty percent" was said first, "down by ten" is 10.
    """
    sentence = result.intent_sentence
    is_falling = sentence is not None and _FALLING_LIST in (sentence.text or "")
    return any(
        bool(entity.value) and (entity.value < 0) is not is_falling
        for entity in result.entities.values()
        if _is_in_words(entity)
    )


def _is_in_words(entity: MatchEntity) -> bool:
    """Return whether an entity is a number that was said in words."""
    return isinstance(entity.value, int | float) and not any(map(str.isdigit, entity.text))


async def async_find_trigger(
    hass: HomeAssistant, user_input: ConversationInput, text: str
) -> frozenset[str] | None:
    """Return the sentences of triggers that a text is one of, as they are written; None where it is none.

    Home Assistant's agent runs those before all else.
    """
    agent = async_get_agent(hass)
    if not isinstance(agent, DefaultAgent) or has_many_words(text):
        return None
    found = await agent.async_recognize_sentence_trigger(replace(user_input, text=text))
    if found is None:
        return None
    sentences = (result.intent_sentence for result in found.matched_triggers.values())
    return frozenset(each.text for each in sentences if each is not None and each.text)


def to_recognized_intent(
    hass: HomeAssistant, result: RecognizeResult, area_id: str | None
) -> Command:
    """Return a recognition result as an intent with its exposed targets; `area_id` is the speaker's.

    Targets are empty for an intent without any, and where they are not known.
    """
    slots = {slot: entity.value for slot, entity in result.entities.items()}
    found = resolve_targets(hass, result.intent.name, slots, area_id)
    return replace(found, asks=result.response or "")


def resolve_targets(
    hass: HomeAssistant, name: str, slots: dict[str, Any], area_id: str | None
) -> Command:
    """Return an intent with the exposed entities that its slots match, if they are known."""
    is_named = slots.get("name") not in {None, "", "all"}
    if (matched := match_intent(hass, name, slots, area_id)) is None:
        return Command(name, slots, is_named=is_named)
    return Command(
        name,
        slots,
        matched.entity_ids,
        is_ambiguous=matched.is_ambiguous,
        is_named=is_named,
    )
