"""Telemetry: events of each stage to sinks, traces of turns, metrics, OpenTelemetry."""
