"""Config subentry flow: an assistant is added to a connection, or changed."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.helpers.selector import BooleanSelector, TextSelector
from pydantic import ValidationError
import voluptuous as vol

from ..const import CONF_PROVIDER
from ..options import AssistantOptions
from .assistant_form import (
    CHOSEN_MODELS,
    PLACEHOLDER_TEXTS,
    AssistantForm,
    error_placeholders,
    form_errors,
    kept_values,
    other_connections,
)
from .assistant_name import is_taken, new_name
from .assistant_pages import FIRST_PAGE, PAGES, options_of
from .built_in_texts import async_built_in_texts
from .model_choice import async_try_connection
from .scope_form import async_user_choices

CONF_ADVANCED = "advanced"


class AssistantFlow(ConfigSubentryFlow):
    """Adds an assistant to a connection, or changes one.

    The first page asks for what most people change; the others are behind a menu. Nothing is kept
    before all of it is saved.
    """

    def __init__(self) -> None:
        """Begin with nothing typed."""
        self._values: dict[str, Any] | None = None
        self._name = ""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add an assistant."""
        return await self._async_first("user", user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an assistant."""
        return await self._async_first("reconfigure", user_input)

    async def async_step_advanced(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the other pages to choose from."""
        pages = [page for page in PAGES if page != FIRST_PAGE and self._paths(page)]
        return self.async_show_menu(
            step_id="advanced", menu_options=["save", *pages, "restore_defaults"]
        )

    async def async_step_routing(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask how it is decided who answers."""
        return await self._async_page("routing", user_input)

    async def async_step_prompts(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask in which words the model is asked, and the user."""
        return await self._async_page("prompts", user_input)

    async def async_step_trial(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what is tried out in a share of the conversations."""
        return await self._async_page("trial", user_input)

    async def async_step_running(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask how agents are run."""
        return await self._async_page("running", user_input)

    async def async_step_answers(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask how several answers become one."""
        return await self._async_page("answers", user_input)

    async def async_step_workflow(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask who goes on when an agent has answered."""
        return await self._async_page("workflow", user_input)

    async def async_step_memory(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask where conversations are remembered."""
        return await self._async_page("memory", user_input)

    async def async_step_telemetry(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what is told of each stage of a turn, and to whom."""
        return await self._async_page("telemetry", user_input)

    async def async_step_save(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Keep what was typed on all pages."""
        return self._save()

    async def async_step_restore_defaults(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Set everything but the name and the model back to what it was at first."""
        values = self._now()
        self._values = {name: values[name] for name in (CONF_MODEL,) if name in values}
        return self._save()

    async def _async_first(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Ask for the name and what most people change."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        errors: dict[str, str] = {}
        texts: dict[str, str] = {}
        if user_input is not None:
            errors, texts = await self._async_take(FIRST_PAGE, user_input)
            name = user_input.get(CONF_NAME, "").strip()
            assistant = self._assistant()
            # Those that were called alike before can stay so.
            is_new = assistant is None or name != assistant.title
            if is_new and is_taken(self.hass, name, assistant):
                errors[CONF_NAME] = "name_taken"
            if not errors:
                self._name = name
                is_done = not user_input[CONF_ADVANCED]
                return self._save() if is_done else await self.async_step_advanced()
        return await self._async_show(step_id, FIRST_PAGE, user_input, errors, texts)

    async def _async_page(self, page: str, user_input: dict[str, Any] | None) -> SubentryFlowResult:
        """Ask for the options of a page, and go back to the menu."""
        errors: dict[str, str] = {}
        texts: dict[str, str] = {}
        if user_input is not None:
            errors, texts = await self._async_take(page, user_input)
            if not errors:
                return await self.async_step_advanced()
        return await self._async_show(page, page, user_input, errors, texts)

    async def _async_take(
        self, page: str, user_input: dict[str, Any]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Take what was typed on a page; return what is wrong with it, and what the errors name."""
        paths = self._paths(page)
        form = await self._async_form([])
        values = form.typed(self._now(), paths, user_input)
        try:
            options = AssistantOptions.from_subentry(values)
        except ValidationError as err:
            return form_errors(err, paths), error_placeholders(err)
        steps = options.workflow
        if page == "workflow" and steps.strategy == "gatekeeper" and not steps.gatekeeper_url:
            return {"gatekeeper_url": "gatekeeper_missing"}, {}
        self._values = values
        return {}, {}

    async def _async_show(
        self,
        step_id: str,
        page: str,
        typed: dict[str, Any] | None,
        errors: dict[str, str],
        texts: dict[str, str],
    ) -> SubentryFlowResult:
        """Show a page, with what was typed and what is wrong with it."""
        paths = self._paths(page)
        models: list[str] = []
        if not CHOSEN_MODELS.isdisjoint(paths):
            trouble, models = await async_try_connection(self.hass, self._get_entry().data)
            errors = trouble | errors
        form = await self._async_form(models)
        fields: dict[Any, Any] = {**form.fields(paths)}
        values = form.shown(self._now(), paths)
        if page == FIRST_PAGE:
            is_new = self.source == SOURCE_USER
            name = vol.Optional(CONF_NAME) if is_new else vol.Required(CONF_NAME)
            advanced = vol.Required(CONF_ADVANCED, default=False)
            fields = {name: TextSelector(), **fields, advanced: BooleanSelector()}
            if assistant := self._assistant():
                values[CONF_NAME] = assistant.title
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(
                vol.Schema(fields), values if typed is None else typed
            ),
            errors=errors,
            description_placeholders={**PLACEHOLDER_TEXTS, **texts},
            # What follows the first page is not known before it is sent.
            last_step=None if page == FIRST_PAGE else False,
        )

    async def _async_form(self, models: list[str]) -> AssistantForm:
        """Return the form of the assistant, with the models to choose from."""
        return AssistantForm(
            hass=self.hass,
            entry=self._get_entry(),
            kept=self._kept(),
            models=models,
            users=await async_user_choices(self.hass),
            texts=await async_built_in_texts(self.hass),
        )

    def _save(self) -> SubentryFlowResult:
        """Keep what was typed, and what is no option of this form."""
        kept = self._kept()
        others = {name: kept[name] for name in kept.keys() - AssistantOptions.model_fields}
        options = AssistantOptions.from_subentry(self._now())
        data = others | kept_values(options)
        assistant = self._assistant()
        if assistant is None:
            name = self._name or new_name(self.hass, options.model)
            return self.async_create_entry(title=name, data=data)
        return self.async_update_and_abort(
            self._get_entry(), assistant, title=self._name or assistant.title, data=data
        )

    def _paths(self, page: str) -> tuple[str, ...]:
        """Return the options of a page that are of use here."""
        entry, router = self._get_entry(), self._kept().get("router", {})
        chosen = [router[name] for name in ("chat_client_key", "escalation_key") if name in router]
        has_others = bool(other_connections(self.hass, entry, chosen))
        return options_of(page, entry.data[CONF_PROVIDER], has_others=has_others)

    def _now(self) -> dict[str, Any]:
        """Return the values as they would be kept now."""
        return self._kept() if self._values is None else self._values

    def _kept(self) -> dict[str, Any]:
        """Return what the subentry keeps by now; a new one keeps nothing."""
        assistant = self._assistant()
        return dict(assistant.data) if assistant else {}

    def _assistant(self) -> ConfigSubentry | None:
        """Return the assistant that is changed; None for a new one."""
        return None if self.source == SOURCE_USER else self._get_reconfigure_subentry()
