"""Asks the model for a plan that cannot hold what the home cannot do.

The model chooses among actions and values that exist: everything is an enum or a range made from
the candidates and the sentence. It is checked again afterwards, since a server may ignore a schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import json
from typing import Any

from ..llm.client import ModelClient
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema, Message
from ..llm.retry import async_ask_until_usable

_MAX_ACTIONS = 4
_MAX_TOKENS = 200
_ATTEMPTS = 2

ALL_TARGETS = "all"
"""What the model names to mean all candidates."""


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """One thing that can be done, with the JSON schema of each of its parameters."""

    name: str
    parameters: Mapping[str, JsonSchema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChosenAction:
    """An action that was chosen. `targets` are spoken names; empty means all candidates."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ()


def plan_schema(
    actions: Sequence[OfferedAction], targets: Sequence[str], most: int = _MAX_ACTIONS
) -> JsonSchema:
    """Return the schema of a plan: up to `most` actions with their parameters and targets.

    With one target or none there is nothing to choose, and no field for it.
    """
    return {
        "type": "object",
        "properties": {
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": most,
                "items": {"anyOf": [_action_schema(action, targets) for action in actions]},
            }
        },
        "required": ["actions"],
        "additionalProperties": False,
    }


def _action_schema(action: OfferedAction, targets: Sequence[str]) -> JsonSchema:
    """Return the schema of one action."""
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": [action.name]},
        **action.parameters,
    }
    if len(targets) > 1:
        properties["targets"] = {
            "type": "array",
            "minItems": 1,
            "maxItems": len(targets),
            "items": {"type": "string", "enum": [ALL_TARGETS, *targets]},
        }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


async def async_ask_for_plan(
    model: ModelClient,
    prompt: Sequence[Message],
    instruction: str,
    *,
    actions: Sequence[OfferedAction],
    targets: Sequence[str],
    seconds: float,
    most: int = _MAX_ACTIONS,
) -> list[ChosenAction]:
    """Ask the model which actions an instruction means, `most` of them at the most.

    `prompt` is the specialist's fixed text and comes first, so that the server can cache it;
    `targets` and the instruction follow. An answer that does not fit is shown to the model once
    with what is wrong with it.

    Raises:
        ModelError: the model could not be asked, or its second answer does not fit either.
    """
    schema = plan_schema(actions, targets, most)

    async def async_plan(messages: Sequence[Message]) -> list[ChosenAction]:
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
        [*prompt, Message(role="user", content=_question(instruction, targets))],
        attempts=_ATTEMPTS,
        again="Answer again, only with the JSON asked for.",
    )


def prompt_messages(prompt: str, examples: Sequence[tuple[str, str]]) -> list[Message]:
    """Return a specialist's fixed messages: its text, then examples as turns of a conversation.

    As turns, because a small model then answers in the same compact form.
    """
    messages = [Message(role="system", content=prompt)]
    for request, answer in examples:
        messages += [
            Message(role="user", content=request),
            Message(role="assistant", content=answer),
        ]
    return messages


def _question(instruction: str, targets: Sequence[str]) -> str:
    """Return the part of the prompt that varies."""
    named = f"\nDevices: {', '.join(targets)}" if len(targets) > 1 else ""
    return f"{instruction}{named}"


def parse_plan(
    data: Mapping[str, Any], actions: Sequence[OfferedAction], targets: Sequence[str]
) -> list[ChosenAction]:
    """Return the actions in a model's answer, each checked against what was offered.

    Raises:
        BadOutputError: an action, a parameter or a target is not one that was offered.
    """
    offered = {action.name: action for action in actions}
    items = data.get("actions")
    text = json.dumps(data, ensure_ascii=False)[:1000]
    if not isinstance(items, list) or not items:
        raise BadOutputError("no list of actions", text=text)
    chosen: list[ChosenAction] = []
    for item in items[:_MAX_ACTIONS]:
        action = offered.get(str(item.get("action"))) if isinstance(item, dict) else None
        if action is None:
            raise BadOutputError("an action that was not offered", text=text)
        for name, schema in action.parameters.items():
            if not _fits(item.get(name), schema):
                raise BadOutputError("a value that was not offered", text=text)
        named = item.get("targets", []) if len(targets) > 1 else []
        if not isinstance(named, list) or any(
            name not in (ALL_TARGETS, *targets) for name in named
        ):
            raise BadOutputError("a device that was not offered", text=text)
        parameters = {name: item[name] for name in action.parameters}
        chosen.append(
            ChosenAction(
                action.name, parameters, () if ALL_TARGETS in named else tuple(dict.fromkeys(named))
            )
        )
    return list({(c.name, str(c.parameters), c.targets): c for c in chosen}.values())


def _fits(value: Any, schema: JsonSchema) -> bool:
    """Return whether a value fits one of the plain schemas that actions are made of."""
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
