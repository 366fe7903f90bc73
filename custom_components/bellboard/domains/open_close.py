"""Services, actions and undo that the tables of cover and valve share: open, close, stop, set position."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homeassistant.const import STATE_CLOSED, STATE_CLOSING, STATE_OPEN, STATE_OPENING
from homeassistant.core import State

from .actions import Action, Intent, percentage
from .checks import TOGGLED, OutcomeCheck, is_at, is_none_of, is_one_of, near
from .models import StateLike, ToolCall
from .services import (
    Capability,
    ReplyTranslation,
    SavedState,
    Service,
    ValueFormatter,
    as_number,
    number,
)
from .table import PolicyValue

EQUIVALENT_STATES: Mapping[str, str] = {STATE_OPENING: STATE_OPEN, STATE_CLOSING: STATE_CLOSED}
"""A moving entity counts as being where it moves to."""

PERCENT = number(0, 100, whole=True, unit="%")
TOLERANCE = 2
"""Largest difference between the position asked for and shown, in percentage points."""


def reply_with_verb(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply named after the verb of the service ("open_cover" is "open")."""
    values = [words.percent(value) for value in call.data.values()]
    if "tilt_position" in call.data:
        return "tilt", {"value": values[0]}
    return call.action.partition(".")[2].partition("_")[0], dict.fromkeys(
        ("value",)[: len(values)], "".join(values)
    )


def find_restoring_verb(before: SavedState) -> str | None:
    """Return the verb of the service that restores an open or closed state; None for another."""
    state = EQUIVALENT_STATES.get(before.state, before.state)
    return {STATE_OPEN: "open", STATE_CLOSED: "close"}.get(state)


def _moves_to(end: int, *states: str) -> OutcomeCheck:
    """Return a check that something is in one of some states; before the call it had to be at the end, too.

    A blind is open at 40 percent, and still to be opened. What is closed is so whatever its position.
    """

    def was_there(before: State) -> bool:
        position = before.attributes.get("current_position")
        return position is None or before.state == STATE_CLOSED or near(position, end, TOLERANCE)

    return replace(is_one_of(*states), left_nothing=was_there)


def open_close_services(
    name: str,
    *,
    opens: Capability,
    closes: Capability,
    toggles: Capability,
    stops: Capability,
    sets: Capability,
) -> tuple[Service, ...]:
    """Return the services `open_<name>`, `close_<name>` and so on, each with the capability it needs."""
    # Moving there is enough: a garage door takes longer than a reply may.
    return (
        Service(
            f"open_{name}",
            opens,
            check=_moves_to(100, STATE_OPEN, STATE_OPENING),
            reply=reply_with_verb,
        ),
        Service(
            f"close_{name}",
            closes,
            check=_moves_to(0, STATE_CLOSED, STATE_CLOSING),
            reply=reply_with_verb,
        ),
        Service("toggle", toggles, check=TOGGLED, reply=reply_with_verb),
        Service(
            f"stop_{name}",
            stops,
            check=is_none_of(STATE_OPENING, STATE_CLOSING),
            reply=reply_with_verb,
        ),
        Service(
            f"set_{name}_position",
            sets,
            fields={"position": PERCENT},
            required=frozenset({"position"}),
            check=is_at("current_position", "position", TOLERANCE),
            reply=reply_with_verb,
        ),
    )


def position_value(name: str) -> PolicyValue:
    """Return the policy value of a position in percent, which opening and closing set, too."""
    ends = {f"{name}.open_{name}": 100.0, f"{name}.close_{name}": 0.0}
    sets, toggles = f"{name}.set_{name}_position", f"{name}.toggle"

    def of(action: str, data: Mapping[str, Any], shown: StateLike | None) -> float | None:
        if action == sets:
            return as_number(data.get("position"))
        if action == toggles:
            return None if shown is None else 0.0 if shown.state == STATE_OPEN else 100.0
        return ends[action]

    def to(_action: str, _data: Mapping[str, Any], value: float) -> tuple[str, dict[str, Any]]:
        return sets, {"position": value}

    return PolicyValue(
        name="position",
        is_about=lambda action, _data: action in {sets, toggles, *ends},
        of=of,
        to=to,
    )


def open_close_actions(name: str, *, stops: tuple[str, ...], moves: bool) -> tuple[Action, ...]:
    """Return the actions that call these services; with `moves`, "up" and "down" are open and close."""
    opening = (Intent("HassTurnOn"), *((Intent("HassOpenCover"),) if moves else ()))
    closing = (Intent("HassTurnOff"), *((Intent("HassCloseCover"),) if moves else ()))
    return (
        Action(
            "open",
            f"open_{name}",
            intents=opening,
            commands=frozenset({"open", *({"up"} if moves else ())}),
        ),
        Action(
            "close",
            f"close_{name}",
            intents=closing,
            commands=frozenset({"close", *({"down"} if moves else ())}),
        ),
        Action(
            "stop",
            stops,
            intents=(Intent("HassStopMoving"),),
            commands=frozenset({"stop", "halt"}),
            is_direct=True,
        ),
        Action(
            "set_position",
            f"set_{name}_position",
            parameters=(percentage("value", "position", measures="position"),),
            intents=(Intent("HassSetPosition", {"position": "value"}),),
        ),
    )
