"""Forms of a connection: their fields, and the data and the errors made of typed values."""

from collections.abc import Mapping
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
from ..connections.connection import async_list_models, create_model, has_own_model
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
from ..llm.errors import (
    AuthenticationError,
    BadOutputError,
    ModelError,
    ModelMissingError,
    NotAModelServerError,
    RequestRejectedError,
    UnreachableError,
)
from ..llm.models import Message
from ..llm.ollama import DEFAULT_KEEP_ALIVE, DEFAULT_NUM_CTX
from ..llm.port import ModelPort
from ..llm.providers import PROVIDERS, Provider
from ..llm.url import without_api
from .selectors import choices, connection_titles, dropdown, number_selector, secret_selector

# The order in which they are offered: what needs nothing first, then what most homes have.
_FIRST = (PROVIDER_NONE, "ollama", "openai", "gemini", "anthropic", PROVIDER_AI_TASK)
_NO_SERVER = (PROVIDER_AI_TASK, PROVIDER_CONNECTION, PROVIDER_NONE)
_LOOPBACK = frozenset({"127.0.0.1", "::1"})

# What is asked for besides where the client of a provider takes it: the default, and how it is asked.
_DETAILS: Mapping[str, tuple[Any, Selector[Any]]] = {
    CONF_KEEP_ALIVE: (str(DEFAULT_KEEP_ALIVE), TextSelector()),
    CONF_NUM_CTX: (DEFAULT_NUM_CTX, number_selector(512, 262144)),
}
_REFUSED = {"base": AuthenticationError.kind}
_HELLO_TOKENS = 16
_HELLO_TIMEOUT = 30.0
# Statuses of servers that take a request apart before they refuse it.
_NEEDS_NAME = (400, 422)
_DURATION = re.compile(r"-?\d+(?:\.\d+)?(?:ns|us|ms|s|m|h)?")

NEW_KEY_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): secret_selector()})
"""The form that asks for a server's new key."""


@callback
def provider_schema(hass: HomeAssistant, entry: ConfigEntry | None = None) -> vol.Schema:
    """Return the form that asks where the model comes from, if from anywhere; for an `entry` its own is chosen.

    None is offered to a connection that has one. The same as another connection is only offered where there is one to
    be the same as.
    """
    own = entry.data[CONF_PROVIDER] if entry else ""
    hidden = {PROVIDER_NONE} if own == PROVIDER_NONE else set()
    if own != PROVIDER_CONNECTION and not connections_to_share(
        hass, but=entry.entry_id if entry else ""
    ):
        hidden.add(PROVIDER_CONNECTION)
    # Most of them are called the same in every language; where one is not, its translation is shown.
    offered = {name: provider.title for name, provider in PROVIDERS.items()}
    offered |= {name: name for name in _NO_SERVER if name not in hidden}
    order = dict.fromkeys([*(name for name in _FIRST if name in offered), *offered])
    options = [SelectOptionDict(value=name, label=offered[name]) for name in order]
    selector = SelectSelector(
        SelectSelectorConfig(
            options=options, translation_key=CONF_PROVIDER, mode=SelectSelectorMode.LIST
        )
    )
    default = own if own in order else next(iter(order))
    return vol.Schema({vol.Required(CONF_PROVIDER, default=default): selector})


def server_schema(
    provider: Provider, *, with_address: bool, with_details: bool = False
) -> vol.Schema:
    """Return the form that asks for a server's address, where that is not known, and for its key.

    With details, also for what few people ever change.
    """
    address = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))
    key = vol.Required if provider.needs_key else vol.Optional
    fields: dict[vol.Marker, Any] = {vol.Required(CONF_URL): address} if with_address else {}
    fields[key(CONF_API_KEY)] = secret_selector()
    if with_details:
        fields |= {
            vol.Required(name, default=default): selector
            for name, (default, selector) in _DETAILS.items()
            if name in provider.options
        }
    return vol.Schema(fields)


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
def shown_entity(hass: HomeAssistant, kept: str) -> str | None:
    """Return the entity id of what is kept of an entity; None when it is gone."""
    return er.async_resolve_entity_id(er.async_get(hass), kept)


@callback
def connections_to_share(hass: HomeAssistant, chosen: str = "", *, but: str = "") -> dict[str, str]:
    """Return the titles of connections another one can be the same as, by entry id; not of one, `but`, that is changed.

    One that is `chosen` already need not be loaded.
    """
    titles = connection_titles(hass, has_own_model, [chosen])
    return {entry_id: title for entry_id, title in titles.items() if entry_id != but}


def sharing_schema(titles: Mapping[str, str]) -> vol.Schema:
    """Return the form that asks for one of some connections, given by entry id."""
    return vol.Schema({vol.Required(CONF_CONNECTION): dropdown(choices(titles))})


@callback
def typed_connection(
    hass: HomeAssistant, kept: Mapping[str, Any], typed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the `kept` data of a connection, its provider at least, with the values typed in a form.

    Of an entity its id in the registry is kept, if it is there, which renaming does not change.
    """
    connection = {**kept, **typed}
    if provider := PROVIDERS.get(connection[CONF_PROVIDER]):
        # Where no address is asked for, the usual one is meant.
        connection = {CONF_URL: provider.default_url, **connection}
    if CONF_NUM_CTX in connection:
        connection[CONF_NUM_CTX] = int(connection[CONF_NUM_CTX])
    if CONF_API_KEY in connection:
        # White space comes along where a key is copied from a page.
        connection[CONF_API_KEY] = connection[CONF_API_KEY].strip()
    if entity := er.async_get(hass).async_get(connection.get(CONF_ENTITY_ID, "")):
        connection[CONF_ENTITY_ID] = entity.id
    return connection


def place_of(connection: Mapping[str, Any]) -> dict[str, Any]:
    """Return the identifying data of a connection: the provider, with the one form of its address.

    Raises:
        InvalidUrlError: nobody can be asked at the address.
    """
    names = (CONF_PROVIDER, CONF_URL, CONF_ENTITY_ID, CONF_CONNECTION)
    place = {name: connection[name] for name in names if name in connection}
    if CONF_URL in place:
        place[CONF_URL] = PROVIDERS[connection[CONF_PROVIDER]].base_url(connection[CONF_URL])
    return place


@callback
def same_connection(
    hass: HomeAssistant, place: Mapping[str, Any], entry: ConfigEntry | None
) -> ConfigEntry | None:
    """Return another connection than `entry` to the same server, whatever kind it was taken for."""
    wanted = _identity(place)
    others = hass.config_entries.async_entries(DOMAIN, include_ignore=False)
    return next((each for each in others if each != entry and _identity(each.data) == wanted), None)


def _identity(connection: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what two connections to the same server, entity or connection have in common."""
    if CONF_URL not in connection:
        names = (CONF_PROVIDER, CONF_ENTITY_ID, CONF_CONNECTION)
        return tuple(connection.get(name) for name in names)
    parts = urlsplit(without_api(connection[CONF_URL]))
    host, port = parts.hostname or "", parts.port
    return ("localhost" if host in _LOOPBACK else host, port, parts.path)


async def async_check_connection(
    hass: HomeAssistant, connection: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the errors in a connection, by field, and the models to choose from if there are none."""
    kept = str(connection.get(CONF_KEEP_ALIVE, DEFAULT_KEEP_ALIVE)).strip()
    if not _DURATION.fullmatch(kept):
        return {CONF_KEEP_ALIVE: "invalid_duration"}, []
    errors, models = await async_find_models(hass, connection)
    is_server = connection[CONF_PROVIDER] in PROVIDERS
    if is_server and not connection.get(CONF_API_KEY) and errors == _REFUSED:
        return {CONF_API_KEY: "key_missing"}, []
    if connection[CONF_PROVIDER] == PROVIDER_AI_TASK:
        # An entity is one model, which needs no choice.
        return ({"base": "entity_unavailable"} if errors else {}), []
    is_shared = connection[CONF_PROVIDER] == PROVIDER_CONNECTION
    if is_shared and errors == {"base": UnreachableError.kind}:
        errors = {"base": "connection_unavailable"}
    return errors, models


async def async_find_models(
    hass: HomeAssistant, connection: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the form's errors for a connection, and the names of the models behind it.

    There are neither for a server that chats and does not list its models.
    """
    if connection[CONF_PROVIDER] == PROVIDER_NONE:
        return {}, []
    try:
        models = await async_list_models(hass, connection)
    except ModelError as err:
        if not (isinstance(err, NotAModelServerError) and err.has_no_list):
            return {"base": err.kind}, []
        failure = await async_try_model(hass, connection)
        return ({} if failure is None or _is_about_model(failure) else {"base": failure.kind}), []
    return ({} if models else {"base": "no_models"}), models


async def async_try_model(
    hass: HomeAssistant, connection: Mapping[str, Any], model: str = ""
) -> ModelError | None:
    """Ask a model of a connection to chat, and return why it did not; None where it answers."""
    try:
        if client := create_model(hass, connection, model):
            hello = Message(role="user", content="hello")
            await ModelPort(client).complete(
                [hello], max_tokens=_HELLO_TOKENS, timeout=_HELLO_TIMEOUT
            )
    except BadOutputError:
        # So few tokens may be none of the answer.
        return None
    except ModelError as err:
        return err
    return None


def _is_about_model(failure: ModelError) -> bool:
    """Return whether a server that was asked without a model's name may answer one with a name."""
    if isinstance(failure, RequestRejectedError):
        return failure.status in _NEEDS_NAME
    return isinstance(failure, ModelMissingError)
