"""Whatever happens to an agent, the user gets one kind sentence and the log one line."""

import asyncio
import logging
from typing import Any, ClassVar

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.agents.base import Agent, AgentRequest, AgentResult
from custom_components.bellboard.agents.dispatch import AgentsById, async_dispatch, async_do
from custom_components.bellboard.agents.fallback import ClarificationAgent, FallbackAgent
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.models import AgentCard, AgentResponse
from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.llm import errors
from custom_components.bellboard.memory.models import TaskContext
from custom_components.bellboard.options import DispatchOptions
from custom_components.bellboard.plans.models import AskUser, Candidate
from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import Ask


class Scripted:
    """An agent that does what the test says."""

    card: ClassVar[AgentCard] = AgentCard(id="test-agent", name="Test", description="Tests.")

    def __init__(self, *outcomes: AgentResult | Exception, seconds: float = 0) -> None:
        self._outcomes = list(outcomes)
        self._seconds = seconds
        self.runs = 0

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        self.runs += 1
        await asyncio.sleep(self._seconds)
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


AT_ONCE = DispatchOptions(retry_delay_ms=0)
DONE = AgentResult(success=True, content="Done.")
MODEL_ERRORS = [
    errors.UnreachableError(),
    errors.ModelTimeoutError(),
    errors.AuthenticationError(),
    errors.RateLimitedError(),
    errors.ModelMissingError(),
    errors.ServerFailedError(500),
    errors.RequestRejectedError(400),
    errors.NotAModelServerError(),
    errors.InvalidUrlError(),
    errors.BadOutputError("not JSON", text="the secret"),
    errors.ModelError(),
]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if "bellboard" in record.name and record.levelno >= logging.WARNING
    ]


async def test_an_answer_is_passed_on_with_its_response(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    dispatched = await async_dispatch(Scripted(DONE), ask("x"), AT_ONCE)
    assert dispatched.answer is DONE
    response = dispatched.response
    assert (response.agent_id, response.content) == ("test-agent", "Done.")
    assert response.success
    assert response.error_message is None
    assert response.execution_time_ms >= 0
    assert logged(caplog) == []


@in_one_house("error", MODEL_ERRORS, ids=lambda error: type(error).__name__)
async def test_a_model_that_fails_has_its_own_sentence(
    ask: Ask, caplog: pytest.LogCaptureFixture, error: errors.ModelError
) -> None:
    request = ask("the secret")
    dispatched = await async_dispatch(Scripted(error), request, AT_ONCE)
    assert not dispatched.answer.success
    assert dispatched.answer.content == request.language.say(f"model.{error.kind}")
    # The response has the cause, as the log does; the user hears a sentence.
    assert dispatched.response.error_message == str(error)
    assert len(logged(caplog)) == 1
    assert "secret" not in logged(caplog)[0]


@in_one_house("error", [RuntimeError("boom"), KeyError("x"), ValueError(""), OSError()])
async def test_any_other_failure_is_one_sentence_and_one_line(
    ask: Ask, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    dispatched = await async_dispatch(Scripted(error), ask("x"), AT_ONCE)
    assert dispatched.answer.content == "Something went wrong, so I stopped."
    cause = f"ExecutionFailed in test-agent: {type(error).__name__}"
    assert dispatched.response.error_message == cause
    assert logged(caplog) == [cause]


async def test_an_agent_has_only_so_long(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    # No owner can ask for so little time; a test has no more.
    options = DispatchOptions.model_construct(default_timeout_ms=20, max_retries=2)
    dispatched = await async_dispatch(Scripted(DONE, seconds=30), ask("x"), options)
    assert dispatched.answer.content == "That took too long, so I stopped."
    assert len(logged(caplog)) == 1


async def test_the_time_an_agent_has_is_its_owners(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(dispatch={"default_timeout_ms": 1000})
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    assistant.registry.register(Running(LightAgent(), seconds=30))
    started = asyncio.get_running_loop().time()
    said = await speaker.say("turn on the floor lamp")
    assert said.reply == "That took too long, so I stopped."
    assert 1 <= asyncio.get_running_loop().time() - started < 3


async def test_a_turn_that_is_cancelled_is_cancelled(ask: Ask) -> None:
    task = asyncio.create_task(async_dispatch(Scripted(DONE, seconds=30), ask("x"), AT_ONCE))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_failure_names_what_is_said_of_it_and_a_reason_without_words(ask: Ask) -> None:
    said = AgentResult(success=False, content="No.")
    response = (await async_dispatch(Scripted(said), ask("x"), AT_ONCE)).response
    assert response.error_message == "No."
    silent = AgentResult(success=False, content="")
    response = (await async_dispatch(Scripted(silent), ask("x"), AT_ONCE)).response
    assert response.error_message
    assert response.content == ""


RESPONSE: dict[str, Any] = {"agent_id": "a", "success": True, "execution_time_ms": 1}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"success": False}, "errorMessage is required"),
        ({"success": False, "error_message": ""}, "errorMessage is required"),
        ({"error_message": "broken"}, "must be absent otherwise"),
        ({"agent_id": ""}, "\nagent_id\n"),
        ({"execution_time_ms": -1}, "\nexecution_time_ms\n"),
    ],
)
def test_a_response_that_contradicts_itself_is_refused(values: dict[str, Any], told: str) -> None:
    """It is refused for this alone: without it, it is a response."""
    AgentResponse(**RESPONSE)
    with pytest.raises(ValueError) as refused:
        AgentResponse(**{**RESPONSE, **values})
    assert str(refused.value).startswith("1 validation error")
    assert told in str(refused.value)


@pytest.mark.parametrize("name", RESPONSE)
def test_what_a_response_must_have_may_not_be_missing(name: str) -> None:
    with pytest.raises(ValueError):
        AgentResponse(**{key: value for key, value in RESPONSE.items() if key != name})


@pytest.mark.parametrize(
    "given",
    [
        {
            "agentId": "light-agent",
            "content": "I've turned on the kitchen lights to 100% brightness.",
            "success": True,
            "errorMessage": None,
            "executionTimeMs": 1250,
        },
        {
            "agentId": "music-agent",
            "content": "",
            "success": False,
            "errorMessage": "Music Assistant service is unavailable (HTTP 503)",
            "executionTimeMs": 5000,
        },
    ],
)
def test_a_response_is_written_as_the_contract_writes_it(given: dict[str, Any]) -> None:
    written = AgentResponse.model_validate(given).as_json()
    assert written == {name: value for name, value in given.items() if value is not None}
    shouted = {name.upper(): value for name, value in given.items()}
    assert AgentResponse.model_validate(shouted).as_json() == written
    as_text = given | {"executionTimeMs": str(given["executionTimeMs"])}
    assert AgentResponse.model_validate(as_text).as_json() == written


async def test_a_question_that_was_answered_is_finished(ask: Ask) -> None:
    question = AskUser(
        param="target",
        prompt="Which?",
        candidates=(Candidate(entity_id="light.floor_lamp", name="Floor Lamp"),),
        action="turn_on",
    )
    dispatched = await async_do(
        LightAgent(), ask("the tall"), question.half_made, ["light.floor_lamp"], AT_ONCE
    )
    assert dispatched.answer.content == "Turned on Floor Lamp."


async def test_an_answer_that_cannot_do_it_is_told(ask: Ask) -> None:
    question = AskUser(
        param="target", prompt="Which?", action="set", data={"color": "red"}, candidates=()
    )
    dispatched = await async_do(
        LightAgent(), ask("x"), question.half_made, ["light.kitchen_counter"], AT_ONCE
    )
    assert dispatched.answer.content == "Kitchen Counter can't do that."


async def test_the_fallback_says_what_can_be_done(ask: Ask) -> None:
    answer = await FallbackAgent().async_answer(ask("x", decline="fallback"))
    assert not answer.success
    assert "I can help with" in answer.content


async def test_the_clarification_is_a_question(ask: Ask) -> None:
    answer = await ClarificationAgent().async_answer(ask("x"))
    assert answer.success
    assert answer.question
    assert answer.question.prompt == answer.content


def test_agents_come_and_go() -> None:
    registry = AgentsById([LightAgent(), FallbackAgent()])
    scripted = Scripted(DONE)
    assert registry.agent_for("test-agent").card.id == "fallback-agent"
    registry.register(scripted)
    assert registry.agent_for("test-agent") is scripted
    assert [agent.card.id for agent in registry] == ["light-agent", "fallback-agent", "test-agent"]
    again = Scripted(DONE)
    registry.register(again)
    assert registry.get("test-agent") is again
    registry.deregister("test-agent")
    registry.deregister("test-agent")
    assert registry.get("test-agent") is None
    with pytest.raises(KeyError):
        AgentsById().agent_for("test-agent")


def test_an_agent_with_nothing_to_act_on_is_out_of_scope() -> None:
    registry = AgentsById([LightAgent(), Scripted(DONE)])
    assert [card.id for card in registry.cards(["cover"])] == ["test-agent"]
    assert [card.id for card in registry.cards(["light"])] == ["light-agent", "test-agent"]


TRANSIENT = [
    errors.UnreachableError(),
    errors.ServerFailedError(503),
    errors.RateLimitedError(),
]
LASTING = [error for error in MODEL_ERRORS if not isinstance(error, tuple(map(type, TRANSIENT)))]


def named(error: Exception) -> str:
    return type(error).__name__


@in_one_house("error", TRANSIENT, ids=named)
async def test_what_may_be_gone_a_moment_later_is_tried_again(
    ask: Ask, error: errors.ModelError
) -> None:
    agent = Scripted(error, error, DONE)
    dispatched = await async_dispatch(agent, ask("x"), AT_ONCE)
    assert dispatched.answer is DONE
    assert agent.runs == 3


@in_one_house("retries", [0, 1, 4])
async def test_it_is_tried_again_only_so_often(ask: Ask, retries: int) -> None:
    agent = Scripted(errors.UnreachableError())
    options = DispatchOptions(max_retries=retries, retry_delay_ms=0)
    dispatched = await async_dispatch(agent, ask("x"), options)
    assert not dispatched.answer.success
    assert agent.runs == retries + 1


@in_one_house(
    "error", [*LASTING, errors.CircuitOpenError(30), RuntimeError(), TimeoutError()], ids=named
)
async def test_what_will_not_change_is_not_tried_again(ask: Ask, error: Exception) -> None:
    agent = Scripted(error, DONE)
    dispatched = await async_dispatch(agent, ask("x"), AT_ONCE)
    assert not dispatched.answer.success
    assert agent.runs == 1


async def test_a_failure_that_an_agent_tells_itself_is_not_tried_again(ask: Ask) -> None:
    agent = Scripted(AgentResult(success=False, content="No."), DONE)
    assert (await async_dispatch(agent, ask("x"), AT_ONCE)).answer.content == "No."
    assert agent.runs == 1


async def test_between_attempts_the_server_is_left_alone_for_a_while(ask: Ask) -> None:
    agent = Scripted(errors.UnreachableError(), DONE)
    started = asyncio.get_running_loop().time()
    dispatched = await async_dispatch(agent, ask("x"), DispatchOptions(retry_delay_ms=60))
    assert asyncio.get_running_loop().time() - started >= 0.06
    assert dispatched.response.execution_time_ms >= 60


async def test_every_pause_between_attempts_is_as_long(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    agent = Scripted(errors.UnreachableError(), errors.UnreachableError(), DONE)
    dispatched = await async_dispatch(agent, ask("x"), DispatchOptions(retry_delay_ms=60))
    assert dispatched.answer is DONE
    assert [seconds for seconds in slept if seconds] == [0.06, 0.06]


async def test_attempts_and_pauses_share_one_time(ask: Ask) -> None:
    # No owner can ask for so little time; a test has no more.
    options = DispatchOptions.model_construct(
        default_timeout_ms=30, max_retries=10, retry_delay_ms=20
    )
    agent = Scripted(errors.UnreachableError())
    dispatched = await async_dispatch(agent, ask("x"), options)
    assert dispatched.answer.content == "That took too long, so I stopped."
    assert agent.runs == 2


class Running(Scripted):
    """A specialist's stand-in that notes how many run at once; it has the card of another agent."""

    at_once: ClassVar[list[int]] = []
    now: ClassVar[int] = 0

    def __init__(self, agent: Agent, seconds: float) -> None:
        self.card = agent.card  # type: ignore[misc]
        name = agent.card.id
        super().__init__(AgentResult(success=True, content="", fragments=(name,)), seconds=seconds)

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        Running.now += 1
        Running.at_once.append(Running.now)
        try:
            return await super().async_answer(request)
        finally:
            Running.now -= 1


@pytest.mark.parametrize(
    ("parallel", "text", "most", "reply"),
    [
        (
            True,
            "turn on the floor lamp and mute the kitchen speaker",
            2,
            "Light-agent and music-agent.",
        ),
        (
            False,
            "turn on the floor lamp and mute the kitchen speaker",
            1,
            "Light-agent and music-agent.",
        ),
        (
            True,
            "turn on the floor lamp and mute the kitchen speaker and turn off the desk lamp",
            3,
            "Light-agent, music-agent and light-agent.",
        ),
        (
            True,
            "turn on the floor lamp and mute the kitchen speaker and make the floor lamp blue",
            2,
            "Light-agent, music-agent and light-agent.",
        ),
    ],
    ids=["wanted", "not wanted", "different lamps", "the same lamp twice"],
)
async def test_agents_for_different_things_run_at_once_where_wanted_and_answer_in_order(
    hass: HomeAssistant, speak: Setup, *, parallel: bool, text: str, most: int, reply: str
) -> None:
    speaker = await speak(dispatch={"parallel": parallel})
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    # The first takes longest, and is first all the same.
    for agent_id, seconds in (("light-agent", 0.05), ("music-agent", 0.01)):
        assistant.registry.register(Running(assistant.registry.get(agent_id), seconds))
    Running.at_once.clear()
    said = await speaker.say(text)
    assert said.reply == reply
    assert max(Running.at_once) == most
    [trace] = assistant.traces
    ids = [agent["id"] for agent in trace.agents]
    assert ids[:2] == ["light-agent", "music-agent"]
    task = await stored_task(assistant, str(speaker.conversation_id))
    assert task.metadata["agentSelections"] == ids


async def stored_task(assistant: Assistant, conversation_id: str) -> TaskContext:
    """Return what is kept of a conversation."""
    async with assistant.tasks.async_open(conversation_id) as task:
        return task
