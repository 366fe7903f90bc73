"""The panel shows each turn with what led to its answer, live, and words only to those who may see them."""

import json
from typing import Any

from homeassistant.core import Context, HomeAssistant, State
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.panel.turns import detail_as_json
from custom_components.bellboard.telemetry.trace import TraceBuffer, TurnTrace
from custom_components.bellboard.turn.record import TurnRecord
from custom_components.bellboard.turn.wordless import wordless_trace
from tests.conftest import SECRET_KEY, Setup
from tests.panel.conftest import OpenPanel, Panel
from tests.routing.reading import assistant_of
from tests.satellites import satellites_in

PRIVATE = "turn off the kitchen pendant"


def choose(agent: str, **plan: Any) -> Any:
    """Return a scripted model that chooses an agent, and then plans."""

    def answer(_messages: Any, schema: Any) -> Any:
        if schema and "agentId" in schema["properties"]:
            return {"agentId": agent, "confidence": 0.9, "reasoning": "It is about light."}
        return plan

    return answer


def all_of(hass: HomeAssistant, *traces: TurnTrace) -> str:
    """Return everything that some traces hold, in small letters."""
    assistant = assistant_of(hass)
    found = [
        (trace, trace.as_json(), detail_as_json(hass, assistant, trace), responses_of(trace))
        for trace in traces
    ]
    return repr(found).lower()


def responses_of(trace: TurnTrace) -> list[Any]:
    """Return the models' responses of a trace, whose text no representation shows."""
    return [call.response and call.response.model_dump() for call in trace.model.log]


async def test_turns_are_shown_as_they_come_and_stay_when_wrong(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    await speaker.say("turn on the kitchen counter", area="Kitchen")
    await panel.send("turns")
    [first] = (await panel.next_event())["turns"]
    assert first["utterance"] == "turn on the kitchen counter"
    assert (first["area"], first["agents"], first["sources"]) == (
        "Kitchen",
        ["light-agent"],
        ["reflex"],
    )

    await speaker.say(PRIVATE)
    second = (await panel.next_event())["turn"]
    assert (second["utterance"], second["is_corrected"]) == (PRIVATE, False)

    await speaker.say("undo that")
    corrected = (await panel.next_event())["turn"]
    assert (corrected["id"], corrected["is_corrected"]) == (second["id"], True)
    assert (await panel.next_event())["turn"]["utterance"] == "undo that"


async def test_nobody_is_told_any_more_after_the_page_is_closed(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    traces: TraceBuffer = assistant_of(hass).traces
    answer = await panel.send("turns")
    assert (await panel.next_event())["turns"] == []
    assert len(traces._listeners) == 1

    await panel.client.send_json_auto_id(
        {"type": "unsubscribe_events", "subscription": answer["id"]}
    )
    assert (await panel.client.receive_json())["success"]

    assert traces._listeners == []
    await speaker.say(PRIVATE)


async def test_a_turn_tells_states_calls_and_stages(speak: Setup, panel: Panel) -> None:
    speaker = await speak()
    await speaker.say("dim the kitchen pendant to 30 percent", area="Kitchen")

    turn = await panel.last_turn()

    [part] = turn["parts"]
    assert (part["agent_id"], part["source"]) == ("light-agent", "reader")
    assert part["intent"]["targets"] == ["light.kitchen_pendant"]
    [plan] = turn["plans"]
    [call] = plan["calls"]
    assert call["action"] == "light.turn_on"
    assert call["outcomes"] == [{"entity_id": "light.kitchen_pendant", "error": None, "detail": ""}]
    [state] = turn["states"]
    assert state["name"] == "Kitchen Pendant"
    assert state["attributes"]["brightness"] == [128, 76]
    assert next(stage["stage"] for stage in turn["stages"]) == "received"
    assert turn["models"] == []
    assert turn["threshold"] == 0.7
    assert [message["role"] for message in turn["task"]["history"]] == ["user", "assistant"]


async def test_a_turn_tells_exactly_what_a_model_was_asked_and_answered(
    speak: Setup, panel: Panel
) -> None:
    steps = choose("light-agent", action="turn_off", targets=["Kitchen Pendant"])
    speaker = await speak(steps)
    await speaker.say("let the thing above the stove shimmer")
    assert speaker.model

    turn = await panel.last_turn()

    sent = [
        [{"role": m.role, "content": m.content} for m in ask.messages]
        for ask in speaker.model.requests
    ]
    told = [call["messages"] for call in turn["models"]]
    assert told == sent
    assert turn["model_calls"] == len(sent) >= 1
    first = turn["models"][0]
    assert first["purpose"] == "choice"
    assert json.loads(first["answer"])["agentId"] == "light-agent"
    assert first["schema"]["properties"]["agentId"]["enum"]
    assert first["ms"] >= 0
    assert first["at_ms"] >= 0
    assert SECRET_KEY not in json.dumps(turn)


async def test_a_model_that_failed_is_told_with_its_error(speak: Setup, panel: Panel) -> None:
    speaker = await speak(lambda *_: "this is no JSON")
    await speaker.say("let the thing above the stove shimmer")

    turn = await panel.last_turn()

    assert {call["error"] for call in turn["models"]} >= {"BadOutputError"}


async def test_why_others_lost_is_told_by_their_scores(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak(choose("light-agent"))
    await speaker.say("let the thing above the stove shimmer")

    turn = await panel.last_turn()

    assert set(turn["eligible"]) >= {"light-agent", "music-agent", "climate-agent", "home-agent"}
    [part] = turn["parts"]
    assert part["measure"] in {"measured", "written", "none"}
    assert all(0 <= share <= 1 for share in part["scores"].values())


@pytest.mark.parametrize(("words", "is_shown"), [("all", True), ("own", False), ("none", False)])
async def test_words_of_others_are_shown_as_the_options_say(
    hass: HomeAssistant, speak: Setup, panel: Panel, words: str, is_shown: bool
) -> None:
    speaker = await speak(choose("light-agent"), telemetry={"panel_words": words})
    other = MockUser(name="Anna").add_to_hass(hass)
    said = await speaker.say("zebra quiz above the stove", context=Context(user_id=other.id))

    turn = await panel.last_turn()

    text = json.dumps(turn)
    assert ("zebra" in text) is is_shown
    assert (said.reply in text) is is_shown
    assert turn["has_words"] is is_shown
    if not is_shown:
        assert turn["utterance"] == f"<{len('zebra quiz above the stove')} characters>"


@pytest.mark.parametrize("words", ["own", "none"])
async def test_words_that_nobody_may_read_are_not_kept(
    hass: HomeAssistant, speak: Setup, panel: Panel, words: str
) -> None:
    speaker = await speak(choose("light-agent"), telemetry={"panel_words": words})
    # Through a satellite: it is not known who says it.
    await speaker.say("zebra quiz above the stove")

    [trace] = assistant_of(hass).traces
    kept = (trace.utterance, trace.reply, trace.parts, trace.model.log, trace.stages)
    assert "zebra" not in repr(kept)
    assert trace.utterance == "<26 characters>"
    turn = await panel.last_turn()
    assert turn["utterance"] == trace.utterance
    assert not turn["has_words"]
    assert "zebra" not in json.dumps(turn)
    meant = {"agent_id": "light-agent", "action": "turn_on", "targets": ["light.kitchen_pendant"]}
    for command, fields in (("correct/learn", meant), ("correct/case", {})):
        error = await panel.refused(command, turn_id=trace.id, **fields)
        assert error["translation_key"] == "correction_no_words"
    await panel.ask("correct/mark", turn_id=trace.id)
    assert trace.is_corrected


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("add zebras to my shopping list", "todo.add_item"),
        ("add zebra milk and zebra bread to my shopping list", "todo.add_item"),
        ("announce that the zebras are here", "assist_satellite.announce"),
        ("announce zebras", "assist_satellite.announce"),
    ],
)
async def test_what_is_put_on_a_list_or_announced_is_in_no_trace(
    hass: HomeAssistant, speak: Setup, panel: Panel, text: str, action: str
) -> None:
    satellites = satellites_in(hass, "Kitchen", "Living Room")
    speaker = await speak(telemetry={"panel_words": "own"})
    said = await speaker.say(text, area="Kitchen")
    assert "zebra" in repr((said.calls, satellites.heard)), said.reply

    [trace] = assistant_of(hass).traces
    assert "zebra" not in all_of(hass, trace)
    # What was done, to what, and how long the words are, is there.
    turn = await panel.last_turn()
    assert {call["action"] for call in turn["calls"]} == {action}
    assert turn["calls"] == trace.calls
    assert turn["plans"][0]["calls"][0]["action"] == action
    assert turn["policies"][0]["action"] == action
    assert turn["agents"] == ["home-agent"]
    assert "characters>" in json.dumps(turn["calls"])


@pytest.mark.parametrize(
    "text",
    [
        "remind me to feed the zebras in ten minutes",
        "turn on the floor lamp when the zebra is home",
        "in ten minutes announce that the zebras are here",
        "play zebra songs in the living room",
        "set a zebra timer for ten minutes",
        "turn on the zebra lamp and add zebras to my shopping list",
        "ask the zebra",
    ],
)
async def test_what_is_planned_or_not_understood_is_in_no_trace(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak(choose("general-agent"), telemetry={"panel_words": "none"})
    await speaker.say(text, area="Kitchen")
    await speaker.say("yes, for the zebras", area="Kitchen")

    for trace in assistant_of(hass).traces:
        assert "zebra" not in all_of(hass, trace)


async def test_what_a_model_planned_of_it_is_in_no_trace(hass: HomeAssistant, speak: Setup) -> None:
    steps = choose("light-agent", action="turn_off", targets=["Kitchen Pendant"])
    speaker = await speak(steps, telemetry={"panel_words": "none"})
    await speaker.say("let the zebra above the stove shimmer")

    [trace] = assistant_of(hass).traces
    assert trace.model.log
    assert "zebra" not in all_of(hass, trace)


async def test_whoever_says_it_is_told_what_was_done_with_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak(telemetry={"panel_words": "none"})
    told: Any = await hass.services.async_call(
        DOMAIN,
        "process",
        {"text": "add zebras to my shopping list"},
        blocking=True,
        return_response=True,
    )

    assert [call["data"]["item"] for call in told["calls"]] == ["zebras"]
    assert "zebra" not in all_of(hass, *assistant_of(hass).traces)


async def test_what_was_written_is_in_no_state_of_a_trace(hass: HomeAssistant) -> None:
    words = (
        State("input_text.note", "zebras"),
        State("input_select.scene", "zebra night"),
        State("select.preset", "zebra"),
        State("media_player.x", "on", {"media_title": "zebra"}),
    )
    record = TurnRecord("talk", "zebra", before={each.entity_id: each for each in words})
    record.after = {"input_text.note": words[0], "media_player.x": None}

    kept = wordless_trace(record)

    assert "zebra" not in repr(kept)
    assert kept.before["media_player.x"].state == "on"
    assert kept.after["media_player.x"] is None
    assert record.utterance == "zebra", "the record of who said it stays as it is"


async def test_what_is_undone_is_the_turn_that_did_something(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    for text in ("turn on the floor lamp", "is the floor lamp on?", "undo that"):
        await speaker.say(text)
    corrected = [trace.is_corrected for trace in assistant_of(hass).traces]
    assert corrected == [True, False, False]


async def test_ones_own_words_are_shown_where_only_those_are(
    hass: HomeAssistant, speak: Setup, panel: Panel, hass_admin_user: MockUser
) -> None:
    speaker = await speak(telemetry={"panel_words": "own"})
    await speaker.say(PRIVATE, context=Context(user_id=hass_admin_user.id))

    assert (await panel.last_turn())["utterance"] == PRIVATE


async def test_a_turn_that_is_not_kept_any_more_is_said_so(speak: Setup, panel: Panel) -> None:
    await speak()

    error = await panel.refused("turn", turn_id="turn-of-last-year")

    assert error["translation_key"] == "turn_gone"


COMMANDS: dict[str, dict[str, Any]] = {
    "assistants": {},
    "turns": {},
    "turn": {"turn_id": "x"},
    "read": {"assistant": "x", "text": "x"},
    "try": {"assistant": "x", "text": "x"},
    "choices": {"assistant": "x"},
    "correct/mark": {"turn_id": "x"},
    "correct/learn": {
        "turn_id": "x",
        "agent_id": "light-agent",
        "action": "turn_on",
        "targets": ["light.x"],
    },
    "correct/alias": {"turn_id": "x", "entity_id": "light.x", "alias": "y"},
    "correct/case": {"turn_id": "x"},
    "agents": {"assistant": "x"},
    "policies": {},
    "policies/reload": {},
    "policies/try": {"action": "light.turn_on"},
    "policies/check": {"text": "rules: []", "revision": "x"},
    "policies/save": {"text": "rules: []", "revision": "x"},
    "health": {},
    "planned": {},
    "planned/cancel": {"assistant": "x", "planned_id": "x"},
    "evaluation": {"assistant": "x"},
    "evaluation/run": {"assistant": "x"},
}


async def test_who_is_no_administrator_is_refused_every_command(
    hass: HomeAssistant, speak: Setup, open_panel: OpenPanel, hass_read_only_access_token: str
) -> None:
    await speak()
    registered = {
        name.removeprefix("bellboard/panel/")
        for name in hass.data["websocket_api"]
        if name.startswith("bellboard/panel/")
    }
    assert registered == COMMANDS.keys()
    visitor = await open_panel(hass_read_only_access_token)

    for command, fields in COMMANDS.items():
        assert (await visitor.refused(command, **fields))["code"] == "unauthorized", command
    for command in ("traces", "telemetry", "models"):
        await visitor.client.send_json_auto_id({"type": f"bellboard/{command}"})
        assert (await visitor.client.receive_json())["error"]["code"] == "unauthorized"
