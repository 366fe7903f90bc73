"""The actions on what conversations left open: look at a task, cancel it, forget."""

import asyncio
from typing import Any

from homeassistant.components.conversation import async_converse, chat_log
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events
import voluptuous as vol

from custom_components.bellboard.agents.base import AgentRequest, AgentResult
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.telemetry.sinks import EVENT_TELEMETRY
from tests.conftest import Setup, Speaker
from tests.evaluation import setup_agent, the_entry
from tests.memory.conftest import StartRedis, start_redis
from tests.memory.test_models import TASK_SCHEMA
from tests.sessions import HAS_OWNER
from tests.test_services import assistant_of, refused

# A fixture of the stores' own tests.
__all__ = ["start_redis"]

ASKED = "turn on the bedside lamp"
"""Two lamps have this name."""


async def act(hass: HomeAssistant, action: str, **data: Any) -> dict[str, Any]:
    """Call an action and return its response."""
    response = await hass.services.async_call(
        DOMAIN, action, data, blocking=True, return_response=True
    )
    assert response is not None
    return dict(response)


async def task_of(hass: HomeAssistant, speaker: Speaker, **data: Any) -> dict[str, Any]:
    """Return the task of the conversation that somebody is in."""
    found = await act(hass, "get_task", conversation_id=speaker.conversation_id, **data)
    task: dict[str, Any] = found["task"]
    return task


async def test_a_task_is_returned_as_the_data_model_writes_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the kitchen pendant")
    task = await task_of(hass, speaker)
    assert task["sessionId"] == speaker.conversation_id
    assert task["status"]["state"] == "completed"
    assert task["status"]["message"]["content"] == said.reply
    assert [(message["role"], message["content"]) for message in task["history"]] == [
        ("user", "turn off the kitchen pendant"),
        ("assistant", said.reply),
    ]
    assert task["metadata"]["agentSelections"] == ["light-agent"]


async def test_a_question_is_in_its_task(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    task = await task_of(hass, speaker)
    assert task["status"]["state"] == "input-required"
    pending = task["metadata"]["pendingQuestion"]
    assert pending["agentId"] == "light-agent"
    assert pending["question"]["param"] == "target"
    assert pending["question"]["action"] == "turn_on"
    offered = [candidate["entity_id"] for candidate in pending["question"]["candidates"]]
    assert offered == ["light.left_bedside_lamp", "light.right_bedside_lamp"]


@pytest.mark.parametrize("said", ["turn on the floor lamp", ASKED, "turn on the sauna", "gnorp"])
async def test_what_a_turn_stores_is_valid_against_the_protocols_schema(
    hass: HomeAssistant, speak: Setup, said: str
) -> None:
    speaker = await speak()
    for _ in range(2):
        await speaker.say(said)
        TASK_SCHEMA.validate(await task_of(hass, speaker))


async def test_a_question_can_be_canceled(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    conversation_id = speaker.conversation_id
    found = await act(hass, "cancel_task", conversation_id=conversation_id)
    assert found == {"canceled": True, "state": "canceled"}
    assert (await task_of(hass, speaker))["status"]["state"] == "canceled"
    # Nobody waits for this answer any more.
    later = await speaker.say("the right one")
    assert not later.changes


async def test_what_is_over_stays_as_it_ended(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")
    before = await task_of(hass, speaker)
    found = await act(hass, "cancel_task", conversation_id=speaker.conversation_id)
    assert found == {"canceled": False, "state": "completed"}
    assert await task_of(hass, speaker) == before


async def test_a_conversation_is_forgotten(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    other = Speaker(hass, speaker.agent_id)
    await other.say(ASKED)
    assert await act(hass, "forget", conversation_id=speaker.conversation_id) == {"forgotten": 1}
    await refused(hass, "unknown_conversation", task_of(hass, speaker))
    assert (await task_of(hass, other))["status"]["state"] == "input-required"
    assert not (await speaker.say("the right one")).changes
    assert list((await other.say("the right one")).changes) == ["light.right_bedside_lamp"]


@pytest.mark.skipif(HAS_OWNER, reason="nobody speaks in the conversation of somebody else")
async def test_with_a_conversation_goes_what_others_said_in_it(
    hass: HomeAssistant, speak: Setup, hass_admin_user: MockUser
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    conversation_id = speaker.conversation_id
    # Whose task it is has one; who else speaks in it has another beside it.
    await speaker.say("turn on the floor lamp", context=Context(user_id=hass_admin_user.id))
    assert speaker.conversation_id == conversation_id
    sessions = {task.session_id for task in assistant_of(hass).tasks.in_memory()}
    assert sessions == {conversation_id, f"{conversation_id}-{hass_admin_user.id}"}
    assert await act(hass, "forget", conversation_id=conversation_id) == {"forgotten": 2}
    assert await act(hass, "forget") == {"forgotten": 0}


async def test_all_conversations_are_forgotten(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    speakers = [speaker, Speaker(hass, speaker.agent_id), Speaker(hass, speaker.agent_id)]
    for one in speakers:
        await one.say(ASKED)
    assert await act(hass, "forget") == {"forgotten": 3}
    assert await act(hass, "forget") == {"forgotten": 0}
    for one in speakers:
        await refused(hass, "unknown_conversation", task_of(hass, one))


async def test_only_the_conversations_of_the_assistant_that_is_named_are_forgotten(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    other = Speaker(hass, await setup_agent(hass, {}))
    for one in (speaker, other):
        await one.say(ASKED)
    assert await act(hass, "forget", assistant=other.agent_id) == {"forgotten": 1}
    await refused(hass, "unknown_conversation", task_of(hass, other, assistant=other.agent_id))
    task = await task_of(hass, speaker, assistant=speaker.agent_id)
    assert task["status"]["state"] == "input-required"


async def by_id(hass: HomeAssistant, task_id: str) -> dict[str, Any]:
    """Return a task by its id."""
    found: dict[str, Any] = (await act(hass, "get_task", task_id=task_id))["task"]
    return found


STORES = pytest.mark.parametrize("in_redis", [False, True], ids=["file", "redis"])


@STORES
async def test_a_task_is_returned_by_its_id_after_the_next_request_and_a_restart_too(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis, *, in_redis: bool
) -> None:
    server = await hass.async_add_executor_job(start_redis)
    speaker = await speak(memory={"redis_url": server.url} if in_redis else {})
    told = async_capture_events(hass, EVENT_TELEMETRY)
    tasks = []
    for said in ("turn off the kitchen pendant", ASKED, "turn on the floor lamp"):
        await speaker.say(said)
        tasks.append(await task_of(hass, speaker))
    await hass.async_block_till_done()
    assert [task["status"]["state"] for task in tasks] == [
        "completed",
        "input-required",
        "completed",
    ]
    answers = [event.data["payload"] for event in told if event.data["stage"] == "respond"]
    assert [answer["task_id"] for answer in answers] == [task["id"] for task in tasks]
    for restarts in (False, True):
        if restarts:
            assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
            await hass.async_block_till_done()
        assert await task_of(hass, speaker) == tasks[2]
        assert await by_id(hass, tasks[0]["id"]) == tasks[0]
        assert await by_id(hass, tasks[2]["id"]) == tasks[2]
        left = await by_id(hass, tasks[1]["id"])
        assert left["status"]["state"] == "canceled"
        [plan] = left["artifacts"]
        [*_, step] = plan["parts"][0]["data"]["steps"]
        assert (step["type"], step["status"]) == ("ask_user", "canceled")
        assert step["startedAt"] <= step["endedAt"]
    assert await act(hass, "forget", conversation_id=speaker.conversation_id) == {"forgotten": 1}
    for task in tasks:
        await refused(hass, "unknown_task", by_id(hass, task["id"]))


@STORES
async def test_the_plan_that_asked_goes_on_with_the_answer_after_a_restart_too(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis, *, in_redis: bool
) -> None:
    server = await hass.async_add_executor_job(start_redis)
    speaker = await speak(memory={"redis_url": server.url} if in_redis else {})
    await speaker.say(ASKED)
    [asked] = (await task_of(hass, speaker))["artifacts"]
    [*before, step] = asked["parts"][0]["data"]["steps"]
    assert (step["type"], step["status"], step["endedAt"]) == ("ask_user", "in_progress", None)
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()
    await speaker.say("the right one")
    task = await task_of(hass, speaker)
    [answered] = task["artifacts"]
    assert answered["name"] == asked["name"]
    steps = answered["parts"][0]["data"]["steps"]
    assert steps[: len(before)] == before
    ended = steps[len(before)]
    assert ended == {**step, "status": "completed", "endedAt": ended["endedAt"]}
    assert ended["startedAt"] <= ended["endedAt"]
    kinds = [(each["type"], each["status"]) for each in steps[len(before) + 1 :]]
    assert ("tool_call", "completed") in kinds
    assert all(each["endedAt"] >= ended["endedAt"] for each in steps[len(before) + 1 :])


async def test_a_question_that_is_left_ends_its_step(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    for leave in ("never mind", None):
        await speaker.say(ASKED)
        if leave:
            await speaker.say(leave)
        else:
            await act(hass, "cancel_task", conversation_id=speaker.conversation_id)
        task = await task_of(hass, speaker)
        assert task["status"]["state"] == "canceled"
        [plan] = task["artifacts"]
        step = plan["parts"][0]["data"]["steps"][-1]
        assert (step["type"], step["status"]) == ("ask_user", "canceled")
        assert step["startedAt"] <= step["endedAt"]


class Slow:
    """The music agent, which waits until it may go on."""

    card = MusicAgent.card

    def __init__(self) -> None:
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        self.begun.set()
        await self.may_end.wait()
        return AgentResult(success=True, content="Muted.")


@pytest.mark.skipif(
    hasattr(chat_log, "ConversationBusyError"),
    reason="from 2026.11 on, Home Assistant itself refuses what is said while another turn is answered",
)
@STORES
async def test_a_request_that_waits_behind_another_is_submitted(
    hass: HomeAssistant, speak: Setup, start_redis: StartRedis, *, in_redis: bool
) -> None:
    server = await hass.async_add_executor_job(start_redis)
    speaker = await speak(memory={"redis_url": server.url} if in_redis else {})
    await speaker.say("turn off the kitchen pendant")
    slow = Slow()
    assistant_of(hass).registry.register(slow)

    async def say(text: str) -> None:
        await async_converse(
            hass, text, speaker.conversation_id, Context(), agent_id=speaker.agent_id
        )

    first = asyncio.create_task(say("mute the kitchen speaker"))
    await slow.begun.wait()
    second = asyncio.create_task(say("turn on the floor lamp"))
    found: dict[str, Any] = {}
    async with asyncio.timeout(10):
        while not found.get("waiting"):
            await asyncio.sleep(0.02)
            found = await act(hass, "get_task", conversation_id=speaker.conversation_id)
    assert found["task"]["status"]["state"] == "working"
    [waits] = found["waiting"]
    submitted = await by_id(hass, waits)
    assert submitted["status"]["state"] == "submitted"
    assert submitted["sessionId"] == speaker.conversation_id
    slow.may_end.set()
    await first
    await second
    task = await task_of(hass, speaker)
    assert (task["id"], task["status"]["state"]) == (waits, "completed")
    assert (await by_id(hass, found["task"]["id"]))["status"]["state"] == "completed"


async def test_a_task_nobody_knows_is_refused(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await refused(hass, "unknown_task", by_id(hass, "task-nobody"))
    assert said == "There is no such task, or it is forgotten already"
    await speaker.say(ASKED)
    task = await task_of(hass, speaker)
    with pytest.raises(vol.Invalid):
        await act(hass, "get_task", task_id=task["id"], conversation_id=speaker.conversation_id)


@pytest.mark.parametrize("action", ["get_task", "cancel_task"])
async def test_a_conversation_nobody_knows_is_refused(
    hass: HomeAssistant, speak: Setup, action: str
) -> None:
    await speak()
    said = await refused(hass, "unknown_conversation", act(hass, action, conversation_id="nobody"))
    assert said == "There is no such conversation, or it is forgotten already"
    assert assistant_of(hass).tasks.get("nobody") is None, "asking leaves nothing behind"


async def test_to_forget_what_nobody_knows_is_no_error(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    assert await act(hass, "forget", conversation_id="nobody") == {"forgotten": 0}


@pytest.mark.parametrize("action", ["get_task", "cancel_task", "forget"])
async def test_an_assistant_that_is_none_is_refused(
    hass: HomeAssistant, speak: Setup, action: str
) -> None:
    speaker = await speak()
    data = {"conversation_id": "talk"}
    lamp = act(hass, action, assistant="conversation.home_assistant", **data)
    await refused(hass, "unknown_assistant", lamp)
    entity = er.async_get(hass).async_get(speaker.agent_id)
    assert entity
    assert await hass.config_entries.async_unload(str(entity.config_entry_id))
    named = act(hass, action, assistant=speaker.agent_id, **data)
    await refused(hass, "assistant_not_loaded", named)
    await refused(hass, "no_assistant", act(hass, action, **data))


@pytest.mark.parametrize("action", ["get_task", "cancel_task"])
async def test_a_conversation_has_to_be_named(
    hass: HomeAssistant, speak: Setup, action: str
) -> None:
    await speak()
    with pytest.raises(vol.Invalid):
        await act(hass, action)


@pytest.mark.parametrize("action", ["get_task", "cancel_task", "forget"])
async def test_what_others_said_is_for_administrators(
    hass: HomeAssistant, speak: Setup, hass_read_only_user: MockUser, action: str
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    with pytest.raises(Unauthorized):
        await hass.services.async_call(
            DOMAIN,
            action,
            {"conversation_id": speaker.conversation_id},
            blocking=True,
            return_response=True,
            context=Context(user_id=hass_read_only_user.id),
        )
    assert (await task_of(hass, speaker))["status"]["state"] == "input-required"


async def test_a_response_is_wanted_where_there_is_nothing_else(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    data = {"conversation_id": speaker.conversation_id}
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call(DOMAIN, "get_task", data, blocking=True)
    for action in ("cancel_task", "forget"):
        await hass.services.async_call(DOMAIN, action, data, blocking=True)
    await refused(hass, "unknown_conversation", task_of(hass, speaker))
