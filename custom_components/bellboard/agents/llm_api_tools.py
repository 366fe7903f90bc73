"""Tools of Home Assistant's LLM APIs: those of its integrations, of scripts, and of MCP servers.

A tool that only reads is called at once. One that acts is judged like any other call; where it is not known what
it reaches, a yes is asked for first. What our own agents do better is left to them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
import logging
import re
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION, ConversationInput
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..domains.models import ToolCall
from ..domains.registry import GUARDING, tables
from ..domains.services import as_number
from ..home.names import words_of
from ..home.speaker import Rights
from ..llm.errors import ToolError
from ..llm.models import JsonSchema, Tool
from ..plans.indirect_calls import async_find_indirect_calls
from ..plans.models import AskUser, Plan
from .base import AgentRequest, AgentResult
from .grounding import Grounding
from .offered_actions import find_numbers
from .plan_answers import build_answer, build_confirmation, build_steps, refusal_answer
from .tools import OUR_TOOLS, AgentTool, ToolOutcome, failed

_LOGGER = logging.getLogger(__name__)

# What is shown to the model anyway, the devices with their states and the time, and what our own tool tells better.
_KNOWN = frozenset({"homeassistant__GetLiveContext", "llm__GetDateTime", "calendar__get_events"})
# Integrations whose tools act by intents, which our agents read from an instruction.
_INTENTS = frozenset({"intent", "assist_satellite", CONVERSATION})
# Integrations whose tools need not be named: they tell of what every home has.
_WELL_KNOWN = frozenset({"calendar", "media_player", "todo", "history"})
# The API that looks into all of Home Assistant: of its tools those are offered that name what they look at.
_WHOLE_HOME = "homeassistant"
_ENTITY_FIELDS = ("entity_id", "entity_ids")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME, _LONGEST_TEXT, _MOST_TOOLS = 64, 1000, 40
# Of the arguments that a question names.
_LONGEST_VALUE, _MOST_VALUES = 60, 4


@callback
def llm_api_names(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of Home Assistant's LLM APIs by id, without our own."""
    return {api.id: api.name for api in llm.async_get_apis(hass) if api.id != DOMAIN}


async def async_llm_api_tools(request: AgentRequest, api_ids: Iterable[str]) -> list[AgentTool]:
    """Return the tools of LLM APIs that may be offered to whoever speaks; [] for a speaker with restricted rights.

    Home Assistant's tools keep to what is exposed, and do not know what a user may not read.
    """
    return [*await _async_tools(request.hass, request.user_input, request.rights, api_ids)]


async def async_tool_names(
    hass: HomeAssistant, said: ConversationInput, rights: Rights, api_ids: Iterable[str]
) -> list[str]:
    """Return what the tools of LLM APIs are called, with their fields: "Water Plants (minutes)"."""
    # The same in each room, so that a server has read them before.
    tools = await _async_tools(hass, replace(said, device_id=None), rights, api_ids)
    return [_named(each) for each in tools if each.source.integration not in _WELL_KNOWN]


def _named(each: LlmApiTool) -> str:
    """Return the title of a tool with its fields."""
    fields = ", ".join(each.tool.parameters.get("properties", {}))
    return f"{each.title} ({fields})" if fields else each.title


async def _async_tools(
    hass: HomeAssistant, said: ConversationInput, rights: Rights, api_ids: Iterable[str]
) -> Sequence[LlmApiTool]:
    """Return the tools of LLM APIs for whoever says something."""
    if not rights.reads_all:
        return ()
    found: list[LlmApiTool] = []
    for api_id in api_ids:
        if (instance := await _async_instance(hass, said, api_id)) is not None:
            found += _offered(instance, api_id)
    return _with_own_names(found[:_MOST_TOOLS])


def _with_own_names(tools: Iterable[LlmApiTool]) -> list[LlmApiTool]:
    """Return tools with a name of its own each: a number tells those of two servers apart."""
    found: dict[str, LlmApiTool] = {}
    for each in tools:
        plain, number = each.tool.name, 1
        name = plain
        while name in found or name in OUR_TOOLS:
            number += 1
            name = f"{plain[: _LONGEST_NAME - 3]}_{number}"
        found[name] = replace(each, tool=each.tool.model_copy(update={"name": name}))
    return [*found.values()]


async def _async_instance(
    hass: HomeAssistant, said: ConversationInput, api_id: str
) -> llm.APIInstance | None:
    """Return an LLM API for a turn, None for one that is gone or fails."""
    context = llm.LLMContext(
        platform=DOMAIN,
        context=said.context,
        language=said.language,
        assistant=CONVERSATION,
        device_id=said.device_id,
    )
    if api_id not in llm_api_names(hass):
        return None
    try:
        return await llm.async_get_api(hass, api_id, context)
    except Unauthorized:
        # It is for administrators.
        return None
    except Exception as err:  # noqa: BLE001 -- it is any integration's
        _LOGGER.warning("The tools of %s cannot be used: %s", api_id, type(err).__name__)
        return None


def _offered(instance: llm.APIInstance, api_id: str) -> list[LlmApiTool]:
    """Return the tools of an API that are of use beside our own agents."""
    own = _INTENTS | {table.name for table in tables()}
    found: list[LlmApiTool] = []
    known = {*_KNOWN}
    for each in instance.tools:
        reads = each.annotations.read_only
        is_ours = each.name in known or (each.integration in own - {"script"} and not reads)
        # By a name an API calls the first that has it.
        known.add(each.name)
        if is_ours or (schema := _schema(each, instance)) is None:
            continue
        names_entities = not schema.get("properties", {}).keys().isdisjoint(_ENTITY_FIELDS)
        if api_id == _WHOLE_HOME and not (reads and names_entities):
            continue
        found.append(LlmApiTool(instance, each, _described(each, schema)))
    return found


def _schema(tool: llm.Tool, instance: llm.APIInstance) -> JsonSchema | None:
    """Return the JSON schema of a tool's arguments, None where there can be none."""
    try:
        schema: JsonSchema = probatio.to_openapi(
            tool.parameters, custom_serializer=instance.custom_serializer, openapi_version="3.1.0"
        )
    except Exception as err:  # noqa: BLE001 -- it is any integration's
        _LOGGER.warning("The tool %s cannot be described: %s", tool.name, type(err).__name__)
        return None
    return {"type": "object", "properties": {}, **schema}


def _described(tool: llm.Tool, schema: JsonSchema) -> Tool:
    """Return a tool as a model is told of it, with a name that every provider takes."""
    name = _NOT_IN_NAMES.sub("_", tool.name)[:_LONGEST_NAME]
    description = (tool.description or tool.title or tool.name)[:_LONGEST_TEXT]
    return Tool(name=name, description=description, parameters=schema)


@dataclass(frozen=True, slots=True)
class LlmApiTool:
    """A tool of one of Home Assistant's LLM APIs."""

    instance: llm.APIInstance
    source: llm.Tool
    tool: Tool

    @property
    def title(self) -> str:
        """Return the name of the tool as it is spoken."""
        name = self.source.title or self.source.name.replace("__", " ").replace("_", " ")
        return " ".join(name.split())[:_LONGEST_NAME]

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return what the tool tells; one that acts is judged before, and may be asked about."""
        if any(not _may_read(request, each) for each in _entities_in(arguments)):
            return failed("Such an entity is not exposed.")
        if missing := ", ".join(self._missing(arguments)):
            return failed(f"Nothing was done. Not given: {missing}. Ask the person, guess nothing.")
        if self.source.annotations.read_only:
            return await self._async_called(arguments)
        if self.call(arguments).targets:
            is_assumed = not all(_is_named(request, each) for each in self.call(arguments).targets)
            guards = is_assumed and await self._async_guards(request, arguments)
            if not (guards or self._is_guessed(request, arguments)):
                return await self._async_act(request, arguments, frozenset(), is_assumed=is_assumed)
        question = self._question(request, self._plan(arguments), arguments)
        return _outcome(AgentResult(success=True, content=question.prompt, question=question))

    def _missing(self, arguments: Mapping[str, Any]) -> list[str]:
        """Return the required fields of the tool that have no value."""
        required = self.tool.parameters.get("required", ())
        return [each for each in required if arguments.get(each) in (None, "", [], {})]

    def _is_guessed(self, request: AgentRequest, arguments: Mapping[str, Any]) -> bool:
        """Return whether nobody said what is in a required field."""
        required = self.tool.parameters.get("required", ())
        return not all(_is_said(request, arguments[each]) for each in required)

    async def _async_guards(self, request: AgentRequest, arguments: Mapping[str, Any]) -> bool:
        """Return whether a script comes to what opens or guards the home."""
        calls = await async_find_indirect_calls(request.hass, self.call(arguments))
        reached = {each for call in calls for each in (call.action, *call.targets)}
        return any(each.partition(".")[0] in GUARDING for each in reached)

    def call(self, arguments: Mapping[str, Any]) -> ToolCall:
        """Return the call of a tool that acts, as policies judge it: a script's has the script as its target."""
        domain = self.source.integration or DOMAIN
        name = self.source.name.removeprefix(f"{domain}__")
        if domain == "script":
            data = {"variables": dict(arguments)} if arguments else {}
            return ToolCall(action="script.turn_on", targets=(f"script.{name}",), data=data)
        return ToolCall(action=f"{domain}.{name}", data=dict(arguments), domains=(domain,))

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> ToolOutcome:
        """Call the tool with the arguments that a yes was given to."""
        arguments = question.data.get("arguments")
        if not isinstance(arguments, dict) or not self._is_same(question, arguments):
            return _outcome(refusal_answer(request, "nothing_at_all"))
        return await self._async_act(request, arguments, frozenset(question.rules))

    def _is_same(self, question: AskUser, arguments: Mapping[str, Any]) -> bool:
        """Return whether a question was for a call with these arguments."""
        asked = [call.model_copy(update={"assumed": False}) for call in question.calls]
        return asked == [self.call(arguments)]

    def _plan(self, arguments: Mapping[str, Any], *, is_assumed: bool = False) -> Plan:
        """Return the plan of a call."""
        call = self.call(arguments).model_copy(update={"assumed": is_assumed})
        return Plan(intent_id=call.action, agent_id=DOMAIN, steps=(call,))

    def _question(self, request: AgentRequest, plan: Plan, arguments: Mapping[str, Any]) -> AskUser:
        """Return the question whether a tool is to be used, which names it."""
        asked = build_confirmation(request, plan, ())
        values = _in_words(arguments)
        key = "confirm.tool_with" if values else "confirm.tool"
        return asked.model_copy(
            update={
                "prompt": request.language.say(key, name=self.title, values=values),
                "data": {
                    "text": request.instruction,
                    "tool": self.tool.name,
                    "arguments": dict(arguments),
                },
            }
        )

    async def _async_act(
        self,
        request: AgentRequest,
        arguments: Mapping[str, Any],
        confirmed: frozenset[str],
        *,
        is_assumed: bool = False,
    ) -> ToolOutcome:
        """Call the tool if the policies allow it; where it has no targets, the model tells what came of it."""
        told: list[ToolOutcome] = []

        async def do() -> bool:
            told.append(await self._async_called(arguments))
            return not told[0].is_error

        plan = self._plan(arguments, is_assumed=is_assumed)
        plan = plan.model_copy(update={"steps": build_steps(request, plan.calls)})
        execution = await request.runner.async_hand_over(plan, do, confirmed=confirmed)
        if told and not (told[0].is_error or execution.results[0].outcomes):
            return replace(told[0], acted=True)
        answer = build_answer(request, execution)
        if question := answer.question:
            data = {**question.data, "tool": self.tool.name, "arguments": dict(arguments)}
            asked = question.model_copy(update={"data": data})
            answer = replace(answer, question=asked)
        outcome = _outcome(answer)
        return replace(outcome, data={**outcome.data, **(told[0].data if told else {})})

    async def _async_called(self, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return what the tool tells; whatever it raises is told as an error, without its words."""
        asked = llm.ToolInput(tool_name=self.source.name, tool_args=dict(arguments))
        try:
            result = await self.instance.async_call_tool(asked)
        except Exception as err:  # noqa: BLE001 -- it is any integration's
            failure = ToolError(self.source.name, ToolError.UNEXPECTED, type(err).__name__)
            _LOGGER.warning("%s", failure)
            return failed("The tool failed.")
        return ToolOutcome(dict(result.data), is_error=result.error)


def _outcome(answer: AgentResult) -> ToolOutcome:
    """Return an agent's answer as the outcome of a tool call."""
    return ToolOutcome({"said": answer.content, "done": answer.success}, answer=answer)


def _in_words(arguments: Mapping[str, Any]) -> str:
    """Return the arguments of a tool as they are spoken: "title: The Otter Year, copies: 2"; "" for none."""
    told: list[str] = []
    for key, value in arguments.items():
        parts = value if isinstance(value, list) else [value]
        text = ", ".join(str(each) for each in parts if isinstance(each, str | int | float))
        plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if plain:
            cut = f"{plain[:_LONGEST_VALUE]}…" if len(plain) > _LONGEST_VALUE else plain
            told.append(f"{key.replace('_', ' ')[:_LONGEST_NAME]}: {cut}")
    more = ["…"] if len(told) > _MOST_VALUES else []
    return ", ".join([*told[:_MOST_VALUES], *more])


def _entities_in(arguments: Mapping[str, Any]) -> Sequence[str]:
    """Return the entity ids that arguments name."""
    found: list[str] = []
    for key in _ENTITY_FIELDS:
        value = arguments.get(key)
        found += value if isinstance(value, list) else [value] if value else []
    return [str(each) for each in found]


def _is_named(request: AgentRequest, target: str) -> bool:
    """Return whether the person said a name of a thing word for word: a script may do anything."""
    entity, grounding = request.catalog.entities.get(target), Grounding(request)
    return entity is not None and any(map(grounding.is_verbatim, entity.names))


def _is_said(request: AgentRequest, value: Any) -> bool:
    """Return whether a value is in what the person said: a number, or a word of a text."""
    text = request.spoken or request.instruction
    if isinstance(value, bool):
        return True
    if (number := as_number(value)) is not None:
        return number in find_numbers(text, request.language, percent=True)
    parts = value if isinstance(value, list) else [value]
    words = {word for each in parts for word in words_of(str(each).replace("_", " "))}
    return not words.isdisjoint({*words_of(text)} - request.language.ignored)


def _may_read(request: AgentRequest, entity_id: str) -> bool:
    """Return whether an entity is exposed and may be read."""
    return entity_id in request.catalog.entities and request.rights.may_read(entity_id)
