"""A command for later: its actions, its user, and the policies that were agreed to.

It is kept in Home Assistant's storage. Whatever is read from there is judged anew before it is done.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
import logging
from typing import Annotated
from uuid import uuid4

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util
from pydantic import ConfigDict, Field

from ..const import DOMAIN
from ..domains.models import Command, ToolCall
from ..json_model import JsonModel
from .ha_store import KeptList, ListKind
from .models import TaskContext

MAX_CHARACTERS = 2000
"""The characters of a command that is kept; no sentence has more."""

LONGEST = timedelta(days=7).total_seconds()
"""In seconds: what is to be done later than that is no matter for a voice assistant."""

_KEY = "delayed"
_MAX_PARTS = 16
_MAX_RULES = 50

MAX_CALLS = 50
"""The calls of a command that are kept to tell of it."""

type _Id = Annotated[str, Field(max_length=255)] | None


class DelayedPart(JsonModel):
    """Actions of one specialist for entity ids, as they were understood when the command was given."""

    model_config = ConfigDict(frozen=True)

    agent_id: Annotated[str, Field(min_length=1, max_length=255)]
    action: Command


class DelayedCommand(JsonModel):
    """A command for later. `due` is when, in ISO 8601 with a time zone; `delay` the seconds that were asked for.

    The delay bounds how long it waits where the clock was set back since. `text` is the command as it will be said,
    `said` the words it was given in. `parts` are what it comes to, where that is known; without any the text is
    understood anew. `calls` are what it came to when it was given, to tell of it. `rules` are the policies that were
    agreed to, for just the calls that `agreed` holds, as text. The ids are those of who gave it, of what heard it and
    of the conversation.
    """

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        default_factory=lambda: uuid4().hex
    )
    due: datetime
    delay: Annotated[float, Field(ge=0, le=LONGEST)] = LONGEST
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    said: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    language: Annotated[str, Field(max_length=32)]
    conversation_id: Annotated[str, Field(max_length=255)]
    user_id: _Id = None
    device_id: _Id = None
    satellite_id: _Id = None
    parts: Annotated[tuple[DelayedPart, ...], Field(max_length=_MAX_PARTS)] = ()
    calls: Annotated[tuple[ToolCall, ...], Field(max_length=MAX_CALLS)] = ()
    rules: Annotated[tuple[str, ...], Field(max_length=_MAX_RULES)] = ()
    agreed: tuple[str, ...] = ()

    def seconds_left(self, now: datetime) -> float:
        """Return in how many seconds it is due by the clock; below zero where it was already."""
        due = self.due if self.due.tzinfo else self.due.replace(tzinfo=UTC)
        return (due - now).total_seconds()


@dataclass(frozen=True, slots=True)
class PlansInFocus:
    """The commands for later that a conversation spoke of last, by their ids: what "cancel that" means.

    They are `just_planned` in the turn that follows the one that planned them.
    """

    ids: tuple[str, ...] = ()
    just_planned: bool = False


def keep_focus(task: TaskContext, focus: PlansInFocus) -> None:
    """Keep which commands were spoken of last, in the place of those before."""
    task.metadata.pop(_KEY, None)
    if focus.ids:
        task.metadata[_KEY] = {"ids": [*focus.ids], "justPlanned": focus.just_planned}


def load_focus(task: TaskContext) -> PlansInFocus:
    """Return which commands were spoken of last."""
    stored = task.metadata.get(_KEY)
    if not isinstance(stored, dict) or not isinstance(stored.get("ids"), list):
        return PlansInFocus()
    ids = tuple(each for each in stored["ids"] if isinstance(each, str))
    return PlansInFocus(ids, stored.get("justPlanned") is True)


_LOGGER = logging.getLogger(__name__)

DELAYED_NAME = "delayed"
"""The name of the files of commands for later."""

MOST = 50
"""The commands that may wait at once."""

LATEST = 300.0
"""In seconds: what was due longer ago when Home Assistant starts is not done any more."""

type Run = Callable[[DelayedCommand], Awaitable[object]]


_KIND = ListKind(
    DELAYED_NAME, "commands", "What was to be done later", DelayedCommand.model_validate
)


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
        self._file = KeptList(
            hass,
            assistant_id,
            _KIND,
            lambda: [each.command for each in tuple(self._waiting.values())],
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
