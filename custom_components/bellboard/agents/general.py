"""General agent: knowledge questions and talk, answered by the model without access to the home."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
import logging
from typing import ClassVar

from homeassistant.helpers import intent

from ..const import GENERAL_AGENT_ID, HOME_AGENT_ID
from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..llm.models import Message
from ..plans.models import Plan, Respond
from .base import AgentRequest, AgentResult
from .hallucination_guard import (
    asks_about_home,
    claims_about_home,
    claims_to_act,
    may_state_reading,
    open_sentence,
)
from .models import AgentCard
from .speech import SpeechFilter, spoken

_LOGGER = logging.getLogger(__name__)

_MAX_TOKENS = 300
# In characters.
_MAX_DATA = 2000
_REMEMBERED_MESSAGES = 6

_PROMPT = (
    "You are the voice of a home. Answer in one or two short spoken sentences, in the language of"
    " the question. You cannot control devices here: never say that you did."
)


class GeneralAgent:
    """Answers general questions with the text of a model, unless they are about the home."""

    card: ClassVar[AgentCard] = AgentCard(
        id=GENERAL_AGENT_ID,
        name="Conversation",
        description="Questions and talk.",
        talks=True,
        takes_over=frozenset({HOME_AGENT_ID}),
        capabilities=("knowledge", "jokes"),
        examples=("who wrote Faust", "tell me a joke", "how do I boil an egg"),
    )

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Return the model's text, or that the home's state is not known here.

        Raises:
            ModelError: the model could not be asked.
        """
        if request.model is None:
            return AgentResult(
                success=False,
                content=request.language.say("fallback"),
                error_code=intent.IntentResponseErrorCode.NO_INTENT_MATCH,
            )
        if request.data is None and not request.is_capable and asks_about_home(request):
            return _decline_home_question(request)
        plan = Plan(intent_id="talk", agent_id=self.card.id, steps=(Respond(),))
        execution = await request.runner.async_run(plan)
        said = [
            Message(role=message.role, content=message.content)
            for message in request.history[-_REMEMBERED_MESSAGES:]
        ]
        messages = [
            Message(role="system", content=_PROMPT),
            *said,
            Message(role="user", content=_question(request)),
        ]
        content = await _async_said(request, messages)
        execution.mark_responded()
        claims = claims_to_act if request.is_capable else claims_about_home
        is_claim = claims(request, content)
        if request.data is None and is_claim:
            return _decline_home_question(request)
        return AgentResult(
            success=bool(content), content=content or request.language.say("fallback")
        )


async def _async_said(request: AgentRequest, messages: Sequence[Message]) -> str:
    """Return what the model says, spoken while it comes where a capable model answers alone.

    Raises:
        ModelError: the model could not be asked.
    """
    if request.model is None:
        return ""
    if request.voice and request.is_capable and request.data is None:
        return (await request.voice.async_speak(_words(request, request.model, messages))).strip()
    completion = await request.model.complete(
        messages, max_tokens=_MAX_TOKENS, timeout=request.timeout
    )
    return spoken(completion.text)


async def _words(
    request: AgentRequest, model: ModelClient, messages: Sequence[Message]
) -> AsyncGenerator[str]:
    """Yield the model's words as they come; a claim to have done something ends them.

    A sentence in which something is claimed is held back until it is whole.

    Raises:
        ModelError: the model could not be asked, before it said anything.
    """
    said = held = ""
    filter_ = SpeechFilter()
    stream = model.stream(messages, max_tokens=_MAX_TOKENS, timeout=request.timeout)
    try:
        async with aclosing(stream) as deltas:
            async for delta in deltas:
                held += filter_.feed(delta.text)
                if delta.finish_reason:
                    held += filter_.flush()
                begun = open_sentence(said) + held
                is_open = request.language.claims.are_in(open_sentence(begun))
                if is_open or may_state_reading(request, open_sentence(begun)):
                    continue
                if claims_to_act(request, begun):
                    break
                if held:
                    yield held
                said, held = said + held, ""
            if held:
                is_claim = claims_to_act(request, open_sentence(said) + held)
                yield f" {request.language.say('plan.beyond')}" if is_claim else held
    except ModelError as err:
        if not said:
            raise
        # What was said already cannot be taken back, nor said a second time.
        _LOGGER.warning("The model broke off: %s", err)
        yield f" {request.language.say(f'model.{err.kind}')}"


def _decline_home_question(request: AgentRequest) -> AgentResult:
    """Return the answer that the state of the home is not known here."""
    return AgentResult(success=False, content=request.language.say("plan.beyond"))


def _question(request: AgentRequest) -> str:
    """Return the user message: the instruction, and the data to answer it from if there are any."""
    if (data := request.data_as_json) is None:
        return request.instruction
    return f"{request.instruction}\n\nData: {data[:_MAX_DATA]}"
