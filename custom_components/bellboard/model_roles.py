"""Which model does what for an assistant: routes, plans and talks, is escalated to, is tried out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from .connection import assistants_of, create_model
from .const import DOMAIN
from .llm.client import ModelClient
from .llm.limits import LimitedClient, Limits
from .options import AssistantOptions

_DATA_LIMITS: HassKey[dict[str, Limits]] = HassKey(f"{DOMAIN}_limits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models of an assistant; all are None for an assistant without a model.

    `main` plans and talks, `routing` decides who answers, `escalation` is asked where that one is
    unsure or fails, `trial` is what a share of turns is routed with.
    """

    main: ModelClient | None = None
    routing: ModelClient | None = None
    escalation: ModelClient | None = None
    trial: ModelClient | None = None


def create_models(hass: HomeAssistant, entry: ConfigEntry, options: AssistantOptions) -> Models:
    """Return the models of an assistant of a connection.

    Raises:
        ModelError: nobody can be asked at a connection's address, or its key cannot be sent.
    """
    limits = _limits_of(hass, entry)
    router = options.router
    main = _client(hass, entry.data, options.model, limits)
    routing = _client_of(hass, router.chat_client_key) or main
    return Models(
        main=main,
        routing=routing,
        escalation=_client_of(hass, router.escalation_key),
        trial=_client(hass, entry.data, router.trial_model, limits)
        if router.trial_model
        else routing,
    )


def forget_limits(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Let a connection begin anew, with the limits it has after a change."""
    hass.data.get(_DATA_LIMITS, {}).pop(entry.entry_id, None)


def _client(
    hass: HomeAssistant, connection: Mapping[str, Any], model: str, limits: Limits
) -> LimitedClient | None:
    """Return the client for a model of a connection, within the connection's limits."""
    client = create_model(hass, connection, {CONF_MODEL: model})
    return LimitedClient(client, limits=limits) if client else None


def _client_of(hass: HomeAssistant, entry_id: str) -> LimitedClient | None:
    """Return the client for another connection's model: the one its first assistant uses."""
    entry = hass.config_entries.async_get_entry(entry_id) if entry_id else None
    if entry is None or entry.domain != DOMAIN:
        return None
    model = next((options.model for options in _options_of(entry) if options.model), "")
    return _client(hass, entry.data, model, _limits_of(hass, entry))


def _options_of(entry: ConfigEntry) -> list[AssistantOptions]:
    """Return the options of a connection's assistants."""
    return [AssistantOptions.from_subentry(subentry.data) for subentry in assistants_of(entry)]


def _limits_of(hass: HomeAssistant, entry: ConfigEntry) -> Limits:
    """Return the limits of a connection, with the strictest rate any of its assistants asks for."""
    known = hass.data.setdefault(_DATA_LIMITS, {})
    if entry.entry_id not in known:
        rates = [options.requests_per_minute for options in _options_of(entry)]
        known[entry.entry_id] = Limits.create(
            requests_per_minute=min(filter(None, rates), default=0)
        )
    return known[entry.entry_id]
