"""Answers to questions about states that were read word by word, from the states themselves."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ..domains.commands import number_of
from ..home.names import words_of
from ..nlu.comparing import COMPARE, DIFFERENCE, MORE, MOST
from ..nlu.measures import is_in_percent, is_low_battery, own_unit, read_measure
from ..nlu.modes import kind_name, mode_name
from ..nlu.questions import OUTSIDE, ReadQuestion, holds
from .base import SHOWS_NOTHING, AgentRequest, states_of
from .home_states import tell_outside, tell_whereabouts
from .wording import MOST_TOLD, LocalizedValues, capitalised, describe_names

# What is told of a room, and not of a device.
_OF_ROOMS = frozenset({"temperature", "humidity"})


@dataclass(frozen=True, slots=True)
class Told:
    """Answer to a question about states, and the entity ids that it tells of."""

    text: str
    about: tuple[str, ...] = ()


def answer_question(request: AgentRequest, question: ReadQuestion) -> Told | None:
    """Return the answer to a question, or None where the user may not read any of its entities."""
    states = [
        state
        for state in states_of(request.hass, question.entity_ids)
        if request.rights.may_read(state.entity_id)
    ]
    if question.asking == OUTSIDE:
        words, source = tell_outside(request, states)
        return Told(words, (source.entity_id,) if source else ())
    if not states and question.entity_ids:
        return None
    if question.asking == "value":
        text = _tell_values(request, question.measure, states)
    elif question.asking in {COMPARE, DIFFERENCE, MOST}:
        return _tell_compared(request, question, states)
    elif question.asking == "low":
        return _tell_low_batteries(request, states)
    elif question.asking == "since":
        text = _tell_since(request, states)
    elif question.asking == "state":
        text = _tell_which_state(request, states)
    else:
        text = _tell_states(request, question, states)
    told = holds(question, states) if question.asking in {"which", "is"} else states
    told = told if told or question.asking == "which" else states
    return Told(text, tuple(state.entity_id for state in told))


def _tell_values(request: AgentRequest, measure: str, states: Sequence[State]) -> str:
    """Return the values of a measure: of one entity alone, of several with their names."""
    told = [
        (state, value) for state in states if (value := read_measure(state, measure)) is not None
    ]
    named = [
        f"{describe_names(request, [state.entity_id])}: "
        f"{_in_words(request, measure, value, own_unit(state, measure))}"
        for state, value in told
    ]
    if not named:
        return request.language.say("tell.not_known")
    return request.language.join(named) + "."


def _tell_which_state(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the state that each entity is in, in words: "Front Door: locked"."""
    if all(state.domain == "person" for state in states):
        return " ".join(tell_whereabouts(request, state) for state in states)
    named = [
        f"{describe_names(request, [state.entity_id])}: {_state_in_words(request, state)}"
        for state in states
    ]
    return request.language.join(named) + "."


def _tell_compared(
    request: AgentRequest, question: ReadQuestion, states: Sequence[State]
) -> Told | None:
    """Return which of two rooms has more of a measure, by how much, or which of all has the most."""
    known = [
        (state, value)
        for state in states
        if (value := read_measure(state, question.measure)) is not None
    ]
    sign = 1 if question.state == MORE else -1
    if question.asking == MOST:
        best = max((value * sign for _, value in known), default=None)
        known = [(state, value) for state, value in known if value * sign == best]
    elif len(known) != len(question.entity_ids):
        return Told(request.language.say("tell.not_known"))
    if not known:
        return Told(request.language.say("tell.not_known"))
    told = request.language.join(
        f"{_room_of(request, state) if question.measure in _OF_ROOMS else state.name}: "
        f"{_in_words(request, question.measure, value, own_unit(state, question.measure))}"
        for state, value in known
    )
    about = tuple(state.entity_id for state, _ in known)
    if question.asking == MOST:
        return Told(f"{told}.", about)
    (_, one), (_, other) = known
    if question.asking == DIFFERENCE:
        by = _in_words(request, question.measure, abs(one - other))
        return Told(f"{by}. {told}.", about)
    answer = request.language.say("tell.yes" if (one - other) * sign > 0 else "tell.no")
    return Told(f"{answer} {told}.", about)


def _room_of(request: AgentRequest, state: State) -> str:
    """Return the name of the room that a sensor is in, else its own."""
    entity = request.catalog.entities.get(state.entity_id)
    area = request.catalog.areas.get(entity.area_id or "") if entity else None
    return area.name if area else describe_names(request, [state.entity_id])


def _tell_low_batteries(request: AgentRequest, states: Sequence[State]) -> Told:
    """Return which batteries are low."""
    low = [state for state in states if is_low_battery(state)]
    if not low:
        return Told(request.language.say("tell.no_low_battery"))
    names = describe_names(request, [state.entity_id for state in low], MOST_TOLD)
    return Told(request.language.sentence([names]), tuple(state.entity_id for state in low))


def _tell_since(request: AgentRequest, states: Sequence[State]) -> str:
    """Return for how long each entity is in its state: "Patio Door: closed for 2 hours"."""
    now = dt_util.utcnow()
    return " ".join(
        request.language.say(
            "tell.since",
            name=describe_names(request, [state.entity_id]),
            state=_state_in_words(request, state),
            time=request.language.duration((now - state.last_changed).total_seconds()),
        )
        for state in states
    )


def _state_in_words(request: AgentRequest, state: State) -> str:
    """Return the state of an entity in the user's language."""
    if (number := number_of(state.state)) is not None:
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT, "")
        return f"{request.language.number(number)} {unit}".strip()
    device_class = str(state.attributes.get("device_class") or "_")
    return mode_name(
        request.hass,
        request.language.code,
        state.domain,
        state.state,
        device_class=device_class if state.domain == "binary_sensor" else "_",
    )


def _in_words(request: AgentRequest, measure: str, value: float, unit: str = "") -> str:
    """Return a value with its unit: that of its sensor, else percent or that of the home."""
    if unit:
        return f"{request.language.number(value)} {unit}"
    if is_in_percent(measure):
        return LocalizedValues(request, "").value(round(value), "%")
    unit = request.hass.config.units.temperature_unit
    return f"{request.language.number(value)} {unit}"


def _tell_states(request: AgentRequest, question: ReadQuestion, states: Sequence[State]) -> str:
    """Return a number, names, or yes or no with names where they say more; what shows nothing counts for nothing."""
    language = request.language
    states = [state for state in states if state.state not in SHOWS_NOTHING]
    if not states:
        return language.say("tell.not_known")
    fitting = holds(question, states)
    others = [state for state in states if state not in fitting]
    names = describe_names(request, [state.entity_id for state in fitting], MOST_TOLD)
    if question.asking == "how_many":
        return f"{language.number(len(fitting))}."
    if question.asking == "which":
        return language.sentence([names]) if fitting else language.say("tell.none")
    if question.asking == "is" and fitting and others and _are_namesakes(request, states):
        return _tell_namesakes(request, states)
    if question.needs_all and others and len(states) > 1:
        rest = describe_names(request, [state.entity_id for state in others], MOST_TOLD)
        return language.say("tell.no_but", targets=rest)
    if not fitting:
        return language.say("tell.no")
    if len(states) == 1 or not others:
        return language.say("tell.yes")
    return language.say("tell.yes_these", targets=names)


def _are_namesakes(request: AgentRequest, states: Sequence[State]) -> bool:
    """Return whether all entities have one name."""
    return len({words_of(describe_names(request, [each.entity_id])) for each in states}) == 1


def _tell_namesakes(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the states of namesakes by their rooms or by what they are; that they differ where neither tells."""
    known = [request.catalog.entities.get(state.entity_id) for state in states]
    rooms = {each.area_id for each in known if each and each.area_id}
    labels = [_room_of(request, state) for state in states]
    if len(rooms) < len(states):
        code = request.language.code
        labels = [
            kind_name(request.hass, code, each.domain, each.attributes.get("device_class"))
            for each in states
        ]
    if len(set(labels)) < len(states):
        return request.language.say("tell.both_ways")
    told = request.language.join(
        f"{label}: {_state_in_words(request, state)}"
        for label, state in zip(labels, states, strict=True)
    )
    return f"{capitalised(told)}."
