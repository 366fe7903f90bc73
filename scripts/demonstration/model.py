"""Which model server Bellboard talks to."""

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
import fcntl
import os
from pathlib import Path
import sys
import tempfile
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

from .boot import ROOT, free_port
from .errors import DemoError
from .progress import step, tell

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
    tell(f"the model is at {url}")
    return ModelServer(await _protocol(url), url, started)


async def stop_server(server: ModelServer | None) -> None:
    """Stop the server, if the demonstration started it."""
    if server is not None and server.started:
        await _run(LOCAL_LLM, "--stop", "--port", str(urlsplit(server.url).port))


async def _local() -> tuple[str, bool]:
    """Return the local server's address and whether it had to be started."""
    with _one_at_a_time():
        command: list[str] = []
        code, url = await _run(LOCAL_LLM, "--url-only")
        if code == 0 and url:
            if is_known(url) or await _may_use(url):
                return url, False
            command = ["--port", str(free_port())]
        async with step("starting a small model on this machine (--llm none does without)"):
            code, url = await _run(LOCAL_LLM, *command)
    if code != 0 or not url:
        raise DemoError("the local model did not start (see above); go on without by --llm none")
    return url, True


def is_known(url: str) -> bool:
    """Return whether a server is one that was named, or that scripts/local-llm started: its process is noted."""
    if url == os.environ.get("BELLBOARD_LLM_URL", "").rstrip("/"):
        return True
    noted = Path(os.environ.get("LLM_DIR", "")) / f"server-{urlsplit(url).port}.pid"
    try:
        os.kill(int(noted.read_text()), 0)
    except OSError, ValueError:
        return False
    return urlsplit(url).hostname in {"127.0.0.1", "localhost"}


async def _may_use(url: str) -> bool:
    """Return whether a server that somebody else started may be used; without anybody to ask it may not."""
    models = ", ".join(await _models(url)) or "no model told"
    tell(f"a model server that was not started here answers at {url} ({models})")
    if not sys.stdin.isatty():
        tell(f"  it is not used; --llm {url} would use it")
        return False
    print("  use it? [y/N] ", end="", file=sys.stderr, flush=True)
    loop = asyncio.get_running_loop()
    typed = asyncio.Event()
    loop.add_reader(sys.stdin, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


async def _models(url: str) -> list[str]:
    """Return the names of a server's models, some of them."""
    base = url.rstrip("/").removesuffix("/v1")
    found = await _fetch(f"{base}/v1/models") or {}
    listed = found.get("data")
    names = [str(each.get("id")) for each in listed if isinstance(each, dict)] if listed else []
    return names[:3]


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
