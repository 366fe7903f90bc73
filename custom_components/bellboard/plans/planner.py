"""Planner: asks a model for actions, bound by a JSON schema (Agent router orchestration, Planner).

The schema offers only actions, values and targets that exist, as enums and ranges built from the
candidates and the sentence. The output is validated again, since a server may ignore the schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..domains.models import Command
from ..llm.client import ModelClient, async_ask_until_usable, shown_again
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema, Message, object_schema

_MAX_ACTIONS = 4
_MAX_TOKENS = 200
_ATTEMPTS = 2

ALL_TARGETS = "all"
"""Target in a model's output that means all candidates."""

ASK, NOTHING, MISSING = "ask", "nothing", "missing"
"""Actions that are always offered: to ask for a value, named by MISSING, and to do nothing."""

_WITHOUT_TARGETS = frozenset({ASK, NOTHING})


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """Action that a model may choose, with the JSON schema of each parameter."""

    name: str
    parameters: Mapping[str, JsonSchema] = field(default_factory=dict)


def plan_schema(
    actions: Sequence[OfferedAction], targets: Sequence[str], most: int = _MAX_ACTIONS
) -> JsonSchema:
    """Return the schema of a model's plan: up to `most` actions with their parameters and targets.

    Targets are left out where there is only one or none.
    """
    return object_schema(
        {
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": most,
                "items": {"anyOf": [_action_schema(action, targets) for action in actions]},
            }
        }
    )


def _action_schema(action: OfferedAction, targets: Sequence[str]) -> JsonSchema:
    """Return the schema of one action."""
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": [action.name]},
        **action.parameters,
    }
    if len(targets) > 1 and action.name not in _WITHOUT_TARGETS:
        properties["targets"] = {
            "type": "array",
            "minItems": 1,
            "maxItems": len(targets),
            "items": {"type": "string", "enum": [ALL_TARGETS, *targets]},
        }
    return object_schema(properties)


async def async_ask_for_plan(
    model: ModelClient,
    prompt: Sequence[Message],
    instruction: str,
    *,
    actions: Sequence[OfferedAction],
    targets: Mapping[str, str],
    seconds: float,
    most: int = _MAX_ACTIONS,
) -> list[Command]:
    """Ask the model for the actions of an instruction, up to `most`.

    `prompt` are the specialist's fixed messages and come first, for the server's prompt cache; the
    instruction with the names of the `targets` follows, which are entity ids by spoken name. `seconds`
    is the time-out of a call. Invalid output is retried once, with the output and the error shown to
    the model.

    Raises:
        ModelError: the model could not be asked, or its second output is invalid, too.
    """
    names = list(targets)
    schema = plan_schema(actions, names, most)

    async def async_plan(messages: Sequence[Message]) -> list[Command]:
        """Return the plan in one answer of the model."""
        completion = await model.complete(
            messages,
            schema=schema,
            schema_name="plan",
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            timeout=seconds,
        )
        return parse_plan(completion.data or {}, actions, targets)

    return await async_ask_until_usable(
        async_plan,
        [*prompt, Message(role="user", content=_question(instruction, names))],
        attempts=_ATTEMPTS,
        again="Answer again, only with the JSON asked for.",
    )


def prompt_messages(prompt: str, examples: Sequence[tuple[str, str]]) -> list[Message]:
    """Return a specialist's fixed messages: the system prompt, then few-shot examples.

    The examples are turns of a conversation, because small models then copy their compact form.
    """
    messages = [Message(role="system", content=prompt)]
    for request, answer in examples:
        messages += [
            Message(role="user", content=request),
            Message(role="assistant", content=answer),
        ]
    return messages


def _question(instruction: str, targets: Sequence[str]) -> str:
    """Return the variable part of the prompt: the instruction, and the names of the targets."""
    named = f"\nDevices: {', '.join(targets)}" if len(targets) > 1 else ""
    return f"{instruction}{named}"


def parse_plan(
    data: Mapping[str, Any], actions: Sequence[OfferedAction], targets: Mapping[str, str]
) -> list[Command]:
    """Return the actions in a model's output, validated against those offered, without duplicates.

    Raises:
        BadOutputError: an action, a parameter or a target is not one that was offered.
    """
    offered = {action.name: action for action in actions}
    items = data.get("actions")
    text = shown_again(data)
    if not isinstance(items, list) or not items:
        raise BadOutputError("no list of actions", text=text)
    chosen: list[Command] = []
    for item in items[:_MAX_ACTIONS]:
        action = offered.get(str(item.get("action"))) if isinstance(item, dict) else None
        if action is None:
            raise BadOutputError("an action that was not offered", text=text)
        for name, schema in action.parameters.items():
            if not _matches_schema(item.get(name), schema):
                raise BadOutputError("a value that was not offered", text=text)
        has_targets = len(targets) > 1 and action.name not in _WITHOUT_TARGETS
        named = item.get("targets", []) if has_targets else []
        if not isinstance(named, list) or any(
            name not in (ALL_TARGETS, *targets) for name in named
        ):
            raise BadOutputError("a device that was not offered", text=text)
        parameters = {name: item[name] for name in action.parameters}
        if ALL_TARGETS in named:
            named = []
        chosen.append(
            Command(action.name, parameters, tuple(targets[name] for name in dict.fromkeys(named)))
        )
    return list({(c.name, str(c.parameters), c.targets): c for c in chosen}.values())


def _matches_schema(value: Any, schema: JsonSchema) -> bool:
    """Return whether a value is valid under a parameter's schema: an enum, a text or a range of numbers."""
    if "enum" in schema and value not in schema["enum"]:
        return False
    match schema.get("type"):
        case "string":
            return isinstance(value, str) and bool(value.strip()) and len(value) <= 200
        case "integer":
            is_number = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        case _:
            is_number = isinstance(value, int | float)
    if isinstance(value, bool) or not is_number:
        return False
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
