"""Bellboard as an LLM API for others: what agents, and MCP clients through Home Assistant, may have it do.

Each tool is one of the integration's actions: it acts with the rights of the caller, and under the policies.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, override

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..const import DOMAIN
from ..nlu.loader import async_get_language
from ..nlu.reading import read_tags
from ..turn.pipeline import async_dry_run
from ..turn.record import call_as_json
from .action import ATTR_CONVERSATION_ID, ATTR_TEXT, MOST_TEXT, find_assistant

_PROMPT = (
    "Bellboard runs this home: it understands plain sentences in the language of the house, does what is"
    " asked under the house's rules, and says truthfully what happened. Where its answer is a question,"
    " answer it with act and the same conversation_id."
)

type Handler = Callable[
    [HomeAssistant, Mapping[str, Any], llm.LLMContext], Coroutine[None, None, dict[str, Any]]
]


async def _async_act(
    hass: HomeAssistant, data: Mapping[str, Any], context: llm.LLMContext
) -> dict[str, Any]:
    """Take a sentence as a turn, and return its reply, its calls and whether a question is open."""
    asked = {key: data[key] for key in (ATTR_TEXT, ATTR_CONVERSATION_ID) if key in data}
    if context.language:
        asked["language"] = context.language
    if context.device_id:
        asked["device_id"] = context.device_id
    return await _async_call(hass, "process", asked, context)


async def _async_undo(
    hass: HomeAssistant, data: Mapping[str, Any], context: llm.LLMContext
) -> dict[str, Any]:
    """Put back what was changed last."""
    return await _async_call(hass, "undo", data, context)


async def _async_call(
    hass: HomeAssistant, action: str, data: Mapping[str, Any], context: llm.LLMContext
) -> dict[str, Any]:
    """Return the response of one of the integration's actions."""
    response = await hass.services.async_call(
        DOMAIN,
        action,
        dict(data),
        blocking=True,
        context=context.context or Context(),
        return_response=True,
    )
    return dict(response or {})


async def _async_ask(
    hass: HomeAssistant, data: Mapping[str, Any], context: llm.LLMContext
) -> dict[str, Any]:
    """Answer a question; what would change something is refused.

    Raises:
        HomeAssistantError: the text is no question.
    """
    language = await async_get_language(hass, context.language or hass.config.language)
    planned = await _async_plan(hass, data, context)
    if planned["calls"] or not read_tags(data[ATTR_TEXT], language).is_question:
        raise HomeAssistantError("That is no question: use act.")
    told = await _async_act(hass, data, context)
    return {"reply": told["reply"], "agents": told["agents"]}


async def _async_plan(
    hass: HomeAssistant, data: Mapping[str, Any], context: llm.LLMContext
) -> dict[str, Any]:
    """Return what a sentence would come to, without doing it."""
    entity_id, assistant = find_assistant(hass, None)
    said = ConversationInput(
        text=data[ATTR_TEXT],
        context=context.context or Context(),
        conversation_id=data.get(ATTR_CONVERSATION_ID) or ulid_now(),
        device_id=context.device_id,
        satellite_id=None,
        language=context.language or hass.config.language,
        agent_id=entity_id,
    )
    result = await async_dry_run(assistant, said)
    return {
        "reply": result.text,
        "calls": [call_as_json(call) for call in result.dry_run_calls],
        "agents": result.record.agents,
        "state": result.state.value,
    }


_CONVERSATION: VolDictType = {
    vol.Optional(
        ATTR_CONVERSATION_ID, description="that of an earlier answer, to go on from it"
    ): cv.string
}


def _sentence(description: str) -> VolDictType:
    """Return the fields of a tool that takes a sentence."""
    text = vol.All(cv.string, vol.Length(min=1, max=MOST_TEXT))
    return {vol.Required(ATTR_TEXT, description=description): text, **_CONVERSATION}


_READS = llm.ToolAnnotations(read_only=True, destructive=False, idempotent=True, open_world=False)
_ACTS = llm.ToolAnnotations(open_world=False)


@dataclass(frozen=True, slots=True)
class _Row:
    """A tool: its name, title and description, its fields, how it behaves, and its handler."""

    name: str
    title: str
    description: str
    fields: VolDictType
    annotations: llm.ToolAnnotations
    handler: Handler


_ROWS = (
    _Row(
        "act",
        "Act",
        "Have something done in the home, in plain words, or answer a question that it asked."
        " Tells what was done.",
        _sentence("what is to be done, as one would say it"),
        _ACTS,
        _async_act,
    ),
    _Row(
        "ask",
        "Ask",
        "Ask something about the home. Changes nothing.",
        _sentence("the question"),
        _READS,
        _async_ask,
    ),
    _Row(
        "plan",
        "Plan",
        "Tell what a sentence would have done, without doing it.",
        _sentence("what would be said"),
        _READS,
        _async_plan,
    ),
    _Row(
        "undo",
        "Undo",
        "Put back what was changed last.",
        _CONVERSATION,
        _ACTS,
        _async_undo,
    ),
)


class _Tool(llm.Tool):
    """A tool of a row."""

    integration = DOMAIN

    def __init__(self, row: _Row) -> None:
        """Take a row's description."""
        self._handler = row.handler
        self.name, self.title, self.description = row.name, row.title, row.description
        self.annotations = row.annotations
        self.parameters = vol.Schema(row.fields)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return what came of it; a refusal is an error in the result, in its own words."""
        try:
            data = self.parameters(tool_input.tool_args)
            return llm.ToolResult(data=await self._handler(hass, data, llm_context))
        except (HomeAssistantError, vol.Invalid) as err:
            return llm.ToolResult(data={"error": str(err)}, error=True)


class BellboardAPI(llm.API):
    """The LLM API."""

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the tools for a caller."""
        tools: list[llm.Tool] = [_Tool(row) for row in _ROWS]
        return llm.APIInstance(self, _PROMPT, llm_context, tools)


@callback
def async_register_llm_api(hass: HomeAssistant) -> None:
    """Offer the API to whoever uses LLM APIs."""
    llm.async_register_api(hass, BellboardAPI(hass=hass, id=DOMAIN, name="Bellboard"))
