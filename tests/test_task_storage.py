"""Where conversations are kept: a repair issue tells what is wrong, and nothing else stops."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
import json
from pathlib import Path
import time
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.translation import async_get_translations
from homeassistant.requirements import RequirementsNotFound
import pytest

from custom_components.bellboard.agents.base import AgentRequest, AgentResult
from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.diagnostics import async_get_config_entry_diagnostics
from custom_components.bellboard.memory import storage as task_storage
from custom_components.bellboard.memory.ha_store import HomeAssistantTaskStore
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.conftest import Setup, Speaker
from tests.evaluation import the_entry
from tests.memory.conftest import StartRedis, redis, start_redis
from tests.servers import Call, Calls, Message
from tests.test_confirm import Rule, of_domain
from tests.test_forwarding import DONE, STEPS, forward, model
from tests.test_services import assistant_of

# Fixtures of the stores' own tests.
__all__ = ["redis", "start_redis"]

ASKED = "turn on the bedside lamp"
RIGHT = "light.right_bedside_lamp"


@pytest.fixture
def hass_storage() -> dict[str, Any]:
    """Let Home Assistant write to a real disk, and not to memory as it does in other tests."""
    return {}


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Give it a folder of its own."""
    return hass_tmp_config_dir


def file_of(hass: HomeAssistant) -> Path:
    """Return the path of the file of the only assistant."""
    (subentry_id,) = the_entry(hass).subentries
    return Path(hass.config.path(f".storage/bellboard.tasks.{subentry_id}"))


def kept_in(file: Path) -> list[dict[str, Any]]:
    """Return the tasks in a file."""
    tasks: list[dict[str, Any]] = json.loads(file.read_bytes())["data"]["tasks"]
    return tasks


def issues(hass: HomeAssistant) -> list[ir.IssueEntry]:
    """Return what Bellboard asks to be repaired."""
    return [issue for issue in ir.async_get(hass).issues.values() if issue.domain == DOMAIN]


async def shown(hass: HomeAssistant, issue: ir.IssueEntry) -> str:
    """Return what is shown for an issue, in English."""
    texts = await async_get_translations(hass, "en", "issues", {DOMAIN})
    prefix = f"component.{DOMAIN}.issues.{issue.translation_key}"
    assert texts[f"{prefix}.title"]
    return texts[f"{prefix}.description"].format(**issue.translation_placeholders or {})


async def speak_without_redis(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> Speaker:
    """Return someone who talks to an assistant that was set up again while its Redis was away."""
    server = start_redis()
    speaker = await speak(memory={"redis_url": server.url})
    server.stop()
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    assert the_entry(hass).state is ConfigEntryState.LOADED
    assert [issue.translation_key for issue in issues(hass)] == ["redis_unavailable"]
    return speaker


async def until(condition: Callable[[], object]) -> None:
    """Wait until something is so, for some seconds at most."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


# Home Assistant's own storage


async def test_a_conversation_outlives_a_restart_of_the_assistant(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    (task,) = kept_in(file_of(hass))
    assert task["sessionId"] == speaker.conversation_id
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    assert list((await speaker.say("the right one")).changes) == [RIGHT]
    assert not issues(hass)


async def test_a_file_that_is_broken_is_told_and_stops_nothing(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    entry, file = the_entry(hass), file_of(hass)
    assert await hass.config_entries.async_unload(entry.entry_id)
    broken = {"version": 1, "minor_version": 1, "key": file.name, "data": {"tasks": "none"}}
    file.write_text(json.dumps(broken), encoding="utf-8")

    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    (issue,) = issues(hass)
    assert (issue.translation_key, issue.severity) == ("tasks_broken", ir.IssueSeverity.WARNING)
    (aside,) = file.parent.glob(f"{file.name}.corrupt.*")
    words = await shown(hass, issue)
    assert str(aside) in words
    assert "Bellboard" in words

    await speaker.say(ASKED)
    assert list((await speaker.say("the right one")).changes) == [RIGHT]
    assert len(kept_in(file)) == 1


async def test_a_broken_task_is_told_and_the_others_are_kept(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    entry, file = the_entry(hass), file_of(hass)
    assert await hass.config_entries.async_unload(entry.entry_id)
    content = json.loads(file.read_bytes())
    content["data"]["tasks"].append({"id": "x", "sessionId": "bad", "status": {"state": "asleep"}})
    file.write_text(json.dumps(content), encoding="utf-8")
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    (issue,) = issues(hass)
    assert issue.translation_key == "tasks_broken"
    assert list((await speaker.say("the right one")).changes) == [RIGHT]


async def test_an_issue_that_is_ignored_stays_so_and_the_next_file_is_told_again(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    entry, file = the_entry(hass), file_of(hass)
    for number in (1, 2):
        assert await hass.config_entries.async_unload(entry.entry_id)
        file.parent.mkdir(exist_ok=True)
        file.write_text("[]", encoding="utf-8")
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        assert len(issues(hass)) == number
        for issue in issues(hass):
            ir.async_ignore_issue(hass, DOMAIN, issue.issue_id, ignore=True)


async def test_a_removed_connection_leaves_no_file(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    file = file_of(hass)
    assert file.exists()
    assert await hass.config_entries.async_remove(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    assert not file.exists()
    assert not list(file.parent.glob("bellboard.tasks.*"))


async def test_a_removed_assistant_leaves_no_file(hass: HomeAssistant, speak: Setup) -> None:
    """Nor anything to repair."""
    speaker = await speak()
    await speaker.say(ASKED)
    entry, file = the_entry(hass), file_of(hass)
    assert await hass.config_entries.async_unload(entry.entry_id)
    file.write_text("[]", encoding="utf-8")
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert len(issues(hass)) == 1
    await speaker.say(ASKED)
    (subentry_id,) = entry.subentries
    assert hass.config_entries.async_remove_subentry(entry, subentry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    assert not file.exists()
    assert not issues(hass)


# Redis


async def test_conversations_are_kept_in_redis_where_it_is_chosen(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    server = start_redis()
    speaker = await speak(memory={"redis_url": server.url})
    await speaker.say(ASKED)
    assert not file_of(hass).exists()
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    assert list((await speaker.say("the right one")).changes) == [RIGHT]
    assert not issues(hass)


async def test_a_redis_that_is_away_is_told_until_it_is_back(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    server = start_redis()
    speaker = await speak(memory={"redis_url": server.url})
    await speaker.say("turn off the kitchen pendant")
    server.stop()
    asked = await speaker.say(ASKED)
    assert asked.result.continue_conversation
    (issue,) = issues(hass)
    assert (issue.translation_key, issue.severity) == (
        "redis_unavailable",
        ir.IssueSeverity.WARNING,
    )
    words = await shown(hass, issue)
    assert f"127.0.0.1:{server.port}" in words
    assert "Bellboard" in words

    # The turn goes on from memory.
    other = Speaker(hass, speaker.agent_id)
    await other.say(ASKED)
    assert list((await speaker.say("the right one")).changes) == [RIGHT]
    assert len(issues(hass)) == 1

    server.start()
    await until(lambda: not issues(hass))
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    # What was asked while Redis was away is known after a restart.
    assert (await other.say("the left one")).reply == "Left Bedside Lamp was on already."


async def test_a_redis_that_is_away_at_the_start_stops_nothing(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    speaker = await speak_without_redis(hass, speak, start_redis)
    await speaker.say(ASKED)
    assert list((await speaker.say("the right one")).changes) == [RIGHT]


@pytest.mark.parametrize("error", [RequirementsNotFound(DOMAIN, ["redis"]), ValueError("bad")])
async def test_where_redis_cannot_be_used_home_assistant_keeps_them(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    url = "rediss://:a-hidden-word@192.168.7.9"
    with patch.object(task_storage, "async_create_redis_store", side_effect=error):
        speaker = await speak(memory={"redis_url": url})
    (issue,) = issues(hass)
    assert issue.translation_key == "redis_unusable"
    assert "hidden" not in await shown(hass, issue)
    assert "hidden" not in caplog.text
    await speaker.say(ASKED)
    assert len(kept_in(file_of(hass))) == 1
    assert isinstance(assistant_of(hass).tasks._store, HomeAssistantTaskStore)


async def test_an_issue_about_redis_goes_when_redis_is_not_chosen_any_more(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    await speak_without_redis(hass, speak, start_redis)
    entry = the_entry(hass)
    (subentry,) = entry.subentries.values()
    hass.config_entries.async_update_subentry(entry, subentry, data={})
    await hass.async_block_till_done()
    assert not issues(hass)


async def test_an_issue_about_redis_goes_with_its_connection(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    await speak_without_redis(hass, speak, start_redis)
    assert await hass.config_entries.async_remove(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    assert not issues(hass)


async def test_an_address_that_is_none_is_refused_at_the_start(
    hass: HomeAssistant, speak: Setup
) -> None:
    with pytest.raises(RuntimeError, match="could not be set up"):
        await speak(memory={"redis_url": "http://127.0.0.1"})


async def test_diagnostics_hold_no_address_of_redis(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    server = start_redis("--requirepass", "a-hidden-word")
    place = f"127.0.0.1:{server.port}"
    await speak(memory={"redis_url": f"redis://:a-hidden-word@{place}"})
    assert not issues(hass)
    found = await async_get_config_entry_diagnostics(hass, the_entry(hass))
    assert found["assistants"][0]["options"]["memory"] == {"redis_url": "**REDACTED**"}
    assert "hidden" not in json.dumps(found)
    assert place not in json.dumps(found)


async def test_how_long_a_conversation_is_kept_in_a_file_is_its_owners(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    speaker = await speak(memory={"task_context_ttl": 2})
    await speaker.say(ASKED)
    for later, is_kept in ((timedelta(minutes=110), True), (timedelta(minutes=20), False)):
        freezer.tick(later)
        assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
        await hass.async_block_till_done()
        tasks = assistant_of(hass).tasks
        assert (await tasks.async_find(str(speaker.conversation_id)) is not None) is is_kept


async def test_how_long_a_conversation_is_kept_is_its_owners(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis
) -> None:
    from redis import Redis

    server = start_redis()
    speaker = await speak(memory={"redis_url": server.url, "task_context_ttl": 2})
    await speaker.say(ASKED)
    inside = Redis(port=server.port)
    for pattern in ("task:*", "session:*"):
        (key,) = await hass.async_add_executor_job(inside.keys, pattern)
        assert 7190 < inside.ttl(key) <= 7200
    inside.close()


class Looking:
    """An agent that looks at what is on the disk when it is its turn."""

    def __init__(self, file: Path, card: AgentCard = MusicAgent.card) -> None:
        self.file, self.card = file, card
        self.found: list[dict[str, Any]] = []

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        self.found = kept_in(self.file)
        return AgentResult(success=True, content="Looked.")


async def test_what_an_agent_did_is_stored_before_the_next_one(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(dispatch={"parallel": False})
    looking = Looking(file_of(hass))
    assistant_of(hass).registry.register(looking)
    await speaker.say("turn on the floor lamp and mute the kitchen speaker")
    [task] = looking.found
    assert task["status"]["state"] == "working"
    response = task["metadata"]["lastResponse"]
    assert (response["agentId"], response["success"]) == ("light-agent", True)
    assert response["content"] == "Turned on Floor Lamp."
    [artifact] = task["artifacts"]
    assert artifact["parts"][0]["data"]["steps"][1]["status"] == "completed"


async def test_what_answered_a_question_is_stored_before_what_is_asked_for_behind_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    looking = Looking(file_of(hass))
    assistant_of(hass).registry.register(looking)
    await speaker.say(ASKED)
    await speaker.say("the right one and mute the kitchen speaker")
    [task] = looking.found
    response = task["metadata"]["lastResponse"]
    assert (response["agentId"], response["success"]) == ("light-agent", True)
    assert response["content"].endswith("Right Bedside Lamp.")
    [artifact] = task["artifacts"]
    steps = artifact["parts"][0]["data"]["steps"]
    assert ("tool_call", "completed") in {(each["type"], each["status"]) for each in steps}


async def test_what_was_done_is_stored_before_what_waited_for_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    """What waits is begun without a decision where the first part asks."""
    speaker = await speak(model(DONE))
    looking = Looking(file_of(hass))
    assistant_of(hass).registry.register(looking)
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("light"))
    said = await speaker.say(f"{STEPS} and play some jazz, whatever is there, in the living room")
    assert said.result.continue_conversation
    [task] = looking.found
    assert task["metadata"]["lastResponse"]["agentId"] == "light-agent"
    [artifact] = task["artifacts"]
    assert artifact["parts"][0]["data"]["agentId"] == "light-agent"


async def test_what_an_agent_had_others_do_is_stored_before_the_next_of_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    orders = ("turn on the floor lamp", "mute the kitchen speaker")

    def answer(messages: list[Message], schema: Mapping[str, Any] | None) -> Any:
        if schema:
            part = {"agent": "general", "instruction": messages[-1].content, "confidence": 0.95}
            return {"parts": [part | {"asks": False, "later": False}], "question": ""}
        done = sum(message.role == "tool" for message in messages)
        return (
            Calls((Call("act", {"instruction": orders[done]}),)) if done < 2 else "Both are done."
        )

    speaker = await speak(answer, contract="capable")
    looking = Looking(file_of(hass))
    assistant_of(hass).registry.register(looking)
    await speaker.say("wake the floor lamp and the kitchen speaker should my diary be blank")
    [task] = looking.found
    assert task["metadata"]["lastResponse"]["content"] == "Turned on Floor Lamp."
    plans = [artifact["parts"][0]["data"] for artifact in task["artifacts"]]
    [steps] = [plan["steps"] for plan in plans if plan["agentId"] == "light-agent"]
    assert ("tool_call", "completed") in {(each["type"], each["status"]) for each in steps}


async def test_what_an_agent_did_is_stored_before_who_goes_on_after_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(model(forward("general-agent", "Say what was turned off."), DONE))
    looking = Looking(file_of(hass), GeneralAgent.card)
    assistant_of(hass).registry.register(looking)
    await speaker.say(STEPS)
    [task] = looking.found
    response = task["metadata"]["lastResponse"]
    assert (response["agentId"], response["success"]) == ("light-agent", True)
    assert response["content"].startswith("Turned off Hallway Ceiling")
    [artifact] = task["artifacts"]
    assert artifact["parts"][0]["data"]["steps"][1]["status"] == "completed"
