"""Turns of one conversation follow each other; conversations do not wait for each other."""

import asyncio
from datetime import timedelta

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.tasks.store import TaskStore
from tests.conftest import Setup


async def test_a_conversation_keeps_its_task(hass: HomeAssistant) -> None:
    store = TaskStore()
    async with store.async_open("a") as first:
        first.metadata["x"] = 1
    async with store.async_open("a") as again:
        assert again is first
    async with store.async_open("b") as other:
        assert other is not first
        assert (other.session_id, first.session_id) == ("b", "a")
    assert store.get("a") is first
    assert store.get("c") is None


async def test_turns_of_one_conversation_are_taken_in_order() -> None:
    store = TaskStore()
    said: list[str] = []

    async def turn(name: str) -> None:
        async with store.async_open("a"):
            said.append(f"{name} begins")
            await asyncio.sleep(0.001)
            said.append(f"{name} ends")

    await asyncio.gather(*(turn(name) for name in "abc"))
    assert said == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_different_conversations_run_at_once() -> None:
    store = TaskStore()
    both = asyncio.Barrier(50)

    async def turn(number: int) -> None:
        async with store.async_open(f"talk {number}"):
            await both.wait()

    async with asyncio.timeout(2):
        await asyncio.gather(*(turn(number) for number in range(50)))


async def test_a_turn_that_fails_does_not_block_the_next() -> None:
    store = TaskStore()
    with pytest.raises(RuntimeError):
        async with store.async_open("a"):
            raise RuntimeError
    async with asyncio.timeout(1), store.async_open("a"):
        pass


async def test_a_task_is_freed_with_the_chat_session(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("what time is it")
    entry = hass.config_entries.async_entries("bellboard")[0]
    [assistant] = entry.runtime_data.assistants.values()
    store, conversation_id = assistant.tasks, str(speaker.conversation_id)
    assert store.get(conversation_id)
    # One that was opened outside of a chat session does not end with one.
    async with store.async_open("another talk"):
        pass
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(minutes=11))
    await hass.async_block_till_done()
    assert store.get(conversation_id) is None
    assert store.get("another talk")


async def test_after_a_long_silence_a_conversation_begins_anew(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("turn on bedside lamp")
    assert said.result.continue_conversation
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(minutes=11))
    await hass.async_block_till_done()
    said = await speaker.say("the left one")
    assert said.changes == {}
