"""Config flow: a connection to a model server (or none), and its assistants."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryState,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_NAME, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import voluptuous as vol

from .connection import async_list_models
from .const import (
    CONF_CONFIDENCE_THRESHOLD,
    CONF_PROVIDER,
    CONF_TIMEOUT,
    DEFAULT_CONFIDENCE_THRESHOLD,
    DEFAULT_TIMEOUT,
    DOMAIN,
    PROVIDER_NONE,
    SUBENTRY_ASSISTANT,
)
from .llm.errors import ModelError
from .llm.providers import PROVIDERS

_NAME = "Bellboard"
_NO_MODEL_TITLE = "Without a model"
_SECRET = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))


class BellboardConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets up a connection with a first assistant."""

    VERSION = 1
    MINOR_VERSION = 1

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
            errors, self._models = await _async_try(self.hass, connection)
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
            {vol.Required(CONF_MODEL, default=self._models[0]): _model_selector(self._models)}
        )
        return self.async_show_form(step_id="model", data_schema=schema)

    def _create(self, title: str, options: dict[str, Any]) -> ConfigFlowResult:
        """Create the connection with its first assistant."""
        assistant = ConfigSubentryData(
            subentry_type=SUBENTRY_ASSISTANT, title=_NAME, data=options, unique_id=None
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
            errors, _ = await _async_try(self.hass, {**entry.data, **user_input})
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
            errors, _ = await _async_try(self.hass, connection)
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


class AssistantFlow(ConfigSubentryFlow):
    """Adds an assistant to a connection, or changes one."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add an assistant."""
        return await self._async_step("user", user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an assistant."""
        return await self._async_step("reconfigure", user_input)

    async def _async_step(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Ask for an assistant's options, and keep them."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is not None:
            data = dict(user_input)
            title = data.pop(CONF_NAME)
            if step_id == "user":
                return self.async_create_entry(title=title, data=data)
            return self.async_update_and_abort(
                entry, self._get_reconfigure_subentry(), title=title, data=data
            )
        current: dict[str, Any] = {CONF_NAME: _NAME}
        if step_id == "reconfigure":
            subentry = self._get_reconfigure_subentry()
            current = {CONF_NAME: subentry.title, **subentry.data}
        errors, models = await _async_try(self.hass, entry.data)
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(
                _assistant_schema(entry, models, current), current
            ),
            errors=errors,
        )


_CONNECTION_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
        vol.Optional(CONF_API_KEY): _SECRET,
    }
)


def _assistant_schema(
    entry: ConfigEntry, models: list[str], current: Mapping[str, Any]
) -> vol.Schema:
    """Return the form of an assistant's options; without a model only its name is asked."""
    fields: dict[vol.Marker, Any] = {vol.Required(CONF_NAME, default=_NAME): TextSelector()}
    if entry.data[CONF_PROVIDER] == PROVIDER_NONE:
        return vol.Schema(fields)
    known = list(dict.fromkeys((*models, current.get(CONF_MODEL) or ""))) if models else []
    options = [name for name in known or [current.get(CONF_MODEL, "")] if name]
    fields |= {
        vol.Required(CONF_MODEL): _model_selector(options),
        vol.Required(CONF_TIMEOUT, default=DEFAULT_TIMEOUT): NumberSelector(
            NumberSelectorConfig(min=1, max=120, step=1, unit_of_measurement="s")
        ),
        vol.Required(
            CONF_CONFIDENCE_THRESHOLD, default=DEFAULT_CONFIDENCE_THRESHOLD
        ): NumberSelector(NumberSelectorConfig(min=0, max=1, step=0.05)),
    }
    return vol.Schema(fields)


def _model_selector(models: list[str]) -> SelectSelector:
    """Return the choice among a server's models; another name may be typed."""
    return SelectSelector(
        SelectSelectorConfig(
            options=models, mode=SelectSelectorMode.DROPDOWN, custom_value=True, sort=True
        )
    )


async def _async_try(
    hass: HomeAssistant, connection: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the form's errors for a connection, and the names of the models behind it."""
    if connection[CONF_PROVIDER] == PROVIDER_NONE:
        return {}, []
    try:
        models = [model.id for model in await async_list_models(hass, connection)]
    except ModelError as err:
        return {"base": err.kind}, []
    return ({} if models else {"base": "no_models"}), models
