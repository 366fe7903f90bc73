"""All tables, and what is looked up in them by the names that Home Assistant has.

A new domain is a module with its table, and a line here; another integration may `register` one.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from homeassistant.core import HomeAssistant

from .climate import CLIMATE
from .cover import COVER
from .fan import FAN
from .fields import absence, as_number
from .humidifier import HUMIDIFIER
from .lawn_mower import LAWN_MOWER
from .light import LIGHT
from .lock import LOCK
from .media_player import MEDIA_PLAYER
from .models import ErrorCode, ToolCall
from .pressed import BUTTON, INPUT_BUTTON, SCENE, SCRIPT
from .siren import SIREN
from .switching import INPUT_BOOLEAN, SWITCH
from .table import Action, Domain, Intent, Kind, Level, Parameter, Service
from .todo import TODO
from .vacuum import VACUUM
from .valve import VALVE
from .water_heater import WATER_HEATER

_TABLES: dict[str, Domain] = {
    table.name: table
    for table in (
        LIGHT,
        MEDIA_PLAYER,
        CLIMATE,
        FAN,
        COVER,
        VALVE,
        LOCK,
        SWITCH,
        INPUT_BOOLEAN,
        HUMIDIFIER,
        WATER_HEATER,
        SIREN,
        SCENE,
        SCRIPT,
        BUTTON,
        INPUT_BUTTON,
        VACUUM,
        LAWN_MOWER,
        TODO,
    )
}


OF_ANYTHING: Mapping[str, str] = MappingProxyType(
    {"HassTurnOn": "turn_on", "HassTurnOff": "turn_off", "HassToggle": "toggle"}
)
"""The intents that Home Assistant has for things of any domain, with the service they mostly are."""


def register(table: Domain) -> None:
    """Add the table of a domain, so that its services may be called.

    Raises:
        ValueError: the domain has a table already.
    """
    if table.name in _TABLES:
        raise ValueError(f"{table.name} has a table")
    _TABLES[table.name] = table
    _forget_derived()


def deregister(name: str) -> None:
    """Forget the table of a domain."""
    _TABLES.pop(name, None)
    _forget_derived()


def _forget_derived() -> None:
    """Forget what was made from the tables that there were."""
    _rows_by_intent.cache_clear()
    intents_of_specialists.cache_clear()


def tables() -> list[Domain]:
    """Return all tables."""
    return list(_TABLES.values())


def table_of(domain: str) -> Domain | None:
    """Return the table of a domain, or None where nothing is known of it."""
    return _TABLES.get(domain)


def service_of(action: str) -> Service | None:
    """Return the row of Home Assistant's action `domain.service`; None where it may not be called."""
    domain, _, name = action.partition(".")
    table = _TABLES.get(domain)
    return table.service(name) if table else None


def shows_outcome(action: str) -> bool:
    """Return whether the state of an entity shows that Home Assistant's action was carried out."""
    service = service_of(action)
    return service is not None and service.check is not None


def callable_actions() -> list[str]:
    """Return Home Assistant's actions that may be called, in order."""
    return sorted(f"{t.name}.{service.name}" for t in tables() for service in t.services)


def refusal(hass: HomeAssistant, call: ToolCall, entity_id: str) -> ErrorCode | None:
    """Return why a call may not or cannot be made for an entity, or None where it can.

    Home Assistant drops some values that an entity lacks in silence, and brings others into range. Here
    they are refused before the call, entity by entity. Whether the entity is exposed and there comes
    first: nothing is told of one that is not.
    """
    if code := absence(hass, entity_id):
        return code
    state = hass.states.get(entity_id)
    domain, _, name = call.action.partition(".")
    table = _TABLES.get(domain)
    service = table.service(name) if table else None
    if state is None or table is None or service is None:
        return ErrorCode.UNSUPPORTED
    code = service.refusal(hass, state, call.data)
    if code is ErrorCode.INVALID or state.domain == table.targets:
        return code
    return ErrorCode.UNSUPPORTED


def level_of(name: str, action: str, data: Mapping[str, Any]) -> Level | None:
    """Return the level with a name that a call asks for in one of its ways, or None."""
    return next(
        (
            level
            for table in tables()
            for level in table.levels
            if level.name == name and level.is_about(action, data)
        ),
        None,
    )


def fields_together(name: str) -> tuple[str, ...]:
    """Return the fields that a policy's rule for one of them is about together, else that one."""
    found = (table.together[name] for table in tables() if name in table.together)
    return next(found, (name,))


def is_direct(domain: str, name: str) -> bool:
    """Return whether an action is carried out without a sentence for Home Assistant."""
    table = _TABLES.get(domain)
    action = table.action(name) if table else None
    return action is not None and action.is_direct


def direct_actions() -> list[tuple[str, str]]:
    """Return the domains and names of the actions that are carried out without a sentence."""
    return [(t.name, action.name) for t in tables() for action in t.actions if action.is_direct]


def parameters_of(action: Action, intent: Intent, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an action that the slots of an intent give, as a plan has them."""
    rows = {parameter.name: parameter for parameter in action.parameters}
    return {
        name: _as_planned(rows.get(name), slots[slot])
        for slot, name in intent.slots.items()
        if slots.get(slot) not in {None, ""}
    }


def _as_planned(parameter: Parameter | None, value: Any) -> Any:
    """Return the value of a slot as a plan has it: numbers as numbers, all else as text."""
    if parameter is None or parameter.kind not in {Kind.NUMBER, Kind.STEP}:
        return str(value)
    number = as_number(value)
    return int(number) if number is not None and number.is_integer() else number


def data_of(name: str, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers that Home Assistant's own agent sets for an intent, as its service has them."""
    for _, action, row in rows_of_intent(name):
        rows = {each.name: each for each in action.parameters if each.kind is Kind.NUMBER}
        return {
            each.field: value / each.divisor
            for slot, parameter in row.slots.items()
            if (each := rows.get(parameter)) and isinstance(value := slots.get(slot), int | float)
        }
    return {}


def service_of_intent(name: str, domain: str) -> str | None:
    """Return the service that an intent comes to for entities of a domain; None where that is not known."""
    for table, action, _ in rows_of_intent(name):
        if table.name == domain:
            return action.services[0]
    return OF_ANYTHING.get(name)


def percentage_slots() -> frozenset[str]:
    """Return the slots of intents that are percentages."""
    return frozenset(
        slot
        for table in tables()
        for action in table.actions
        for intent in action.intents
        for slot, name in intent.slots.items()
        for parameter in action.parameters
        if parameter.name == name and parameter.unit == "%" and parameter.kind is Kind.NUMBER
    )


type IntentRow = tuple[Domain, Action, Intent]


def rows_of_intent(name: str) -> tuple[IntentRow, ...]:
    """Return the rows that an intent stands for, of all domains."""
    return _rows_by_intent().get(name, ())


@cache
def _rows_by_intent() -> dict[str, tuple[IntentRow, ...]]:
    """Return the rows by the names of intents."""
    found: dict[str, tuple[IntentRow, ...]] = {}
    for table in tables():
        for action in table.actions:
            for intent in action.intents:
                found[intent.name] = (*found.get(intent.name, ()), (table, action, intent))
    return found


@cache
def intents_of_specialists() -> frozenset[str]:
    """Return the intents that a specialist plans for, those for things of any domain among them."""
    return frozenset(OF_ANYTHING).union(*(table.intents for table in tables() if table.article))
