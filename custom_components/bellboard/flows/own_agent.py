"""Config subentry flow: an agent of the user's own is added to a connection, or changed."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntryState, SubentryFlowResult
from homeassistant.const import CONF_DESCRIPTION, CONF_DOMAINS, CONF_NAME
from homeassistant.core import Context
from homeassistant.helpers import entity_registry as er
import voluptuous as vol

from ..agents.dispatch import AgentsById
from ..assistant import Assistant
from ..connections.aptitude import CONF_APTITUDE
from ..connections.connection import subentries_of
from ..connections.own_agents import (
    CONF_AGENT_ID,
    CONF_EXAMPLES,
    CONF_INSTRUCTIONS,
    CONF_LIMITS,
    CONF_MAX,
    CONF_MIN,
    CONF_TARGET,
    create_own_agent,
)
from ..const import DOMAIN, SUBENTRY_AGENT
from ..domains.registry import table_of
from ..nlu.loader import Language, async_get_language
from ..routing.cleaning import clean
from ..services.agents import MOST_AGENTS
from ..turn.dry_run import create_dry_run
from ..turn.pipeline import async_take_turn
from .agent_flow import AgentFlow, clean_texts
from .own_agent_form import (
    CONF_TEMPLATE,
    CONF_TRY,
    ModelChoice,
    async_model_choice,
    devices_schema,
    hand_over_schema,
    template_schema,
)

TEMPLATES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "blinds": ("cover",),
        "vacuum": ("vacuum",),
        "locks": ("lock",),
        "fans": ("fan",),
        "garden": ("valve", "lawn_mower"),
        "appliances": ("switch",),
        "announcements": ("assist_satellite",),
    }
)
"""The domains of each template."""


def template_names() -> list[str]:
    """Return the names of the templates of which there are tables."""
    return [name for name, domains in TEMPLATES.items() if all(map(table_of, domains))]


def fill_template(name: str, language: Language) -> dict[str, object]:
    """Return a form's values from a template, in a language; examples are split at each "|"."""
    return {
        CONF_NAME: language.say(f"own_agent.{name}.name"),
        CONF_DESCRIPTION: language.say(f"own_agent.{name}.description"),
        CONF_EXAMPLES: language.say(f"own_agent.{name}.examples").split("|"),
        CONF_DOMAINS: list(TEMPLATES[name]),
    }


# In characters.
_MOST_INSTRUCTIONS = 600
_NO_TEMPLATE = "none"
# Of an agent whose name has no letters.
_NAMELESS = "own"


class OwnAgentFlow(AgentFlow):
    """Adds an agent to a connection, or changes one: for devices, or one that hands over."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._suggested: dict[str, Any] = {}
        self._models: ModelChoice | None = None
        self._tried = ""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask what kind of agent it is to be."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if len(subentries_of(self._get_entry(), SUBENTRY_AGENT)) >= MOST_AGENTS:
            return self.async_abort(reason="too_many_agents")
        return self.async_show_menu(step_id="user", menu_options=["template", "hand_over"])

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show what the agent is."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        kept = self.kept()
        if CONF_TARGET in kept:
            self._suggested = kept
            return await self.async_step_hand_over()
        self._suggested = (await self._async_models()).shown(kept)
        return await self.async_step_devices()

    async def async_step_template(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what to begin with."""
        if user_input is not None:
            if (name := user_input[CONF_TEMPLATE]) != _NO_TEMPLATE:
                language = await async_get_language(self.hass, self.hass.config.language)
                self._suggested = fill_template(name, language)
            return await self.async_step_devices()
        names = [_NO_TEMPLATE, *template_names()]
        return self.async_show_form(step_id="template", data_schema=template_schema(names))

    async def async_step_devices(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what an agent for devices may do; try a sentence, or keep it."""
        models = await self._async_models()
        return await self._async_step("devices", devices_schema(models), user_input, models)

    async def async_step_hand_over(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask who an agent hands over to; try a sentence, or keep it."""
        # Whoever it hands over to has a model, or none.
        return await self._async_step("hand_over", hand_over_schema(), user_input, ModelChoice())

    async def _async_step(
        self,
        step_id: str,
        schema: vol.Schema,
        user_input: dict[str, Any] | None,
        models: ModelChoice,
    ) -> SubentryFlowResult:
        """Show a form until it is right and no sentence is to be tried; `models` are those it lets choose from."""
        errors: dict[str, str] = {}
        self._tried = ""
        if user_input is not None:
            sentence = user_input.pop(CONF_TRY, "").strip()
            data = self._cleaned(user_input, models)
            errors = self._find_errors(data)
            if not errors and not sentence:
                return self.save(data)
            if not errors:
                self._tried = await self._async_try(data, sentence)
            self._suggested = {**user_input, CONF_TRY: sentence}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, self._suggested),
            errors=errors,
            description_placeholders={"tried": self._tried},
        )

    async def _async_models(self) -> ModelChoice:
        """Return the choice of a model, for which the server is asked once."""
        if self._models is None:
            self._models = await async_model_choice(self.hass, self._get_entry(), self.kept())
        return self._models

    def _cleaned(self, typed: dict[str, Any], models: ModelChoice) -> dict[str, Any]:
        """Return what was typed as it is kept: texts as a prompt can hold them, the agent's id, and its model."""
        texts = clean_texts(typed)
        agent_id = self.id_for(texts[CONF_NAME], _NAMELESS)
        found = {**models.kept(typed), **texts, CONF_AGENT_ID: agent_id}
        if CONF_INSTRUCTIONS in typed:
            found[CONF_INSTRUCTIONS] = clean(typed[CONF_INSTRUCTIONS], _MOST_INSTRUCTIONS)
        if known := self.kept().get(CONF_APTITUDE):
            # What is known of a model is no field of the form.
            found[CONF_APTITUDE] = known
        return found

    def _find_errors(self, data: dict[str, Any]) -> dict[str, str]:
        """Return what is wrong with an agent, by field."""
        errors = self.text_errors(data[CONF_AGENT_ID], data)
        if CONF_TARGET not in data and not data.get(CONF_DOMAINS):
            errors[CONF_DOMAINS] = "no_domains"
        target = er.async_get(self.hass).async_get(data.get(CONF_TARGET, ""))
        if target and target.platform == DOMAIN:
            errors[CONF_TARGET] = "loop"
        if any(row.get(CONF_MIN, 0) >= row.get(CONF_MAX, 0) for row in data.get(CONF_LIMITS, ())):
            errors[CONF_LIMITS] = "no_range"
        return errors

    async def _async_try(self, data: dict[str, Any], sentence: str) -> str:
        """Return what a sentence would come to with the agent as the form has it. Nothing is done."""
        assistant = self._assistant()
        if assistant is None:
            return ""
        agent = create_own_agent(self.hass, self._get_entry(), data)
        others = [other for other in assistant.registry if other.card.id != agent.card.id]
        user_input = ConversationInput(
            text=sentence,
            context=Context(),
            conversation_id=f"{DOMAIN}-try",
            device_id=None,
            satellite_id=None,
            language=self.hass.config.language,
            agent_id=DOMAIN,
        )
        # Nothing is carried out, stored or told.
        tried = replace(create_dry_run(assistant, None), registry=AgentsById([agent, *others]))
        result = await async_take_turn(tried, user_input, dry_run=True)
        names = {each.card.id: each.card.name for each in (agent, *others)}
        answering = dict.fromkeys(
            names.get(entry["id"], entry["id"]) for entry in result.record.agents
        )
        return f"**{', '.join(answering)}**: {result.text}"

    def _assistant(self) -> Assistant | None:
        """Return an assistant of the connection, None where it has none."""
        return next(iter(self._get_entry().runtime_data.assistants.values()), None)
