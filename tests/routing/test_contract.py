"""A decision of the model, from what was said to what is answered, as the contract has it."""

from dataclasses import replace
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.router import RoutedPart
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.servers import Fault, Message
from tests.test_services import route

from .conftest import RequestFor, Writer
from .reading import Choosing, choosing, classified, traces
from .test_router_options import SAID, TEMPLATE, properties, routed, writing

# Two requests of which nobody's words tell whose they are.
TWO = "make it cosy and give me a break"


def choosing_for_two(*agents: str) -> Choosing:
    """Return the answers of a model that chooses these agents, the primary one first."""
    return choosing(agents[0], additionalAgents=[*agents[1:]], reasoning="Both are needed.")


async def test_a_clear_request_is_chosen_for_with_high_confidence(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("light"))
    assert speaker.model
    speaker.model.beliefs = {"light": 0.99, "music": 0.01}
    assert (await speaker.say("I could do with the kitchen counter")).reply == (
        "Kitchen Counter was on already."
    )
    payload = classified(traces(hass)[-1])
    assert payload["agentId"] == "light-agent"
    assert payload["confidence"] >= 0.9


async def test_a_models_decision_has_every_field_of_the_contract(
    hass: HomeAssistant, speak: Setup
) -> None:
    answer = choosing_for_two("general-agent", "music-agent")
    await speak(answer, router={"user_prompt_template": TEMPLATE})
    found = await route(hass, TWO)
    assert 0 < found["confidence"] <= 1
    assert {name: found[name] for name in ("agentId", "reasoning", "additionalAgents")} == {
        "agentId": "general-agent",
        "reasoning": "Both are needed.",
        "additionalAgents": ["music-agent"],
    }
    assert found["instructions"] == {
        "general-agent": "make it cosy",
        "music-agent": "give me a break",
    }
    assert (found["source"], found["tier"]) == ("model", "model")


async def test_an_agent_chosen_twice_is_no_agent_beside_itself(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak(choosing_for_two("music", "music"))
    found = await route(hass, TWO)
    assert found["agentId"] == "music-agent"
    assert "additionalAgents" not in found
    assert found["instructions"] == {"music-agent": "make it cosy, give me a break"}


async def test_a_further_agent_that_does_not_exist_is_shown_to_the_model(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(
        writing(
            '{"agentId":"general","additionalAgents":["garden"]}',
            '{"agentId":"general","additionalAgents":["music"]}',
        )
    )
    found = await route(hass, TWO)
    assert (found["agentId"], found["additionalAgents"]) == ("general-agent", ["music-agent"])
    _, again = routed(speaker)
    assert "garden" in again.messages[-2].content
    assert "not an agent for each request" in again.messages[-1].content


async def test_the_model_reads_the_task_first_and_what_the_user_said_last(speak: Setup) -> None:
    speaker = await speak(choosing("general"))
    await speaker.say(SAID)
    [ask] = routed(speaker)
    assert ask.messages[0].role == "system"
    assert "- light: " in ask.messages[0].content
    assert ask.messages[-1] == Message("user", SAID)
    assert SAID not in "".join(message.content for message in ask.messages[:-1])


@pytest.mark.parametrize(
    ("left_out", "gone", "stays"),
    [
        ("include_agent_capabilities", " Can: ", "assistant"),
        ("include_skill_examples", "assistant", " Can: "),
    ],
)
async def test_the_catalog_has_what_its_owner_wants_in_it(
    speak: Setup, left_out: str, gone: str, stays: str
) -> None:
    for wanted in (True, False):
        speaker = await speak(choosing("general"), router={left_out: wanted})
        await speaker.say(SAID)
        [ask] = routed(speaker)
        asked = "\n".join(f"{message.role} {message.content}" for message in ask.messages)
        assert (gone in asked) is wanted
        assert stays in asked


async def test_no_name_of_the_home_is_in_what_stands_before_the_request(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"))
    await speaker.say("turn on the floor lamp")
    await speaker.say(SAID)
    [ask] = routed(speaker)
    before = "\n".join(message.content for message in ask.messages[:-1])
    names = {
        state.name
        for state in hass.states.async_all()
        if state.domain in {"light", "media_player", "climate", "cover", "switch"}
    }
    assert "Floor Lamp" in names
    assert not [name for name in names if name in before]
    rooms = {area.name for area in ar.async_get(hass).async_list_areas()}
    assert "Living Room" in rooms
    assert not [room for room in rooms if room in before]


@in_one_house("written", ["1.01", "-0.1", '"sure"', "[]"])
async def test_a_confidence_that_is_none_is_asked_for_again(
    hass: HomeAssistant, speak: Setup, written: str
) -> None:
    wrong = f'{{"agentId":"general","confidence":{written}}}'
    speaker = await speak(writing(wrong, '{"agentId":"general","confidence":0.9}'))
    assert (await speaker.say(SAID)).reply == "Hello."
    assert len(routed(speaker)) == 2
    speaker = await speak(writing(wrong), router={"max_attempts": 2})
    await speaker.say(SAID)
    assert len(routed(speaker)) == 2
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    assert agent["id"] == "fallback-agent"


async def test_a_model_that_fails_leaves_its_cause_in_the_decision_and_the_log(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(choosing("general"))
    assert speaker.server
    await speaker.server.suffer(Fault.of_status(503))
    found = await route(hass, SAID)
    cause = "The model server failed. (status 503)"
    assert (found["agentId"], found["confidence"], found["reasoning"]) == (
        "fallback-agent",
        0.0,
        cause,
    )
    assert f"The router's model gave no choice: {cause}" in caplog.text


async def test_the_schema_that_is_sent_has_the_contracts_fields_and_types(speak: Setup) -> None:
    speaker = await speak(
        choosing_for_two("general-agent", "music-agent"), router={"user_prompt_template": TEMPLATE}
    )
    assert speaker.model
    # A server that tells nothing of its tokens is asked for a number from the second time on.
    speaker.model.refuses = frozenset({"logprobs", "top_logprobs"})
    for _ in range(2):
        await speaker.say(TWO)
    schema = routed(speaker)[-1].schema
    assert schema
    names: dict[str, Any] = properties(routed(speaker)[-1])["agentId"]
    assert names["type"] == "string"
    assert {"light-agent", "music-agent", "general-agent"} <= {*names["enum"]}
    assert schema == {
        "type": "object",
        "properties": {
            "agentId": names,
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "reasoning": {"type": "string", "maxLength": 300},
            "additionalAgents": {"type": "array", "items": names, "minItems": 1, "maxItems": 1},
            # Where nothing can be measured, each further agent has a confidence of its own.
            "additionalConfidences": {
                "type": "array",
                "items": {"type": "number", "minimum": 0, "maximum": 1},
                "minItems": 1,
                "maxItems": 1,
            },
        },
        "required": [
            "agentId",
            "confidence",
            "reasoning",
            "additionalAgents",
            "additionalConfidences",
        ],
        "additionalProperties": False,
    }


async def test_each_further_agent_has_a_confidence_of_its_own(request_for: RequestFor) -> None:
    written = {
        "agentId": "light",
        "confidence": 0.9,
        "additionalAgents": ["music", "general"],
        "additionalConfidences": [0.4, 0.8],
    }
    requests = ["make it cosy", "give me a break", "what do you think"]
    request = request_for(TWO, model=Writer(json.dumps(written)))
    routed = await ModelRouter().async_route(request, [RoutedPart(text) for text in requests])
    parts = [part.assignment for part in routed if part.assignment]
    # What the model was not sure of is asked; the others go to whom it named.
    assert [(part.agent_id, part.confidence) for part in parts] == [
        ("light-agent", 0.9),
        ("clarification-agent", 0.4),
        ("general-agent", 0.8),
    ]


async def test_the_reason_of_a_choice_is_the_models_where_it_gave_one(
    request_for: RequestFor,
) -> None:
    written = {"agentId": "light-agent", "confidence": 0.5, "reasoning": "It says cosy."}
    options = RouterOptions(system_prompt="Pick.", confidence_threshold=0.0)
    request = request_for("make it cosy", model=Writer(json.dumps(written)), options=options)
    [part] = await ModelRouter().async_route(request, [RoutedPart("make it cosy")])
    assert part.assignment
    assert part.assignment.reason == "It says cosy."
    unsure = replace(request, options=RouterOptions(system_prompt="Pick."))
    [part] = await ModelRouter().async_route(unsure, [RoutedPart("make it cosy")])
    assert part.assignment
    assert part.assignment.reason == "Too uncertain that light-agent is meant. It says cosy."
