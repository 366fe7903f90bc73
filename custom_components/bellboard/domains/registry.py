"""Registry of domain tables, and lookups by Home Assistant's names of domains, services and intents.

A new domain is a module with its table and a line here; another integration may `register` one.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from homeassistant.core import HomeAssistant

from ..const import HOME_AGENT_ID
from .actions import Action, Intent, Parameter, ParameterKind
from .assist_satellite import ASSIST_SATELLITE
from .calendar import CALENDAR
from .climate import CLIMATE
from .cover import COVER
from .effects import Data, effects_without_table, equivalent_actions
from .fan import FAN
from .helpers import AUTOMATION, COUNTER, INPUT_NUMBER, INPUT_SELECT, NUMBER, SELECT
from .humidifier import HUMIDIFIER
from .lawn_mower import LAWN_MOWER
from .light import LIGHT
from .lock import LOCK
from .media_player import MEDIA_PLAYER
from .models import Command, ErrorCode, StateLike, ToolCall
from .music_assistant import MUSIC_ASSISTANT
from .scene_button_script import BUTTON, INPUT_BUTTON, SCENE, SCRIPT
from .services import Service, as_number, check_available
from .siren import SIREN
from .switch import INPUT_BOOLEAN, SWITCH
from .table import Domain, PolicyValue
from .todo import TODO
from .tts import TTS
from .vacuum import VACUUM
from .valve import VALVE
from .water_heater import WATER_HEATER

_TABLES: dict[str, Domain] = {
    table.name: table
    for table in (
        LIGHT,
        MEDIA_PLAYER,
        MUSIC_ASSISTANT,
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
        AUTOMATION,
        SELECT,
        INPUT_SELECT,
        NUMBER,
        INPUT_NUMBER,
        COUNTER,
        VACUUM,
        LAWN_MOWER,
        TODO,
        CALENDAR,
        ASSIST_SATELLITE,
        TTS,
    )
}


GENERIC_INTENTS: Mapping[str, str] = MappingProxyType(
    {"HassTurnOn": "turn_on", "HassTurnOff": "turn_off", "HassToggle": "toggle"}
)
"""Home Assistant's intents for entities of any domain, with the service each of them usually calls."""

GUARDING = frozenset({"lock", "cover", "valve", "alarm_control_panel", "siren"})
"""Domains of what opens, closes or guards a home; not all of them have a table."""
GUARDING_OR_REACHING = GUARDING | {"scene", "script", "button", "input_button", "automation"}
"""Those, and the domains of what may do so by what it reaches."""


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
    """Remove the table of a domain; one that is not there is no error."""
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
    """Return the table of a domain, or None where it has none."""
    return _TABLES.get(domain)


def service_of(action: str) -> Service | None:
    """Return the row of the action `domain.service`; None for one that may not be called."""
    domain, _, name = action.partition(".")
    table = _TABLES.get(domain)
    return table.service(name) if table else None


def shows_outcome(action: str) -> bool:
    """Return whether the outcome of an action `domain.service` can be verified in the state."""
    service = service_of(action)
    return service is not None and service.check is not None


def is_momentary(action: str) -> bool:
    """Return whether what an action `domain.service` does is over when it is done."""
    service = service_of(action)
    return service is not None and service.is_momentary


def find_unseen_refusal(domains: Iterable[str]) -> str:
    """Return the reply key for actions that no state shows and that undo cannot revert; "" for none."""
    found = (_TABLES[domain] for domain in domains if domain in _TABLES)
    return next((table.refusal_unseen for table in found if table.refusal_unseen), "")


def callable_actions() -> list[str]:
    """Return all actions `domain.service` that may be called, sorted."""
    return sorted(f"{t.name}.{service.name}" for t in tables() for service in t.services)


def find_refusal(hass: HomeAssistant, call: ToolCall, entity_id: str) -> ErrorCode | None:
    """Return the reason for which a call is refused for an entity, or None for a valid one.

    Home Assistant silently drops values that an entity does not support, and clamps others. Here they
    are refused before the call, per entity. Exposure goes first, so that nothing is disclosed of an
    entity that is not exposed.
    """
    if code := check_available(hass, entity_id):
        return code
    state = hass.states.get(entity_id)
    domain, _, name = call.action.partition(".")
    table = _TABLES.get(domain)
    service = table.service(name) if table else None
    if state is None or table is None or service is None:
        return ErrorCode.UNSUPPORTED
    code = service.find_refusal(hass, state, call.data)
    if code is ErrorCode.INVALID or state.domain == table.targets:
        return code
    return ErrorCode.UNSUPPORTED


def find_lacking(hass: HomeAssistant, call: ToolCall) -> list[str]:
    """Return what the targets of a call must be told besides, by the names that a person gave it."""
    service = service_of(call.action)
    if service is None or service.lacks is None:
        return []
    return [*dict.fromkeys(each for id_ in call.targets for each in service.lacks(hass, id_))]


def find_policy_value(name: str, action: str, data: Mapping[str, Any]) -> PolicyValue | None:
    """Return the policy value with a name that a call sets in any of its forms, or None."""
    return next(
        (
            level
            for table in tables()
            for level in table.policy_values
            if level.name == name and level.is_about(action, data)
        ),
        None,
    )


def find_equivalent_actions(
    domain: str, action: str, state: StateLike | None, data: Data
) -> frozenset[str]:
    """Return the actions with an effect on an entity of a domain that this one has, too, itself among them.

    `state` is that of the entity before, None for any; `data` are the action's, None for any.
    """
    table = _TABLES.get(domain)
    effects = table.effects if table else effects_without_table(domain)
    return frozenset(equivalent_actions(domain, effects, action, state, data))


def find_implied_values(name: str, action: str, state: StateLike | None) -> tuple[Any, ...]:
    """Return the values that an action may set a parameter to though its data has none; () for none."""
    domain, _, service = action.partition(".")
    table = _TABLES.get(domain)
    return table.implies(service, state).get(name, ()) if table and table.implies else ()


def find_policy_group(name: str) -> tuple[str, ...]:
    """Return the fields that a policy rule for one of them covers together, else that one alone."""
    found = (table.policy_groups[name] for table in tables() if name in table.policy_groups)
    return next(found, (name,))


def is_direct(domain: str, name: str) -> bool:
    """Return whether the home agent calls an action's service itself (`actions.Action.is_direct`)."""
    table = _TABLES.get(domain)
    action = table.action(name) if table else None
    return action is not None and action.is_direct


def read_intent(
    actions: Iterable[Action], name: str, slots: Mapping[str, Any]
) -> tuple[str, dict[str, Any]] | None:
    """Return the first of some actions that an intent stands for, by its name, with its parameters; None for none."""
    for action in actions:
        for row in action.intents:
            if row.name == name and row.matches(slots):
                return action.name, read_parameters(action, row, slots)
    return None


def read_parameters(action: Action, intent: Intent, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of an action from the slots of an intent, in the form that a plan has."""
    rows = {parameter.name: parameter for parameter in action.parameters}
    return {
        name: _as_planned(rows.get(name), slots[slot])
        for slot, name in intent.slots.items()
        if slots.get(slot) not in {None, ""}
    }


def _as_planned(parameter: Parameter | None, value: Any) -> Any:
    """Return a slot's value in the form that a plan has: numeric parameters as numbers, others as text."""
    if parameter is None or parameter.kind not in {ParameterKind.NUMBER, ParameterKind.STEP}:
        return str(value)
    number = as_number(value)
    return int(number) if number is not None and number.is_integer() else number


def read_service_data(name: str, slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numeric service data that Home Assistant's own agent sets for an intent's slots."""
    for _, action, row in find_intent_rows(name):
        rows = {each.name: each for each in action.parameters if each.kind is ParameterKind.NUMBER}
        return {
            each.field: value / each.divisor
            for slot, parameter in row.slots.items()
            if (each := rows.get(parameter)) and isinstance(value := slots.get(slot), int | float)
        }
    return {}


def find_service_of_intent(name: str, domain: str) -> str | None:
    """Return the service that an intent calls for entities of a domain; None where it is not known."""
    for table, action, _ in find_intent_rows(name):
        if table.name == domain:
            return action.services[0]
    return GENERIC_INTENTS.get(name)


def intents_of_action(domain: str, name: str) -> frozenset[str]:
    """Return the names of Home Assistant's intents that come to an action of a domain."""
    generic = {intent for intent, action in GENERIC_INTENTS.items() if action == name}
    table = table_of(domain)
    row = table.action(name) if table else None
    return frozenset(generic).union(intent.name for intent in (row.intents if row else ()))


type IntentRow = tuple[Domain, Action, Intent]


def find_intent_rows(name: str) -> tuple[IntentRow, ...]:
    """Return the table, action and intent rows that an intent maps to, of all domains."""
    return _rows_by_intent().get(name, ())


@cache
def _rows_by_intent() -> dict[str, tuple[IntentRow, ...]]:
    """Return these rows by the name of the intent."""
    found: dict[str, tuple[IntentRow, ...]] = {}
    for table in tables():
        for action in table.actions:
            for intent in action.intents:
                found[intent.name] = (*found.get(intent.name, ()), (table, action, intent))
    return found


def domain_of(entity_ids: Iterable[str]) -> str:
    """Return the one domain of entities, or nothing where there are none or several."""
    domains = {entity_id.partition(".")[0] for entity_id in entity_ids}
    return domains.pop() if len(domains) == 1 else ""


def action_of_intent(name: str, slots: Mapping[str, Any], domain: str) -> Command | None:
    """Return the action of one of Home Assistant's intents with entities of a domain, or None.

    Where it has an intent of the same name for different things, "on" is open or locked.
    """
    for table, action, row in find_intent_rows(name):
        if table.name == domain and row.matches(slots):
            parameters = read_parameters(action, row, slots)
            return Command(action.name, parameters)
    is_known = table_of(domain) is not None and name in GENERIC_INTENTS
    return Command(GENERIC_INTENTS[name]) if is_known else None


def agent_of(domain: str) -> str:
    """Return the id of the agent that is for a domain: its specialist, else the one for all else."""
    table = table_of(domain)
    return (table.agent_id if table else "") or HOME_AGENT_ID


def specialists() -> dict[str, str]:
    """Return the ids of the specialists, by the domain that each is for."""
    return {table.name: table.agent_id for table in tables() if table.agent_id}


@cache
def intents_of_specialists() -> frozenset[str]:
    """Return the names of the intents that specialists plan for, with the generic ones."""
    return frozenset(GENERIC_INTENTS).union(
        *(table.intents for table in tables() if table.agent_id)
    )


def tables_measuring(attribute: str) -> list[Domain]:
    """Return the tables of the domains whose entities have a value that can be set."""
    return [
        table
        for table in tables()
        if any(
            parameter.measures == attribute
            for action in table.actions
            for parameter in action.parameters
        )
    ]
