"""Corrected answers to state questions that Home Assistant's own agent answers wrongly.

Its sentences match windows and doors as covers only, so with binary sensors it says that none is open. A
question for a target temperature is answered with the current one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.const import STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from ..home.names import words_of
from ..nlu.intents import find_queried_entities
from ..plans.models import RecognizedIntent
from .action_targets import states_of
from .base import AgentRequest
from .wording import describe_names, describe_setpoints, format_temperature

_GET_STATE = "HassGetState"
_GET_TEMPERATURE = "HassClimateGetTemperature"
# Device classes of covers, and of binary sensors, by the device class that a question names.
_CLASSES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "window": (frozenset({"window"}), frozenset({"window", "opening"})),
    "door": (frozenset({"door", "garage", "gate"}), frozenset({"door", "garage_door", "opening"})),
    "garage": (frozenset({"garage"}), frozenset({"garage_door"})),
    "gate": (frozenset({"gate"}), frozenset({"opening"})),
}
_OPEN, _CLOSED = "open", "closed"
_MOVING = frozenset({"opening", "closing"})
_UNSEEN = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})


def correct_state_answer(
    request: AgentRequest, understood: Sequence[RecognizedIntent]
) -> str | None:
    """Return the corrected answer to a question, or None where Home Assistant's own is right."""
    if len(understood) != 1:
        return None
    found = understood[0]
    if found.name == _GET_STATE:
        if _asks_about_nothing(request, found.slots):
            return request.language.say("tell.none_there")
        return _of_openings(request, found.slots, found.asks)
    if found.name != _GET_TEMPERATURE:
        return None
    if not request.language.outdoors.isdisjoint(words_of(request.instruction)):
        return _outdoors(request)
    if _asks_for_target(request, found.asks):
        return describe_setpoints(request, _asked_about(request, "climate", found.slots)) or None
    return None


def _outdoors(request: AgentRequest) -> str:
    """Return how warm it is outside, as the weather tells; Home Assistant would answer for the speaker's room."""
    for state in _asked_about(request, "weather", {}):
        if isinstance(degrees := state.attributes.get("temperature"), int | float):
            return request.language.say(
                "tell.temperature", readings=format_temperature(request, degrees)
            )
    return request.language.say("tell.no_temperature")


def any_asks_about_nothing(request: AgentRequest, understood: Sequence[RecognizedIntent]) -> bool:
    """Return whether one of several questions is about what is not there."""
    return any(
        found.name == _GET_STATE and _asks_about_nothing(request, found.slots)
        for found in understood
    )


def _asks_about_nothing(request: AgentRequest, slots: Mapping[str, Any]) -> bool:
    """Return whether no device is of the kind and in the place that are asked about, to which "no" is no answer."""
    domain = slots.get("domain")
    is_of_kind = isinstance(domain, str) and not slots.get("name")
    return is_of_kind and not _asked_about(request, str(domain), slots)


def _of_openings(request: AgentRequest, slots: Mapping[str, Any], asked: str) -> str | None:
    """Return which windows, doors or the like are open or closed; None for other questions."""
    classes, wanted = slots.get("device_class"), str(slots.get("state"))
    device_class = classes if isinstance(classes, str) else ""
    if device_class not in _CLASSES or wanted not in {_OPEN, _CLOSED} or slots.get("name"):
        return None
    seen = [s for s in _openings(request, device_class, slots) if s.state not in _UNSEEN]
    if not seen:
        return request.language.say("tell.none_there")
    fitting = [state for state in seen if _is_open(state) is (wanted == _OPEN)]
    return _told(request, asked, seen, fitting)


def _openings(request: AgentRequest, device_class: str, slots: Mapping[str, Any]) -> list[State]:
    """Return the states of the exposed covers and binary sensors of a class, in the place of the slots."""
    place = {name: slots.get(name) for name in ("area", "floor")}
    return [
        state
        for domain, classes in zip(("cover", "binary_sensor"), _CLASSES[device_class], strict=True)
        for state in _asked_about(request, domain, {**place, "device_class": classes})
    ]


def _asked_about(request: AgentRequest, domain: str, slots: Mapping[str, Any]) -> list[State]:
    """Return the states that a question is about and that the user may read."""
    found = find_queried_entities(request.hass, domain, slots)
    return [s for s in states_of(request.hass, found) if request.rights.may_read(s.entity_id)]


def _is_open(state: State) -> bool:
    """Return whether a sensor or cover is open, or moving."""
    return state.state in {STATE_ON, _OPEN, *_MOVING}


def _told(
    request: AgentRequest, asked: str, seen: Sequence[State], fitting: Sequence[State]
) -> str:
    """Return the reply in the form that was asked for: a number, names, or yes or no with names."""
    language = request.language
    others = [state for state in seen if state not in fitting]
    match asked:
        case "how_many":
            return language.number(len(fitting)) + "."
        case "which":
            names = _listed(request, fitting)
            return language.sentence([names]) if fitting else language.say("tell.none")
        case "all":
            if not others:
                return language.say("tell.yes")
            return language.say("tell.no_but", targets=_listed(request, others))
        case _:
            if not fitting:
                return language.say("tell.no")
            return language.say("tell.yes_these", targets=_listed(request, fitting))


def _listed(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the names of the entities."""
    return describe_names(request, [state.entity_id for state in states])


def _asks_for_target(request: AgentRequest, asked: str) -> bool:
    """Return whether a question is about a target temperature."""
    words = words_of(request.instruction)
    return asked == "target_temperature" or not request.language.set_to.isdisjoint(words)
