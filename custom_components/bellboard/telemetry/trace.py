"""Traces of turns: stages, agents, calls and times.

Kept in memory and shown to administrators only, because they hold what was said.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
import time
from typing import Any
from uuid import uuid4

from ..json_model import timestamp
from .events import Level, NoSink, Stage, TelemetryEvent, TurnSink
from .metered import ModelUse

_KEPT_TRACES = 50


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said a sentence, where, and in which language; None for what is not known."""

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
    began, on the clock of `time.perf_counter`.
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
