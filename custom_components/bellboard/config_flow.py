"""Config flow: a connection to a model server (or none), and its assistants."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
)
from homeassistant.const import CONF_ENTITY_ID, CONF_MODEL, CONF_URL
from homeassistant.core import callback
import voluptuous as vol

from .assistant import DATA_CATALOG
from .connections.connection import assistants_of, create_model
from .const import (
    CONF_CONNECTION,
    CONF_PROVIDER,
    DOMAIN,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
    SUBENTRY_ASSISTANT,
)
from .flows.assist_choice import async_use, preferred_name
from .flows.assistant import AssistantFlow
from .flows.assistant_name import new_name
from .flows.connection_form import (
    NEW_KEY_SCHEMA,
    ai_task_entities,
    ai_task_schema,
    connections_to_share,
    detail_errors,
    kept_entity,
    new_title,
    provider_schema,
    server_of_form,
    server_schema,
    sharing_schema,
    shown_entity,
)
from .flows.model_choice import async_try_connection, model_selector
from .home.catalog import CatalogSource
from .llm.errors import UnreachableError
from .llm.providers import PROVIDERS
from .nlu.loader import async_get_language
from .turn.examples import example_sentences


class BellboardConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets up a connection with a first assistant."""

    VERSION = 1
    MINOR_VERSION = 3

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._connection: dict[str, Any] = {}
        self._models: list[str] = []
        self._options: dict[str, Any] = {}
        self._is_for_assist = False

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
        """Ask where the model comes from, if from anywhere.

        A connection without a model is given one in the same way.
        """
        is_change = self.source == SOURCE_RECONFIGURE
        if user_input is None:
            schema = provider_schema(without_none=is_change)
            return self.async_show_form(step_id="user", data_schema=schema)
        self._connection = {CONF_PROVIDER: user_input[CONF_PROVIDER]}
        name = user_input[CONF_PROVIDER]
        if name == PROVIDER_NONE:
            self._async_abort_entries_match(self._connection)
            return await self._async_equip({})
        if name == PROVIDER_AI_TASK:
            return await self.async_step_ai_task()
        if name == PROVIDER_CONNECTION:
            return await self.async_step_sharing()
        if PROVIDERS[name].asks_for_url:
            return await self.async_step_connection()
        return await self.async_step_key()

    async def async_step_connection(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the server is, and try it."""
        return await self._async_step_server("connection", user_input)

    async def async_step_key(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the key of a server whose address everybody knows, and try it."""
        return await self._async_step_server("key", user_input)

    async def _async_step_server(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask for a server, and try it."""
        provider = PROVIDERS[self._connection[CONF_PROVIDER]]
        errors: dict[str, str] = {}
        if user_input is not None:
            connection = server_of_form(provider, user_input)
            errors, self._models = await async_try_connection(self.hass, connection)
            if not errors:
                self._connection = self._async_unique(connection)
                return await self.async_step_model()
        schema = server_schema(provider, with_address=step_id == "connection")
        suggested = user_input or {CONF_URL: provider.default_url}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, suggested),
            errors=errors,
            description_placeholders={
                "provider": provider.title,
                "example": provider.example_url,
            },
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

    async def async_step_ai_task(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which AI Task entity is the model, and look whether it is there."""
        entity_ids = ai_task_entities(self.hass)
        if not entity_ids:
            return self.async_abort(reason="no_ai_task")
        kept = shown_entity(self.hass, self._kept(CONF_ENTITY_ID))
        suggested = {CONF_ENTITY_ID: kept} if kept in entity_ids else {}
        errors: dict[str, str] = {}
        if user_input is not None:
            suggested = user_input
            entity = kept_entity(self.hass, user_input[CONF_ENTITY_ID])
            connection = {CONF_PROVIDER: PROVIDER_AI_TASK, CONF_ENTITY_ID: entity}
            self._async_abort_entries_match(connection)
            errors, _ = await async_try_connection(self.hass, connection)
            if not errors and self.source == SOURCE_RECONFIGURE:
                return self._change(connection)
            if not errors:
                self._connection = connection
                return await self._async_equip({})
            errors = {"base": "entity_unavailable"}
        return self.async_show_form(
            step_id="ai_task",
            data_schema=self.add_suggested_values_to_schema(ai_task_schema(entity_ids), suggested),
            errors=errors,
        )

    async def async_step_sharing(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which other connection this one is the same as, and look what models it has."""
        kept = self._kept(CONF_CONNECTION)
        titles = connections_to_share(self.hass, kept)
        if not titles:
            return self.async_abort(reason="no_connection")
        suggested = {CONF_CONNECTION: kept} if kept in titles else {}
        errors: dict[str, str] = {}
        if user_input is not None:
            suggested = user_input
            connection = {CONF_PROVIDER: PROVIDER_CONNECTION, **user_input}
            self._async_abort_entries_match(connection)
            errors, self._models = await async_try_connection(self.hass, connection)
            if not errors and kept:
                return self._change(connection)
            if not errors:
                self._connection = connection
                return await self.async_step_model()
            if errors["base"] == UnreachableError.kind:
                errors = {"base": "connection_unavailable"}
        return self.async_show_form(
            step_id="sharing",
            data_schema=self.add_suggested_values_to_schema(sharing_schema(titles), suggested),
            errors=errors,
        )

    def _kept(self, name: str) -> str:
        """Return what the connection that is changed keeps; "" for a new one."""
        if self.source != SOURCE_RECONFIGURE:
            return ""
        return str(self._get_reconfigure_entry().data.get(name, ""))

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask which of the server's models to use, if there are several.

        Where another connection uses one, that is suggested.
        """
        if user_input is not None:
            return await self._async_equip({CONF_MODEL: user_input[CONF_MODEL]})
        if len(self._models) == 1:
            return await self._async_equip({CONF_MODEL: self._models[0]})
        client = create_model(self.hass, self._connection)
        first = client.model if client and client.model in self._models else self._models[0]
        schema = vol.Schema({vol.Required(CONF_MODEL, default=first): model_selector(self._models)})
        return self.async_show_form(step_id="model", data_schema=schema)

    async def _async_equip(self, options: dict[str, Any]) -> ConfigFlowResult:
        """Go on with what the first assistant keeps, or give a model to those there are.

        Whatever these have learnt and remember stays.
        """
        self._options = options
        if self.source != SOURCE_RECONFIGURE:
            return await self.async_step_assist()
        entry = self._get_reconfigure_entry()
        for assistant in assistants_of(entry):
            data = {**assistant.data, **options}
            self.hass.config_entries.async_update_subentry(entry, assistant, data=data)
        return self._change(self._connection)

    async def async_step_assist(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask whether Assist should use the assistant from now on."""
        pipeline = preferred_name(self.hass)
        if pipeline is None:
            return await self._async_create()
        return self.async_show_menu(
            step_id="assist",
            menu_options=["use_now", "not_now"],
            description_placeholders={"name": self._new_name(), "pipeline": pipeline},
        )

    async def async_step_use_now(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create the connection, and let Assist use its assistant."""
        self._is_for_assist = True
        return await self._async_create()

    async def async_step_not_now(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create the connection, and leave Assist as it is."""
        return await self._async_create()

    async def _async_create(self) -> ConfigFlowResult:
        """Create the connection with its first assistant, and say what to try."""
        name = self._new_name()
        assistant = ConfigSubentryData(
            subentry_type=SUBENTRY_ASSISTANT,
            title=name,
            data=self._options,
            unique_id=None,
        )
        language = await async_get_language(self.hass, self.hass.config.language)
        # Before the first connection nothing is shared yet.
        source = self.hass.data.get(DATA_CATALOG) or CatalogSource(self.hass)
        example, *_ = example_sentences(language, await source.async_get())
        return self.async_create_entry(
            title=new_title(self.hass, self._connection),
            data=self._connection,
            subentries=[assistant],
            description="in_use" if self._is_for_assist else "default",
            description_placeholders={"name": name, "example": example},
        )

    def _new_name(self) -> str:
        """Return what the first assistant is called."""
        return new_name(self.hass, self._options.get(CONF_MODEL, ""))

    @override
    async def async_on_create_entry(self, result: ConfigFlowResult) -> ConfigFlowResult:
        """Let Assist use the assistant, now that it is there, if that was wanted."""
        if self._is_for_assist and not await async_use(self.hass, result["result"]):
            result["description"] = "default"
        return result

    def _change(self, connection: dict[str, Any]) -> ConfigFlowResult:
        """Change the connection into another one; its assistants stay."""
        entry = self._get_reconfigure_entry()
        title = new_title(self.hass, connection, entry)
        return self.async_update_and_abort(entry, title=title, data=connection)

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
            provider = PROVIDERS[entry.data[CONF_PROVIDER]]
            connection = server_of_form(provider, {**entry.data, **user_input})
            errors, _ = await async_try_connection(self.hass, connection)
            if not errors:
                return self.async_update_and_abort(entry, data=connection)
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=NEW_KEY_SCHEMA,
            errors=errors,
            description_placeholders={"name": entry.title},
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another address or key and try them, or for what else the connection is to."""
        entry = self._get_reconfigure_entry()
        name = entry.data[CONF_PROVIDER]
        if name == PROVIDER_NONE:
            return await self.async_step_user()
        if name == PROVIDER_AI_TASK:
            return await self.async_step_ai_task()
        if name == PROVIDER_CONNECTION:
            return await self.async_step_sharing()
        provider = PROVIDERS[name]
        errors: dict[str, str] = {}
        if user_input is not None and not (errors := detail_errors(user_input)):
            connection = server_of_form(provider, user_input)
            errors, _ = await async_try_connection(self.hass, connection)
            if not errors:
                return self._change(self._async_unique(connection))
        schema = server_schema(provider, with_address=True, with_details=True)
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(schema, user_input or entry.data),
            errors=errors,
            description_placeholders={"provider": entry.title, "example": provider.example_url},
        )
