"""Two connections: one routes, another is asked where it is unsure; or another routes altogether."""

from collections.abc import Awaitable, Callable
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.llm.limits import LimitedClient
from tests.conftest import Serve, Setup, Speaker
from tests.evaluation import setup_agent
from tests.servers import ScriptedModel
from tests.servers.faults import Fault

from .reading import assistant_of, choosing, classified, traces

SAID = "surprise me somehow"
SURE = {"general": 0.97, "music": 0.03}
UNSURE = {"general": 0.2, "music": 0.8}

type SetUpBoth = Callable[..., Awaitable[tuple[Speaker, ScriptedModel, ScriptedModel]]]


@pytest.fixture
def both(hass: HomeAssistant, speak: Setup, serve: Serve) -> SetUpBoth:
    """Return a function that sets up two connections, of which the first uses the second for a role."""

    async def set_up(
        role: str, first: Any, second: Any, **router: Any
    ) -> tuple[Speaker, ScriptedModel, ScriptedModel]:
        server = await serve(answer=second)
        await setup_agent(hass, {"provider": "openai", "url": server.url})
        [entry] = hass.config_entries.async_entries("bellboard")
        speaker = await speak(first, router={role: entry.entry_id, "max_attempts": 1, **router})
        assert speaker.model
        server.model.requests.clear()
        speaker.model.requests.clear()
        return speaker, speaker.model, server.model

    return set_up


def decided(hass: HomeAssistant, speaker: Speaker) -> tuple[str, str]:
    """Return who answered in the last turn and where the decision came from."""
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    return agent["id"], agent["source"]


def choices(model: ScriptedModel) -> int:
    """Return how often a model was asked who should answer."""
    return sum(1 for ask in model.requests if ask.schema and "agentId" in ask.schema["properties"])


@pytest.mark.parametrize("uncertain", ["clarification-agent", "general-agent"])
async def test_a_sure_model_does_not_escalate(
    hass: HomeAssistant, both: SetUpBoth, uncertain: str
) -> None:
    # Whoever takes what is uncertain may be chosen with certainty, too.
    speaker, first, second = await both(
        "escalation_key", choosing("general"), choosing("music"), clarification_agent_id=uncertain
    )
    first.beliefs = SURE
    assert (await speaker.say(SAID)).reply == "Hello."
    assert decided(hass, speaker) == ("general-agent", "model")
    assert (choices(first), len(second.requests)) == (1, 0)


async def test_an_unsure_model_is_overruled_by_the_second(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, first, second = await both("escalation_key", choosing("music"), choosing("general"))
    first.beliefs, second.beliefs = UNSURE, SURE
    assert (await speaker.say(SAID)).reply == "Hello."
    assert decided(hass, speaker) == ("general-agent", "escalation")
    assert (choices(first), choices(second)) == (1, 1)
    assert traces(hass, speaker.agent_id)[-1].model.calls == 3


@pytest.mark.parametrize("answer", ["I would say music.", '{"agentId":"garden"}'])
async def test_a_model_that_fails_is_replaced_by_the_second(
    hass: HomeAssistant, both: SetUpBoth, answer: str
) -> None:
    def failing(messages: Any, schema: Any) -> Any:
        return answer if schema else "Hello."

    speaker, first, second = await both("escalation_key", failing, choosing("general"))
    assert (await speaker.say(SAID)).reply == "Hello."
    assert decided(hass, speaker) == ("general-agent", "escalation")
    assert (choices(first), choices(second)) == (1, 1)


async def test_where_both_are_unsure_it_is_asked_what_was_meant(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, first, second = await both("escalation_key", choosing("music"), choosing("general"))
    first.beliefs = second.beliefs = UNSURE
    said = await speaker.say(SAID)
    assert said.result.continue_conversation
    assert said.changes == {}
    assert decided(hass, speaker) == ("clarification-agent", "escalation")
    assert (choices(first), choices(second)) == (1, 1)


async def test_an_escalation_that_fails_leaves_the_first_decision(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, first, second = await both("escalation_key", choosing("general"), choosing("music"))
    first.beliefs = UNSURE
    second.fault = Fault.of_status(500)
    said = await speaker.say(SAID)
    assert said.result.continue_conversation
    assert decided(hass, speaker) == ("clarification-agent", "model")


async def test_where_both_fail_the_first_reason_is_told(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, first, second = await both(
        "escalation_key", lambda *_: '{"agentId":"garden"}', lambda *_: "no"
    )
    await speaker.say(SAID)
    assert decided(hass, speaker) == ("fallback-agent", "fallback")
    payload = classified(traces(hass, speaker.agent_id)[-1])
    assert payload["reasoning"] == "Model suggested unknown agent 'garden'."
    assert (choices(first), choices(second)) == (1, 1)


async def test_another_connection_routes_while_the_own_one_talks(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, own, other = await both("chat_client_key", choosing("music"), choosing("general"))
    other.beliefs = SURE
    assert (await speaker.say(SAID)).reply == "Hello."
    assert decided(hass, speaker) == ("general-agent", "model")
    assert (choices(other), len(other.requests)) == (1, 1)
    assert (choices(own), len(own.requests)) == (0, 1)


async def test_another_connection_routes_while_the_own_one_plans(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, own, other = await both("chat_client_key", choosing("music"), choosing("light"))
    other.beliefs = {"light": 0.97, "music": 0.03}
    await speaker.say("I could do with the kitchen counter")
    assert decided(hass, speaker) == ("light-agent", "model")
    assert (choices(other), len(other.requests)) == (1, 1)
    [plan] = own.requests
    assert plan.schema
    assert "actions" in plan.schema["properties"]


async def test_a_tried_prompt_is_tried_on_the_model_that_routes(
    hass: HomeAssistant, both: SetUpBoth
) -> None:
    speaker, own, other = await both(
        "chat_client_key",
        choosing("music"),
        choosing("general-agent"),
        trial_share=100,
        trial_prompt="Try.\n{catalog}",
    )
    assert (await speaker.say(SAID)).reply == "Hello."
    assert (choices(own), choices(other)) == (0, 1)


@pytest.mark.parametrize("role", ["chat_client_key", "escalation_key"])
async def test_a_connection_that_is_gone_is_as_if_none_was_named(
    hass: HomeAssistant, speak: Setup, role: str
) -> None:
    speaker = await speak(choosing("general"), router={role: "gone"})
    assert (await speaker.say(SAID)).reply == "Hello."


async def test_another_integration_is_no_connection(hass: HomeAssistant, speak: Setup) -> None:
    [house] = hass.config_entries.async_entries("demo_house")
    speaker = await speak(choosing("general"), router={"chat_client_key": house.entry_id})
    assert (await speaker.say(SAID)).reply == "Hello."


async def test_the_limits_of_a_connection_are_those_of_all_that_use_it(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    server = await serve(answer=choosing("general"))
    options = {"provider": "openai", "url": server.url, "assistant": {"requests_per_minute": 60}}
    await setup_agent(hass, options)
    [entry] = hass.config_entries.async_entries("bellboard")
    speaker = await speak(choosing("general"), router={"chat_client_key": entry.entry_id})
    [other] = entry.runtime_data.assistants.values()
    shared = entry.runtime_data.shared_model
    assert isinstance(shared, LimitedClient)
    assert shared.limits is other.models.main.limits
    own = assistant_of(hass, speaker.agent_id).models.main
    assert isinstance(own, LimitedClient)
    assert own.limits is not shared.limits
    # Whoever shares a connection waits with it.
    server.model.requests.clear()
    shared.limits.bucket.hold(60)
    said = await speaker.say(SAID)
    busy = "The language model is busy. Please try again in a moment."
    assert said.reply == f"{busy} Shall I ask the general assistant?"
    assert server.model.requests == []


STEPS = "turn off whatever is on in the hallway and tell me what it was"


def deciding(*, goes_on: bool) -> Callable[..., Any]:
    """Return a model that chooses the lights first, and then that somebody tells of it, or that nobody does."""

    def answer(messages: Any, schema: Any) -> Any:
        if schema is None:
            return "It was the hallway ceiling."
        if "workflow_complete" in schema["properties"]:
            is_told = "general-agent" in messages[-1].content.partition("original")[0]
            is_done = not goes_on or is_told
            return {
                "workflow_complete": is_done,
                "reasoning": "So it is.",
                "next_agent": None if is_done else "general-agent",
                "next_instruction": None if is_done else "Say what was turned off.",
            }
        if "agentId" in schema["properties"]:
            return {"agentId": "light"}
        return {"actions": [{"action": "turn_off"}]}

    return answer


def steps(model: ScriptedModel) -> int:
    """Return how often a model was asked what comes next."""
    return sum(
        1
        for ask in model.requests
        if ask.schema and "workflow_complete" in ask.schema.get("properties", {})
    )


async def test_a_next_step_that_the_first_model_cannot_decide_is_decided_by_the_second(
    both: SetUpBoth,
) -> None:
    def failing(messages: Any, schema: Any) -> Any:
        answer = deciding(goes_on=False)(messages, schema)
        is_step = isinstance(answer, dict) and "workflow_complete" in answer
        return "perhaps" if is_step else answer

    speaker, first, second = await both("escalation_key", failing, deciding(goes_on=True))
    said = await speaker.say(STEPS)
    assert "It was the hallway ceiling." in said.reply
    assert steps(first) >= 1
    assert steps(second) >= 1


async def test_another_connection_that_routes_decides_the_next_step_too(both: SetUpBoth) -> None:
    answers = deciding(goes_on=False), deciding(goes_on=True)
    speaker, own, other = await both("chat_client_key", *answers)
    said = await speaker.say(STEPS)
    assert "It was the hallway ceiling." in said.reply
    assert steps(own) == 0
    assert steps(other) >= 1


async def test_a_sure_model_decides_the_next_step_alone(both: SetUpBoth) -> None:
    answers = deciding(goes_on=False), deciding(goes_on=True)
    speaker, first, second = await both("escalation_key", *answers)
    said = await speaker.say(STEPS)
    assert said.reply == "Turned off Hallway Ceiling (Mirror Light was off already)."
    assert (steps(first), steps(second)) == (1, 0)


async def test_a_trial_has_its_own_model_for_next_steps_too(speak: Setup) -> None:
    speaker = await speak(
        deciding(goes_on=False), router={"trial_share": 100, "trial_model": "tried"}
    )
    assert speaker.model
    speaker.model.names = ("test-model", "tried")
    await speaker.say(STEPS)
    asked = {
        ask.model
        for ask in speaker.model.requests
        if ask.schema and "workflow_complete" in ask.schema["properties"]
    }
    assert asked == {"tried"}
