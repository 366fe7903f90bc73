"""Model client for an AI Task entity of Home Assistant, whichever integration brings it."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextvars import Context
import json
from typing import Any

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
)
import voluptuous as vol

from ..const import DOMAIN, PROVIDER_AI_TASK
from ..llm.errors import (
    BadOutputError,
    ModelError,
    ModelTimeoutError,
    NotAModelServerError,
    ServerFailedError,
    UnreachableError,
)
from ..llm.models import Completion, Delta, JsonSchema, Message, Tool, object_schema
from ..llm.output import json_object, without_thoughts
from ..llm.tool_calls import CallPiece, arguments_text, assembled

_NULL = "null"
_NUMBERS = frozenset({"number", "integer"})


def structure_of(schema: JsonSchema) -> vol.Schema:
    """Return the structure that asks an AI Task for an object of a JSON schema.

    Objects, arrays, enums, texts, numbers, booleans, alternatives of them and null are known; what is of
    no known type is asked for as a text.
    """
    return vol.Schema(_fields(_flat(schema)))


def conform(value: Any, schema: JsonSchema) -> Any:
    """Return data of an AI Task in the form of the JSON schema, as far as that can be told.

    A field that may be null and was left out is null, one that may be left out and is null is left out,
    and a number that was chosen or written as a text is a number. Everything else is as it came.
    """
    if value is None:
        return None
    flat = _flat(schema)
    if "enum" in flat:
        options = {_option_text(option): option for option in flat["enum"]}
        return options.get(_option_text(value), value)
    match flat.get("type"):
        case "object" if isinstance(value, Mapping):
            return _conform_object(value, flat)
        case "array" if isinstance(value, Sequence) and not isinstance(value, str):
            return [conform(item, flat.get("items", {})) for item in value]
        case "number" | "integer" as kind:
            return _conform_number(value, kind)
        case _:
            return value


def _conform_object(value: Mapping[str, Any], flat: JsonSchema) -> dict[str, Any]:
    """Return an object whose null fields are there or left out as in the schema."""
    properties: Mapping[str, JsonSchema] = flat.get("properties", {})
    required = flat.get("required", ())
    found = {
        name: conform(item, properties.get(name, {}))
        for name, item in value.items()
        if item is not None or name in required or _is_nullable(properties.get(name, {}))
    }
    missing = {
        name: None
        for name in required
        if name not in found and _is_nullable(properties.get(name, {}))
    }
    return found | missing


def _conform_number(value: Any, kind: str) -> Any:
    """Return a number, which may be written as a text; anything else is returned as it is."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    if isinstance(value, float) and value.is_integer() and kind == "integer":
        return int(value)
    return value


def _fields(flat: JsonSchema) -> dict[vol.Marker, Any]:
    """Return the fields of an object's structure."""
    required = flat.get("required", ())
    fields: dict[vol.Marker, Any] = {}
    for name, schema in flat.get("properties", {}).items():
        found = _flat(schema)
        if found.get("type") == _NULL or found.get("enum") == []:
            # What can only be null need not be asked for.
            continue
        marker = vol.Required if name in required and not _is_nullable(schema) else vol.Optional
        fields[marker(name, description=schema.get("description"))] = _selector(found)
    return fields


def _selector(flat: JsonSchema) -> Any:
    """Return the selector of a value, or the structure of several."""
    if "enum" in flat:
        options = list(dict.fromkeys(map(_option_text, flat["enum"])))
        return SelectSelector(SelectSelectorConfig(options=options))
    match flat.get("type"):
        case "object":
            return _fields(flat)
        case "array":
            return _array_structure(flat)
        case "boolean":
            return BooleanSelector()
        case "number" | "integer" as kind:
            return NumberSelector(_number_config(flat, kind))
        case _:
            return TextSelector()


def _array_structure(flat: JsonSchema) -> Any:
    """Return the structure of an array.

    A list, because a selector for several values lets none of them be there twice.
    """
    items = [_selector(_flat(flat.get("items", {})))]
    least, most = flat.get("minItems"), flat.get("maxItems")
    if least is None and most is None:
        return items
    return vol.All(items, vol.Length(min=least, max=most))


def _number_config(flat: JsonSchema, kind: str) -> NumberSelectorConfig:
    """Return the selector configuration of a number with its range."""
    config = NumberSelectorConfig(
        mode=NumberSelectorMode.BOX, step=1 if kind == "integer" else "any"
    )
    if "minimum" in flat:
        config["min"] = flat["minimum"]
    if "maximum" in flat:
        config["max"] = flat["maximum"]
    return config


def _is_nullable(schema: JsonSchema) -> bool:
    """Return whether a schema allows null."""
    if any(_is_nullable(variant) for variant in _alternatives(schema)):
        return True
    kind = schema.get("type")
    return (
        kind == _NULL
        or (isinstance(kind, list) and _NULL in kind)
        or None in schema.get("enum", ())
    )


def _alternatives(schema: JsonSchema) -> list[JsonSchema]:
    """Return the alternatives of a schema (`anyOf`, `oneOf`)."""
    found: list[JsonSchema] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return found


def _flat(schema: JsonSchema) -> JsonSchema:
    """Return a schema without null and without alternatives, which are merged into one as wide as all of them."""
    variants = [
        variant for variant in map(_flat, _alternatives(schema)) if variant.get("type") != _NULL
    ]
    if variants:
        return _merge(variants)
    flat = dict(schema)
    if isinstance(kinds := flat.get("type"), list):
        flat["type"] = next((kind for kind in kinds if kind != _NULL), _NULL)
    if "const" in flat:
        flat["enum"] = [flat["const"]]
    if "enum" in flat:
        flat["enum"] = [option for option in flat["enum"] if option is not None]
    return flat


def _merge(variants: list[JsonSchema]) -> JsonSchema:
    """Return one flat schema for several: what all of them have in common decides."""
    first, *others = variants
    if not others:
        return first
    if all("enum" in variant for variant in variants):
        return {**first, "enum": [option for variant in variants for option in variant["enum"]]}
    kinds = {variant.get("type") for variant in variants}
    if kinds == {"object"}:
        return _merge_objects(variants)
    if len(kinds) == 1:
        return {"type": first.get("type")} | _common_bounds(variants)
    return {"type": "number"} if kinds == _NUMBERS else {}


def _merge_objects(variants: list[JsonSchema]) -> JsonSchema:
    """Return one object with the fields of all; required is what every one of them requires."""
    named: dict[str, list[JsonSchema]] = {}
    for variant in variants:
        for name, schema in variant.get("properties", {}).items():
            named.setdefault(name, []).append(schema)
    return {
        "type": "object",
        "properties": {
            name: found[0] if len(found) == 1 else {"anyOf": list(_unique(found))}
            for name, found in named.items()
        },
        "required": [
            name
            for name in named
            if all(name in variant.get("required", ()) for variant in variants)
        ],
    }


def _unique(schemas: list[JsonSchema]) -> Iterator[JsonSchema]:
    """Yield each schema once; schemas cannot be hashed."""
    for index, schema in enumerate(schemas):
        if schema not in schemas[:index]:
            yield schema


def _common_bounds(variants: list[JsonSchema]) -> JsonSchema:
    """Return the widest bounds and items of several schemas of one type; none where one has no bound."""
    found: JsonSchema = {}
    for bound, widest in (("minimum", min), ("maximum", max)):
        values = [variant[bound] for variant in variants if bound in variant]
        if len(values) == len(variants):
            found[bound] = widest(values)
    if all("items" in variant for variant in variants):
        items = list(_unique([variant["items"] for variant in variants]))
        found["items"] = items[0] if len(items) == 1 else {"anyOf": items}
    return found


def _option_text(option: Any) -> str:
    """Return the text of an enum's option."""
    return option if isinstance(option, str) else json.dumps(option)


AI_TASK_DOMAIN = "ai_task"
_GENERATE_DATA = 1
"""AI Task's flag of entities that generate data."""

_ROLES = {"user": "User", "assistant": "Assistant", "tool": "Tool"}
_NO_TOOL = "none"
_MOST_ANSWER = 2000
_REPLY_REQUEST = "Write the Assistant's answer to the last message, and nothing else."


class TaskFailedError(ServerFailedError):
    """The AI Task entity failed; there is no HTTP status, so `status` is 0."""

    message = "The AI Task entity failed."

    def __init__(self, detail: str = "") -> None:
        """Take a detail that quotes nobody: a fixed phrase or the name of a class."""
        ModelError.__init__(self, detail)
        self.status = 0


class AITaskClient:
    """Model client that makes a task of each call; see `ModelClient`.

    A task takes no temperature, token limit or log-probabilities; those are the entity's own settings,
    and its token usage is not known.
    """

    provider = PROVIDER_AI_TASK

    def __init__(self, hass: HomeAssistant, entity: str) -> None:
        """Use an entity, by its entity id or by its registry id, which renaming does not change."""
        self._hass = hass
        self._entity = entity

    @property
    def model(self) -> str:
        """The id of the entity; "" when it is gone."""
        return er.async_resolve_entity_id(er.async_get(self._hass), self._entity) or ""

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the entity, which is the only model; nothing is asked of it.

        Raises:
            UnreachableError: it is gone or not available.
            NotAModelServerError: it generates no data.
        """
        state = self._state()
        if not generates_data(state):
            raise NotAModelServerError("the AI Task entity generates no data")
        return [state.entity_id]

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        schema_name: str = "answer",
        temperature: float | None = None,
        max_tokens: int | None = None,
        logprobs: bool = False,
        tools: Sequence[Tool] = (),
        timeout: float = 30.0,
    ) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        if tools and schema is None:
            return await self._complete_with_tools(messages, tools, timeout)
        entity_id = self._state().entity_id
        answer = await self._generate(
            entity_id,
            name=f"{DOMAIN} {schema_name}",
            instructions=instructions_of(messages),
            structure=None if schema is None else structure_of(schema),
            timeout=timeout,
        )
        data = None if schema is None else _object_of(answer, schema)
        return Completion(
            text=_text_of(answer) if data is None else json.dumps(data, ensure_ascii=False),
            data=data,
            model=entity_id,
        )

    async def _complete_with_tools(
        self, messages: Sequence[Message], tools: Sequence[Tool], timeout: float
    ) -> Completion:
        """Ask for an answer or the call of a tool, which a task has no other place for than its data."""
        told = Message(role="system", content=_told(tools))
        completion = await self.complete(
            [told, *messages], schema=_choice_of(tools), schema_name="tools", timeout=timeout
        )
        data = completion.data or {}
        name = str(data.get("tool") or _NO_TOOL)
        piece = CallPiece(name=name, arguments=str(data.get("arguments") or ""))
        return Completion(
            text=str(data.get("answer") or "") if name == _NO_TOOL else "",
            tool_calls=() if name == _NO_TOOL else assembled([piece]),
            model=completion.model,
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        tools: Sequence[Tool] = (),
        timeout: float = 60.0,
    ) -> AsyncGenerator[Delta]:
        """Yield the whole answer as one delta, since a task does not stream; see `ModelClient.stream`."""
        completion = await self.complete(messages, tools=tools, timeout=timeout)
        yield Delta(text=completion.text, tool_calls=completion.tool_calls)

    def _state(self) -> State:
        """Return the state of the entity.

        Raises:
            UnreachableError: it is gone or not available.
        """
        state = self._hass.states.get(self.model)
        if state is None or state.state == STATE_UNAVAILABLE:
            raise UnreachableError("the AI Task entity is not available")
        return state

    async def _generate(
        self,
        entity_id: str,
        *,
        name: str,
        instructions: str,
        structure: vol.Schema | None,
        timeout: float,
    ) -> Any:
        """Return the data the entity generates for instructions; `timeout` is in seconds.

        An integration's error message may quote what was said, so it is dropped.

        Raises:
            ModelTimeoutError: it took longer.
            TaskFailedError: it failed in any other way.
        """
        # Its own dependencies are only there in a home that has such entities.
        from homeassistant.components.ai_task import async_generate_data  # noqa: PLC0415

        # In a context of its own: a task begins and ends a chat session and leaves traces, and those
        # that are current here are the conversation's.
        task = asyncio.create_task(
            async_generate_data(
                self._hass,
                task_name=name,
                entity_id=entity_id,
                instructions=instructions,
                structure=structure,
            ),
            name=f"{DOMAIN} asks {entity_id}",
            context=Context(),
        )
        try:
            async with asyncio.timeout(timeout):
                return (await task).data
        except TimeoutError:
            raise ModelTimeoutError from None
        except HomeAssistantError:
            raise TaskFailedError from None
        except Exception as err:  # noqa: BLE001 -- an integration may raise anything
            raise TaskFailedError(type(err).__name__) from None


@callback
def generates_data(state: State) -> bool:
    """Return whether an AI Task entity generates data."""
    return bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & _GENERATE_DATA)


def instructions_of(messages: Sequence[Message]) -> str:
    """Return messages as the instructions of a task: the system's, then the others with their roles.

    Each message begins a line with its role; its further lines are indented, so that nothing said can
    look like a message of its own.
    """
    parts = [message.content for message in messages if message.role == "system"]
    turns = [
        f"{_ROLES[message.role]}: " + "\n    ".join(_shown(message).splitlines())
        for message in messages
        if message.role != "system"
    ]
    return "\n\n".join([*parts, *(["\n".join(turns), _REPLY_REQUEST] if turns else [])])


def _shown(message: Message) -> str:
    """Return the text of a message, with the tool calls that it asks for."""
    calls = [f"(Calls {call.name} {arguments_text(call)})" for call in message.tool_calls]
    return "\n".join(filter(None, [message.content, *calls]))


def _told(tools: Sequence[Tool]) -> str:
    """Return the tools in words, one a line."""
    lines = [
        f"- {tool.name}: {tool.description} Arguments: {json.dumps(tool.parameters)}"
        for tool in tools
    ]
    about = f'Tools that can be called, one at a time ("{_NO_TOOL}" to answer), with "arguments" as JSON:'
    return "\n".join([about, *lines])


def _choice_of(tools: Sequence[Tool]) -> JsonSchema:
    """Return the schema of a choice between an answer and the call of a tool."""
    return object_schema(
        {
            "tool": {"type": "string", "enum": [_NO_TOOL, *(tool.name for tool in tools)]},
            "arguments": {"type": "string"},
            "answer": {"type": "string", "maxLength": _MOST_ANSWER},
        }
    )


def _text_of(answer: Any) -> str:
    """Return an answer's text, without thoughts and without the role that messages begin with.

    Raises:
        BadOutputError: it is no text.
    """
    if not isinstance(answer, str):
        raise BadOutputError("not a text")
    return without_thoughts(answer).removeprefix(f"{_ROLES['assistant']}: ")


def _object_of(answer: Any, schema: JsonSchema) -> dict[str, Any]:
    """Return the JSON object of an answer, conformed to the schema.

    Raises:
        BadOutputError: there is none.
    """
    if isinstance(answer, str):
        answer = json_object(answer)
    found = conform(answer, schema)
    if not isinstance(found, dict):
        raise BadOutputError("not a JSON object", text=repr(answer)[:1000])
    return found
