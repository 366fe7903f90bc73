"""How long each agent took and how it went is kept and measured, unless its owner does not want that."""

import json
from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.bellboard.diagnostics import async_get_config_entry_diagnostics
from tests.conftest import Setup
from tests.routing.reading import assistant_of, traces
from tests.servers import Fault

from .conftest import Collector

TALK = "surprise me with the xylophone"
COMMAND = "dim the reading lamp elegantly"
TWO = "turn on the floor lamp and mute the kitchen speaker"


def answer(_messages: Any, schema: dict[str, Any] | None) -> Any:
    """Choose talk, turn on what is meant, and say something."""
    if schema is None:
        return "Hello."
    if "agentId" in schema["properties"]:
        return {"agentId": "general"}
    return {"actions": [{"action": "turn_on"}]}


def runs(opentelemetry: Collector) -> dict[str, int]:
    """Return how often each agent ran, by how it went."""
    took = opentelemetry.points()["bellboard.agent.duration"]
    assert all(point.sum >= 0 for point in took.values())
    return {key: point.count for key, point in took.items()}


async def test_each_run_is_kept_and_measured(
    hass: HomeAssistant, speak: Setup, opentelemetry: Collector
) -> None:
    speaker = await speak(answer, dispatch={"max_retries": 0})
    await speaker.say(TALK)
    await speaker.say(TWO)
    assert speaker.server
    await speaker.server.suffer(Fault.of_status(500))
    await speaker.say(COMMAND)
    kept = [[(ran["id"], ran["success"]) for ran in trace.agents] for trace in traces(hass)]
    assert kept == [
        [("general-agent", True)],
        [("light-agent", True), ("music-agent", True)],
        [("light-agent", False)],
    ]
    assert runs(opentelemetry) == {
        "agent.id=general-agent,agent.success=True": 1,
        "agent.id=light-agent,agent.success=True": 1,
        "agent.id=music-agent,agent.success=True": 1,
        "agent.id=light-agent,agent.success=False": 1,
    }
    assert "xylophone" not in str(opentelemetry.reader.get_metrics_data())


async def test_the_time_is_the_agents_own(
    hass: HomeAssistant, speak: Setup, opentelemetry: Collector
) -> None:
    speaker = await speak(answer, timeout=2)
    assert speaker.server
    await speaker.say("turn on the floor lamp")
    await speaker.server.suffer(Fault.slow(0.3))
    await speaker.say(COMMAND)
    [quick], [slow] = [trace.agents for trace in traces(hass)]
    assert slow["ms"] >= 300
    took = opentelemetry.points()["bellboard.agent.duration"][
        "agent.id=light-agent,agent.success=True"
    ]
    assert (took.count, took.sum) == (2, quick["ms"] + slow["ms"])


async def test_the_answer_to_a_question_is_a_run(
    hass: HomeAssistant, speak: Setup, opentelemetry: Collector
) -> None:
    speaker = await speak()
    assert (await speaker.say("turn on the bedside lamp")).result.continue_conversation
    await speaker.say("the left one")
    assert traces(hass)[-1].agents[0]["success"]
    assert sum(runs(opentelemetry).values()) == 2


async def test_a_bug_report_tells_how_agents_did(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    (entry,) = hass.config_entries.async_entries("bellboard")
    (assistant,) = (await async_get_config_entry_diagnostics(hass, entry))["assistants"]
    [ran] = assistant["traces"][0]["agents"]
    assert ran.keys() == {"id", "confidence", "source", "success", "ms"}
    json.dumps(ran)


async def test_nothing_is_kept_or_measured_where_it_is_not_wanted(
    hass: HomeAssistant, speak: Setup, opentelemetry: Collector
) -> None:
    speaker = await speak(answer, dispatch={"enable_telemetry": False})
    assert (await speaker.say(TALK)).reply == "Hello."
    await speaker.say("turn on the floor lamp")
    for trace in traces(hass):
        assert [ran.keys() for ran in trace.agents] == [{"id", "confidence", "source"}]
    assert opentelemetry.spans.get_finished_spans() == ()
    assert opentelemetry.reader.get_metrics_data() is None
    # The sensors are a choice of their own.
    assert assistant_of(hass).statistics.decisions == 2
