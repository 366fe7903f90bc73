"""Short commands ("louder", "30 percent", "turn it off") as actions, by domain.

"Turn it up" is brightness, volume, temperature or a blind, depending on what it is about: the tables say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

from .actions import Action, Parameter, StepSizes
from .table import Domain

_DIRECTIONS: Mapping[str, int] = {"up": 1, "down": -1}


@dataclass(frozen=True, slots=True)
class Command:
    """What is to be done, whatever it is done with.

    `kind` is a name of `actions.Action.commands` or `actions.Parameter.commands`, "up" or "down", or one of
    a domain's `actions.StepSizes.words`. `value` goes with it; of a step it is the size. `amount` is
    "little", "much" or "". `attribute` says what is changed ("brightness"), "" for what is usual.
    """

    kind: str
    value: float | str | None = None
    amount: str = ""
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class CommandedAction:
    """Action of a table by its name, with its parameters."""

    name: str
    parameters: dict[str, Any]


def find_action(table: Domain, command: Command) -> CommandedAction | None:
    """Return the action a command stands for with entities of a domain, or None."""
    for action in table.actions:
        if command.kind in action.commands and not command.attribute:
            return CommandedAction(action.name, {})
        for parameter in action.parameters:
            if _is_for(parameter, command):
                return CommandedAction(action.name, {parameter.name: as_plain(command.value)})
    steps = table.step_sizes
    if (
        steps
        and _measures(table, steps, command.attribute)
        and (sign := direction(steps, command.kind))
    ):
        return step(steps, sign, command.amount, command.value)
    return None


def _is_for(parameter: Parameter, command: Command) -> bool:
    """Return whether a command sets a parameter."""
    if command.attribute:
        is_percent = command.kind == "percent" and parameter.unit == "%"
        return parameter.measures == command.attribute and (
            is_percent or command.kind in {"number", *parameter.commands}
        )
    return command.kind in parameter.commands


def _measures(table: Domain, steps: StepSizes, attribute: str) -> bool:
    """Return whether steps change an attribute; "" is what is usual."""
    name, parameter = steps.sets
    return not attribute or any(
        each.measures == attribute
        for each in _parameters(table.action(name))
        if each.name == parameter
    )


def _parameters(action: Action | None) -> tuple[Parameter, ...]:
    """Return the parameters of an action, none of None."""
    return action.parameters if action else ()


def direction(steps: StepSizes, kind: str) -> int:
    """Return which way a command moves things: 1 is up, -1 down, 0 where it does not move them."""
    more, less = steps.words or ("", "")
    return _DIRECTIONS.get(kind) or {more: 1, less: -1}.get(kind, 0)


def step(
    steps: StepSizes, sign: int, amount: str, value: float | str | None
) -> CommandedAction | None:
    """Return the action that moves things up or down, by `value` where it is given."""
    size = as_number(value) or steps.sizes.get(amount)
    if size and steps.action and (steps.max_step is None or size <= steps.max_step):
        return CommandedAction(steps.action, {"by": as_plain(sign * size)})
    name = steps.up if sign > 0 else steps.down
    return CommandedAction(name, {}) if name and not size else None


def move_from(table: Domain, command: Command, level: float) -> CommandedAction | None:
    """Return the action that moves entities of a domain from their `level`, None where they need none for it."""
    steps = table.step_sizes
    if steps is None or not steps.attribute or not _measures(table, steps, command.attribute):
        return None
    if not (sign := direction(steps, command.kind)):
        return None
    moved = level + sign * (as_number(command.value) or steps.sizes[command.amount])
    name, parameter = steps.sets
    return CommandedAction(name, {parameter: int(min(max(moved, steps.lowest), 100))})


def as_number(value: Any) -> float | None:
    """Return a number that can be counted with, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def as_plain(value: float | str | None) -> float | str | None:
    """Return a whole number as an integer; brightness and the like take nothing else."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
