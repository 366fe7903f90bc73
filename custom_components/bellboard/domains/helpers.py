"""Tables of what is set to a choice or a number, of counters, and of automations."""

from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.const import ATTR_OPTION
from homeassistant.core import State

from .actions import Action, Intent, Parameter, choice
from .checks import IS_OFF, IS_ON, STATE, TOGGLED, OutcomeCheck
from .commands import number_of
from .effects import on_off, same
from .services import Attribute, SavedState, Service, UndoStep, listed, number, reply_started
from .switch import undo_switch
from .table import Domain

_VALUE = "value"
_TOLERANCE = 0.01


def _is_chosen(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether the state is the option of the call."""
    return bool(state.state == data[ATTR_OPTION])


def _has_number(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether the state is the number of the call."""
    now = number_of(state.state)
    return now is not None and abs(now - data[_VALUE]) <= _TOLERANCE


def _is_initial(state: State, _data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a counter is where it begins."""
    return bool(number_of(state.state) == state.attributes.get("initial", 0))


def _undo_choice(before: SavedState, _state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the step that chooses what was chosen before."""
    if STATE in changed:
        yield "select_option", {ATTR_OPTION: before.state}


def _undo_number(before: SavedState, _state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the step that sets the number that there was before."""
    value = number_of(before.state) if STATE in changed else None
    if value is not None:
        yield "set_value", {_VALUE: value}


def _choosing(name: str) -> Domain:
    """Return the table of a domain whose entities are one of their options."""
    return Domain(
        name=name,
        services=(
            Service(
                "select_option",
                fields={ATTR_OPTION: listed("options")},
                required=frozenset({ATTR_OPTION}),
                check=OutcomeCheck(_is_chosen, description="the option"),
            ),
        ),
        actions=(
            Action(
                "select_option",
                "select_option",
                parameters=(choice(ATTR_OPTION, ATTR_OPTION, "options"),),
            ),
        ),
        # Any of these may end in any option.
        effects=(
            same("select_option", "select_first", "select_last", "select_next", "select_previous"),
        ),
        plan_undo=_undo_choice,
    )


def _numeric(
    name: str,
    low: str,
    high: str,
    *actions: Action,
    services: tuple[Service, ...] = (),
) -> Domain:
    """Return the table of a domain whose entities are a number, between two of their attributes."""
    return Domain(
        name=name,
        services=(
            Service(
                "set_value",
                fields={_VALUE: number(low, high)},
                required=frozenset({_VALUE}),
                check=OutcomeCheck(_has_number, description="the number"),
            ),
            *services,
        ),
        actions=(
            Action(
                "set_value",
                "set_value",
                parameters=(
                    Parameter(
                        _VALUE,
                        field=_VALUE,
                        low=low,
                        high=high,
                        must_reach=True,
                        commands=("number", "percent", "degrees"),
                    ),
                ),
            ),
            *actions,
        ),
        # Whatever may not be set may not be counted on or back, either.
        effects=(same("set_value", "increment", "decrement", "reset"),),
        plan_undo=_undo_number,
    )


SELECT, INPUT_SELECT = _choosing("select"), _choosing("input_select")
NUMBER = _numeric("number", "min", "max")
INPUT_NUMBER = _numeric("input_number", "min", "max")
COUNTER = _numeric(
    "counter",
    "minimum",
    "maximum",
    Action("increment", "increment", commands=frozenset({"up"}), is_repeatable=True),
    Action("decrement", "decrement", commands=frozenset({"down"}), is_repeatable=True),
    Action("reset", "reset", commands=frozenset({"reset"})),
    services=(
        Service("increment", check=TOGGLED),
        Service("decrement", check=TOGGLED),
        Service("reset", check=OutcomeCheck(_is_initial, description="the first number")),
    ),
)

AUTOMATION = Domain(
    name="automation",
    effects=on_off(),
    attributes=(Attribute("last_triggered"),),
    services=(
        Service("turn_on", check=IS_ON),
        Service("turn_off", check=IS_OFF),
        Service("toggle", check=TOGGLED),
        Service(
            "trigger",
            unseen="what it runs may take long, or be done at once",
            reply=reply_started,
        ),
    ),
    actions=(
        Action(
            "turn_on", "turn_on", intents=(Intent("HassTurnOn"),), commands=frozenset({"turn_on"})
        ),
        Action(
            "turn_off",
            "turn_off",
            intents=(Intent("HassTurnOff"),),
            commands=frozenset({"turn_off", "stop"}),
        ),
        Action("trigger", "trigger", commands=frozenset({"start"})),
    ),
    plan_undo=undo_switch,
)
"""Table of automations, which are on or off; what one ran is not undone."""
