"""Corrected answers to state questions that Home Assistant's own agent answers wrongly.

Its sentences match windows and doors as covers only, so with binary sensors it says that none is open. Of
several devices of one name, or of none, it says "no". A question for a target temperature is answered with
the current one, and where somebody is with the name of a state.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.const import STATE_HOME, STATE_NOT_HOME, STATE_OFF, STATE_ON
from homeassistant.core import State

from ..domains.models import Command
from ..home.names import words_of
from ..nlu.intents import find_queried_entities
from ..nlu.measures import STATE_PAIRS, read_measure
from ..nlu.questions import OUTSIDE, QuestionReader
from ..nlu.recognition import GET_STATE
from .base import SHOWS_NOTHING, AgentRequest, states_of
from .wording import describe_names, describe_setpoints, format_temperature

_GET_WEATHER = "HassGetWeather"
_GET_TEMPERATURE = "HassClimateGetTemperature"
# Device classes of covers, and of binary sensors, by the device class that a question names.
_CLASSES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "window": (frozenset({"window"}), frozenset({"window", "opening"})),
    "door": (frozenset({"door", "garage", "gate"}), frozenset({"door", "garage_door", "opening"})),
    "garage": (frozenset({"garage"}), frozenset({"garage_door"})),
    "gate": (frozenset({"gate"}), frozenset({"opening"})),
}
_CONTACTS = frozenset({"door", "garage_door", "opening", "window"})
_OPEN, _CLOSED = "open", "closed"
_MOVING = frozenset({"opening", "closing"})


def correct_state_answer(request: AgentRequest, found: Command) -> str | None:
    """Return the corrected answer to a question, or None where Home Assistant's own is right."""
    if found.name == GET_STATE:
        if found.asks == "where":
            return _of_whereabouts(request, found.parameters)
        if _asks_about_nothing(request, found.parameters):
            return request.language.say("tell.none_there")
        return (
            _of_presence(request, found.parameters, found.asks)
            or _of_openings(request, found.parameters, found.asks)
            or _of_namesakes(request, found.parameters)
        )
    outdoors = request.language.outdoors
    reader = QuestionReader(hass=request.hass, house=request.house) if request.house else None
    if found.name == _GET_WEATHER and reader:
        question = reader.read_outside(request.instruction, outdoors)
        return _outdoors(request, reader) if question and question.asking == OUTSIDE else None
    if found.name != _GET_TEMPERATURE:
        return None
    if not outdoors.isdisjoint(words_of(request.instruction)):
        return _outdoors(request, reader)
    if _asks_for_target(request, found.asks):
        return (
            describe_setpoints(request, _asked_about(request, "climate", found.parameters)) or None
        )
    return None


def _outdoors(request: AgentRequest, reader: QuestionReader | None) -> str:
    """Return how warm it is outside; Home Assistant would answer for the speaker's room."""
    found = reader.outdoors(request.language.outdoors) if reader else ()
    states = states_of(request.hass, [each.entity_id for each in found])
    readable = [each for each in states if request.rights.may_read(each.entity_id)]
    return tell_outside(request, readable)[0]


def tell_outside(request: AgentRequest, states: Sequence[State]) -> tuple[str, State | None]:
    """Return how warm it is outside, as the first that knows it tells, and which that is."""
    for state in states:
        if (degrees := read_measure(state, "temperature")) is not None:
            readings = format_temperature(request, degrees)
            return request.language.say("tell.temperature", readings=readings), state
    return request.language.say("tell.no_temperature"), None


def _asks_about_nothing(request: AgentRequest, slots: Mapping[str, Any]) -> bool:
    """Return whether no device is of the kind, name and place asked about, to which "no" is no answer."""
    if slots.get("name"):
        return not _named(request, slots)
    if _asks_for_openings(slots):
        return not _openings(request, str(slots["device_class"]), slots)
    domain = slots.get("domain")
    return isinstance(domain, str) and not _asked_about(request, domain, slots)


def _asks_for_openings(slots: Mapping[str, Any]) -> bool:
    """Return whether a question is which windows, doors or the like are open or closed."""
    # Home Assistant has several device classes for some words: French for Venetian blinds.
    named = slots.get("device_class")
    is_of_all = isinstance(named, str) and named in _CLASSES and not slots.get("name")
    return is_of_all and slots.get("state") in {_OPEN, _CLOSED}


def _of_whereabouts(request: AgentRequest, slots: Mapping[str, Any]) -> str | None:
    """Return where somebody is: at home, away, or in a zone by its name; None for nobody known or several."""
    found = _asked_about(request, "person", {"name": slots.get("name")})
    return tell_whereabouts(request, found[0]) if len(found) == 1 else None


def tell_whereabouts(request: AgentRequest, person: State) -> str:
    """Return where a person is: at home, away, or in a zone by its name."""
    words = {STATE_HOME: "home", STATE_NOT_HOME: "away", **dict.fromkeys(SHOWS_NOTHING, "unknown")}
    key = words.get(person.state, "zone")
    return request.language.say(f"where.{key}", name=person.name, zone=person.state)


def _of_presence(request: AgentRequest, slots: Mapping[str, Any], asked: str) -> str | None:
    """Return who is at home, where the question says "home" in its own words; None for other questions."""
    wanted = words_of(str(slots.get("state", "")))
    people = _asked_about(request, "person", {"name": slots.get("name"), "domain": "person"})
    if wanted not in request.language.at_home:
        is_there = slots.get("name") and wanted in {words_of(person.state) for person in people}
        return request.language.say("tell.yes") if is_there else None
    seen = [state for state in people if state.state not in SHOWS_NOTHING]
    if not seen:
        return request.language.say("tell.not_known") if people else None
    at_home = [state for state in seen if state.state == STATE_HOME]
    if slots.get("name"):
        return request.language.say("tell.yes" if at_home else "tell.no")
    return _told(request, asked, seen, at_home)


def _of_namesakes(request: AgentRequest, slots: Mapping[str, Any]) -> str | None:
    """Return the answer from those of several devices of one name that can be in the state asked for.

    None where only one has the name, or nothing is known of the state.
    """
    named = _named(request, slots) if slots.get("name") else []
    if len(named) < 2 or not (wanted := str(slots.get("state", ""))):
        return None
    shown = {s.entity_id: is_so for s in named if (is_so := _is(s, wanted)) is not None}
    known = request.catalog.entities
    near = [each for each in shown if each in known and known[each].area_id == request.area_id]
    told = {shown[each] for each in near or shown}
    if not told:
        return request.language.say("tell.not_known")
    if len(told) > 1:
        # Namesakes cannot be told apart by their names.
        return request.language.say("tell.both_ways")
    return request.language.say("tell.yes" if told.pop() else "tell.no")


def _named(request: AgentRequest, slots: Mapping[str, Any]) -> list[State]:
    """Return the states of all devices of the name and in the place of the slots, of whatever kind."""
    place = {key: slots.get(key) for key in ("name", "area", "floor")}
    return [
        state
        for state in states_of(request.hass, find_queried_entities(request.hass, None, place))
        if request.rights.may_read(state.entity_id)
    ]


def _is(state: State, wanted: str) -> bool | None:
    """Return whether a device is in a state; None where its kind cannot be, or it is not known."""
    is_contact = state.attributes.get("device_class") in _CONTACTS
    if is_contact:
        wanted = {STATE_ON: _OPEN, STATE_OFF: _CLOSED}.get(wanted, wanted)
    pairs = [pair for pair in STATE_PAIRS if wanted in {pair.active, pair.passive}]
    if not pairs or (state.domain == "binary_sensor" and not is_contact):
        return None
    is_active = pairs[0].shows(state) if state.domain in pairs[0].domains else None
    return None if is_active is None else is_active is (wanted == pairs[0].active)


def _of_openings(request: AgentRequest, slots: Mapping[str, Any], asked: str) -> str | None:
    """Return which windows, doors or the like are open or closed; None for other questions."""
    if not _asks_for_openings(slots):
        return None
    wanted, device_class = str(slots["state"]), str(slots["device_class"])
    seen = [s for s in _openings(request, device_class, slots) if s.state not in SHOWS_NOTHING]
    if not seen:
        return request.language.say("tell.not_known")
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
        case "which_person":
            return _told(request, "which", seen, fitting)
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
