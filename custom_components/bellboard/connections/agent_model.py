"""The model of an agent's own: one of its connection's server, or the one that another connection shares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant

from ..const import CONF_CONNECTION, SUBENTRY_AGENT
from ..llm.ability import Contract
from ..llm.client import ModelClient
from ..options import AssistantOptions
from .aptitude import wants_test
from .connection import subentries_of
from .model_roles import contract_at, limited_client, options_of
from .shared_connection import SharedConnectionClient


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A model that plans for one agent, asked within the limits of the connection whose it is."""

    hass: HomeAssistant
    entry_id: str
    client: ModelClient

    @property
    def contract(self) -> Contract:
        """Return what the model is asked, as its connection knows it now; little while that is not there."""
        entry = self.hass.config_entries.async_get_entry(self.entry_id)
        return contract_at(entry, self.client.model) if entry else Contract.SMALL


def create_agent_model(
    hass: HomeAssistant, entry: ConfigEntry, data: Mapping[str, Any]
) -> OwnModel | None:
    """Return the model of an agent of a connection, as its data name it, or None where it has none of its own.

    What another connection shares is asked there, and nobody else in its place: as long as that connection is not
    loaded, or where it is gone, the model cannot be reached.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    if other := data.get(CONF_CONNECTION):
        return OwnModel(hass, other, SharedConnectionClient(hass, other))
    if not (name := data.get(CONF_MODEL)):
        return None
    client = limited_client(hass, entry, name)
    return OwnModel(hass, entry.entry_id, client) if client else None


def untested_models(
    hass: HomeAssistant, entry: ConfigEntry
) -> Iterator[tuple[ConfigSubentry, ModelClient]]:
    """Yield agents with models of which it has to be found out what they can be asked, each model once.

    A model that an assistant has as well is tested for that one. Where questions are counted, they are kept for
    what people say.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    of_assistants = options_of(entry)
    if any(options.requests_per_minute for options in of_assistants):
        return
    seen = {options.model for options in of_assistants}
    for subentry in subentries_of(entry, SUBENTRY_AGENT):
        name = subentry.data.get(CONF_MODEL)
        if not name or name in seen:
            continue
        seen.add(name)
        model = limited_client(hass, entry, name)
        if wants_test(model, AssistantOptions(), subentry.data):
            yield subentry, model
