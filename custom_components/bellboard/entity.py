"""The devices of entities: an assistant's, and a connection's."""

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.helpers import device_registry as dr

from .assistant import Assistant
from .const import CONF_PROVIDER, DOMAIN
from .llm.providers import PROVIDERS


def assistant_device(assistant: Assistant, subentry: ConfigSubentry) -> dr.DeviceInfo:
    """Return an assistant's device, named after its subentry."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, subentry.subentry_id)},
        name=subentry.title,
        manufacturer="Bellboard",
        model=assistant.model.model if assistant.model else None,
        entry_type=dr.DeviceEntryType.SERVICE,
    )


def connection_device(entry: ConfigEntry) -> dr.DeviceInfo:
    """Return the device of a connection to a server, named after it."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, entry.entry_id)},
        name=entry.title,
        manufacturer=PROVIDERS[entry.data[CONF_PROVIDER]].title,
        entry_type=dr.DeviceEntryType.SERVICE,
    )
