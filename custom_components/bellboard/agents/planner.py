"""Planner: asks a model for actions, bound by a JSON schema (Agent router orchestration, Planner).

A small model is bound by words: it chooses among actions whose values the request names, for all targets or some.
The output is validated again, since a server may ignore the schema.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..domains.models import Command
from ..domains.table import Domain
from ..llm.client import ModelClient, async_ask_until_usable, shown_again
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema, Message, object_schema
from .offered_actions import ASK, NOTHING, Offer, is_for_small, read_value

_ATTEMPTS = 2
# Of the actions and steps of an answer, and of its tokens.
_MAX_ACTIONS, _MAX_STEPS = 4, 8
_MAX_TOKENS_OF_ACTIONS, _MAX_TOKENS_OF_STEPS = 200, 700
# In characters, of a text in an answer.
_MAX_WORDS = 200
# In characters, of what another agent found out.
_MAX_DATA = 1000
# One for each specialist, and for each agent of the user's own.
MOST_PROMPTS = 64

ALL_TARGETS = "all"
"""Target in a model's output that means all candidates."""

_WITHOUT_TARGETS = frozenset({ASK, NOTHING})

_PROMPT_FOR_WORDS = """\
You control the {article} of a home. Turn the request into actions, as JSON.
{lines}
- ask: where a value that it needs is not said; - nothing: where nothing of this is wanted
"targets" are the devices meant; "all" means all of them."""


async def async_ask_by_schema[T](
    model: ModelClient,
    messages: Sequence[Message],
    schema: JsonSchema,
    read: Callable[[Mapping[str, Any]], T],
    *,
    max_tokens: int,
    seconds: float,
) -> T:
    """Return what `read` makes of the model's answer; invalid output is asked for once more, with the error shown.

    Raises:
        ModelError: the model could not be asked, or its second output is invalid, too.
    """

    async def async_answer(asked: Sequence[Message]) -> T:
        """Return the plan read in one answer of the model."""
        completion = await model.complete(
            asked,
            schema=schema,
            schema_name="plan",
            temperature=0.0,
            max_tokens=max_tokens,
            timeout=seconds,
        )
        return read(completion.data or {})

    return await async_ask_until_usable(
        async_answer,
        messages,
        attempts=_ATTEMPTS,
        again="Answer again, only with the JSON asked for.",
    )


async def async_ask_for_plan(
    model: ModelClient,
    prompt: Sequence[Message],
    instruction: str,
    *,
    actions: Sequence[Offer],
    targets: Mapping[str, str],
    seconds: float,
    most: int = _MAX_ACTIONS,
) -> list[Command]:
    """Ask the model for the actions of an instruction, up to `most`.

    `prompt` are the specialist's fixed messages and come first, for the server's prompt cache; the
    instruction with the names of the `targets` follows, which are entity ids by spoken name. `seconds`
    is the time-out of a call.

    Raises:
        ModelError: the model could not be asked, or its second output is invalid, too.
    """
    names = list(targets)
    return await async_ask_by_schema(
        model,
        [*prompt, Message(role="user", content=_question_about(instruction, names))],
        plan_schema(actions, names, most),
        lambda data: parse_plan(data, actions, targets),
        max_tokens=_MAX_TOKENS_OF_ACTIONS,
        seconds=seconds,
    )


def build_prompt(domain: Domain) -> str:
    """Return the fixed system prompt of a specialist: the domain, and a line for each group of actions."""
    return _PROMPT_FOR_WORDS.format(
        article=domain.prompt_noun, lines="\n".join(_lines_for_words(domain))
    )


def _lines_for_words(domain: Domain) -> Iterator[str]:
    """Yield the prompt's line for each group of actions."""
    offered = [action for action in domain.plannable_actions if is_for_small(action)]
    for _, group in groupby(offered, key=lambda action: action.prompt_group or action.name):
        actions = list(group)
        names, line = ", ".join(action.name for action in actions), actions[0].prompt_line
        yield f"- {names}: {line}" if line else f"- {names}"


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


def _question_about(instruction: str, targets: Sequence[str]) -> str:
    """Return the variable part of the prompt: the instruction, and the names of the targets."""
    named = f"\nDevices: {', '.join(targets)}" if len(targets) > 1 else ""
    return f"{instruction}{named}"


def plan_schema(
    actions: Sequence[Offer], targets: Sequence[str], most: int = _MAX_ACTIONS
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


def _action_schema(action: Offer, targets: Sequence[str]) -> JsonSchema:
    """Return the schema of one action."""
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": [action.name]},
        **action.values,
    }
    if len(targets) > 1 and action.name not in _WITHOUT_TARGETS:
        properties["targets"] = {
            "type": "array",
            "minItems": 1,
            "maxItems": len(targets),
            "items": {"type": "string", "enum": [ALL_TARGETS, *targets]},
        }
    return object_schema(properties)


def parse_plan(
    data: Mapping[str, Any], actions: Sequence[Offer], targets: Mapping[str, str]
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
        offer = offered.get(str(item.get("action"))) if isinstance(item, dict) else None
        if offer is None:
            raise BadOutputError("an action that was not offered", text=text)
        values = {name: read_value(item.get(name), s, text) for name, s in offer.values.items()}
        has_targets = len(targets) > 1 and offer.name not in _WITHOUT_TARGETS
        named = item.get("targets", []) if has_targets else []
        if not isinstance(named, list) or any(
            name not in (ALL_TARGETS, *targets) for name in named
        ):
            raise BadOutputError("a device that was not offered", text=text)
        if ALL_TARGETS in named:
            named = []
        meant = tuple(targets[name] for name in dict.fromkeys(named))
        chosen.append(Command(offer.name, values, meant))
    return list({(c.name, str(c.parameters), c.targets): c for c in chosen}.values())
