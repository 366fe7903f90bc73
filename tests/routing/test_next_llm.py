"""A model decides what comes next; what it writes that cannot be believed sends nothing anywhere."""

from collections.abc import AsyncGenerator, Sequence
import json
import math
from typing import Any

import aiohttp
from hypothesis import given, settings, strategies as st
from jsonschema import Draft202012Validator
import pytest

from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.llm import errors
from custom_components.bellboard.llm.models import Alternative, Message, TokenLogprob
from custom_components.bellboard.llm.providers import create_client
from custom_components.bellboard.routing.next_grounding import InstructionGrounding
from custom_components.bellboard.routing.next_llm import (
    INVENTED,
    NOBODY_ELSE,
    LlmNextStep,
    decision_schema,
)
from custom_components.bellboard.routing.next_models import (
    Complete,
    Forward,
    NextStepRouter,
    RoutingDecision,
    TaskEnvelopeV2,
    UndecidedError,
)
from custom_components.bellboard.routing.next_prompt import decision_messages
from tests.routing.conftest import Writer
from tests.servers import Fault, RunningServer, ScriptedModel, ollama_app, openai_app
from tests.servers.anthropic import anthropic_app

CARDS = [
    AgentCard(id=f"{name}-agent", name=name, description=f"Does {name}.", capabilities=(name,))
    for name in ("light", "music", "general")
]
AGENTS = [card.id for card in CARDS]
QUERY = "Dim the lounge to 20 and then play jazz"
TASK = TaskEnvelopeV2.model_validate(
    {
        "conversation_id": "talk",
        "topic": "/control/agents/light-agent/input",
        "instruction": "Dim the lounge to 20",
        "version": "2.0",
        "context": {"original_query": QUERY, "steps_completed": [], "iteration_count": 0},
    }
)
MADE = {"success": True, "response": "Dimmed Floor Lamp to 20 %."}
GROUND = InstructionGrounding(names=frozenset({("lounge",), ("bedroom",), ("floor", "lamp")}))
GOES_ON: dict[str, Any] = {
    "workflow_complete": False,
    "reasoning": "Nobody played jazz yet.",
    "next_agent": "music-agent",
    "next_instruction": "Play jazz in the lounge",
}
IS_DONE: dict[str, Any] = {
    "workflow_complete": True,
    "reasoning": "All is done.",
    "next_agent": None,
    "next_instruction": None,
}


async def decide(
    model: Any, *, cards: Sequence[AgentCard] = CARDS, **options: Any
) -> RoutingDecision:
    """Return what a model decides after the lamp was dimmed."""
    router: NextStepRouter = LlmNextStep(model, **{"ground": GROUND, **options})
    return await router.async_decide_next_step(TASK, MADE, cards)


async def test_who_goes_on_gets_the_instruction_and_what_was_made() -> None:
    assert await decide(Writer(json.dumps(GOES_ON))) == Forward(
        next_agent="music-agent",
        next_instruction="Play jazz in the lounge",
        forwarded_data=MADE,
        router="llm",
        reasoning="Nobody played jazz yet.",
    )


async def test_what_is_complete_ends_with_what_was_made_last() -> None:
    assert await decide(Writer(json.dumps(IS_DONE))) == Complete(
        final_output=MADE, router="llm", reasoning="All is done."
    )


async def test_the_model_is_asked_for_a_decision_and_nothing_else() -> None:
    model = Writer(json.dumps(IS_DONE))
    await decide(model, max_iterations=7, timeout=2.5)
    assert model.asked == [decision_messages(TASK, MADE, CARDS, 7)]
    assert model.options == {
        "schema": decision_schema(AGENTS),
        "schema_name": "make_routing_decision",
        "temperature": 0.1,
        "max_tokens": 500,
        "logprobs": True,
        "timeout": 2.5,
    }


async def test_without_agents_nobody_is_asked() -> None:
    model = Writer(json.dumps(GOES_ON))
    assert await decide(model, cards=[]) == Complete(
        final_output=MADE, router="llm", reasoning=NOBODY_ELSE
    )
    assert model.asked == []


@pytest.mark.parametrize(
    "written",
    [
        "I would go on with the music agent.",
        "",
        "[]",
        "{}",
        json.dumps(GOES_ON | {"next_agent": "garden-agent"}),
        json.dumps(GOES_ON | {"next_agent": None}),
        json.dumps(GOES_ON | {"next_instruction": ""}),
        json.dumps(GOES_ON | {"next_instruction": "x" * 501}),
        json.dumps(GOES_ON)[:-3],
    ],
    ids=lambda text: text[-30:],
)
async def test_what_is_no_decision_is_shown_to_the_model_and_then_given_up(written: str) -> None:
    model = Writer(written)
    with pytest.raises(UndecidedError) as caught:
        await decide(model)
    assert str(caught.value).startswith("The model's answer cannot be used. (")
    assert "garden" not in str(caught.value)
    assert len(model.asked) == 3
    for again in model.asked[1:]:
        assert again[:-2] == model.asked[0]
        assert (again[-2].role, again[-1].role) == ("assistant", "user")
        assert again[-1].content.endswith("Decide again, only with the JSON asked for.")


async def test_a_second_answer_that_fits_is_taken() -> None:
    model = Writer(json.dumps(GOES_ON | {"next_agent": "garden-agent"}), json.dumps(GOES_ON))
    assert isinstance(await decide(model, max_attempts=2), Forward)
    assert "garden-agent" in model.asked[1][-2].content
    assert "an agent that does not exist" in model.asked[1][-1].content


@pytest.mark.parametrize(
    "error",
    [errors.UnreachableError(), errors.ModelTimeoutError(), errors.RateLimitedError(3)],
    ids=lambda error: type(error).__name__,
)
async def test_a_model_that_cannot_be_asked_is_asked_once(error: errors.ModelError) -> None:
    model = Writer(error)
    with pytest.raises(UndecidedError) as caught:
        await decide(model)
    assert str(caught.value) == str(error)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "instruction",
    ["Play jazz in the bedroom", "Play jazz at volume 70", "Turn on the bedroom radio"],
)
async def test_an_instruction_that_names_what_nobody_named_sends_nothing(instruction: str) -> None:
    written = json.dumps(GOES_ON | {"next_instruction": instruction})
    assert await decide(Writer(written)) == Complete(
        final_output=MADE, router="llm", reasoning=INVENTED, confidence=0.0
    )


async def test_what_an_agent_named_may_be_named_in_an_instruction() -> None:
    written = json.dumps(GOES_ON | {"next_instruction": "Turn off the floor lamp"})
    assert isinstance(await decide(Writer(written)), Forward)


def measured(
    data: dict[str, Any], *, complete: dict[str, float], agent: dict[str, float] | None = None
) -> tuple[TokenLogprob, ...]:
    """Cut a decision into tokens: what it could have been instead, with the probability of each."""
    text = json.dumps(data)
    literal = str(data["workflow_complete"]).lower()
    before, after = text.split(f" {literal},", 1)
    tokens = [token(before), token(f" {literal}", complete)]
    if agent:
        name = f'"{data["next_agent"]}'
        lead, rest = f",{after}".split(name, 1)
        return (*tokens, token(lead), token(name, agent), token(rest))
    return (*tokens, token(f",{after}"))


def token(text: str, instead: dict[str, float] | None = None) -> TokenLogprob:
    """Return a token with what could stand in its place; certain where nothing could."""
    shares = instead or {text: 1.0}
    return TokenLogprob(
        token=text,
        logprob=math.log(shares.get(text, 1e-9)),
        alternatives=tuple(
            Alternative(token=other, logprob=math.log(share)) for other, share in shares.items()
        ),
    )


def sure(complete: float, agent: float) -> Writer:
    """Return a model that goes on, with such probabilities for that and for who does."""
    logprobs = measured(
        GOES_ON,
        complete={" false": complete, " true": 1 - complete, " maybe": 0.001},
        agent={'"music-agent': agent, '"light-agent': 1 - agent, " null": 0.5},
    )
    return Writer(json.dumps(GOES_ON), logprobs=logprobs)


async def test_a_decision_is_as_sure_as_its_tokens_say() -> None:
    decision = await decide(sure(0.9, 0.8))
    assert isinstance(decision, Forward)
    assert decision.confidence == pytest.approx(0.72, abs=0.001)


@pytest.mark.parametrize(("complete", "agent"), [(0.6, 0.99), (0.99, 0.6), (0.8, 0.8)])
async def test_a_model_that_is_unsure_sends_nothing(complete: float, agent: float) -> None:
    decision = await decide(sure(complete, agent))
    assert isinstance(decision, Complete)
    assert decision.final_output == MADE
    assert decision.reasoning == "Too uncertain that music-agent has to go on."
    assert decision.confidence == pytest.approx(complete * agent, abs=0.01)
    assert isinstance(await decide(sure(complete, agent), confidence_threshold=0.5), Forward)


async def test_the_threshold_itself_is_sure_enough() -> None:
    decision = await decide(sure(0.9, 0.8))
    assert decision.confidence
    assert isinstance(
        await decide(sure(0.9, 0.8), confidence_threshold=decision.confidence), Forward
    )


@pytest.mark.parametrize(
    ("complete", "confidence"),
    [
        ({" true": 0.8, " false": 0.2}, 0.8),
        ({" tr": 0.3, " true": 0.3, "false": 0.2, " f": 0.2}, 0.6),
        # What could never have been written counts for nothing.
        ({" true": 0.02, " false": 0.01, " perhaps": 0.9, ' "': 0.05, " ": 0.02}, 0.6667),
        # What the server does not list is not impossible.
        ({" true": 1.0}, 0.999),
        ({" true": 0.001, " perhaps": 0.9, " so": 0.002}, 0.5263),
    ],
    ids=str,
)
async def test_an_end_is_as_sure_as_its_token_says(
    complete: dict[str, float], confidence: float
) -> None:
    model = Writer(json.dumps(IS_DONE), logprobs=measured(IS_DONE, complete=complete))
    decision = await decide(model)
    assert isinstance(decision, Complete)
    assert decision.confidence == pytest.approx(confidence, abs=0.001)


async def test_punctuation_in_the_same_token_changes_nothing() -> None:
    text = json.dumps(IS_DONE, separators=(",", ":"))
    before, after = text.split('":true,', 1)
    logprobs = (
        token(before),
        token('":true', {'":true': 0.6, '":false': 0.2, '": "': 0.05, "x": 0.05, '":': 0.1}),
        token(f",{after}"),
    )
    decision = await decide(Writer(text, logprobs=logprobs))
    assert decision.confidence == pytest.approx(0.75, abs=0.001)


@pytest.mark.parametrize(
    "logprobs",
    [
        (),
        (token("{"), token('"workflow_complete": false}')),
        (token('{"workflow_complete": true, "x": {"workflow_complete": true}}'),),
        (token("It is complete."),),
    ],
    ids=["none", "another value", "twice", "no field"],
)
async def test_what_cannot_be_measured_is_no_number(logprobs: tuple[TokenLogprob, ...]) -> None:
    decision = await decide(Writer(json.dumps(IS_DONE), logprobs=logprobs))
    assert decision == Complete(final_output=MADE, router="llm", reasoning="All is done.")


async def test_a_draft_in_the_models_thoughts_is_not_measured() -> None:
    thoughts = token('<think>{"workflow_complete": false}</think>')
    logprobs = (thoughts, *measured(IS_DONE, complete={" true": 0.7, " false": 0.3}))
    decision = await decide(Writer(json.dumps(IS_DONE), logprobs=logprobs))
    assert decision.confidence == pytest.approx(0.7, abs=0.001)
    # Nor does a reasoning that speaks of thoughts hide what stands before it.
    data = IS_DONE | {"reasoning": "It says </think> there"}
    logprobs = measured(data, complete={" true": 0.7, " false": 0.3})
    decision = await decide(Writer(json.dumps(data), logprobs=logprobs))
    assert decision.confidence == pytest.approx(0.7, abs=0.001)


async def test_probabilities_too_small_to_be_told_apart_are_a_guess() -> None:
    improbable = TokenLogprob(
        token=" true", logprob=-2000, alternatives=(Alternative(token="x", logprob=-1),)
    )
    first, _, last = measured(IS_DONE, complete={" true": 1.0})
    decision = await decide(Writer(json.dumps(IS_DONE), logprobs=(first, improbable, last)))
    assert decision.confidence == 0.5


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(AGENTS),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
FIELDS = st.fixed_dictionaries({}, optional=dict.fromkeys(GOES_ON, ANYTHING))
NEAR = st.builds(lambda some: GOES_ON | some, FIELDS)
OUTPUTS = (FIELDS | NEAR | ANYTHING).map(json.dumps) | st.text(max_size=30)


@settings(max_examples=150, deadline=None)
@given(outputs=st.lists(OUTPUTS, min_size=1, max_size=3))
async def test_whatever_the_model_writes_it_is_a_decision_or_none(outputs: list[str]) -> None:
    try:
        decision = await decide(Writer(*outputs))
    except UndecidedError:
        return
    if isinstance(decision, Forward):
        assert decision.next_agent in AGENTS
        assert decision.next_instruction
        assert GROUND.holds(decision.next_instruction, [QUERY, str(MADE["response"])])
        assert decision.forwarded_data is MADE
    else:
        assert decision.final_output is MADE


@pytest.fixture
async def session(socket_enabled: None) -> AsyncGenerator[aiohttp.ClientSession]:
    """A session as Home Assistant would hand it in."""
    async with aiohttp.ClientSession() as session:
        yield session


APPS = {"openai": openai_app, "ollama": ollama_app, "anthropic": anthropic_app}


@pytest.mark.parametrize("provider", APPS)
async def test_a_server_is_asked_under_the_schema_and_its_belief_is_the_confidence(
    session: aiohttp.ClientSession, provider: str
) -> None:
    def answer(messages: list[Any], schema: dict[str, Any] | None) -> dict[str, Any]:
        assert schema
        assert schema["properties"] == decision_schema(AGENTS)["properties"]
        Draft202012Validator(schema).validate(GOES_ON)
        assert "CURRENT AGENT OUTPUT:" in messages[-1].content
        return GOES_ON

    model = ScriptedModel(answer, beliefs={"music-agent": 0.8, "light-agent": 0.2})
    async with RunningServer(APPS[provider], model) as server:
        client = create_client(
            provider, session, url=server.url, api_key="sk-test", model="test-model"
        )
        decision = await decide(client)
        assert await decide(client) == decision
    assert isinstance(decision, Forward)
    # Anthropic's protocol has no log-probabilities.
    confidence = None if provider == "anthropic" else pytest.approx(0.8, abs=0.01)
    assert decision.confidence == confidence
    bodies = [request.body for request in model.requests]
    first = [body.get("system") or body["messages"][0] for body in bodies]
    assert first[0] == first[1]
    assert "AVAILABLE AGENTS:" in json.dumps(first[0])
    assert model.requests[0].temperature == 0.1
    if provider == "openai":
        assert bodies[0]["response_format"]["json_schema"]["name"] == "RoutingDecisionOutput"
        assert bodies[0]["response_format"]["json_schema"]["strict"] is True
    if provider == "anthropic":
        (tool,) = bodies[0]["tools"]
        assert tool["name"] == bodies[0]["tool_choice"]["name"] == "make_routing_decision"
        assert tool["description"] == "Make routing decision for workflow"


@pytest.mark.parametrize(
    ("fault", "requests", "reason"),
    [
        (Fault("status", status=500), 1, "The model server failed."),
        (Fault("status", status=401), 1, "The model server does not accept the key."),
        (Fault("slow", seconds=5), 1, "The model took too long to answer."),
        (Fault("reset"), 1, "The model server cannot be reached."),
        (Fault("half_json"), 3, "The model's answer cannot be used."),
        (Fault("empty_object"), 3, "The model's answer cannot be used."),
        (Fault("unknown_text"), 3, "The model's answer cannot be used."),
    ],
    ids=lambda value: value.mode if isinstance(value, Fault) else None,
)
async def test_a_faulty_server_is_no_decision(
    session: aiohttp.ClientSession, fault: Fault, requests: int, reason: str
) -> None:
    model = ScriptedModel(lambda *_: GOES_ON, fault=fault)
    async with RunningServer(openai_app, model) as server:
        client = create_client("openai", session, url=server.url, model="test-model")
        with pytest.raises(UndecidedError, match=reason):
            await decide(client, timeout=0.3)
        assert model.attempts == requests


def test_messages_hold_what_a_router_must_see_and_an_agent_never_does() -> None:
    text = "\n".join(message.content for message in decision_messages(TASK, MADE, CARDS, 10))
    for words in ("workflow router", "AVAILABLE AGENTS:", "WORKFLOW HISTORY (Iteration 1/10):"):
        assert words in text
    assert isinstance(decision_messages(TASK, MADE, CARDS, 10)[0], Message)
