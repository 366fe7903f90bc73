"""What is only on or off: switches and helpers, and the rows that others have of that."""

from collections.abc import Iterator

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .checks import IS_OFF, IS_ON, STATE, TOGGLED
from .table import Action, Domain, Intent, Kept, Service, Step

ON_OFF = (
    Service("turn_on", check=IS_ON),
    Service("turn_off", check=IS_OFF),
    Service("toggle", check=TOGGLED),
)
"""The services of what is on or off, whatever its features."""


def put_back_switch(before: Kept, _state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the step for what is only on or off."""
    if STATE in changed and before.state in {STATE_ON, STATE_OFF}:
        yield f"turn_{before.state}", {}


def on_off_actions(*, halts: bool = False) -> tuple[Action, ...]:
    """Return the actions of what is on or off; with `halts`, "halt" turns it off, too."""
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
    """Return the table of a domain whose entities are on or off and nothing else."""
    return Domain(name=name, services=ON_OFF, actions=on_off_actions(), put_back=put_back_switch)


SWITCH = _switch("switch")
INPUT_BOOLEAN = _switch("input_boolean")
