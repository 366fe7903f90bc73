"""Decisions are made side by side, and one needs little memory."""

import asyncio
import gc
import tracemalloc

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.servers import Fault
from tests.test_services import route

from .reading import choosing
from .test_router_options import SAID

AT_ONCE = 12
MOST_BYTES = 10_000_000
"""What the contract allows one routing operation."""


async def test_twelve_decisions_are_made_at_the_same_time(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"))
    assert speaker.model
    assert speaker.server
    await speaker.server.suffer(Fault.slow(2))
    asked = [
        asyncio.create_task(route(hass, f"{SAID} {number}", conversation_id=f"talk-{number}"))
        for number in range(AT_ONCE)
    ]
    for _ in range(500):
        if speaker.model.attempts == AT_ONCE:
            break
        await asyncio.sleep(0.01)
    # The server has them all, and has answered none of them.
    assert (speaker.model.attempts, speaker.model.requests) == (AT_ONCE, [])
    found = await asyncio.gather(*asked)
    for number, decision in enumerate(found):
        assert (decision["agentId"], decision["source"]) == ("general-agent", "model")
        assert decision["instructions"] == {"general-agent": f"{SAID} {number}"}


async def test_a_decision_needs_less_memory_than_the_contract_allows(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak(choosing("general"))
    # What is loaded once is loaded.
    await route(hass, SAID)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        found = await route(hass, "what a day it was")
        most = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert found["source"] == "model"
    # The server's part of it is in it, too: it runs in the same process.
    assert 0 < most < MOST_BYTES
