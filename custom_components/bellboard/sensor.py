"""Diagnostic sensors: how an assistant's routing is doing, off until somebody wants them; a server's absence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import BellboardConfigEntry
from .assistant import Assistant
from .connections.connection import assistants_of
from .connections.server_watch import ServerWatch
from .entity import assistant_device, connection_device
from .telemetry.statistics import RoutingStatistics


class ServerSensor(SensorEntity):
    """Since when the model server of a connection has been unavailable; unknown while it answers."""

    _attr_device_class = SensorDeviceClass.TIMESTAMP
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "server_away_since"

    def __init__(self, entry: ConfigEntry, watch: ServerWatch) -> None:
        """Show what the watch of a connection's server knows."""
        self._watch = watch
        self._attr_unique_id = f"{entry.entry_id}_server_away_since"
        self._attr_device_info = connection_device(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the server's availability."""
        self.async_on_remove(self._watch.add_listener(self.async_write_ha_state))

    @property
    @override
    def native_value(self) -> datetime | None:
        """Return when the server was first found unavailable."""
        return self._watch.unavailable_since


# Nothing is asked for: the numbers are in memory.
PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class RoutingSensorDescription(SensorEntityDescription):
    """A number about routing; None where there is none yet."""

    value: Callable[[RoutingStatistics], float | None]
    attributes: Callable[[RoutingStatistics], Mapping[str, Any]] | None = None


def _percent(share: float | None) -> float | None:
    """Return a share between 0 and 1 in percent."""
    return None if share is None else share * 100


SENSORS = (
    RoutingSensorDescription(
        key="decisions",
        translation_key="decisions",
        state_class=SensorStateClass.TOTAL_INCREASING,
        value=lambda statistics: statistics.decisions,
        attributes=lambda statistics: {"by_agent": statistics.by_agent},
    ),
    *(
        RoutingSensorDescription(
            key=key,
            translation_key=key,
            device_class=SensorDeviceClass.DURATION,
            native_unit_of_measurement=UnitOfTime.MILLISECONDS,
            state_class=SensorStateClass.MEASUREMENT,
            suggested_display_precision=1,
            value=attrgetter(key),
        )
        for key in ("latency_p50", "latency_p95")
    ),
    RoutingSensorDescription(
        key="mean_confidence",
        translation_key="mean_confidence",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda statistics: _percent(statistics.mean_confidence),
    ),
    RoutingSensorDescription(
        key="fallbacks",
        translation_key="fallbacks",
        state_class=SensorStateClass.TOTAL_INCREASING,
        value=lambda statistics: statistics.fallbacks,
    ),
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: BellboardConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the sensor of a connection to a server, and those of its assistants."""
    if watch := entry.runtime_data.watch:
        async_add_entities([ServerSensor(entry, watch)])
    for subentry in assistants_of(entry):
        assistant = entry.runtime_data.assistants[subentry.subentry_id]
        async_add_entities(
            [RoutingSensor(assistant, subentry, description) for description in SENSORS],
            config_subentry_id=subentry.subentry_id,
        )


class RoutingSensor(SensorEntity):
    """A number about an assistant's routing, up to date after each sentence."""

    entity_description: RoutingSensorDescription
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_entity_registry_enabled_default = False
    _attr_has_entity_name = True
    _attr_should_poll = False
    # A mapping would be written anew for every sentence.
    _unrecorded_attributes = frozenset({"by_agent"})

    def __init__(
        self, assistant: Assistant, subentry: ConfigSubentry, description: RoutingSensorDescription
    ) -> None:
        """Show what `description` picks from an assistant's statistics."""
        self.entity_description = description
        self._statistics = assistant.statistics
        self._attr_unique_id = f"{subentry.subentry_id}_{description.key}"
        self._attr_device_info = assistant_device(assistant, subentry)

    @override
    async def async_added_to_hass(self) -> None:
        """Listen to the statistics."""
        self.async_on_remove(self._statistics.add_listener(self.async_write_ha_state))

    @property
    @override
    def native_value(self) -> float | None:
        """Return the number."""
        return self.entity_description.value(self._statistics)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any] | None:
        """Return the parts of the number, where they are known."""
        attributes = self.entity_description.attributes
        return attributes(self._statistics) if attributes else None
