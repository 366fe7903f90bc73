"""Sink that writes events to an SQLite file, in a thread of its own."""

from collections import deque
from collections.abc import Sequence
import logging
from pathlib import Path
import sqlite3
import threading

from .events import TelemetryEvent
from .sqlite_file import EventFile, Row, row_of

_LOGGER = logging.getLogger(__name__)

CAPACITY = 2000
"""The events that may wait to be written."""

# In seconds.
_TOGETHER = 2.0
_RETRY = 30.0
_LONGEST_WAIT = 15.0


class SqliteSink:
    """Writes events to a file of about `max_bytes`, with `keep` rotated ones.

    A thread writes what comes within two seconds together. An error is logged once, and the write
    retried later. If too many events wait, the oldest are dropped; `dropped` counts them.
    """

    def __init__(self, path: Path, *, max_bytes: int, keep: int, capacity: int = CAPACITY) -> None:
        self._file = EventFile(path, max_bytes=max_bytes, keep=keep)
        self._capacity = capacity
        self._waiting: deque[TelemetryEvent] = deque()
        self._changed = threading.Condition()
        self._writer: threading.Thread | None = None
        self._hurried = False
        self._closing = False
        self._fails = False
        self.dropped = 0

    def record(self, event: TelemetryEvent) -> None:
        """Take an event; once the sink is closed, it is dropped."""
        with self._changed:
            if self._closing:
                self.dropped += 1
                return
            if len(self._waiting) >= self._capacity:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(event)
            if self._writer is None:
                self._writer = threading.Thread(
                    target=self._run, name="bellboard telemetry", daemon=True
                )
                self._writer.start()
            self._changed.notify_all()

    def flush(self) -> bool:
        """Wait until all that was taken is written, and return whether it is. For any thread but the loop's."""
        with self._changed:
            if self._writer and not self._closing:
                self._hurried = True
                self._changed.notify_all()
                self._changed.wait_for(lambda: not self._hurried, _LONGEST_WAIT)
            return not (self._waiting or self._hurried)

    def close(self) -> None:
        """Write what waits and end. For any thread but the loop's; to close twice does no harm."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._writer:
            self._writer.join(_LONGEST_WAIT)

    def _run(self) -> None:
        """Write batches until the sink is closed: the thread's target."""
        closing = False
        while not closing:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_awaited())
                # The events of a turn come one after the other; a disk is written once for all.
                self._changed.wait_for(self._is_awaited, _TOGETHER)
                closing, hurried = self._closing, self._hurried
                events = list(self._waiting)
                self._waiting.clear()
            left = self._write(events)
            with self._changed:
                self._put_back(left)
                if hurried:
                    self._hurried = False
                    self._changed.notify_all()
                if left:
                    self._changed.wait_for(self._is_awaited, _RETRY)
        with self._changed:
            self.dropped += len(self._waiting)
            self._waiting.clear()

    def _is_awaited(self) -> bool:
        """Return whether somebody waits for a write."""
        return self._closing or self._hurried

    def _put_back(self, events: Sequence[TelemetryEvent]) -> None:
        """Queue events again, before those that came meanwhile; the oldest are dropped."""
        room = self._capacity - len(self._waiting)
        kept = events[-room:] if room > 0 else ()
        self._waiting.extendleft(reversed(kept))
        self.dropped += len(events) - len(kept)

    def _write(self, events: Sequence[TelemetryEvent]) -> list[TelemetryEvent]:
        """Write events; return those to retry: none, or all that can be written."""
        rows: dict[int, Row] = {}
        for number, event in enumerate(events):
            try:
                rows[number] = row_of(event)
            except ValueError as err:
                _LOGGER.warning("An event cannot be written: %s", type(err).__name__)
        with self._changed:
            self.dropped += len(events) - len(rows)
        if not rows:
            return []
        try:
            self._file.write(list(rows.values()))
        except (OSError, sqlite3.Error) as err:
            if not self._fails:
                _LOGGER.warning("Telemetry cannot be written to %s: %s", self._file.path, err)
            self._fails = True
            return [events[number] for number in rows]
        if self._fails:
            _LOGGER.info("Telemetry is written to %s again", self._file.path)
        self._fails = False
        return []
