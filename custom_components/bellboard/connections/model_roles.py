"""The models of an assistant by their roles: routing, planning and talking, escalation, trial."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..const import CONF_PROVIDER, DOMAIN, PROVIDER_CONNECTION, PROVIDER_NONE, SUBENTRY_AGENT
from ..llm.ability import Contract, contract_of
from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..llm.limits import LimitedClient, Limits
from ..options import AUTOMATIC, AssistantOptions
from .aptitude import known_aptitude
from .connection import (
    SharedConnectionClient,
    assistants_of,
    create_model,
    has_own_model,
    shared_model,
    subentries_of,
)
from .versions import readable_options

_DATA_LIMITS: HassKey[dict[str, Limits]] = HassKey(f"{DOMAIN}_limits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The model clients of an assistant, None for a role without a model.

    `main` plans and talks. `routing` chooses the agent: the keyed chat client that `ChatClientKey`
    names (RouterExecutor contract, Constructor Dependencies), which may be another connection's even
    for an assistant without a model of its own. `escalation` is asked where `routing` is unsure or
    fails (RouterExecutor contract, Future Enhancements). `trial` routes a share of the turns.

    `contract` is what `main` is asked, `routing_contract` what `routing` is, and `trial_contract` what `trial` is.
    """

    main: ModelClient | None = None
    routing: ModelClient | None = None
    escalation: ModelClient | None = None
    trial: ModelClient | None = None
    contract: Contract = Contract.SMALL
    routing_contract: Contract = Contract.SMALL
    trial_contract: Contract = Contract.SMALL

    @property
    def is_capable(self) -> bool:
        """Return whether `main` plans by itself."""
        return self.main is not None and self.contract is Contract.CAPABLE


def create_models(
    hass: HomeAssistant,
    entry: ConfigEntry,
    options: AssistantOptions,
    tested: Mapping[str, Contract] = MappingProxyType({}),
) -> Models:
    """Return the models of an assistant of a connection; `tested` are the contracts that models were tested for.

    Raises:
        ModelError: nobody can be asked at a connection's address, or its key cannot be sent.
    """
    router = options.router
    main = limited_client(hass, entry, options.model)
    routing = _client_of_other(hass, router.chat_client_key) or main
    trial = limited_client(hass, entry, router.trial_model) if router.trial_model else None
    return Models(
        main=main,
        routing=routing,
        escalation=_client_of_other(hass, router.escalation_key),
        trial=trial or routing,
        contract=contract_for(options, main, tested),
        routing_contract=contract_for(options, routing, tested),
        trial_contract=contract_for(options, trial or routing, tested),
    )


def contract_for(
    options: AssistantOptions, client: ModelClient | None, tested: Mapping[str, Contract]
) -> Contract:
    """Return a model's contract: the chosen one, that of a test, or that of its name; SMALL without any."""
    if client is None:
        return Contract.SMALL
    if options.contract != AUTOMATIC:
        return Contract(options.contract)
    return tested.get(client.model) or contract_of(client.model) or Contract.SMALL


def contract_at(entry: ConfigEntry, model: str) -> Contract:
    """Return the contract of a model of a connection, for any assistant or agent.

    It is what was chosen for an assistant with this model, what a test for any of the connection's assistants and
    agents showed, or what it is known for; else little.
    """
    for options in options_of(entry):
        # An assistant that names no model has the only one there is.
        if options.contract != AUTOMATIC and options.model in {"", model}:
            return Contract(options.contract)
    return tested_contracts(entry).get(model) or contract_of(model) or Contract.SMALL


def tested_contracts(entry: ConfigEntry) -> dict[str, Contract]:
    """Return the contracts by tests of any of a connection's assistants and agents, by the model's name."""
    tested: dict[str, Contract] = {}
    for subentry in (*assistants_of(entry), *subentries_of(entry, SUBENTRY_AGENT)):
        tested |= known_aptitude(subentry.data)
    return tested


def create_shared_model(hass: HomeAssistant, entry: ConfigEntry) -> ModelClient | None:
    """Return the client a connection shares with others: for the model its first assistant uses.

    None for a connection without a model.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    model = next((options.model for options in options_of(entry) if options.model), "")
    return limited_client(hass, entry, model)


def forget_limits(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Drop the limits of a connection that is unloaded; they are made anew from its options."""
    hass.data.get(_DATA_LIMITS, {}).pop(entry.entry_id, None)


@callback
def limits_of_connection(hass: HomeAssistant, entry: ConfigEntry) -> Limits | None:
    """Return the limits of a connection; None for one without a server that was asked."""
    return hass.data.get(_DATA_LIMITS, {}).get(entry.entry_id)


@callback
def close_breaker(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Close the circuit breaker of a connection whose server was seen to answer."""
    if limits := hass.data.get(_DATA_LIMITS, {}).get(entry.entry_id):
        limits.breaker.close()


def limited_client(hass: HomeAssistant, entry: ConfigEntry, model: str) -> ModelClient | None:
    """Return the client for a model of a connection, with rate limit, circuit breaker and result callback.

    Where a connection shares another one, these are the other one's.
    """
    client = create_model(hass, entry.data, model, partial(_client_of_shared, hass, model))
    if client is None or entry.data[CONF_PROVIDER] == PROVIDER_CONNECTION:
        return client
    return LimitedClient(client, limits=_limits_of(hass, entry), on_result=partial(_report, entry))


@callback
def _report(entry: ConfigEntry, err: ModelError | None) -> None:
    """Report the result of a call to the watch of the connection's server."""
    # A model can be asked before its connection is set up whole.
    if (data := getattr(entry, "runtime_data", None)) and data.watch:
        data.watch.report(err)


def _client_of_shared(hass: HomeAssistant, model: str, shared: ConfigEntry) -> ModelClient | None:
    """Return the client for a model of a connection that is shared; "" for the model it uses itself.

    None where that connection has no model of its own: what is shared is not shared once more.
    """
    if not has_own_model(shared):
        return None
    client = shared_model(shared)
    if client is None or model in {"", client.model}:
        return client
    return limited_client(hass, shared, model)


def _client_of_other(hass: HomeAssistant, entry_id: str) -> SharedConnectionClient | None:
    """Return the client for the model another connection shares, or None where it has no model."""
    entry = hass.config_entries.async_get_entry(entry_id) if entry_id else None
    if entry is None or entry.domain != DOMAIN or entry.data[CONF_PROVIDER] == PROVIDER_NONE:
        return None
    return SharedConnectionClient(hass, entry_id)


def options_of(entry: ConfigEntry) -> list[AssistantOptions]:
    """Return the options of a connection's assistants."""
    return [readable_options(entry, subentry.data)[0] for subentry in assistants_of(entry)]


def _limits_of(hass: HomeAssistant, entry: ConfigEntry) -> Limits:
    """Return the limits of a connection, with the strictest rate any of its assistants asks for."""
    known = hass.data.setdefault(_DATA_LIMITS, {})
    if entry.entry_id not in known:
        options = options_of(entry) or [AssistantOptions()]
        rates = [each.requests_per_minute for each in options]
        known[entry.entry_id] = Limits.create(
            requests_per_minute=min(filter(None, rates), default=0),
            name=f"The model server of {entry.title}",
        )
    return known[entry.entry_id]
