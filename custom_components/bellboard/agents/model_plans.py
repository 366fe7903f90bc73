"""Plans of a capable model: steps with targets of their own, a question, or the reason why nothing is done.

The schema is bound by the devices: which there are, what they can do, and the ranges of their values. The
output is validated again, since a server may ignore the schema (Agent router orchestration, Planner).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
import re
from typing import Any

from homeassistant.util import color as color_util

from ..domains.actions import Action, Parameter, ParameterKind
from ..domains.table import Domain
from ..llm.client import async_ask_until_usable, shown_again
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema, Message, object_schema
from .base import AgentRequest
from .listed_devices import MOST_CHARACTERS, ListedDevices, list_devices, measured, value_schema

_MAX_STEPS = 8
_MAX_TOKENS = 700
_ATTEMPTS = 2
_MAX_WORDS = 200
# In characters, of what another agent found out.
_MAX_DATA = 1000
# One for each specialist, and for each agent of the user's own.
_MOST_PROMPTS = 64
_HEX = re.compile(r"#?([0-9a-f]{6})", re.IGNORECASE)

_PROMPT = """\
You carry out requests with the devices of a home, and answer with JSON.
"steps": what is to be done, in order. Each has one action, its targets by their names in the list, and \
values to set. Work values out where a request says half, a third, a bit, as before, a mood. Give the same \
action once for all its targets.
{actions}
Use only devices in the room that is meant: the one that is said, else the speaker's. Leave out what is \
excepted.
If a value or a device is missing that nobody can know, leave "steps" empty and "ask" for it, or offer what \
another room has: one short question in the language of the request. If nothing of it is to be done, or a part \
cannot be, say so in "nothing", in one short sentence in that language ("I know of no sprinkler here."): with \
"steps" empty, or beside those for the rest."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One action of a domain's table, with its values and the entity ids it is for."""

    table: Domain
    action: Action
    parameters: dict[str, Any]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What a model plans: steps, or a question (`ask`), or the reason for `nothing`."""

    steps: tuple[ModelStep, ...] = ()
    ask: str = ""
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that some listed devices can do, with the schemas of its values and the labels of those devices."""

    table: Domain
    action: Action
    values: Mapping[str, JsonSchema]
    labels: tuple[str, ...]

    @property
    def needed(self) -> frozenset[str]:
        """Return the names of the values that none of its steps may be without."""
        if self.action.any_parameter and len(self.values) > 1:
            return frozenset()
        optional = {each.name for each in self.action.parameters if each.for_capable}
        return frozenset(self.values) - optional


async def async_plan(
    request: AgentRequest, tables: Sequence[Domain], instructions: str = ""
) -> ModelPlan:
    """Ask the request's model for a plan with the devices of some domains, by `instructions` beside its own.

    Invalid output is asked for once more, with the error shown to the model.

    Raises:
        ModelError: the model could not be asked, or its second output is invalid, too.
    """
    domains = [table.name for table in tables]
    # Only who asks a capable model needs it, and the event loop need not wait.
    await request.hass.async_add_executor_job(request.catalog.build_search)
    devices = list_devices(request, domains, request.spoken or request.instruction)
    offered = {
        _key(offer.table, offer.action, tables): offer
        for table in tables
        for offer in _offers(request, table, devices)
    }
    if request.model is None or not offered:
        return ModelPlan()
    model, schema = request.model, plan_schema(offered)

    async def async_ask(messages: Sequence[Message]) -> ModelPlan:
        """Return the plan in one answer of the model."""
        completion = await model.complete(
            messages,
            schema=schema,
            schema_name="plan",
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            timeout=request.timeout,
        )
        return read_plan(completion.data or {}, offered, devices)

    return await async_ask_until_usable(
        async_ask,
        [
            Message(role="system", content=plan_prompt(tuple(tables), instructions)),
            Message(role="user", content=_question(request, devices)),
        ],
        attempts=_ATTEMPTS,
        again="Answer again, only with the JSON asked for.",
    )


@lru_cache(maxsize=_MOST_PROMPTS)
def plan_prompt(tables: tuple[Domain, ...], instructions: str = "") -> str:
    """Return the fixed system prompt for some domains: the same bytes each time, which servers cache."""
    lines = [
        f"- {_names(table, actions, tables)}" for table in tables for actions in _groups(table)
    ]
    prompt = _PROMPT.format(actions="\n".join(lines))
    return f"{prompt}\n{instructions}" if instructions else prompt


def _groups(table: Domain) -> Iterator[list[Action]]:
    """Yield the actions of a domain that a model may choose, those without values together."""
    plain = [action for action in plannable(table) if not action.parameters]
    if plain:
        yield plain
    yield from ([action] for action in plannable(table) if action.parameters)


def plannable(table: Domain) -> list[Action]:
    """Return the actions of a domain that a capable model may choose."""
    return [action for action in table.plannable_actions if action.is_offered]


def _names(table: Domain, actions: Sequence[Action], tables: Sequence[Domain]) -> str:
    """Return actions as a line of the prompt, with their values and units."""
    names = ", ".join(_key(table, action, tables) for action in actions)
    values = ", ".join(_hint(each) for action in actions for each in action.parameters)
    return f"{names}: {values}" if values else names


def _hint(parameter: Parameter) -> str:
    """Return a value's name with its unit."""
    match parameter.kind:
        case ParameterKind.COLOR:
            return f"{parameter.name} (a name or #rrggbb)"
        case ParameterKind.STEP:
            return f"{parameter.name} (a change, below 0 is less)"
        case ParameterKind.TEXT:
            return f"{parameter.name} ({parameter.hint or 'free words'})"
        case _:
            unit = "%" if parameter.name == "percent" else parameter.unit
            return f"{parameter.name} ({unit})" if unit else parameter.name


def _key(table: Domain, action: Action, tables: Sequence[Domain]) -> str:
    """Return what a model calls an action: with its domain where there are several."""
    return action.name if len(tables) == 1 else f"{table.name}.{action.name}"


def _offers(request: AgentRequest, table: Domain, devices: ListedDevices) -> Iterator[Offer]:
    """Yield the actions of a domain that some of the listed devices can do."""
    labels = devices.of_domain(table.name)
    states = {
        label: [s for each in devices.labels[label] if (s := request.hass.states.get(each))]
        for label in labels
    }
    for action in plannable(table):
        able = tuple(label for label in labels if action.capable_states(states[label]))
        found = [state for label in able for state in action.capable_states(states[label])]
        values = {each.name: value_schema(each, found) for each in action.parameters}
        known = {name: schema for name, schema in values.items() if schema}
        if able and (len(known) == len(values) or (action.any_parameter and known)):
            yield Offer(table, action, known, able)


def plan_schema(offered: Mapping[str, Offer]) -> JsonSchema:
    """Return the schema of a plan; of the values of an action some may be null where not all are needed."""
    return object_schema(
        {
            "steps": {
                "type": "array",
                "maxItems": _MAX_STEPS,
                "items": {"anyOf": [_step_schema(key, offer) for key, offer in offered.items()]},
            },
            "ask": {"type": "string", "maxLength": _MAX_WORDS},
            "nothing": {"type": "string", "maxLength": _MAX_WORDS},
        }
    )


def _step_schema(key: str, offer: Offer) -> JsonSchema:
    """Return the schema of one step."""
    return object_schema(
        {
            "action": {"type": "string", "enum": [key]},
            "targets": {
                "type": "array",
                "minItems": 1,
                "maxItems": len(offer.labels),
                "items": {"type": "string", "enum": list(offer.labels)},
            },
            **{
                name: schema if name in offer.needed else {"anyOf": [schema, {"type": "null"}]}
                for name, schema in offer.values.items()
            },
        }
    )


def _question(request: AgentRequest, devices: ListedDevices) -> str:
    """Return the variable part of the prompt: the devices, who speaks where, and the request.

    What changes least comes first, so that a server has read most of it before.
    """
    area = request.catalog.areas.get(request.area_id or "")
    lines = ["Devices:", devices.text]
    if request.language.is_conditional(request.spoken or request.instruction):
        lines.append(f"Measured: {'; '.join(measured(request))}")
    if area:
        lines.append(f"Speaker's room: {area.name}")
    if request.memory:
        lines.append(request.memory)
    if (data := request.data_as_json) is not None:
        lines.append(f"Data: {data[:_MAX_DATA]}")
    if request.spoken and request.spoken != request.instruction:
        lines.append(f"It was said: {request.spoken}")
    lines.append(f"Request: {request.instruction}")
    return "\n".join(lines)


def read_plan(
    data: Mapping[str, Any], offered: Mapping[str, Offer], devices: ListedDevices
) -> ModelPlan:
    """Return a model's output as a plan, validated against what was offered.

    Raises:
        BadOutputError: a step is not one that was offered, or there is neither a step nor a word.
    """
    items, text = data.get("steps"), shown_again(data)
    if not isinstance(items, list) or len(items) > _MAX_STEPS:
        raise BadOutputError("no list of steps", text=text)
    steps = tuple(_read_step(item, offered, devices, text) for item in items)
    ask, nothing = (_line(data.get(key)) for key in ("ask", "nothing"))
    if not (steps or ask or nothing):
        raise BadOutputError("neither steps nor words", text=text)
    return ModelPlan(steps, ask, nothing)


def _read_step(
    item: Any, offered: Mapping[str, Offer], devices: ListedDevices, text: str
) -> ModelStep:
    """Return one step; raises `BadOutputError` where it is not one that was offered."""
    offer = offered.get(str(item.get("action"))) if isinstance(item, dict) else None
    if offer is None:
        raise BadOutputError("an action that was not offered", text=text)
    named = item.get("targets")
    if not isinstance(named, list) or not named or not set(map(str, named)) <= set(offer.labels):
        raise BadOutputError("a device that was not offered", text=text)
    values = {
        name: _read_value(item.get(name), schema, text)
        for name, schema in offer.values.items()
        if item.get(name) is not None
    }
    if not offer.needed <= values.keys() or (offer.values and not values):
        raise BadOutputError("a value is missing", text=text)
    values = {
        parameter.name: _read_color(values[parameter.name], text)
        if parameter.kind is ParameterKind.COLOR
        else values[parameter.name]
        for parameter in offer.action.parameters
        if parameter.name in values and values.get(parameter.yields_to) is None
    }
    targets = dict.fromkeys(each for label in named for each in devices.labels[str(label)])
    return ModelStep(offer.table, offer.action, values, tuple(targets))


def _read_value(value: Any, schema: JsonSchema, text: str) -> Any:
    """Return a value that its schema allows; raises `BadOutputError` for others."""
    if schema["type"] == "number":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and schema["minimum"] <= value <= schema["maximum"]:
            return int(value) if value == int(value) else value
    elif isinstance(value, str) and value.strip():
        is_short = len(value) <= schema.get("maxLength", MOST_CHARACTERS)
        if is_short and value in schema.get("enum", (value,)):
            return value
    raise BadOutputError("a value that was not offered", text=text)


def _read_color(value: str, text: str) -> str | list[int]:
    """Return a colour's name as Home Assistant knows it, or red, green and blue; raises `BadOutputError`."""
    if found := _HEX.fullmatch(value.strip()):
        return list(bytes.fromhex(found[1]))
    name = value.replace(" ", "").replace("_", "").lower()
    if name not in color_util.COLORS:
        raise BadOutputError("a colour that nobody knows", text=text)
    return name


def _line(value: Any) -> str:
    """Return a text in one line, cut to what is spoken."""
    words = "".join(c if c.isprintable() else " " for c in value) if isinstance(value, str) else ""
    return " ".join(words.split())[:_MAX_WORDS]
