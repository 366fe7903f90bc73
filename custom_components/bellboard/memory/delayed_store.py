"""Keeps the commands for later of one assistant, and has each carried out when it is due.

They outlive a restart: one file for each assistant in Home Assistant's storage.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
import logging

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from .delayed import DelayedCommand
from .list_file import ListFile, async_remove_list

_LOGGER = logging.getLogger(__name__)

_NAME = "delayed"

MOST = 50
"""The commands that may wait at once."""

LATEST = 300.0
"""In seconds: what was due longer ago when Home Assistant starts is not done any more."""

type Run = Callable[[DelayedCommand], Awaitable[object]]


async def async_remove_delayed(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete what was kept for an assistant that is no more."""
    await async_remove_list(hass, _NAME, assistant_id)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A command and when it is due, in seconds of the event loop's clock, which nobody sets."""

    command: DelayedCommand
    due: float


class DelayedCommands:
    """The commands of one assistant that wait for their time.

    How long they wait is measured by the event loop's clock. The time of day counts where they are read from the
    file, and only as far as a command then waits no longer than was asked for.
    """

    def __init__(self, hass: HomeAssistant, assistant_id: str) -> None:
        """Begin with none; nothing is read yet."""
        self._hass = hass
        self._file: ListFile[DelayedCommand] = ListFile(
            hass,
            assistant_id,
            name=_NAME,
            key="commands",
            told="What was to be done later",
            read=DelayedCommand.model_validate,
            items=lambda: [each.command for each in tuple(self._waiting.values())],
        )
        self._waiting: dict[str, _Waiting] = {}
        self._timers: dict[str, CALLBACK_TYPE] = {}
        self._run: Run | None = None
        self._stop: CALLBACK_TYPE | None = None

    @property
    def waiting(self) -> list[DelayedCommand]:
        """Return the commands that wait, the next one first."""
        return [each.command for each in sorted(self._waiting.values(), key=lambda each: each.due)]

    def seconds_left(self, command: DelayedCommand) -> float:
        """Return in how many seconds a command is due, 0 where it does not wait any more."""
        found = self._waiting.get(command.id)
        return found.due - self._hass.loop.time() if found else 0.0

    @property
    def is_full(self) -> bool:
        """Return whether no more may be added."""
        return len(self._waiting) >= MOST

    async def async_start(self, run: Run) -> None:
        """Read what waits; `run` carries out what is due, from when Home Assistant has started."""
        self._run = run
        for command in (await self._file.async_load())[:MOST]:
            if command.id not in self._waiting:
                self._wait(command)
        self._stop = async_at_started(self._hass, self._async_begin)

    async def async_add(self, command: DelayedCommand) -> None:
        """Store a command and set its timer. It is on disk before this returns."""
        self._wait(command)
        self._set_timer(command)
        await self._file.async_save()

    async def async_cancel(self, ids: Iterable[str]) -> list[DelayedCommand]:
        """Cancel commands by their ids; return those that waited."""
        found = [command for id_ in ids if (command := self._take(id_))]
        if found:
            await self._file.async_save()
        return found

    async def async_close(self) -> None:
        """Stop the timers. What is stored is taken up by the next start."""
        if self._stop:
            self._stop()
        while self._timers:
            self._timers.popitem()[1]()
        await self._file.async_close()

    @callback
    def _async_begin(self, _hass: HomeAssistant) -> None:
        """Set the timers of what was read; leave what is long past."""
        now = dt_util.utcnow()
        for command in self.waiting:
            if command.id in self._timers:
                continue
            # By now the clock may have been set, which many small computers do while they start.
            if command.seconds_left(now) > command.delay:
                due = now + timedelta(seconds=command.delay)
                command = command.model_copy(update={"due": due})  # noqa: PLW2901 -- the same, brought back
                self._file.async_note_change()
            self._wait(command)
        late = [each.id for each in self.waiting if self.seconds_left(each) < -LATEST]
        for id_ in late:
            self._take(id_)
        if late:
            _LOGGER.warning("%d delayed commands were due while nobody was there", len(late))
            self._file.async_note_change()
        for command in self.waiting:
            self._set_timer(command)

    @callback
    def _wait(self, command: DelayedCommand) -> None:
        """Let a command wait for what the clock says is left, but no longer than was asked for."""
        left = min(command.seconds_left(dt_util.utcnow()), command.delay)
        self._waiting[command.id] = _Waiting(command, self._hass.loop.time() + left)

    @callback
    def _set_timer(self, command: DelayedCommand) -> None:
        """Set the timer of a command."""
        if command.id in self._timers or self._run is None:
            return

        @callback
        def async_due(_now: datetime) -> None:
            self._hass.async_create_task(self._async_run(command), f"{DOMAIN} delayed command")

        seconds = max(0.0, self.seconds_left(command))
        self._timers[command.id] = async_call_later(self._hass, seconds, async_due)

    async def _async_run(self, command: DelayedCommand) -> None:
        """Carry a command out. It is off the disk before, so that nothing is done twice."""
        if self._take(command.id) is None or self._run is None:
            return
        await self._file.async_save()
        await self._run(command)

    def _take(self, id_: str) -> DelayedCommand | None:
        """Remove a command and its timer; return it if it waited."""
        if timer := self._timers.pop(id_, None):
            timer()
        found = self._waiting.pop(id_, None)
        return found.command if found else None
