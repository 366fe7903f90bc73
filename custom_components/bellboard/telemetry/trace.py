"""Traces of turns: stages, agents, model calls, times.

Each stage is an event (Agent router orchestration, Telemetry Event Schema). Traces are kept in memory and shown to
administrators only, because they hold what was said.
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
import time
from typing import Any, Protocol
from uuid import uuid4

from pydantic import BaseModel, Field

from ..json_model import timestamp
from ..llm.client import ModelClient, answers_within, server_of
from ..llm.errors import ModelError
from ..llm.models import Completion, Delta, FunctionCall, JsonSchema, Message, Usage


class Stage(StrEnum):
    """The stages of a turn, in order."""

    RECEIVED = "received"
    INTENTS_ELIGIBLE = "intents_eligible"
    INTENT_CLASSIFIED = "intent_classified"
    PLAN_CREATED = "plan_created"
    PLAN_COMMUNICATED = "plan_communicated"
    POLICY_CHECK = "policy_check"
    TOOL_EXECUTE = "tool_execute"
    RESPOND = "respond"


class Level(StrEnum):
    """The severity of an event."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class TelemetryEvent(BaseModel, frozen=True):
    """One stage of one turn.

    `timestamp` is ISO 8601, `interaction_id` the turn's id, `session_id` the conversation's.
    `payload` differs with the stage; `agent_id` and `intent_id` are in it wherever they are known.
    """

    timestamp: str
    interaction_id: str
    session_id: str
    stage: Stage
    level: Level = Level.INFO
    payload: dict[str, Any] = Field(default_factory=dict)


class TelemetrySink(Protocol):
    """Takes events. `record` returns at once: what takes time is done elsewhere."""

    def record(self, event: TelemetryEvent) -> None:
        """Take an event."""
        ...


class TurnSink(TelemetrySink, Protocol):
    """Takes the events of turns, and knows which parameters it redacts."""

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return those names, sorted, whose values are redacted; `ids` are those of an intent and an agent."""
        ...


class NoSink:
    """Drops all events."""

    def record(self, event: TelemetryEvent) -> None:
        """Drop the event."""

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return the event as it is."""
        return []


PAYLOAD_FIELDS = frozenset(
    {
        "allowed", "eligible", "fallback", "intent_id", "memory", "message", "model", "ok",
        "redacted_params", "steps", "tool", "unknown_intent", "waiting_for_param",
    }
)  # fmt: skip
"""The names of all payloads' own fields."""


_NO_USAGE = Usage()


@dataclass(slots=True)
class ModelCall:
    """One request to a model, and what came of it; for administrators, since it holds what was said.

    `purpose` is the schema's name ("choice", "plan"); without one "tools" where the model was offered some, else
    "talk". Times are those of `time.perf_counter`, in seconds; `ended` is 0 while it goes on. `answer` is what the
    model wrote, `error` the type of what went wrong. `tools` are the names of the `offered` ones that it called.
    """

    provider: str
    model: str
    purpose: str
    messages: tuple[Message, ...]
    schema: JsonSchema | None = None
    temperature: float | None = None
    began: float = field(default_factory=time.perf_counter)
    ended: float = 0.0
    answer: str = ""
    usage: Usage = _NO_USAGE
    error: str = ""
    server: str = ""
    offered: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()

    def use_tools(self, calls: Iterable[FunctionCall]) -> None:
        """Note the tools that the model calls. A name that it made up may be words of the user's, and is not kept."""
        self.tools += tuple(c.name if c.name in self.offered else "unknown" for c in calls)

    def end(self, error: BaseException | None = None) -> None:
        """Note that it is over, and with which error."""
        self.ended = time.perf_counter()
        self.error = type(error).__name__ if error else ""

    def as_json(self, started: float) -> dict[str, Any]:
        """Return the call as JSON, with times in milliseconds since `started`."""
        took = self.ended - self.began if self.ended else None
        return {
            "provider": self.provider,
            "model": self.model,
            "purpose": self.purpose,
            "messages": [
                {"content": message.content, **message.model_dump(exclude_defaults=True)}
                for message in self.messages
            ],
            "schema": self.schema,
            "temperature": self.temperature,
            "answer": self.answer,
            "error": self.error or None,
            "tools": list(self.tools),
            "at_ms": round((self.began - started) * 1000, 2),
            "ms": None if took is None else round(took * 1000, 2),
            **self.usage.model_dump(),
        }


@dataclass(slots=True)
class ModelUse:
    """The model calls of a turn or a part of one, oldest first, with their number and the tokens of all together."""

    log: list[ModelCall] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Return the number of calls."""
        return len(self.log)

    @property
    def usage(self) -> Usage:
        """Return the tokens of all calls together."""
        return sum((call.usage for call in self.log), _NO_USAGE)

    @property
    def asked(self) -> str:
        """Return the name of the model that was asked last, "" for none."""
        return self.log[-1].model if self.log else ""

    def as_json(self) -> dict[str, int]:
        """Return calls and tokens as plain numbers."""
        return {"calls": self.calls, **self.usage.model_dump()}


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a million tokens of prompts and of completions of one model, in the home's currency; 0 for unknown.

    `place` is the model by its provider, the address of its server, and its name.
    """

    place: tuple[str, str, str] = ("", "", "")
    prompt: float = 0.0
    completion: float = 0.0

    def cost(self, calls: Iterable[ModelCall]) -> float | None:
        """Return the cost of those calls that were to this model, cached tokens as any; None where it is unknown."""
        own = [call for call in calls if (call.provider, call.server, call.model) == self.place]
        used = ModelUse(own).usage
        if not (self.prompt or self.completion) or used == _NO_USAGE:
            return None
        parts = used.prompt_tokens * self.prompt + used.completion_tokens * self.completion
        return parts / 1_000_000


class MeteredClient:
    """Model client that adds every call to each `ModelUse`, failed ones too."""

    def __init__(self, client: ModelClient, *uses: ModelUse) -> None:
        self._client = client
        self._uses = uses
        self.provider = client.provider
        self.model = client.model
        self.server = server_of(client)

    def answers_within(self, seconds: float) -> bool:
        """Return whether the model may answer within `seconds`."""
        return answers_within(self._client, seconds)

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List models; not counted, nothing is generated."""
        return await self._client.list_models(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer and count it."""
        call = self._begin(messages, options)
        try:
            completion = await self._client.complete(messages, **options)
        except BaseException as err:
            call.end(err)
            raise
        call.end()
        call.answer, call.usage = completion.text, completion.usage
        call.use_tools(completion.tool_calls)
        return completion

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece and count it."""
        call = self._begin(messages, options)
        pieces: list[str] = []
        error: ModelError | None = None
        try:
            async with aclosing(self._client.stream(messages, **options)) as deltas:
                async for delta in deltas:
                    pieces.append(delta.text)
                    call.use_tools(delta.tool_calls)
                    if delta.usage:
                        call.usage += delta.usage
                    yield delta
        except ModelError as err:
            error = err
            raise
        finally:
            call.end(error)
            call.answer = "".join(pieces)

    def _begin(self, messages: Sequence[Message], options: dict[str, Any]) -> ModelCall:
        """Count a call that begins now; returns its record."""
        schema, tools = options.get("schema"), options.get("tools") or ()
        unbound = "tools" if tools else "talk"
        call = ModelCall(
            provider=self.provider,
            model=self.model,
            purpose=options.get("schema_name", "answer") if schema else unbound,
            messages=tuple(messages),
            schema=schema,
            temperature=options.get("temperature"),
            server=self.server,
            offered=frozenset(tool.name for tool in tools),
        )
        for use in self._uses:
            use.log.append(call)
        return call


_KEPT_TRACES = 50


@dataclass(frozen=True, slots=True)
class Speaker:
    """Speaker of a sentence, with place and language; None for unknown values."""

    language: str = ""
    area_id: str | None = None
    user_id: str | None = None
    satellite_id: str | None = None
    device_id: str | None = None


@dataclass(slots=True)
class TurnTrace:
    """One turn. Times are in milliseconds since the turn began, which was `at` (epoch seconds).

    `workflow` is the WorkflowState at its end (data model), `routing` the next-step decisions. `parts` are the parts
    of the sentence as they were routed, `eligible` the ids of the agents that could be chosen, `executions` the plans
    with what came of them, `verdicts` what policies said, `before` and `after` the states of what the turn changed.
    They are kept as they are and written only when somebody looks. It `is_corrected` where a later sentence took it
    back, or somebody said that it was wrong. Each stage is an event for `sink`. `session_id` is the speaker's own
    session of the conversation, which is another id where they share it with somebody. `started` is when the turn
    began, on the clock of `time.perf_counter`; `prices` were those of the assistant's model then.
    """

    conversation_id: str
    utterance: str
    at: float = field(default_factory=time.time)
    id: str = field(default_factory=lambda: f"turn-{uuid4()}")
    agents: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    reply: str = ""
    state: str = ""
    ms: float = 0.0
    workflow: dict[str, Any] = field(default_factory=dict)
    routing: list[dict[str, Any]] = field(default_factory=list)
    model: ModelUse = field(default_factory=ModelUse)
    speaker: Speaker = field(default_factory=Speaker)
    parts: Sequence[Any] = ()
    eligible: Sequence[str] = ()
    executions: list[Any] = field(default_factory=list)
    verdicts: list[Any] = field(default_factory=list)
    is_corrected: bool = False
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    sink: TurnSink = field(default_factory=NoSink)
    session_id: str = ""
    started: float = field(default_factory=time.perf_counter)
    prices: Prices = field(default_factory=Prices)
    _events: list[tuple[TelemetryEvent, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take the conversation for the session until that is known."""
        self.session_id = self.session_id or self.conversation_id

    def add(self, stage: Stage, *, level: Level = Level.INFO, **payload: Any) -> None:
        """Record a stage with its payload."""
        event = TelemetryEvent(
            timestamp=timestamp(),
            interaction_id=self.id,
            session_id=self.conversation_id,
            stage=stage,
            level=level,
            payload=payload,
        )
        self._events.append((event, self._elapsed()))
        self.sink.record(event)

    def add_agent(self, agent_id: str, *, confidence: float, source: str, **measured: Any) -> None:
        """Record who answered, how sure that choice was and who made it; `measured` is how it went, and with what."""
        self.agents.append({"id": agent_id, "confidence": confidence, "source": source, **measured})

    def add_call(self, call: Mapping[str, Any]) -> None:
        """Record a call that was made."""
        self.calls.append(dict(call))

    def add_next_steps(self, steps: Iterable[Mapping[str, Any]]) -> None:
        """Record what was decided after agents had answered."""
        self.routing += [dict(step) for step in steps]

    def finish(self, reply: str, state: str, workflow: Mapping[str, Any] | None = None) -> None:
        """Record how the turn ended, and where its work stood then."""
        self.reply, self.state, self.ms = reply, state, self._elapsed()
        self.workflow = dict(workflow or {})

    @property
    def stages(self) -> list[dict[str, Any]]:
        """Return the stages, each with its time and payload."""
        return [
            {
                "stage": event.stage.value,
                "timestamp": event.timestamp,
                "level": event.level.value,
                "ms": ms,
                "payload": event.payload,
            }
            for event, ms in self._events
        ]

    def use_as_json(self) -> dict[str, Any]:
        """Return the tools that models used, each once, in how many rounds, and the cost of the turn.

        The cost has 4 digits, and is None where it is unknown.
        """
        rounds = [call.tools for call in self.model.log if call.tools]
        cost = self.prices.cost(self.model.log)
        return {
            "tools": list(dict.fromkeys(chain(*rounds))),
            "tool_rounds": len(rounds),
            "cost": None if cost is None else float(f"{cost:.4g}"),
        }

    def _elapsed(self) -> float:
        """Return the milliseconds since the turn began."""
        return round((time.perf_counter() - self.started) * 1000, 2)

    def as_json(self) -> dict[str, Any]:
        """Return the trace as a JSON object."""
        return {
            "id": self.id,
            "at": self.at,
            "conversation_id": self.conversation_id,
            "utterance": self.utterance,
            "agents": self.agents,
            "calls": self.calls,
            "reply": self.reply,
            "state": self.state,
            "ms": self.ms,
            "llm": self.model.as_json(),
            **self.use_as_json(),
            "workflow": self.workflow,
            "routing_trace": self.routing,
            "stages": self.stages,
        }


class TraceBuffer:
    """Keeps the last traces, oldest first."""

    def __init__(self) -> None:
        self._traces: deque[TurnTrace] = deque(maxlen=_KEPT_TRACES)
        self._listeners: list[Callable[[TurnTrace], None]] = []

    def __iter__(self) -> Iterator[TurnTrace]:
        """Iterate over the traces, oldest first."""
        return iter(tuple(self._traces))

    def append(self, trace: TurnTrace) -> None:
        """Keep a trace and tell the listeners; the oldest goes when there are too many."""
        self._traces.append(trace)
        self._tell(trace)

    def mark_corrected(self, trace: TurnTrace) -> None:
        """Note that a turn was wrong, and tell the listeners."""
        trace.is_corrected = True
        self._tell(trace)

    def _tell(self, trace: TurnTrace) -> None:
        """Call the listeners; any of them may end while it is called."""
        for listener in tuple(self._listeners):
            listener(trace)

    def last_of(self, session_id: str) -> TurnTrace | None:
        """Return the last turn of a speaker's session that is kept, None for none."""
        return next((t for t in reversed(self._traces) if t.session_id == session_id), None)

    def get(self, turn_id: str) -> TurnTrace | None:
        """Return a turn by its id; None for one that is not kept."""
        return next((trace for trace in self._traces if trace.id == turn_id), None)

    def add_listener(self, listener: Callable[[TurnTrace], None]) -> Callable[[], None]:
        """Call `listener` with each further trace; returns the function that ends it."""
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove
