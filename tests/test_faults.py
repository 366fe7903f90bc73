"""Whatever the model server does: one kind sentence, nothing touched, one line in the log."""

import asyncio
from collections.abc import Mapping
from itertools import product
import logging
import time
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
import pytest

from custom_components.bellboard.llm import base
from custom_components.bellboard.llm.endpoint import WaitBudget
from custom_components.bellboard.llm.limits import LimitedClient
from custom_components.bellboard.options import AssistantOptions
from tests.conftest import SECRET_KEY, Said, Setup, Speaker
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of, traces
from tests.servers import Fault

# Nothing but a model can make sense of it, and it begins like no command.
SENTENCE = "it has become rather gloomy around the swordfish"
# Routed without a model, planned with it.
COMMAND = "dim the reading lamp elegantly"

BAD_OUTPUT = "The language model gave me an answer I can't use."
# Where it cannot be read who is meant, it is asked, and who talks is offered.
NOT_UNDERSTOOD = (
    "I'm not sure I understood. Could you say it another way? Shall I ask the general assistant?"
)
FAULTS = {
    "stopped": (Fault("stopped"), "I can't reach the language model right now."),
    "slow": (Fault.slow(30), "The language model took too long to answer."),
    "401": (Fault.of_status(401), "The language model doesn't accept my key."),
    "429": (
        Fault.of_status(429, "7"),
        "The language model is busy. Please try again in a moment.",
    ),
    "500": (Fault.of_status(500), "The language model has a problem right now."),
    "404": (Fault.of_status(404), "The language model I was given is not there."),
    "html": (Fault("html"), "Where the language model should be, something else answers."),
    "half json": (Fault("half_json"), BAD_OUTPUT),
    "empty object": (Fault("empty_object"), BAD_OUTPUT),
    "free text": (Fault("unknown_text"), BAD_OUTPUT),
    "reset": (Fault("reset"), "I can't reach the language model right now."),
    "huge": (Fault("huge"), BAD_OUTPUT),
}


def right_model(_messages: object, schema: dict[str, object] | None) -> dict[str, object]:
    """Answer rightly, as long as the server lets it."""
    if schema and "agentId" in str(schema):
        return {"agentId": "light"}
    return {"actions": [{"action": "turn_off"}]}


def assert_kind_and_quiet(said: Said, caplog: pytest.LogCaptureFixture, text: str) -> None:
    """Assert that nothing happened, and that it was told and logged as it should be."""
    assert not said.changes
    assert not [call for call in said.calls if call["domain"] != "conversation"]
    is_asking = said.result.continue_conversation
    is_error = said.result.response.response_type is intent.IntentResponseType.ERROR
    assert is_error is not is_asking
    assert is_asking is said.reply.endswith("?")
    assert not [record for record in caplog.records if record.exc_info and record.name != "asyncio"]
    ours = [record for record in caplog.records if "bellboard" in record.name]
    warnings = [record for record in ours if record.levelno >= logging.WARNING]
    assert len(warnings) == 1, [record.getMessage() for record in warnings]
    assert SECRET_KEY not in caplog.text
    assert text not in " ".join(record.getMessage() for record in ours)


async def suffer(speaker: Speaker, fault: Fault, caplog: pytest.LogCaptureFixture) -> None:
    """Let the speaker's model server misbehave from now on."""
    assert speaker.server
    await speaker.server.suffer(fault)
    caplog.clear()


@in_one_house(("name", "text"), product(FAULTS, [SENTENCE, COMMAND]))
async def test_a_faulty_server_costs_one_kind_sentence(
    speak: Setup, caplog: pytest.LogCaptureFixture, name: str, text: str
) -> None:
    fault, reply = FAULTS[name]
    speaker = await speak(right_model, timeout=1, dispatch={"retry_delay_ms": 0})
    await suffer(speaker, fault, caplog)
    said = await speaker.say(text)
    assert_kind_and_quiet(said, caplog, text)
    is_unknown = text == SENTENCE and reply == BAD_OUTPUT
    assert said.reply == (NOT_UNDERSTOOD if is_unknown else reply)


@pytest.mark.parametrize(
    ("options", "text", "timeout"),
    [
        # A decision gets half of the time of an answer.
        ({"timeout": 1}, SENTENCE, 0.5),
        ({"timeout": 2}, SENTENCE, 1),
        ({"timeout": 2, "dispatch": {"max_retries": 0}}, COMMAND, 2),
    ],
)
async def test_a_slow_server_is_waited_for_no_longer_than_asked(
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
    options: dict[str, Any],
    text: str,
    timeout: float,
) -> None:
    speaker = await speak(right_model, **options)
    await suffer(speaker, Fault.slow(30), caplog)
    started = time.monotonic()
    await speaker.say(text)
    # What is not waiting for the server takes its time, too.
    assert timeout <= time.monotonic() - started < timeout + 4


@pytest.mark.parametrize(("options", "limit"), [({}, 5.0), ({"timeout": 20}, 10.0)])
async def test_a_choice_is_waited_for_half_as_long_as_a_plan(
    hass: HomeAssistant,
    speak: Setup,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    limit: float,
) -> None:
    given: list[float] = []

    class Budget(WaitBudget):
        """Notes how long the server may be waited for."""

        def __init__(self, seconds: float) -> None:
            given.append(seconds)
            super().__init__(seconds)

    monkeypatch.setattr(base, "WaitBudget", Budget)
    speaker = await speak(right_model, **options)
    given.clear()
    await speaker.say(SENTENCE)
    purposes = [call.purpose for call in traces(hass)[-1].model.log]
    assert purposes[0] == "choice"
    # What was waited for before the request, in a queue, is gone from it.
    kept = {"choice": pytest.approx(limit, abs=0.5), "plan": pytest.approx(2 * limit, abs=0.5)}
    assert dict(zip(purposes, given, strict=True)) == kept


async def test_a_slow_talker_is_waited_for_no_longer_than_asked(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(_messages: object, schema: Mapping[str, Any] | None) -> Any:
        if schema is None:
            return "Hello."
        assert speaker.model
        speaker.model.fault = Fault.slow(30)
        return {"agentId": "general"}

    speaker = await speak(answer, timeout=2, dispatch={"max_retries": 0})
    started = time.monotonic()
    said = await speaker.say("surprise me somehow")
    assert said.reply == "The language model took too long to answer."
    assert 2 <= time.monotonic() - started < 6


async def test_a_turn_that_is_cancelled_while_the_model_is_asked_ends_at_once(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model)
    assert speaker.model
    await suffer(speaker, Fault.slow(30), caplog)
    turn = asyncio.create_task(speaker.say(SENTENCE))
    for _ in range(500):
        if speaker.model.attempts:
            break
        await asyncio.sleep(0.01)
    assert [task.state for task in assistant_of(hass).tasks.in_memory()] == ["working"]
    turn.cancel()
    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await turn
    [trace] = traces(hass)
    assert (trace.state, trace.agents, trace.calls) == ("canceled", [], [])
    assert [stage["stage"] for stage in trace.stages] == ["received", "intents_eligible"]
    assert trace.workflow["currentExecutor"] == "RouterExecutor"
    # The next one does not wait for it.
    await suffer(speaker, Fault(), caplog)
    assert list((await speaker.say(COMMAND)).changes) == ["light.reading_lamp"]


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_a_plan_is_asked_for_again_as_often_as_its_owner_wants(
    speak: Setup, caplog: pytest.LogCaptureFixture, retries: int
) -> None:
    speaker = await speak(right_model, dispatch={"max_retries": retries, "retry_delay_ms": 0})
    assert speaker.model
    await suffer(speaker, Fault.of_status(503), caplog)
    said = await speaker.say(COMMAND)
    assert said.reply == "The language model has a problem right now."
    assert speaker.model.attempts == retries + 1


async def test_a_server_is_asked_no_more_often_in_a_minute_than_its_owner_wants(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model, requests_per_minute=2, timeout=1)
    assert speaker.model
    for _ in range(2):
        assert list((await speaker.say(COMMAND)).changes) == ["light.reading_lamp"]
        await speaker.say("turn on the reading lamp")
    caplog.clear()
    said = await speaker.say(SENTENCE)
    assert_kind_and_quiet(said, caplog, SENTENCE)
    assert said.reply == "The language model is busy. Please try again in a moment."
    assert speaker.model.attempts == 2


@pytest.mark.parametrize(
    ("before", "said", "state"),
    [("turn off the kitchen lights", SENTENCE, "working"),
     ("turn on the bedside lamp", "that thing", "input-required")],
    ids=["a request", "an answer"],
)  # fmt: skip
async def test_what_waits_for_the_models_limit_is_not_waiting_for_another_turn(
    hass: HomeAssistant, speak: Setup, before: str, said: str, state: str
) -> None:
    speaker = await speak(right_model, requests_per_minute=2, timeout=120)
    assert speaker.model
    for _ in range(2):
        await speaker.say(COMMAND)
        await speaker.say("turn on the reading lamp")
    await speaker.say(before)
    assert speaker.model.attempts == 2
    turn = asyncio.create_task(speaker.say(said))
    limited = assistant_of(hass).models.main
    assert isinstance(limited, LimitedClient)
    for _ in range(500):
        if limited.limits.waiting:
            break
        await asyncio.sleep(0.01)
    task = assistant_of(hass).tasks.get(str(speaker.conversation_id))
    assert task
    assert (limited.limits.waiting, speaker.model.attempts, task.state) == (1, 2, state)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn


async def test_a_server_is_asked_sixty_times_in_a_minute_unless_its_owner_wants_otherwise(
    hass: HomeAssistant, speak: Setup
) -> None:
    usual = AssistantOptions().requests_per_minute
    await speak(right_model, requests_per_minute=usual)
    model = assistant_of(hass).models.main
    assert isinstance(model, LimitedClient)
    assert model.limits.bucket._capacity == 60


@pytest.mark.parametrize(
    ("wanted", "answered"),
    # Refused when asked who answers, and when asked for a plan; else planned both times.
    [pytest.param(SECRET_KEY, 3, id="right key"), pytest.param("sk-another", 0, id="wrong key")],
)
async def test_the_key_is_in_no_line_of_the_log(
    speak: Setup, caplog: pytest.LogCaptureFixture, wanted: str, answered: int
) -> None:
    caplog.set_level(logging.DEBUG)
    speaker = await speak(right_model)
    assert speaker.model
    # A server that refuses a key quotes it.
    speaker.model.key = wanted
    for text in (SENTENCE, COMMAND):
        await speaker.say(text)
    assert len(speaker.model.requests) == answered
    assert speaker.model.attempts == (answered or 2)
    assert "bellboard" in caplog.text
    assert SECRET_KEY not in caplog.text
    assert SECRET_KEY not in "".join(repr(record.__dict__) for record in caplog.records)


async def test_an_unknown_agent_is_nobody(speak: Setup, caplog: pytest.LogCaptureFixture) -> None:
    speaker = await speak(lambda *_: {"agentId": "butler-agent"})
    caplog.clear()
    said = await speaker.say(SENTENCE)
    assert_kind_and_quiet(said, caplog, SENTENCE)
    assert said.reply == NOT_UNDERSTOOD
    assert speaker.model
    assert len(speaker.model.requests) == 1


async def test_the_server_recovers_and_so_does_the_conversation(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model, dispatch={"retry_delay_ms": 0})
    await suffer(speaker, Fault("stopped"), caplog)
    assert not (await speaker.say(COMMAND)).changes
    await suffer(speaker, Fault(), caplog)
    said = await speaker.say(COMMAND)
    assert list(said.changes) == ["light.reading_lamp"]


async def test_what_needs_no_model_works_while_the_server_is_down(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model)
    await suffer(speaker, Fault("stopped"), caplog)
    said = await speaker.say("turn off the kitchen lights")
    assert len(said.changes) == 3


async def test_a_part_that_needs_no_model_is_done_and_the_other_is_owned_up_to(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model, dispatch={"retry_delay_ms": 0})
    await suffer(speaker, Fault("stopped"), caplog)
    said = await speaker.say("turn off the guest lamp and make the reading lamp shine darker")
    assert not said.changes.keys() - {"light.guest_lamp"}
    assert said.reply.endswith("I can't reach the language model right now.")


async def test_the_fault_is_told_in_the_users_language(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model)
    await suffer(speaker, Fault("stopped"), caplog)
    said = await speaker.say("hier ist es reichlich duster", language="de")
    assert said.reply == "Ich kann das Sprachmodell gerade nicht erreichen."


async def test_a_wrong_key_met_in_a_turn_asks_for_a_new_one(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model)
    assert not hass.config_entries.flow.async_progress_by_handler("bellboard")
    await suffer(speaker, Fault.of_status(401), caplog)
    await speaker.say(SENTENCE)
    (flow,) = hass.config_entries.flow.async_progress_by_handler("bellboard")
    assert flow["context"]["source"] == "reauth"
