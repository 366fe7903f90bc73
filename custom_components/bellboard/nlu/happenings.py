"""Conditions beside those of states and measures: that it is dark, that a machine has finished, that a bell rings."""

from collections.abc import Callable, Sequence
from functools import partial

from homeassistant.const import UnitOfPower
from homeassistant.core import HomeAssistant, State

from ..home.catalog import Catalog, CatalogEntity
from .condition_results import LATER, ConditionResult, result_of, seen_in
from .frame_models import NounPhrase
from .measures import UNKNOWN_STATES, own_unit, pair_of, read_measure, test_states
from .questions import QuestionReader
from .rain import find_rain_sources, is_raining

SUN = "sun.sun"
"""The sun, which anybody may know of."""
_SUN = CatalogEntity(SUN, ("Sun",), None, None, None)
_BELOW = test_states(frozenset({"below_horizon"}), frozenset({"above_horizon"}))
# How sensors of machines tell that nothing runs any more, in the words of integrations.
_FINISHED = frozenset(
    {
        *("complete", "completed", "done", "end", "ended", "end_programmed", "finish", "finished"),
        *("idle", "inactive", "off", "power_off", "program_ended", "ready", "standby", "stop"),
        *("stopped", "waiting_to_start"),
    }
)
_STANDBY = 5.0
"""In watts: what draws less has finished, once that is so for `_LONG`."""
_LONG = 180.0
"""In seconds."""
# Binary sensors of a device that tell no more than whether it runs.
_RUNNING = frozenset({"", "moving", "power", "running"})
_BELL = "doorbell"
_RINGING = frozenset({"", "occupancy", "sound", "vibration"})
# Domains whose state is the time of what happened last.
_EVENTS = frozenset({"button", "event", "input_button"})

# What is so outside, and nowhere else.
_OUTSIDE = frozenset({"dark", "light", "rain", "dry"})

type Seen = Callable[[Sequence[CatalogEntity]], tuple[CatalogEntity, ...]]


def happening(
    questions: QuestionReader, what: str, of: NounPhrase, readable: Catalog, rain: tuple[str, ...]
) -> ConditionResult | None:
    """Return whether it is "dark", "light", "rain" or "dry" outside, or what is described is "done" or "rings".

    Only what is `readable` tells it; `rain` is what words in the names of rain sensors begin with.
    """
    hass, seen = questions.hass, partial(seen_in, readable)
    if what in _OUTSIDE:
        is_outside = (of.is_only_place or of.refers_back) and not (of.places or of.is_here)
        return _outside(hass, what, readable, rain) if is_outside else None
    if what == "done":
        return _done(questions, of, seen)
    is_named = of.names or of.words
    named = seen(questions.called(of, *sorted(_EVENTS), "binary_sensor")) if is_named else ()
    every = seen(questions.house.catalog.by_domain.get("event", ()))
    bells = tuple(filter(_may_ring, named)) or tuple(e for e in every if e.device_class == _BELL)
    return result_of(hass, bells, _is_ringing, settled=0.0) if bells else None


def _outside(
    hass: HomeAssistant, what: str, readable: Catalog, rain: tuple[str, ...]
) -> ConditionResult | None:
    """Return whether it is dark or light by the sun, or rains by what tells it; of several all have to."""
    if what in {"rain", "dry"}:
        sources = tuple(find_rain_sources(hass, readable, rain))
        if not sources:
            return None
        is_several = len(sources) > 1
        return result_of(
            hass, sources, is_raining, wanted=what == "rain", needs_all=is_several, settled=LATER
        )
    is_there = hass.states.get(_SUN.entity_id)
    return result_of(hass, (_SUN,), _BELOW, wanted=what == "dark") if is_there else None


def _done(questions: QuestionReader, of: NounPhrase, seen: Seen) -> ConditionResult | None:
    """Return whether a machine has finished: by a sensor that says so, else by its power, else by its switch."""
    hass = questions.hass
    if of.is_only_place or of.is_music:
        # What plays is no machine: music that ends is silent then.
        return None
    sensors = [
        (each, state)
        for each in seen(questions.called(of, "binary_sensor", "sensor"))
        if (state := hass.states.get(each.entity_id))
    ]
    for tells, shows, settled in (
        (_tells_running, _is_finished, LATER),
        (_tells_power, _draws_nothing, _LONG),
    ):
        if telling := [each for each, state in sensors if tells(state)]:
            return result_of(hass, (*telling[:1],), shows, settled=settled)
    for rests in ("resting", "off"):
        pair = pair_of(rests)
        things = seen(questions.shown(of, pair, "is", rests)) if pair else ()
        if pair and len(things) == 1:
            return result_of(hass, things, pair.shows, wanted=False, settled=LATER)
    return None


def _tells_running(state: State) -> bool:
    """Return whether a sensor tells whether a machine runs: one of running, or one that says it in a word."""
    kind = state.attributes.get("device_class", "")
    if state.domain == "binary_sensor":
        return kind in _RUNNING
    options = state.attributes.get("options") or (state.state,)
    return kind in {"", "enum"} and not _FINISHED.isdisjoint(map(_plain, options))


def _is_finished(state: State) -> bool | None:
    """Return whether a sensor says that a machine has finished."""
    return None if state.state in UNKNOWN_STATES else _plain(state.state) in _FINISHED


def _tells_power(state: State) -> bool:
    """Return whether a sensor tells how many watts a machine draws."""
    return read_measure(state, "power") is not None and own_unit(state, "power") == UnitOfPower.WATT


def _draws_nothing(state: State) -> bool | None:
    """Return whether a machine draws no more than in standby."""
    power = read_measure(state, "power")
    return None if power is None else power < _STANDBY


def _plain(state: str) -> str:
    """Return a state as integrations write one."""
    return state.lower().replace(" ", "_")


def _may_ring(entity: CatalogEntity) -> bool:
    """Return whether an entity tells that somebody rings."""
    return entity.domain in _EVENTS or (entity.device_class or "") in _RINGING


def _is_ringing(state: State) -> bool | None:
    """Return whether a bell rings; one that only tells when it rang last did so at that time."""
    if state.state in UNKNOWN_STATES:
        return None
    return state.domain in _EVENTS or state.state == "on"
