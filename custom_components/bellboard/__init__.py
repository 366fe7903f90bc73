"""Bellboard: lets the right specialist answer each sentence said to Assist."""

from dataclasses import dataclass
from functools import partial
import logging

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

from .assistant import DATA_CATALOG, Assistant, create_assistant
from .connection import async_list_models, create_model
from .const import CONF_PROVIDER, DOMAIN, PROVIDER_NONE, SUBENTRY_ASSISTANT
from .home.catalog import CatalogSource
from .llm.errors import AuthenticationError, ModelError
from .websocket import async_register_commands

_LOGGER = logging.getLogger(__name__)

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.CONVERSATION,)


@dataclass(frozen=True, slots=True)
class BellboardData:
    """What a loaded connection holds: its assistants by subentry id."""

    assistants: dict[str, Assistant]


type BellboardConfigEntry = ConfigEntry[BellboardData]


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Prepare what all connections share."""
    catalog = hass.data[DATA_CATALOG] = CatalogSource(hass)
    catalog.async_listen()
    async_register_commands(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: BellboardConfigEntry) -> bool:
    """Set up a connection and its assistants.

    A model server that is down does not keep the assistants from being set up: what Home Assistant
    understands by itself is answered without it.
    """
    entry.runtime_data = BellboardData(
        {
            subentry.subentry_id: create_assistant(
                hass,
                create_model(hass, entry.data, subentry.data),
                subentry.data,
                partial(_async_note_error, hass, entry),
            )
            for subentry in assistants_of(entry)
        }
    )
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    if entry.data[CONF_PROVIDER] != PROVIDER_NONE:
        entry.async_create_background_task(
            hass, _async_greet(hass, entry), f"{DOMAIN} greets {entry.title}"
        )
    return True


async def async_unload_entry(hass: HomeAssistant, entry: BellboardConfigEntry) -> bool:
    """Unload a connection."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


def assistants_of(entry: ConfigEntry) -> list[ConfigSubentry]:
    """Return the subentries that are assistants."""
    return [
        subentry
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_ASSISTANT
    ]


async def _async_reload(hass: HomeAssistant, entry: BellboardConfigEntry) -> None:
    """Apply a change of the connection or of its assistants."""
    await hass.config_entries.async_reload(entry.entry_id)


@callback
def _async_note_error(hass: HomeAssistant, entry: BellboardConfigEntry, err: ModelError) -> None:
    """Ask for a new key where the server no longer accepts the one there is."""
    if isinstance(err, AuthenticationError):
        entry.async_start_reauth(hass)


async def _async_greet(hass: HomeAssistant, entry: BellboardConfigEntry) -> None:
    """Ask the server once whether it is there, so that a wrong key is noticed before it is needed."""
    try:
        await async_list_models(hass, entry.data)
    except ModelError as err:
        _async_note_error(hass, entry, err)
        _LOGGER.warning(
            "The model server of %s does not answer, going on without it: %s", entry.title, err
        )
