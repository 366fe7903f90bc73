"""Events are kept in a file that stays small, whatever becomes of the disk, and no turn waits for it."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
import json
import logging
from pathlib import Path
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from typing import Any

import pytest

from custom_components.bellboard.telemetry import sqlite_sink
from custom_components.bellboard.telemetry.sqlite_sink import EventFile, SqliteSink, row_of
from custom_components.bellboard.telemetry.trace import Level, Stage, TelemetryEvent

MB = 1024 * 1024


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody who keeps the file."""
    monkeypatch.setattr(sqlite_sink, "BUSY_SECONDS", 0.01)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is to be."""
    return tmp_path / "storage" / "telemetry.db"


def event(number: int = 0, **payload: Any) -> TelemetryEvent:
    """Return an event with a number."""
    return TelemetryEvent(
        timestamp=f"2026-11-02T08:00:00.{number:03}Z",
        interaction_id=f"turn-{number}",
        session_id="talk",
        stage=Stage.TOOL_EXECUTE,
        level=Level.WARN,
        payload=payload,
    )


def rows(path: Path, columns: str = "*") -> list[tuple[Any, ...]]:
    """Return what is in a file."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(f"SELECT {columns} FROM events ORDER BY rowid")  # noqa: S608
        return found.fetchall()


def turns(path: Path) -> list[int]:
    """Return the numbers of the events in a file."""
    return [int(name.removeprefix("turn-")) for (name,) in rows(path, "interaction_id")]


def names(path: Path) -> set[str]:
    """Return the names of the files there are."""
    return {found.name for found in path.parent.iterdir()}


def sink_at(path: Path, **options: Any) -> SqliteSink:
    """Return a sink with plenty of room."""
    return SqliteSink(path, **{"max_bytes": 10 * MB, "keep": 2, **options})


def test_an_event_is_kept_in_full(path: Path) -> None:
    with closing(sink_at(path)) as sink:
        assert not path.exists(), "nothing is written before there is something to write"
        payload = {"ok": True, "tool": "light.turn_on", "agent_id": "light-agent", "note": "Küche"}
        sink.record(event(7, **payload, intent_id="HassTurnOn"))
        sink.record(event(8, intent_id=None))
        assert sink.flush()
        first, second = rows(path)
    assert first[:8] == (
        1, "2026-11-02T08:00:00.007Z", "turn-7", "talk", "tool_execute", "warn", "light-agent", "HassTurnOn",
    )  # fmt: skip
    assert json.loads(first[8]) == {**payload, "intent_id": "HassTurnOn"}
    assert "Küche" in first[8]
    assert second[6:] == (None, None, '{"intent_id":null}')
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sink.dropped == 0


def test_to_close_is_to_write_what_waits_and_to_end(path: Path) -> None:
    sink = sink_at(path)
    for number in range(100):
        sink.record(event(number))
    sink.close()
    assert turns(path) == list(range(100))
    assert names(path) == {path.name}, "no journal is left"
    assert not [thread for thread in threading.enumerate() if "telemetry" in thread.name]
    sink.record(event())
    sink.close()
    assert sink.flush()
    assert sink.dropped == 1
    assert len(rows(path)) == 100


def test_who_records_nothing_needs_no_thread_and_no_file(path: Path) -> None:
    with closing(sink_at(path)) as sink:
        assert sink.flush()
    assert not path.parent.exists()


def test_what_comes_soon_after_is_written_together(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_sink, "_TOGETHER", 0.05)
    sizes: list[int] = []
    write = EventFile.write

    def counting(file: EventFile, found: Any) -> None:
        sizes.append(len(found))
        write(file, found)

    monkeypatch.setattr(EventFile, "write", counting)
    with closing(sink_at(path)) as sink:
        for number in range(8):
            sink.record(event(number))
        wait_until(lambda: path.exists() and turns(path) == list(range(8)))
    assert sizes == [8]


def test_what_was_written_before_stays(path: Path) -> None:
    for number in range(3):
        with closing(sink_at(path)) as sink:
            sink.record(event(number))
    assert turns(path) == [0, 1, 2]


def test_the_file_may_be_read_and_deleted_meanwhile(path: Path) -> None:
    with closing(sink_at(path)) as sink:
        sink.record(event(1))
        assert sink.flush()
        with closing(sqlite3.connect(path)) as reader:
            assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
            sink.record(event(2))
            assert sink.flush()
            assert reader.execute("SELECT count(*) FROM events").fetchone() == (2,)
        path.unlink()
        sink.record(event(3))
        assert sink.flush()
        assert turns(path) == [3]


def test_many_threads_may_record(path: Path) -> None:
    with closing(sink_at(path)) as sink:

        def fill() -> None:
            for number in range(50):
                sink.record(event(number))

        threads = [threading.Thread(target=fill) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sink.flush()
    assert sorted(turns(path)) == sorted([*range(50)] * 4)


@pytest.mark.parametrize("keep", [0, 1, 3])
def test_a_file_that_is_large_makes_room_for_a_new_one(path: Path, keep: int) -> None:
    file = EventFile(path, max_bytes=20_000, keep=keep)
    for number in range(5):
        file.write([row_of(event(number, note="x" * 20_000))])
    kept = {f"{path.name}.{number}" for number in range(1, keep + 1)}
    assert names(path) == kept
    assert [turns(path.with_name(name)) for name in sorted(kept)] == [[4], [3], [2]][:keep]
    file.write([row_of(event(5))])
    assert turns(path) == [5]
    assert names(path) == kept | {path.name}


def test_if_fewer_are_to_be_kept_the_others_go_with_the_next(path: Path) -> None:
    for keep in (4, 1):
        file = EventFile(path, max_bytes=1, keep=keep)
        for number in range(4):
            file.write([row_of(event(number))])
    assert names(path) == {f"{path.name}.1"}


@pytest.mark.parametrize(
    "content",
    [b"this is no database, and it is longer than a header of one would be " * 20, b"SQLite format 3\0" * 400],
    ids=["text", "garbage"],
)  # fmt: skip
def test_a_broken_file_is_set_aside(
    path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    path.with_name(f"{path.name}-journal").write_bytes(b"left over")
    with closing(sink_at(path)) as sink:
        sink.record(event(1))
        assert sink.flush()
        sink.record(event(2))
    assert turns(path) == [1, 2]
    assert names(path) == {path.name, f"{path.name}.aside"}
    assert path.with_name(f"{path.name}.aside").read_bytes() == content
    assert sink.dropped == 0
    assert caplog.text.count("set aside") == 1


def test_a_file_whose_inside_is_broken_is_set_aside(path: Path) -> None:
    file = EventFile(path, max_bytes=MB, keep=1)
    file.write([row_of(event(number, note="x" * 500)) for number in range(100)])
    content = bytearray(path.read_bytes())
    # The header stays as it is, and all that is after it becomes nonsense.
    content[200:] = b"\xff" * (len(content) - 200)
    path.write_bytes(content)
    file.write([row_of(event(1))])
    assert turns(path) == [1]
    assert names(path) == {path.name, f"{path.name}.aside"}


@pytest.mark.parametrize("version", [0, 2])
def test_a_file_of_another_version_is_set_aside(path: Path, version: int) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE events (words TEXT)")
        connection.execute(f"PRAGMA user_version = {version}")
    EventFile(path, max_bytes=MB, keep=0).write([row_of(event(1))])
    assert turns(path) == [1]
    assert rows(path.with_name(f"{path.name}.aside"), "words") == []


@pytest.mark.parametrize("full", [True, False], ids=["full", "no folder"])
def test_a_disk_that_cannot_be_written_is_told_of_once_and_tried_again(
    path: Path, caplog: pytest.LogCaptureFixture, *, full: bool
) -> None:
    caplog.set_level(logging.INFO)
    with closing(sink_at(path)) as sink:
        with full_disk() if full else no_folder(path.parent):
            for number in range(3):
                sink.record(event(number))
                assert not sink.flush()
        sink.record(event(3))
        assert sink.flush()
        assert turns(path) == [0, 1, 2, 3]
    told = [record.getMessage() for record in caplog.records if "elemetry" in record.getMessage()]
    assert [message.partition(" to ")[0] for message in told] == [
        "Telemetry cannot be written",
        "Telemetry is written",
    ]
    assert sink.dropped == 0


def test_while_somebody_keeps_the_file_events_wait(path: Path) -> None:
    with closing(sink_at(path)) as sink:
        sink.record(event(0))
        assert sink.flush()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            sink.record(event(1))
            assert not sink.flush()
            other.execute("ROLLBACK")
        assert sink.flush()
        assert turns(path) == [0, 1]


def test_it_tries_again_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_sink, "_RETRY", 0.02)
    monkeypatch.setattr(sqlite_sink, "_TOGETHER", 0.02)
    with closing(sink_at(path)) as sink:
        with no_folder(path.parent):
            sink.record(event(1))
            assert not sink.flush()
        wait_until(lambda: path.exists() and turns_if_any(path) == [1])


def turns_if_any(path: Path) -> list[int]:
    """Return the turns in a file that may be being made just now."""
    try:
        return turns(path)
    except sqlite3.OperationalError:
        return []


def test_where_too_much_waits_the_oldest_is_dropped_and_counted(path: Path) -> None:
    with closing(sink_at(path, capacity=5)) as sink:
        with no_folder(path.parent):
            for number in range(4):
                sink.record(event(number))
            assert not sink.flush()
            for number in range(4, 12):
                sink.record(event(number))
            assert not sink.flush()
            assert sink.dropped == 7
        assert sink.flush()
        assert turns(path) == [7, 8, 9, 10, 11]


def test_what_comes_while_it_is_written_takes_the_room_of_what_is_older(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sink_at(path, capacity=3)) as sink:

        def fail(_file: EventFile, _rows: Any) -> None:
            for number in range(10, 10 + later):
                sink.record(event(number))
            raise OSError

        later = 0
        for more, left in ((2, [2, 10, 11]), (3, [10, 11, 12])):
            later = more
            with monkeypatch.context() as patch:
                patch.setattr(EventFile, "write", fail)
                for number in range(3):
                    sink.record(event(number))
                assert not sink.flush()
                waiting = [int(e.interaction_id.removeprefix("turn-")) for e in sink._waiting]
                assert waiting == left
            assert sink.flush()
    assert turns(path) == [2, 10, 11, 10, 11, 12]
    assert sink.dropped == 5


def test_what_cannot_be_written_at_the_end_is_counted(path: Path) -> None:
    with no_folder(path.parent):
        with closing(sink_at(path)) as sink:
            sink.record(event(1))
            sink.record(event(2))
        assert sink.dropped == 2


def test_an_event_that_cannot_be_json_is_dropped_alone(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sink_at(path)) as sink:
        sink.record(event(1, thing=object()))
        assert sink.flush()
        assert not path.exists()
        payloads: list[dict[str, Any]] = [{}, {"thing": object()}, {"n": float("nan")}, {}]
        for number, payload in enumerate(payloads):
            sink.record(event(number, **payload))
        assert sink.flush()
        assert turns(path) == [0, 2, 3]
        assert rows(path, "payload")[1] == ('{"n":null}',), "there is no such number in JSON"
        assert sink.dropped == 2
    assert "An event cannot be written: " in caplog.text
    assert "object at" not in caplog.text


def test_half_a_character_does_no_harm(path: Path) -> None:
    EventFile(path, max_bytes=MB, keep=0).write(
        [row_of(event(1).model_copy(update={"session_id": "a\ud800b"}))]
    )
    assert rows(path, "session_id") == [("a?b",)]


def test_all_of_it_can_be_removed(path: Path) -> None:
    file = EventFile(path, max_bytes=1, keep=3)
    file.remove()
    for number in range(4):
        file.write([row_of(event(number))])
    path.write_bytes(b"no database" * 100)
    file.write([row_of(event(5))])
    other = path.with_name(f"{path.name}.lock")
    other.touch()
    assert len(names(path)) == 5
    file.remove()
    assert names(path) == {other.name}


def test_it_needs_no_home_assistant(path: Path) -> None:
    """An evaluation in a plain process keeps its events with the same sink."""
    program = f"""
import importlib, sys, types
from pathlib import Path
bare = types.ModuleType("bellboard")
bare.__path__ = [{str(Path(sqlite_sink.__file__).parent.parent)!r}]
sys.modules["bellboard"] = bare
sink = importlib.import_module("bellboard.telemetry.sqlite_sink")
events = importlib.import_module("bellboard.telemetry.trace")
assert "homeassistant" not in sys.modules
kept = sink.SqliteSink(Path({str(path)!r}), max_bytes=10**6, keep=0)
kept.record(events.TelemetryEvent(timestamp="", interaction_id="turn-4", session_id="", stage="respond"))
kept.close()
"""
    done = subprocess.run(  # noqa: S603 -- our own interpreter and text
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert turns(path) == [4]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, up to ten seconds.

    Raises:
        AssertionError: it does not.
    """
    waiting = threading.Event()
    assert any(holds() or waiting.wait(0.02) for _ in range(500))


@contextmanager
def no_folder(folder: Path) -> Iterator[None]:
    """Have a file where the folder should be."""
    folder.touch()
    try:
        yield
    finally:
        folder.unlink()


@contextmanager
def full_disk() -> Iterator[None]:
    """Let this process write no file beyond 1000 bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
