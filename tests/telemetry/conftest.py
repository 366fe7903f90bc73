"""OpenTelemetry's SDK in memory: by itself, or as what the integration writes to."""

from collections.abc import Generator
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
import pytest

from custom_components.bellboard.telemetry import otel
from custom_components.bellboard.telemetry.otel import Instruments


class Collector:
    """OpenTelemetry's SDK, which keeps everything in memory."""

    def __init__(self) -> None:
        self.spans = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.meters = MeterProvider([self.reader])
        self.instruments = Instruments(
            self.tracers.get_tracer("test"), self.meters.get_meter("test")
        )

    def span(self) -> ReadableSpan:
        """Return the only span."""
        (span,) = self.spans.get_finished_spans()
        return span

    def points(self) -> dict[str, dict[str, Any]]:
        """Return the points of each metric by its attributes."""
        data = self.reader.get_metrics_data()
        assert data
        return {
            metric.name: {
                ",".join(
                    f"{key}={value!s}" for key, value in sorted((p.attributes or {}).items())
                ): p
                for p in metric.data.data_points
            }
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


@pytest.fixture
def collector() -> Generator[Collector]:
    """Return the SDK, which is shut down after a test."""
    collector = Collector()
    yield collector
    collector.tracers.shutdown()
    collector.meters.shutdown()


@pytest.fixture
def opentelemetry(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Collector:
    """Return what arrives at OpenTelemetry's SDK from now on."""
    monkeypatch.setattr(otel, "INSTRUMENTS", collector.instruments)
    return collector
