"""A command for later: when, its actions, its user, and the policies that were agreed to.

It is kept in Home Assistant's storage. Whatever is read from there is judged anew before it is done.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
import logging
import math
from typing import Annotated, Protocol
from uuid import uuid4

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util
from pydantic import ConfigDict, Field

from ..const import DOMAIN
from ..domains.models import Command, ToolCall
from ..domains.snapshot import StateSnapshot
from ..json_model import JsonModel
from ..when import LONGEST, Once, Repeated, Schedule, Trigger
from .ha_store import KeptList, ListKind
from .models import TaskContext
from .watching import Fired

MAX_CHARACTERS = 2000
"""The characters of a command that is kept; no sentence has more."""

_KEY = "delayed"
_MAX_PARTS = 16
_MAX_RULES = 50

MAX_CALLS = 50
"""The calls of a command that are kept to tell of it."""

type _Id = Annotated[str, Field(max_length=255)] | None


class Alert(StrEnum):
    """Kinds of what somebody is told later: a reminder, a wake-up call, or something that they want to know."""

    REMIND = "remind"
    WAKE = "wake"
    TELL = "tell"


class DelayedPart(JsonModel):
    """Actions of one specialist for entity ids, as they were understood when the command was given."""

    model_config = ConfigDict(frozen=True)

    agent_id: Annotated[str, Field(min_length=1, max_length=255)]
    action: Command


class PlanKind(StrEnum):
    """How something is planned: for a time, for when something happens, or for again and again."""

    ONCE = "once"
    WAITING = "waiting"
    REPEATING = "repeating"


class DelayedCommand(JsonModel):
    """A command for later. `due` is when, in ISO 8601 with a time zone; `delay` the seconds that were asked for.

    The delay bounds how long it waits where the clock was set back since. `schedule` is when as it was asked for: of
    what is waited for, `due` is when nobody waits any more, and what is repeated is never due by itself. It `is_due`
    while it is carried out. `text` is the command as it will be said,
    `said` the words it was given in. `parts` are what it comes to, where that is known; without any the text is
    understood anew. `calls` are what it came to when it was given, to tell of it. `rules` are the policies that were
    agreed to, for just the calls that `agreed` holds, as text. With `before` nothing is commanded, but what was
    changed is put back as it was. `message` is to be said aloud, or the answer to the command is, where it is
    `spoken`; with an `alert` it is one of these. It is
    `told_on` the satellites that were named, if any. The ids are those of who gave it, of what heard it and of the
    conversation.
    """

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        default_factory=lambda: uuid4().hex
    )
    due: datetime
    schedule: Schedule = Field(default_factory=Schedule)
    delay: Annotated[float, Field(ge=0, le=LONGEST)] = LONGEST
    is_due: Annotated[bool, Field(exclude=True)] = False
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    said: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    language: Annotated[str, Field(max_length=32)]
    conversation_id: Annotated[str, Field(max_length=255)]
    user_id: _Id = None
    device_id: _Id = None
    satellite_id: _Id = None
    told_on: Annotated[tuple[str, ...], Field(max_length=_MAX_PARTS)] = ()
    parts: Annotated[tuple[DelayedPart, ...], Field(max_length=_MAX_PARTS)] = ()
    calls: Annotated[tuple[ToolCall, ...], Field(max_length=MAX_CALLS)] = ()
    rules: Annotated[tuple[str, ...], Field(max_length=_MAX_RULES)] = ()
    agreed: tuple[str, ...] = ()
    before: Annotated[tuple[StateSnapshot, ...], Field(max_length=MAX_CALLS)] = ()
    message: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    spoken: bool = False
    alert: Alert | None = None

    @property
    def trigger(self) -> Trigger | None:
        """Return what is waited for, None where it is for a time."""
        return self.schedule.start if isinstance(self.schedule.start, Trigger) else None

    @property
    def is_repeated(self) -> bool:
        """Return whether it is done again and again, which an automation sees to."""
        start = self.schedule.start
        return isinstance(start, Repeated) or (isinstance(start, Trigger) and start.repeats)

    @property
    def kind(self) -> PlanKind:
        """Return how it is planned; what is for whenever something happens is repeating."""
        if self.is_repeated:
            return PlanKind.REPEATING
        return PlanKind.WAITING if self.trigger else PlanKind.ONCE

    @property
    def is_by_clock(self) -> bool:
        """Return whether it is for a time of day, whatever becomes of the clock until then."""
        start = self.schedule.start
        return isinstance(start, Once) and start.seconds is None

    def seconds_left(self, now: datetime) -> float:
        """Return in how many seconds it is due by the clock; below zero where it was already."""
        return (self.at - now).total_seconds()

    @property
    def planned(self) -> Schedule:
        """Return how it was asked for; one of a file without that is for its moment."""
        is_known = self.schedule.start or self.schedule.ends
        return self.schedule if is_known else Schedule(start=Once(at=self.at))

    def judged_at(self, now: datetime) -> datetime:
        """Return the time that policies see: its own where it is for a moment that is to come, else now.

        The time of day may be a little behind the clock that its timer goes by.
        """
        is_early = 0 < self.seconds_left(now) <= (LATEST if self.is_due else math.inf)
        return self.at if is_early and isinstance(self.planned.start, Once) else now

    @property
    def at(self) -> datetime:
        """Return when it is due, with a time zone, which files have not always had."""
        return self.due if self.due.tzinfo else self.due.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PlansInFocus:
    """The commands for later that a conversation spoke of last, by their ids: what "cancel that" means.

    They are `just_planned` in the turn that follows the one that planned them.
    """

    ids: tuple[str, ...] = ()
    just_planned: bool = False


class AboutKind(StrEnum):
    """Kind of a request about scheduled commands: TELL of them, CANCEL them, or ASK which one is to be cancelled.

    WHEN is to tell of them by the clock, too, where they are for in a while. OTHERWISE says what is to be done although
    what they wait for did not happen; STILL says that they are not to be as they are, and was not understood.
    """

    TELL = "tell"
    WHEN = "when"
    CANCEL = "cancel"
    ASK = "ask"
    OTHERWISE = "otherwise"
    STILL = "still"


@dataclass(frozen=True, slots=True)
class AboutDelayed:
    """Commands for later are spoken of."""

    commands: tuple[DelayedCommand, ...]
    kind: AboutKind


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

LATEST = 60.0
"""In seconds: what was due longer ago when Home Assistant starts was missed."""

_LOOK_AGAIN = 900.0
"""In seconds: so often the clock is looked at while a command waits for a time of day."""

type Run = Callable[[DelayedCommand], Awaitable[object]]


class Watch(Protocol):
    """Calls back once when what a command waits for happens; returns what stops that. It is told of a restart."""

    async def __call__(
        self, command: DelayedCommand, happened: Callable[[Fired], None], *, is_restart: bool
    ) -> CALLBACK_TYPE:
        """Watch for a command."""
        ...


_KIND = ListKind(
    DELAYED_NAME, "commands", "What was to be done later", DelayedCommand.model_validate
)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A command and when it is due, in seconds of the event loop's clock, which nobody sets."""

    command: DelayedCommand
    due: float


async def async_read_commands(hass: HomeAssistant, assistant_id: str) -> list[DelayedCommand]:
    """Return the commands in the file of an assistant that is not set up."""
    return await KeptList(hass, assistant_id, _KIND, list).async_load()


class DelayedCommands:
    """The commands of one assistant that wait for their time, or for something to happen.

    How long they wait is measured by the event loop's clock, except what is for a time of day. That counts for the
    others where they are read from the file, and only as far as a command then waits no longer than was asked for.
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
        # By the ids of commands: what stops their timers, and what watches for them.
        self._timers: dict[str, CALLBACK_TYPE] = {}
        self._watches: dict[str, CALLBACK_TYPE] = {}
        self._listeners: list[Callable[[], None]] = []
        self._ends: list[CALLBACK_TYPE] = []
        self._run: Run | None = None
        self._missed: Run | None = None
        self._expired: Run | None = None
        self._watch: Watch | None = None
        self._stop: CALLBACK_TYPE | None = None
        self._is_closed = False

    @property
    def waiting(self) -> list[DelayedCommand]:
        """Return the commands that wait, the next one first."""
        return [each.command for each in sorted(self._waiting.values(), key=lambda each: each.due)]

    def seconds_left(self, command: DelayedCommand) -> float:
        """Return in how many seconds a command is due, 0 where it does not wait any more."""
        found = self._waiting.get(command.id)
        return found.due - self._hass.loop.time() if found else 0.0

    def has_room(self, count: int = 1) -> bool:
        """Return whether so many may be added."""
        return len(self._waiting) + count <= MOST

    def get(self, id_: str) -> DelayedCommand | None:
        """Return a command that waits, by its id."""
        found = self._waiting.get(id_)
        return found.command if found else None

    @callback
    def async_listen(self, listener: Callable[[], None]) -> CALLBACK_TYPE:
        """Call a listener whenever other commands wait than before; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def async_while_open(self, end: CALLBACK_TYPE) -> None:
        """Call something when the commands are closed."""
        self._ends.append(end)

    async def async_start(self, run: Run, missed: Run, expired: Run, watch: Watch) -> None:
        """Read what waits, and begin when Home Assistant has started.

        `run` carries out what is due, `missed` is told of what was due while nobody was there, and `expired` of what
        was waited for and did not happen; `watch` watches for that.
        """
        self._run, self._missed, self._expired, self._watch = run, missed, expired, watch
        for command in (await self._file.async_load())[:MOST]:
            if command.id not in self._waiting:
                self._wait(command)
        self._stop = async_at_started(self._hass, self._async_begin)

    async def async_add(self, command: DelayedCommand) -> None:
        """Store a command, and let it wait. It is on disk before this returns."""
        self._wait(command)
        await self._async_let_wait(command, is_restart=False)
        await self._file.async_save()
        self._tell()

    async def async_cancel(self, ids: Iterable[str]) -> list[DelayedCommand]:
        """Cancel commands by their ids; return those that waited."""
        found = [command for id_ in ids if (command := self._take(id_))]
        if found:
            await self._file.async_save()
            self._tell()
        return found

    async def async_close(self) -> None:
        """Stop all timers. What is stored is taken up by the next start."""
        self._is_closed = True
        while self._ends:
            self._ends.pop()()
        if self._stop:
            self._stop()
        for stops in (self._timers, self._watches):
            while stops:
                stops.popitem()[1]()
        await self._file.async_close()

    async def _async_begin(self, _hass: HomeAssistant) -> None:
        """Let all that was read wait; tell of what was due long ago."""
        now = dt_util.utcnow()
        for command in self.waiting:
            if command.id in self._timers:
                continue
            # By now the clock may have been set, which many small computers do while they start.
            if command.seconds_left(now) > command.delay and not command.is_by_clock:
                due = now + timedelta(seconds=command.delay)
                command = command.model_copy(update={"due": due})  # noqa: PLW2901 -- the same, brought back
                self._file.async_note_change()
            self._wait(command)
        late = [
            command
            for command in self.waiting
            if not command.is_repeated and self.seconds_left(command) < -LATEST
        ]
        for command in late:
            self._take(command.id)
        if late:
            _LOGGER.warning("%d delayed commands were due while nobody was there", len(late))
            await self._file.async_save()
        for command in self.waiting:
            await self._async_let_wait(command, is_restart=True)
        self._tell()
        for command in late:
            if told := self._expired if command.trigger else self._missed:
                await told(command)

    @callback
    def _wait(self, command: DelayedCommand) -> None:
        """Let a command wait for what the clock says is left, but no longer than was asked for."""
        left = command.seconds_left(dt_util.utcnow())
        left = left if command.is_by_clock else min(left, command.delay)
        self._waiting[command.id] = _Waiting(command, self._hass.loop.time() + left)

    async def _async_let_wait(self, command: DelayedCommand, *, is_restart: bool) -> None:
        """Set the timer of a command, or watch for what it waits for."""
        if self._run is None or command.is_repeated or self._is_closed:
            return
        self._set_timer(command)
        if command.trigger and self._watch and command.id not in self._watches:

            @callback
            def async_happened(fired: Fired) -> None:
                run = self._missed if fired.is_missed else self._run
                self._hass.async_create_task(
                    self._async_run(command, run), f"{DOMAIN} delayed command"
                )

            stop = await self._watch(command, async_happened, is_restart=is_restart)
            # Meanwhile it may be closed, cancelled, or due.
            is_over = self._is_closed or command.id not in self._waiting
            if is_over or command.id in self._watches:
                stop()
            else:
                self._watches[command.id] = stop

    @callback
    def _set_timer(self, command: DelayedCommand) -> None:
        """Set the timer of a command, unless it is set."""
        if command.id in self._timers:
            return
        left = max(0.0, self.seconds_left(command))
        seconds = min(left, _LOOK_AGAIN) if command.is_by_clock else left

        @callback
        def async_due(_now: datetime) -> None:
            self._async_due(command)

        self._timers[command.id] = async_call_later(self._hass, seconds, async_due)

    @callback
    def _async_due(self, command: DelayedCommand) -> None:
        """Do what is due; what is for a time of day waits on where the clock is not there yet."""
        self._timers.pop(command.id, None)
        if command.is_by_clock and command.id in self._waiting:
            self._wait(command)
            if self.seconds_left(command) > 0:
                self._set_timer(command)
                return
        # What did not happen until then is waited for no more.
        run = self._expired if command.trigger else self._run
        self._hass.async_create_task(self._async_run(command, run), f"{DOMAIN} delayed command")

    async def _async_run(self, command: DelayedCommand, run: Run | None) -> None:
        """Carry a command out. It is off the disk before, so that nothing is done twice."""
        if self._take(command.id) is None or run is None:
            return
        await self._file.async_save()
        self._tell()
        await run(command)

    def _take(self, id_: str) -> DelayedCommand | None:
        """Remove a command with its timer and its watch; return it if it waited."""
        for stops in (self._timers, self._watches):
            if stop := stops.pop(id_, None):
                stop()
        found = self._waiting.pop(id_, None)
        return found.command if found else None

    def _tell(self) -> None:
        """Tell whoever listens that other commands wait now."""
        for listener in tuple(self._listeners):
            listener()
