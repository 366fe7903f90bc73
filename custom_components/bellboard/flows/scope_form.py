"""The part of an assistant's form that says where, for whom and when agents are there."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import intent
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    EntitySelector,
    EntitySelectorConfig,
    ObjectSelector,
    ObjectSelectorConfig,
    ObjectSelectorField,
    SelectOptionDict,
    Selector,
    TimeSelector,
)

from ..assistant import UNROUTED_AGENTS
from .selectors import choices, dropdown, number_selector

_TRANSLATION_KEY = "scope_rules"


async def async_user_choices(hass: HomeAssistant) -> list[SelectOptionDict]:
    """Return the people that can be chosen, by name; Home Assistant's own users are none."""
    people = [user for user in await hass.auth.async_get_users() if not user.system_generated]
    return choices({user.id: user.name or user.id for user in people if user.is_active})


@callback
def agent_choices(entry: ConfigEntry, *, with_unrouted: bool = False) -> list[SelectOptionDict]:
    """Return a connection's agents by name, also those that are never routed to if so asked."""
    cards = {
        agent.card.id: agent.card.name
        for assistant in entry.runtime_data.assistants.values()
        for agent in assistant.registry
        if with_unrouted or agent.card.id not in UNROUTED_AGENTS
    }
    return [SelectOptionDict(value=agent_id, label=name) for agent_id, name in cards.items()]


@callback
def scope_selector(
    hass: HomeAssistant, entry: ConfigEntry, users: list[SelectOptionDict]
) -> ObjectSelector:
    """Return the selector of a list of rules, with the connection's agents and `users` to choose."""
    agents = agent_choices(entry)
    known = {handler.intent_type for handler in intent.async_get(hass)}
    fields: dict[str, Selector[Any]] = {
        "agents": dropdown(agents, multiple=True, custom_value=True),
        "intents": dropdown(
            choices({name: name for name in known}), multiple=True, custom_value=True
        ),
        "areas": AreaSelector(AreaSelectorConfig(multiple=True)),
        "satellites": EntitySelector(
            EntitySelectorConfig(domain="assist_satellite", multiple=True)
        ),
        "users": dropdown(users, multiple=True, custom_value=True),
        "after": TimeSelector(),
        "before": TimeSelector(),
        # Not a slider: it would show 0 for what was left empty, and empty is everybody.
        "share": number_selector(0, 100, unit="%"),
    }
    return ObjectSelector(
        ObjectSelectorConfig(
            fields={name: ObjectSelectorField(selector=kind) for name, kind in fields.items()},
            multiple=True,
            label_field="agents",
            description_field="areas",
            translation_key=_TRANSLATION_KEY,
        )
    )
