"""Config subentry flow: an agent of the user's own is added to a connection, or changed."""

from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_DESCRIPTION, CONF_DOMAINS, CONF_NAME
from homeassistant.core import Context
from homeassistant.helpers import entity_registry as er
from homeassistant.util import slugify
import voluptuous as vol

from ..agents.registry import AgentRegistry
from ..assistant import Assistant
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
from ..nlu.loader import async_get_language
from ..routing.cleaning import clean
from ..routing.prompt import label
from ..services.agents import (
    MOST_AGENTS,
    MOST_DESCRIPTION,
    MOST_EXAMPLE,
    MOST_EXAMPLES,
    MOST_NAME,
    built_in_agent_ids,
)
from ..services.lookup import all_assistants
from ..turn.trying import async_try_with
from .agent_templates import fill_template, template_names
from .own_agent_form import (
    CONF_TEMPLATE,
    CONF_TRY,
    devices_schema,
    hand_over_schema,
    template_schema,
)

_ID_SUFFIX = "-agent"
# In characters.
_MOST_ID = 40
_MOST_INSTRUCTIONS = 600
_NO_TEMPLATE = "none"


class OwnAgentFlow(ConfigSubentryFlow):
    """Adds an agent to a connection, or changes one: for devices, or one that hands over."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._suggested: dict[str, Any] = {}
        self._tried = ""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask what kind of agent it is to be."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if len(self._others()) >= MOST_AGENTS:
            return self.async_abort(reason="too_many_agents")
        return self.async_show_menu(step_id="user", menu_options=["template", "hand_over"])

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show what the agent is."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        self._suggested = self._kept()
        if CONF_TARGET in self._suggested:
            return await self.async_step_hand_over()
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
        return await self._async_step("devices", devices_schema(), user_input)

    async def async_step_hand_over(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask who an agent hands over to; try a sentence, or keep it."""
        return await self._async_step("hand_over", hand_over_schema(), user_input)

    async def _async_step(
        self, step_id: str, schema: vol.Schema, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Show a form until it is right and no sentence is to be tried."""
        errors: dict[str, str] = {}
        self._tried = ""
        if user_input is not None:
            sentence = user_input.pop(CONF_TRY, "").strip()
            data = self._cleaned(user_input)
            errors = self._find_errors(data)
            if not errors and not sentence:
                return self._save(data)
            if not errors:
                self._tried = await self._async_try(data, sentence)
            self._suggested = {**user_input, CONF_TRY: sentence}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, self._suggested),
            errors=errors,
            description_placeholders={"tried": self._tried},
        )

    def _cleaned(self, typed: dict[str, Any]) -> dict[str, Any]:
        """Return what was typed as it is kept: texts as a prompt can hold them, and the agent's id."""
        examples = (clean(text, MOST_EXAMPLE) for text in typed.get(CONF_EXAMPLES, ()))
        name = clean(typed[CONF_NAME], MOST_NAME)
        found = {
            **typed,
            CONF_AGENT_ID: self._kept().get(CONF_AGENT_ID) or _id_of(name),
            CONF_NAME: name,
            CONF_DESCRIPTION: clean(typed[CONF_DESCRIPTION], MOST_DESCRIPTION),
            CONF_EXAMPLES: list(dict.fromkeys(filter(None, examples)))[:MOST_EXAMPLES],
        }
        if CONF_INSTRUCTIONS in typed:
            found[CONF_INSTRUCTIONS] = clean(typed[CONF_INSTRUCTIONS], _MOST_INSTRUCTIONS)
        return found

    def _find_errors(self, data: dict[str, Any]) -> dict[str, str]:
        """Return what is wrong with an agent, by field."""
        errors = {name: "empty_text" for name in (CONF_NAME, CONF_DESCRIPTION) if not data[name]}
        if CONF_NAME not in errors and self._is_taken(data[CONF_AGENT_ID]):
            errors[CONF_NAME] = "name_taken"
        if CONF_TARGET not in data and not data.get(CONF_DOMAINS):
            errors[CONF_DOMAINS] = "no_domains"
        target = er.async_get(self.hass).async_get(data.get(CONF_TARGET, ""))
        if target and target.platform == DOMAIN:
            errors[CONF_TARGET] = "loop"
        if any(row.get(CONF_MIN, 0) >= row.get(CONF_MAX, 0) for row in data.get(CONF_LIMITS, ())):
            errors[CONF_LIMITS] = "no_range"
        return errors

    def _is_taken(self, agent_id: str) -> bool:
        """Return whether another agent has an id, or one that a model could not tell from it."""
        taken = built_in_agent_ids() | {
            agent.card.id
            for assistant in all_assistants(self.hass).values()
            for agent in assistant.registry
        }
        own = self._kept().get(CONF_AGENT_ID)
        return label(agent_id) in {label(other) for other in taken if other != own}

    async def _async_try(self, data: dict[str, Any], sentence: str) -> str:
        """Return what a sentence would come to with the agent as the form has it. Nothing is done."""
        assistant = self._assistant()
        if assistant is None:
            return ""
        agent = create_own_agent(data)
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
        result = await async_try_with(assistant, AgentRegistry([agent, *others]), user_input)
        names = {each.card.id: each.card.name for each in (agent, *others)}
        answering = dict.fromkeys(
            names.get(entry["id"], entry["id"]) for entry in result.record.trace.agents
        )
        return f"**{', '.join(answering)}**: {result.text}"

    def _assistant(self) -> Assistant | None:
        """Return an assistant of the connection, None where it has none."""
        return next(iter(self._get_entry().runtime_data.assistants.values()), None)

    def _save(self, data: dict[str, Any]) -> SubentryFlowResult:
        """Keep the agent; its id, by which rules name it, stays."""
        agent, title = self._agent(), data[CONF_NAME]
        if agent is None:
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(self._get_entry(), agent, title=title, data=data)

    def _others(self) -> list[ConfigSubentry]:
        """Return the connection's agents."""
        entries = self._get_entry().subentries.values()
        return [each for each in entries if each.subentry_type == SUBENTRY_AGENT]

    def _kept(self) -> dict[str, Any]:
        """Return what the subentry keeps by now; a new one keeps nothing."""
        agent = self._agent()
        return dict(agent.data) if agent else {}

    def _agent(self) -> ConfigSubentry | None:
        """Return the agent that is changed; None for a new one."""
        return None if self.source == SOURCE_USER else self._get_reconfigure_subentry()


def _id_of(name: str) -> str:
    """Return the id of an agent that is called so."""
    slug = slugify(name, separator="-")[:_MOST_ID].strip("-").removesuffix(_ID_SUFFIX).strip("-")
    return f"{slug or 'own'}{_ID_SUFFIX}"
