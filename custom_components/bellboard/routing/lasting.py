"""Commands that last for a time, or until one: whether they can, and what ends them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from homeassistant.const import STATE_CLOSED, STATE_OFF
from homeassistant.core import HomeAssistant
from homeassistant.helpers.intent import INTENT_TURN_OFF, INTENT_TURN_ON

from ..domains.models import Command
from ..domains.registry import action_of_intent, domain_of, service_of, table_of
from ..domains.scene_button_script import BUTTON, INPUT_BUTTON, SCENE, SCRIPT
from ..nlu.ahead import TELL_AHEAD
from ..nlu.reading import read_tags
from ..when import Schedule
from .models import Assignment
from .router import RoutedPart, RoutingRequest

_OFF = {INTENT_TURN_ON: INTENT_TURN_OFF, "turn_on": "turn_off"}
"""What turns off by what turns on."""
_TURNS_OFF = frozenset(_OFF.values())
_CLOSE = "close"
_PUTS_OUT = _TURNS_OFF | {_CLOSE}
_OUT = frozenset({STATE_OFF, STATE_CLOSED})
_OPPOSITE = frozenset(
    {
        frozenset({_CLOSE, "open"}), frozenset({"lock", "unlock"}),
        frozenset({_CLOSE, "set_position"}), frozenset({"open", "set_position"}),
    }
)  # fmt: skip

# Parameters of intents that say what they are for.
_NAMING = frozenset({"area", "device_class", "domain", "floor", "name"})
# What a question is told by.
_ANSWERS = "/tell"

AT_ONCE = frozenset(each.name for each in (BUTTON, INPUT_BUTTON, SCENE, SCRIPT))
"""Domains of what is started, and has no state that it could be put back to."""


def may_last(part: Assignment) -> bool:
    """Return whether a part does what can last for a time: no skipping of ten seconds."""
    if not (intent := part.intent):
        return True
    domain = domain_of(intent.targets) or ""
    table = table_of(domain)
    action = table and table.action(_action_of(intent))
    found = [service_of(f"{domain}.{each}") for each in (action.services if action else ())]
    return not any(service and service.unseen for service in found)


def can_end(part: RoutedPart) -> bool:
    """Return whether what a part does can be put back when its time is over: no question, script, scene or button."""
    intent = part.assignment.intent if part.assignment else None
    if intent is None:
        return True
    is_answer = intent.name.endswith(_ANSWERS)
    return not is_answer and AT_ONCE.isdisjoint(each.partition(".")[0] for each in intent.targets)


def with_end(parts: Sequence[RoutedPart], schedule: Schedule) -> Sequence[RoutedPart]:
    """Return parts that are for now, with their end; [] where one of them has none."""
    ends = schedule if schedule.ends else None
    if ends and not all(map(can_end, parts)):
        return []
    return [
        replace(each, assignment=replace(each.assignment, schedule=ends))
        for each in parts
        if each.assignment
    ]


def asks_ahead(parts: Sequence[RoutedPart]) -> bool:
    """Return whether parts ask about a day to come, which refers to nothing: "will it rain tomorrow"."""
    intents = [part.assignment.intent for part in parts if part.assignment]
    return any(found.name.endswith(TELL_AHEAD) for found in intents if found)


def is_kept(parts: Sequence[RoutedPart]) -> bool:
    """Return whether nothing is to be done for one of some parts, which leaves something as it is."""
    return any(part.assignment and part.assignment.topic == "keep" for part in parts)


def says_to_keep(request: RoutingRequest, command: str, parts: Sequence[RoutedPart]) -> bool:
    """Return whether a command leaves something as it is, by what was read of it or by its verb."""
    return is_kept(parts) or read_tags(command, request.language).keeps


def undo_each_other(parts: Sequence[RoutedPart]) -> bool:
    """Return whether some parts do to a thing what others undo at the same time: "off and on", "18 and 21"."""
    intents = [intent for each in parts if each.assignment and (intent := each.assignment.intent)]
    return any(
        not {*one.targets}.isdisjoint(other.targets) and _undoes(one, other)
        for one, other in combinations(intents, 2)
    )


def _undoes(one: Command, other: Command) -> bool:
    """Return whether one of two commands for the same thing undoes the other."""
    first, second = _action_of(one), _action_of(other)
    if first == second:
        shared = {*one.parameters} & {*other.parameters} - _NAMING
        return any(one.parameters[key] != other.parameters[key] for key in shared)
    return not _TURNS_OFF.isdisjoint({first, second}) or frozenset({first, second}) in _OPPOSITE


def _action_of(intent: Command) -> str:
    """Return the name of the action that an intent comes to, without its agent: "open", "HassTurnOn"."""
    native = action_of_intent(intent.name, intent.parameters, domain_of(intent.targets) or "")
    return native.name if native else intent.name.rpartition("/")[2]


def added_to(known: Sequence[RoutedPart], both: Sequence[RoutedPart]) -> Sequence[RoutedPart]:
    """Return what parts have that come after `known` ones, or that the last one does for more things than those."""
    if more := both[len(known) :]:
        return more
    first, last = (each[-1].assignment if each else None for each in (known, both))
    one, all_of = first and first.intent, last and last.intent
    if not (one and all_of and last and one.name == all_of.name and len(known) == len(both)):
        return ()
    rest = tuple(each for each in all_of.targets if each not in one.targets)
    done, all_done = (
        {key: value for key, value in each.parameters.items() if key not in _NAMING}
        for each in (one, all_of)
    )
    is_same = done == all_done and {*one.targets} < {*all_of.targets}
    own = replace(last, intent=replace(all_of, targets=rest))
    return [replace(both[-1], assignment=own)] if is_same else ()


def turned_off(part: RoutedPart) -> RoutedPart | None:
    """Return what turns off what a part turns on, None where it turns on nothing that can be turned off."""
    assignment = part.assignment
    intent = assignment.intent if assignment else None
    if assignment is None or intent is None:
        return None
    agent_id, slash, name = intent.name.rpartition("/")
    domain = intent.domain or domain_of(intent.targets) or ""
    table, off = table_of(domain), _OFF.get(name)
    if not (off and table and table.action("turn_off")):
        return None
    ended = replace(intent, name=f"{agent_id}{slash}{off}")
    return replace(part, assignment=replace(assignment, intent=ended))


def turning_on(hass: HomeAssistant, parts: Sequence[RoutedPart]) -> Sequence[RoutedPart]:
    """Return those of some parts that turn on something that is off now."""
    return [
        part
        for part in parts
        if part.assignment
        and (intent := part.assignment.intent)
        and any(hass.states.is_state(each, STATE_OFF) for each in intent.targets)
    ]


def keeps_off(parts: Sequence[RoutedPart]) -> bool:
    """Return whether parts only turn off or close what can be put back: "keep the lamp off", "the blinds closed"."""
    intents = [part.assignment.intent for part in parts if part.assignment]
    tables = [intent and table_of(domain_of(intent.targets) or "") for intent in intents]
    are_off = all(each and _action_of(each) in _PUTS_OUT for each in intents)
    can_go_back = all(each and (each.action("turn_on") or each.action("open")) for each in tables)
    return bool(parts) and are_off and can_go_back


def turning_off(hass: HomeAssistant, parts: Sequence[RoutedPart]) -> Sequence[RoutedPart]:
    """Return those of some parts that turn off or close something that is on or open now."""
    found = [(part, part.assignment.intent) for part in parts if part.assignment]
    return [
        part
        for part, intent in found
        if intent and not all(_is_out(hass, each) for each in intent.targets)
    ]


def _is_out(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether something is off or closed now."""
    state = hass.states.get(entity_id)
    return state is not None and state.state in _OUT


def brought_about(hass: HomeAssistant, kept: Sequence[RoutedPart]) -> Sequence[RoutedPart]:
    """Return those parts of what is to be kept on or off that are not so now."""
    if keeps_off(kept):
        return turning_off(hass, kept)
    return turning_on(hass, [each for each in kept if turned_off(each)])


def only_turns_on(parts: Sequence[RoutedPart]) -> bool:
    """Return whether parts turn on what can be turned off, and set nothing else."""
    intents = [part.assignment.intent for part in parts if part.assignment]
    is_plain = all(intent and {*intent.parameters} <= _NAMING for intent in intents)
    return bool(parts) and is_plain and all(map(turned_off, parts))


def are_unclear(parts: Sequence[RoutedPart]) -> bool:
    """Return whether one of some parts may be for several things."""
    intents = [part.assignment.intent for part in parts if part.assignment]
    return any(intent and intent.is_ambiguous for intent in intents)
