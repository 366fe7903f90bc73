"""The router keeps to its owner's options and to the contract, asked through the front door."""

from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.routing.models import Measure, Source
from tests.conftest import Setup, Speaker
from tests.servers import Message
from tests.servers.scripted import Ask

from .conftest import RequestFor, Writer
from .reading import Choosing, assistant_of, choosing, classified, traces
from .test_llm_router import assign

# No agent's words are in it, so that what the model believes is what counts.
SAID = "surprise me somehow"
TEMPLATE = "Agents:\n{1}\nSaid: {0}"


def routed(speaker: Speaker) -> list[Ask]:
    """Return the requests that asked who should answer."""
    assert speaker.model
    return [
        ask
        for ask in speaker.model.requests
        if ask.schema and "agentId" in ask.schema["properties"]
    ]


def writing(*texts: str) -> Choosing:
    """Return the answers of a model that writes these texts for choices, then the last for ever."""
    left = list(texts)

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        if schema is None:
            return "Hello."
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


@pytest.mark.parametrize("attempts", [1, 2, 4])
async def test_what_is_malformed_is_shown_as_often_as_allowed(
    hass: HomeAssistant, speak: Setup, attempts: int
) -> None:
    speaker = await speak(writing("Light, I think."), router={"max_attempts": attempts})
    said = await speaker.say(SAID)
    asked = routed(speaker)
    assert len(asked) == attempts
    for again in asked[1:]:
        assert again.messages[-2] == ("assistant", "Light, I think.")
        assert "not a JSON object" in again.messages[-1].content
        assert "Choose again" in again.messages[-1].content
    payload = classified(traces(hass)[-1])
    assert (payload["agentId"], payload["confidence"]) == ("fallback-agent", 0.0)
    assert said.changes == {}


async def test_an_answer_that_fits_at_last_is_taken(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(writing("{}", '{"agentId":"general"}'), router={"max_attempts": 2})
    assert (await speaker.say(SAID)).reply == "Hello."
    assert len(routed(speaker)) == 2


@pytest.mark.parametrize(
    ("temperature", "max_tokens"), [(0.85, 77), (None, None)], ids=["chosen", "left to the server"]
)
async def test_temperature_and_output_tokens_are_sent(
    speak: Setup, temperature: float | None, max_tokens: int | None
) -> None:
    router = {"temperature": temperature, "max_output_tokens": max_tokens}
    speaker = await speak(choosing("general"), router=router)
    await speaker.say(SAID)
    [ask] = routed(speaker)
    assert (ask.temperature, ask.max_tokens) == (temperature, max_tokens)


async def test_an_agent_that_does_not_exist_is_given_up_at_once(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(writing('{"agentId":"garden"}'), router={"max_attempts": 5})
    await speaker.say(SAID)
    assert len(routed(speaker)) == 1
    payload = classified(traces(hass)[-1])
    assert payload["agentId"] == "fallback-agent"
    assert payload["reasoning"] == "Model suggested unknown agent 'garden'."
    assert traces(hass)[-1].agents[0]["source"] == "fallback"


async def test_without_agents_the_reason_is_the_contracts(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"))
    registry = assistant_of(hass).registry
    for agent in list(registry):
        if agent.card.id not in {"fallback-agent", "clarification-agent"}:
            registry.deregister(agent.card.id)
    await speaker.say(SAID)
    assert routed(speaker) == []
    payload = classified(traces(hass)[-1])
    assert payload["agentId"] == "fallback-agent"
    assert payload["reasoning"] == "No registered agents available for routing."


@pytest.mark.parametrize("said", [SAID, "turn on the floor lamp", "play jazz and turn on the tv"])
async def test_where_rules_bar_everybody_the_reason_is_the_contracts(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture, said: str
) -> None:
    agents = ["light-agent", "music-agent", "climate-agent", "home-agent", "general-agent"]
    rule = {"agents": agents, "share": 0}
    speaker = await speak(choosing("general"), scope={"rules": [rule]})
    answered = await speaker.say(said)
    assert (answered.reply, answered.changes) == ("I can't do that here.", {})
    assert routed(speaker) == []
    payload = classified(traces(hass)[-1])
    assert (payload["agentId"], payload["source"]) == ("fallback-agent", "fallback")
    assert payload["reasoning"] == "No registered agents available for routing."
    events = [record.__dict__.get("event_id") for record in caplog.records]
    assert events.count(1003) == 1


@pytest.mark.parametrize(
    ("written", "threshold", "agent"),
    [
        ("0.7", 0.7, "general-agent"),
        ("0.71", 0.7, "general-agent"),
        ("0.69", 0.7, "clarification-agent"),
        ("0", 0.0, "general-agent"),
        ("0.99", 1.0, "clarification-agent"),
        ("1", 1.0, "general-agent"),
    ],
)
async def test_the_threshold_itself_is_sure_enough(
    request_for: RequestFor, written: str, threshold: float, agent: str
) -> None:
    request = request_for("x", model=Writer(f'{{"agentId":"general","confidence":{written}}}'))
    options = request.options.model_copy(update={"confidence_threshold": threshold})
    [found] = await assign(replace(request, options=options), SAID)
    assert found.agent_id == agent
    assert found.confidence == float(written)
    assert found.measure is Measure.WRITTEN


async def test_whom_to_ask_back_and_in_which_words_is_the_owners(
    hass: HomeAssistant, speak: Setup
) -> None:
    router = {"clarification_prompt_template": "Is '{request}' for {agent}?"}
    speaker = await speak(choosing("light"), router=router)
    assert speaker.model
    speaker.model.beliefs = {"light": 0.5, "music": 0.5}
    said = await speaker.say(SAID)
    assert said.reply == f"Is '{SAID}' for light-agent? Shall I ask the general assistant?"
    assert said.result.continue_conversation
    assert said.changes == {}


async def test_another_agent_may_take_what_is_uncertain(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("light"), router={"clarification_agent_id": "general-agent"})
    assert speaker.model
    speaker.model.beliefs = {"light": 0.5, "music": 0.5}
    assert (await speaker.say(SAID)).reply == "Hello."
    assert traces(hass)[-1].agents[0]["id"] == "general-agent"


@pytest.mark.parametrize(
    ("beliefs", "event_id", "reply"),
    [
        ({"general": 0.97, "music": 0.03}, 1001, "Hello."),
        ({"light": 0.5, "music": 0.5}, 1002, "Let's leave it. Nothing was changed."),
    ],
)
async def test_a_sure_choice_of_the_agent_for_what_is_uncertain_is_no_clarification(
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
    beliefs: dict[str, float],
    event_id: int,
    reply: str,
) -> None:
    caplog.set_level("INFO")
    speaker = await speak(
        writing("{nonsense", f'{{"agentId":"{next(iter(beliefs))}"}}'),
        router={"clarification_agent_id": "general-agent", "max_attempts": 1},
        memory={"max_clarifications": 1},
    )
    assert (await speaker.say(SAID)).result.continue_conversation
    assert speaker.model
    speaker.model.beliefs = beliefs
    # It was asked as often as it may be: only what is sure goes on.
    assert (await speaker.say(SAID)).reply == reply
    events = [record.__dict__.get("event_id") for record in caplog.records]
    assert [event for event in events if event in {1001, 1002}] == [event_id]


async def test_why_nobody_was_found_is_said_in_the_owners_words(speak: Setup) -> None:
    router = {"fallback_reason_template": "'{1}' failed: {0}", "max_attempts": 1}
    speaker = await speak(writing('{"agentId":"garden"}'), router=router)
    said = await speaker.say(SAID)
    reason = "Model suggested unknown agent 'garden'."
    assert said.reply == f"'{SAID}' failed: {reason} Shall I ask the general assistant?"


async def test_another_agent_may_take_what_nobody_was_found_for(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(
        writing('{"agentId":"garden"}'), router={"fallback_agent_id": "general-agent"}
    )
    assert (await speaker.say(SAID)).reply == "Hello."
    [agent] = traces(hass)[-1].agents
    assert (agent["id"], agent["source"]) == ("general-agent", "fallback")


async def test_who_is_chosen_with_too_little_certainty_is_asked_back_also_if_it_is_the_fallback(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"), router={"fallback_agent_id": "general-agent"})
    assert speaker.model
    speaker.model.beliefs = {"general": 0.2, "music": 0.8}
    await speaker.say(SAID)
    assert traces(hass)[-1].agents[0]["id"] == "clarification-agent"


@pytest.mark.parametrize(
    "text",
    [
        '{"agentId":"general-agent","confidence":"0.9"}',
        '{"AgentId":"General","Confidence":0.9,"Reasoning":"talk"}',
        '{"AGENT_ID":"GENERAL-AGENT","confidence":0.9,"additionalAgents":null}',
        '{"agent_id":" general ","confidence":0.9,"additional_agents":["general","garden"]}',
    ],
)
async def test_any_spelling_of_the_contracts_answer_is_read(
    request_for: RequestFor, text: str
) -> None:
    [found] = await assign(request_for("x", model=Writer(text)), SAID)
    assert (found.agent_id, found.confidence) == ("general-agent", 0.9)
    assert found.measure is Measure.WRITTEN


async def test_further_agents_are_others_that_exist(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(
        writing('{"agentId":"general","additionalAgents":["general-agent"]}'),
    )
    await speaker.say("give me a break and tell me something")
    payload = classified(traces(hass)[-1])
    assert payload["agentId"] == "general-agent"
    assert "additionalAgents" not in payload


async def test_a_server_without_logprobs_is_asked_for_a_number(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general", confidence=0.62))
    assert speaker.model
    speaker.model.refuses = frozenset({"logprobs", "top_logprobs"})
    await speaker.say(SAID)
    await speaker.say("what a day it was")
    # That there are none is seen in the first answer: the same is asked again, with a number.
    first, again, second = routed(speaker)
    assert "confidence" not in properties(first)
    assert "confidence" in properties(again)
    assert first.messages[:-1] == again.messages[:-1]
    assert again.messages[-1].content.startswith(first.messages[-1].content)
    assert "confidence" in properties(second)
    for payload in map(classified, traces(hass)):
        assert (payload["measure"], payload["confidence"]) == ("written", 0.62)
        assert payload["agentId"] == "clarification-agent"
    # The question back is not drafted by a small model.
    assert [trace.model.calls for trace in traces(hass)] == [2, 1]


async def test_what_is_measured_is_not_asked_for(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("general", confidence=0.1))
    for _ in range(2):
        await speaker.say(SAID)
    assert all("confidence" not in properties(ask) for ask in routed(speaker))
    assert [classified(trace)["measure"] for trace in traces(hass)] == ["measured"] * 2
    assert classified(traces(hass)[-1])["confidence"] > 0.9


def properties(ask: Ask) -> dict[str, Any]:
    assert ask.schema
    return dict(ask.schema["properties"])


async def test_the_likeliest_agent_is_chosen_though_another_was_written(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("music"))
    assert speaker.model
    speaker.model.beliefs = {"general": 0.95, "music": 0.05}
    assert (await speaker.say(SAID)).reply == "Hello."
    [agent] = traces(hass)[-1].agents
    assert agent["id"] == "general-agent"


@pytest.mark.parametrize(
    "router",
    [
        {"system_prompt": "Pick.\n{catalog}"},
        {"user_prompt_template": TEMPLATE},
    ],
    ids=["system prompt", "template"],
)
async def test_an_own_prompt_routes_by_whole_ids_and_gives_its_reason(
    hass: HomeAssistant, speak: Setup, router: dict[str, str]
) -> None:
    speaker = await speak(choosing("general-agent", reasoning="Just talk."), router=router)
    assert (await speaker.say(SAID)).reply == "Hello."
    [ask] = routed(speaker)
    assert "general-agent" in properties(ask)["agentId"]["enum"]
    assert "\n\n- light-agent: " in "".join(message.content for message in ask.messages)
    payload = classified(traces(hass)[-1])
    assert (payload["agentId"], payload["reasoning"]) == ("general-agent", "Just talk.")
    assert payload["measure"] == "measured"


async def test_the_source_of_a_models_choice_is_the_model(
    request_for: RequestFor,
) -> None:
    [found] = await assign(request_for("x", model=Writer('{"agentId":"general"}')), SAID)
    assert found.source is Source.MODEL
