"""Home Assistant as a process of its own: its configuration, its start and its end."""

import asyncio
from dataclasses import dataclass
from importlib.util import find_spec
import json
import os
from pathlib import Path
import shutil
import signal
import socket
import sys
import time
from typing import Self

from aiohttp import ClientError, ClientSession, ClientTimeout

from .errors import DemoError, HomeAssistantError

ROOT = Path(__file__).resolve().parents[2]
INTEGRATIONS = (
    ROOT / "custom_components" / "bellboard",
    Path(__file__).parent / "custom_components" / "demo_house",
)

BOOT_SECONDS = 120
STOP_SECONDS = 15
LOG_LINES = 20
# Home Assistant's way of asking whoever started it to start it again.
RESTART_EXIT_CODE = 100

SPEECH_PACKAGES = ("pymicro_vad", "pyspeex_noise")
"""What Assist pipelines need; they are compiled, so a machine without a compiler lacks them."""

SKIPPED_PACKAGES = ("pymicro-vad", "pyspeex-noise")

CONFIGURATION = """\
homeassistant:
  name: Demo House
  unit_system: metric
  time_zone: UTC
  country: GB
  currency: EUR
  packages:
    # Written anew at every start; settings of your own go into this file.
    demo: !include demo.yaml
# What is to be repeated is kept in it.
automation: !include automations.yaml
"""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How Home Assistant should run."""

    directory: Path
    """Its configuration directory."""
    port: int
    frontend: bool
    """With its web interface."""
    develop: bool
    """With a detailed log of Bellboard, shown in this terminal."""


def has_pipelines() -> bool:
    """Return whether this Python holds what Assist pipelines need."""
    return all(find_spec(package) is not None for package in SPEECH_PACKAGES)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def check_port(port: int) -> None:
    """Raise DemoError when a port cannot be listened on.

    Home Assistant would not say so: it falls back to another port.
    """
    with socket.socket() as listener:
        # A port left a moment ago counts as free, as it does for Home Assistant itself.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("", port))
        except OSError as error:
            message = f"port {port} cannot be used ({error.strerror}); choose another with --port"
            raise DemoError(message) from error


def write_configuration(wishes: Wishes) -> None:
    """Fill the configuration directory: Home Assistant's settings, Bellboard and the demo house."""
    directory = wishes.directory
    (directory / "custom_components").mkdir(parents=True, exist_ok=True)
    (directory / ".storage").mkdir(exist_ok=True)
    for source in INTEGRATIONS:
        link = directory / "custom_components" / source.name
        if not link.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(source, target_is_directory=True)
    main = directory / "configuration.yaml"
    if not main.exists():
        main.write_text(CONFIGURATION, encoding="utf-8")
        (directory / "automations.yaml").write_text("[]\n", encoding="utf-8")
    (directory / "demo.yaml").write_text(_package(wishes), encoding="utf-8")
    # The port comes with each start (see _environment), not from the start before.
    (directory / ".storage" / "http").unlink(missing_ok=True)
    onboarding = directory / ".storage" / "onboarding"
    if not onboarding.exists():
        # Home Assistant takes this for its oldest form, in which only the first user was asked for,
        # and marks the younger steps as done: they would set up services on the internet.
        content = {"version": 1, "minor_version": 1, "key": "onboarding", "data": {"done": []}}
        onboarding.write_text(json.dumps(content), encoding="utf-8")


def _package(wishes: Wishes) -> str:
    """Return the settings that follow from the command line."""
    sections = ["api:\nconfig:\nconversation:\n"]
    if has_pipelines():
        sections.append("assist_pipeline:\n")
    if wishes.frontend:
        sections.append("frontend:\nhistory:\nlogbook:\nmy:\n")
    else:
        # Home Assistant insists on its web interface; an empty one loads at once and needs no package.
        bare = wishes.directory / "no_frontend"
        (bare / "hass_frontend").mkdir(parents=True, exist_ok=True)
        sections.append(f"frontend:\n  development_repo: {json.dumps(str(bare))}\n")
    level = "debug" if wishes.develop else "warning"
    sections.append(
        "logger:\n  default: warning\n  logs:\n"
        f"    custom_components.bellboard: {level}\n"
        # What is no news here: integrations that are not Home Assistant's own, packages left out,
        # and programs for cameras that nobody watches.
        "    homeassistant.loader: error\n"
        "    homeassistant.requirements: error\n"
        "    homeassistant.components.camera.img_util: critical\n"
        "    haffmpeg: critical\n"
    )
    return "\n".join(sections)


class HomeAssistant:
    """A running Home Assistant. Leaving the context ends it, whatever happened inside."""

    def __init__(self, wishes: Wishes) -> None:
        """Describe the process; entering the context starts it."""
        self.wishes = wishes
        self.url = f"http://127.0.0.1:{wishes.port}"
        self.log = wishes.directory / "demo.log"
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        """Start Home Assistant and wait until it answers.

        Raises HomeAssistantError, after showing the end of the log, if it ends or does not answer in
        time.
        """
        await asyncio.to_thread(write_configuration, self.wishes)
        try:
            await self._start()
            await self._answering()
        except BaseException as error:
            # Leaving is not called for when entering fails; Ctrl-C makes it fail, too.
            await self._leave(error)
            raise
        return self

    async def __aexit__(
        self, _kind: object, error: BaseException | None, _traceback: object
    ) -> None:
        """End Home Assistant; show the end of its log if it was at fault."""
        await self._leave(error)

    async def _leave(self, error: BaseException | None) -> None:
        await self.stop()
        # Not before it has ended, for only then its log is complete.
        if isinstance(error, HomeAssistantError):
            self.show_log()

    async def run(self) -> None:
        """Wait until Home Assistant ends by itself; start it again when it asks for that.

        Raises HomeAssistantError if it ends for any other reason.
        """
        while self._process is not None:
            code = await self._process.wait()
            if code != RESTART_EXIT_CODE:
                message = f"Home Assistant ended by itself (exit code {code})"
                raise HomeAssistantError(message)
            await self._start()

    async def stop(self) -> None:
        """End Home Assistant: kindly, and by force if that takes too long or is interrupted."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            print("Home Assistant does not end; ending it by force", file=sys.stderr)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)

    def show_log(self) -> None:
        """Print the end of the log to standard error, unless it was shown all along."""
        if self.wishes.develop or not self.log.exists():
            return
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        for line in lines[-LOG_LINES:]:
            print(line, file=sys.stderr)

    async def _start(self) -> None:
        skipped = list(SKIPPED_PACKAGES)
        if not self.wishes.frontend:
            skipped.append("home-assistant-frontend")
        command = [
            # -P: the current directory's custom_components must not stand for the configuration's.
            *(sys.executable, "-P", "-m", "homeassistant"),
            *("--config", str(self.wishes.directory)),
            *("--skip-pip-packages", ",".join(skipped)),
        ]
        if setpriv := shutil.which("setpriv"):
            # Should this program be killed, Home Assistant must not stay behind.
            command = [setpriv, "--pdeathsig", "TERM", *command]
        output = None if self.wishes.develop else self.log.open("ab")
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                # Standard output belongs to the demonstration's own results.
                stdout=output or sys.stderr,
                stderr=output or sys.stderr,
                env=self._environment(),
                # Ctrl-C reaches this program alone, which then ends Home Assistant in order.
                start_new_session=True,
            )
        finally:
            if output is not None:
                output.close()

    def _environment(self) -> dict[str, str]:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        # Home Assistant keeps its port in its own store; this is the way to give it one from outside.
        return environment | {"SETUP_PORT": str(self.wishes.port)}

    async def _answering(self) -> None:
        async with ClientSession(timeout=ClientTimeout(total=5)) as session:
            deadline = time.monotonic() + BOOT_SECONDS
            while not await self._answers(session):
                if self._process is None or self._process.returncode is not None:
                    raise HomeAssistantError("Home Assistant did not come up: it ended at once")
                if time.monotonic() > deadline:
                    message = f"Home Assistant did not come up within {BOOT_SECONDS} s"
                    raise HomeAssistantError(message)
                await asyncio.sleep(0.1)

    async def _answers(self, session: ClientSession) -> bool:
        try:
            async with session.get(f"{self.url}/manifest.json") as response:
                return response.ok
        except ClientError, TimeoutError:
            return False


def remove_directory(directory: Path) -> None:
    """Remove a configuration directory that nobody wants to keep."""
    shutil.rmtree(directory, ignore_errors=True)
