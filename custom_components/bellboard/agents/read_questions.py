"""Answers to questions about states that were read word by word, from the states themselves."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.core import State

from ..nlu.measures import is_in_percent, read_measure
from ..nlu.modes import mode_name
from ..nlu.questions import OUTSIDE, ReadQuestion, holds
from .base import SHOWS_NOTHING, AgentRequest, states_of
from .wording import LocalizedValues, describe_names


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
        return _tell_outside(request, states)
    if not states:
        return None
    if question.asking == "value":
        text = _tell_values(request, question.measure, states)
    elif question.asking == "state":
        text = _tell_which_state(request, states)
    else:
        text = _tell_states(request, question, states)
    told = holds(question, states) if question.asking == "which" else states
    return Told(text, tuple(state.entity_id for state in told))


def _tell_outside(request: AgentRequest, states: Sequence[State]) -> Told:
    """Return how warm it is outside, as the first that knows it tells."""
    for state in states:
        if (degrees := read_measure(state, "temperature")) is not None:
            readings = _in_words(request, "temperature", degrees)
            words = request.language.say("tell.temperature", readings=readings)
            return Told(words, (state.entity_id,))
    return Told(request.language.say("tell.no_temperature"))


def _tell_values(request: AgentRequest, measure: str, states: Sequence[State]) -> str:
    """Return the values of a measure: of one entity alone, of several with their names."""
    told = [
        (state, value) for state in states if (value := read_measure(state, measure)) is not None
    ]
    named = [
        f"{describe_names(request, [state.entity_id])}: {_in_words(request, measure, value)}"
        for state, value in told
    ]
    if not named:
        return request.language.say("tell.not_known")
    return request.language.join(named) + "."


def _tell_which_state(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the state that each entity is in, in words: "Front Door: locked"."""
    named = [
        f"{describe_names(request, [state.entity_id])}: {_state_in_words(request, state)}"
        for state in states
    ]
    return request.language.join(named) + "."


def _state_in_words(request: AgentRequest, state: State) -> str:
    """Return the state of an entity in the user's language."""
    device_class = str(state.attributes.get("device_class") or "_")
    return mode_name(
        request.hass,
        request.language.code,
        state.domain,
        state.state,
        device_class=device_class if state.domain == "binary_sensor" else "_",
    )


def _in_words(request: AgentRequest, measure: str, value: float) -> str:
    """Return a value with its unit."""
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
    names = describe_names(request, [state.entity_id for state in fitting])
    if question.asking == "how_many":
        return f"{language.number(len(fitting))}."
    if question.asking == "which":
        return language.sentence([names]) if fitting else language.say("tell.none")
    if question.needs_all and fitting and others:
        rest = describe_names(request, [state.entity_id for state in others])
        return language.say("tell.no_but", targets=rest)
    if not fitting:
        return language.say("tell.no")
    if len(states) == 1 or not others:
        return language.say("tell.yes")
    return language.say("tell.yes_these", targets=names)
