"""Each turn tells who may answer and which intent it has: by whichever way it came to that."""

import os

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.bellboard.telemetry.sinks import EVENT_TELEMETRY
from custom_components.bellboard.telemetry.trace import Stage, TelemetryEvent
from tests.agents.conftest import planning
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_forwarding import STEPS
from tests.test_policy_reach import obey, rule

from . import ten_turns
from .contract import check_turn


def stage(events: list[TelemetryEvent], wanted: Stage) -> list[dict[str, object]]:
    """Return the payloads of a stage."""
    return [event.payload for event in events if event.stage is wanted]


async def test_ten_turns_tell_what_the_document_prints(hass: HomeAssistant, speak: Setup) -> None:
    turns = await ten_turns.async_take_turns(hass, speak)
    for turn in turns:
        check_turn(turn.events)
    told = {turn.said: list(turn.events) for turn in turns}
    assert len({turn.shows for turn in turns}) == 10

    def intents(said: str) -> list[tuple[object, object, object]]:
        return [
            (payload["agent_id"], payload["intent_id"], payload["source"])
            for payload in stage(told[said], Stage.INTENT_CLASSIFIED)
        ]

    assert intents("turn on the floor lamp") == [("light-agent", "HassTurnOn", "reflex")]
    routed = "it has become rather gloomy around the reading lamp"
    assert intents(routed) == [("light-agent", "light-agent/turn_on", "model")]
    assert [source for *_, source in intents("the left one")] == ["pending"]
    assert intents("turn it off") == [("light-agent", "HassTurnOff", "reference")]
    assert intents("undo that") == [("undo-agent", "undo", "reference")]
    assert intents("gnorp the fizzle") == [("fallback-agent", None, "fallback")]
    assert len(intents("turn off the floor lamp and mute the kitchen speaker")) == 2
    assert [agent for agent, *_ in intents(STEPS)] == ["light-agent", "general-agent"]
    [asked] = stage(told["turn on the bedside lamp"], Stage.PLAN_CREATED)
    assert asked["steps"] == ["ask_user"]
    [denied] = stage(told["open the kitchen blinds"], Stage.POLICY_CHECK)
    assert (denied["allowed"], denied["tool"]) == (False, "cover.open_cover")
    [failed] = stage(told["turn on the night light"], Stage.TOOL_EXECUTE)
    assert (failed["ok"], failed["tool"]) == (False, "light.turn_on")

    def levels(said: str) -> dict[str, str]:
        return {
            event.stage.value: event.level.value for event in told[said] if event.level != "info"
        }

    # A policy that steps in and what nobody understands are warnings; what fails is an error.
    assert levels("turn on the floor lamp") == {}
    assert levels("open the kitchen blinds") == {"policy_check": "warn", "respond": "error"}
    assert levels("turn on the night light") == {"tool_execute": "error", "respond": "error"}
    assert levels("gnorp the fizzle") == {"intent_classified": "warn", "respond": "warn"}
    counts = [stage(list(turn.events), Stage.RECEIVED)[0]["memory"] for turn in turns]
    assert [memory["history_count"] for memory in counts] == list(range(1, len(turns) + 1))  # type: ignore[index]
    text = ten_turns.as_document(turns)
    if os.environ.get("BELLBOARD_WRITE_EVENTS"):
        ten_turns.write(text)
    assert text == ten_turns.printed()


@pytest.mark.parametrize("said", ["blah blah", "gnorp the fizzle"])
async def test_what_nobody_understood_is_unknown_in_the_turn_itself(
    hass: HomeAssistant, speak: Setup, said: str
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak()
    await speaker.say(said)
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    check_turn(events)
    [classified] = stage(events, Stage.INTENT_CLASSIFIED)
    assert (classified["intent_id"], classified["unknown_intent"]) == (None, True)
    [respond] = stage(events, Stage.RESPOND)
    assert (respond["fallback"], respond["unknown_intent"]) == (True, True)
    assert stage(events, Stage.INTENTS_ELIGIBLE) == [
        {"eligible": ["light-agent", "music-agent", "climate-agent", "home-agent"]}
    ]


@in_one_house("agent", ["light", "music", "climate"])
async def test_it_is_unknown_to_whoever_it_was_given_to(
    hass: HomeAssistant, speak: Setup, agent: str
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(planning(agent, {"action": "nothing"}))
    await speaker.say("gnorp the fizzle")
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    check_turn(events)
    [classified] = stage(events, Stage.INTENT_CLASSIFIED)
    assert (classified["agent_id"], classified["source"]) == (f"{agent}-agent", "model")
    assert (classified["intent_id"], classified["unknown_intent"]) == (None, True)
    [respond] = stage(events, Stage.RESPOND)
    assert (respond["fallback"], respond["unknown_intent"]) == (True, True)


async def test_a_part_that_nobody_understood_leaves_the_turn_known(
    hass: HomeAssistant, speak: Setup
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak()
    await speaker.say("turn on the floor lamp and gnorp the fizzle")
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    check_turn(events)
    known = [payload["intent_id"] for payload in stage(events, Stage.INTENT_CLASSIFIED)]
    assert known == ["HassTurnOn", None]
    [respond] = stage(events, Stage.RESPOND)
    assert respond["intent_id"] == "HassTurnOn"
    assert "unknown_intent" not in respond


async def test_the_parameters_of_a_routed_sentence_are_those_of_the_models_plan(
    hass: HomeAssistant, speak: Setup
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    plan = {"actions": [{"action": "change_brightness", "by": 10}]}
    speaker = await speak(lambda *_: plan, telemetry={"redacted_parameters": "light-agent: by"})
    await speaker.say("make the reading lamp shine brighter")
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    check_turn(events)
    [classified] = stage(events, Stage.INTENT_CLASSIFIED)
    assert classified["intent_id"] == "light-agent/change_brightness"
    assert classified["redacted_params"] == ["by"]


@pytest.mark.parametrize("whose", ["HassLightSet", "light-agent"])
async def test_a_parameter_may_be_withheld_in_one_intent_only(
    hass: HomeAssistant, speak: Setup, whose: str
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(telemetry={"redacted_parameters": f"{whose}: brightness"})
    for said in ("set the floor lamp to 40 percent", "set the living room speaker to 40 percent"):
        await speaker.say(said)
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    first, second = stage(events, Stage.INTENT_CLASSIFIED)
    assert (first["intent_id"], second["intent_id"]) == ("HassLightSet", "HassSetVolume")
    assert "brightness" in str(first["redacted_params"])
    assert "brightness" not in str(second["redacted_params"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("no_lights", "no_lights"),
        ("no lights", "<9 characters>"),
        ("küche_zu", "<8 characters>"),
    ],
)
async def test_a_rule_is_told_by_its_name_unless_that_is_a_text(
    hass: HomeAssistant, speak: Setup, name: str, told: str
) -> None:
    speaker = await speak()
    await obey(hass, rule(domain="light") | {"name": name})
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    await speaker.say("turn on the floor lamp")
    events = [TelemetryEvent.model_validate(event.data) for event in fired]
    [checked] = stage(events, Stage.POLICY_CHECK)
    assert (checked["allowed"], checked["effect"], checked["rule"]) == (False, "deny", told)


async def test_events_are_printed_where_that_is_wanted(
    hass: HomeAssistant, speak: Setup, capsys: pytest.CaptureFixture[str]
) -> None:
    speaker = await speak(telemetry={"print_events": True})
    await speaker.say("turn on the floor lamp")
    printed = capsys.readouterr().out
    assert printed.count("'stage': ") == len(Stage)
    assert "Turned on" not in printed
