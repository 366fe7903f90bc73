"""What the forms of a connection ask for and choose among, and what a connection is called."""

from collections.abc import Mapping
from itertools import chain, count
import re
from typing import Any
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_ENTITY_ID, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    Selector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import voluptuous as vol

from ..connections.ai_task_model import AI_TASK_DOMAIN, generates_data
from ..connections.connection import has_own_model
from ..const import (
    CONF_CONNECTION,
    CONF_KEEP_ALIVE,
    CONF_NUM_CTX,
    CONF_PROVIDER,
    DOMAIN,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
)
from ..llm.ollama import DEFAULT_KEEP_ALIVE, DEFAULT_NUM_CTX
from ..llm.providers import PROVIDERS, Provider

ALL_PROVIDERS = (*PROVIDERS, PROVIDER_AI_TASK, PROVIDER_CONNECTION, PROVIDER_NONE)
"""Where a model may come from, in the order in which it is offered."""

_NO_MODEL_TITLE = "Without a model"
_PREFIXES = {PROVIDER_AI_TASK: "AI Task: ", PROVIDER_CONNECTION: "Same as "}
"""How the names begin of connections that are not to a server."""

_ADDRESS = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))
_SECRET = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))

# What is asked for besides where the client of a provider takes it: the default, and how it is asked.
_DETAILS: Mapping[str, tuple[Any, Selector[Any]]] = {
    CONF_KEEP_ALIVE: (str(DEFAULT_KEEP_ALIVE), TextSelector()),
    CONF_NUM_CTX: (
        DEFAULT_NUM_CTX,
        NumberSelector(
            NumberSelectorConfig(min=512, max=262144, step=1, mode=NumberSelectorMode.BOX)
        ),
    ),
}
_DURATION = re.compile(r"-?\d+(?:\.\d+)?(?:ns|us|ms|s|m|h)?")


def detail_errors(typed: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with the details of a connection, by field."""
    kept = str(typed.get(CONF_KEEP_ALIVE, DEFAULT_KEEP_ALIVE)).strip()
    return {} if _DURATION.fullmatch(kept) else {CONF_KEEP_ALIVE: "invalid_duration"}


NEW_KEY_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): _SECRET})


def provider_schema(*, without_none: bool = False) -> vol.Schema:
    """Return the form that asks where the model comes from; `without_none`, from somewhere at all."""
    offered = [name for name in ALL_PROVIDERS if not without_none or name != PROVIDER_NONE]
    providers = SelectSelector(
        SelectSelectorConfig(
            options=offered,
            translation_key=CONF_PROVIDER,
            mode=SelectSelectorMode.LIST,
        )
    )
    return vol.Schema({vol.Required(CONF_PROVIDER, default=ALL_PROVIDERS[0]): providers})


def server_schema(
    provider: Provider, *, with_address: bool, with_details: bool = False
) -> vol.Schema:
    """Return the form that asks for a server's address, where that is not known, and for its key.

    With details, also for what few people ever change.
    """
    key = vol.Required if provider.needs_key else vol.Optional
    fields: dict[vol.Marker, Any] = {vol.Required(CONF_URL): _ADDRESS} if with_address else {}
    fields[key(CONF_API_KEY)] = _SECRET
    if with_details:
        fields |= {
            vol.Required(name, default=default): selector
            for name, (default, selector) in _DETAILS.items()
            if name in provider.options
        }
    return vol.Schema(fields)


def server_of_form(provider: Provider, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the connection to a server as it was typed; the usual address where none was asked for."""
    server = {CONF_PROVIDER: provider.name, CONF_URL: provider.default_url, **typed}
    if CONF_NUM_CTX in server:
        server[CONF_NUM_CTX] = int(server[CONF_NUM_CTX])
    if CONF_API_KEY in server:
        # White space comes along where a key is copied from a page.
        server[CONF_API_KEY] = server[CONF_API_KEY].strip()
    return server


@callback
def ai_task_entities(hass: HomeAssistant) -> list[str]:
    """Return the ids of the AI Task entities that generate data."""
    states = hass.states.async_all(AI_TASK_DOMAIN)
    return sorted(state.entity_id for state in states if generates_data(state))


def ai_task_schema(entity_ids: list[str]) -> vol.Schema:
    """Return the form that asks for one of some AI Task entities."""
    selector = EntitySelector(
        EntitySelectorConfig(domain=AI_TASK_DOMAIN, include_entities=entity_ids)
    )
    return vol.Schema({vol.Required(CONF_ENTITY_ID): selector})


@callback
def kept_entity(hass: HomeAssistant, entity_id: str) -> str:
    """Return what is kept of an entity: its id in the registry, if it is there, which renaming does not change."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry else entity_id


@callback
def shown_entity(hass: HomeAssistant, kept: str) -> str | None:
    """Return the entity id of what is kept of an entity; None when it is gone."""
    return er.async_resolve_entity_id(er.async_get(hass), kept)


@callback
def connections_to_share(hass: HomeAssistant, chosen: str | None = None) -> dict[str, str]:
    """Return the titles of connections another one can be the same as, by entry id.

    One that is `chosen` already need not be loaded.
    """
    known = {
        entry.entry_id: entry.title
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        if has_own_model(entry)
    }
    if chosen and (entry := hass.config_entries.async_get_entry(chosen)):
        known[chosen] = entry.title
    return known


def sharing_schema(titles: Mapping[str, str]) -> vol.Schema:
    """Return the form that asks for one of some connections, given by entry id."""
    options = [
        SelectOptionDict(value=entry_id, label=title)
        for entry_id, title in sorted(titles.items(), key=lambda item: item[1].casefold())
    ]
    selector = SelectSelector(
        SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN)
    )
    return vol.Schema({vol.Required(CONF_CONNECTION): selector})


@callback
def new_title(
    hass: HomeAssistant, connection: Mapping[str, Any], entry: ConfigEntry | None = None
) -> str:
    """Return what a connection is called: by what it is to, and more if another one is called so.

    An `entry` that is changed keeps the name its user gave it.
    """
    if entry and not _is_ours(hass, entry):
        return entry.title
    titles = _titles(hass, connection)
    numbered = (f"{titles[-1]} ({number})" for number in count(2))
    taken = {
        other.title
        for other in hass.config_entries.async_entries(DOMAIN)
        if entry is None or other.entry_id != entry.entry_id
    }
    return next(title for title in chain(titles, numbered) if title not in taken)


@callback
def _is_ours(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether a connection is still called as we called it."""
    # What it was to may be gone, and its name with it.
    prefix = _PREFIXES.get(entry.data[CONF_PROVIDER])
    return entry.title.startswith(prefix) if prefix else entry.title in _titles(hass, entry.data)


@callback
def _titles(hass: HomeAssistant, connection: Mapping[str, Any]) -> list[str]:
    """Return what a connection may be called, the shortest first."""
    provider = connection[CONF_PROVIDER]
    if provider == PROVIDER_AI_TASK:
        entity_id = shown_entity(hass, connection[CONF_ENTITY_ID]) or connection[CONF_ENTITY_ID]
        state = hass.states.get(entity_id)
        name = f"{_PREFIXES[provider]}{state.name if state else entity_id}"
        return [name, f"{name} ({entity_id})"]
    if provider == PROVIDER_CONNECTION:
        lender = hass.config_entries.async_get_entry(connection[CONF_CONNECTION])
        return [f"{_PREFIXES[provider]}{lender.title if lender else DOMAIN}"]
    if provider == PROVIDER_NONE:
        return [_NO_MODEL_TITLE]
    title = PROVIDERS[provider].title
    return [title, f"{title} ({urlsplit(connection[CONF_URL]).netloc})"]
