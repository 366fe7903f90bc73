"""Brings config entries of earlier versions up to date."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from .connection import assistants_of
from .const import CONF_CONFIDENCE_THRESHOLD
from .options import RouterOptions

_SECTIONS = 2
"""The minor version since which an assistant's options are kept in sections."""


async def async_migrate_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Bring an entry up to date and return True.

    An entry of a later minor version is left as it is: it can be read.
    """
    if entry.minor_version < _SECTIONS:
        for subentry in assistants_of(entry):
            data = _in_sections(subentry.data)
            hass.config_entries.async_update_subentry(entry, subentry, data=data)
        hass.config_entries.async_update_entry(entry, minor_version=_SECTIONS)
    return True


def _in_sections(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an assistant's options with the confidence it needs among those of the router."""
    kept = dict(data)
    threshold = kept.pop(CONF_CONFIDENCE_THRESHOLD, None)
    if threshold is not None and threshold != RouterOptions().confidence_threshold:
        kept["router"] = {CONF_CONFIDENCE_THRESHOLD: threshold, **kept.get("router", {})}
    return kept
