"""Sinks made of sinks. None of them can harm a turn: a sink that fails is logged, and nothing else."""

from collections.abc import Iterable
import logging

from .events import TelemetryEvent, TelemetrySink
from .redaction import Redactor

_LOGGER = logging.getLogger(__name__)


class GuardedSink:
    """A sink that never raises.

    Each kind of failure is logged once, by its class alone since its text may quote what was said,
    until the sink works again.
    """

    def __init__(self, sink: TelemetrySink) -> None:
        """Guard `sink`."""
        self._sink = sink
        self._failures: set[str] = set()

    def record(self, event: TelemetryEvent) -> None:
        """Give the event to the sink."""
        try:
            self._sink.record(event)
        except Exception as err:  # noqa: BLE001 -- whatever it is, the turn goes on
            self._note_failure(type(err).__name__)
        else:
            self._note_success()

    def _note_failure(self, kind: str) -> None:
        """Log a kind of failure that is new."""
        if kind not in self._failures:
            self._failures.add(kind)
            _LOGGER.warning("%s does not take events: %s", type(self._sink).__name__, kind)

    def _note_success(self) -> None:
        """Log that what failed works again."""
        if self._failures:
            self._failures.clear()
            _LOGGER.info("%s takes events again", type(self._sink).__name__)


class FanOutSink:
    """Gives each event to several sinks, to each whatever the others do."""

    def __init__(self, sinks: Iterable[TelemetrySink]) -> None:
        """Guard the sinks."""
        self._sinks = tuple(GuardedSink(sink) for sink in sinks)

    def record(self, event: TelemetryEvent) -> None:
        """Give the event to each sink."""
        for sink in self._sinks:
            sink.record(event)


class RedactingSink:
    """Gives another sink what may be shown of each event. What cannot be redacted is not given."""

    def __init__(self, redactor: Redactor, sink: TelemetrySink) -> None:
        """Redact for `sink`."""
        self._redactor = redactor
        self._sink = sink

    def record(self, event: TelemetryEvent) -> None:
        """Redact the event and give it on."""
        self._sink.record(self._redactor.redact_event(event))
