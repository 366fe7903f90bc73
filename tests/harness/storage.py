"""Keeps runs: one in a JSON file, many in an SQLite database."""

from collections.abc import Mapping
from contextlib import closing
import json
from pathlib import Path
import sqlite3
from typing import Any

from custom_components.bellboard.evaluation.report import CaseResult

from .runs import Run

_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    llm TEXT NOT NULL,
    dry_run INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    p50_ms REAL,
    p95_ms REAL,
    model_calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS cases (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    file TEXT NOT NULL,
    id TEXT NOT NULL,
    agent TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    differences TEXT NOT NULL,
    turns TEXT NOT NULL,
    PRIMARY KEY (run_id, file, id)
);
"""


class StorageError(Exception):
    """A run cannot be read or written."""


def write_json(run: Run, path: Path) -> None:
    """Write a run to a file.

    Raises:
        StorageError: it cannot be written.
    """
    try:
        path.write_text(
            json.dumps(run.as_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
    except OSError as err:
        raise StorageError(f"{path} cannot be written: {err.strerror}") from err


def write_sqlite(run: Run, path: Path) -> int:
    """Add a run to a database, and return its number.

    Raises:
        StorageError: it cannot be written.
    """
    data = run.as_json()
    numbers = {**data["summary"], "at": run.at, "llm": run.llm, "dry_run": int(run.dry_run)}
    try:
        with closing(sqlite3.connect(path)) as database, database:
            database.executescript(_TABLES)
            number = database.execute(
                "INSERT INTO runs (at, llm, dry_run, passed, failed, skipped, p50_ms, p95_ms,"
                " model_calls, tokens) VALUES (:at, :llm, :dry_run, :passed, :failed, :skipped,"
                " :p50_ms, :p95_ms, :model_calls, :tokens)",
                numbers,
            ).lastrowid
            database.executemany(
                "INSERT INTO cases VALUES"
                " (:run, :file, :id, :agent, :outcome, :reason, :differences, :turns)",
                [_row(number, case) for case in data["cases"]],
            )
    except sqlite3.Error as err:
        raise StorageError(f"{path} cannot be written: {err}") from err
    return int(number or 0)


def _row(run: int | None, case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case as a row of the database."""
    lists = {name: json.dumps(case[name], ensure_ascii=False) for name in ("differences", "turns")}
    return {**case, **lists, "run": run}


def read_run(source: str) -> dict[str, CaseResult]:
    """Return what became of each case in a run that was kept, by file and id.

    `source` is a JSON file, or a database, of which the last run is meant: `FILE.db:3` is its third.

    Raises:
        StorageError: there is no such run.
    """
    name, _, number = source.rpartition(":")
    if name and number.isdecimal():
        return _read_sqlite(Path(name), int(number))
    path = Path(source)
    try:
        with path.open("rb") as file:
            is_database = file.read(15) == b"SQLite format 3"
    except OSError as err:
        raise StorageError(f"{source} cannot be read: {err.strerror}") from err
    return _read_sqlite(path, None) if is_database else _read_json(path)


def _read_json(path: Path) -> dict[str, CaseResult]:
    """Read a run from a file."""
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
        return {
            f"{case['file']}/{case['id']}": CaseResult(case["outcome"], tuple(case["differences"]))
            for case in cases
        }
    except (OSError, ValueError, TypeError, LookupError) as err:
        raise StorageError(f"{path} holds no run: {type(err).__name__}") from err


def _read_sqlite(path: Path, number: int | None) -> dict[str, CaseResult]:
    """Read a run from a database; None is for the last one."""
    if not path.is_file():
        raise StorageError(f"{path} cannot be read: there is no such file")
    try:
        with closing(sqlite3.connect(path)) as database:
            if number is None:
                (number,) = database.execute("SELECT max(id) FROM runs").fetchone()
            rows = database.execute(
                "SELECT file, id, outcome, differences FROM cases WHERE run_id = ?", (number,)
            ).fetchall()
    except sqlite3.Error as err:
        raise StorageError(f"{path} cannot be read: {err}") from err
    if not rows:
        raise StorageError(f"{path} has no run {number or ''}".rstrip())
    return {
        f"{file}/{case}": CaseResult(outcome, tuple(json.loads(found)))
        for file, case, outcome, found in rows
    }
