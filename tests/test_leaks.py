"""Reloading, removing and adding a connection again and again leaves nothing behind."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
import gc

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.policy.engine import Interaction, PastCall
from custom_components.bellboard.when import Schedule
from tests.conftest import Setup
from tests.evaluation import the_entry
from tests.test_task_storage import hass_config_dir, hass_storage
from tests.thorough import number

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

# A real disk: what stands in its place in tests remembers each file.
__all__ = ["hass_config_dir", "hass_storage"]

WARM = 18
"""Times after which nothing more is to be kept: of the last 50 turns, three a time, each holds what it told."""
TIMES = number(by_day=12, at_night=50)
OURS = "custom_components.bellboard"
BOUNDED = (PastCall, Interaction, Schedule)
"""What rules know of the last calls: so many are kept, and no more."""


async def left_behind(hass: HomeAssistant) -> Counter[str]:
    """Return how many there are of what can be left behind: listeners, tasks, timers, and our own objects.

    Conversations that are open have ended by then.
    """
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(minutes=10))
    await hass.async_block_till_done()
    gc.collect()
    found = Counter(
        {f"listeners of {name}": count for name, count in hass.bus.async_listeners().items()}
    )
    found["tasks"] = len(asyncio.all_tasks())
    loop = asyncio.get_running_loop()
    found["timers"] = sum(not timer.cancelled() for timer in loop._scheduled)  # type: ignore[attr-defined]
    found["kept by name"] = len(hass.data)
    for each in gc.get_objects():
        kind = type(each)
        if getattr(kind, "__module__", "").startswith(OURS) and kind not in BOUNDED:
            found[f"{kind.__module__}.{kind.__qualname__}"] += 1
    return found


async def grown_by(hass: HomeAssistant, cycle: Callable[[], Awaitable[None]]) -> dict[str, int]:
    """Return what there is more of after many cycles than after the first ones, by about one a cycle."""
    for _ in range(WARM):
        await cycle()
    before = await left_behind(hass)
    for _ in range(TIMES):
        await cycle()
    after = await left_behind(hass)
    return {name: more for name, more in (after - before).items() if more >= TIMES // 2}


async def test_reloads_leave_nothing_behind(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    entry = the_entry(hass)

    async def cycle() -> None:
        await speaker.say("turn on the desk lamp")
        await speaker.say("turn off the desk lamp in 20 minutes")
        await speaker.say("never mind")
        assert await hass.config_entries.async_reload(entry.entry_id)
        await hass.async_block_till_done()

    assert await grown_by(hass, cycle) == {}


@pytest.mark.usefixtures("house")
async def test_removing_and_adding_leaves_nothing_behind(hass: HomeAssistant) -> None:
    async def cycle() -> None:
        entry = connection()
        entry.add_to_hass(hass)
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        await hass.config_entries.async_remove(entry.entry_id)
        await hass.async_block_till_done()

    assert await grown_by(hass, cycle) == {}


def connection() -> MockConfigEntry:
    """Return a connection without a model, with an assistant and an agent of one's own."""
    agent = {
        "agent_id": "corner-agent",
        "name": "Corner",
        "description": "Lamps.",
        "domains": ["light"],
    }
    return MockConfigEntry(
        domain=DOMAIN,
        data={"provider": "none"},
        subentries_data=[
            {"data": {}, "subentry_type": "conversation", "title": "A", "unique_id": None},
            {"data": agent, "subentry_type": "agent", "title": "Corner", "unique_id": None},
        ],
    )
