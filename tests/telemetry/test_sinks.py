"""Events reach all sinks, redacted, and no sink can harm a turn."""

from contextlib import closing
import logging
from pathlib import Path
import sqlite3
import subprocess
import sys
from typing import Any

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from hypothesis import given, settings, strategies as st
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import StatusCode
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.bellboard.options import TelemetryOptions
from custom_components.bellboard.telemetry import otel as otel_module, sinks as sinks_module
from custom_components.bellboard.telemetry.basic_sinks import (
    CAPACITY,
    FanOutSink,
    GuardedSink,
    LateRingSink,
    RedactingSink,
    RingSink,
)
from custom_components.bellboard.telemetry.otel import MAX_OPEN_SPANS, SpanSink, create_span_sink
from custom_components.bellboard.telemetry.redaction import STRICT, WITHHELD
from custom_components.bellboard.telemetry.sinks import (
    EVENT_TELEMETRY,
    BusSink,
    Telemetry,
    async_remove_telemetry,
    create_sinks,
    telemetry_path,
)
from custom_components.bellboard.telemetry.trace import Level, NoSink, Stage, TelemetryEvent

from .conftest import Collector


def event(
    stage: Stage = Stage.RESPOND, turn: str = "turn-1", level: Level = Level.INFO, **payload: Any
) -> TelemetryEvent:
    """Return an event of a turn."""
    return TelemetryEvent(
        timestamp=f"2026-11-02T08:00:0{list(Stage).index(stage)}.125Z",
        interaction_id=turn,
        session_id="talk",
        stage=stage,
        level=level,
        payload=payload,
    )


class Failing:
    """A sink that fails as long as there is an error."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    def record(self, event: TelemetryEvent) -> None:
        if self.error:
            raise self.error


class Untellable(Exception):  # noqa: N818 -- it is no error of ours
    """An exception that cannot even be written down."""

    def __str__(self) -> str:
        raise self


def errors() -> list[type[Exception]]:
    """Return all kinds of exceptions there are and that can be made of a text."""
    found: list[type[Exception]] = [Untellable]
    waiting: list[type[Exception]] = [Exception]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__ == "builtins":
            found.append(kind)
    return found


def made(kind: type[Exception]) -> Exception:
    """Return an exception of a kind, made of a text unless it takes more."""
    if issubclass(kind, ExceptionGroup):
        return kind("said words", [OSError()])
    if issubclass(kind, UnicodeError):
        return kind.__new__(kind)
    return kind("said words")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(errors()), min_size=1, max_size=4))
def test_whatever_a_sink_raises_the_others_get_the_event(kinds: list[type[Exception]]) -> None:
    ring = RingSink()
    fan_out = FanOutSink([*(Failing(made(kind)) for kind in kinds), ring])
    fan_out.record(event())
    fan_out.record(event())
    assert len(ring) == 2


def test_a_failure_is_logged_once_by_its_kind_until_the_sink_works_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    sink = Failing(None)
    guarded = GuardedSink(sink)

    def told(error: Exception | None) -> list[str]:
        sink.error = error
        caplog.clear()
        guarded.record(event())
        guarded.record(event())
        return [record.getMessage() for record in caplog.records]

    assert told(None) == []
    assert told(OSError("said words")) == ["Failing does not take events: OSError"]
    assert told(ValueError("said words")) == ["Failing does not take events: ValueError"]
    assert told(OSError("said words")) == []
    assert told(None) == ["Failing takes events again"]
    assert told(OSError("said words")) == ["Failing does not take events: OSError"]


def test_a_sink_is_given_what_may_be_shown() -> None:
    ring = RingSink()
    heard = event(message="hello there")
    RedactingSink(STRICT, ring).record(heard)
    assert [kept.payload for kept in ring] == [{"message": "<11 characters>"}]
    assert heard.payload == {"message": "hello there"}


def test_what_cannot_be_redacted_is_given_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = RingSink()

    class Odd:
        def __str__(self) -> str:
            raise ValueError

    GuardedSink(RedactingSink(STRICT, ring)).record(event(data={Odd(): "hello"}))
    assert len(ring) == 0


def test_the_ring_keeps_the_last_events() -> None:
    ring = RingSink()
    for number in range(CAPACITY + 5):
        ring.record(event(turn=str(number)))
    assert len(ring) == CAPACITY
    assert [kept.interaction_id for kept in ring] == [str(n) for n in range(5, CAPACITY + 5)]
    for kept in ring:
        ring.record(kept)
    assert len(RingSink(2)) == 0


_PAYLOADS = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text()))


@settings(max_examples=60, deadline=None)
@given(st.lists(_PAYLOADS))
def test_a_ring_that_redacts_late_gives_the_same_events(payloads: list[dict[str, Any]]) -> None:
    late, at_once = LateRingSink(STRICT, 5), RingSink(5)
    for number, payload in enumerate(payloads):
        heard = event(data=payload)
        late.record(heard)
        RedactingSink(STRICT, at_once).record(heard)
        if number % 3 == 0:
            late.read()
    assert list(late.read()) == list(at_once)
    assert list(late.read()) == list(at_once)


def test_a_late_ring_shows_no_words_of_what_it_has(caplog: pytest.LogCaptureFixture) -> None:
    class Odd:
        def __str__(self) -> str:
            raise ValueError("hello there")

    late = LateRingSink(STRICT)
    late.record(event(data={Odd(): "hello there"}))
    late.record(event(message="hello there"))
    assert "hello" not in f"{late!r} {late}"
    assert "hello" not in str([each.model_dump(mode="json") for each in late.read()])
    assert len(late.read()) == 1
    assert "RedactingSink does not take events: ValueError" in caplog.text
    assert "hello" not in caplog.text


def test_no_sink_takes_everything() -> None:
    assert NoSink().record(event()) is None  # type: ignore[func-returns-value]


# OpenTelemetry


@pytest.fixture
def span_sink(collector: Collector) -> SpanSink:
    """A sink whose spans arrive at the SDK."""
    return SpanSink(collector.tracers.get_tracer("test"))


def finished(collector: Collector) -> list[ReadableSpan]:
    """Return the spans that ended, in that order."""
    return list(collector.spans.get_finished_spans())


def test_a_turn_is_a_span_with_an_event_for_each_stage(
    collector: Collector, span_sink: SpanSink
) -> None:
    memory = {"history_count": 1, "params_keys": ["area", "name"], "waiting_for_param": None}
    span_sink.record(event(Stage.RECEIVED, memory=memory))
    span_sink.record(
        event(Stage.INTENT_CLASSIFIED, intent_id=None, unknown_intent=True, confidence=0.5)
    )
    assert finished(collector) == []
    span_sink.record(event(Stage.RESPOND, message="<5 characters>", count=2))
    span = collector.span()
    assert span.name == "bellboard.turn"
    assert dict(span.attributes or {}) == {
        "bellboard.interaction_id": "turn-1",
        "bellboard.session_id": "talk",
    }
    assert span.parent is None
    assert span.status.status_code is StatusCode.UNSET
    assert [(found.name, dict(found.attributes or {})) for found in span.events] == [
        ("received", {"memory.history_count": 1, "memory.params_keys": ("area", "name")}),
        ("intent_classified", {"unknown_intent": True, "confidence": 0.5}),
        ("respond", {"message": "<5 characters>", "count": 2}),
    ]
    assert span.start_time
    assert span.end_time
    assert span.end_time - span.start_time == 7_000_000_000
    assert span.start_time % 1_000_000_000 == 125_000_000
    assert [found.timestamp for found in span.events][::2] == [span.start_time, span.end_time]


def test_turns_at_once_have_spans_of_their_own(collector: Collector, span_sink: SpanSink) -> None:
    for stage in (Stage.RECEIVED, Stage.TOOL_EXECUTE, Stage.RESPOND):
        for turn in ("a", "b"):
            span_sink.record(event(stage, turn))
    assert [len(span.events) for span in finished(collector)] == [3, 3]
    assert [dict(span.attributes or {})["bellboard.interaction_id"] for span in finished(collector)] == [
        "a", "b",
    ]  # fmt: skip


def test_an_error_is_an_error_of_the_span(collector: Collector, span_sink: SpanSink) -> None:
    span_sink.record(event(Stage.POLICY_CHECK, level=Level.WARN))
    span_sink.record(event(Stage.TOOL_EXECUTE, level=Level.ERROR))
    span_sink.record(event())
    status = collector.span().status
    assert (status.status_code, status.description) == (StatusCode.ERROR, "tool_execute")


def test_turns_that_are_not_answered_end_all_the_same(
    collector: Collector, span_sink: SpanSink
) -> None:
    for number in range(MAX_OPEN_SPANS + 2):
        span_sink.record(event(Stage.RECEIVED, str(number)))
    assert len(finished(collector)) == 2
    span_sink.close()
    spans = finished(collector)
    assert len(spans) == MAX_OPEN_SPANS + 2
    assert all(dict(span.attributes or {})["bellboard.answered"] is False for span in spans)
    span_sink.close()
    assert len(finished(collector)) == MAX_OPEN_SPANS + 2


def test_a_time_that_is_blank_is_now(collector: Collector, span_sink: SpanSink) -> None:
    span_sink.record(event().model_copy(update={"timestamp": ""}))
    span = collector.span()
    assert span.start_time
    assert span.end_time
    assert span.start_time <= span.end_time


def test_without_the_sdk_nothing_happens() -> None:
    sink = create_span_sink()
    assert isinstance(sink, SpanSink)
    sink.record(event(Stage.RECEIVED))
    sink.record(event())
    sink.close()


def test_without_opentelemetry_there_are_no_spans() -> None:
    program = f"""
import importlib, sys, types
sys.modules["opentelemetry"] = None
bare = types.ModuleType("bellboard")
bare.__path__ = [{str(Path(otel_module.__file__).parent.parent)!r}]
sys.modules["bellboard"] = bare
otel = importlib.import_module("bellboard.telemetry.otel")
print(otel.create_span_sink(), otel.HAS_OPENTELEMETRY)
"""
    done = subprocess.run(  # noqa: S603 -- our own interpreter and text
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["None", "False"], done.stderr


# An assistant's own


def telemetry(hass: HomeAssistant, **options: Any) -> Telemetry:
    """Return the sinks for some options."""
    return create_sinks(hass, "butler", TelemetryOptions(**options))


@pytest.fixture(autouse=True)
def _storage(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Keep files of this test in a folder of its own."""
    if "hass" in request.fixturenames:
        request.getfixturevalue("hass").config.config_dir = str(tmp_path)


async def test_by_default_the_bus_and_the_ring_are_told_without_words(
    hass: HomeAssistant, capsys: pytest.CaptureFixture[str]
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    found = telemetry(hass)
    found.record(event(message="hello there", waiting_for_param="area"))
    await hass.async_block_till_done()
    assert [heard.data for heard in fired] == [
        {
            "timestamp": "2026-11-02T08:00:07.125Z",
            "interaction_id": "turn-1",
            "session_id": "talk",
            "stage": "respond",
            "level": "info",
            "payload": {"message": "<11 characters>", "waiting_for_param": "area"},
        }
    ]
    assert [kept.model_dump(mode="json") for kept in found.ring] == [fired[0].data]
    assert found.dropped == 0
    await found.async_close()
    assert not telemetry_path(hass, "butler").parent.exists()
    assert capsys.readouterr().out == ""


async def test_without_the_bus_only_the_ring_is_told(hass: HomeAssistant) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    found = telemetry(hass, event_bus=False, reveal_text=True, redacted_parameters="title")
    found.record(event(message="hello there", data={"title": "x", "token": "x", "name": "y"}))
    await hass.async_block_till_done()
    assert fired == []
    (kept,) = found.ring
    assert kept.payload == {
        "message": "hello there",
        "data": {"title": WITHHELD, "token": WITHHELD, "name": "y"},
    }
    assert found.redacted(["title", "name"]) == ["title"]


def in_file(hass: HomeAssistant) -> list[str]:
    """Return the payloads in the assistant's file."""
    with closing(sqlite3.connect(telemetry_path(hass, "butler"))) as connection:
        return [row[0] for row in connection.execute("SELECT payload FROM events")]


async def test_what_waits_is_written_when_the_assistant_is_unloaded(hass: HomeAssistant) -> None:
    found = telemetry(hass, sqlite=True)
    found.record(event(message="hello there"))
    await found.async_close()
    assert in_file(hass) == ['{"message":"<11 characters>"}']
    found.record(event(message="too late"))
    assert found.dropped == 1
    await found.async_close()
    await async_remove_telemetry(hass, "butler")
    assert list(telemetry_path(hass, "butler").parent.iterdir()) == []
    await async_remove_telemetry(hass, "butler")


async def test_a_file_that_cannot_be_deleted_is_told_of(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    path = telemetry_path(hass, "butler")
    path.mkdir(parents=True)
    await async_remove_telemetry(hass, "butler")
    assert f"Telemetry in {path} cannot be deleted" in caplog.text


async def test_what_waits_is_written_when_home_assistant_stops(hass: HomeAssistant) -> None:
    found = telemetry(hass, sqlite=True, spans=True)
    found.record(event(message="hello"))
    hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
    await hass.async_block_till_done()
    assert in_file(hass) == ['{"message":"<5 characters>"}']
    await found.async_close()


async def test_after_it_was_closed_it_does_not_listen(hass: HomeAssistant) -> None:
    before = hass.bus.async_listeners().get(EVENT_HOMEASSISTANT_FINAL_WRITE, 0)
    found = telemetry(hass, sqlite=True)
    assert hass.bus.async_listeners()[EVENT_HOMEASSISTANT_FINAL_WRITE] == before + 1
    await found.async_close()
    assert hass.bus.async_listeners().get(EVENT_HOMEASSISTANT_FINAL_WRITE, 0) == before


async def test_the_file_is_as_large_as_the_options_say(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sinks_module, "_BYTES_PER_MB", 1000)
    path = telemetry_path(hass, "butler")
    for _ in range(3):
        found = telemetry(hass, sqlite=True, sqlite_max_mb=1, sqlite_keep=1)
        found.record(event())
        await found.async_close()
    assert [kept.name for kept in path.parent.iterdir()] == [f"{path.name}.1"]


async def test_turns_become_spans_where_they_are_wanted(
    hass: HomeAssistant, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracer = collector.tracers.get_tracer("test")
    monkeypatch.setattr("opentelemetry.trace.get_tracer", lambda _scope: tracer)
    for wanted in (False, True):
        found = telemetry(hass, spans=wanted)
        found.record(event(Stage.RECEIVED))
        found.record(event(message="hello there"))
        await found.async_close()
    assert "hello" not in (collector.span().to_json() or "")


async def test_a_sink_that_fails_harms_no_other(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = telemetry(hass, sqlite=True)

    def fail(_sink: BusSink, _event: TelemetryEvent) -> None:
        raise RuntimeError

    monkeypatch.setattr(BusSink, "record", fail)
    found.record(event(message="hello"))
    await found.async_close()
    assert len(found.ring) == len(in_file(hass)) == 1
