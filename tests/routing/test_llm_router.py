"""Whatever the model writes, every request gets an agent that exists, and nothing is raised."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.llm import errors
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Assignment, Route, Source
from custom_components.bellboard.routing.prompt import choice_schema, routing_messages
from custom_components.bellboard.routing.router import Cascade, RoutedPart, RoutingRequest
from tests.conftest import Setup
from tests.servers import Message

from .conftest import AGENT_IDS, CARDS, RequestFor, Writer, routing_request

OPTIONS = RouterOptions()


async def assign(request: RoutingRequest, *texts: str) -> list[Assignment]:
    """Route open parts by the model alone."""
    parts = await ModelRouter().async_route(request, [RoutedPart(text) for text in texts])
    assert [part.text for part in parts] == list(texts)
    found = [part.assignment for part in parts if part.assignment]
    assert len(found) == len(texts)
    return found


async def test_the_chosen_agent_gets_the_request_word_for_word(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"light"}')
    [found] = await assign(request_for("x", model=model), "make the Küche cosy, please")
    assert (found.agent_id, found.instruction) == ("light-agent", "make the Küche cosy, please")
    assert (found.source, found.confidence) == (Source.MODEL, 1.0)
    assert model.options["schema"] == choice_schema(OPTIONS, CARDS, 1, with_confidence=False)
    assert (model.options["temperature"], model.options["max_tokens"]) == (0.3, 500)


async def test_all_open_requests_are_asked_for_at_once(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"climate","additionalAgents":["music"]}')
    taken = RoutedPart(
        "turn it on",
        Assignment(agent_id="x", instruction="y", confidence=1, source=Source.REFLEX),
    )
    request = request_for("x", model=model)
    parts = [RoutedPart("make it cosy"), taken, RoutedPart("put on a song")]
    routed = await ModelRouter().async_route(request, parts)
    assert routed[1] is taken
    assert [part.assignment.agent_id for part in routed if part.assignment] == [
        "climate-agent",
        "x",
        "music-agent",
    ]
    assert len(model.asked) == 1
    assert model.asked[0][-1].content == "1. make it cosy\n2. put on a song"


async def test_where_nothing_is_open_nobody_is_asked(request_for: RequestFor) -> None:
    model = Writer("{}")
    taken = RoutedPart(
        "a", Assignment(agent_id="x", instruction="a", confidence=1, source=Source.REFLEX)
    )
    assert await ModelRouter().async_route(request_for("a", model=model), [taken]) == [taken]
    assert model.asked == []


async def test_without_a_model_requests_stay_open(request_for: RequestFor) -> None:
    assert await ModelRouter().async_route(request_for("a"), [RoutedPart("a")]) == [RoutedPart("a")]


@pytest.mark.parametrize(
    "text",
    [
        '{"agentId":null}',
        '{"agentId":["light"]}',
        '{"agentId":{"id":"light"}}',
        '{"agent":"light"}',
        "{}",
        "[]",
        '"light"',
        "I would choose the light agent.",
        "",
    ],
)
async def test_a_choice_that_was_not_offered_is_shown_to_the_model_and_then_given_up(
    request_for: RequestFor, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = Writer(text)
    [found] = await assign(request_for("x", model=model), "the secret wish")
    assert (found.agent_id, found.source, found.confidence) == (
        "fallback-agent",
        Source.FALLBACK,
        0.0,
    )
    assert found.decline is None
    assert found.reason
    assert len(model.asked) == OPTIONS.max_attempts
    for again in model.asked[1:]:
        assert again[:-2] == model.asked[0]
        assert again[-2].role == "assistant"
        assert "Choose again" in again[-1].content
    logged = [record.getMessage() for record in caplog.records if "bellboard" in record.name]
    assert len(logged) == 1
    assert "secret wish" not in logged[0]


async def test_a_second_answer_that_fits_is_taken(request_for: RequestFor) -> None:
    model = Writer("Sure! Light.", '{"agent":"garden"}', '{"agentId":"light"}')
    [found] = await assign(request_for("x", model=model), "make it cosy")
    assert found.agent_id == "light-agent"
    assert model.asked[1][-2].content == "Sure! Light."
    assert "garden" in model.asked[2][-2].content


@pytest.mark.parametrize(
    "text",
    [
        '{"agentId":"light"}',
        '{"agentId":"light","additionalAgents":[]}',
        '{"agentId":"light","additionalAgents":["garden"]}',
    ],
)
async def test_an_agent_that_stays_missing_leaves_its_request_to_the_fallback(
    request_for: RequestFor, text: str
) -> None:
    model = Writer(text)
    found = await assign(request_for("x", model=model), "make it cosy", "put on a song")
    assert [each.agent_id for each in found] == ["light-agent", "fallback-agent"]
    assert [each.instruction for each in found] == ["make it cosy", "put on a song"]
    assert len(model.asked) == RouterOptions().max_attempts


@pytest.mark.parametrize(
    "text",
    [
        '{"agentId":"light","additionalAgents":"music"}',
        '{"agentId":"light","additionalAgents":[["music"]]}',
    ],
)
async def test_further_agents_of_another_shape_are_no_choice(
    request_for: RequestFor, text: str
) -> None:
    found = await assign(request_for("x", model=Writer(text)), "make it cosy", "put on a song")
    assert [each.agent_id for each in found] == ["fallback-agent"] * 2


async def test_an_agent_that_does_not_exist_takes_no_request_from_the_others(
    request_for: RequestFor,
) -> None:
    model = Writer('{"agentId":"light","additionalAgents":["garden","music"]}')
    found = await assign(request_for("x", model=model), "make it cosy", "put on a song")
    assert [each.agent_id for each in found] == ["light-agent", "music-agent"]


async def test_whatever_a_client_raises_the_router_has_an_answer(
    request_for: RequestFor, caplog: pytest.LogCaptureFixture
) -> None:
    [found] = await assign(request_for("x", model=Writer(RuntimeError("secret"))), "make it cosy")
    assert (found.agent_id, found.reason) == (
        "fallback-agent",
        "ExecutionFailed in routing: RuntimeError",
    )
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


async def test_more_agents_than_requests_are_not_invented(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"light","additionalAgents":["music","climate"]}')
    [found] = await assign(request_for("x", model=model), "make it cosy")
    assert found.agent_id == "light-agent"


@pytest.mark.parametrize(
    "error",
    [errors.UnreachableError(), errors.ModelTimeoutError(), errors.ServerFailedError(500)],
    ids=lambda error: type(error).__name__,
)
async def test_a_model_that_cannot_be_asked_is_named_as_the_cause(
    request_for: RequestFor, error: errors.ModelError
) -> None:
    model = Writer(error)
    [found] = await assign(request_for("x", model=model), "make it cosy")
    assert (found.agent_id, found.decline) == ("fallback-agent", f"model.{error.kind}")
    assert found.reason == str(error)
    assert len(model.asked) == 1


async def test_without_agents_nobody_is_asked(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"light"}')
    request = request_for("x", model=model, cards=[])
    assert await ModelRouter().async_route(request, [RoutedPart("a")]) == [RoutedPart("a")]
    assert model.asked == []


async def test_a_question_is_never_given_to_an_agent_that_acts(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"light"}')
    [found] = await assign(request_for("x", model=model), "is the floor lamp any good")
    assert found.agent_id == "home-agent"
    assert len(model.asked) == 1
    assert model.options["schema"]["properties"]["agentId"]["enum"] == ["home", "general"]


async def test_a_question_among_requests_is_only_answered(request_for: RequestFor) -> None:
    model = Writer('{"agentId":"light","additionalAgents":["light"]}')
    found = await assign(request_for("x", model=model), "make it cosy", "is the lamp any good")
    assert [each.agent_id for each in found] == ["light-agent", "home-agent"]


WRITTEN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["light", "music", "light-agent", "fallback"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["agentId", "additionalAgents"]) | st.text(), inner)
    ),
    max_leaves=6,
)
CHOICE = st.fixed_dictionaries(
    {}, optional={"agentId": WRITTEN, "additionalAgents": st.lists(WRITTEN, max_size=3) | WRITTEN}
)
OUTPUT = (
    st.binary(max_size=40).map(lambda raw: raw.decode(errors="replace"))
    | (CHOICE | WRITTEN).map(json.dumps)
    | CHOICE.map(lambda data: f"```json\n{json.dumps(data)}\n```")
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(outputs=st.lists(OUTPUT, min_size=1, max_size=3), sentences=st.integers(1, 3))
async def test_any_output_gives_a_valid_route(
    english: Language, outputs: list[str], sentences: int
) -> None:
    request = routing_request("make it cosy", english, model=Writer(*outputs))
    texts = ["make it cosy", "put on a song", "close up"][:sentences]
    assignments = await assign(request, *texts)
    for assignment, text in zip(assignments, texts, strict=True):
        assert assignment.agent_id in {*AGENT_IDS, "fallback-agent", "clarification-agent"}
        assert assignment.instruction == text
        assert 0 <= assignment.confidence <= 1
    choice = Route(tuple(assignments)).choice
    json.dumps(choice.as_json())
    assert choice.agent_id not in (choice.additional_agents or [])


def test_the_prompt_begins_the_same_for_every_sentence() -> None:
    one, other = (
        routing_messages(OPTIONS, CARDS, [text]) for text in ("make it cosy", "gute Nacht")
    )
    assert one[:-1] == other[:-1]
    assert (one[-1].content, other[-1].content) == ("make it cosy", "gute Nacht")
    several = routing_messages(OPTIONS, CARDS, ["make it cosy", "gute Nacht"])
    assert several[:-1] == one[:-1]


async def test_turns_send_the_same_bytes_before_what_varies(speak: Setup) -> None:
    speaker = await speak(lambda _messages, schema: {"agentId": "general"} if schema else "Hm.")
    await speaker.say("surprise me somehow")
    await speaker.say("what a day it was", area="Kitchen")
    assert speaker.model
    asked = [request for request in speaker.model.requests if request.schema]
    assert len(asked) == 2
    bodies = [json.dumps(request.body["messages"][:-1]) for request in asked]
    assert bodies[0] == bodies[1]


def test_the_prompt_names_agents_and_no_devices() -> None:
    text = " ".join(
        message.content for message in routing_messages(OPTIONS, CARDS, ["make it cosy"])
    )
    for card in CARDS:
        assert card.description in text
    assert "Floor Lamp" not in text


@pytest.mark.parametrize("requests", [1, 2, 4])
def test_the_schema_has_an_agent_for_each_request_and_no_more(requests: int) -> None:
    schema = choice_schema(OPTIONS, CARDS, requests, with_confidence=False)
    names = ["light", "music", "climate", "home", "general"]
    assert schema["properties"]["agentId"] == {"type": "string", "enum": names}
    more = schema["properties"].get("additionalAgents")
    if requests == 1:
        assert more is None
    else:
        assert (more["minItems"], more["maxItems"]) == (requests - 1, requests - 1)
        assert more["items"]["enum"] == names
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False


def choosing(label: str) -> Any:
    """Return the answers of a model that chooses one agent, and turns on what is meant."""

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        if schema is None:
            return "Hello."
        if "agentId" in schema["properties"]:
            return {"agentId": label}
        return {"actions": [{"action": "turn_on"}]}

    return answer


def sources(hass: HomeAssistant) -> list[dict[str, Any]]:
    """Return who answered in the last turn, and how sure the router was."""
    entry = hass.config_entries.async_entries("bellboard")[-1]
    [assistant] = entry.runtime_data.assistants.values()
    return list(list(assistant.traces)[-1].agents)


async def test_confidence_is_measured_in_the_tokens(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("light"))
    assert speaker.model
    speaker.model.beliefs = {"light": 0.9, "music": 0.1}
    # No agent's words are in it: what is measured is what is believed.
    said = await speaker.say("I could do with the kitchen counter")
    assert said.reply == "Kitchen Counter was on already."
    [agent] = sources(hass)
    assert agent["id"] == "light-agent"
    assert agent["confidence"] == pytest.approx(0.9, abs=0.02)


async def test_where_the_model_is_unsure_it_is_asked(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(choosing("light"))
    assert speaker.model
    speaker.model.beliefs = {"light": 0.55, "music": 0.45}
    said = await speaker.say("I could do with the kitchen counter")
    assert said.changes == {}
    assert said.calls == []
    # What the model drafts is no question, so ours is asked.
    line = "I'm not sure I understood. Could you say it another way?"
    assert said.reply == f"{line} Shall I ask the general assistant?"
    assert said.result.continue_conversation
    [agent] = sources(hass)
    assert agent["id"] == "clarification-agent"
    assert "Low confidence routing: agent 'light-agent' confidence 0.55" in caplog.text


async def test_the_threshold_is_the_assistants_own(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("light"), router={"confidence_threshold": 0.3})
    assert speaker.model
    speaker.model.beliefs = {"light": 0.55, "music": 0.45}
    said = await speaker.say("I could do with the kitchen counter")
    assert said.reply == "Kitchen Counter was on already."


class Takes:
    """A router that assigns the parts that hold a word, and notes what it was given."""

    def __init__(self, word: str, agent_id: str) -> None:
        self._word = word
        self._agent_id = agent_id
        self.given: list[list[str]] = []

    async def async_route(self, request: RoutingRequest, parts: Any) -> list[RoutedPart]:
        self.given.append([part.text for part in parts if part.assignment is None])
        return [
            RoutedPart(
                part.text,
                Assignment(
                    agent_id=self._agent_id,
                    instruction=part.text,
                    confidence=1,
                    source=Source.REFLEX,
                ),
            )
            if part.assignment is None and self._word in part.text
            else part
            for part in parts
        ]


async def test_routers_are_asked_in_order_for_what_is_still_open(request_for: RequestFor) -> None:
    first, second, third = Takes("x", "first"), Takes("lamp", "second"), Takes("lamp", "third")
    route = await Cascade([first, second, third]).async_route(request_for("lamp"))
    assert [assignment.agent_id for assignment in route.assignments] == ["second"]
    assert (first.given, second.given, third.given) == ([["lamp"]], [["lamp"]], [[]])


async def test_what_no_router_takes_goes_to_the_default_agent(request_for: RequestFor) -> None:
    route = await Cascade([Takes("x", "first")]).async_route(request_for("lamp"))
    [assignment] = route.assignments
    assert (assignment.agent_id, assignment.instruction) == ("home-agent", "lamp")
    assert (assignment.source, assignment.confidence) == (Source.DEFAULT, 0.0)
