"""Sinks without Home Assistant: guarded, fanned out, redacting; the last events in memory; printed."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
import logging
from pprint import pformat
import sys
from typing import TextIO

from .redaction import Redactor
from .trace import TelemetryEvent, TelemetrySink

_LOGGER = logging.getLogger(__name__)

CAPACITY = 400
"""The events kept in memory: those of about fifty turns."""


class GuardedSink:
    """Sink that never raises, so that none can harm a turn.

    Each class of error is logged once until the sink works again; its text may quote what was said.
    """

    def __init__(self, sink: TelemetrySink) -> None:
        self._sink = sink
        self._failures: set[str] = set()

    def record(self, event: TelemetryEvent) -> None:
        """Pass the event on."""
        try:
            self._sink.record(event)
        except Exception as err:  # noqa: BLE001 -- whatever it is, the turn goes on
            kind = type(err).__name__
            if kind not in self._failures:
                self._failures.add(kind)
                _LOGGER.warning("%s does not take events: %s", type(self._sink).__name__, kind)
        else:
            if self._failures:
                self._failures.clear()
                _LOGGER.info("%s takes events again", type(self._sink).__name__)


class FanOutSink:
    """Sink that passes each event to several sinks, each guarded."""

    def __init__(self, sinks: Iterable[TelemetrySink]) -> None:
        self._sinks = tuple(GuardedSink(sink) for sink in sinks)

    def record(self, event: TelemetryEvent) -> None:
        """Pass the event to each sink."""
        for sink in self._sinks:
            sink.record(event)


@dataclass(frozen=True, slots=True)
class RedactingSink:
    """Sink that redacts each event for another one. What cannot be redacted is not passed on."""

    redactor: Redactor
    sink: TelemetrySink

    def record(self, event: TelemetryEvent) -> None:
        """Redact the event and pass it on."""
        self.sink.record(self.redactor.redact_event(event))


class RingSink:
    """Ring buffer of the last events, oldest first."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._events: deque[TelemetryEvent] = deque(maxlen=capacity)

    def record(self, event: TelemetryEvent) -> None:
        """Keep an event; the oldest goes when there are too many."""
        self._events.append(event)

    def __iter__(self) -> Iterator[TelemetryEvent]:
        """Iterate over the events, oldest first; others may come meanwhile."""
        return iter(tuple(self._events))

    def __len__(self) -> int:
        """Return how many events are kept."""
        return len(self._events)


class LateRingSink:
    """Ring buffer that redacts its events when they are read. What cannot be redacted is dropped then.

    Nothing but `read` gives events away, and they are redacted once.
    """

    def __init__(self, redactor: Redactor, capacity: int = CAPACITY) -> None:
        self._unread: deque[TelemetryEvent] = deque(maxlen=capacity)
        self._redacted = RingSink(capacity)
        self._sink = GuardedSink(RedactingSink(redactor, self._redacted))

    def record(self, event: TelemetryEvent) -> None:
        """Keep an event as it is until somebody reads."""
        self._unread.append(event)

    def read(self) -> RingSink:
        """Return the last events, redacted."""
        while self._unread:
            self._sink.record(self._unread.popleft())
        return self._redacted


class PrintSink:
    """Prints each event with sorted fields, and an empty line (Agent router orchestration, PrintSink).

    The time is left out, so that two runs can be compared.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def record(self, event: TelemetryEvent) -> None:
        """Print the event.

        Raises:
            OSError: the stream cannot be written to.
        """
        stream = sys.stdout if self._stream is None else self._stream
        stream.write(f"{pformat(event.model_dump(mode='json', exclude={'timestamp'}))}\n\n")
