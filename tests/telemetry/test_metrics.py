"""Decisions arrive at OpenTelemetry where it is there, change nothing where it is not, and add up."""

import asyncio
import json
from pathlib import Path
import subprocess
import sys
from typing import Any

from hypothesis import given, strategies as st
from opentelemetry.trace import StatusCode
import pytest

import custom_components.bellboard as package
from custom_components.bellboard.routing.models import AgentChoiceResult, Assignment, Route, Source
from custom_components.bellboard.telemetry.otel import NoInstruments, confidence_bucket
from custom_components.bellboard.telemetry.statistics import KEPT, RoutingStatistics

from .conftest import Collector

HOUSE = Path(package.__file__).parent
CHOICE = AgentChoiceResult(
    agent_id="light-agent", confidence=0.92, additional_agents=["music-agent", "climate-agent"]
)


def route(*agents: str, confidence: float = 0.9, source: Source = Source.MODEL) -> Route:
    """Return a route to some agents."""
    return Route(
        tuple(
            Assignment(agent_id=agent, instruction="x", confidence=confidence, source=source)
            for agent in agents
        )
    )


# OpenTelemetry


def test_the_span_has_the_contracts_tags(collector: Collector) -> None:
    with collector.instruments.routing_span(available=4) as span:
        span.decided(CHOICE)
    found = collector.span()
    assert found.name == "RouterExecutor.Route"
    assert found.attributes == {
        "executor.id": "RouterExecutor",
        "messaging.operation": "route",
        "messaging.message.type": "ChatMessage",
        "agent.available_count": 4,
        "agent.selected": "light-agent",
        "agent.confidence": 0.92,
        "agent.additional_count": 2,
    }
    assert found.status.status_code is StatusCode.OK
    assert found.start_time
    assert found.end_time
    assert found.end_time >= found.start_time


def test_nobody_else_is_zero(collector: Collector) -> None:
    with collector.instruments.routing_span(available=1) as span:
        span.decided(AgentChoiceResult(agent_id="light-agent", confidence=1))
    attributes = collector.span().attributes
    assert attributes
    assert attributes["agent.additional_count"] == 0


def fail_while_routing(collector: Collector, error: BaseException) -> None:
    """Let the routing fail."""
    with collector.instruments.routing_span(available=4):
        raise error


@pytest.mark.parametrize("error", [ValueError("open the safe"), asyncio.CancelledError()])
def test_an_error_is_noted_without_its_words(collector: Collector, error: BaseException) -> None:
    with pytest.raises(type(error)):
        fail_while_routing(collector, error)
    found = collector.span()
    assert found.status.status_code is StatusCode.ERROR
    assert found.status.description == type(error).__name__
    assert "safe" not in str(found.to_json())


def test_decisions_are_counted_and_measured(collector: Collector) -> None:
    other = AgentChoiceResult(agent_id="music-agent", confidence=0.55)
    collector.instruments.record_decision(CHOICE, 12.5)
    collector.instruments.record_decision(CHOICE, 7.5)
    collector.instruments.record_decision(other, 300)
    points = collector.points()
    assert points.keys() == {
        "bellboard.routing.decisions",
        "bellboard.routing.latency",
        "bellboard.routing.confidence",
    }
    counted = {key: point.value for key, point in points["bellboard.routing.decisions"].items()}
    assert counted == {
        "agent.id=light-agent,confidence.bucket=very_high": 2,
        "agent.id=music-agent,confidence.bucket=medium": 1,
    }
    latency = points["bellboard.routing.latency"]["agent.id=light-agent"]
    assert (latency.count, latency.sum) == (2, 20.0)
    confidence = points["bellboard.routing.confidence"]["agent.id=music-agent"]
    assert (confidence.count, confidence.sum) == (1, 0.55)
    assert confidence.explicit_bounds[-1] == 1.0
    assert confidence.bucket_counts[5] == 1, "between 0.5 and 0.6"


def test_runs_are_measured_by_agent_and_outcome(collector: Collector) -> None:
    collector.instruments.record_run("light-agent", 12, success=True)
    collector.instruments.record_run("light-agent", 8, success=True)
    collector.instruments.record_run("light-agent", 2000, success=False)
    took = collector.points()["bellboard.agent.duration"]
    assert {key: (point.count, point.sum) for key, point in took.items()} == {
        "agent.id=light-agent,agent.success=True": (2, 20),
        "agent.id=light-agent,agent.success=False": (1, 2000),
    }


@pytest.mark.parametrize(
    ("confidence", "bucket"),
    [
        (0, "low"), (0.49, "low"), (0.5, "medium"), (0.69, "medium"), (0.7, "high"), (0.89, "high"),
        (0.9, "very_high"), (1, "very_high"),
    ],
)  # fmt: skip
def test_buckets(confidence: float, bucket: str) -> None:
    assert confidence_bucket(confidence) == bucket


def test_without_opentelemetry_all_goes_on() -> None:
    instruments = NoInstruments()
    with instruments.routing_span(available=0) as span:
        span.decided(CHOICE)
    instruments.record_decision(CHOICE, 1)
    instruments.record_run("light-agent", 1, success=True)


# Each in a process of its own: what is imported and which providers there are is the same for all.

BEGIN = """
import importlib, json, sys, types

bare = types.ModuleType("bellboard")
bare.__path__ = [sys.argv[1]]
sys.modules["bellboard"] = bare
"""
USE = """
otel = importlib.import_module("bellboard.telemetry.otel")
models = importlib.import_module("bellboard.routing.models")
choice = models.AgentChoiceResult(agent_id="light-agent", confidence=0.8)

def use():
    with otel.routing_span(available=3) as span:
        span.decided(choice)
    otel.record_decision(choice, 5.0)
    otel.record_run("light-agent", 5.0, success=True)
    return type(otel.INSTRUMENTS).__name__
"""
HIDDEN = """
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Wall())
"""
OLD = """
import opentelemetry.metrics as api

class OldMeter:
    def create_counter(self, name, unit="", description=""): ...
    def create_histogram(self, name, unit="", description=""): ...

api.get_meter = lambda name: OldMeter()
"""
LATER = """
from opentelemetry import metrics as api, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

use()
spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
tracers = TracerProvider()
tracers.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(tracers)
api.set_meter_provider(MeterProvider([reader]))
use()
found = reader.get_metrics_data().resource_metrics[0].scope_metrics[0]
print(json.dumps({
    "scope": found.scope.name,
    "metrics": sorted(metric.name for metric in found.metrics),
    "spans": [span.name for span in spans.get_finished_spans()],
}))
"""


def run(*parts: str) -> Any:
    """Run code in a process of its own and return what it prints as JSON."""
    done = subprocess.run(  # noqa: S603 -- our own interpreter and text
        [sys.executable, "-I", "-c", "".join(parts), str(HOUSE)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return json.loads(done.stdout)


def test_nothing_happens_where_opentelemetry_is_not_installed() -> None:
    found = run(
        BEGIN,
        HIDDEN,
        USE,
        "loaded = any(name.startswith('opentelemetry') for name in sys.modules)\n",
        "print(json.dumps([use(), loaded]))",
    )
    assert found == ["NoInstruments", False]


def test_nothing_happens_where_opentelemetry_is_too_old() -> None:
    assert run(BEGIN, OLD, USE, "print(json.dumps(use()))") == "NoInstruments"


def test_an_sdk_that_is_set_up_later_gets_everything_from_then_on() -> None:
    assert run(BEGIN, USE, LATER) == {
        "scope": "bellboard",
        "metrics": [
            "bellboard.agent.duration",
            "bellboard.routing.confidence",
            "bellboard.routing.decisions",
            "bellboard.routing.latency",
        ],
        "spans": ["RouterExecutor.Route"],
    }


# Statistics


def test_there_are_no_numbers_before_the_first_decision() -> None:
    assert RoutingStatistics().as_json() == {
        "decisions": 0,
        "by_agent": {},
        "fallbacks": 0,
        "latency_p50": None,
        "latency_p95": None,
        "mean_confidence": None,
    }


def test_decisions_add_up() -> None:
    statistics = RoutingStatistics()
    statistics.record(route("light-agent", "music-agent", confidence=0.9), 10)
    statistics.record(route("light-agent", confidence=0.7), 30)
    statistics.record(route("fallback-agent", confidence=0, source=Source.FALLBACK), 20)
    assert statistics.as_json() == {
        "decisions": 3,
        "by_agent": {"light-agent": 2, "fallback-agent": 1},
        "fallbacks": 1,
        "latency_p50": 20,
        "latency_p95": 30,
        "mean_confidence": pytest.approx(1.6 / 3),
    }


def test_only_the_last_decisions_are_kept() -> None:
    statistics = RoutingStatistics()
    for number in range(2 * KEPT):
        statistics.record(route("light-agent", confidence=number >= KEPT), float(number))
    assert statistics.decisions == 1000
    assert (statistics.latency_p50, statistics.latency_p95) == (749, 974)
    assert statistics.mean_confidence == 1


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60))
def test_percentiles_are_times_that_happened(times: list[float]) -> None:
    statistics = RoutingStatistics()
    for ms in times:
        statistics.record(route("light-agent"), ms)
    for share, found in ((0.5, statistics.latency_p50), (0.95, statistics.latency_p95)):
        assert found in times
        assert found is not None
        assert sum(ms <= found for ms in times) >= share * len(times)
        assert sum(ms < found for ms in times) < share * len(times)


def test_listeners_hear_of_each_decision_until_they_leave() -> None:
    statistics = RoutingStatistics()
    heard: list[str] = []
    removals = [statistics.add_listener(lambda name=name: heard.append(name)) for name in "ab"]  # type: ignore[misc]
    statistics.record(route("light-agent"), 1)
    removals[0]()
    removals[0]()
    statistics.record(route("light-agent"), 1)
    assert heard == ["a", "b", "b"]


def test_a_listener_may_leave_while_it_is_told() -> None:
    statistics = RoutingStatistics()
    heard: list[int] = []

    def leave() -> None:
        heard.append(statistics.decisions)
        remove()

    remove = statistics.add_listener(leave)
    statistics.add_listener(lambda: heard.append(-statistics.decisions))
    statistics.record(route("light-agent"), 1)
    statistics.record(route("light-agent"), 1)
    assert heard == [1, -1, -2]
