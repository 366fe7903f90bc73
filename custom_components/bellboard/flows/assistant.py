"""Config subentry flow: an assistant is added to a connection, or changed."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.helpers.selector import BooleanSelector, TextSelector
from pydantic import ValidationError
import voluptuous as vol

from ..connections.aptitude import CONF_APTITUDE, wants_test
from ..connections.connection import create_model
from ..const import CONF_PROVIDER
from ..llm.errors import ModelError
from ..options import AssistantOptions, RouterOptions
from ..telemetry.statistics import TrialComparison
from .aptitude_form import CONF_CONTRACT, AptitudeTest, async_describe
from .assistant_form import (
    CHOSEN_MODELS,
    PLACEHOLDER_TEXTS,
    AssistantForm,
    async_built_in_texts,
    async_user_choices,
    error_placeholders,
    form_errors,
    kept_values,
    other_connections,
    unknown_agents,
)
from .assistant_pages import FIRST_PAGE, GATEKEEPER_OPTIONS, PAGES, options_of, value_of
from .connection_form import async_find_models
from .selectors import is_taken, new_name

_GATEKEEPER = "gatekeeper"
_UNKNOWN = "–"
# The figures that are shown: what they are called in a placeholder, their factor and decimal places.
_SHOWN = {"confidence": (1, 2), "corrected": (100, 0), "latency_ms": (1, 0)}


def trial_figures(entry: ConfigEntry, assistant: ConfigSubentry | None) -> dict[str, str]:
    """Return the figures of both variants and their difference, each with its interval, by placeholder."""
    assistants = entry.runtime_data.assistants
    running = assistants.get(assistant.subentry_id) if assistant else None
    figures = (running.observations.trial if running else TrialComparison()).as_json()
    shown = {
        f"{column}_{name}": _told(figures[column][name], *_SHOWN[name])
        for column in ("a", "b", "difference")
        for name in _SHOWN
    }
    counts = {f"{column}_decisions": str(figures[column]["decisions"]) for column in ("a", "b")}
    return shown | counts


def _told(figure: Mapping[str, Any] | None, factor: float, places: int) -> str:
    """Return a figure with its interval: "0.82 (0.80 … 0.84)"."""
    if figure is None:
        return _UNKNOWN
    value, low, high = (
        f"{each * factor:.{places}f}" for each in (figure["value"], *figure["interval"])
    )
    return f"{value} ({low} … {high})"


CONF_ADVANCED = "advanced"

type Step = Callable[["AssistantFlow", dict[str, Any] | None], Awaitable[SubentryFlowResult]]


def _step(page: str) -> Step:
    """Return the step that asks for the options of a page."""

    async def step(
        flow: AssistantFlow, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        return await flow.async_ask(page, user_input)

    return step


class AssistantFlow(ConfigSubentryFlow):
    """Adds an assistant to a connection, or changes one; both are asked for alike.

    The first page asks for what most people change; the others are behind a menu. Nothing is kept
    before all of it is saved.
    """

    def __init__(self) -> None:
        """Begin with nothing typed."""
        self._values: dict[str, Any] | None = None
        self._name = ""
        self._test: AptitudeTest | None = None

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the name and what most people change."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        return await self.async_ask(FIRST_PAGE, user_input)

    async_step_user = async_step_init
    async_step_reconfigure = async_step_init

    async def async_step_advanced(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the other pages to choose from."""
        pages = [page for page in PAGES if page != FIRST_PAGE and self._paths(page)]
        return self.async_show_menu(
            step_id="advanced", menu_options=["save", *pages, "restore_defaults"]
        )

    async_step_routing = _step("routing")
    async_step_prompts = _step("prompts")
    async_step_trial = _step("trial")
    async_step_running = _step("running")
    async_step_answers = _step("answers")
    async_step_workflow = _step("workflow")
    async_step_day = _step("day")
    async_step_memory = _step("memory")
    async_step_telemetry = _step("telemetry")

    async def async_step_save(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Keep what was typed on all pages."""
        return await self._async_test_or_save()

    async def async_step_restore_defaults(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Set everything but the name and the model back to what it was at first."""
        values = self._now()
        self._values = {name: values[name] for name in (CONF_MODEL,) if name in values}
        return await self._async_test_or_save()

    async def async_step_test(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Show how far the test of the model is."""
        if self._test is None:
            return self._save()
        if not self._test.task.done():
            return self.async_show_progress(**self._test.progress)
        if found := self._test.found:
            self._values = {**self._now(), CONF_APTITUDE: found.as_json()}
        is_tested = self._test.is_tested
        return self.async_show_progress_done(next_step_id="tested" if is_tested else "tested_not")

    async def async_step_tested(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show what came of the test, and ask whether that is to hold."""
        if user_input is not None:
            self._values = {**self._now(), CONF_CONTRACT: user_input[CONF_CONTRACT]}
            return self._save()
        if self._test is None:
            return self._save()
        form = await self._test.async_form(self.hass, self._now())
        return self.async_show_form(**form, last_step=True)

    async def async_step_tested_not(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Keep what was typed where no test was needed after all, or the model did not answer."""
        return self._save()

    async def async_ask(self, page: str, user_input: dict[str, Any] | None) -> SubentryFlowResult:
        """Ask for what stands on a page until it can be used, and go on: to the menu, or to the end."""
        errors: dict[str, str] = {}
        texts: dict[str, str] = {}
        if user_input is not None:
            asked = self._paths(page)
            errors, texts = await self._async_take(page, user_input)
            if not errors and not set(self._paths(page)) <= set(asked):
                # What was chosen here is asked about on the same page.
                return await self._async_show(page, None, {}, {})
            if not errors:
                is_done = page == FIRST_PAGE and not user_input[CONF_ADVANCED]
                return (
                    await self._async_test_or_save()
                    if is_done
                    else await self.async_step_advanced()
                )
        return await self._async_show(page, user_input, errors, texts)

    async def _async_take(
        self, page: str, user_input: dict[str, Any]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Take what was typed on a page; return what is wrong with it, and what the errors name."""
        errors = self._take_name(user_input.get(CONF_NAME, "")) if page == FIRST_PAGE else {}
        paths = self._paths(page)
        form = await self._async_form([])
        values = form.typed(self._now(), paths, user_input)
        try:
            options = AssistantOptions.from_subentry(values)
        except ValidationError as err:
            return errors | form_errors(err, paths), error_placeholders(err)
        if gone := unknown_agents(self._get_entry(), options.router, paths):
            return errors | gone, {}
        steps = options.workflow
        is_asked = not GATEKEEPER_OPTIONS.isdisjoint(paths)
        if is_asked and steps.strategy == _GATEKEEPER and not steps.gatekeeper_url:
            return {"gatekeeper_url": "gatekeeper_missing"}, {}
        self._values = values
        return errors, {}

    def _take_name(self, typed: str) -> dict[str, str]:
        """Take the name that was typed; return what is wrong with it."""
        assistant = self._assistant()
        self._name = typed.strip()
        # Those that were called alike before can stay so.
        if assistant and self._name == assistant.title:
            return {}
        return {CONF_NAME: "name_taken"} if is_taken(self.hass, self._name, assistant) else {}

    async def _async_show(
        self,
        page: str,
        typed: dict[str, Any] | None,
        errors: dict[str, str],
        texts: dict[str, str],
    ) -> SubentryFlowResult:
        """Show a page, with what was typed and what is wrong with it."""
        paths = self._paths(page)
        models: list[str] = []
        if not CHOSEN_MODELS.isdisjoint(paths):
            trouble, models = await async_find_models(self.hass, self._get_entry().data)
            errors = trouble | errors
        form = await self._async_form(models)
        fields: dict[Any, Any] = {**form.fields(paths)}
        values = form.shown(self._now(), paths)
        if page == FIRST_PAGE:
            advanced = vol.Required(CONF_ADVANCED, default=False)
            fields = {
                vol.Optional(CONF_NAME): TextSelector(),
                **fields,
                advanced: BooleanSelector(),
            }
            if assistant := self._assistant():
                values[CONF_NAME] = assistant.title
        if page == FIRST_PAGE:
            texts = texts | {
                "known": await async_describe(
                    self.hass, self._now().get(CONF_MODEL, ""), self._now()
                )
            }
        elif page == "trial":
            texts = texts | trial_figures(self._get_entry(), self._assistant())
        return self.async_show_form(
            step_id=page,
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
        router = RouterOptions.model_validate(self._now().get("router", {}))
        return AssistantForm(
            hass=self.hass,
            entry=self._get_entry(),
            kept=self._kept(),
            models=models,
            users=await async_user_choices(self.hass),
            texts=await async_built_in_texts(self.hass, router),
        )

    async def _async_test_or_save(self) -> SubentryFlowResult:
        """Keep what was typed, once it is known what the model can be asked."""
        values = self._now()
        options = AssistantOptions.from_subentry(values)
        try:
            model = create_model(self.hass, self._get_entry().data, options.model)
        except ModelError:
            model = None
        if not wants_test(model, options, values):
            return self._save()
        self._test = AptitudeTest(self.hass, model, options.timeout, self.async_update_progress)
        return await self.async_step_test()

    def _save(self) -> SubentryFlowResult:
        """Keep what was typed, and what is no option of this form."""
        kept = {**self._kept(), **self._now()}
        others = {name: kept[name] for name in kept.keys() - AssistantOptions.model_fields}
        options = AssistantOptions.from_subentry(self._now())
        data = others | kept_values(options)
        assistant = self._assistant()
        name = self._name or new_name(self.hass, options.model, assistant)
        if assistant is None:
            return self.async_create_entry(title=name, data=data)
        return self.async_update_and_abort(self._get_entry(), assistant, title=name, data=data)

    def _paths(self, page: str) -> tuple[str, ...]:
        """Return the options of a page that are of use here."""
        entry, router = self._get_entry(), self._kept().get("router", {})
        chosen = [router[name] for name in ("chat_client_key", "escalation_key") if name in router]
        has_others = bool(other_connections(self.hass, entry, chosen))
        strategy = value_of(self._now(), "workflow.strategy")
        return options_of(
            page,
            entry.data[CONF_PROVIDER],
            has_others=has_others,
            has_gatekeeper=strategy == _GATEKEEPER,
        )

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
