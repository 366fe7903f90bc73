"""Sentences that are read or tried in the panel: for an assistant, in a language, a room, and in somebody's name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..assistant import Assistant
from ..connections.model_roles import create_models, tested_contracts
from ..home.catalog import CatalogEntity, Place
from ..home.speaker import speaker_area
from ..memory.models import Caller
from ..nlu.lexicon import Noun, Sense
from ..nlu.loader import async_get_language
from ..nlu.ranges import NumberRange
from ..nlu.reading import read_tags
from ..nlu.recognition import async_recognize, to_recognized_intent
from ..nlu.spans import Span, cover_text
from ..nlu.tokens import MAX_COMMAND, normalised
from ..options import CATALOG, AssistantOptions, check_template
from ..routing.router import RoutedPart, RoutingRequest
from ..services.action import MOST_TEXT
from ..services.evaluate import device_in
from ..turn.decision import async_read_with
from ..turn.dry_run import create_dry_run
from ..turn.pipeline import async_take_turn
from .turns import answered_as_json, detail_as_json, part_as_json

ASSISTANT, TEXT, LANGUAGE, AREA, USER = "assistant", "text", "language", "area_id", "user_id"
CONVERSATION = "conversation_id"

FIELDS: VolDictType = {
    vol.Required(ASSISTANT): str,
    vol.Required(TEXT): vol.All(str, vol.Strip, vol.Length(min=1, max=MOST_TEXT)),
    vol.Optional(LANGUAGE): str,
    vol.Optional(AREA): vol.Any(None, str),
    vol.Optional(USER): vol.Any(None, str),
    vol.Optional(CONVERSATION): str,
}
"""Fields of a websocket command about a sentence; an area and a user are ids."""


def sentence_of(hass: HomeAssistant, msg: dict[str, Any], entity_id: str) -> ConversationInput:
    """Return the sentence of a command, as it would be said to the assistant with an entity id.

    Raises:
        ServiceValidationError: nothing is in the room that it could be said to.
    """
    area_id = msg.get(AREA)
    return ConversationInput(
        text=msg[TEXT],
        context=Context(user_id=msg.get(USER)),
        conversation_id=msg.get(CONVERSATION) or ulid_now(),
        device_id=device_in(hass, area_id) if area_id else None,
        satellite_id=None,
        language=msg.get(LANGUAGE) or hass.config.language,
        agent_id=entity_id,
    )


# A word may have many senses; the first are likeliest.
_MOST_SENSES = 6


async def async_read_as_json(assistant: Assistant, user_input: ConversationInput) -> dict[str, Any]:
    """Return the readings of a sentence, made without a model. Nothing is carried out."""
    hass = assistant.hass
    user_input = replace(user_input, text=normalised(user_input.text))
    text = user_input.text
    language = await async_get_language(hass, user_input.language)
    area_id = speaker_area(hass, user_input.satellite_id, user_input.device_id)
    recognized = await async_recognize(hass, user_input, text)
    intent = to_recognized_intent(hass, recognized, area_id) if recognized else None
    house = await assistant.reader.async_house(language) if len(text) <= MAX_COMMAND else None

    async def read(request: RoutingRequest) -> list[RoutedPart]:
        return await assistant.reader.async_read(request, text)

    return {
        "recognized": {
            "intent": recognized.intent.name,
            "slots": {name: str(each.value) for name, each in recognized.entities.items()},
            "targets": list(intent.targets) if intent else [],
            "template": recognized.intent_sentence.text if recognized.intent_sentence else None,
        }
        if recognized
        else None,
        "guards": [
            {"reason": reason, "words": words}
            for reason, words in read_tags(text, language).guards.items()
        ],
        "spans": [_span_as_json(span, text) for span in cover_text(text, house)] if house else [],
        "parts": [
            part_as_json(part) for part in await async_read_with(assistant, user_input, read)
        ],
    }


def _span_as_json(span: Span, text: str) -> dict[str, Any]:
    """Return a span with its words as they were said, and what they may mean; no sense means that nobody knows."""
    senses = list(dict.fromkeys(_senses(span)))
    return {
        "start": span.start,
        "end": span.end,
        "text": text[span.start : span.end],
        "is_mark": span.is_mark,
        "senses": [{"role": role, "value": value} for role, value in senses[:_MOST_SENSES]],
    }


def _senses(span: Span) -> Iterator[tuple[str, str]]:
    """Yield the role and the value of each sense."""
    for sense in span.senses:
        yield sense.role.value, _value(sense)


def _value(sense: Sense) -> str:
    """Return the value of a sense as it is shown."""
    match sense.value:
        case None:
            return ""
        case CatalogEntity(entity_id=entity_id):
            return entity_id
        case Place(names=names):
            return names[0]
        case Noun(kind=kind):
            return kind
        case NumberRange(low=low, high=high, unit=unit):
            return f"{low:g}–{high:g} {unit}".strip()
        case float() as number:
            return f"{number:g}"
        case other:
            return str(other)


THRESHOLD, MODEL, PROMPT, CONTRACT = "threshold", "model", "system_prompt", "contract"


def _prompt(text: Any) -> str:
    """Check that a text can be the router's system prompt."""
    try:
        return check_template(str(text), CATALOG)
    except ValueError as err:
        raise vol.Invalid(str(err)) from err


CHANGES: VolDictType = {
    vol.Optional(THRESHOLD): vol.All(vol.Coerce(float), vol.Range(0, 1)),
    vol.Optional(MODEL): str,
    vol.Optional(PROMPT): _prompt,
    vol.Optional(CONTRACT): vol.In(("auto", "small", "capable")),
}
"""What may be other than in the assistant's options, for one try."""


async def async_try_as_json(
    assistant: Assistant,
    entry: ConfigEntry,
    user_input: ConversationInput,
    changes: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the result that a sentence would have, in the form of a turn, with its readings.

    The conversation of whom it is tried for goes on from where it is, and stays there.
    """
    caller = Caller(user_input.context.user_id)
    task = await assistant.tasks.async_find(str(user_input.conversation_id), caller=caller)
    if task:
        user_input = replace(user_input, conversation_id=task.session_id)
    tried = create_dry_run(_changed(assistant, entry, changes), task)
    result = await async_take_turn(tried, user_input, dry_run=True)
    trace = result.record
    return {
        "utterance": trace.utterance,
        "reply": result.text,
        "state": result.state.value,
        "ms": trace.ms,
        **answered_as_json(trace),
        **detail_as_json(assistant.hass, tried, trace),
        "reading": await async_read_as_json(assistant, user_input),
    }


def _changed(assistant: Assistant, entry: ConfigEntry, changes: Mapping[str, Any]) -> Assistant:
    """Return an assistant with other options, and the models of these."""
    routers = {"confidence_threshold": THRESHOLD, "system_prompt": PROMPT}
    router = {name: changes[key] for name, key in routers.items() if key in changes}
    whole: dict[str, Any] = {name: changes[name] for name in (MODEL, CONTRACT) if changes.get(name)}
    if router:
        whole["router"] = assistant.options.router.model_copy(update=router)
    if not whole:
        return assistant
    options: AssistantOptions = assistant.options.model_copy(update=whole)
    if not {MODEL, CONTRACT} & whole.keys():
        return replace(assistant, options=options)
    models = create_models(assistant.hass, entry, options, tested_contracts(entry))
    return replace(assistant, options=options, models=models)
