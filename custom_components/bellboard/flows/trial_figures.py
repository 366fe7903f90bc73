"""What came of a trial so far, as the trial's page shows it."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry

from ..telemetry.trial import TrialComparison

_UNKNOWN = "–"
# The figures that are shown: what they are called in a placeholder, their factor and decimal places.
_SHOWN = {"confidence": (1, 2), "corrected": (100, 0), "latency_ms": (1, 0)}


def trial_figures(entry: ConfigEntry, assistant: ConfigSubentry | None) -> dict[str, str]:
    """Return the figures of both variants and their difference, each with its interval, by placeholder."""
    assistants = entry.runtime_data.assistants
    running = assistants.get(assistant.subentry_id) if assistant else None
    figures = (running.observations.trial if running else TrialComparison()).as_json()
    shown = {
        f"{column}_{name}": _told(figures[column][name], *_SHOWN[name])
        for column in ("a", "b", "difference")
        for name in _SHOWN
    }
    counts = {f"{column}_decisions": str(figures[column]["decisions"]) for column in ("a", "b")}
    return shown | counts


def _told(figure: Mapping[str, Any] | None, factor: float, places: int) -> str:
    """Return a figure with its interval: "0.82 (0.80 … 0.84)"."""
    if figure is None:
        return _UNKNOWN
    value, low, high = (
        f"{each * factor:.{places}f}" for each in (figure["value"], *figure["interval"])
    )
    return f"{value} ({low} … {high})"
