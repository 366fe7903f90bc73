"""Tells the time that is ours from the time of the recogniser, of actions and of Home Assistant.

A coroutine is a row of steps: each runs from one wait to the next and keeps the event loop to
itself. Our turns are driven step by step here; what they call of Home Assistant is driven the same
way and taken off.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
import functools
import gc
import time
from typing import Any, ClassVar
from unittest.mock import patch

from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import ServiceRegistry

from custom_components.bellboard.agents import home as home_agent
from custom_components.bellboard.conversation import BellboardConversationEntity
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.memory.ha_store import HomeAssistantTaskStore
from custom_components.bellboard.nlu import recognition

# Whether work of Home Assistant is being done, for each turn apart.
_IN_FOREIGN: ContextVar[bool] = ContextVar("in_foreign", default=False)


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long something took: by the clock, and of the processor.

    What other programs on the machine hold up counts only by the clock.
    """

    clock: float = 0.0
    processor: float = 0.0

    def __add__(self, other: Seconds) -> Seconds:
        return Seconds(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: Seconds) -> Seconds:
        return Seconds(self.clock - other.clock, self.processor - other.processor)

    @classmethod
    def now(cls) -> Seconds:
        """Return the time now, of which only differences mean something."""
        return cls(time.perf_counter(), time.thread_time())


class Stepped[T]:
    """Awaits a coroutine and tells how long each of its steps took.

    `depth` is how many steps, one called by the other, run right now.
    """

    depth: ClassVar[int] = 0

    def __init__(self, work: Coroutine[Any, Any, T], took: Callable[[Seconds], None]) -> None:
        self._work = work
        self._took = took

    def __await__(self) -> Generator[Any, Any, T]:
        """Drive the coroutine; what it waits for is passed on as it is."""
        sent: Any = None
        error: BaseException | None = None
        while True:
            started = Seconds.now()
            Stepped.depth += 1
            try:
                awaited = self._work.throw(error) if error else self._work.send(sent)
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                Stepped.depth -= 1
                self._took(Seconds.now() - started)
            sent = error = None
            try:
                sent = yield awaited
            except BaseException as err:  # noqa: BLE001 - whatever it is, it is the coroutine's
                error = err


class Stopwatch:
    """Our share of what ran while it was watching.

    `turns` are seconds of each turn that were ours, waiting included; `steps` are the steps of all
    turns without what in them was Home Assistant's; `catalog_steps` are those of reading the home,
    which are steps of a turn too. `collected` are the runs of Python's collector, which are taken off
    as well. `foreign` are all seconds that were Home Assistant's.
    """

    def __init__(self) -> None:
        self.turns: list[float] = []
        self.steps: list[Seconds] = []
        self.catalog_steps: list[Seconds] = []
        self.collected: list[Seconds] = []
        self.foreign = 0.0
        self._collecting = Seconds()
        self._foreign_in_step = Seconds()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch all turns of all assistants. `turns` are only right for one turn at a time."""
        with ExitStack() as stack:
            for owner, name, drive in (
                (BellboardConversationEntity, "_async_handle_message", self.turn),
                (CatalogSource, "async_get", self.catalog),
                (HomeAssistantTaskStore, "_async_write", self.storing),
                (DefaultAgent, "async_recognize_intent", self.other),
                (recognition, "async_recognize_strict", self.other),
                (ServiceRegistry, "async_call", self.other),
                (home_agent, "async_converse", self.other),
            ):
                original = getattr(owner, name)
                stack.enter_context(patch.object(owner, name, _driven(original, drive)))
            gc.callbacks.append(self._collector)
            stack.callback(gc.callbacks.remove, self._collector)
            yield

    async def turn[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Await one of our turns and keep the time of it that was ours."""
        started, before = time.perf_counter(), self.foreign
        try:
            return await Stepped(work, self._own_step)
        finally:
            self.turns.append(time.perf_counter() - started - (self.foreign - before))

    async def catalog[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Await the reading of the home, which is a part of a turn."""
        return await Stepped(work, self.catalog_steps.append)

    async def storing[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Await the writing of conversations, which several turns may wait for."""
        return await Stepped(work, self._own_step)

    async def other[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Await work of Home Assistant and keep its time apart."""
        if _IN_FOREIGN.get():
            return await work
        token = _IN_FOREIGN.set(True)
        started = time.perf_counter()
        try:
            return await Stepped(work, self._other_step)
        finally:
            _IN_FOREIGN.reset(token)
            self.foreign += time.perf_counter() - started

    def _collector(self, phase: str, _info: dict[str, int]) -> None:
        """Note how long Python's collector took: it comes in whatever step it happens to be due."""
        if phase == "start":
            self._collecting = Seconds.now()
            return
        took = Seconds.now() - self._collecting
        # What runs between our steps is no part of any.
        if Stepped.depth:
            self._foreign_in_step += took
        self.collected.append(took)

    def _own_step(self, seconds: Seconds) -> None:
        """Keep a step of ours, without what in it was Home Assistant's."""
        self.steps.append(seconds - self._foreign_in_step)
        self._foreign_in_step = Seconds()

    def _other_step(self, seconds: Seconds) -> None:
        """Note what a step of ours is not to be charged with."""
        self._foreign_in_step += seconds


def _driven(
    original: Callable[..., Coroutine[Any, Any, Any]],
    drive: Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]],
) -> Callable[..., Awaitable[Any]]:
    """Return a function or method that does the same, driven by the stopwatch."""

    @functools.wraps(original)
    async def driven(*args: Any, **kwargs: Any) -> Any:
        return await drive(original(*args, **kwargs))

    return driven
