"""Whatever happens to an agent, the user gets one kind sentence and the log one line."""

import asyncio
from typing import Any, ClassVar

import pytest

from custom_components.bellboard.agents.base import AgentRequest, Answer
from custom_components.bellboard.agents.dispatch import async_dispatch, async_resume
from custom_components.bellboard.agents.fallback import ClarificationAgent, FallbackAgent
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.models import AgentCard, AgentResponse
from custom_components.bellboard.agents.registry import AgentRegistry
from custom_components.bellboard.llm import errors
from custom_components.bellboard.plans.models import AskUser, Candidate

from .conftest import Ask


class Scripted:
    """An agent that does what the test says."""

    card: ClassVar[AgentCard] = AgentCard(id="test-agent", name="Test", description="Tests.")

    def __init__(self, outcome: Answer | Exception, seconds: float = 0) -> None:
        self._outcome = outcome
        self._seconds = seconds

    async def async_answer(self, request: AgentRequest) -> Answer:
        await asyncio.sleep(self._seconds)
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


DONE = Answer(success=True, content="Done.")
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
    return [record.getMessage() for record in caplog.records if "bellboard" in record.name]


async def test_an_answer_is_passed_on_with_its_response(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    dispatched = await async_dispatch(Scripted(DONE), ask("x"))
    assert dispatched.answer is DONE
    response = dispatched.response
    assert (response.agent_id, response.content) == ("test-agent", "Done.")
    assert response.success
    assert response.error_message is None
    assert response.execution_time_ms >= 0
    assert logged(caplog) == []


@pytest.mark.parametrize("error", MODEL_ERRORS, ids=lambda error: type(error).__name__)
async def test_a_model_that_fails_has_its_own_sentence(
    ask: Ask, caplog: pytest.LogCaptureFixture, error: errors.ModelError
) -> None:
    request = ask("the secret")
    dispatched = await async_dispatch(Scripted(error), request)
    assert not dispatched.answer.success
    assert dispatched.answer.content == request.language.say(f"model.{error.kind}")
    assert len(logged(caplog)) == 1
    assert "secret" not in logged(caplog)[0]


@pytest.mark.parametrize("error", [RuntimeError("boom"), KeyError("x"), ValueError(""), OSError()])
async def test_any_other_failure_is_one_sentence_and_one_line(
    ask: Ask, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    dispatched = await async_dispatch(Scripted(error), ask("x"))
    assert dispatched.answer.content == "Something went wrong, so I stopped."
    assert dispatched.response.error_message == "Something went wrong, so I stopped."
    assert logged(caplog) == ["test-agent failed"]


async def test_an_agent_has_only_so_long(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    dispatched = await async_dispatch(Scripted(DONE, seconds=30), ask("x"), seconds=0.02)
    assert dispatched.answer.content == "That took too long, so I stopped."
    assert len(logged(caplog)) == 1


async def test_a_turn_that_is_cancelled_is_cancelled(ask: Ask) -> None:
    task = asyncio.create_task(async_dispatch(Scripted(DONE, seconds=30), ask("x")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_failure_without_words_still_names_a_reason(ask: Ask) -> None:
    silent = Answer(success=False, content="")
    response = (await async_dispatch(Scripted(silent), ask("x"))).response
    assert response.error_message
    assert response.content == ""


@pytest.mark.parametrize(
    "values",
    [
        {"success": False},
        {"success": False, "error_message": ""},
        {"success": True, "error_message": "broken"},
        {"success": True, "agent_id": ""},
        {"success": True, "execution_time_ms": -1},
        {"content": "x"},
    ],
)
def test_a_response_that_contradicts_itself_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        AgentResponse(**{"agent_id": "a", **values})


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


async def test_a_question_that_was_answered_is_finished(ask: Ask) -> None:
    question = AskUser(
        param="target",
        prompt="Which?",
        candidates=(Candidate(entity_id="light.floor_lamp", name="Floor Lamp"),),
        action="turn_on",
    )
    dispatched = await async_resume(LightAgent(), ask("the tall"), question, "light.floor_lamp")
    assert dispatched.answer.content == "Turned on Floor Lamp."


async def test_an_answer_that_cannot_do_it_is_told(ask: Ask) -> None:
    question = AskUser(
        param="target", prompt="Which?", action="set", data={"color": "red"}, candidates=()
    )
    dispatched = await async_resume(LightAgent(), ask("x"), question, "light.kitchen_counter")
    assert dispatched.answer.content == "Kitchen Counter can't do that."


async def test_the_fallback_says_what_can_be_done(ask: Ask) -> None:
    answer = await FallbackAgent().async_answer(ask("x"))
    assert not answer.success
    assert "I can help with" in answer.content


async def test_the_clarification_is_a_question(ask: Ask) -> None:
    answer = await ClarificationAgent().async_answer(ask("x"))
    assert answer.success
    assert answer.question
    assert answer.question.prompt == answer.content


def test_agents_come_and_go() -> None:
    registry = AgentRegistry([LightAgent(), FallbackAgent()])
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
        AgentRegistry().agent_for("test-agent")


def test_an_agent_with_nothing_to_act_on_is_out_of_scope() -> None:
    registry = AgentRegistry([LightAgent(), Scripted(DONE)])
    assert [card.id for card in registry.cards(["cover"])] == ["test-agent"]
    assert [card.id for card in registry.cards(["light"])] == ["light-agent", "test-agent"]
