"""What each reader makes of a sentence, word by word: Home Assistant's recogniser, the guards, and ours."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput

from ..assistant import Assistant
from ..home.catalog import CatalogEntity, Place
from ..nlu.lexicon import Noun, Sense
from ..nlu.loader import async_get_language
from ..nlu.ranges import NumberRange
from ..nlu.recognition import async_recognize, to_recognized_intent
from ..nlu.sentence import MAX_COMMAND, normalised
from ..nlu.spans import Span, cover_text
from ..nlu.targets import speaker_area
from ..routing.router import Part, RoutingRequest
from ..turn.decision import async_read_with
from .turns import part_as_json

# A word may have many senses; the first are likeliest.
_MOST_SENSES = 6


async def async_read_as_json(assistant: Assistant, user_input: ConversationInput) -> dict[str, Any]:
    """Return what the readers understand of a sentence, without asking a model. Nothing is carried out."""
    hass = assistant.hass
    user_input = replace(user_input, text=normalised(user_input.text))
    text = user_input.text
    language = await async_get_language(hass, user_input.language)
    area_id = speaker_area(hass, user_input.satellite_id, user_input.device_id)
    recognized = await async_recognize(hass, user_input, text)
    intent = to_recognized_intent(hass, recognized, area_id) if recognized else None
    house = await assistant.reader.async_house(language) if len(text) <= MAX_COMMAND else None

    async def read(request: RoutingRequest) -> list[Part]:
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
            {"reason": reason, "words": found[0]}
            for reason, pattern in language.guards.items()
            if (found := pattern.search(text))
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
