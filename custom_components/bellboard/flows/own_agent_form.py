"""The fields of the form for an agent of the user's own."""

from typing import Any

from homeassistant.const import CONF_DOMAINS
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
    Selector,
    TextSelector,
    TextSelectorConfig,
)
import voluptuous as vol

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
from ..domains.registry import tables
from ..domains.restriction import can_be_limited
from .agent_flow import text_fields
from .selectors import dropdown, number_selector

CONF_TEMPLATE = "template"
CONF_TRY = "try"

# Of values that can be limited: from kelvins to degrees below zero.
_LEAST, _MOST = -1000, 10_000


def template_schema(names: list[str]) -> vol.Schema:
    """Return the choice of what to begin with."""
    kinds = dropdown(names, translation_key="agent_template")
    return vol.Schema({vol.Required(CONF_TEMPLATE, default=names[0]): kinds})


def devices_schema() -> vol.Schema:
    """Return the fields of an agent for devices."""
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
