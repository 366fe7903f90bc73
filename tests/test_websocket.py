"""The traces of turns, as the frontend asks for them."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockUser
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.bellboard.const import DOMAIN
from tests.conftest import Setup, Speaker
from tests.evaluation import setup_agent


async def traces(client: Any, **wanted: str) -> list[dict[str, Any]]:
    """Ask for traces."""
    await client.send_json_auto_id({"type": "bellboard/traces", **wanted})
    answer = await client.receive_json()
    assert answer["success"], answer
    found: list[dict[str, Any]] = answer["result"]["traces"]
    return found


async def test_a_turn_leaves_a_trace(speak: Setup, hass_ws_client: WebSocketGenerator) -> None:
    client = await hass_ws_client()
    speaker = await speak()
    assert await traces(client) == []
    said = await speaker.say("turn off the kitchen pendant")
    (trace,) = await traces(client)
    assert trace["utterance"] == "turn off the kitchen pendant"
    assert trace["reply"] == said.reply
    assert trace["conversation_id"] == speaker.conversation_id
    assert trace["state"] == "completed"
    (ran,) = trace["agents"]
    assert ran.pop("ms") >= 0
    assert ran == {"id": "light-agent", "confidence": 1.0, "source": "reflex", "success": True}
    assert trace["calls"] == [
        {"action": "light.turn_off", "data": {"entity_id": ["light.kitchen_pendant"]}}
    ]
    assert trace["llm"]["calls"] == 0
    assert trace["workflow"]["startTime"]
    stages = [stage["stage"] for stage in trace["stages"]]
    assert stages[0] == "received"
    assert stages[-1] == "respond"
    times = [stage["ms"] for stage in trace["stages"]]
    assert times == sorted(times)
    assert times[-1] <= trace["ms"]


async def test_one_conversation_can_be_asked_for(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator
) -> None:
    client = await hass_ws_client()
    one = await speak()
    other = Speaker(hass, one.agent_id)
    await one.say("turn off the kitchen pendant")
    await other.say("turn on the kitchen pendant")
    await one.say("turn on the kitchen counter")
    assert one.conversation_id != other.conversation_id
    mine = await traces(client, conversation_id=str(one.conversation_id))
    assert [trace["utterance"] for trace in mine] == [
        "turn off the kitchen pendant",
        "turn on the kitchen counter",
    ]
    assert await traces(client, conversation_id="another") == []


async def test_the_newest_of_all_assistants_comes_last(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator
) -> None:
    client = await hass_ws_client()
    one = await speak()
    other = Speaker(hass, await setup_agent(hass, {}))
    await one.say("turn off the kitchen pendant")
    await other.say("turn on the kitchen pendant")
    await one.say("turn off the kitchen counter")
    assert [trace["utterance"] for trace in await traces(client)] == [
        "turn off the kitchen pendant",
        "turn on the kitchen pendant",
        "turn off the kitchen counter",
    ]


async def test_only_the_last_turns_are_kept(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator
) -> None:
    client = await hass_ws_client()
    speaker = await speak()
    for number in range(53):
        await speaker.say(f"blah blah {number}")
    found = await traces(client)
    assert [trace["utterance"] for trace in found] == [f"blah blah {n}" for n in range(3, 53)]


async def test_traces_are_for_administrators(
    speak: Setup, hass_ws_client: WebSocketGenerator, hass_read_only_access_token: str
) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")
    client = await hass_ws_client(access_token=hass_read_only_access_token)
    await client.send_json_auto_id({"type": "bellboard/traces"})
    answer = await client.receive_json()
    assert not answer["success"]
    assert answer["error"]["code"] == "unauthorized"


async def test_the_words_of_others_are_in_no_trace_that_is_asked_for(
    hass: HomeAssistant,
    speak: Setup,
    hass_ws_client: WebSocketGenerator,
    hass_admin_user: MockUser,
) -> None:
    other = MockUser(name="Anna").add_to_hass(hass)
    speaker = await speak(telemetry={"panel_words": "own"})
    for user in (other, hass_admin_user):
        speaker.conversation_id = None
        await speaker.say("turn off the kitchen pendant", context=Context(user_id=user.id))
    heard = [trace["utterance"] for trace in await traces(await hass_ws_client())]
    assert heard == ["<28 characters>", "turn off the kitchen pendant"]


async def test_a_connection_that_is_unloaded_shows_none(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator
) -> None:
    client = await hass_ws_client()
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert await traces(client) == []
