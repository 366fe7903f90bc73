"""The fields of the form for an agent of the user's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import CONF_DOMAINS, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    EntitySelector,
    EntitySelectorConfig,
    LabelSelector,
    LabelSelectorConfig,
    ObjectSelector,
    ObjectSelectorConfig,
    ObjectSelectorField,
    SelectOptionDict,
    Selector,
    SelectSelector,
    TextSelector,
    TextSelectorConfig,
)
import voluptuous as vol

from ..connections.connection import shared_model
from ..connections.own_agents import (
    CONF_ACTIONS,
    CONF_AREAS,
    CONF_INSTRUCTIONS,
    CONF_LABELS,
    CONF_LIMITS,
    CONF_MAX,
    CONF_MIN,
    CONF_TARGET,
    CONF_VALUE,
)
from ..const import CONF_CONNECTION, CONF_PROVIDER, PROVIDER_AI_TASK, PROVIDER_NONE
from ..domains.registry import tables
from ..domains.restriction import can_be_limited
from .agent_flow import text_fields
from .assistant_form import other_connections
from .connection_form import async_find_models
from .selectors import choices, dropdown, model_options, number_selector, short_name

CONF_TEMPLATE = "template"
CONF_TRY = "try"

# Of values that can be limited: from kelvins to degrees below zero.
_LEAST, _MOST = -1000, 10_000


_ASSISTANTS_MODEL = "of_the_assistant"
# A connection of these kinds has no models to choose from.
_WITHOUT_MODELS = frozenset({PROVIDER_AI_TASK, PROVIDER_NONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """The choice of the model that plans for an agent: the assistant's, one of the server's, or another connection's.

    `models` are those of the connection's server, None where it has none to choose from; `connections` are the
    labels of other connections, by entry id.
    """

    models: Sequence[str] | None = None
    connections: Mapping[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> dict[vol.Marker, SelectSelector]:
        """Return the field of the form; none where there is nothing to choose."""
        if self.models is None and not self.connections:
            return {}
        assistants = SelectOptionDict(value=_ASSISTANTS_MODEL, label=_ASSISTANTS_MODEL)
        models, others = model_options(self.models or ()), choices(self.connections)
        selector = dropdown(
            [assistants, *models, *others],
            translation_key="agent_model",
            custom_value=self.models is not None,
        )
        return {vol.Required(CONF_MODEL, default=_ASSISTANTS_MODEL): selector}

    def shown(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return the form's values for an agent's stored data; a choice that is gone becomes the assistant's."""
        chosen = {name: value for name, value in kept.items() if name != CONF_MODEL}
        other = kept.get(CONF_CONNECTION)
        if other in self.connections:
            return chosen | {CONF_MODEL: other}
        if other is None and self.models is not None and (model := kept.get(CONF_MODEL)):
            return chosen | {CONF_MODEL: model}
        return chosen

    def kept(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data to store of typed values: a model by its name, or a connection by its entry id."""
        kept = {name: value for name, value in typed.items() if name != CONF_MODEL}
        chosen = typed.get(CONF_MODEL, _ASSISTANTS_MODEL).strip()
        if chosen in {"", _ASSISTANTS_MODEL}:
            return kept
        name = CONF_CONNECTION if chosen in self.connections else CONF_MODEL
        return kept | {name: chosen}


async def async_model_choice(
    hass: HomeAssistant, entry: ConfigEntry, kept: Mapping[str, Any]
) -> ModelChoice:
    """Return the choice of a model for an agent of a connection; `kept` is what the agent has by now.

    Where the server does not tell its models, one can be typed.
    """
    titles = other_connections(hass, entry, filter(None, [kept.get(CONF_CONNECTION)]))
    connections = {entry_id: _label(hass, entry_id, title) for entry_id, title in titles.items()}
    if entry.data[CONF_PROVIDER] in _WITHOUT_MODELS:
        return ModelChoice(connections=connections)
    _, models = await async_find_models(hass, entry.data)
    known = dict.fromkeys((*models, *filter(None, [kept.get(CONF_MODEL)])))
    return ModelChoice(models=tuple(known), connections=connections)


def _label(hass: HomeAssistant, entry_id: str, title: str) -> str:
    """Return what another connection is called beside models: with the model that it shares, if that is known."""
    entry = hass.config_entries.async_get_entry(entry_id)
    is_loaded = entry is not None and entry.state is ConfigEntryState.LOADED
    model = shared_model(entry) if entry and is_loaded else None
    return f"{title}: {short_name(model.model)}" if model and model.model else title


def template_schema(names: list[str]) -> vol.Schema:
    """Return the choice of what to begin with."""
    kinds = dropdown(names, translation_key="agent_template")
    return vol.Schema({vol.Required(CONF_TEMPLATE, default=names[0]): kinds})


def devices_schema(model: ModelChoice) -> vol.Schema:
    """Return the fields of an agent for devices, for which one of some models plans."""
    own = [table for table in tables() if table.plannable_actions]
    actions = [f"{table.name}.{each.name}" for table in own for each in table.plannable_actions]
    return vol.Schema(
        {
            **text_fields(),
            vol.Required(CONF_DOMAINS, default=list): dropdown(
                sorted(table.name for table in own), multiple=True
            ),
            vol.Optional(CONF_AREAS, default=list): AreaSelector(AreaSelectorConfig(multiple=True)),
            vol.Optional(CONF_LABELS, default=list): LabelSelector(
                LabelSelectorConfig(multiple=True)
            ),
            vol.Optional(CONF_ACTIONS, default=list): dropdown(sorted(actions), multiple=True),
            vol.Optional(CONF_LIMITS, default=list): _limits_selector(),
            **model.fields,
            vol.Optional(CONF_INSTRUCTIONS): TextSelector(TextSelectorConfig(multiline=True)),
            vol.Optional(CONF_TRY): TextSelector(),
        }
    )


def hand_over_schema() -> vol.Schema:
    """Return the fields of an agent that hands over to a conversation agent or a script."""
    targets = EntitySelector(EntitySelectorConfig(domain=["conversation", "script"]))
    return vol.Schema(
        {
            **text_fields(),
            vol.Required(CONF_TARGET): targets,
            vol.Optional(CONF_TRY): TextSelector(),
        }
    )


def _limits_selector() -> ObjectSelector:
    """Return the selector of limits: a value of an action, with the least and the greatest."""
    values = [
        f"{table.name}.{action.name}.{parameter.name}"
        for table in tables()
        for action in table.plannable_actions
        for parameter in action.parameters
        if can_be_limited(parameter)
    ]
    fields: dict[str, Selector[Any]] = {
        CONF_VALUE: dropdown(sorted(values)),
        CONF_MIN: number_selector(_LEAST, _MOST, step="any"),
        CONF_MAX: number_selector(_LEAST, _MOST, step="any"),
    }
    return ObjectSelector(
        ObjectSelectorConfig(
            fields={
                name: ObjectSelectorField(selector=kind, required=True)
                for name, kind in fields.items()
            },
            multiple=True,
            label_field=CONF_VALUE,
            translation_key="agent_limits",
        )
    )
