"""Sets Bellboard up in a running core, for anything that measures conversation agents."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentryData
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.connections.connection import async_list_models
from custom_components.bellboard.const import (
    CONF_PROVIDER,
    DOMAIN,
    PROVIDER_NONE,
    SUBENTRY_ASSISTANT,
)


def the_entry(hass: HomeAssistant) -> ConfigEntry:
    """Return Bellboard's only entry."""
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    return entry


async def setup_agent(hass: HomeAssistant, options: Mapping[str, Any]) -> str:
    """Set Bellboard up and return the entity id of its assistant.

    `options`: `provider` (`none` by default), `url`, `api_key`, `model` (the server's first one by
    default), and `assistant`, a mapping of the assistant's own options.
    """
    provider = options.get(CONF_PROVIDER) or PROVIDER_NONE
    data: dict[str, Any] = {CONF_PROVIDER: provider}
    assistant: dict[str, Any] = dict(options.get("assistant") or {})
    # Tests read traces, and ask a model as often as they like.
    assistant.setdefault("requests_per_minute", 0)
    assistant["telemetry"] = {"panel_words": "all", **assistant.get("telemetry", {})}
    if provider != PROVIDER_NONE:
        data[CONF_URL] = options[CONF_URL]
        if key := options.get(CONF_API_KEY):
            data[CONF_API_KEY] = key
        model = options.get(CONF_MODEL) or (await async_list_models(hass, data))[0]
        assistant.setdefault(CONF_MODEL, model)
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Bellboard",
        data=data,
        subentries_data=[
            ConfigSubentryData(
                subentry_type=SUBENTRY_ASSISTANT,
                title="Bellboard",
                data=MappingProxyType(assistant),
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    # Also what is done in the background: the server is greeted there, and a model that is not known is tested,
    # after which the connection is set up once more.
    await hass.async_block_till_done(wait_background_tasks=True)
    if entry.state is not ConfigEntryState.LOADED:
        raise RuntimeError(f"Bellboard could not be set up: {entry.reason}")
    return next(
        entity.entity_id
        for entity in er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
        if entity.domain == "conversation"
    )
