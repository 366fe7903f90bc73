"""Runs agents: the primary one first, the others after it, each within its time."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
import logging
import time

from ..llm.errors import ModelError
from ..plans.models import AskUser
from .base import Agent, AgentRequest, Answer
from .models import AgentResponse
from .specialist import Specialist

_LOGGER = logging.getLogger(__name__)

AGENT_SECONDS = 30.0
"""Time one agent may take (data model, DefaultTimeoutMs)."""


@dataclass(frozen=True, slots=True)
class Dispatched:
    """An agent's answer, with the response that the contract asks for."""

    answer: Answer
    response: AgentResponse


async def async_dispatch(
    agent: Agent, request: AgentRequest, seconds: float = AGENT_SECONDS
) -> Dispatched:
    """Let an agent answer an instruction, for `seconds` at the most.

    Whatever goes wrong becomes an answer in plain words; the log has one line with the cause.
    """
    return await _async_bounded(agent.card.id, agent.async_answer(request), request, seconds)


async def async_resume(
    agent: Specialist,
    request: AgentRequest,
    question: AskUser,
    target: str,
    seconds: float = AGENT_SECONDS,
) -> Dispatched:
    """Let an agent finish what it asked about, now that the target is known."""
    answer = agent.async_resume(request, question, target)
    return await _async_bounded(agent.card.id, answer, request, seconds)


async def _async_bounded(
    agent_id: str, answering: Awaitable[Answer], request: AgentRequest, seconds: float
) -> Dispatched:
    """Wait for an answer, for `seconds` at the most, and turn what goes wrong into words."""
    started = time.perf_counter()
    language = request.language
    try:
        async with asyncio.timeout(seconds):
            answer = await answering
    except TimeoutError:
        _LOGGER.warning("%s took longer than %s seconds", agent_id, seconds)
        answer = Answer(success=False, content=language.say("timeout"))
    except ModelError as err:
        _LOGGER.warning("%s could not ask the model: %s", agent_id, err)
        answer = Answer(success=False, content=language.say(f"model.{err.kind}"))
    except Exception:
        _LOGGER.exception("%s failed", agent_id)
        answer = Answer(success=False, content=language.say("error"))
    return Dispatched(answer, _response(agent_id, answer, started))


def _response(agent_id: str, answer: Answer, started: float) -> AgentResponse:
    """Return the contract's response to an answer; `started` is a performance counter."""
    return AgentResponse(
        agent_id=agent_id,
        content=answer.content if answer.success else "",
        success=answer.success,
        error_message=None if answer.success else answer.content or "failed",
        execution_time_ms=int((time.perf_counter() - started) * 1000),
    )
