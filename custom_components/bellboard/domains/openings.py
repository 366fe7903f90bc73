"""What opens and closes by degrees: the rows that covers and valves have alike."""

from collections.abc import Mapping

from homeassistant.const import STATE_CLOSED, STATE_CLOSING, STATE_OPEN, STATE_OPENING

from .checks import TOGGLED, is_at, is_none_of, is_one_of
from .fields import Able, number
from .models import ToolCall
from .table import Action, Intent, Kept, Parameter, Service, Spoken, Words

ALIKE: Mapping[str, str] = {STATE_OPENING: STATE_OPEN, STATE_CLOSING: STATE_CLOSED}
"""What is on its way is as good as there."""

PERCENT = number(0, 100, whole=True, unit="%")
TOLERANCE = 2
"""How far a position may be from what was asked for, in percent."""


def said_first_word(words: Words, call: ToolCall) -> Spoken:
    """Return the reply to the first word of what was done: opened, closed, stopped, set."""
    values = [words.percent(value) for value in call.data.values()]
    return call.action.partition(".")[2].partition("_")[0], dict.fromkeys(
        ("value",)[: len(values)], "".join(values)
    )


def way_back(before: Kept) -> str | None:
    """Return whether something was open or closed, or on its way there."""
    state = ALIKE.get(before.state, before.state)
    return {STATE_OPEN: "open", STATE_CLOSED: "close"}.get(state)


def opening_services(
    name: str, *, opens: Able, closes: Able, toggles: Able, stops: Able, sets: Able
) -> tuple[Service, ...]:
    """Return the services of what opens; the abilities are those that each needs."""
    # What has a long way to go is doing as it was told while it goes.
    return (
        Service(
            f"open_{name}", opens, check=is_one_of(STATE_OPEN, STATE_OPENING), reply=said_first_word
        ),
        Service(
            f"close_{name}",
            closes,
            check=is_one_of(STATE_CLOSED, STATE_CLOSING),
            reply=said_first_word,
        ),
        Service("toggle", toggles, check=TOGGLED, reply=said_first_word),
        Service(
            f"stop_{name}",
            stops,
            check=is_none_of(STATE_OPENING, STATE_CLOSING),
            reply=said_first_word,
        ),
        Service(
            f"set_{name}_position",
            sets,
            fields={"position": PERCENT},
            required=frozenset({"position"}),
            check=is_at("current_position", "position", TOLERANCE),
            reply=said_first_word,
        ),
    )


def opening_actions(name: str, *, stops: tuple[str, ...], moves: bool) -> tuple[Action, ...]:
    """Return the actions of what opens; with `moves`, "up" and "down" are open and closed."""
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
            parameters=(
                Parameter(
                    "value",
                    field="position",
                    unit="%",
                    low=0,
                    high=100,
                    commands=("percent", "level", "number"),
                ),
            ),
            intents=(Intent("HassSetPosition", {"position": "value"}),),
        ),
    )
