"""Traces of turns: stages, agents, model calls, times.

Each stage is an event (Agent router orchestration, Telemetry Event Schema). Traces are kept in memory and shown to
administrators only, because they hold what was said.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from itertools import chain
import time
from typing import Any, Protocol
from uuid import UUID, uuid4

from pydantic import BaseModel, Field

from ..json_model import timestamp
from ..llm.models import NO_USAGE
from ..llm.port import ModelCall, ModelUse


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
        "redacted_params", "steps", "task_id", "tool", "unknown_intent", "waiting_for_param",
    }
)  # fmt: skip
"""The names of all payloads' own fields."""


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
        if not (self.prompt or self.completion) or used == NO_USAGE:
            return None
        parts = used.prompt_tokens * self.prompt + used.completion_tokens * self.completion
        return parts / 1_000_000


_KEPT_TRACES = 50
# Stages with words in their payload: of a request, or of an answer.
_WORDED = frozenset({Stage.INTENT_CLASSIFIED, Stage.PLAN_COMMUNICATED, Stage.RESPOND})


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

    `correlation_id` is that of its requests to models, and what its own `id` is made of.

    `workflow` is the WorkflowState at its end (data model), `routing` the next-step decisions. `parts` are the parts
    of the sentence as they were routed, `eligible` the ids of the agents that could be chosen, `executions` the plans
    with what came of them, `verdicts` what policies said, `before` and `after` the states of what the turn changed.
    They are kept as they are and written only when somebody looks. It `is_corrected` where a later sentence took it
    back, or somebody said that it was wrong. In one without `has_words` (`bare`), texts are their length.
    Each stage is an event for `sink`. `session_id` is the speaker's own
    session of the conversation, which is another id where they share it with somebody. `started` is when the turn
    began, on the clock of `time.perf_counter`; `prices` were those of the assistant's model then.
    """

    conversation_id: str
    utterance: str
    at: float = field(default_factory=time.time)
    correlation_id: UUID = field(default_factory=uuid4)
    id: str = ""
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
    has_words: bool = True
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    sink: TurnSink = field(default_factory=NoSink)
    session_id: str = ""
    started: float = field(default_factory=time.perf_counter)
    prices: Prices = field(default_factory=Prices)
    _events: list[tuple[TelemetryEvent, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take the conversation for the session until that is known, and name the turn."""
        self.id = self.id or f"turn-{self.correlation_id}"
        self.model.correlation_id = self.correlation_id
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

    def bare(
        self,
        mark: Callable[[str], str],
        redact: Callable[[TelemetryEvent], TelemetryEvent],
        **told: Any,
    ) -> TurnTrace:
        """Return a trace that keeps nothing of what was said or answered, and nothing of a subclass.

        Texts are replaced by `mark`, and the events that hold some by what `redact` returns of them. `told` are the
        fields that the caller has cleared of words.
        """
        kept = {each.name: getattr(self, each.name) for each in fields(TurnTrace)} | told
        kept["_events"] = [
            (redact(event) if event.stage in _WORDED else event, ms) for event, ms in self._events
        ]
        kept["model"] = self.model.without_words(mark)
        kept |= {"utterance": mark(self.utterance), "reply": mark(self.reply), "has_words": False}
        return TurnTrace(**kept)

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
            "correlation_id": str(self.correlation_id),
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

    def last_of(self, session_id: str, *, has_acted: bool = False) -> TurnTrace | None:
        """Return the last turn of a speaker's session that is kept, of those that called something; None for none."""
        own = (trace for trace in reversed(self._traces) if trace.session_id == session_id)
        return next((trace for trace in own if trace.calls or not has_acted), None)

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
