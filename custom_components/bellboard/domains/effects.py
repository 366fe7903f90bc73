"""Effects: the states that services bring about, so that a rule on one service holds for all that do the same.

`light.toggle` on a lamp that is off does what `light.turn_on` does. Each table names the effects of its services; those
of domains without a table stand here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from homeassistant.const import (
    SERVICE_TOGGLE,
    SERVICE_TURN_OFF,
    SERVICE_TURN_ON,
    STATE_CLOSED,
    STATE_OFF,
    STATE_ON,
    STATE_OPEN,
)

from .models import StateLike

type Data = Mapping[str, Any] | None
"""Data of a service's call; None for whatever data it may be given."""

type Occurs = Callable[[StateLike | None, Data], bool]
"""Returns whether a service with these data may bring an effect about, from a state; None for any state."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A state that some services of a domain bring about, with when each of them does, by the service's name.

    A rule on one of the services `by` is about all of them, and about those that end so by the way (`also`): a light
    that is turned on at no brightness goes off, and yet a rule on turning on is not about turning off. The name of a
    service of another domain has that domain before it ("music_assistant.play_media").
    """

    by: Mapping[str, Occurs]
    also: Mapping[str, Occurs] = field(default_factory=dict)


def always(_state: StateLike | None, _data: Data) -> bool:
    """Return True: the effect occurs with any state and data."""
    return True


def unless_in(*states: str) -> Occurs:
    """Return the condition that an entity is in none of some states, or in one that is not known."""
    return lambda state, _data: state is None or state.state not in states


def where(field: str, test: Callable[[Any], bool]) -> Occurs:
    """Return the condition that a field is given, with a value that passes a test."""
    return lambda _state, data: data is None or (field in data and test(data[field]))


def moves(field: str, attribute: str, direction: int) -> Occurs:
    """Return the condition that a field is above (`direction` 1) or below (-1) an attribute, where both are known."""

    def occurs(state: StateLike | None, data: Data) -> bool:
        if data is None or state is None:
            return True
        wanted, now = data.get(field), state.attributes.get(attribute)
        if not isinstance(wanted, int | float) or not isinstance(now, int | float):
            return True
        return (wanted - now) * direction > 0

    return occurs


def given(*fields: str) -> Occurs:
    """Return the condition that one of some fields is given."""
    return lambda _state, data: data is None or not data.keys().isdisjoint(fields)


def either(*conditions: Occurs) -> Occurs:
    """Return the condition that one of some conditions holds."""
    return lambda state, data: any(condition(state, data) for condition in conditions)


def both(*conditions: Occurs) -> Occurs:
    """Return the condition that all of some conditions hold."""
    return lambda state, data: all(condition(state, data) for condition in conditions)


def on_off(
    *,
    off: tuple[str, ...] = (STATE_OFF,),
    turns_on: Mapping[str, Occurs] | None = None,
    turns_off: Mapping[str, Occurs] | None = None,
    also_off: Mapping[str, Occurs] | None = None,
) -> tuple[Effect, Effect]:
    """Return the effects of being on and off; `off` are the states that count as off.

    `turns_on` and `turns_off` are the services that do it beside turn_on, turn_off and toggle, `also_off` those that
    do so by the way.
    """

    def is_on(state: StateLike | None, _data: Data) -> bool:
        return state is None or state.state not in off

    # A state like "unknown" tells neither: toggling may then do either.
    is_off = unless_in(STATE_ON)
    return (
        Effect({SERVICE_TURN_ON: always, SERVICE_TOGGLE: is_off, **(turns_on or {})}),
        Effect(
            {SERVICE_TURN_OFF: always, SERVICE_TOGGLE: is_on, **(turns_off or {})}, also_off or {}
        ),
    )


def same(*services: str) -> Effect:
    """Return the effect that some services have in common, whatever the state."""
    return Effect(dict.fromkeys(services, always))


def opened_closed(name: str) -> tuple[Effect, ...]:
    """Return the effects of opening, closing and stopping a cover or valve."""
    position, current = f"set_{name}_position", "current_position"
    is_moving = unless_in(STATE_OPEN, STATE_CLOSED)
    return (
        Effect(
            {
                f"open_{name}": always,
                SERVICE_TOGGLE: unless_in(STATE_OPEN),
                position: moves("position", current, 1),
            },
        ),
        Effect(
            {
                f"close_{name}": always,
                SERVICE_TOGGLE: unless_in(STATE_CLOSED),
                position: moves("position", current, -1),
            },
        ),
        Effect({f"stop_{name}": always, SERVICE_TOGGLE: is_moving}),
    )


_SELECT = same("select_option", "select_first", "select_last", "select_next", "select_previous")

_OTHERS: Mapping[str, tuple[Effect, ...]] = MappingProxyType(
    {
        "select": (_SELECT,),
        "input_select": (_SELECT,),
        "input_number": (same("set_value", "increment", "decrement"),),
        "counter": (same("set_value", "increment", "decrement", "reset"),),
        "timer": (same("cancel", "finish"),),
        **{domain: on_off() for domain in ("remote", "camera", "group", "automation", "alert")},
    }
)


def effects_without_table(domain: str) -> tuple[Effect, ...]:
    """Return the effects of the services of a domain that has no table; () where none of them has an equal."""
    return _OTHERS.get(domain, ())


# Home Assistant's own services for entities of any domain call these.
_OF_ANY_DOMAIN = frozenset({SERVICE_TURN_ON, SERVICE_TURN_OFF, SERVICE_TOGGLE})


def equivalent_actions(
    domain: str, effects: tuple[Effect, ...], action: str, state: StateLike | None, data: Data
) -> Iterator[str]:
    """Yield the actions that may have an effect which an action with these data has from a state, itself included.

    `domain` is that of the entity, and `effects` are its effects.
    """
    own, _, service = action.partition(".")
    name = service if own == domain else action
    found = {name}
    for effect in effects:
        occurs = effect.by.get(name) or effect.also.get(name)
        if occurs is not None and occurs(state, data):
            found |= {other for other, may in effect.by.items() if may(state, None)}
    for each in found:
        if "." in each:
            yield each
            continue
        yield f"{domain}.{each}"
        if each in _OF_ANY_DOMAIN:
            yield f"homeassistant.{each}"
