"""What Home Assistant's own agent is about to do, as a plan: so that policies hold for it too."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.intent import ServiceIntentHandler

from ..const import HOME_AGENT_ID
from ..domains.models import ToolCall
from ..domains.registry import find_service_of_intent, read_service_data
from ..nlu.intents import asked_about, domain_of_handler, handler_of, requirement_of
from ..nlu.recognition import TELLING
from ..plans.models import Plan, RecognizedIntent, Respond
from .base import AgentRequest
from .telling import steps_of

# What tells of states, with the domain it is about where the words name none.
_OF_STATES: Mapping[str, str | None] = MappingProxyType(
    {"HassGetState": None, "HassClimateGetTemperature": "climate", "HassGetWeather": "weather"}
)

_BROADCAST = "HassBroadcast"

# Home Assistant's own domain has actions for things of any other.
_ANYTHING = "homeassistant"

# What says where or which, and is in the targets.
_PLACES = frozenset({"name", "area", "floor", "domain", "device_class", "preferred_area_id"})


def home_plan(request: AgentRequest, intents: Sequence[RecognizedIntent]) -> Plan:
    """Return the plan for what Home Assistant understood, or for handing over where it is not known."""
    acting = [intent for intent in intents if intent.name not in TELLING]
    calls = [call for intent in acting for call in _calls(request, intent)]
    return Plan(
        intent_id="+".join(dict.fromkeys(intent.name for intent in intents)),
        agent_id=HOME_AGENT_ID,
        steps=steps_of(request, calls) or (Respond(),),
    )


def nothing_of_kind(request: AgentRequest, plan: Plan) -> bool:
    """Return whether a plan is for things of another kind than the instruction names.

    Home Assistant does a plan as a whole, so that one such thing is enough.
    """
    known = request.catalog.entities
    targets = [known[target] for call in plan.calls for target in call.targets if target in known]
    return bool(targets) and len(request.named.fitting(request.hass, targets)) < len(targets)


def tells_too_much(request: AgentRequest, intents: Sequence[RecognizedIntent]) -> bool:
    """Return whether intents ask for states that whoever asks may not read."""
    if request.rights.reads_all:
        return False
    return any(
        not request.rights.may_read(entity_id)
        for intent in intents
        if intent.name in _OF_STATES
        for entity_id in asked_about(request.hass, _OF_STATES[intent.name], intent.slots)
    )


def trigger_plan(request: AgentRequest) -> Plan:
    """Return the plan for a sentence that an automation waits for: it is not known what that does."""
    call = ToolCall(action="automation.trigger", domains=("automation",))
    return Plan(
        intent_id="sentence_trigger", agent_id=HOME_AGENT_ID, steps=steps_of(request, [call])
    )


def _calls(request: AgentRequest, intent: RecognizedIntent) -> list[ToolCall]:
    """Return the calls an intent comes to: one for each domain, or one for nothing in particular.

    Where it is not known which of several things is meant, it may be any of them.
    """
    if intent.name == _BROADCAST:
        return [_announcement(request)]
    groups: dict[str, list[str]] = {}
    for target in intent.targets:
        groups.setdefault(_action(request.hass, intent.name, target), []).append(target)
    if not groups:
        return [_untargeted(request.hass, intent)]
    data = read_service_data(intent.name, intent.slots)
    return [
        ToolCall(action=action, targets=tuple(targets), data=data)
        for action, targets in groups.items()
    ]


def _action(hass: HomeAssistant, name: str, target: str) -> str:
    """Return the action that an intent comes to for a target."""
    domain = target.partition(".")[0]
    if service := find_service_of_intent(name, domain):
        # What has no such action of its own, as a group, is reached through that for anything.
        return f"{domain if hass.services.has_service(domain, service) else _ANYTHING}.{service}"
    handler = handler_of(hass, name)
    if isinstance(handler, ServiceIntentHandler):
        return f"{handler.domain}.{handler.service}"
    return f"{domain}.{name}"


def _announcement(request: AgentRequest) -> ToolCall:
    """Return the call that a message for all comes to: every satellite but the one that heard it."""
    own = request.user_input.device_id
    entities = er.async_get(request.hass)
    satellites = [
        state.entity_id
        for state in request.hass.states.async_all("assist_satellite")
        if not own or (e := entities.async_get(state.entity_id)) is None or e.device_id != own
    ]
    return ToolCall(
        action="assist_satellite.announce", targets=tuple(satellites), domains=("assist_satellite",)
    )


def _untargeted(hass: HomeAssistant, intent: RecognizedIntent) -> ToolCall:
    """Return the call of an intent for nothing in particular, or for what is not known.

    Where it is known what the intent needs of its targets, there are none, and Home Assistant will
    find none either.
    """
    call = ToolCall(action=f"intent.{intent.name}", data=_slots(intent.slots, _PLACES))
    handler = handler_of(hass, intent.name)
    if handler is None or requirement_of(hass, intent.name):
        return call
    domains = {domain_of_handler(handler), *(handler.platforms or ())} - {""}
    return call.model_copy(update={"domains": tuple(sorted(domains))})


def _slots(slots: Mapping[str, Any], without: frozenset[str]) -> dict[str, Any]:
    """Return the values of an intent that are plain."""
    return {
        name: value
        for name, value in slots.items()
        if name not in without and isinstance(value, str | int | float | bool)
    }
