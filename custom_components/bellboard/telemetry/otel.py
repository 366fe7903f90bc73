"""Spans and metrics for OpenTelemetry, which is used where it is installed and is not required.

They go nowhere until somebody sets up its SDK. What was said is in none of them. OpenTelemetry is
imported with this module, because that reads files.
"""

from collections import OrderedDict
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, override

from ..llm.envelope import ActionRequest
from ..routing.models import EXECUTOR_ID, AgentChoiceResult
from .trace import Level, Stage, TelemetryEvent

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Span, Tracer

    type Bucket = Literal["low", "medium", "high", "very_high"]

try:
    from opentelemetry import metrics, trace
    from opentelemetry.context import Context
    from opentelemetry.trace import StatusCode
except ImportError:
    HAS_OPENTELEMETRY = False
else:
    HAS_OPENTELEMETRY = True

SCOPE = "bellboard"
"""The name of the instrumentation scope."""
ROUTING_SPAN = f"{EXECUTOR_ID}.Route"
TURN_SPAN = "bellboard.turn"
CALL_SPAN = "bellboard.execute"
_IDS = ("request_id", "correlation_id", "plan_id", "task_id")
MAX_OPEN_SPANS = 50
"""Turns that may be under way; what was not answered when there are more will not be."""

# The usual boundaries are made for milliseconds.
_CONFIDENCES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]

type Attribute = bool | int | float | str | list[str]


def correlation_span(
    request: ActionRequest[Any],
    is_current: bool = True,  # noqa: FBT001, FBT002 -- as `llm.port.OpenSpan` has it
) -> AbstractContextManager[object]:
    """Return the span of a request to a model (LLM router agent contract, Versioning and correlation).

    Its attributes are the request's ids under `bellboard.`, without those that are None. A span that is not current
    has none in it, and may end in another task.
    """
    if not HAS_OPENTELEMETRY:
        return nullcontext()
    ids = {name: getattr(request, name) for name in _IDS}
    attributes = {f"bellboard.{key}": str(value) for key, value in ids.items() if value is not None}
    tracer = trace.get_tracer(SCOPE)
    begin = tracer.start_as_current_span if is_current else tracer.start_span
    # An exception's words are not recorded: nobody knows what is in them.
    return begin(
        CALL_SPAN, attributes=attributes, record_exception=False, set_status_on_exception=False
    )


@dataclass(frozen=True, slots=True)
class RoutingSpan:
    """The span of one routing operation; without `span` nothing is noted."""

    span: Span | None = None

    def decided(self, choice: AgentChoiceResult) -> None:
        """Note the decision, and that the routing succeeded."""
        if self.span is None:
            return
        self.span.set_attributes(
            {
                "agent.selected": choice.agent_id,
                "agent.confidence": choice.confidence,
                "agent.additional_count": len(choice.additional_agents or ()),
            }
        )
        self.span.set_status(StatusCode.OK)


class NoInstruments:
    """Measures nothing: without OpenTelemetry, or where telemetry is off."""

    @contextmanager
    def routing_span(self, *, available: int) -> Generator[RoutingSpan]:
        """Measure the routing inside `with`; `available` is the number of agents to choose from."""
        yield RoutingSpan()

    def record_decision(self, choice: AgentChoiceResult, ms: float) -> None:
        """Count a decision that took `ms` milliseconds."""

    def record_run(self, agent_id: str, ms: float, *, success: bool) -> None:
        """Measure an agent's answer that took `ms` milliseconds."""


class Instruments(NoInstruments):
    """The routing's spans and metrics (RouterExecutor contract, Telemetry & Observability)."""

    def __init__(self, tracer: Tracer, meter: Meter) -> None:
        """Make the instruments.

        Raises:
            TypeError: this OpenTelemetry is older than the bounds of histograms.
        """
        self._tracer = tracer
        self._decisions = meter.create_counter(
            "bellboard.routing.decisions", unit="{decision}", description="Routing decisions"
        )
        self._latency = meter.create_histogram(
            "bellboard.routing.latency", unit="ms", description="Time until it was decided"
        )
        self._confidence = meter.create_histogram(
            "bellboard.routing.confidence",
            unit="1",
            description="How sure the router was",
            explicit_bucket_boundaries_advisory=_CONFIDENCES,
        )
        self._runs = meter.create_histogram(
            "bellboard.agent.duration", unit="ms", description="Time an agent took to answer"
        )

    @override
    @contextmanager
    def routing_span(self, *, available: int) -> Generator[RoutingSpan]:
        """Measure the routing inside `with`; an error is noted by its class alone."""
        with self._tracer.start_as_current_span(
            ROUTING_SPAN,
            attributes={
                "executor.id": EXECUTOR_ID,
                "messaging.operation": "route",
                "messaging.message.type": "ChatMessage",
                "agent.available_count": available,
            },
            # The text of an exception may quote what was said.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield RoutingSpan(span)
            except BaseException as err:
                span.set_status(StatusCode.ERROR, type(err).__name__)
                raise

    @override
    def record_decision(self, choice: AgentChoiceResult, ms: float) -> None:
        agent = {"agent.id": choice.agent_id}
        self._decisions.add(1, agent | {"confidence.bucket": confidence_bucket(choice.confidence)})
        self._latency.record(ms, agent)
        self._confidence.record(choice.confidence, agent)

    @override
    def record_run(self, agent_id: str, ms: float, *, success: bool) -> None:
        self._runs.record(ms, {"agent.id": agent_id, "agent.success": success})


def confidence_bucket(confidence: float) -> Bucket:
    """Return the bucket of a confidence between 0 and 1; each begins with its bound."""
    if confidence < 0.5:
        return "low"
    if confidence < 0.7:
        return "medium"
    return "high" if confidence < 0.9 else "very_high"


def _create_instruments() -> NoInstruments:
    """Return the instruments of the providers the process has, or gets later."""
    try:
        return Instruments(trace.get_tracer(SCOPE), metrics.get_meter(SCOPE))
    except TypeError:
        return NO_INSTRUMENTS


NO_INSTRUMENTS = NoInstruments()
INSTRUMENTS = _create_instruments() if HAS_OPENTELEMETRY else NO_INSTRUMENTS


def routing_span(*, available: int) -> AbstractContextManager[RoutingSpan]:
    """Measure the routing inside `with`; `available` is the number of agents to choose from."""
    return INSTRUMENTS.routing_span(available=available)


def record_decision(choice: AgentChoiceResult, ms: float) -> None:
    """Count a decision that took `ms` milliseconds."""
    INSTRUMENTS.record_decision(choice, ms)


def record_run(agent_id: str, ms: float, *, success: bool) -> None:
    """Measure an agent's answer that took `ms` milliseconds."""
    INSTRUMENTS.record_run(agent_id, ms, success=success)


class SpanSink:
    """Makes of each turn a span with an event for each stage, from the first to the answer."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._open: OrderedDict[str, Span] = OrderedDict()

    def record(self, event: TelemetryEvent) -> None:
        """Note the event on the span of its turn."""
        at = _nanoseconds(event.timestamp)
        span = self._open.get(event.interaction_id) or self._begin(event, at)
        span.add_event(event.stage, dict(_attributes(event.payload)), at)
        if event.level is Level.ERROR:
            span.set_status(StatusCode.ERROR, event.stage)
        if event.stage is Stage.RESPOND:
            del self._open[event.interaction_id]
            span.end(at)

    def close(self) -> None:
        """End the spans of turns that were not answered."""
        while self._open:
            self._abandon()

    def _begin(self, event: TelemetryEvent, at: int | None) -> Span:
        """Begin the span of a turn, in no other."""
        ids = {
            "bellboard.interaction_id": event.interaction_id,
            "bellboard.session_id": event.session_id,
        }
        span = self._tracer.start_span(TURN_SPAN, Context(), attributes=ids, start_time=at)
        self._open[event.interaction_id] = span
        if len(self._open) > MAX_OPEN_SPANS:
            self._abandon()
        return span

    def _abandon(self) -> None:
        """End the oldest span, whose turn was not answered."""
        _, span = self._open.popitem(last=False)
        span.set_attribute("bellboard.answered", value=False)
        span.end()


def create_span_sink() -> SpanSink | None:
    """Return the sink for the provider the process has, or gets later; None without OpenTelemetry."""
    return SpanSink(trace.get_tracer(SCOPE)) if HAS_OPENTELEMETRY else None


def _nanoseconds(timestamp: str) -> int | None:
    """Return a time for OpenTelemetry, or None, which is now, where it is blank or unreadable."""
    try:
        return round(datetime.fromisoformat(timestamp).timestamp() * 1000) * 1_000_000
    except ValueError:
        return None


def _attributes(payload: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Attribute]]:
    """Yield the fields of a payload as flat attributes, without those that are None."""
    for name, value in payload.items():
        match value:
            case bool() | int() | float() | str():
                yield f"{prefix}{name}", value
            case Mapping():
                yield from _attributes(value, f"{prefix}{name}.")
            case list():
                yield f"{prefix}{name}", [str(part) for part in value]
