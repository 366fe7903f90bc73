"""A house that talks: it asks which lamp is meant, and turns that one on when it is told."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
import os
from pathlib import Path
from typing import NoReturn, Protocol

from homeassistant.core import HomeAssistant, ServiceCall

from custom_components.bellboard.memory.conversations import Conversations
from custom_components.bellboard.memory.ha_store import HomeAssistantTaskStore
from custom_components.bellboard.memory.models import NOBODY, TaskContext, TaskState, TaskStore
from custom_components.bellboard.memory.redis_store import async_create_redis_store

JOURNAL = "journal"
"""The file with a line for each request that was carried out, which no power cut can undo."""

SESSIONS = 200
"""How many conversations there are at most when it writes without end."""

TTL = timedelta(hours=1)

type Tell = Callable[[str], None]


class House(Protocol):
    """What is started, spoken to and killed. Requests are numbers."""

    conversations: Conversations

    async def async_say(self, conversation_id: str, text: str) -> str:
        """Say a request or an answer to a question; return the state its task is in then."""
        ...

    def request_of(self, task: TaskContext) -> str | None:
        """Return the request that a task waits with."""
        ...


class TalkingHouse:
    """Home Assistant's core with a light, and one assistant whose turns are the shortest possible.

    `tell` is called with what just happened, so that somebody outside can choose the moment.
    """

    def __init__(self, hass: HomeAssistant, store: TaskStore, tell: Tell) -> None:
        """Register the light."""
        self._hass = hass
        self._tell = tell
        self.store = store
        self.conversations = Conversations(store, "house")
        hass.services.async_register("light", "turn_on", self._async_turn_on)

    async def async_say(self, conversation_id: str, text: str) -> str:
        """Say a request or an answer to a question; return the state its task is in then."""
        async with self.conversations.async_open(conversation_id) as task:
            request = task.metadata.pop("request", None)
            is_answer = task.state is TaskState.INPUT_REQUIRED
            task.add_request(text)
            self._tell("heard")
            if is_answer:
                await self.conversations.async_save_working(task)
                self._tell("kept")
                await self._hass.services.async_call(
                    "light", "turn_on", {"request": request}, blocking=True
                )
                self._tell("done")
                task.add_reply("I turned it on.", TaskState.COMPLETED)
            else:
                task.metadata["request"] = text
                task.add_reply("Which one?", TaskState.INPUT_REQUIRED)
            self._tell("answered")
        return task.state.value

    def request_of(self, task: TaskContext) -> str | None:
        """Return the request that a task waits with."""
        request: str | None = task.metadata.get("request")
        return request

    async def async_write_for_ever(self, number: int) -> NoReturn:
        """Keep one long task after the other for good, numbered from one on; tell of each that is."""
        while True:
            task = NOBODY.begin(f"talk {number % SESSIONS}")
            task.metadata["number"] = number
            task.add_request("turn on the lamp, please " * 100)
            task.add_reply("Which one?", TaskState.INPUT_REQUIRED)
            await self.store.async_save(task, durable=True)
            self._tell(f"kept {number}")
            number += 1

    async def _async_turn_on(self, call: ServiceCall) -> None:
        """Turn a lamp on, and write down that it was."""
        self._tell("acting")
        journal = Path(self._hass.config.path(JOURNAL))
        await self._hass.async_add_executor_job(write_down, journal, call.data["request"])


def write_down(journal: Path, line: str) -> None:
    """Add a line to a file, so that it is there whatever happens next."""
    with journal.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


@asynccontextmanager
async def async_talking_house(
    folder: str, redis: str | None, tell: Tell, broken: list[str]
) -> AsyncGenerator[TalkingHouse]:
    """Run the house in a folder, with its conversations there or in a Redis."""
    hass = HomeAssistant(folder)
    hass.config.skip_pip = True
    store: TaskStore
    if redis:
        store = await async_create_redis_store(
            hass, redis, TTL, on_unavailable=broken.append, on_available=lambda: None
        )
    else:
        store = HomeAssistantTaskStore(hass, "house", TTL, broken.append)
    house = TalkingHouse(hass, store, tell)
    await house.conversations.async_start()
    try:
        yield house
    finally:
        await house.conversations.async_close()
        await hass.async_stop(force=True)
