"""Whatever the model server does: one kind sentence, nothing touched, one line in the log."""

import asyncio
import logging
import time

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
import pytest

from tests.conftest import SECRET_KEY, Said, Setup, Speaker
from tests.servers import Fault

# Nothing but a model can make sense of it, and it begins like no command.
SENTENCE = "it has become rather gloomy around the swordfish"
# Routed without a model, planned with it.
COMMAND = "dim the reading lamp gently"

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
    "half json": (Fault("half_json"), "The language model gave me an answer I can't use."),
    "empty object": (Fault("empty_object"), "The language model gave me an answer I can't use."),
    "free text": (Fault("unknown_text"), "The language model gave me an answer I can't use."),
    "reset": (Fault("reset"), "I can't reach the language model right now."),
    "huge": (Fault("huge"), "The language model gave me an answer I can't use."),
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
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
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


@pytest.mark.parametrize("text", [SENTENCE, COMMAND])
@pytest.mark.parametrize("name", FAULTS)
async def test_a_faulty_server_costs_one_kind_sentence(
    speak: Setup, caplog: pytest.LogCaptureFixture, name: str, text: str
) -> None:
    fault, reply = FAULTS[name]
    speaker = await speak(right_model, timeout=1, dispatch={"retry_delay_ms": 0})
    await suffer(speaker, fault, caplog)
    said = await speaker.say(text)
    assert_kind_and_quiet(said, caplog, text)
    assert said.reply == reply


async def test_a_slow_server_is_waited_for_no_longer_than_asked(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model, timeout=1)
    await suffer(speaker, Fault.slow(30), caplog)
    async with asyncio.timeout(10):
        started = time.monotonic()
        await speaker.say(SENTENCE)
    assert time.monotonic() - started < 10


async def test_an_unknown_agent_is_nobody(speak: Setup, caplog: pytest.LogCaptureFixture) -> None:
    speaker = await speak(lambda *_: {"agentId": "butler-agent"})
    caplog.clear()
    said = await speaker.say(SENTENCE)
    assert_kind_and_quiet(said, caplog, SENTENCE)
    assert said.reply == "The language model gave me an answer I can't use."
    assert speaker.model
    assert len(speaker.model.requests) == 1


async def test_the_server_recovers_and_so_does_the_conversation(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(right_model)
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
    speaker = await speak(right_model)
    await suffer(speaker, Fault("stopped"), caplog)
    said = await speaker.say("turn off the guest lamp and make the reading lamp darker")
    assert not said.changes.keys() - {"light.guest_lamp"}
    assert said.reply.endswith("However, I can't reach the language model right now.")


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
