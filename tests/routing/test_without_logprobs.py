"""A server without log-probabilities: its first decision is as honest as those that follow."""

from dataclasses import replace
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Measure, Source
from custom_components.bellboard.routing.router import RoutedPart, RoutingRequest
from tests.conftest import Serve, Speaker
from tests.evaluation import setup_agent
from tests.servers import Message, RunningServer, ScriptedModel

from .conftest import RequestFor, Writer
from .reading import Choosing, choosing, classified, traces
from .test_router_options import SAID, properties

pytestmark = pytest.mark.usefixtures("house")

WITHOUT = frozenset({"logprobs", "top_logprobs"})
PLAIN = '{"agentId":"general"}'
NUMBERED = '{"agentId":"general","confidence":0.9}'


def numbered(server: RunningServer[ScriptedModel]) -> list[bool]:
    """Return for each time it was asked who answers whether the server was asked for a number."""
    return [
        "confidence" in properties(ask)
        for ask in server.model.requests
        if ask.schema and "agentId" in ask.schema["properties"]
    ]


async def set_up(
    hass: HomeAssistant,
    server: RunningServer[ScriptedModel],
    provider: str = "openai",
    **router: Any,
) -> tuple[Speaker, ConfigEntry]:
    """Set a connection to a server up, and return someone who talks to its assistant."""
    options = {"provider": provider, "url": server.url, "assistant": {"router": router}}
    speaker = Speaker(hass, await setup_agent(hass, options))
    return speaker, hass.config_entries.async_entries("bellboard")[-1]


@pytest.mark.parametrize(
    ("confidence", "agent"), [(0.62, "clarification-agent"), (0.9, "general-agent")]
)
# One refuses to tell them, the other says nothing of it.
@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_the_first_decision_is_as_sure_as_the_model_says(
    hass: HomeAssistant, serve: Serve, *, provider: str, confidence: float, agent: str
) -> None:
    answer = choosing("general", confidence=confidence)
    server = await serve(provider, answer=answer, refuses=WITHOUT)
    speaker, _ = await set_up(hass, server, provider)
    await speaker.say(SAID)
    [trace] = traces(hass)
    payload = classified(trace)
    assert (payload["agentId"], payload["confidence"]) == (agent, confidence)
    assert payload["measure"] == "written"
    assert numbered(server) == [False, True]
    # Each is a call, and so is talking; a question is not drafted by a small model.
    assert trace.model.calls == (3 if agent == "general-agent" else 2)


async def test_it_is_learnt_once_for_a_model_of_a_server(hass: HomeAssistant, serve: Serve) -> None:
    answer = choosing("general", confidence=0.9)
    server = await serve(answer=answer, refuses=WITHOUT, names=["one", "two"])
    speaker, entry = await set_up(hass, server, trial_model="two")
    await speaker.say(SAID)
    assert await hass.config_entries.async_reload(entry.entry_id)
    await speaker.say(SAID)
    # Another assistant knows it, too.
    other, _ = await set_up(hass, server)
    await other.say(SAID)
    assert numbered(server) == [False, True, True, True]

    # Another model may be different, and so may the same one on another server.
    (subentry,) = entry.subentries.values()
    data = {**subentry.data, "router": {"trial_model": "two", "trial_share": 100}}
    hass.config_entries.async_update_subentry(entry, subentry, data=data)
    await hass.async_block_till_done()
    await speaker.say(SAID)
    assert numbered(server)[4:] == [False, True]
    elsewhere = await serve(answer=answer, refuses=WITHOUT, names=["one"])
    third, _ = await set_up(hass, elsewhere)
    await third.say(SAID)
    assert numbered(elsewhere) == [False, True]


async def test_a_second_opinion_is_as_honest_at_first(hass: HomeAssistant, serve: Serve) -> None:
    second = await serve(answer=choosing("general", confidence=0.9), refuses=WITHOUT)
    _, entry = await set_up(hass, second)
    first = await serve(answer=choosing("general", confidence=0.2), refuses=WITHOUT)
    speaker, _ = await set_up(hass, first, escalation_key=entry.entry_id)
    assert (await speaker.say(SAID)).reply == "Hello."
    [trace] = traces(hass, speaker.agent_id)
    payload = classified(trace)
    assert (payload["measure"], payload["confidence"]) == ("written", 0.9)
    assert trace.agents[0]["source"] == "escalation"
    # The same name on two servers: each was asked again once.
    assert (numbered(first), numbered(second)) == ([False, True], [False, True])
    assert trace.model.calls == 5


def failing_at(number: int) -> Choosing:
    """Return the answers of a model that writes nonsense the so-manieth time it is asked to choose."""
    choose, asked = choosing("general", confidence=0.9), 0

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        nonlocal asked
        asked += schema is not None
        return "Well." if schema and asked == number else choose(messages, schema)

    return answer


async def test_nonsense_the_second_time_is_shown_to_the_model(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(answer=failing_at(2), refuses=WITHOUT)
    speaker, _ = await set_up(hass, server)
    assert (await speaker.say(SAID)).reply == "Hello."
    assert numbered(server) == [False, True, True]
    assert classified(traces(hass)[-1])["confidence"] == 0.9


async def test_a_guess_does_not_pass_for_certainty_when_asking_again_fails(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(answer=failing_at(2), refuses=WITHOUT)
    speaker, _ = await set_up(hass, server, max_attempts=1)
    said = await speaker.say(SAID)
    assert said.reply.endswith("Shall I ask the general assistant?")
    assert classified(traces(hass)[-1])["agentId"] == "fallback-agent"


async def decide(router: ModelRouter, request: RoutingRequest) -> tuple[float, Measure]:
    """Route one open part, and return how sure that is and what it was read from."""
    [part] = await router.async_route(request, [RoutedPart(SAID)])
    assert part.assignment
    assert part.assignment.source is Source.MODEL
    return part.assignment.confidence, part.assignment.measure


async def test_a_number_written_unasked_is_enough(request_for: RequestFor) -> None:
    model, router = Writer(NUMBERED, logprobs=()), ModelRouter()
    request = request_for(SAID, model=model)
    assert await decide(router, request) == (0.9, Measure.WRITTEN)
    assert len(model.asked) == 1
    assert await decide(router, request) == (0.9, Measure.WRITTEN)
    assert "confidence" in model.options["schema"]["properties"]


async def test_a_model_that_never_writes_a_number_is_asked_again_only_once(
    request_for: RequestFor,
) -> None:
    model, router = Writer(PLAIN, logprobs=()), ModelRouter()
    request = request_for(SAID, model=model)
    for asked in (2, 3, 4):
        assert await decide(router, request) == (1.0, Measure.NONE)
        assert len(model.asked) == asked


async def test_an_answer_that_does_not_fit_is_learnt_from_too(request_for: RequestFor) -> None:
    model, router = Writer('{"agent":"garden"}', NUMBERED, logprobs=()), ModelRouter()
    assert await decide(router, request_for(SAID, model=model)) == (0.9, Measure.WRITTEN)
    assert len(model.asked) == 2
    assert "Choose again" in model.asked[1][-1].content


async def test_where_logprobs_cannot_be_read_nothing_is_asked_again(
    request_for: RequestFor,
) -> None:
    model, router = Writer(PLAIN), ModelRouter()
    request = replace(request_for(SAID, model=model), timeout=5)
    assert await decide(router, request) == (1.0, Measure.NONE)
    assert len(model.asked) == 1
    assert "confidence" not in model.options["schema"]["properties"]


async def test_who_writes_its_confidence_is_told_to_be_careful(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(answer=choosing("general", confidence=0.9), refuses=WITHOUT)
    speaker, _ = await set_up(hass, server)
    await speaker.say(SAID)
    advised = [
        "conservative with confidence" in ask.messages[-1].content
        for ask in server.model.requests
        if ask.schema and "agentId" in ask.schema["properties"]
    ]
    assert advised == numbered(server) == [False, True]
