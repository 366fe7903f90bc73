"""Traces, statistics, trials and track record of each assistant; they outlive a reload of its options."""

from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .statistics import ModelStatistics, RoutingStatistics, TrackRecord, TrialComparison
from .trace import TraceBuffer

_DATA_OBSERVATIONS: HassKey[dict[str, Observations]] = HassKey(f"{DOMAIN}_observations")


@dataclass(frozen=True, slots=True)
class Observations:
    """An assistant's track record, traces, statistics, comparison of router variants, and figures of its models."""

    record: TrackRecord = field(default_factory=TrackRecord)
    traces: TraceBuffer = field(default_factory=TraceBuffer)
    statistics: RoutingStatistics = field(default_factory=RoutingStatistics)
    trial: TrialComparison = field(default_factory=TrialComparison)
    models: ModelStatistics = field(default_factory=ModelStatistics)


@callback
def observations_of(hass: HomeAssistant, assistant_id: str) -> Observations:
    """Return the observations of an assistant since Home Assistant started."""
    return hass.data.setdefault(_DATA_OBSERVATIONS, {}).setdefault(assistant_id, Observations())


@callback
def forget_observations(hass: HomeAssistant, assistant_id: str) -> None:
    """Forget the observations of an assistant that was removed."""
    hass.data.get(_DATA_OBSERVATIONS, {}).pop(assistant_id, None)
