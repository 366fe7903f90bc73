"""What all entities of an assistant share: its device."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers import device_registry as dr

from .assistant import Assistant
from .const import DOMAIN


def assistant_device(assistant: Assistant, subentry: ConfigSubentry) -> dr.DeviceInfo:
    """Return an assistant's device, named after its subentry."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, subentry.subentry_id)},
        name=subentry.title,
        manufacturer="Bellboard",
        model=assistant.model.model if assistant.model else None,
        entry_type=dr.DeviceEntryType.SERVICE,
    )
