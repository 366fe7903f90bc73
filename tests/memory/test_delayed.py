"""What waits outlives restarts: whenever Home Assistant stops, nothing is lost, and nothing is done twice."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import CALLBACK_TYPE, HomeAssistant
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed_exact

from custom_components.bellboard.memory.delayed import LATEST, DelayedCommand, DelayedCommands
from custom_components.bellboard.memory.watching import Fired, async_watch
from custom_components.bellboard.when import LONGEST, Once, Repeated, Schedule, Trigger
from tests.thorough import number

BEGIN = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
DOOR = "binary_sensor.door"
HOLD = 2
ASSISTANT = "assistant"
KEY = f"bellboard.delayed.{ASSISTANT}"


class House:
    """What is done in a house that stops and starts again, and when."""

    def __init__(
        self, hass: HomeAssistant, freezer: FrozenDateTimeFactory, storage: dict[str, Any]
    ) -> None:
        """Begin at a time with nothing planned and the door closed."""
        self.hass, self.freezer, self.storage = hass, freezer, storage
        storage.pop(KEY, None)
        freezer.move_to(BEGIN)
        hass.states.async_set(DOOR, "off")
        self.done: list[tuple[str, datetime]] = []
        self.missed: list[str] = []
        self.expired: list[str] = []
        self.delayed = DelayedCommands(hass, ASSISTANT)
        # What an assistant that is being set up does first may take a while.
        self.looking: asyncio.Event | None = None

    async def _run(self, command: DelayedCommand) -> None:
        self.done.append((command.text, dt_util.utcnow()))

    async def _miss(self, command: DelayedCommand) -> None:
        self.missed.append(command.text)

    async def _expire(self, command: DelayedCommand) -> None:
        self.expired.append(command.text)

    async def _watch(
        self, command: DelayedCommand, happened: Callable[[Fired], None], *, is_restart: bool
    ) -> CALLBACK_TYPE:
        assert command.trigger
        if self.looking:
            await self.looking.wait()
        return async_watch(self.hass, command.trigger, self._look, happened, is_restart=is_restart)

    def _look(self) -> Mapping[str, bool]:
        state = self.hass.states.get(DOOR)
        assert state
        return {DOOR: state.state == "on"}

    async def start(self) -> None:
        """Set the assistant up."""
        self.delayed = DelayedCommands(self.hass, ASSISTANT)
        await self.delayed.async_start(self._run, self._miss, self._expire, self._watch)

    async def stop(self, *, is_killed: bool = False) -> None:
        """End it, or kill it: then what is not in the file by now will never be."""
        kept = self.storage.get(KEY)
        await self.delayed.async_close()
        if is_killed and kept:
            self.storage[KEY] = kept

    async def settle(self) -> None:
        """Let all that is due by now be done."""
        async_fire_time_changed_exact(self.hass)
        await self.hass.async_block_till_done(wait_background_tasks=True)

    async def wait(self, seconds: float, *, is_looking: bool = True) -> None:
        """Let time pass, at whose end nothing is done yet where it is not `is_looking`."""
        self.freezer.tick(timedelta(seconds=seconds))
        if is_looking:
            await self.settle()

    async def plan(self, text: str, kind: str, seconds: float) -> datetime:
        """Plan something in some seconds; return when."""
        now = dt_util.utcnow()
        at = now + timedelta(seconds=seconds)
        until: Once | Trigger | Repeated
        if kind == "trigger":
            until = Trigger(text="the door opens", entity_ids=(DOOR,), hold=HOLD, until=at)
        elif kind == "repeated":
            until = Repeated(every=60)
        else:
            until = Once(at=at, seconds=None if kind == "clock" else seconds)
        await self.delayed.async_add(
            DelayedCommand(
                due=at,
                schedule=Schedule(start=until),
                delay=LONGEST if kind == "clock" else seconds,
                text=text,
                language="en",
                conversation_id="c",
            )
        )
        return at


@pytest.fixture
async def house(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, hass_storage: dict[str, Any]
) -> House:
    """Return a house that was not started."""
    return House(hass, freezer, hass_storage)


SECONDS = (1, 2, 30, 60, 61, 600, 900, 3600, 86400)
# Just before something is due, just then, a moment later, and so late that it is and is no more done.
AROUND = (-LATEST, -1, -0.5, 0, 0.5, 1, LATEST - 1, LATEST + 1, 4000)
GONE = (0, 0.5, 1, HOLD, LATEST - 2, LATEST + 1, 4000)
KINDS = ("delay", "clock", "trigger", "repeated")


class Story:
    """What happens in a house, at random, and what is to come of each of its plans."""

    def __init__(self, house: House, random: Random) -> None:
        """Begin with nothing."""
        self.house, self.random = house, random
        self.due: dict[str, datetime] = {}
        # From when to when nobody looked at the clock, and from when to when the door was open.
        self.away: list[tuple[datetime, datetime]] = []
        self.opened: list[tuple[datetime, datetime]] = []

    async def happen(self) -> None:
        """Plan a few things, and let things happen around their times."""
        house, random = self.house, self.random
        await house.start()
        for at in range(random.randint(1, 5)):
            kind = random.choice(KINDS)
            seconds = random.choice(SECONDS)
            self.due[f"{kind} {at}"] = await house.plan(f"{kind} {at}", kind, seconds)
        for _ in range(random.randint(0, 6)):
            to = random.choice([*self.due.values()]) + timedelta(seconds=random.choice(AROUND))
            await self._wait(to)
            await random.choice((self._restart, self._open, self._restart_while_open))()
        await self._wait(max(self.due.values()) + timedelta(seconds=2 * LATEST))

    async def _wait(self, to: datetime) -> None:
        """Let time pass, with a look at all that is due on the way."""
        for at in sorted({*self.due.values(), to}):
            if at <= to:
                await self.house.wait(max(0.0, (at - dt_util.utcnow()).total_seconds()))

    async def _restart(self) -> None:
        """Stop it, or kill it, where something may just be due and nobody has looked yet."""
        house, random = self.house, self.random
        began = dt_util.utcnow()
        await house.wait(random.choice((0, 0.5, 1)), is_looking=False)
        await house.stop(is_killed=random.random() < 0.5)
        await house.wait(random.choice(GONE), is_looking=False)
        await house.start()
        await house.settle()
        self.away.append((began, dt_util.utcnow()))

    async def _open(self) -> None:
        self.house.hass.states.async_set(DOOR, "on")
        await self._close(dt_util.utcnow())

    async def _restart_while_open(self) -> None:
        """Open the door while nobody is there to see it, or not long enough."""
        is_seen = self.random.random() < 0.5
        if is_seen:
            self.house.hass.states.async_set(DOOR, "on")
        await self._restart()
        self.house.hass.states.async_set(DOOR, "on")
        await self._close(self.away[-1][1])

    async def _close(self, began: datetime) -> None:
        """Close the door once it was open for long enough."""
        await self.house.wait(HOLD)
        self.opened.append((began, dt_util.utcnow()))
        self.house.hass.states.async_set(DOOR, "off")
        await self.house.wait(HOLD)

    def judge(self) -> None:
        """Check that each plan was done or told as it should be."""
        done, missed, expired = self.house.done, self.house.missed, self.house.expired
        waiting = {each.text for each in self.house.delayed.waiting}
        assert waiting == {name for name in self.due if name.startswith("repeated")}
        for name, due in self.due.items():
            times = [at for text, at in done if text == name]
            told = missed.count(name)
            if name.startswith("repeated"):
                assert (times, told) == ([], 0)
            elif name.startswith("trigger"):
                least, most = self._openings(due)
                assert least <= len(times) + told <= most, name
                assert len(times) + told + expired.count(name) == 1, name
            else:
                assert (len(times), told) == ((0, 1) if self._is_late(due) else (1, 0)), name
                assert all(timedelta() <= at - due <= self._tolerance(due) for at in times)

    def _tolerance(self, due: datetime) -> timedelta:
        """Return how long after its time something may be done."""
        is_away = any(began < due <= ended for began, ended in self.away)
        return timedelta(seconds=LATEST if is_away else 2 * HOLD)

    def _is_late(self, due: datetime) -> bool:
        """Return whether something was due too long before somebody was there again."""
        away = next((ended for began, ended in self.away if began < due <= ended), None)
        return away is not None and (away - due).total_seconds() > LATEST

    def _openings(self, until: datetime) -> tuple[int, int]:
        """Return how often at least and at most it was seen that the door is opened until a moment."""
        is_sure = any(ended < until for _, ended in self.opened)
        return int(is_sure), int(any(began <= until for began, _ in self.opened))


async def test_whenever_it_is_restarted_each_is_done_once(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, hass_storage: dict[str, Any]
) -> None:
    for seed in range(number(200, 2000)):
        house = House(hass, freezer, hass_storage)
        story = Story(house, Random(seed))  # noqa: S311 -- the same each time
        await story.happen()
        try:
            story.judge()
        except AssertionError as err:
            err.add_note(f"{seed=} {story.due=} {story.away=} {story.opened=}")
            err.add_note(f"{house.done=} {house.missed=}")
            raise
        await house.stop()


async def test_what_is_just_being_done_when_it_is_stopped_is_not_done_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that tells that it is done is written before the next one reads it."""
    await house.start()
    await house.plan("lamp", "delay", 10)
    may_write = asyncio.Event()
    write = Store.async_save

    async def slowly(store: Store[Any], data: Any) -> None:
        await may_write.wait()
        await write(store, data)

    monkeypatch.setattr(Store, "async_save", slowly)
    house.freezer.tick(timedelta(seconds=10))
    async_fire_time_changed_exact(house.hass)
    stopping = house.hass.async_create_task(house.stop())
    await asyncio.sleep(0)
    may_write.set()
    await stopping
    await house.start()
    await house.wait(1)
    assert [text for text, _ in house.done] == ["lamp"]


async def test_what_is_stopped_while_it_begins_waits_no_more(house: House) -> None:
    """Each is done by the one that is started after it."""
    await house.start()
    await house.plan("door", "trigger", 3600)
    await house.plan("lamp", "delay", 10)
    await house.stop()
    house.looking = asyncio.Event()
    await house.start()
    await house.stop()
    house.looking.set()
    await house.start()
    await house.settle()
    house.hass.states.async_set(DOOR, "on")
    await house.wait(10)
    assert sorted(text for text, _ in house.done) == ["door", "lamp"]
