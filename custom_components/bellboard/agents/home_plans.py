"""Plans of the home agent: what Home Assistant's own agent is about to do, so that policies check it, too."""

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from homeassistant.components.automation import DATA_COMPONENT as AUTOMATIONS
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.intent import ServiceIntentHandler

from ..const import HOME_AGENT_ID
from ..domains.actions import ActionError, ActionInput
from ..domains.models import Command, ToolCall
from ..domains.registry import find_service_of_intent, read_service_data, table_of
from ..domains.wake_words import wakes_assistants
from ..home.catalog import is_exposed
from ..nlu.intents import (
    find_intent_handler,
    find_queried_entities,
    find_requirement,
    integration_of,
)
from ..nlu.recognition import BROADCAST, QUERY_INTENTS
from ..plans.models import Plan, Respond
from .base import AgentRequest, states_of
from .plan_answers import build_steps

# Intents that report states, with their domain where the slots name none.
_STATE_QUERIES: Mapping[str, str | None] = MappingProxyType(
    {"HassGetState": None, "HassClimateGetTemperature": "climate", "HassGetWeather": "weather"}
)

_ANNOUNCE = "assist_satellite.announce"

# Home Assistant's domain with services for entities of any other.
_ANYTHING = "homeassistant"

# Slots that only select targets.
_PLACES = frozenset({"name", "area", "floor", "domain", "device_class", "preferred_area_id"})


def build_home_plan(request: AgentRequest, intent: Command) -> Plan:
    """Return the plan of the calls that an intent makes; without calls it only responds."""
    calls = () if intent.name in QUERY_INTENTS else _calls(request, intent)
    return Plan(
        intent_id=intent.name,
        agent_id=HOME_AGENT_ID,
        steps=build_steps(request, [*calls]) or (Respond(),),
    )


def targets_other_kind(request: AgentRequest, plan: Plan) -> bool:
    """Return whether any target is of another kind of device than the instruction names.

    One such target is enough, since Home Assistant carries out the plan as a whole.
    """
    known = request.catalog.entities
    targets = [known[target] for call in plan.calls for target in call.targets if target in known]
    return bool(targets) and len(request.named.fitting(request.hass, targets)) < len(targets)


def announces_to_nobody(plan: Plan) -> bool:
    """Return whether a plan announces something, and nothing in the home can; Home Assistant says "done" to it."""
    return any(call.action == _ANNOUNCE and not call.targets for call in plan.calls)


def wakes_satellites(request: AgentRequest, plan: Plan, text: str) -> bool:
    """Return whether Home Assistant would announce a wake word, of the text that it is handed."""
    announces = any(call.action == _ANNOUNCE for call in plan.calls)
    return announces and wakes_assistants(request.hass, text)


def asks_unreadable(request: AgentRequest, intent: Command) -> bool:
    """Return whether an intent asks for states that the user may not read."""
    if request.rights.reads_all or intent.name not in _STATE_QUERIES:
        return False
    asked = find_queried_entities(request.hass, _STATE_QUERIES[intent.name], intent.parameters)
    return not all(map(request.rights.may_read, asked))


def build_trigger_plan(request: AgentRequest, sentences: AbstractSet[str]) -> Plan:
    """Return the plan for the automations that wait for one of some sentences; without targets if none is found.

    Then a script may wait for it, or an automation made from a blueprint.
    """
    call = ToolCall(
        action="automation.trigger",
        targets=tuple(_automations_waiting(request.hass, sentences)),
        domains=("automation",),
    )
    return Plan(
        intent_id="sentence_trigger", agent_id=HOME_AGENT_ID, steps=build_steps(request, [call])
    )


def _automations_waiting(hass: HomeAssistant, sentences: AbstractSet[str]) -> Iterator[str]:
    """Yield the automations that a sentence triggers, by their configuration."""
    component = hass.data.get(AUTOMATIONS)
    for entity in component.entities if component else ():
        config = entity.raw_config or {}
        triggers = config.get("triggers", config.get("trigger")) or ()
        for trigger in triggers if isinstance(triggers, list | tuple) else (triggers,):
            if not isinstance(trigger, Mapping):
                continue
            commands = trigger.get("command")
            commands = commands if isinstance(commands, list | tuple) else (commands,)
            if not sentences.isdisjoint(map(str, commands)):
                yield entity.entity_id


def build_direct_plan(
    request: AgentRequest, actions: Sequence[Command], targets: Sequence[str]
) -> Plan:
    """Return the plan for actions of the domains' tables, on exposed entities with a state."""
    exposed = [target for target in targets if is_exposed(request.hass, target)]
    states = [
        state
        for state in states_of(request.hass, exposed)
        if request.rights.may_read(state.entity_id)
    ]
    by_domain: dict[str, list[State]] = {}
    for state in states:
        by_domain.setdefault(state.domain, []).append(state)
    calls = [
        call
        for action in actions
        for domain, own in by_domain.items()
        # Of several actions each may have targets of its own.
        for call in direct_calls(action, domain, [s for s in own if _is_for(action, s)])
    ]
    return Plan(
        intent_id="+".join(dict.fromkeys(action.name for action in actions)),
        agent_id=HOME_AGENT_ID,
        steps=build_steps(request, calls),
        actions=tuple(
            replace(action, targets=action.targets or tuple(exposed)) for action in actions
        ),
    )


def _is_for(action: Command, state: State) -> bool:
    """Return whether an action is for an entity."""
    return not action.targets or state.entity_id in action.targets


def direct_calls(action: Command, domain: str, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls of an action for entities of a domain.

    Those that cannot do it are called for all the same: the check before a call says why not.
    """
    table = table_of(domain)
    row = table.action(action.name) if table else None
    if table is None or row is None or not states:
        return []
    try:
        return table.plan(row, ActionInput(parameters=action.parameters), states)
    except ActionError:
        targets = tuple(state.entity_id for state in states)
        return [ToolCall(action=f"{domain}.{row.services[0]}", targets=targets)]


def _calls(request: AgentRequest, intent: Command) -> list[ToolCall]:
    """Return the calls of an intent: one for each service, or one without targets.

    Of an ambiguous intent all candidates are targets, since it may be any of them.
    """
    if intent.name == BROADCAST:
        return [_announcement(request)]
    groups: dict[str, list[str]] = {}
    for target in intent.targets:
        groups.setdefault(_action(request.hass, intent.name, target), []).append(target)
    if not groups:
        return [_untargeted(request.hass, intent)]
    data = read_service_data(intent.name, intent.parameters)
    return [
        ToolCall(action=action, targets=tuple(targets), data=data)
        for action, targets in groups.items()
    ]


def _action(hass: HomeAssistant, name: str, target: str) -> str:
    """Return the action `domain.service` that an intent calls for a target."""
    domain = target.partition(".")[0]
    if service := find_service_of_intent(name, domain):
        # Groups and the like have no service of their own, and are called through the generic one.
        return f"{domain if hass.services.has_service(domain, service) else _ANYTHING}.{service}"
    handler = find_intent_handler(hass, name)
    if isinstance(handler, ServiceIntentHandler):
        return f"{handler.domain}.{handler.service}"
    return f"{domain}.{name}"


def _announcement(request: AgentRequest) -> ToolCall:
    """Return the call of a broadcast: to every satellite but the speaker's."""
    own = request.user_input.device_id
    entities = er.async_get(request.hass)
    satellites = [
        state.entity_id
        for state in request.hass.states.async_all("assist_satellite")
        if not own or (e := entities.async_get(state.entity_id)) is None or e.device_id != own
    ]
    return ToolCall(action=_ANNOUNCE, targets=tuple(satellites), domains=("assist_satellite",))


def _untargeted(hass: HomeAssistant, intent: Command) -> ToolCall:
    """Return the call of an intent without targets, or with unknown ones.

    `domains` are set only for an intent of which no target requirement is known; one with a requirement
    that matches nothing will match nothing in Home Assistant either.
    """
    call = ToolCall(action=f"intent.{intent.name}", data=_slots(intent.parameters, _PLACES))
    handler = find_intent_handler(hass, intent.name)
    if handler is None or find_requirement(hass, intent.name):
        return call
    domains = {integration_of(handler), *(handler.platforms or ())} - {""}
    return call.model_copy(update={"domains": tuple(sorted(domains))})


def _slots(slots: Mapping[str, Any], without: frozenset[str]) -> dict[str, Any]:
    """Return the slots with plain values, without some."""
    return {
        name: value
        for name, value in slots.items()
        if name not in without and isinstance(value, str | int | float | bool)
    }
