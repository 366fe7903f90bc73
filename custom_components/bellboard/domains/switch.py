"""Tables of switch and input_boolean, with the on/off services, actions and undo that other domains share."""

from collections.abc import Iterator

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .actions import Action, Intent
from .checks import IS_OFF, IS_ON, STATE, TOGGLED
from .effects import on_off
from .services import SavedState, Service, UndoStep
from .table import Domain

ON_OFF = (
    Service("turn_on", check=IS_ON),
    Service("turn_off", check=IS_OFF),
    Service("toggle", check=TOGGLED),
)
"""Services turn_on, turn_off and toggle for entities of any features."""


def undo_switch(before: SavedState, _state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the step that restores an on or off state."""
    if STATE in changed and before.state in {STATE_ON, STATE_OFF}:
        yield f"turn_{before.state}", {}


def on_off_actions(*, halts: bool = False) -> tuple[Action, ...]:
    """Return the actions turn_on and turn_off; with `halts`, the command "halt" turns off, too."""
    off = {"turn_off", "stop", *({"halt"} if halts else ())}
    return (
        Action(
            "turn_on",
            "turn_on",
            intents=(Intent("HassTurnOn"),),
            commands=frozenset({"turn_on", "start"}),
        ),
        Action("turn_off", "turn_off", intents=(Intent("HassTurnOff"),), commands=frozenset(off)),
    )


def _switch(name: str) -> Domain:
    """Return the table of a domain whose entities are only on or off."""
    return Domain(
        name=name,
        services=ON_OFF,
        actions=on_off_actions(),
        plan_undo=undo_switch,
        effects=on_off(),
    )


SWITCH = _switch("switch")
INPUT_BOOLEAN = _switch("input_boolean")
