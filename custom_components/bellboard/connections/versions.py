"""Entries of other versions: those of older ones are brought up to date, of a newer one is told what is not used."""

from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from pydantic import BaseModel, ValidationError

from ..const import CONF_CONFIDENCE_THRESHOLD, DOMAIN
from ..options import AssistantOptions, RouterOptions
from .aptitude import CONF_APTITUDE
from .connection import assistants_of

MINOR_VERSION = 3
"""The minor version of entries: a later one adds settings that this one does not know, and takes none away."""

ISSUE_NEWER = "newer_settings"
"""The repair issue about settings of a newer version, which are not used."""

_SECTIONS = 2
"""The minor version since which an assistant's options are kept in sections."""
_ONE_TIMEOUT = 3
"""The minor version since which one time bounds whatever the model is asked."""


async def async_migrate_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Migrate an entry to the current minor version and return True.

    An entry of a later minor version is left as it is: what it keeps beyond this one is ignored, and told.
    """
    if entry.minor_version > MINOR_VERSION:
        _tell_ignored(hass, entry)
    for version, migrate in ((_SECTIONS, _in_sections), (_ONE_TIMEOUT, _with_one_timeout)):
        if entry.minor_version >= version:
            continue
        for subentry in assistants_of(entry):
            data = migrate(subentry.data)
            hass.config_entries.async_update_subentry(entry, subentry, data=data)
        hass.config_entries.async_update_entry(entry, minor_version=version)
    return True


def readable_options(
    entry: ConfigEntry, data: Mapping[str, Any]
) -> tuple[AssistantOptions, tuple[str, ...]]:
    """Return the options that an assistant's subentry keeps, and what of it a newer version wrote and is not used.

    Raises:
        ValidationError: a value is not right, and no newer version wrote it.
    """
    if entry.minor_version <= MINOR_VERSION:
        return AssistantOptions.from_subentry(data), ()
    kept = {name: value for name, value in data.items() if name != CONF_APTITUDE}
    ignored = list(_unknown(AssistantOptions, kept))
    while True:
        try:
            return AssistantOptions.from_subentry(kept), tuple(dict.fromkeys(ignored))
        except ValidationError as err:
            path = [str(step) for step in err.errors()[0]["loc"]]
            ignored.append(".".join(path[:2]))
            kept = _without(kept, path[:2])


def _unknown(model: type[BaseModel], data: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """Yield the names in data that a model has no field for; those in a section after its name."""
    for name, value in data.items():
        field = model.model_fields.get(name)
        if field is None:
            yield before + name
        elif isinstance(value, Mapping) and isinstance(field.annotation, type):
            yield from _unknown(field.annotation, value, f"{before}{name}.")


def _without(data: Mapping[str, Any], path: list[str]) -> dict[str, Any]:
    """Return data without what a path leads to; without all of it, where it leads nowhere."""
    name, *rest = path
    section = data.get(name)
    kept = {other: value for other, value in data.items() if other != name}
    if rest and isinstance(section, Mapping) and rest[0] in section:
        kept[name] = _without(section, rest)
    return kept


@callback
def _tell_ignored(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Tell which settings of an entry's assistants a newer version wrote, that are not used."""
    issue_id = f"{ISSUE_NEWER}_{entry.entry_id}"
    ignored = {
        f"{subentry.title}: {name}"
        for subentry in assistants_of(entry)
        for name in readable_options(entry, subentry.data)[1]
    }
    if not ignored:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=ISSUE_NEWER,
        translation_placeholders={
            "connection": entry.title,
            "settings": "\n".join(f"- {each}" for each in sorted(ignored)),
        },
    )


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
