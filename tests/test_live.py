"""The real small model behind a real llama-server routes and acts."""

import os
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Speaker
from tests.dialogues import DIALOGUES
from tests.evaluation import setup_agent
from tests.sentences import SENTENCES
from tests.servers import RunningServer, Upstream, ollama_app
from tests.test_dialogues import wrongs_in
from tests.test_sentences import wrongs
from tests.test_services import route

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif("BELLBOARD_LLM_URL" not in os.environ, reason="needs a model server"),
]

# A model that has just been started takes its time.
PATIENT = {"timeout": 120}


@pytest.fixture
async def speaker(hass: HomeAssistant, house: ConfigEntry) -> Speaker:
    """Return someone who talks to an assistant with the real model."""
    options = {"provider": "openai", "url": os.environ["BELLBOARD_LLM_URL"]}
    return Speaker(hass, await setup_agent(hass, {**options, "assistant": PATIENT}))


def last_trace(hass: HomeAssistant) -> dict[str, Any]:
    """Return the trace of the last turn."""
    (entry,) = hass.config_entries.async_entries("bellboard")
    (assistant,) = entry.runtime_data.assistants.values()
    trace: dict[str, Any] = list(assistant.traces)[-1].as_json()
    return trace


async def test_the_real_model_plans_and_the_home_acts(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    said = await speaker.say("make it a snug 22 degrees in the bedroom")
    assert list(said.changes) == ["climate.bedroom_thermostat"]
    state = hass.states.get("climate.bedroom_thermostat")
    assert state
    assert state.attributes["temperature"] == 22
    assert last_trace(hass)["llm"]["calls"] == 1


async def test_the_real_model_routes_with_a_measured_confidence(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    await speaker.say("I feel like hearing something by the Copper Owls")
    trace = last_trace(hass)
    (agent,) = trace["agents"]
    assert agent["source"] == "model"
    assert 0 < agent["confidence"] < 1


@pytest.mark.usefixtures("speaker")
@pytest.mark.parametrize(
    ("text", "agent"),
    [
        # Words of two agents are in these, so that the model has to choose.
        ("the lamp seems oddly warm", "light-agent"),
        ("a warm song by Adele", "music-agent"),
        ("22 degrees and no brighter", "climate-agent"),
        # Nobody's are in these.
        ("somebody left the garage wide open", "home-agent"),
        ("who was Mozart", "general-agent"),
    ],
)
async def test_the_real_model_chooses_the_right_agent_and_is_sure(
    hass: HomeAssistant, text: str, agent: str
) -> None:
    found = await route(hass, text)
    assert (found["agentId"], found["source"]) == (agent, "model")
    assert found["confidence"] >= 0.7


async def test_the_servers_cache_serves_most_of_the_second_prompt(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    await speaker.say("I feel like hearing something by the Copper Owls")
    # Only the decision: what another agent asks afterwards is another prompt.
    found = await route(hass, "my guests would like a little more brilliance")
    assert found["source"] in {"model", "clarification"}
    assert found["cachedTokens"] / found["promptTokens"] > 0.85


async def test_two_requests_touch_nothing_but_what_they_name(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    said = await speaker.say(SENTENCES[1].text)
    allowed = {"climate.bedroom_thermostat", "media_player.living_room_speaker"}
    assert not said.changes.keys() - allowed


async def test_the_real_model_serves_through_ollamas_protocol(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    upstream = Upstream(os.environ["BELLBOARD_LLM_URL"])
    async with RunningServer(ollama_app, upstream) as server:
        options = {"provider": "ollama", "url": server.url, "assistant": PATIENT}
        speaker = Speaker(hass, await setup_agent(hass, options))
        said = await speaker.say("make it a snug 22 degrees in the bedroom")
        assert list(said.changes) == ["climate.bedroom_thermostat"]
        assert last_trace(hass)["llm"]["calls"] >= 1
        found = await route(hass, "who was Mozart")
        assert (found["agentId"], found["source"]) == ("general-agent", "model")
        assert found["confidence"] >= 0.7


async def test_ten_sentences_are_counted(
    hass: HomeAssistant, house: ConfigEntry, speaker: Speaker, request: pytest.FixtureRequest
) -> None:
    """How many end right is told, not asserted: the model is small. No sentence may fail badly."""
    right = []
    terminal = request.config.get_terminal_writer()
    for sentence in SENTENCES:
        speaker.conversation_id = None
        # Each sentence meets the house as it was at first.
        await hass.config_entries.async_reload(house.entry_id)
        await hass.async_block_till_done()
        said = await speaker.say(sentence.text, language=sentence.language)
        found = wrongs(hass, sentence, said)
        right.append(not found)
        verdict = "WRONG" if found else "right"
        terminal.line(f"\n{verdict}: {sentence.text} -> {said.reply} {found or ''}")
    terminal.line(f"{sum(right)} of {len(right)} sentences end right")
    assert right[0], "what needs no model must be right"


async def test_at_least_29_of_30_dialogues_end_right(
    hass: HomeAssistant, house: ConfigEntry, speaker: Speaker, request: pytest.FixtureRequest
) -> None:
    right = []
    terminal = request.config.get_terminal_writer()
    for dialogue in DIALOGUES:
        # Each dialogue meets the house as it was at first.
        await hass.config_entries.async_reload(house.entry_id)
        await hass.async_block_till_done()
        found = await wrongs_in(speaker, dialogue)
        right.append(not found)
        terminal.line(f"\n{'WRONG' if found else 'right'}: {dialogue.title} {found or ''}")
    terminal.line(f"{sum(right)} of {len(right)} dialogues end right")
    assert sum(right) >= 29
