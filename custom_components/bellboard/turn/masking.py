"""Masks the codes of the house in what is said though nobody asked for a code, before anybody reads it."""

import asyncio
from collections.abc import Callable, Iterator
import logging
from typing import Any
import unicodedata

from homeassistant.core import HomeAssistant

from ..nlu.codes import MASK, async_get_spoken_numbers, find_spelled, masked
from ..nlu.spoken_numbers import SpokenNumbers
from ..nlu.tokens import MAX_CHARACTERS, is_too_long
from ..policy.codes import CodeLock, code_lock
from ..routing.next_models import TaskEnvelopeV2
from .context import TurnContext

_LOGGER = logging.getLogger(__name__)

# What was said in a task, or is to be told to agents. Its data are nobody's words.
_SAID = frozenset({"instruction", "original_query", "action", "reasoning"})
_DATA = "input"


async def async_without_codes(hass: HomeAssistant, text: str) -> str:
    """Return a normalised sentence with a mask for each code in it, whosever it is; as it is without any codes.

    A code in words is found in whatever language it is said.
    """
    lock = code_lock(hass)
    return _masked(lock, text, await async_get_spoken_numbers(hass)) if lock.codes else text


async def async_reveal_code_answer(context: TurnContext) -> TurnContext:
    """Return the context with what was withheld, but for codes in it: it was no answer to the question for one."""
    text = await async_without_codes(context.assistant.hass, context.unread_code_answer)
    context.record.utterance = text
    if context.on_masked:
        context.on_masked(text)
    return context.with_code_answer(text)


async def async_task_without_codes(hass: HomeAssistant, task: TaskEnvelopeV2) -> TaskEnvelopeV2:
    """Return a task with a mask for each code in what was said, or is to be told; as it is without any codes."""
    lock = code_lock(hass)
    if not lock.codes:
        return task
    numbers = await async_get_spoken_numbers(hass)
    written = task.as_json()
    masks: dict[str, str] = {}
    for text in dict.fromkeys(_said_in(written)):
        masks[text] = _masked(lock, text, numbers)
        # A task has as many texts as its size allows, and each is looked through.
        await asyncio.sleep(0)
    return TaskEnvelopeV2.model_validate(_masked_in(written, masks.__getitem__))


def _masked(lock: CodeLock, text: str, numbers: SpokenNumbers) -> str:
    """Return a text with a mask for each code; one that is too long to be read is masked whole, and stays too long."""
    if is_too_long(text):
        return MASK * MAX_CHARACTERS
    composed = unicodedata.normalize("NFC", text)
    spelled = list(find_spelled(composed, numbers, lock.codes.lengths))
    # Each is looked at once, however often it was said, or can be read.
    said = dict.fromkeys(place.digits for place in spelled)
    is_masked = {digits: lock.is_to_be_masked(digits) for digits in said}
    places = [place for place in spelled if is_masked[place.digits]]
    if not places:
        return text
    _LOGGER.info("What is a code, or may be one, was said where none was asked for: it is masked")
    return masked(composed, places)


def _said_in(value: Any) -> Iterator[str]:
    """Yield what was said in a JSON value of a task."""
    if isinstance(value, list):
        for each in value:
            yield from _said_in(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key in _SAID and isinstance(each, str):
                yield each
            elif key != _DATA:
                yield from _said_in(each)


def _masked_in(value: Any, mask: Callable[[str], str]) -> Any:
    """Return a JSON value of a task with what was said in it masked."""
    if isinstance(value, list):
        return [_masked_in(each, mask) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: mask(each)
        if key in _SAID and isinstance(each, str)
        else each
        if key == _DATA
        else _masked_in(each, mask)
        for key, each in value.items()
    }
