"""Config flow: a connection to a model server (or none), its first assistant, and whether Assist uses that."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
)
from homeassistant.const import CONF_ENTITY_ID, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import TextSelector
import voluptuous as vol

from ..assistant import DATA_CATALOG
from ..connections import versions
from ..connections.aptitude import CONF_APTITUDE, wants_test
from ..connections.connection import assistants_of, create_model
from ..const import (
    CONF_CONNECTION,
    CONF_PROVIDER,
    DOMAIN,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
    SUBENTRY_A2A_AGENT,
    SUBENTRY_AGENT,
    SUBENTRY_ASSISTANT,
)
from ..home.catalog import CatalogSource
from ..llm.errors import ModelMissingError
from ..llm.providers import PROVIDERS
from ..nlu.loader import async_get_language
from ..options import AUTOMATIC, AssistantOptions
from ..turn.small_talk import example_sentences
from .a2a_agent import A2AAgentFlow
from .aptitude_form import CONF_CONTRACT, AptitudeTest
from .assistant import AssistantFlow
from .connection_form import (
    NEW_KEY_SCHEMA,
    ai_task_entities,
    ai_task_schema,
    async_check_connection,
    async_try_model,
    connections_to_share,
    place_of,
    provider_schema,
    same_connection,
    server_schema,
    sharing_schema,
    shown_entity,
    typed_connection,
)
from .own_agent import OwnAgentFlow
from .selectors import model_selector, new_name, new_title

_PIPELINES = "assist_pipeline"
_CONVERSATION = "conversation"


class BellboardConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets up a connection with a first assistant, changes one, or asks for its new key.

    Each step that asks for a connection serves a new one and one that is changed.
    """

    VERSION = 1
    MINOR_VERSION = versions.MINOR_VERSION

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._connection: dict[str, Any] = {}
        self._models: list[str] = []
        self._options: dict[str, Any] = {}
        self._is_for_assist = False
        self._test: AptitudeTest | None = None

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return the types of subentries: assistants and agents, also those elsewhere."""
        return {
            SUBENTRY_ASSISTANT: AssistantFlow,
            SUBENTRY_AGENT: OwnAgentFlow,
            SUBENTRY_A2A_AGENT: A2AAgentFlow,
        }

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask where the model comes from, if from anywhere.

        A connection is given another model, a first one, or none in the same way.
        """
        if user_input is not None:
            return await self._async_step_of(user_input[CONF_PROVIDER])
        entry = self._get_reconfigure_entry() if self.source == SOURCE_RECONFIGURE else None
        if entry is None and self._entry_without_model:
            return await self.async_step_another()
        return self.async_show_form(step_id="user", data_schema=provider_schema(self.hass, entry))

    async def async_step_another(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the model of a second connection, and say how the one without a model gets one instead."""
        if user_input is not None:
            return await self._async_step_of(user_input[CONF_PROVIDER])
        entry = self._entry_without_model
        return self.async_show_form(
            step_id="another",
            data_schema=provider_schema(self.hass),
            description_placeholders={"title": entry.title if entry else ""},
        )

    @property
    def _entry_without_model(self) -> ConfigEntry | None:
        """The connection without a model, if there is one."""
        entries = self.hass.config_entries.async_entries(DOMAIN, include_ignore=False)
        return next((e for e in entries if e.data.get(CONF_PROVIDER) == PROVIDER_NONE), None)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another address, key, entity, connection or kind of model, or for none."""
        return await self.async_step_user()

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin to ask for a new key."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a new key."""
        entry = self._get_reauth_entry()
        self._connection = dict(entry.data)
        texts = {"name": entry.title}
        return await self._async_ask("reauth_confirm", NEW_KEY_SCHEMA, user_input, texts=texts)

    async def _async_step_of(self, provider: str) -> ConfigFlowResult:
        """Go on with the step that asks for what a provider needs."""
        self._connection = {CONF_PROVIDER: provider}
        if provider == PROVIDER_NONE:
            return await self._async_connected(self._connection)
        if provider == PROVIDER_AI_TASK:
            return await self.async_step_ai_task()
        if provider == PROVIDER_CONNECTION:
            return await self.async_step_sharing()
        if PROVIDERS[provider].asks_for_url or self._changed_entry:
            return await self.async_step_connection()
        return await self.async_step_key()

    async def async_step_connection(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the server is."""
        return await self._async_step_server("connection", user_input)

    async def async_step_key(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the key of a server whose address everybody knows."""
        return await self._async_step_server("key", user_input)

    async def _async_step_server(
        self, step_id: str, typed: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask for a server; for one that is changed, also for the details."""
        provider, entry = PROVIDERS[self._connection[CONF_PROVIDER]], self._changed_entry
        schema = server_schema(
            provider, with_address=step_id == "connection", with_details=entry is not None
        )
        return await self._async_ask(
            step_id,
            schema,
            typed,
            suggested=entry.data if entry else {CONF_URL: provider.default_url},
            texts={
                "provider": provider.title,
                "example": provider.example_url,
            },
        )

    async def async_step_ai_task(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which AI Task entity is the model."""
        entity_ids = ai_task_entities(self.hass)
        if not entity_ids:
            return self.async_abort(reason="no_ai_task")
        chosen = shown_entity(self.hass, self._kept(CONF_ENTITY_ID))
        suggested = {CONF_ENTITY_ID: chosen} if chosen in entity_ids else {}
        schema = ai_task_schema(entity_ids)
        return await self._async_ask("ai_task", schema, user_input, suggested=suggested)

    async def async_step_sharing(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which other connection this one is the same as."""
        chosen = self._kept(CONF_CONNECTION)
        titles = connections_to_share(self.hass, chosen, but=self._changed_id)
        if not titles:
            return self.async_abort(reason="no_connection")
        suggested = {CONF_CONNECTION: chosen} if chosen in titles else {}
        schema = sharing_schema(titles)
        return await self._async_ask("sharing", schema, user_input, suggested=suggested)

    async def _async_ask(
        self,
        step_id: str,
        schema: vol.Schema,
        typed: dict[str, Any] | None,
        *,
        suggested: Mapping[str, Any] | None = None,
        texts: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        """Ask for a connection until what was typed can be used, and go on with it."""
        errors: dict[str, str] = {}
        if typed is not None:
            connection = typed_connection(self.hass, self._connection, typed)
            errors, self._models = await async_check_connection(self.hass, connection)
            if not errors:
                return await self._async_connected(connection)
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, typed or suggested),
            errors=errors,
            description_placeholders=texts,
        )

    async def _async_connected(self, connection: dict[str, Any]) -> ConfigFlowResult:
        """Go on with a connection that can be asked: keep it as it is changed, or ask for its model.

        None is set up twice.
        """
        if self.source == SOURCE_REAUTH:
            return self.async_update_and_abort(self._get_reauth_entry(), data=connection)
        place = place_of(connection)
        kept = self._get_reconfigure_entry() if self.source == SOURCE_RECONFIGURE else None
        if other := same_connection(self.hass, place, kept):
            return self.async_abort(
                reason="already_configured", description_placeholders={"title": other.title}
            )
        self._connection = connection | place
        return self._change() if self._changed_entry else await self.async_step_model()

    @property
    def _changed_entry(self) -> ConfigEntry | None:
        """The connection that is changed; None for a new one, and for one that gets a model of another kind."""
        if self.source != SOURCE_RECONFIGURE:
            return None
        entry = self._get_reconfigure_entry()
        is_same = entry.data[CONF_PROVIDER] == self._connection[CONF_PROVIDER] != PROVIDER_NONE
        return entry if is_same else None

    @property
    def _changed_id(self) -> str:
        """The id of the connection that is changed, whatever it becomes; "" for a new one."""
        return str(self.context.get("entry_id", ""))

    def _kept(self, name: str) -> str:
        """Return what the connection that is changed keeps; "" for a new one."""
        return str(self._changed_entry.data.get(name, "")) if self._changed_entry else ""

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask which of the server's models to use, if there are several.

        Where another connection uses one, that is suggested. A server that lists none has its name typed.
        """
        if user_input is not None:
            return await self._async_equip({CONF_MODEL: user_input[CONF_MODEL]})
        if not self._models and self._connection[CONF_PROVIDER] in PROVIDERS:
            return await self.async_step_model_name()
        if not self._models:
            return await self._async_equip({})
        if len(self._models) == 1:
            return await self._async_equip({CONF_MODEL: self._models[0]})
        client = create_model(self.hass, self._connection)
        first = client.model if client and client.model in self._models else self._models[0]
        schema = vol.Schema({vol.Required(CONF_MODEL, default=first): model_selector(self._models)})
        return self.async_show_form(step_id="model", data_schema=schema)

    async def async_step_model_name(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what the server's model is called, until a model of that name answers."""
        errors: dict[str, str] = {}
        if user_input is not None:
            name = user_input[CONF_MODEL].strip()
            failure = await async_try_model(self.hass, self._connection, name)
            if name and not failure:
                return await self._async_equip({CONF_MODEL: name})
            errors = {"base": failure.kind if failure else ModelMissingError.kind}
        schema = vol.Schema({vol.Required(CONF_MODEL): TextSelector()})
        return self.async_show_form(
            step_id="model_name",
            data_schema=self.add_suggested_values_to_schema(schema, user_input),
            errors=errors,
        )

    async def _async_equip(self, options: dict[str, Any]) -> ConfigFlowResult:
        """Go on with what the first assistant keeps, or give a model to those there are.

        Whatever these have learnt and remember stays.
        """
        self._options = options
        if self.source != SOURCE_RECONFIGURE:
            return await self._async_find_out()
        entry = self._get_reconfigure_entry()
        for assistant in assistants_of(entry):
            data = {**assistant.data, **options}
            self.hass.config_entries.async_update_subentry(entry, assistant, data=data)
        return self._change()

    async def _async_find_out(self) -> ConfigFlowResult:
        """Go on once it is known what the model can be asked."""
        options = AssistantOptions.from_subentry(self._options)
        model = create_model(self.hass, self._connection, options.model)
        if not wants_test(model, options, self._options):
            return await self.async_step_assist()
        self._test = AptitudeTest(self.hass, model, options.timeout, self.async_update_progress)
        return await self.async_step_test()

    async def async_step_test(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show how far the test of the model is."""
        if self._test is None:
            return await self.async_step_assist()
        if not self._test.task.done():
            return self.async_show_progress(**self._test.progress)
        if found := self._test.found:
            self._options = {**self._options, CONF_APTITUDE: found.as_json()}
        is_tested = self._test.is_tested
        return self.async_show_progress_done(next_step_id="tested" if is_tested else "assist")

    async def async_step_tested(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show what came of the test, and ask whether that is to hold."""
        if user_input is not None:
            if user_input[CONF_CONTRACT] != AUTOMATIC:
                self._options = {**self._options, CONF_CONTRACT: user_input[CONF_CONTRACT]}
            return await self.async_step_assist()
        if self._test is None:
            return await self.async_step_assist()
        return self.async_show_form(**await self._test.async_form(self.hass, self._options))

    def _change(self) -> ConfigFlowResult:
        """Change the connection into the one that was asked for; its assistants stay."""
        entry = self._get_reconfigure_entry()
        title = new_title(self.hass, self._connection, entry)
        return self.async_update_and_abort(entry, title=title, data=self._connection)

    async def async_step_assist(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask whether Assist should use the assistant from now on."""
        pipeline = _preferred_pipeline(self.hass)
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
        example, *_ = example_sentences(self.hass, language, await source.async_get())
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
        if self._is_for_assist and not await _async_use_in_assist(self.hass, result["result"]):
            result["description"] = "default"
        return result


@callback
def _preferred_pipeline(hass: HomeAssistant) -> str | None:
    """Return the name of the preferred voice assistant; None where there are none."""
    if _PIPELINES not in hass.config.components:
        return None
    # Not every Home Assistant has it, and importing it takes what only voice needs.
    from homeassistant.components.assist_pipeline import async_get_pipeline  # noqa: PLC0415

    return async_get_pipeline(hass).name


async def _async_use_in_assist(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Let the preferred voice assistant ask the first assistant of a connection; return whether it does.

    Home Assistant no longer answers before it: what it understands, the assistant answers through it,
    and policies hold.
    """
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    agent = next((e.entity_id for e in entities if e.domain == _CONVERSATION), None)
    if agent is None or _preferred_pipeline(hass) is None:
        return False
    from homeassistant.components.assist_pipeline import async_get_pipeline, async_update_pipeline  # noqa: PLC0415

    await async_update_pipeline(
        hass, async_get_pipeline(hass), conversation_engine=agent, prefer_local_intents=False
    )
    return True
