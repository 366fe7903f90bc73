"""A server that answers otherwise than Redis: the assistant works, says so, and takes Redis up when it is back."""

from collections.abc import AsyncGenerator
import time

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.memory import redis_connection, redis_store
from custom_components.bellboard.memory.models import StoreUnavailableError
from tests.conftest import Setup
from tests.evaluation import the_entry
from tests.memory.conftest import StartRedis, async_check_redis, start_redis
from tests.servers.lying_redis import DRIP, ENDLESS, LIES, SILENT, LyingRedis, lying_redis
from tests.test_task_storage import ASKED, RIGHT, issues, until

# A fixture of the stores' own tests.
__all__ = ["start_redis"]

ALL_LIES = [*LIES, SILENT, DRIP, ENDLESS]


@pytest.fixture
async def liar(start_redis: StartRedis) -> AsyncGenerator[LyingRedis]:
    """Return a server before a real Redis, honest at first."""
    async with lying_redis(start_redis().port) as server:
        yield server


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a look through all keys end sooner, and what is not there be given up and tried again sooner."""
    monkeypatch.setattr(redis_store, "_LONGEST_SCAN", 0.5)
    monkeypatch.setattr(redis_store, "_FIRST_PAUSE", 0.1)
    monkeypatch.setattr(redis_connection, "_TIMEOUT", 0.5)


async def reload(hass: HomeAssistant) -> float:
    """Set the connection up anew; return how long that took, in seconds."""
    began = time.monotonic()
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    return time.monotonic() - began


@pytest.mark.parametrize("lie", ALL_LIES)
async def test_an_assistant_is_set_up_and_answers_whatever_redis_answers(
    hass: HomeAssistant, speak: Setup, liar: LyingRedis, lie: str
) -> None:
    speaker = await speak(memory={"redis_url": liar.url})
    liar.lie = lie
    assert await reload(hass) < 10
    assert the_entry(hass).state is ConfigEntryState.LOADED
    assert [issue.translation_key for issue in issues(hass)] == ["redis_unavailable"]
    await speaker.say(ASKED)
    assert list((await speaker.say("the right one")).changes) == [RIGHT]

    liar.lie = None
    await until(lambda: not issues(hass))


@pytest.mark.parametrize("lie", [*LIES, SILENT, DRIP])
async def test_a_redis_that_begins_to_lie_loses_no_conversation(
    hass: HomeAssistant, speak: Setup, liar: LyingRedis, lie: str
) -> None:
    speaker = await speak(memory={"redis_url": liar.url})
    liar.lie = lie
    await speaker.say(ASKED)
    assert [issue.translation_key for issue in issues(hass)] == ["redis_unavailable"]
    liar.lie = None
    await until(lambda: not issues(hass))
    # What was asked meanwhile is in the real one by now.
    await reload(hass)
    assert list((await speaker.say("the right one")).changes) == [RIGHT]


async def test_a_scan_without_end_is_not_begun_again_and_again(
    hass: HomeAssistant, speak: Setup, liar: LyingRedis
) -> None:
    """Everything else works, so that it looks as if it were back each time."""
    await speak(memory={"redis_url": liar.url})
    liar.lie = ENDLESS
    await reload(hass)
    store = hass.config_entries.async_entries("bellboard")[0].runtime_data
    [assistant] = store.assistants.values()
    # After each pause a look through the keys, and each is twice as long as the one before.
    await until(lambda: assistant.tasks._store._pause >= 0.4)
    await until(lambda: assistant.tasks._store._pause >= 0.8)


@pytest.mark.parametrize("lie", [*LIES, SILENT])
async def test_no_liar_passes_for_redis_in_the_form(
    hass: HomeAssistant, liar: LyingRedis, lie: str
) -> None:
    await async_check_redis(hass, liar.url)
    liar.lie = lie
    with pytest.raises(StoreUnavailableError):
        await async_check_redis(hass, liar.url)
