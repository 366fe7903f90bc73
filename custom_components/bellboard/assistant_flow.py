"""Config subentry flow: an assistant is added to a connection, or changed."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.helpers.translation import async_get_translations
from pydantic import ValidationError

from .assistant_form import (
    CONF_RESTORE_DEFAULTS,
    PLACEHOLDER_TEXTS,
    assistant_schema,
    error_placeholders,
    form_errors,
    kept_values,
    read_options,
    shown_values,
)
from .const import DOMAIN, SUBENTRY_ASSISTANT
from .model_choice import async_try_connection
from .options import AssistantOptions
from .scope_form import async_user_choices

DEFAULT_NAME = "Bellboard"


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
        """Ask for an assistant's options, and keep them if they are as they must be."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is None:
            return await self._async_show(step_id)
        try:
            data = self._data_to_keep(user_input)
        except ValidationError as err:
            return await self._async_show(step_id, user_input, err)
        title = user_input[CONF_NAME]
        if step_id == "user":
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), title=title, data=data
        )

    def _current(self) -> dict[str, Any]:
        """Return what the subentry keeps by now; a new one keeps nothing."""
        return {} if self.source == SOURCE_USER else dict(self._get_reconfigure_subentry().data)

    def _title(self) -> str:
        """Return what the assistant is called by now."""
        return (
            DEFAULT_NAME if self.source == SOURCE_USER else self._get_reconfigure_subentry().title
        )

    def _data_to_keep(self, user_input: dict[str, Any]) -> dict[str, Any]:
        """Return what the subentry keeps of what was typed.

        Raises:
            ValidationError: an option is not as it must be.
        """
        current = self._current()
        if user_input[CONF_RESTORE_DEFAULTS]:
            options = {CONF_MODEL: user_input.get(CONF_MODEL, "")}
        else:
            # Without a model, part of the options is not asked for.
            options = current | user_input
        # What is no option of this form is not its to drop.
        others = {name: current[name] for name in current.keys() - AssistantOptions.model_fields}
        return others | kept_values(read_options(options))

    async def _async_show(
        self,
        step_id: str,
        typed: dict[str, Any] | None = None,
        err: ValidationError | None = None,
    ) -> SubentryFlowResult:
        """Show the form, with what was typed and what is wrong with it."""
        entry, current = self._get_entry(), self._current()
        errors, models = await async_try_connection(self.hass, entry.data)
        texts = dict(PLACEHOLDER_TEXTS)
        if err:
            errors |= form_errors(err)
            texts |= error_placeholders(err, await self._async_labels(step_id))
        values = typed or shown_values(self.hass, entry, current) | {CONF_NAME: self._title()}
        schema = assistant_schema(
            self.hass,
            entry,
            models=models,
            users=await async_user_choices(self.hass),
            current=current,
            opened=errors,
        )
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors=errors,
            description_placeholders=texts,
        )

    async def _async_labels(self, step_id: str) -> dict[str, str]:
        """Return the labels of the form's fields, by path, in the home's language."""
        found = await async_get_translations(
            self.hass, self.hass.config.language, "config_subentries", {DOMAIN}
        )
        plain = {"sections", "data"}
        prefix = f"component.{DOMAIN}.config_subentries.{SUBENTRY_ASSISTANT}.step.{step_id}."
        return {
            ".".join(
                part for part in key.removeprefix(prefix).split(".") if part not in plain
            ): text
            for key, text in found.items()
            if key.startswith(prefix)
        }
