"""What a device cannot do is said in a sentence, and nothing changes; those that can, do."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.agents.climate import ClimateAgent
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.agents.plan_answers import PlanError
from custom_components.bellboard.agents.specialist import Specialist
from custom_components.bellboard.domains.models import Command
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import traces

from .conftest import Ask, called, planning, shown


@in_one_house(
    ("text", "reply"),
    [
        ("set the kitchen counter to red", "Kitchen Counter can't do that."),
        ("set the sideboard lamp brightness to 40%", "Sideboard Lamp can't do that."),
        (
            "set desk lamp color temperature to 2000 kelvin",
            "I can set Desk Lamp between 2700 K and 6500 K.",
        ),
        (
            "set the bathroom heating to 12 degrees",
            "I can set Bathroom Heating between 15 °C and 28 °C.",
        ),
        ("set bedroom thermostat fan to medium", "Bedroom Thermostat can't do that."),
        ("play jazz in the laundry room", None),
    ],
)
async def test_what_cannot_be_done_is_refused(speak: Setup, text: str, reply: str | None) -> None:
    said = await (await speak()).say(text)
    assert said.calls == []
    assert said.changes == {}
    assert said.reply
    if reply:
        assert said.reply == reply
    assert said.result.response.response_type.value == "error"


async def test_of_a_room_those_are_set_that_can(hass: HomeAssistant, speak: Setup) -> None:
    said = await (await speak()).say("set the kitchen to red")
    assert called(said.calls) == [
        ("light.turn_on", {"color_name": "red", "entity_id": ["light.kitchen_pendant"]})
    ]
    assert said.reply == "Made Kitchen Pendant red."


async def test_a_light_of_colours_renders_any_white(hass: HomeAssistant, speak: Setup) -> None:
    said = await (await speak()).say("set night light color temperature to 9000 kelvin")
    assert [action for action, _ in called(said.calls)] == ["light.turn_on"]
    assert said.reply == "Set Night Light to 9000 K."


async def test_a_lamp_without_colour_is_not_offered_one(speak: Setup) -> None:
    speaker = await speak(planning("light", {"action": "turn_on"}))
    await speaker.say("some reddish gloom from the kitchen counter light")
    assert speaker.model
    offered = str(speaker.model.requests[-1].schema)
    assert "'red'" not in offered
    assert "change_brightness" in offered


async def test_a_lamp_that_only_switches_is_not_offered_a_level(speak: Setup) -> None:
    speaker = await speak(planning("light", {"action": "turn_on"}))
    await speaker.say("squeeze 40 out of the sideboard lamp")
    assert speaker.model
    plan = speaker.model.requests[-1].schema
    assert plan
    offered = [
        each["properties"]["action"]["enum"][0]
        for each in plan["properties"]["actions"]["items"]["anyOf"]
    ]
    assert offered == ["turn_on", "turn_off", "toggle", "ask", "nothing"]


@in_one_house("agent", ["light", "music", "climate"])
async def test_each_specialist_may_ask_for_a_value_or_do_nothing(speak: Setup, agent: str) -> None:
    speaker = await speak(planning(agent, {"action": "nothing"}), workflow={"frequency": "once"})
    await speaker.say("gnorp the fizzle")
    assert speaker.model
    plan = speaker.model.requests[-1].schema
    assert plan
    offered = plan["properties"]["actions"]["items"]["anyOf"]
    *_, ask, nothing = (each["properties"]["action"]["enum"][0] for each in offered)
    assert (ask, nothing) == ("ask", "nothing")


async def test_a_value_that_is_missing_is_asked_for(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(planning("light", {"action": "ask", "missing": "brightness"}))
    said = await speaker.say("do something about the brightness of the reading lamp")
    assert said.reply == "How bright?"
    assert said.result.continue_conversation
    assert (said.calls, said.changes) == ([], {})
    stages = {stage["stage"]: stage["payload"] for stage in traces(hass)[-1].stages}
    assert stages["plan_created"]["steps"] == ["ask_user"]
    assert stages["respond"]["waiting_for_param"] == "brightness"


async def test_a_value_alone_answers_who_asked_and_is_for_no_room(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(planning("light", {"action": "ask", "missing": "brightness"}))
    asked = "do something about the brightness of the reading lamp"
    await speaker.say(asked, area="Kitchen")
    assert speaker.model
    before = len(speaker.model.requests)
    said = await speaker.say("40 percent", area="Kitchen")
    assert {*said.changes} <= {"light.reading_lamp"}
    assert said.reply == "How bright?"
    [again] = speaker.model.requests[before:]
    assert again.schema
    assert "actions" in again.schema["properties"], "the agent plans, and nobody is chosen anew"
    told = " ".join(message.content for message in again.messages)
    assert asked in told
    assert "40 percent" in told
    assert traces(hass)[-1].agents[0]["id"] == "light-agent"


async def test_the_answer_to_a_models_question_completes_the_request(speak: Setup) -> None:
    """Without another call, where the request can be read with the value that it left out."""
    speaker = await speak(planning("light", {"action": "ask", "missing": "brightness"}))
    assert speaker.model
    assert (await speaker.say("adjust the reading lamp")).reply == "How bright?"
    assert len(speaker.model.requests) == 1
    said = await speaker.say("40 percent")
    assert called(said.calls) == [
        ("light.turn_on", {"brightness_pct": 40, "entity_id": ["light.reading_lamp"]})
    ]
    assert len(speaker.model.requests) == 1


async def test_other_words_after_a_models_question_are_a_request_of_their_own(
    speak: Setup,
) -> None:
    speaker = await speak(planning("light", {"action": "ask", "missing": "brightness"}))
    await speaker.say("do something about the brightness of the reading lamp")
    said = await speaker.say("turn on the floor lamp")
    assert {*said.changes} == {"light.floor_lamp"}
    assert not said.result.continue_conversation


async def test_a_number_no_thermostat_reaches_is_not_offered(speak: Setup) -> None:
    speaker = await speak(planning("climate", {"action": "turn_on"}))
    await speaker.say("squeeze 90 out of the bathroom heating")
    assert speaker.model
    assert "set_temperature" not in str(speaker.model.requests[-1].schema)


@pytest.mark.parametrize(("by", "becomes"), [(5, 30.0), (-5, 24.5)])
async def test_a_temperature_moves_to_its_limit_at_the_most(
    hass: HomeAssistant, speak: Setup, by: int, becomes: float
) -> None:
    living = "climate.living_room_thermostat"
    data = {"entity_id": living, "temperature": 29.5}
    await hass.services.async_call("climate", "set_temperature", data, blocking=True)
    speaker = await speak(planning("climate", {"action": "change_temperature", "by": by}))
    words = "warmer" if by > 0 else "colder"
    said = await speaker.say(f"I'd like the living room thermostat 5 {words}")
    assert shown(hass, living, "temperature") == {"temperature": becomes}
    assert said.reply == f"Set Living Room Thermostat to {becomes:g} °C."


async def test_several_thermostats_move_from_where_each_is(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(
        planning("climate", {"action": "change_temperature", "by": 1, "targets": ["all"]})
    )
    said = await speaker.say("it's chilly upstairs")
    assert sorted((d["temperature"], d["entity_id"]) for _, d in called(said.calls)) == [
        (20.5, ["climate.bedroom_thermostat"]),
        (21.0, ["climate.kids_room_heating"]),
    ]


# What no sentence reaches because it would not have been offered: checked again on the way to the call.
REFUSED: list[tuple[type[Specialist], Command, str, str]] = [
    (
        ClimateAgent,
        Command("set_range", {"low": 18, "high": 22}),
        "living_room_thermostat",
        "cannot",
    ),
    (
        ClimateAgent,
        Command("set_range", {"low": 1, "high": 22}),
        "bedroom_thermostat",
        "out_of_range",
    ),
    (
        ClimateAgent,
        Command("set_humidity", {"humidity": 40}),
        "living_room_thermostat",
        "cannot",
    ),
    (
        ClimateAgent,
        Command("set_preset", {"preset_mode": "eco"}),
        "bedroom_thermostat",
        "cannot",
    ),
    (LightAgent, Command("set", {"effect": "candle"}), "reading_lamp", "cannot"),
    (LightAgent, Command("set", {"kelvin": 3000}), "reading_lamp", "cannot"),
    (LightAgent, Command("change_brightness", {"by": 10}), "sideboard_lamp", "cannot"),
    (MusicAgent, Command("play", {"query": "jazz"}), "living_room_tv", "no_player"),
    (MusicAgent, Command("next"), "bathroom_radio", "cannot"),
    (MusicAgent, Command("shuffle_on"), "bathroom_radio", "cannot"),
    (MusicAgent, Command("set_repeat", {"repeat": "all"}), "bathroom_radio", "cannot"),
    (MusicAgent, Command("select_source", {"source": "Moon"}), "bathroom_radio", "cannot"),
]


@in_one_house(
    ("agent", "chosen", "name", "key"),
    REFUSED,
    ids=[f"{chosen.name}-{name}" for _, chosen, name, _ in REFUSED],
)
async def test_no_call_is_made_of_what_a_device_lacks(
    hass: HomeAssistant,
    ask: Ask,
    *,
    agent: type[Specialist],
    chosen: Command,
    name: str,
    key: str,
) -> None:
    specialist = agent()
    state = hass.states.get(f"{specialist.domain}.{name}")
    assert state
    request = ask("whatever")
    with pytest.raises(PlanError) as caught:
        await specialist.async_calls(request, chosen, [state])
    assert caught.value.key == key
    assert request.language.say(f"plan.{key}", **caught.value.values)


async def test_a_thermostat_that_keeps_a_range_has_no_single_temperature_to_move(
    hass: HomeAssistant, ask: Ask
) -> None:
    bedroom = "climate.bedroom_thermostat"
    data: dict[str, Any] = {"entity_id": bedroom, "hvac_mode": "heat_cool"}
    await hass.services.async_call("climate", "set_hvac_mode", data, blocking=True)
    state = hass.states.get(bedroom)
    assert state
    chosen = Command("change_temperature", {"by": 1})
    with pytest.raises(PlanError):
        await ClimateAgent().async_calls(ask("warmer"), chosen, [state])
