"""The model server that is measured with: one that answers, or a small one that is started."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import os
from pathlib import Path
import subprocess

_SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "local-llm"


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server's address, or None and the reason why there is none."""

    url: str | None
    reason: str = ""


@contextmanager
def model_server(wanted: str | None) -> Iterator[ModelServer]:
    """Give the address of a model server; what was started is stopped at the end.

    `wanted` is an address, "none", or None for any that answers, else a small one started here.
    """
    wanted = wanted or os.environ.get("BELLBOARD_LLM_URL")
    if wanted == "none":
        yield ModelServer(None, "not measured: it needs a model (--llm)")
        return
    if wanted:
        yield ModelServer(wanted)
        return
    if running := _address("--url-only"):
        yield ModelServer(running)
        return
    if not (started := _address()):
        yield ModelServer(None, "not measured: scripts/local-llm could not start a model")
        return
    try:
        yield ModelServer(started)
    finally:
        subprocess.run([_SCRIPT, "--stop"], check=False)


def _address(*arguments: str) -> str | None:
    """Return the address that `scripts/local-llm` prints, or None where it fails."""
    found = subprocess.run([_SCRIPT, *arguments], check=False, stdout=subprocess.PIPE, text=True)
    return found.stdout.strip() or None if found.returncode == 0 else None
