"""Fallback and clarification agent (RouterExecutor contract, FallbackAgentId and ClarificationAgentId)."""

import logging
import re
from typing import ClassVar

from ..const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID
from ..llm.client import answers_within
from ..llm.errors import ModelError
from ..llm.models import Message
from ..llm.output import without_thoughts
from ..memory.pending import SAID
from ..nlu.loader import Language
from ..plans.models import AskUser
from .base import AgentRequest, AgentResult, declined_answer
from .models import AgentCard

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
    # What is offered to be done is no claim: "There is none here, shall I put that of the hall on?"
    offer = language.offers.read(question)
    if _NOT_SPOKEN.search(question) or language.claims.are_in(offer[0] if offer else question):
        return ""
    return question


def _one_line(text: str) -> str:
    """Return a text in one line, with unprintable characters as blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


class FallbackAgent:
    """Declines an instruction with the reason, and asks what was meant where nobody understood it."""

    card: ClassVar[AgentCard] = AgentCard(
        id=FALLBACK_AGENT_ID, name="Fallback", description="Answers what nobody else can."
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Give the settled answer of the request, decline it with the cause, or ask what was meant."""
        if request.has_reply:
            return AgentResult(success=True, content=request.words)
        if request.decline and not request.is_unknown:
            if request.words:
                return AgentResult(success=False, content=request.words)
            return declined_answer(request.language, request.decline)
        return await _async_ask(request)


class ClarificationAgent:
    """Asks the user what was meant, and offers to ask another agent."""

    card: ClassVar[AgentCard] = AgentCard(
        id=CLARIFICATION_AGENT_ID,
        name="Clarification",
        description="Asks when it is not clear what was meant.",
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Ask what the model that routes asks, else what was meant."""
        # What a model wrote is spoken only if it is a plain question.
        if request.question and (written := read_draft(request.question, request.language)):
            return _asking(written, {SAID: request.instruction})
        return await _async_ask(request)


async def _async_ask(request: AgentRequest) -> AgentResult:
    """Ask what was meant, and offer to ask another agent (orchestration, Unknown intent).

    It is asked with the text of the options, else with a model's draft, else with the language's text. That the model
    could not be asked is told instead, and ends it where nobody else can be: other words would not help.
    """
    language, offer, key = request.language, request.offer, request.decline or ""
    cause = language.say(key) if key else ""
    prompt = request.words or cause or await async_draft(request) or language.say("ask.agent")
    if offer is None:
        is_over = bool(cause) and not request.words
        return declined_answer(language, key) if is_over else _asking(prompt)
    return _asking(
        f"{prompt} {language.say(offer.key)}",
        {"offer": offer.agent_id, "text": request.instruction},
    )


def _asking(prompt: str, offered: dict[str, str] | None = None) -> AgentResult:
    """Return the answer with a question; `offered` is the agent and text of the offer in it."""
    question = AskUser(param="request", prompt=prompt, data=offered or {})
    return AgentResult(success=True, content=prompt, question=question, unknown=True)
