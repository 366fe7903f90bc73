"""Config subentry flow: an agent elsewhere, which speaks the A2A protocol, is added to a connection, or changed."""

from typing import Any

from homeassistant.config_entries import ConfigEntryState, SubentryFlowResult
from homeassistant.const import CONF_DESCRIPTION, CONF_NAME, CONF_TOKEN, CONF_URL
from homeassistant.helpers.selector import BooleanSelector, TextSelector
import voluptuous as vol

from ..a2a.card import RemoteCard
from ..a2a.errors import A2AError, OtherOriginError, TokenRefusedError, UnsupportedTokenError
from ..connections.own_agents import CONF_AGENT_ID, CONF_EXAMPLES, CONF_ORIGIN, create_client
from .agent_flow import AgentFlow, clean_texts, text_fields
from .selectors import secret_selector

_ADDRESS_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): TextSelector(),
        vol.Optional(CONF_TOKEN): secret_selector(),
    }
)
_CONF_AGREE = "agree"
_ORIGIN_SCHEMA = vol.Schema({vol.Required(_CONF_AGREE, default=False): BooleanSelector()})
_CARD_SCHEMA = vol.Schema(text_fields())
# Of an agent whose name has no letters.
_NAMELESS = "a2a"


class A2AAgentFlow(AgentFlow):
    """Adds an A2A agent to a connection, or changes one: its address first, then what routers are told of it.

    Where the card names another address for its answers, that has to be agreed to in between.
    """

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._address: dict[str, Any] = {}
        self._suggested: dict[str, Any] = {}
        self._origin = ""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the address and the token, until the agent's card can be read."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is None:
            return self._ask_address(self.kept(), {})
        self._address = {
            name: text for name, typed in user_input.items() if (text := typed.strip())
        }
        kept = self.kept()
        if CONF_ORIGIN in kept and kept[CONF_URL] == self._address.get(CONF_URL):
            self._address[CONF_ORIGIN] = kept[CONF_ORIGIN]
        return await self._async_read_card(user_input)

    async_step_user = async_step_init
    async_step_reconfigure = async_step_init

    async def _async_read_card(self, typed: dict[str, Any]) -> SubentryFlowResult:
        """Go on to what the card tells, to what has to be agreed to first, or back to the address."""
        try:
            client = create_client(self.hass, {CONF_URL: "", **self._address})
            card = await client.async_read_card()
        except OtherOriginError as err:
            self._origin = err.origin
            return self._ask_origin({})
        except UnsupportedTokenError:
            return self._ask_address(typed, {CONF_TOKEN: "token_way"})
        except A2AError as err:
            is_token = isinstance(err, TokenRefusedError)
            return self._ask_address(typed, {CONF_TOKEN if is_token else CONF_URL: err.kind})
        if not client.other_origin:
            self._address.pop(CONF_ORIGIN, None)
        self._suggested = _texts_of(card) | self.kept()
        return await self.async_step_card()

    def _ask_address(self, shown: dict[str, Any], errors: dict[str, str]) -> SubentryFlowResult:
        """Return the form for the address and the token."""
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(_ADDRESS_SCHEMA, shown),
            errors=errors,
            last_step=False,
        )

    async def async_step_origin(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask whether what is said may go to another address than that of the card."""
        if user_input is None or not user_input[_CONF_AGREE]:
            return self._ask_origin({} if user_input is None else {_CONF_AGREE: "not_agreed"})
        self._address[CONF_ORIGIN] = self._origin
        return await self._async_read_card(self._address)

    def _ask_origin(self, errors: dict[str, str]) -> SubentryFlowResult:
        """Return the form that names the other address, which is never agreed to beforehand."""
        return self.async_show_form(
            step_id="origin",
            data_schema=_ORIGIN_SCHEMA,
            errors=errors,
            description_placeholders={
                "address": self._address[CONF_URL],
                "origin": self._origin,
            },
            last_step=False,
        )

    async def async_step_card(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Show what the card tells, and ask for what routers are told of it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            texts = clean_texts(user_input)
            agent_id = self.id_for(texts[CONF_NAME], _NAMELESS)
            errors = self.text_errors(agent_id, texts)
            if not errors:
                return self.save({**self._address, CONF_AGENT_ID: agent_id, **texts})
        shown = self._suggested if user_input is None else user_input
        return self.async_show_form(
            step_id="card",
            data_schema=self.add_suggested_values_to_schema(_CARD_SCHEMA, shown),
            errors=errors,
            last_step=True,
        )


def _texts_of(card: RemoteCard) -> dict[str, Any]:
    """Return what a card tells, sanitised for a prompt, as a form suggests it."""
    return clean_texts(
        {
            CONF_NAME: card.name,
            CONF_DESCRIPTION: card.description,
            CONF_EXAMPLES: list(card.examples),
        }
    )
