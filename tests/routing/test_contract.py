"""A decision of the model, from what was said to what is answered, as the contract has it."""

from dataclasses import replace
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.panel.turns import part_as_json
from custom_components.bellboard.routing.guard import GuardRouter
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Route
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


async def test_the_catalog_is_headed_as_its_owner_wants(speak: Setup) -> None:
    speaker = await speak(choosing("general"), router={"agent_catalog_header": "Whom to call:"})
    await speaker.say(SAID)
    [ask] = routed(speaker)
    assert "Whom to call:\n- light: " in ask.messages[0].content


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


CONTRACT = {"default_prompts": "contract"}
OWN = RouterOptions(default_prompts="contract")
SUPPER = "I long for a candlelit supper with some blues"


@pytest.mark.parametrize("contract", ["small", "capable"])
async def test_the_model_says_who_is_needed_beside_the_first_agent(
    hass: HomeAssistant, speak: Setup, contract: str
) -> None:
    answer = choosing("light-agent", confidence=0.9, additionalAgents=["music-agent"])
    speaker = await speak(answer, contract=contract, router=CONTRACT)
    found = await route(hass, SUPPER)
    assert (found["agentId"], found["additionalAgents"]) == ("light-agent", ["music-agent"])
    assert found["instructions"] == {"light-agent": SUPPER, "music-agent": SUPPER}
    [ask] = routed(speaker)
    names = properties(ask)["agentId"]["enum"]
    assert properties(ask)["additionalAgents"] == {
        "type": "array",
        "items": {"type": "string", "enum": names},
        "minItems": 0,
        "maxItems": len(names) - 1,
        "description": "Optional additional agents for multi-agent coordination",
    }
    # A small model would fill a list that it must write.
    assert ask.schema
    assert ("additionalAgents" in ask.schema["required"]) is (contract == "capable")
    assert {"agentId", "confidence"} <= {*ask.schema["required"]}


async def test_who_has_nothing_to_do_in_what_all_are_told_says_nothing(
    hass: HomeAssistant, speak: Setup
) -> None:
    choose = choosing("light-agent", confidence=0.9, additionalAgents=["music-agent"])

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        if schema and "agentId" not in schema["properties"] and "pause" in json.dumps(schema):
            return {"actions": [{"action": "nothing"}]}
        return choose(messages, schema)

    speaker = await speak(answer, router=CONTRACT)
    said = await speaker.say("I could do with the kitchen counter", area="Kitchen")
    assert said.reply == "Kitchen Counter was on already."
    assert [agent["id"] for agent in traces(hass)[-1].agents] == ["light-agent", "music-agent"]


async def test_each_is_told_its_own_where_the_words_tell(hass: HomeAssistant, speak: Setup) -> None:
    answer = choosing("light-agent", confidence=0.9, additionalAgents=["music-agent"])
    await speak(answer, router=CONTRACT)
    found = await route(hass, "I fancy the lamps and some jazz")
    assert found["instructions"] == {"light-agent": "I fancy the lamps", "music-agent": "some jazz"}


@pytest.mark.parametrize(
    ("written", "others"),
    [
        ([], None),
        (["light-agent"], None),
        (["garden-agent"], None),
        (["garden-agent", "music-agent", "music-agent", "light-agent"], ["music-agent"]),
        (["climate-agent", "music-agent"], ["climate-agent", "music-agent"]),
    ],
)
async def test_who_is_added_is_known_and_another_and_named_once(
    request_for: RequestFor, written: list[str], others: list[str] | None
) -> None:
    text = json.dumps({"agentId": "light-agent", "confidence": 0.9, "additionalAgents": written})
    request = request_for(SUPPER, model=Writer(text), options=OWN)
    parts = await ModelRouter().async_route(request, [RoutedPart(SUPPER)])
    choice = Route(tuple(part.assignment for part in parts if part.assignment)).choice
    assert (choice.agent_id, choice.additional_agents) == ("light-agent", others)


async def test_who_is_added_may_be_the_agent_for_what_is_uncertain(request_for: RequestFor) -> None:
    written = {
        "agentId": "light-agent",
        "confidence": 0.9,
        "additionalAgents": ["music-agent", "general-agent"],
    }
    for uncertain in ("clarification-agent", "music-agent", "light-agent"):
        options = OWN.model_copy(update={"clarification_agent_id": uncertain})
        request = request_for(SUPPER, model=Writer(json.dumps(written)), options=options)
        parts = await ModelRouter().async_route(request, [RoutedPart(SUPPER)])
        choice = Route(tuple(part.assignment for part in parts if part.assignment)).choice
        assert choice.agent_id == "light-agent"
        assert choice.additional_agents == ["music-agent", "general-agent"]


async def test_of_several_requests_each_is_assigned_before_anybody_is_added(
    request_for: RequestFor,
) -> None:
    written = {
        "agentId": "light-agent",
        "confidence": 0.9,
        "additionalAgents": ["general-agent", "music-agent"],
    }
    model = Writer(json.dumps(written))
    request = request_for(TWO, model=model, options=OWN)
    parts = await ModelRouter().async_route(
        request, [RoutedPart("make it cosy"), RoutedPart("give me a break")]
    )
    assert [(part.assignment.agent_id, part.text) for part in parts if part.assignment] == [
        ("light-agent", "make it cosy"),
        ("general-agent", "give me a break"),
        ("music-agent", "make it cosy, give me a break"),
    ]
    assert model.options["schema"]["properties"]["additionalAgents"]["minItems"] == 1


@pytest.mark.parametrize(
    ("written", "agent", "measure"),
    [(0.3, "clarification-agent", "written"), (0.8, "light-agent", "written")],
)
async def test_with_its_prompts_the_lower_of_two_confidences_counts(
    hass: HomeAssistant, speak: Setup, written: float, agent: str, measure: str
) -> None:
    speaker = await speak(choosing("light-agent", confidence=written), router=CONTRACT)
    assert speaker.model
    speaker.model.beliefs = {"light-agent": 0.99, "music-agent": 0.01}
    await speaker.say("I could do with the kitchen counter")
    trace = traces(hass)[-1]
    payload = classified(trace)
    assert (payload["agentId"], payload["confidence"]) == (agent, written)
    assert payload["measure"] == measure
    assert payload["confidences"]["written"] == written
    assert payload["confidences"]["measured"] > 0.95
    assert part_as_json(trace.parts[0])["confidences"] == payload["confidences"]


async def test_a_low_probability_counts_though_the_model_writes_a_high_number(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("light-agent", confidence=0.95), router=CONTRACT)
    assert speaker.model
    speaker.model.beliefs = {"light-agent": 0.55, "music-agent": 0.45}
    await speaker.say("I could do with the kitchen counter")
    payload = classified(traces(hass)[-1])
    assert (payload["agentId"], payload["measure"]) == ("clarification-agent", "measured")
    assert payload["confidences"]["written"] == 0.95


@pytest.mark.parametrize("text", ["don't do magic with the lamp", "magic when I leave the house"])
async def test_what_its_choice_cannot_say_is_not_done_now(
    request_for: RequestFor, text: str
) -> None:
    for options in (RouterOptions(), OWN):
        request = request_for(text, options=options, is_capable=True)
        [part] = await GuardRouter().async_route(request, [RoutedPart(text)])
        # Built in, the model splits the sentence and says itself what of it is not for now.
        assert (part.is_for_model, part.assignment is None) == (options is not OWN,) * 2
