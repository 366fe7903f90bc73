"""Real Redis servers, and tasks to keep."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
import os
from pathlib import Path
import shutil
import signal
import socket
import subprocess
import time
from typing import Any, Self

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.memory.models import TaskContext, TaskState
from custom_components.bellboard.memory.redis_connection import async_connect


def redis_program() -> str:
    """Return the path of redis-server: the one on this machine, else the one scripts/setup brought."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = Path(os.environ.get("BELLBOARD_HOME") or cache / "bellboard")
    own = home / "redis" / "redis-server"
    found = shutil.which("redis-server") or (str(own) if own.exists() else None)
    if found is None:
        pytest.fail("redis-server is missing: scripts/setup brings it")
    return found


class RedisServer:
    """A Redis of its own on 127.0.0.1, which keeps its port and its data over a restart."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        """Choose a port."""
        self._folder = folder
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        """Return the address, also while it is stopped."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start, and return when it answers."""
        listen = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self._folder)]
        keep = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
        self._process = subprocess.Popen(  # noqa: S603 -- our own program and arguments
            [redis_program(), *listen, *keep, *self._arguments], stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + 10
        while not self._answers():
            assert self._process.poll() is None, "redis-server does not start"
            assert time.monotonic() < until, "redis-server does not answer"
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Let it accept connections but answer nothing."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it answer again."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        """Return whether it is ready; one that wants a password says so."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as wire:
                wire.sendall(b"PING\r\n")
                return wire.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False


type StartRedis = Callable[..., RedisServer]


@pytest.fixture
def start_redis(tmp_path: Path) -> Generator[StartRedis]:
    """Return a function that starts a Redis with arguments of its own."""
    with ExitStack() as stack:

        def start(*arguments: str) -> RedisServer:
            server = RedisServer(tmp_path, *arguments)
            stack.callback(server.stop)
            return server.start()

        yield start


@pytest.fixture
def redis(start_redis: StartRedis) -> RedisServer:
    """Return a running Redis."""
    return start_redis()


def asked(session_id: str = "talk", **metadata: Any) -> TaskContext:
    """Return a task that asked a question."""
    task = TaskContext.submitted(session_id=session_id, metadata=metadata)
    task.add_request("turn on the lamp")
    task.add_reply("The floor lamp or the reading lamp?", TaskState.INPUT_REQUIRED)
    return task


def finished(session_id: str = "talk", **metadata: Any) -> TaskContext:
    """Return a task that is done."""
    task = asked(session_id, **metadata)
    task.add_request("the floor lamp")
    task.add_reply("I turned on the floor lamp.", TaskState.COMPLETED)
    return task


async def async_check_redis(hass: HomeAssistant, url: str) -> None:
    """Ask Redis whether it is there.

    Raises:
        RequirementsNotFound: the client library cannot be installed.
        StoreUnavailableError: it does not answer, or wants another password.
        ValueError: the URL is none of Redis.
    """
    connection = await async_connect(hass, url)
    try:
        await connection.async_probe()
    finally:
        await connection.async_close()
