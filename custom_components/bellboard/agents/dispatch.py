"""Runs agents: the primary one first, the others after it, each within its time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
import logging
import time
from typing import Protocol, runtime_checkable

from ..llm.errors import (
    CircuitOpenError,
    ModelError,
    RateLimitedError,
    ServerFailedError,
    UnreachableError,
)
from ..nlu.loader import Language
from ..options import DispatchOptions
from ..plans.models import AskUser, PlannedAction
from .base import Agent, AgentRequest, Answer, Confirmable
from .models import AgentResponse
from .specialist import Specialist

_LOGGER = logging.getLogger(__name__)

# Failures that may be gone a moment later. A time-out is none: who waited that long has waited
# enough. All of them happen while planning, before anything is done, so that nothing is done twice.
_TRANSIENT = (UnreachableError, ServerFailedError, RateLimitedError)


@dataclass(frozen=True, slots=True)
class Dispatched:
    """An agent's answer, with the response that the contract asks for."""

    answer: Answer
    response: AgentResponse


async def async_dispatch(
    agent: Agent, request: AgentRequest, options: DispatchOptions
) -> Dispatched:
    """Let an agent answer an instruction, within its time, again after a transient failure.

    Whatever goes wrong becomes an answer in plain words; the log has one line with the cause.
    """
    return await async_bounded(
        agent.card.id, lambda: agent.async_answer(request), request.language, options
    )


async def async_resume(
    agent: Specialist,
    request: AgentRequest,
    question: AskUser,
    targets: Sequence[str],
    options: DispatchOptions,
) -> Dispatched:
    """Let an agent finish what it asked about, now that the targets are known."""
    return await async_bounded(
        agent.card.id,
        lambda: agent.async_resume(request, question, targets),
        request.language,
        options,
    )


async def async_confirm(
    agent: Confirmable, request: AgentRequest, question: AskUser, options: DispatchOptions
) -> Dispatched:
    """Let an agent do what it asked a yes for, now that it was given."""
    return await async_bounded(
        agent.card.id, lambda: agent.async_confirmed(request, question), request.language, options
    )


async def async_ask_again(
    agent: Specialist, request: AgentRequest, question: AskUser, options: DispatchOptions
) -> Dispatched:
    """Let an agent ask anew for the yes to a question that somebody may have changed."""
    return await async_bounded(
        agent.card.id, lambda: agent.async_asked_again(request, question), request.language, options
    )


@runtime_checkable
class Doer(Agent, Protocol):
    """An agent that carries out actions that are known already."""

    async def async_do(
        self, request: AgentRequest, actions: Sequence[PlannedAction], targets: Sequence[str]
    ) -> Answer:
        """Carry out actions on entities, and say what came of it."""
        ...


async def async_do(
    agent: Doer,
    request: AgentRequest,
    actions: Sequence[PlannedAction],
    targets: Sequence[str],
    options: DispatchOptions,
) -> Dispatched:
    """Let an agent carry out actions that are known already, on entities that are known already."""
    return await async_bounded(
        agent.card.id, lambda: agent.async_do(request, actions, targets), request.language, options
    )


def settled(agent_id: str, answer: Answer) -> Dispatched:
    """Return an answer for which nothing had to be waited."""
    return Dispatched(answer, _response(agent_id, answer, time.perf_counter()))


async def async_bounded(
    agent_id: str,
    answering: Callable[[], Awaitable[Answer]],
    language: Language,
    options: DispatchOptions,
) -> Dispatched:
    """Wait for an answer within its time, and turn what goes wrong into words.

    It is asked for again after a transient failure, as often as the options allow.
    """
    started = time.perf_counter()
    try:
        async with asyncio.timeout(options.default_timeout_ms / 1000):
            answer = await _async_retried(agent_id, answering, options)
    except TimeoutError:
        _LOGGER.warning("%s took longer than %s ms", agent_id, options.default_timeout_ms)
        answer = Answer(success=False, content=language.say("timeout"))
    except ModelError as err:
        _LOGGER.warning("%s could not ask the model: %s", agent_id, err)
        answer = Answer(success=False, content=language.say(f"model.{err.kind}"))
    except Exception:
        _LOGGER.exception("%s failed", agent_id)
        answer = Answer(success=False, content=language.say("error"))
    return Dispatched(answer, _response(agent_id, answer, started))


async def _async_retried(
    agent_id: str, answering: Callable[[], Awaitable[Answer]], options: DispatchOptions
) -> Answer:
    """Return the answer, asking again after transient failures as often as allowed.

    Raises:
        ModelError: the last attempt failed too, or the failure is not transient.
    """
    for attempt in range(options.max_retries):
        try:
            return await answering()
        except CircuitOpenError:
            # The server is left alone for longer than anybody waits here.
            raise
        except _TRANSIENT as err:
            _LOGGER.debug("%s asks again after attempt %s: %s", agent_id, attempt + 1, err)
            await asyncio.sleep(options.retry_delay_ms / 1000)
    return await answering()


def _response(agent_id: str, answer: Answer, started: float) -> AgentResponse:
    """Return the contract's response to an answer; `started` is a performance counter."""
    return AgentResponse(
        agent_id=agent_id,
        content=answer.content if answer.success else "",
        success=answer.success,
        error_message=None if answer.success else answer.content or "failed",
        execution_time_ms=int((time.perf_counter() - started) * 1000),
    )
