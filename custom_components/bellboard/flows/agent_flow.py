"""Common parts of the forms for agents: their texts, their id, and their storage."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_DESCRIPTION, CONF_NAME
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig
from homeassistant.util import slugify
import voluptuous as vol

from ..agents.models import label
from ..connections.own_agents import CONF_AGENT_ID, CONF_EXAMPLES
from ..routing.cleaning import clean
from ..services.action import all_assistants
from ..services.agents import (
    MOST_DESCRIPTION,
    MOST_EXAMPLE,
    MOST_EXAMPLES,
    MOST_NAME,
    built_in_agent_ids,
)

_ID_SUFFIX = "agent"
# In characters.
_MOST_ID = 40


class AgentFlow(ConfigSubentryFlow):
    """Adds an agent to a connection, or changes one."""

    def text_errors(self, agent_id: str, texts: dict[str, Any]) -> dict[str, str]:
        """Return the errors in the texts of an agent, by field."""
        errors = {name: "empty_text" for name in (CONF_NAME, CONF_DESCRIPTION) if not texts[name]}
        if CONF_NAME not in errors and self._is_taken(agent_id):
            errors[CONF_NAME] = "name_taken"
        return errors

    def _is_taken(self, agent_id: str) -> bool:
        """Return whether another agent has an id, or one that a model could not tell from it."""
        taken = built_in_agent_ids() | {
            agent.card.id
            for assistant in all_assistants(self.hass).values()
            for agent in assistant.registry
        }
        own = self.kept().get(CONF_AGENT_ID)
        return label(agent_id) in {label(other) for other in taken if other != own}

    def id_for(self, name: str, otherwise: str) -> str:
        """Return the id of the agent: the one it has, else one made of its name, or of `otherwise`."""
        return self.kept().get(CONF_AGENT_ID) or _id_of(name, otherwise)

    def save(self, data: dict[str, Any]) -> SubentryFlowResult:
        """Keep the agent; its id, by which rules name it, stays."""
        agent, title = self._agent(), data[CONF_NAME]
        if agent is None:
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(self._get_entry(), agent, title=title, data=data)

    def kept(self) -> dict[str, Any]:
        """Return the stored data of the subentry; a new one has none."""
        agent = self._agent()
        return dict(agent.data) if agent else {}

    def _agent(self) -> ConfigSubentry | None:
        """Return the agent that is changed; None for a new one."""
        return None if self.source == SOURCE_USER else self._get_reconfigure_subentry()


def text_fields() -> dict[Any, Any]:
    """Return the fields of the texts that routers read."""
    return {
        vol.Required(CONF_NAME): TextSelector(),
        vol.Required(CONF_DESCRIPTION): TextSelector(TextSelectorConfig(multiline=True)),
        vol.Optional(CONF_EXAMPLES, default=list): TextSelector(TextSelectorConfig(multiple=True)),
    }


def clean_texts(typed: dict[str, Any]) -> dict[str, Any]:
    """Return a name, a description and examples as a router's prompt can hold them."""
    examples = (clean(text, MOST_EXAMPLE) for text in typed.get(CONF_EXAMPLES, ()))
    return {
        CONF_NAME: clean(typed[CONF_NAME], MOST_NAME),
        CONF_DESCRIPTION: clean(typed[CONF_DESCRIPTION], MOST_DESCRIPTION),
        CONF_EXAMPLES: list(dict.fromkeys(filter(None, examples)))[:MOST_EXAMPLES],
    }


def _id_of(name: str, otherwise: str) -> str:
    """Return the id of an agent that is called so."""
    slug = slugify(name, separator="-")[:_MOST_ID].strip("-").removesuffix(_ID_SUFFIX).strip("-")
    return f"{slug or otherwise}-{_ID_SUFFIX}"
