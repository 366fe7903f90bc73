"""Planner of a capable model: bound by the devices, it plans steps with targets and values of their own.

Or it asks, or says why nothing is done. The output is validated again, since a server may ignore
the schema.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from homeassistant.components.calendar import DOMAIN as CALENDAR_DOMAIN
from homeassistant.util import dt as dt_util

from ..domains.actions import Action, Parameter, ParameterKind
from ..domains.models import Command
from ..domains.table import Domain
from ..llm.client import shown_again
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema, Message, object_schema
from ..nlu.reading import read_tags
from .base import AgentRequest
from .listed_devices import ListedDevices, list_devices, measured
from .offered_actions import (
    ASK,
    REFUSE,
    Offer,
    offer_for_devices,
    plannable,
    read_color,
    read_value,
)
from .planner import MOST_PROMPTS, async_ask_by_schema, async_ask_for_plan

_MAX_STEPS, _MAX_TOKENS_OF_STEPS = 8, 700
# In characters, of a text in an answer.
_MAX_WORDS = 200
# In characters, of what another agent found out.
_MAX_DATA = 1000

_PROMPT_FOR_DEVICES = """\
Carry out a request with the devices of a home. Answer with JSON.
"steps", in order: one action each, once for all targets, named as in the list, and values. Work out \
half, a bit, as before, a mood. Actions:
{actions}
Use only devices in the room that is meant: the one said, else the speaker's. Leave out what is excepted.
"ask": one short question in the language of the request, if a value or device is missing that nobody can know, \
or to offer what another room has; then no steps.
"refuse": one short sentence in that language ("I know of no sprinkler here."), if none or not all of it can be \
done."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One action of a domain's table, with its values and the entity ids it is for."""

    action: Action
    parameters: dict[str, Any]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model's plan: steps, a question (`ask`), or the reason to `refuse`.

    `written` is the plan as the model wrote it; for the entity ids that are `unable` it has an action of others.
    """

    steps: tuple[ModelStep, ...] = ()
    ask: str = ""
    refuse: str = ""
    written: str = ""
    unable: tuple[str, ...] = ()


class Planner(Protocol):
    """Plans what nothing but a model understood (Agent router orchestration, Planner).

    What was read without a model is planned by the tables of the domains.
    """

    async def async_choose(
        self,
        request: AgentRequest,
        prompt: Sequence[Message],
        *,
        actions: Sequence[Offer],
        targets: Mapping[str, str],
        most: int,
    ) -> list[Command]:
        """Return those of the `actions` that an instruction means, up to `most`, each for some `targets` or for all.

        `prompt` are the specialist's fixed messages; `targets` are entity ids by name.

        Raises:
            ModelError: no plan could be made.
        """
        ...

    async def async_plan(
        self,
        request: AgentRequest,
        tables: Sequence[Domain],
        instructions: str = "",
        *,
        before: Sequence[Message] = (),
    ) -> ModelPlan:
        """Return a plan with the devices of some domains, by `instructions` beside the planner's own.

        `before` is an earlier plan and why that cannot be carried out.

        Raises:
            ModelError: no plan could be made.
        """
        ...


class ModelPlanner:
    """Planner that asks the request's model, bound by a JSON schema; without a model there is no plan."""

    async def async_choose(
        self,
        request: AgentRequest,
        prompt: Sequence[Message],
        *,
        actions: Sequence[Offer],
        targets: Mapping[str, str],
        most: int,
    ) -> list[Command]:
        """Ask a small model, which is bound by the words of the instruction."""
        if request.model is None:
            return []
        return await async_ask_for_plan(
            request.model,
            prompt,
            request.instruction,
            actions=actions,
            targets=targets,
            seconds=request.timeout,
            most=most,
        )

    async def async_plan(
        self,
        request: AgentRequest,
        tables: Sequence[Domain],
        instructions: str = "",
        *,
        before: Sequence[Message] = (),
    ) -> ModelPlan:
        """Ask a capable model, which is bound by the devices."""
        return await async_ask_for_steps(request, tables, instructions, before=before)


async def async_ask_for_steps(
    request: AgentRequest,
    tables: Sequence[Domain],
    instructions: str = "",
    *,
    before: Sequence[Message] = (),
) -> ModelPlan:
    """Ask the request's model for a plan with the devices of some domains, by `instructions` beside its own.

    `before` is a plan of its own and why that cannot be carried out.

    Raises:
        ModelError: the model could not be asked, or its second output is invalid, too.
    """
    domains = [table.name for table in tables]
    # Only who asks a capable model needs it, and the event loop need not wait.
    await request.hass.async_add_executor_job(request.catalog.build_search)
    devices = list_devices(request, domains, request.spoken or request.instruction)
    offered = [
        offer
        for table in tables
        for action in plannable(table)
        if (
            offer := offer_for_devices(
                request, action, devices.of_domain(table.name), devices.labels
            )
        )
    ]
    if request.model is None or not offered:
        return ModelPlan()
    prompt = plan_prompt(tuple(tables), instructions)
    return await async_ask_by_schema(
        request.model,
        [
            Message(role="system", content=prompt),
            Message(role="user", content=_question(request, devices)),
            *before,
        ],
        steps_schema(offered),
        lambda data: read_plan(data, offered, devices),
        max_tokens=_MAX_TOKENS_OF_STEPS,
        seconds=request.timeout,
    )


@lru_cache(maxsize=MOST_PROMPTS)
def plan_prompt(tables: tuple[Domain, ...], instructions: str = "") -> str:
    """Return the fixed system prompt for some domains: the same bytes each time, which servers cache."""
    lines: list[str] = []
    for table in tables:
        groups = [_names(actions) for actions in _groups(table)]
        lines += groups if len(tables) == 1 else [f"{table.name}: {'; '.join(groups)}"]
    prompt = _PROMPT_FOR_DEVICES.format(actions="\n".join(f"- {line}" for line in lines))
    return f"{prompt}\n{instructions}" if instructions else prompt


def _groups(table: Domain) -> Iterator[list[Action]]:
    """Yield the actions of a domain that a model may choose, those without values together."""
    plain = [action for action in plannable(table) if not action.parameters]
    if plain:
        yield plain
    yield from ([action] for action in plannable(table) if action.parameters)


def _names(actions: Sequence[Action]) -> str:
    """Return actions as a line of the prompt, with their values and units."""
    names = ", ".join(action.name for action in actions)
    values = ", ".join(_hint(each) for action in actions for each in action.parameters)
    return f"{names}: {values}" if values else names


def _hint(parameter: Parameter) -> str:
    """Return a value's name with its unit."""
    match parameter.kind:
        case ParameterKind.COLOR:
            return f"{parameter.name} (name or #rrggbb)"
        case ParameterKind.STEP:
            return f"{parameter.name} (below 0 is less)"
        case ParameterKind.TEXT:
            return f"{parameter.name} ({parameter.hint or 'free words'})"
        case _:
            unit = "%" if parameter.name == "percent" else parameter.unit
            return f"{parameter.name} ({unit})" if unit else parameter.name


def steps_schema(offered: Sequence[Offer]) -> JsonSchema:
    """Return the schema of a plan: each step has one of all actions, targets, and values, null where not its own.

    Each name stands in it once. Which device can do what is told in the list of devices, and checked afterwards.
    """
    values: dict[str, list[JsonSchema]] = {}
    for offer in offered:
        for name, schema in offer.values.items():
            values.setdefault(name, []).append(schema)
    labels = dict.fromkeys(each for offer in offered for each in offer.labels)
    step = {
        "action": {"type": "string", "enum": list(dict.fromkeys(each.name for each in offered))},
        "targets": {"type": "array", "items": {"type": "string", "enum": list(labels)}},
        **{name: _any_or_null(schemas) for name, schemas in values.items()},
    }
    return object_schema(
        {
            "steps": {"type": "array", "items": object_schema(step)},
            ASK: {"type": "string"},
            REFUSE: {"type": "string"},
        }
    )


def _any_or_null(schemas: Sequence[JsonSchema]) -> JsonSchema:
    """Return the schema of what fits any schema, or null, as strict modes want what may be left out."""
    found: JsonSchema = {"type": [*dict.fromkeys(each["type"] for each in schemas), "null"]}
    for key, widest in (("minimum", min), ("maximum", max)):
        if all(key in each for each in schemas):
            found[key] = widest(each[key] for each in schemas)
    if all("enum" in each for each in schemas):
        options = dict.fromkeys(option for each in schemas for option in each["enum"])
        found["enum"] = [*options, None]
    return found


def _question(request: AgentRequest, devices: ListedDevices) -> str:
    """Return the variable part of the prompt: the devices, who speaks where, and the request.

    What changes least comes first, so that a server has read most of it before.
    """
    area = request.catalog.areas.get(request.area_id or "")
    lines = ["Devices:", devices.text, f"Now: {devices.now}"]
    if any(
        each.startswith(f"{CALENDAR_DOMAIN}.") for ids in devices.labels.values() for each in ids
    ):
        # Entries are for a day.
        lines.append(f"Time: {dt_util.now():%A %Y-%m-%d %H:%M}")
    if read_tags(request.spoken or request.instruction, request.language).is_conditional:
        lines.append(f"Measured: {'; '.join(measured(request))}")
    if area:
        lines.append(f"Speaker's room: {area.name}")
    if request.before:
        lines.append(request.before)
    if (data := request.data_as_json) is not None:
        lines.append(f"Data: {data[:_MAX_DATA]}")
    lines.append(f"Request: {request.instruction}")
    return "\n".join(lines)


def read_plan(
    data: Mapping[str, Any],
    offered: Sequence[Offer],
    devices: ListedDevices,
) -> ModelPlan:
    """Return a model's output as a plan, validated against what was offered.

    Raises:
        BadOutputError: a step is not one that was offered, or there is neither a step nor a word.
    """
    items, text = data.get("steps"), shown_again(data)
    if not isinstance(items, list) or len(items) > _MAX_STEPS:
        raise BadOutputError("no list of steps", text=text)
    steps: list[ModelStep] = []
    unable: list[str] = []
    for item in items:
        found, left = _read_step(item, offered, devices, text)
        steps += found
        unable += left
    ask, refuse = (_line(data.get(key)) for key in (ASK, REFUSE))
    if not (steps or unable or ask or refuse):
        raise BadOutputError("neither steps nor words", text=text)
    return ModelPlan(tuple(steps), ask, refuse, text, tuple(dict.fromkeys(unable)))


def _read_step(
    item: Any, offered: Sequence[Offer], devices: ListedDevices, text: str
) -> tuple[list[ModelStep], list[str]]:
    """Return a step for the targets of each domain, and the ids of those whose domain has no such action.

    Raises:
        BadOutputError: it is not one that was offered.
    """
    # Some write an action's domain before it, as Home Assistant does; its targets tell that.
    name = str(item.get("action")).rpartition(".")[2] if isinstance(item, Mapping) else ""
    fitting = [offer for offer in offered if offer.name == name]
    named = item.get("targets") if fitting else None
    known = {each for offer in offered for each in offer.labels}
    if not isinstance(named, list) or not named or not known.issuperset(map(str, named)):
        raise BadOutputError("an action or a device that was not offered", text=text)
    left = dict.fromkeys(map(str, named))
    steps: list[ModelStep] = []
    for offer in fitting:
        if own := [each for each in left if each in offer.labels]:
            targets = tuple(target for each in own for target in devices.labels[each])
            steps.append(_step(_with_values(offer, item, offered), item, targets, text))
            left = {each: None for each in left if each not in own}
    return steps, [target for each in left for target in devices.labels[each]]


def _step(offer: Offer, item: Mapping[str, Any], targets: tuple[str, ...], text: str) -> ModelStep:
    """Return an offered action with its values for targets; raises `BadOutputError` for other values, or none."""
    values = {
        name: read_value(item.get(name), schema, text)
        for name, schema in offer.values.items()
        if item.get(name) is not None
    }
    action = offer.action
    if action is None or not offer.needed <= values.keys() or (offer.values and not values):
        raise BadOutputError("a value is missing", text=text)
    values = {
        parameter.name: read_color(values[parameter.name], text)
        if parameter.kind is ParameterKind.COLOR
        else values[parameter.name]
        for parameter in action.parameters
        if parameter.name in values and values.get(parameter.yields_to) is None
    }
    return ModelStep(action, values, targets)


def _with_values(offer: Offer, item: Mapping[str, Any], offered: Sequence[Offer]) -> Offer:
    """Return an offer, or the one of the same service that takes the values given: turned on at 40% is set to it."""
    if offer.values or offer.action is None or offer.action.data:
        return offer
    given = {name for name, value in item.items() if value is not None} - {"action", "targets"}
    return next(
        (
            other
            for other in offered
            if other.action
            and other.labels == offer.labels
            and other.action.services == offer.action.services
            and given & other.values.keys()
        ),
        offer,
    )


def _line(value: Any) -> str:
    """Return a text in one line, cut to what is spoken."""
    words = "".join(c if c.isprintable() else " " for c in value) if isinstance(value, str) else ""
    return " ".join(words.split())[:_MAX_WORDS]
