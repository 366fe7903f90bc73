"""That a server is left alone, and that it is back, is said once each, and nothing else is."""

import logging

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.llm.limits import FIRST_PAUSE, MAX_FAILURES, CircuitBreaker
from tests.conftest import SECRET_KEY, Setup
from tests.routing.reading import assistant_of
from tests.servers import Fault

LEFT_ALONE = "does not answer; it is left alone and tried now and then"
SAID = "it has become rather gloomy around the swordfish"


class Clock:
    """Seconds that pass when the test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The time."""
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    """The circuit breaker of a server that is called the piano."""
    return CircuitBreaker(clock, name="The piano")


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str]]:
    """Return what circuit breakers logged since last asked, with the levels."""
    found = [
        (record.levelno, record.getMessage())
        for record in caplog.records
        if record.name.endswith(".limits")
    ]
    caplog.clear()
    return found


def fail(breaker: CircuitBreaker, times: int = 1) -> None:
    """Let calls fail."""
    for _ in range(times):
        breaker.failed(breaker.admit())


def test_it_is_told_once_that_a_server_is_left_alone_and_once_that_it_is_back(
    breaker: CircuitBreaker, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fail(breaker, MAX_FAILURES - 1)
    assert lines(caplog) == []
    fail(breaker)
    assert lines(caplog) == [(logging.WARNING, f"The piano {LEFT_ALONE}")]
    # Still down, as often as it is tried.
    for _ in range(3):
        clock.now += 10 * FIRST_PAUSE
        fail(breaker)
    assert lines(caplog) == []
    clock.now += 10 * FIRST_PAUSE
    breaker.succeeded(breaker.admit())
    assert lines(caplog) == [(logging.INFO, "The piano answers again")]
    for _ in range(3):
        breaker.succeeded(breaker.admit())
    assert lines(caplog) == []
    fail(breaker, MAX_FAILURES)
    assert len(lines(caplog)) == 1, "it is news again"


def test_late_failures_are_no_news(
    breaker: CircuitBreaker, caplog: pytest.LogCaptureFixture
) -> None:
    permits = [breaker.admit() for _ in range(2 * MAX_FAILURES)]
    for permit in permits:
        breaker.failed(permit)
    assert len(lines(caplog)) == 1


def test_an_answer_that_begins_is_an_answer(
    breaker: CircuitBreaker, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    fail(breaker, MAX_FAILURES)
    clock.now += FIRST_PAUSE
    lines(caplog)
    permit = breaker.admit()
    breaker.answering(permit)
    breaker.succeeded(permit)
    assert lines(caplog) == [(logging.INFO, "The piano answers again")]


@pytest.mark.usefixtures("house")
async def test_the_log_names_the_connection_and_holds_no_key_and_no_word(
    hass: HomeAssistant,
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.INFO)
    speaker = await speak(lambda _, schema: {"agentId": "general"} if schema else "Hello.")
    assert speaker.server
    await speaker.server.suffer(Fault("stopped"))
    for _ in range(MAX_FAILURES + 2):
        said = await speaker.say(SAID)
        assert said.reply == "I can't reach the language model right now."
    whole = caplog.text
    assert lines(caplog) == [(logging.WARNING, f"The model server of Bellboard {LEFT_ALONE}")]

    await speaker.server.start()
    breaker = assistant_of(hass).models.main.limits.breaker  # type: ignore[union-attr]
    # Nobody waits half a minute here.
    later = breaker._clock() + FIRST_PAUSE
    monkeypatch.setattr(breaker, "_clock", lambda: later)
    assert (await speaker.say(SAID)).reply == "Hello."
    whole += caplog.text
    assert lines(caplog) == [(logging.INFO, "The model server of Bellboard answers again")]
    assert SECRET_KEY not in whole
    assert "swordfish" not in whole
