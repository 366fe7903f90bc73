"""The power is cut, or the disk full, while a case is added: the house's own cases are all there afterwards."""

from collections.abc import Generator
from dataclasses import dataclass
import json
import os
from pathlib import Path
import random
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from custom_components.bellboard.evaluation.golden_file import read_file
from custom_components.bellboard.panel.correcting import CASES_FILE

pytestmark = pytest.mark.long

KILLS = int(os.environ.get("BELLBOARD_KILLS", "10"))
ROOT = Path(__file__).parent.parent.parent

CASES = 100
"""The cases that are there before."""


@dataclass
class Adding:
    """The process that adds cases."""

    process: subprocess.Popen[bytes]

    def begin(self, **command: Any) -> int:
        """Have cases added; return the process id of who does."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()
        return int(self.next()["pid"])

    def next(self) -> dict[str, Any]:
        """Return what is told next."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "no cases can be added"
        found: dict[str, Any] = json.loads(line)
        return found


@pytest.fixture(scope="module")
def adding() -> Generator[Adding]:
    """Start the process; importing Home Assistant takes seconds."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.panel.adding"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield Adding(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of many cases, with a comment of its owner's."""
    path = tmp_path / CASES_FILE
    cases = (
        f"  - {{id: old-{n}, say: hello, expect: {{unchanged: true}}}}\n" for n in range(CASES)
    )
    path.write_text("# Ours.\ncases:\n" + "".join(cases), "utf-8")
    return path


def test_killed_while_cases_are_added(adding: Adding, path: Path) -> None:
    """At some moment, or as soon as the file is seen to be shorter than it was."""
    dice = random.Random(4)  # noqa: S311 -- no secret
    known = [case.id for case in read_file(path).cases]
    for _ in range(KILLS):
        size = path.stat().st_size
        pid = adding.begin(path=str(path))
        added = [adding.next()["added"]]
        until = time.monotonic() + dice.uniform(0, 0.4)
        while time.monotonic() < until and (now := path.stat().st_size) >= size:
            size = now
        os.kill(pid, signal.SIGKILL)
        while "added" in (told := adding.next()):
            added.append(told["added"])
        assert told == {"gone": -signal.SIGKILL}
        kept = [case.id for case in read_file(path).cases]
        # All that was told to be added is, and at most the one after it.
        assert kept[: len(known) + len(added)] == known + added
        assert len(kept) - len(known) - len(added) in {0, 1}
        known = kept
    assert path.read_text("utf-8").startswith("# Ours.\n")
    # Otherwise this proves nothing.
    assert len(known) > CASES + KILLS


def test_a_full_disk_loses_no_case(adding: Adding, path: Path) -> None:
    before = path.read_bytes()
    adding.begin(path=str(path), most_bytes=len(before) // 2)
    assert adding.next() == {"gone": 0}
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
