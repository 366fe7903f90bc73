"""Config subentry flow: an agent elsewhere, which speaks the A2A protocol, is added to a connection, or changed."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_DESCRIPTION, CONF_NAME, CONF_TOKEN, CONF_URL
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig
from homeassistant.util import slugify
import voluptuous as vol

from ..a2a.card import RemoteCard
from ..a2a.errors import A2AError, TokenRefusedError
from ..connections.a2a_agents import CONF_AGENT_ID, CONF_EXAMPLES, create_client
from ..routing.cleaning import clean
from ..routing.prompt import label
from ..services.agents import (
    MOST_DESCRIPTION,
    MOST_EXAMPLE,
    MOST_EXAMPLES,
    MOST_NAME,
    built_in_agent_ids,
)
from ..services.lookup import all_assistants
from .selectors import secret_selector

_ADDRESS_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): TextSelector(),
        vol.Optional(CONF_TOKEN): secret_selector(),
    }
)
_CARD_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_NAME): TextSelector(),
        vol.Required(CONF_DESCRIPTION): TextSelector(TextSelectorConfig(multiline=True)),
        vol.Optional(CONF_EXAMPLES, default=list): TextSelector(TextSelectorConfig(multiple=True)),
    }
)
_ID_SUFFIX = "agent"
_MOST_ID = 40


class A2AAgentFlow(ConfigSubentryFlow):
    """Adds an A2A agent to a connection, or changes one: its address first, then what routers are told of it."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._address: dict[str, Any] = {}
        self._suggested: dict[str, Any] = {}

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the address and the token, until the agent's card can be read."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        errors: dict[str, str] = {}
        if user_input is not None:
            self._address = {
                name: text for name, typed in user_input.items() if (text := typed.strip())
            }
            try:
                card = await create_client(
                    self.hass, {CONF_URL: "", **self._address}
                ).async_read_card()
            except A2AError as err:
                is_token = isinstance(err, TokenRefusedError)
                errors = {CONF_TOKEN if is_token else CONF_URL: err.kind}
            else:
                self._suggested = _texts_of(card) | self._kept()
                return await self.async_step_card()
        shown = self._kept() if user_input is None else user_input
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(_ADDRESS_SCHEMA, shown),
            errors=errors,
            last_step=False,
        )

    async_step_user = async_step_init
    async_step_reconfigure = async_step_init

    async def async_step_card(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Show what the card tells, and ask for what routers are told of it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            texts = _clean_texts(user_input)
            agent_id = self._kept().get(CONF_AGENT_ID) or _id_of(texts[CONF_NAME])
            errors = self._find_errors(agent_id, texts)
            if not errors:
                return self._save({**self._address, CONF_AGENT_ID: agent_id, **texts})
        shown = self._suggested if user_input is None else user_input
        return self.async_show_form(
            step_id="card",
            data_schema=self.add_suggested_values_to_schema(_CARD_SCHEMA, shown),
            errors=errors,
            last_step=True,
        )

    def _find_errors(self, agent_id: str, texts: dict[str, Any]) -> dict[str, str]:
        """Return what is wrong with what was typed of a card, by field."""
        errors = {name: "empty_text" for name in (CONF_NAME, CONF_DESCRIPTION) if not texts[name]}
        return errors or ({CONF_NAME: "name_taken"} if self._is_taken(agent_id) else {})

    def _is_taken(self, agent_id: str) -> bool:
        """Return whether another agent has an id, or one that a model could not tell from it."""
        taken = built_in_agent_ids() | {
            agent.card.id
            for assistant in all_assistants(self.hass).values()
            for agent in assistant.registry
        }
        return label(agent_id) in {
            label(other) for other in taken if other != self._kept().get(CONF_AGENT_ID)
        }

    def _save(self, data: dict[str, Any]) -> SubentryFlowResult:
        """Keep the agent; its id, by which rules name it, stays."""
        agent, title = self._agent(), data[CONF_NAME]
        if agent is None:
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(self._get_entry(), agent, title=title, data=data)

    def _kept(self) -> dict[str, Any]:
        """Return what the subentry keeps by now; a new one keeps nothing."""
        agent = self._agent()
        return dict(agent.data) if agent else {}

    def _agent(self) -> ConfigSubentry | None:
        """Return the agent that is changed; None for a new one."""
        return None if self.source == SOURCE_USER else self._get_reconfigure_subentry()


def _texts_of(card: RemoteCard) -> dict[str, Any]:
    """Return what a card tells, sanitised for a prompt, as a form suggests it."""
    return _clean_texts(
        {
            CONF_NAME: card.name,
            CONF_DESCRIPTION: card.description,
            CONF_EXAMPLES: list(card.examples),
        }
    )


def _clean_texts(typed: dict[str, Any]) -> dict[str, Any]:
    """Return a name, a description and examples as a router's prompt can hold them."""
    examples = (clean(text, MOST_EXAMPLE) for text in typed.get(CONF_EXAMPLES, ()))
    return {
        CONF_NAME: clean(typed[CONF_NAME], MOST_NAME),
        CONF_DESCRIPTION: clean(typed[CONF_DESCRIPTION], MOST_DESCRIPTION),
        CONF_EXAMPLES: list(dict.fromkeys(filter(None, examples)))[:MOST_EXAMPLES],
    }


def _id_of(name: str) -> str:
    """Return the id of an agent that is called so."""
    slug = slugify(name, separator="-")[:_MOST_ID].strip("-").removesuffix(_ID_SUFFIX).strip("-")
    return f"{slug}-{_ID_SUFFIX}" if slug else f"a2a-{_ID_SUFFIX}"
