"""Numbers about routing and about what agents took: for OpenTelemetry, and for an assistant's sensors.

Nothing here holds what was said; an agent's id and a confidence are all that leaves.

OpenTelemetry is used if it is installed and is not required. What is measured goes nowhere until
somebody sets up its SDK. It is imported with this module, because that reads files.
"""

from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
import math
from typing import TYPE_CHECKING, Literal, Protocol

from ..routing.models import AgentChoiceResult, Route, Source

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Span, Tracer

    type Bucket = Literal["low", "medium", "high", "very_high"]

SCOPE = "bellboard"
"""The name of the instrumentation scope at OpenTelemetry."""
SPAN = "RouterExecutor.Route"
KEPT = 500
"""Decisions whose latency and confidence are kept for the statistics."""

# The usual boundaries are made for milliseconds.
_CONFIDENCES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]


def confidence_bucket(confidence: float) -> Bucket:
    """Return the bucket of a confidence between 0 and 1; each begins with its bound."""
    if confidence < 0.5:
        return "low"
    if confidence < 0.7:
        return "medium"
    return "high" if confidence < 0.9 else "very_high"


class RoutingSpan(Protocol):
    """The time in which it is decided who answers."""

    def decided(self, choice: AgentChoiceResult) -> None:
        """Note the decision."""
        ...


class Instruments(Protocol):
    """What measures the routing, and the agents that run after it."""

    def routing_span(self, *, available: int) -> AbstractContextManager[RoutingSpan]:
        """Measure the routing inside `with`; `available` is the number of agents to choose from."""
        ...

    def record_decision(self, choice: AgentChoiceResult, ms: float) -> None:
        """Count a decision that took `ms` milliseconds."""
        ...

    def record_run(self, agent_id: str, ms: float, *, success: bool) -> None:
        """Measure an agent's answer that took `ms` milliseconds."""
        ...


class NoSpan:
    """A span that nobody reads."""

    def decided(self, choice: AgentChoiceResult) -> None:
        """Do nothing."""


class NoInstruments:
    """Measures nothing: OpenTelemetry is not installed, or nobody wants it."""

    @contextmanager
    def routing_span(self, *, available: int) -> Generator[RoutingSpan]:
        """Measure nothing."""
        yield NoSpan()

    def record_decision(self, choice: AgentChoiceResult, ms: float) -> None:
        """Count nothing."""

    def record_run(self, agent_id: str, ms: float, *, success: bool) -> None:
        """Measure nothing."""


NO_INSTRUMENTS = NoInstruments()


class TelemetrySpan:
    """A span at OpenTelemetry."""

    def __init__(self, span: Span) -> None:
        """Note the decision on `span`."""
        self._span = span

    def decided(self, choice: AgentChoiceResult) -> None:
        """Note the decision; from here on the span is well."""
        self._span.set_attributes(
            {
                "agent.selected": choice.agent_id,
                "agent.confidence": choice.confidence,
                "agent.additional_count": len(choice.additional_agents or ()),
            }
        )
        self._span.set_status(StatusCode.OK)


class TelemetryInstruments:
    """The instruments at OpenTelemetry."""

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

    @contextmanager
    def routing_span(self, *, available: int) -> Generator[RoutingSpan]:
        """Measure the routing inside `with`; an error is noted by its class alone."""
        with self._tracer.start_as_current_span(
            SPAN,
            attributes={
                "messaging.operation": "route",
                "messaging.message.type": "ChatMessage",
                "agent.available_count": available,
            },
            # The text of an exception may quote what was said.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield TelemetrySpan(span)
            except BaseException as err:
                span.set_status(StatusCode.ERROR, type(err).__name__)
                raise

    def record_decision(self, choice: AgentChoiceResult, ms: float) -> None:
        """Count a decision that took `ms` milliseconds."""
        agent = {"agent.id": choice.agent_id}
        self._decisions.add(1, agent | {"confidence.bucket": confidence_bucket(choice.confidence)})
        self._latency.record(ms, agent)
        self._confidence.record(choice.confidence, agent)

    def record_run(self, agent_id: str, ms: float, *, success: bool) -> None:
        """Measure an agent's answer that took `ms` milliseconds."""
        self._runs.record(ms, {"agent.id": agent_id, "agent.success": success})


def _global_instruments() -> Instruments:
    """Return the instruments of the providers the process has, or gets later."""
    try:
        return TelemetryInstruments(trace.get_tracer(SCOPE), metrics.get_meter(SCOPE))
    except TypeError:
        return NO_INSTRUMENTS


INSTRUMENTS: Instruments
try:
    from opentelemetry import metrics, trace
    from opentelemetry.trace import StatusCode
except ImportError:
    INSTRUMENTS = NO_INSTRUMENTS
else:
    INSTRUMENTS = _global_instruments()


def routing_span(*, available: int) -> AbstractContextManager[RoutingSpan]:
    """Measure the routing inside `with`; `available` is the number of agents to choose from."""
    return INSTRUMENTS.routing_span(available=available)


def record_decision(choice: AgentChoiceResult, ms: float) -> None:
    """Count a decision that took `ms` milliseconds."""
    INSTRUMENTS.record_decision(choice, ms)


def record_run(agent_id: str, ms: float, *, success: bool) -> None:
    """Measure an agent's answer that took `ms` milliseconds."""
    INSTRUMENTS.record_run(agent_id, ms, success=success)


class RoutingStatistics:
    """What an assistant decided since it was set up.

    Decisions and fallbacks are counted from the beginning; latency and confidence are those of the
    last `KEPT` decisions.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.decisions = 0
        self.fallbacks = 0
        self._by_agent: Counter[str] = Counter()
        self._latencies: deque[float] = deque(maxlen=KEPT)
        self._confidences: deque[float] = deque(maxlen=KEPT)
        self._listeners: list[Callable[[], None]] = []

    def record(self, route: Route, ms: float) -> None:
        """Count a route that took `ms` milliseconds to find, and tell the listeners."""
        choice = route.choice
        self.decisions += 1
        self.fallbacks += any(part.source is Source.FALLBACK for part in route.assignments)
        self._by_agent[choice.agent_id] += 1
        self._latencies.append(ms)
        self._confidences.append(choice.confidence)
        for listener in tuple(self._listeners):
            listener()

    def add_listener(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after each decision; returns the function that ends it."""
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    @property
    def by_agent(self) -> dict[str, int]:
        """The number of decisions for each agent, most first; only primary agents count."""
        return dict(self._by_agent.most_common())

    @property
    def latency_p50(self) -> float | None:
        """The time half of the decisions took at most, in milliseconds; None before the first."""
        return _percentile(self._latencies, 0.5)

    @property
    def latency_p95(self) -> float | None:
        """The time 95 percent of the decisions took at most, in milliseconds; None before the first."""
        return _percentile(self._latencies, 0.95)

    @property
    def mean_confidence(self) -> float | None:
        """The mean confidence, between 0 and 1; None before the first decision."""
        confidences = self._confidences
        return math.fsum(confidences) / len(confidences) if confidences else None

    def as_json(self) -> dict[str, object]:
        """Return all numbers; nothing in them was said by anybody."""
        return {
            "decisions": self.decisions,
            "by_agent": self.by_agent,
            "fallbacks": self.fallbacks,
            "latency_p50": self.latency_p50,
            "latency_p95": self.latency_p95,
            "mean_confidence": self.mean_confidence,
        }


def _percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least `share` of the values do not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1] if values else None
