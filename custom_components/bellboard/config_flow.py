"""Config flow: a connection to a model server (or none), and its assistants."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers.selector import (
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import voluptuous as vol

from .assistant_flow import DEFAULT_NAME, AssistantFlow
from .const import CONF_PROVIDER, DOMAIN, PROVIDER_NONE, SUBENTRY_ASSISTANT
from .llm.providers import PROVIDERS
from .model_choice import async_try_connection, model_selector

_NO_MODEL_TITLE = "Without a model"
_SECRET = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))
_CONNECTION_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
        vol.Optional(CONF_API_KEY): _SECRET,
    }
)


class BellboardConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets up a connection with a first assistant."""

    VERSION = 1
    MINOR_VERSION = 2

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._connection: dict[str, Any] = {}
        self._models: list[str] = []

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return that assistants can be added to a connection."""
        return {SUBENTRY_ASSISTANT: AssistantFlow}

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask what kind of server the model runs on, if on any."""
        if user_input is not None:
            self._connection = {CONF_PROVIDER: user_input[CONF_PROVIDER]}
            if user_input[CONF_PROVIDER] != PROVIDER_NONE:
                return await self.async_step_connection()
            self._async_abort_entries_match(self._connection)
            return self._create(_NO_MODEL_TITLE, {})
        providers = SelectSelector(
            SelectSelectorConfig(
                options=[*PROVIDERS, PROVIDER_NONE],
                translation_key=CONF_PROVIDER,
                mode=SelectSelectorMode.LIST,
            )
        )
        schema = vol.Schema({vol.Required(CONF_PROVIDER, default=next(iter(PROVIDERS))): providers})
        return self.async_show_form(step_id="user", data_schema=schema)

    async def async_step_connection(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the server is, and try it."""
        provider = PROVIDERS[self._connection[CONF_PROVIDER]]
        errors: dict[str, str] = {}
        if user_input is not None:
            connection = {CONF_PROVIDER: provider.name, **user_input}
            errors, self._models = await async_try_connection(self.hass, connection)
            if not errors:
                self._connection = self._async_unique(connection)
                return await self.async_step_model()
        suggested = user_input or {CONF_URL: provider.default_url}
        return self.async_show_form(
            step_id="connection",
            data_schema=self.add_suggested_values_to_schema(_CONNECTION_SCHEMA, suggested),
            errors=errors,
            description_placeholders={"provider": provider.title},
        )

    @callback
    def _async_unique(self, connection: dict[str, Any]) -> dict[str, Any]:
        """Return a connection with the one form of its address; abort where another entry has it."""
        provider = PROVIDERS[connection[CONF_PROVIDER]]
        place = {
            CONF_PROVIDER: provider.name,
            CONF_URL: provider.base_url(connection[CONF_URL]),
        }
        self._async_abort_entries_match(place)
        return connection | place

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask which of the server's models to use."""
        if user_input is not None:
            title = PROVIDERS[self._connection[CONF_PROVIDER]].title
            return self._create(title, {CONF_MODEL: user_input[CONF_MODEL]})
        schema = vol.Schema(
            {vol.Required(CONF_MODEL, default=self._models[0]): model_selector(self._models)}
        )
        return self.async_show_form(step_id="model", data_schema=schema)

    def _create(self, title: str, options: dict[str, Any]) -> ConfigFlowResult:
        """Create the connection with its first assistant."""
        assistant = ConfigSubentryData(
            subentry_type=SUBENTRY_ASSISTANT, title=DEFAULT_NAME, data=options, unique_id=None
        )
        return self.async_create_entry(title=title, data=self._connection, subentries=[assistant])

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin to ask for a new key."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a new key, and try it."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            errors, _ = await async_try_connection(self.hass, {**entry.data, **user_input})
            if not errors:
                return self.async_update_and_abort(entry, data_updates=user_input)
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=vol.Schema({vol.Required(CONF_API_KEY): _SECRET}),
            errors=errors,
            description_placeholders={"name": entry.title},
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another address or key, and try them."""
        entry = self._get_reconfigure_entry()
        if entry.data[CONF_PROVIDER] == PROVIDER_NONE:
            return self.async_abort(reason="nothing_to_change")
        errors: dict[str, str] = {}
        if user_input is not None:
            connection = {CONF_PROVIDER: entry.data[CONF_PROVIDER], **user_input}
            errors, _ = await async_try_connection(self.hass, connection)
            if not errors:
                return self.async_update_and_abort(entry, data=self._async_unique(connection))
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(
                _CONNECTION_SCHEMA, user_input or entry.data
            ),
            errors=errors,
            description_placeholders={"provider": entry.title},
        )
