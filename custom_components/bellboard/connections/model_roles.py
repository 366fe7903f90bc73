"""Which model does what for an assistant: routes, plans and talks, is escalated to, is tried out."""

from dataclasses import dataclass
from functools import partial

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..const import CONF_CONNECTION, CONF_PROVIDER, DOMAIN, PROVIDER_CONNECTION, PROVIDER_NONE
from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..llm.limits import LimitedClient, Limits
from ..options import AssistantOptions
from .connection import assistants_of, create_model, has_model_to_share
from .shared_connection import BorrowedClient, lent_by

_DATA_LIMITS: HassKey[dict[str, Limits]] = HassKey(f"{DOMAIN}_limits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models of an assistant, None for what it has no model for.

    `main` plans and talks, `routing` decides who answers, `escalation` is asked where that one is
    unsure or fails, `trial` is what a share of turns is routed with. An assistant that has no model
    of its own can still be routed with another connection's.
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
    router = options.router
    main = _client(hass, entry, options.model)
    routing = _borrowed(hass, router.chat_client_key) or main
    tried = _client(hass, entry, router.trial_model) if router.trial_model else None
    return Models(
        main=main,
        routing=routing,
        escalation=_borrowed(hass, router.escalation_key),
        trial=tried or routing,
    )


def lent_model(hass: HomeAssistant, entry: ConfigEntry) -> ModelClient | None:
    """Return what a connection lends to the assistants of others: the model its first one uses.

    None for a connection without a model.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    model = next((options.model for options in _options_of(entry) if options.model), "")
    return _client(hass, entry, model)


def forget_limits(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Let a connection begin anew, with the limits it has after a change."""
    hass.data.get(_DATA_LIMITS, {}).pop(entry.entry_id, None)


@callback
def let_through(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Let calls to a connection's server through again, which was seen to answer."""
    if limits := hass.data.get(_DATA_LIMITS, {}).get(entry.entry_id):
        limits.breaker.close()


def _client(hass: HomeAssistant, entry: ConfigEntry, model: str) -> ModelClient | None:
    """Return the client for a model of a connection, which keeps to its limits and hears of errors.

    A connection that is the same as another one has that one's limits, and that one hears of errors.
    """
    if entry.data[CONF_PROVIDER] == PROVIDER_CONNECTION:
        lend = partial(_lent_to_share, hass, model)
        return BorrowedClient(hass, entry.data[CONF_CONNECTION], lend)
    client = create_model(hass, entry.data, {CONF_MODEL: model})
    if client is None:
        return None
    return LimitedClient(client, limits=_limits_of(hass, entry), on_result=partial(_note, entry))


@callback
def _note(entry: ConfigEntry, err: ModelError | None) -> None:
    """Tell the watch of a connection's server how a call ended."""
    # A model can be asked before its connection is set up whole.
    if (data := getattr(entry, "runtime_data", None)) and data.watch:
        data.watch.note(err)


def _lent_to_share(hass: HomeAssistant, model: str, lender: ConfigEntry) -> ModelClient | None:
    """Return a model of the server of a connection, for one that is the same; "" for what it lends.

    None where it has no model of its own: of what is the same as another one, nothing more is made.
    """
    if not has_model_to_share(lender):
        return None
    lent = lent_by(lender)
    return lent if lent is None or model in {"", lent.model} else _client(hass, lender, model)


def _borrowed(hass: HomeAssistant, entry_id: str) -> BorrowedClient | None:
    """Return the client for what another connection lends, or None where it has nothing to lend."""
    entry = hass.config_entries.async_get_entry(entry_id) if entry_id else None
    if entry is None or entry.domain != DOMAIN or entry.data[CONF_PROVIDER] == PROVIDER_NONE:
        return None
    return BorrowedClient(hass, entry_id)


def _options_of(entry: ConfigEntry) -> list[AssistantOptions]:
    """Return the options of a connection's assistants."""
    return [AssistantOptions.from_subentry(subentry.data) for subentry in assistants_of(entry)]


def _limits_of(hass: HomeAssistant, entry: ConfigEntry) -> Limits:
    """Return the limits of a connection, with the strictest rate any of its assistants asks for."""
    known = hass.data.setdefault(_DATA_LIMITS, {})
    if entry.entry_id not in known:
        rates = [options.requests_per_minute for options in _options_of(entry)]
        known[entry.entry_id] = Limits.create(
            requests_per_minute=min(filter(None, rates), default=0),
            name=f"The model server of {entry.title}",
        )
    return known[entry.entry_id]
