"""Adds cases to a golden file in processes that are killed: `python -m tests.panel.adding`.

What they need is imported once; each is a fork of this process. A line on standard input is a command as JSON: `path`
is the golden file, `most_bytes` the size that a file may have, if any. The fork tells its process id, and then the id
of each case that it added; this process tells how it ended. With `most_bytes` it adds one case and ends with 0 where
there was no room for it.
"""

import json
import os
from pathlib import Path
import resource
import sys
import threading
from typing import Any

from homeassistant.util.file import WriteError

from custom_components.bellboard.panel.correcting import append_case

CASE: dict[str, Any] = {"say": "sunny side up", "language": "en", "expect": {"unchanged": True}}


def tell(**what: Any) -> None:
    """Tell something in one go: a process that is killed tells all of it or nothing."""
    os.write(1, json.dumps(what).encode() + b"\n")


def add(path: Path, most_bytes: int | None) -> None:
    """Add cases, without end or one that is too much."""
    tell(pid=os.getpid())
    if most_bytes is None:
        while True:
            tell(added=append_case(path, CASE, 1e9))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))
    try:
        append_case(path, CASE, 1e9)
    except WriteError:
        os._exit(0)


def main() -> None:
    """Fork for each command."""
    # A fork has none of the threads of what it is a fork of.
    assert threading.active_count() == 1
    for line in sys.stdin:
        command = json.loads(line)
        if child := os.fork():
            tell(gone=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            continue
        try:
            add(Path(command["path"]), command.get("most_bytes"))
        finally:
            os._exit(1)


if __name__ == "__main__":
    main()
