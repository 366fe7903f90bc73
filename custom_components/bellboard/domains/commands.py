"""Short commands ("louder", "30 percent", "turn it off") as actions, by domain.

"Turn it up" is brightness, volume, temperature or a blind, depending on what it is about: the tables say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math
from typing import Any

from homeassistant.core import State

from .actions import Action, Parameter, ParameterKind, StepSizes
from .models import Command
from .table import Domain

ANY_CHOICE = ("", "mode")
"""Attributes with which an option is meant of any parameter."""
_DIRECTIONS: Mapping[str, int] = {"up": 1, "down": -1}


@dataclass(frozen=True, slots=True)
class Change:
    """Change that is asked for, whatever it is done to.

    `kind` is a name of `actions.Action.commands` or `actions.Parameter.commands`, "up" or "down", or one of
    a domain's `actions.StepSizes.words`. `value` goes with it; of a step it is the size. `amount` is
    "little", "much" or "". `attribute` says what is changed ("brightness"), "" for what is usual.
    """

    kind: str
    value: float | str | None = None
    amount: str = ""
    attribute: str = ""


def find_action(table: Domain, change: Change) -> Command | None:
    """Return the action a change stands for with entities of a domain, or None."""
    for action in table.actions:
        if change.kind in action.commands and not change.attribute and change.value is None:
            return Command(action.name, {})
        for parameter in action.parameters:
            if _is_for(parameter, change):
                return Command(action.name, {parameter.name: as_plain(change.value)})
    steps = table.step_sizes
    if (
        steps
        and _measures(table, steps, change.attribute)
        and (sign := direction(steps, change.kind))
    ):
        return step(steps, sign, change.amount, change.value)
    return None


def _is_for(parameter: Parameter, change: Change) -> bool:
    """Return whether a change sets a parameter."""
    if change.attribute:
        is_percent = change.kind == "percent" and parameter.unit == "%"
        return parameter.measures == change.attribute and (
            is_percent or change.kind in {"number", *parameter.commands}
        )
    return change.kind in parameter.commands


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
    """Return which way a change moves things: 1 is up, -1 down, 0 where it does not move them."""
    more, less = steps.words or ("", "")
    return _DIRECTIONS.get(kind) or {more: 1, less: -1}.get(kind, 0)


def step(steps: StepSizes, sign: int, amount: str, value: float | str | None) -> Command | None:
    """Return the action that moves things up or down, by `value` where it is given."""
    size = as_number(value) or steps.sizes.get(amount)
    if size and steps.action and (steps.max_step is None or size <= steps.max_step):
        return Command(steps.action, {"by": as_plain(sign * size)})
    name = steps.up if sign > 0 else steps.down
    return Command(name, {}) if name and not size else None


def moved(table: Domain, change: Change, states: Sequence[State]) -> Command | None:
    """Return the action that moves entities from where they are, None where they are not at one level or need none.

    Without `states`, where any level will do, it only says that there is one.
    """
    steps = table.step_sizes
    if steps is None or not steps.attribute or not _measures(table, steps, change.attribute):
        return None
    levels = {as_number(state.attributes.get(steps.attribute)) for state in states} or {0.0}
    level, sign = levels.pop(), direction(steps, change.kind)
    if levels or level is None or not sign:
        return None
    to = level + sign * (as_number(change.value) or steps.sizes[change.amount])
    name, parameter = steps.sets
    return Command(name, {parameter: int(min(max(to, steps.lowest), 100))})


def as_number(value: Any) -> float | None:
    """Return a number that can be counted with, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def number_of(state: str) -> float | None:
    """Return a state in words as a number, None for one that is none."""
    try:
        return float(state)
    except ValueError:
        return None


def as_plain(value: float | str | None) -> float | str | None:
    """Return a whole number as an integer; brightness and the like take nothing else."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def option_of(
    table: Domain, names: frozenset[str], attribute: str, states: Sequence[State]
) -> Command | None:
    """Return the action that sets a mode, effect or source that one of some entities has."""
    for action in table.actions:
        for parameter in action.parameters:
            if parameter.kind is not ParameterKind.CHOICE or not parameter.options:
                continue
            if attribute not in {*ANY_CHOICE, parameter.measures}:
                continue
            for state in states:
                for own in state.attributes.get(parameter.options) or ():
                    if str(own).casefold() in names:
                        return Command(action.name, {parameter.name: str(own)})
    return None
