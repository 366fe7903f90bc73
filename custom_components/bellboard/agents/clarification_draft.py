"""Clarification question drafted by a model, of which only a single plain question is spoken."""

import logging
import re

from ..llm.client import answers_within
from ..llm.errors import ModelError
from ..llm.models import Message
from ..llm.output import without_thoughts
from ..nlu.loader import Language
from .base import AgentRequest

_LOGGER = logging.getLogger(__name__)

_MAX_TOKENS = 40
# A user who waits longer for a question had better repeat the request.
_SECONDS = 4.0
_MAX_ASKED = 300
_MAX_SAID = 160
_MAX_WORD = 30

_PROMPT = (
    "A person said something to the voice of their home, and it is not clear what they want. Write"
    " one short question, of at most 15 words, that helps to find out. Write it in the language of"
    ' what was said ("{code}"). Do not answer, promise nothing, and never say that anything was done.'
)

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_QUOTES = " \"'“”„«»*_"
# Not for speech: marks of code and addresses, and numbers as long as a door's code.
_NOT_SPOKEN = re.compile(r"[<>{}\[\]|`\\@#/=]|\d{4}")


async def async_draft(request: AgentRequest) -> str:
    """Return the question drafted by a capable model; "" without one, while it is slow, or without a usable draft."""
    seconds = min(request.timeout, _SECONDS)
    if request.model is None or not request.is_capable:
        return ""
    if not answers_within(request.model, seconds):
        return ""
    asked = _one_line(request.instruction)[:_MAX_ASKED]
    try:
        completion = await request.model.complete(
            [
                Message(role="system", content=_PROMPT.format(code=request.language.code)),
                Message(role="user", content=asked),
            ],
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            timeout=seconds,
        )
    except ModelError as err:
        _LOGGER.debug("No question could be drafted: %s", err)
        return ""
    return read_draft(completion.text, request.language)


def read_draft(text: str, language: Language) -> str:
    """Return the first question in a model's text, or "" where there is none that may be spoken.

    It is one short sentence in plain words that does not claim that anything was or will be done.
    """
    line = _one_line(without_thoughts(text))
    sentences = (sentence.strip(_QUOTES) for sentence in _SENTENCE_END.split(line))
    question = next((sentence for sentence in sentences if sentence.endswith("?")), "")
    words = question.split()
    if len(words) < 2 or len(question) > _MAX_SAID or max(map(len, words)) > _MAX_WORD:
        return ""
    if _NOT_SPOKEN.search(question) or language.claims.are_in(question):
        return ""
    return question


def _one_line(text: str) -> str:
    """Return a text in one line, with unprintable characters as blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
