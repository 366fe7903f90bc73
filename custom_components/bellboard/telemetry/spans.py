"""Turns as spans at OpenTelemetry, with an event for each stage.

OpenTelemetry is used if it is installed and is not required. What is told goes nowhere until
somebody sets up its SDK. It is imported with this module, because that reads files.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from .events import Level, NoSink, Stage, TelemetryEvent, TelemetrySink
from .metrics import SCOPE

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

try:
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.trace import StatusCode
except ImportError:
    HAS_OPENTELEMETRY = False
else:
    HAS_OPENTELEMETRY = True

SPAN = "bellboard.turn"
MOST_OPEN = 50
"""Turns that may be under way; what was not answered when there are more will not be."""

type Attribute = bool | int | float | str | list[str]


class OtelSink:
    """Makes of each turn a span, from the first of its events to the answer."""

    def __init__(self, tracer: Tracer) -> None:
        """Make spans with `tracer`."""
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
        span = self._tracer.start_span(SPAN, Context(), attributes=ids, start_time=at)
        self._open[event.interaction_id] = span
        if len(self._open) > MOST_OPEN:
            self._abandon()
        return span

    def _abandon(self) -> None:
        """End the oldest span, whose turn was not answered."""
        _, span = self._open.popitem(last=False)
        span.set_attribute("bellboard.answered", value=False)
        span.end()


def _nanoseconds(timestamp: str) -> int | None:
    """Return a time for OpenTelemetry, or None, which is now, where it is blank or unreadable."""
    try:
        return round(datetime.fromisoformat(timestamp).timestamp() * 1000) * 1_000_000
    except ValueError:
        return None


def _attributes(payload: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Attribute]]:
    """Yield the parts of a payload as OpenTelemetry knows them: flat, and without what is None."""
    for name, value in payload.items():
        match value:
            case bool() | int() | float() | str():
                yield f"{prefix}{name}", value
            case Mapping():
                yield from _attributes(value, f"{prefix}{name}.")
            case list():
                yield f"{prefix}{name}", [str(part) for part in value]


class ClosableSink(TelemetrySink, Protocol):
    """A sink that ends."""

    def close(self) -> None:
        """End; nothing comes after it."""
        ...


class NoSpans(NoSink):
    """What takes the place of spans where OpenTelemetry is not installed."""

    def close(self) -> None:
        """Do nothing."""


def create_span_sink() -> ClosableSink:
    """Return the sink for the provider the process has, or gets later; one that drops all else."""
    return OtelSink(trace.get_tracer(SCOPE)) if HAS_OPENTELEMETRY else NoSpans()
