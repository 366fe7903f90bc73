"""Keeps the commands for later of one assistant, and has each carried out when it is due.

They outlive a restart: one file for each assistant in Home Assistant's storage.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
import logging
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.storage import Store

from ..const import DOMAIN
from .delayed import DelayedCommand

_LOGGER = logging.getLogger(__name__)

STORAGE_VERSION = 1

MOST = 50
"""The commands that may wait at once."""

LATEST = 300.0
"""In seconds: what was due longer ago when Home Assistant starts is not done any more."""

type Run = Callable[[DelayedCommand], Awaitable[object]]


def _file(hass: HomeAssistant, assistant_id: str) -> Store[dict[str, Any]]:
    """Return the file of an assistant."""
    return Store(
        hass,
        STORAGE_VERSION,
        f"{DOMAIN}.delayed.{assistant_id}",
        private=True,
        atomic_writes=True,
        serialize_in_event_loop=False,
    )


async def async_remove_delayed(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete what was kept for an assistant that is no more."""
    await _file(hass, assistant_id).async_remove()


class DelayedCommands:
    """The commands of one assistant that wait for their time."""

    def __init__(self, hass: HomeAssistant, assistant_id: str) -> None:
        """Begin with none; nothing is read yet."""
        self._hass = hass
        self._file = _file(hass, assistant_id)
        self._waiting: dict[str, DelayedCommand] = {}
        self._timers: dict[str, CALLBACK_TYPE] = {}
        self._run: Run | None = None
        self._stop: CALLBACK_TYPE | None = None
        self._saving = asyncio.Lock()

    @property
    def waiting(self) -> list[DelayedCommand]:
        """Return the commands that wait, the next one first."""
        return sorted(self._waiting.values(), key=lambda command: command.seconds_left())

    @property
    def is_full(self) -> bool:
        """Return whether no more may be added."""
        return len(self._waiting) >= MOST

    async def async_start(self, run: Run) -> None:
        """Read what waits; `run` carries out what is due, from when Home Assistant has started."""
        self._run = run
        for command in await self._async_read():
            self._waiting.setdefault(command.id, command)
        self._stop = async_at_started(self._hass, self._async_begin)

    async def async_add(self, command: DelayedCommand) -> None:
        """Store a command and set its timer. It is on disk before this returns."""
        self._waiting[command.id] = command
        self._set_timer(command)
        await self._async_save()

    async def async_cancel(self, ids: Iterable[str]) -> list[DelayedCommand]:
        """Cancel commands by their ids; return those that waited."""
        found = [command for id_ in ids if (command := self._take(id_))]
        if found:
            await self._async_save()
        return found

    @callback
    def async_close(self) -> None:
        """Stop the timers. What is stored is taken up by the next start."""
        if self._stop:
            self._stop()
        while self._timers:
            self._timers.popitem()[1]()

    @callback
    def _async_begin(self, _hass: HomeAssistant) -> None:
        """Set the timers of what was read; leave what is long past."""
        late = [c.id for c in self.waiting if c.seconds_left() < -LATEST]
        for id_ in late:
            self._take(id_)
        if late:
            _LOGGER.warning("%d delayed commands were due while nobody was there", len(late))
            self._hass.async_create_task(self._async_save(), f"{DOMAIN} forgets delayed commands")
        for command in self.waiting:
            self._set_timer(command)

    @callback
    def _set_timer(self, command: DelayedCommand) -> None:
        """Set the timer of a command."""
        if command.id in self._timers or self._run is None:
            return

        @callback
        def async_due(_now: datetime) -> None:
            self._hass.async_create_task(self._async_run(command), f"{DOMAIN} delayed command")

        seconds = max(0.0, command.seconds_left())
        self._timers[command.id] = async_call_later(self._hass, seconds, async_due)

    async def _async_run(self, command: DelayedCommand) -> None:
        """Carry a command out. It is off the disk before, so that nothing is done twice."""
        if self._take(command.id) is None or self._run is None:
            return
        await self._async_save()
        await self._run(command)

    def _take(self, id_: str) -> DelayedCommand | None:
        """Remove a command and its timer; return it if it waited."""
        if timer := self._timers.pop(id_, None):
            timer()
        return self._waiting.pop(id_, None)

    async def _async_read(self) -> list[DelayedCommand]:
        """Return the commands in the file; none where it cannot be read."""
        try:
            data = await self._file.async_load()
            items = data["commands"] if data else []
            return [DelayedCommand.model_validate(item) for item in items][:MOST]
        except Exception as err:  # noqa: BLE001 -- a file may be wrong in any way, and is then unreadable
            _LOGGER.warning("Delayed commands cannot be read: %s", type(err).__name__)
            return []

    async def _async_save(self) -> None:
        """Write the commands that wait."""
        async with self._saving:
            commands = [command.as_json() for command in self._waiting.values()]
            try:
                await self._file.async_save({"commands": commands})
            except OSError as err:
                _LOGGER.warning("Delayed commands cannot be written: %s", err)
