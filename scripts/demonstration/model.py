"""Which model server Bellboard talks to."""

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
import fcntl
import os
from pathlib import Path
import tempfile
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from .boot import ROOT
from .errors import DemoError

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL_LLM = ROOT / "scripts" / "local-llm"

PROBES = (
    ("/api/version", "version", "ollama"),
    ("/v1/models", "data", "openai"),
    ("/api/tags", "models", "ollama"),
)
"""Path, a key of the answer, and what speaks so. Ollama offers OpenAI's path, too, and some servers
of OpenAI's protocol offer Ollama's list of models, so the list comes last."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server that answers, and the protocol it speaks: "ollama" or "openai"."""

    provider: str
    url: str
    started: bool = False
    """Whether the demonstration started it."""


async def find_server(wanted: str) -> ModelServer | None:
    """Return the server for "none" (None), "local" (scripts/local-llm) or a URL.

    Raises DemoError when it does not answer or cannot be started.
    """
    if wanted == "none":
        return None
    if wanted != "local":
        return ModelServer(await _protocol(wanted), wanted)
    url, started = await _local()
    return ModelServer(await _protocol(url), url, started)


async def stop_server(server: ModelServer | None) -> None:
    """Stop the server, if the demonstration started it."""
    if server is not None and server.started:
        await _run(LOCAL_LLM, "--stop")


async def _local() -> tuple[str, bool]:
    """Return the local server's address and whether it had to be started."""
    with _one_at_a_time():
        code, url = await _run(LOCAL_LLM, "--url-only")
        if code == 0 and url:
            return url, False
        code, url = await _run(LOCAL_LLM)
    if code != 0 or not url:
        raise DemoError("the local model did not start (see above); go on without by --llm none")
    return url, True


async def _run(*command: Path | str) -> tuple[int, str]:
    """Run a script; return its exit code and the last line it printed."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    lines = printed.decode().split()
    return process.returncode or 0, lines[-1] if lines else ""


async def _protocol(url: str) -> str:
    """Return the protocol that a server speaks; raises DemoError when nothing answers."""
    base = url.rstrip("/").removesuffix("/v1")
    for path, key, protocol in PROBES:
        answer = await _fetch(base + path)
        if answer is not None and key in answer:
            return protocol
    message = f"no model server that speaks Ollama's or OpenAI's protocol answers at {url}"
    raise DemoError(message)


async def _fetch(url: str) -> dict[str, Any] | None:
    """Return the JSON object found at a URL, or None."""
    async with ClientSession(timeout=ClientTimeout(total=5)) as session:
        try:
            async with session.get(url) as response:
                found = await response.json(content_type=None) if response.ok else None
        except ClientError, TimeoutError, ValueError:
            return None
    return found if isinstance(found, dict) else None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Keep two demonstrations from starting the same server."""
    lock = Path(tempfile.gettempdir()) / f"bellboard-demo-{os.getuid()}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
