"""Maps short commands to actions, by domain.

"Turn it up" is brightness, volume, temperature or a blind, depending on what it is about. Actions
of domains without an agent of our own are named here and put into words for Home Assistant.
"""

import math

from ..domains.actions import StepSizes
from ..domains.commands import Change, as_number, find_action, move_from, step
from ..domains.models import Command
from ..domains.registry import table_of
from ..nlu.references import ReferringSentence


def action_for(domain: str, sentence: ReferringSentence) -> Command | None:
    """Return the action a command stands for with entities of a domain, or None."""
    if (table := table_of(domain)) is None:
        return None
    return find_action(table, Change(sentence.kind, sentence.value, sentence.amount))


def level_attribute(domain: str) -> str:
    """Return the attribute that things of a domain are moved from, nothing where it is not needed."""
    table = table_of(domain)
    return table.step_sizes.attribute if table and table.step_sizes else ""


def moved_from(domain: str, sentence: ReferringSentence, level: float) -> Command | None:
    """Return the action that moves things of a domain up or down from their `level` now."""
    if (table := table_of(domain)) is None:
        return None
    return move_from(table, Change(sentence.kind, sentence.value, sentence.amount), level)


def is_about_spoken(sentence: ReferringSentence) -> bool:
    """Return whether a command is about the entities of the last turn alone: "turn it up"."""
    return sentence.which == "it" and sentence.kind in {"up", "down", "stop"}


def repeat_action(domain: str, action: Command, sentence: ReferringSentence) -> Command | None:
    """Return the action that goes on from the last one, or None where it cannot be gone on with.

    "More" and "again" go on in the same direction, "less" goes down, "too much" goes back a bit.
    After a value that was set they are steps from there.
    """
    table = table_of(domain)
    steps = table.step_sizes if table else None
    by = _moved(steps, action) if steps else None
    if table is None or steps is None or by is None:
        row = table.action(action.name) if table else None
        return action if sentence.kind == "again" and row and row.is_repeatable else None
    match sentence.kind:
        case "again" if by:
            return action
        case "more" if by and not sentence.amount:
            return action
        case "more":
            return step(steps, -1 if by < 0 else 1, sentence.amount or "little", None)
        case "less":
            return step(steps, -1, sentence.amount or "little", None)
        case "too_much":
            return _back(steps, by)
        case _:
            return None


def _moved(steps: StepSizes, action: Command) -> float | None:
    """Return how far an action moved a value: 0 where it set one, None where it did neither."""
    setter, parameter = steps.sets
    if action.name == steps.action:
        return as_number(action.parameters.get("by"))
    if action.name in {steps.up, steps.down}:
        return 1 if action.name == steps.up else -1
    return 0 if action.name == setter and set(action.parameters) == {parameter} else None


def _back(steps: StepSizes, by: float) -> Command | None:
    """Return the action that takes back half of a step, or a little of a value that was set."""
    sign = 1 if by < 0 else -1
    half = abs(by) / 2
    if steps.allows_fractions:
        return step(steps, sign, "little", half or None)
    return step(steps, sign, "little", float(math.ceil(half)) if half > 1 else None)
