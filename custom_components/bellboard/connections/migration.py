"""Migration of config entries of earlier minor versions."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_CONFIDENCE_THRESHOLD
from ..options import AssistantOptions, RouterOptions
from .connection import assistants_of

_SECTIONS = 2
"""The minor version since which an assistant's options are kept in sections."""
_ONE_TIMEOUT = 3
"""The minor version since which one time bounds whatever the model is asked."""


async def async_migrate_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Migrate an entry to the current minor version and return True.

    An entry of a later minor version is left as it is: what it keeps beyond this one is ignored.
    """
    for version, migrate in ((_SECTIONS, _in_sections), (_ONE_TIMEOUT, _with_one_timeout)):
        if entry.minor_version >= version:
            continue
        for subentry in assistants_of(entry):
            data = migrate(subentry.data)
            hass.config_entries.async_update_subentry(entry, subentry, data=data)
        hass.config_entries.async_update_entry(entry, minor_version=version)
    return True


def _in_sections(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an assistant's options with the confidence it needs among those of the router."""
    kept = dict(data)
    threshold = kept.pop(CONF_CONFIDENCE_THRESHOLD, None)
    if threshold is not None and threshold != RouterOptions().confidence_threshold:
        kept["router"] = {CONF_CONFIDENCE_THRESHOLD: threshold, **kept.get("router", {})}
    return kept


def _with_one_timeout(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an assistant's options without a time of its own for a decision of the model.

    A decision gets no less time than it had.
    """
    kept = dict(data)
    router = dict(kept.pop("router", {}))
    milliseconds = router.pop("call_timeout_ms", None)
    if router:
        kept["router"] = router
    before = AssistantOptions()
    seconds = before.routing_timeout if milliseconds is None else milliseconds / 1000
    chosen = kept.get("timeout", before.timeout)
    # What a decision had, it has still: half of the time for a question now.
    needed = min(seconds, chosen) / before.routing_timeout * before.timeout
    if (milliseconds is not None and "timeout" not in kept) or needed > chosen:
        kept["timeout"] = needed
    return kept
