"""The registry of agents, and dispatch of an instruction to one of them (Data model).

A time-out, what is retried, and each failure become an answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
import logging
import time
from typing import Protocol, runtime_checkable

from ..const import FALLBACK_AGENT_ID
from ..domains.models import Command
from ..llm.errors import (
    CircuitOpenError,
    ModelError,
    OrchestratorError,
    RateLimitedError,
    ServerFailedError,
    UnreachableError,
)
from ..nlu.loader import Language
from ..options import DispatchOptions
from ..plans.models import AskUser
from .base import Agent, AgentRequest, AgentResult, Confirmable
from .models import AgentCard, AgentResponse
from .specialist import Specialist

_LOGGER = logging.getLogger(__name__)

# Failures that are retried. A time-out is not: the user has waited long enough. All of them happen
# while planning, before any tool call, so that a retry repeats no action.
_TRANSIENT = (UnreachableError, ServerFailedError, RateLimitedError)
# Of an agent's time, for its calls: the rest is for telling what came of them.
_SHARE_FOR_CALLS = 0.9


@dataclass(frozen=True, slots=True)
class Dispatched:
    """An agent's answer, with its AgentResponse of the contract; `model` is what was asked for it, "" for none."""

    answer: AgentResult
    response: AgentResponse
    model: str = ""


async def async_dispatch(
    agent: Agent, request: AgentRequest, options: DispatchOptions
) -> Dispatched:
    """Let an agent answer an instruction, with the time-out and retries of the options.

    Any failure becomes an answer with an apology; the log has one line with the cause.
    """
    request = _with_deadline(request, options)
    return await async_bounded(
        agent.card.id, lambda: agent.async_answer(request), request.language, options
    )


async def async_confirm(
    agent: Confirmable, request: AgentRequest, question: AskUser, options: DispatchOptions
) -> Dispatched:
    """Let an agent carry out what the user confirmed."""
    request = _with_deadline(request, options)
    return await async_bounded(
        agent.card.id, lambda: agent.async_confirmed(request, question), request.language, options
    )


async def async_ask_again(
    agent: Specialist, request: AgentRequest, question: AskUser, options: DispatchOptions
) -> Dispatched:
    """Let an agent ask for confirmation again, of a stored question that may be outdated."""
    request = _with_deadline(request, options)
    return await async_bounded(
        agent.card.id, lambda: agent.async_asked_again(request, question), request.language, options
    )


@runtime_checkable
class ActionAgent(Agent, Protocol):
    """An agent that carries out planned actions, without an instruction to interpret."""

    async def async_do(
        self, request: AgentRequest, actions: Sequence[Command], targets: Sequence[str]
    ) -> AgentResult:
        """Carry out actions on target entities, and return the outcome."""
        ...


async def async_do(
    agent: ActionAgent,
    request: AgentRequest,
    actions: Sequence[Command],
    targets: Sequence[str],
    options: DispatchOptions,
) -> Dispatched:
    """Let an agent carry out planned actions, or those that it asked about, on target entities."""
    request = _with_deadline(request, options)
    return await async_bounded(
        agent.card.id, lambda: agent.async_do(request, actions, targets), request.language, options
    )


def as_dispatched(agent_id: str, answer: AgentResult) -> Dispatched:
    """Return an answer that was made without dispatching, with its response."""
    return Dispatched(answer, _response(agent_id, answer, time.perf_counter()))


def _with_deadline(request: AgentRequest, options: DispatchOptions) -> AgentRequest:
    """Return a request whose calls end early enough for the agent to tell, in its time, what came of them."""
    seconds = options.default_timeout_ms / 1000 * _SHARE_FOR_CALLS
    deadline = asyncio.get_running_loop().time() + seconds
    return replace(request, runner=replace(request.runner, deadline=deadline))


async def async_bounded(
    agent_id: str,
    answering: Callable[[], Awaitable[AgentResult]],
    language: Language,
    options: DispatchOptions,
) -> Dispatched:
    """Await an answer within its time-out, and turn failures into answers."""
    started = time.perf_counter()
    cause = ""
    try:
        async with asyncio.timeout(options.default_timeout_ms / 1000):
            answer = await _async_retried(agent_id, answering, options)
    except TimeoutError:
        cause = f"took longer than {options.default_timeout_ms} ms"
        _LOGGER.warning("%s %s", agent_id, cause)
        answer = AgentResult(success=False, content=language.say("timeout"))
    except ModelError as err:
        cause = str(err)
        _LOGGER.warning("%s could not ask the model: %s", agent_id, cause)
        answer = AgentResult(success=False, content=language.say(f"model.{err.kind}"))
    except Exception as err:
        failure = OrchestratorError(agent_id, err)
        cause = str(failure)
        _LOGGER.exception("%s", cause, exc_info=failure)
        answer = AgentResult(success=False, content=language.say("error"))
    return Dispatched(answer, _response(agent_id, answer, started, cause))


async def _async_retried(
    agent_id: str, answering: Callable[[], Awaitable[AgentResult]], options: DispatchOptions
) -> AgentResult:
    """Return the answer, retried after transient failures up to `max_retries` times.

    Raises:
        ModelError: the last attempt failed, or the failure is not transient.
    """
    for attempt in range(options.max_retries):
        try:
            return await answering()
        except CircuitOpenError:
            # The circuit stays open for longer than any retry waits.
            raise
        except _TRANSIENT as err:
            _LOGGER.debug("%s asks again after attempt %s: %s", agent_id, attempt + 1, err)
            await asyncio.sleep(options.retry_delay_ms / 1000)
    return await answering()


def _response(agent_id: str, answer: AgentResult, started: float, cause: str = "") -> AgentResponse:
    """Return the AgentResponse of an answer; `started` is a performance counter in seconds.

    Its error message is the `cause` where the agent could not answer at all, else what is said of the failure.
    """
    return AgentResponse(
        agent_id=agent_id,
        content=answer.content if answer.success else "",
        success=answer.success,
        error_message=None if answer.success else cause or answer.content or "failed",
        execution_time_ms=int((time.perf_counter() - started) * 1000),
    )


class AgentRegistry(Protocol):
    """The agents of an assistant, in an order; they can be added and removed at any time."""

    def __iter__(self) -> Iterator[Agent]:
        """Iterate over the agents, which may change meanwhile."""
        ...

    def register(self, agent: Agent) -> None:
        """Add an agent, or replace the one with the same id."""
        ...

    def deregister(self, agent_id: str) -> None:
        """Remove an agent; one that is not there is no error."""
        ...

    def get(self, agent_id: str) -> Agent | None:
        """Return an agent, or None where there is none with that id."""
        ...

    def agent_for(self, agent_id: str) -> Agent:
        """Return an agent, or the fallback agent where it is gone by now."""
        ...

    def cards(self, domains: Iterable[str]) -> list[AgentCard]:
        """Return the cards of the agents in scope, for the entity `domains` that are exposed."""
        ...


class AgentsById:
    """Registry that keeps agents by id, in the order of registration; they can be added and removed at any time."""

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        """Register the initial agents."""
        self._agents: dict[str, Agent] = {}
        for agent in agents:
            self.register(agent)

    def __iter__(self) -> Iterator[Agent]:
        """Iterate over the agents."""
        return iter(tuple(self._agents.values()))

    def register(self, agent: Agent) -> None:
        """Add an agent, or replace the one with the same id."""
        self._agents[agent.card.id] = agent

    def deregister(self, agent_id: str) -> None:
        """Remove an agent; one that is not there is no error."""
        self._agents.pop(agent_id, None)

    def get(self, agent_id: str) -> Agent | None:
        """Return an agent, or None where there is none with that id."""
        return self._agents.get(agent_id)

    def agent_for(self, agent_id: str) -> Agent:
        """Return an agent, or the fallback agent where it is gone by now.

        Raises:
            KeyError: there is no fallback agent either.
        """
        return self._agents.get(agent_id) or self._agents[FALLBACK_AGENT_ID]

    def cards(self, domains: Iterable[str]) -> list[AgentCard]:
        """Return the cards of the agents in scope, for the entity `domains` that are exposed.

        An agent without domains of its own is always in scope.
        """
        exposed = frozenset(domains)
        return [
            agent.card
            for agent in self._agents.values()
            if not agent.card.domains or agent.card.domains & exposed
        ]
