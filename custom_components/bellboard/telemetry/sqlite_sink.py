"""Sink that writes events to an SQLite file, in a thread of its own."""

from collections import deque
from collections.abc import Sequence
from contextlib import closing
import json
import logging
import os
from pathlib import Path
import sqlite3
import threading

from .trace import TelemetryEvent

_LOGGER = logging.getLogger(__name__)

SCHEMA_VERSION = 1
"""`PRAGMA user_version` of the file."""

BUSY_SECONDS = 5.0
"""The timeout for a lock of another process, in seconds."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY,
    timestamp TEXT NOT NULL,
    interaction_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    stage TEXT NOT NULL,
    level TEXT NOT NULL,
    agent_id TEXT,
    intent_id TEXT,
    payload TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_by_timestamp ON events (timestamp);
CREATE INDEX IF NOT EXISTS events_by_interaction ON events (interaction_id);
"""

_INSERT = """
INSERT INTO events
    (timestamp, interaction_id, session_id, stage, level, agent_id, intent_id, payload)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""

_ASIDE = "aside"
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

type Row = tuple[str | None, ...]


class EventFile:
    """An SQLite file of events, rotated at `max_bytes`: older ones end in `.1`, `.2`, up to `keep`."""

    def __init__(self, path: Path, *, max_bytes: int, keep: int) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._keep = keep

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, all of them or none.

        A file that is broken, or of another version, is set aside, and a new one begun.

        Raises:
            OSError: the folder or a file in it cannot be used.
            sqlite3.Error: the file cannot be written: no space, no permission, or kept by others.
        """
        try:
            if not self._insert(rows):
                self._set_aside()
                self._insert(rows)
        except sqlite3.DatabaseError as err:
            if not _is_broken(err):
                raise
            self._set_aside()
            self._insert(rows)
        if self.path.stat().st_size >= self._max_bytes:
            self._rotate()

    def _insert(self, rows: Sequence[Row]) -> bool:
        """Write rows, unless the file has tables of another version; return whether it was done."""
        with closing(self._connect()) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if version != SCHEMA_VERSION:
                if tables:
                    return False
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.executescript(_SCHEMA)
            with connection:
                connection.executemany(_INSERT, rows)
        return True

    def _connect(self) -> sqlite3.Connection:
        """Open the file; a new one is for Home Assistant's user only."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        return sqlite3.connect(self.path, timeout=BUSY_SECONDS)

    def _rotate(self) -> None:
        """Rotate the files; beyond `keep` they are deleted."""
        for number in range(self._keep, 0, -1):
            older = self._numbered(number - 1)
            if older.exists():
                older.replace(self._numbered(number))
        for path, number in self._older():
            if number > self._keep:
                path.unlink()
        self.path.unlink(missing_ok=True)

    def _set_aside(self) -> None:
        """Rename a file that cannot be used; an earlier one set aside is replaced."""
        aside = self._with_ending(_ASIDE)
        self.path.replace(aside)
        # What it was in the middle of would be applied to the new file.
        self._journal().unlink(missing_ok=True)
        _LOGGER.warning("Telemetry that cannot be used was set aside as %s", aside)

    def remove(self) -> None:
        """Delete the file, rotated and set aside ones too.

        Raises:
            OSError: one of them cannot be deleted.
        """
        older = [path for path, _ in self._older()]
        for path in (self.path, self._journal(), self._with_ending(_ASIDE), *older):
            path.unlink(missing_ok=True)

    def _numbered(self, number: int) -> Path:
        """Return the path of an older file; that of the file itself is number 0."""
        return self._with_ending(str(number)) if number else self.path

    def _older(self) -> list[tuple[Path, int]]:
        """Return the older files that exist, with their numbers."""
        return [
            (path, int(ending))
            for path in self.path.parent.glob(f"{self.path.name}.*")
            if (ending := path.suffix[1:]).isdecimal()
        ]

    def _journal(self) -> Path:
        """Return the path of SQLite's journal."""
        return self.path.with_name(f"{self.path.name}-journal")

    def _with_ending(self, ending: str) -> Path:
        """Return the path of a file beside this one."""
        return self.path.with_name(f"{self.path.name}.{ending}")


def _is_broken(err: sqlite3.DatabaseError) -> bool:
    """Return whether an error says that the file is corrupt or no database."""
    # The upper bytes only say more of the same kind of error.
    return getattr(err, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def row_of(event: TelemetryEvent) -> Row:
    """Return an event as a row.

    Raises:
        ValueError: its payload cannot be written as JSON.
    """
    payload = event.model_dump(mode="json")["payload"]
    texts = (
        event.timestamp,
        event.interaction_id,
        event.session_id,
        event.stage.value,
        event.level.value,
        _id_in(payload, "agent_id"),
        _id_in(payload, "intent_id"),
        json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False),
    )
    return tuple(_writable(text) for text in texts)


def _id_in(payload: dict[str, object], name: str) -> str | None:
    """Return an id that a payload may hold."""
    value = payload.get(name)
    return value if isinstance(value, str) else None


def _writable(text: str | None) -> str | None:
    """Return a text without lone surrogates, which SQLite does not take."""
    return text and text.encode("utf-8", "replace").decode("utf-8")


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
