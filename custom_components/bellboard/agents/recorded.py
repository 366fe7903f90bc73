"""What the recorder has of entities between two times, summed up for a model: durations, changes, and numbers."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..domains.services import as_number
from ..nlu.measures import LEVELS, is_in_percent, read_measure
from .base import SHOWS_NOTHING

_BEFORE = timedelta(days=2)
_INSTANT = timedelta(microseconds=1)
_MINUTE = timedelta(minutes=1)
# Of these attributes tell what they do, or what they are set to, while the state stays.
_SET_BY_ATTRIBUTES = frozenset({*LEVELS, "humidifier"})
_DOES = ("hvac_action", "action")
_SETTINGS = ("preset_mode", "humidity", "media_title", "source")
_OPENINGS = frozenset({"door", "window", "opening", "garage_door"})
_KINDS_OF_STATISTICS = {"mean", "min", "max", "change"}


def as_time(text: Any) -> datetime | None:
    """Return a time that a model wrote, in the home's time zone; None for no time."""
    found = dt_util.parse_datetime(str(text or ""))
    if found is None:
        day = dt_util.parse_date(str(text or ""))
        found = datetime(day.year, day.month, day.day) if day else None  # noqa: DTZ001
    if found is None:
        return None
    is_local = found.tzinfo is None
    return found.replace(tzinfo=dt_util.get_default_time_zone()) if is_local else found


def tell_time(at: datetime) -> str:
    """Return a time as a model is told of it, local to the home."""
    return f"{dt_util.as_local(at):%a %Y-%m-%d %H:%M}"


async def async_recorded(
    hass: HomeAssistant, entity_ids: Sequence[str], start: datetime, end: datetime
) -> dict[str, dict[str, Any]]:
    """Return how entities were between two times, by entity id.

    Of numbers that the recorder has forgotten long-term statistics are told.
    """
    # The recorder's own dependencies are only there in a home that has it.
    from homeassistant.components.recorder import get_instance  # noqa: PLC0415

    recorder = get_instance(hass)
    kept = dt_util.utcnow() - timedelta(days=recorder.keep_days)
    told: dict[str, dict[str, Any]] = {}
    if start < kept:
        numeric = [each for each in entity_ids if _is_numeric(hass.states.get(each))]
        told = await recorder.async_add_executor_job(_statistics, hass, numeric, start, end)
    left = [each for each in entity_ids if each not in told]
    found = await recorder.async_add_executor_job(_states, hass, left, start, end)
    for entity_id in left:
        told[entity_id] = _told(hass.states.get(entity_id), found.get(entity_id, ()), start, end)
    return told


def cut_changes(told: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Return what is told of an entity with so many of its changes, the last ones."""
    return {key: value[-most:] if isinstance(value, list) else value for key, value in told.items()}


def constant_state(told: Mapping[str, Any]) -> str:
    """Return the state that an entity had all the time, "" where it had others or is not known for all of it."""
    lasted = told.get("lasted") or {}
    is_known = not {"known_from", "not_known", "settings"} & told.keys()
    return next(iter(lasted)) if is_known and len(lasted) == 1 else ""


def _is_numeric(state: State | None) -> bool:
    """Return whether an entity's state is a number."""
    return state is not None and as_number(state.state) is not None


def _states(
    hass: HomeAssistant, entity_ids: Sequence[str], start: datetime, end: datetime
) -> dict[str, list[State]]:
    """Return the states of entities between two times, the first as it was just before; blocks.

    One that begins at the end is among them: it says what had been counted by then.
    """
    from homeassistant.components.recorder.history import (  # noqa: PLC0415
        get_significant_states,
        state_changes_during_period,
    )

    # The recorder tells neither of what was at a time nor changes at it, only what was before and changes after it.
    begin, until = dt_util.as_utc(start) - _INSTANT, dt_util.as_utc(end) + _INSTANT
    found: dict[str, list[State]] = {}
    for is_set in (True, False):
        asked = [
            each for each in entity_ids if (each.partition(".")[0] in _SET_BY_ATTRIBUTES) is is_set
        ]
        if asked:
            told = get_significant_states(
                hass, begin, until, asked, significant_changes_only=not is_set
            )
            found |= {
                key: [_whole(each) for each in states if isinstance(each, State)]
                for key, states in told.items()
            }
    for entity_id in entity_ids:
        states = found.setdefault(entity_id, [])
        if not states or states[0].last_updated > begin:
            # The recorder tells the state at the start only where it ran then.
            before = state_changes_during_period(
                hass, begin - _BEFORE, begin, entity_id, include_start_time_state=False
            ).get(entity_id, [])
            found[entity_id] = [*map(_whole, before[-1:]), *states]
    return found


def _whole(state: State) -> State:
    """Return a state of the recorder, which lacks its domain, as any other."""
    return State(
        state.entity_id,
        state.state,
        dict(state.attributes),
        last_updated=state.last_updated,
        validate_entity_id=False,
    )


def _statistics(
    hass: HomeAssistant, entity_ids: Sequence[str], start: datetime, end: datetime
) -> dict[str, dict[str, Any]]:
    """Return the long-term statistics of those entities between two times that have some; blocks."""
    from homeassistant.components.recorder.statistics import statistics_during_period  # noqa: PLC0415

    is_long = end - start > timedelta(days=2)
    rows = statistics_during_period(
        hass,
        dt_util.as_utc(start),
        dt_util.as_utc(end),
        {*entity_ids},
        "day" if is_long else "hour",
        None,
        _KINDS_OF_STATISTICS,  # type: ignore[arg-type]
    )
    told = {}
    for entity_id, own in rows.items():
        values = {
            name: round(pick([row[key] for row in own if row.get(key) is not None]), 2)  # type: ignore[literal-required]
            for name, key, pick in (
                ("lowest", "min", min),
                ("highest", "max", max),
                ("mean", "mean", _mean),
                ("change", "change", sum),
            )
            if any(row.get(key) is not None for row in own)
        }
        if values:
            begun = dt_util.utc_from_timestamp(own[0]["start"])
            late = _known_from(begun, start + timedelta(days=1 if is_long else 0, hours=1))
            told[entity_id] = {**late, "unit": _unit(hass.states.get(entity_id)), **values}
    return told


def _mean(values: Sequence[float]) -> float:
    """Return the mean of some values."""
    return sum(values) / len(values)


def _unit(state: State | None) -> str:
    """Return the unit of an entity's numbers."""
    return str(state.attributes.get("unit_of_measurement", "")) if state else ""


def _told(
    now: State | None, states: Sequence[State], start: datetime, end: datetime
) -> dict[str, Any]:
    """Return what states between two times come to: numbers, or how long each lasted."""
    known = [state for state in states if state.state not in SHOWS_NOTHING]
    if not known:
        return {"known": "nothing of that time"}
    late = _known_from(known[0].last_updated, start + _MINUTE)
    if any(map(_is_numeric, known)):
        return {**late, **_summed_up(states, _unit(now), start, end)}
    return {**late, **_lasted([s for s in states if s.last_updated < end], start, end)}


def _known_from(begun: datetime, start: datetime) -> dict[str, str]:
    """Return from when on something is known that is not from the start."""
    return {"known_from": f"{tell_time(begun)}, not before"} if begun > start else {}


def _summed_up(
    states: Sequence[State], unit: str, start: datetime, end: datetime
) -> dict[str, Any]:
    """Return what numbers come to between two times: both ends as they were then, weighted mean and change."""
    seen = [(state.last_updated, as_number(state.state)) for state in states]
    # What was before is only told where nothing replaced it at the start.
    seen = seen[1 if len(seen) > 1 and seen[1][0] <= start else 0 :]
    spans = [
        (max(at, start), value, min(until, end))
        for (at, value), until in zip(seen, [*(at for at, _ in seen[1:]), end], strict=True)
        if at < end
    ]
    values = [(at, value) for at, value in seen if value is not None]
    within = [(at, value, until) for at, value, until in spans if value is not None]
    within = within or [(*values[-1], end)]
    low, high = (pick(within, key=lambda each: each[1]) for pick in (min, max))
    seconds = sum((until - at).total_seconds() for at, _, until in within)
    area = sum(value * (until - at).total_seconds() for at, value, until in within)
    lost = sum((until - at for at, value, until in spans if value is None), timedelta())
    first, last = within[0][1], values[-1][1]
    return {
        "unit": unit,
        "lowest": low[1],
        "lowest_at": tell_time(low[0]),
        "highest": high[1],
        "highest_at": tell_time(high[0]),
        "mean": round(area / seconds, 2) if seconds > 0 else first,
        "first": first,
        "last": last,
        "change": round(last - first, 3),
        **_not_known(lost),
    }


def _not_known(lost: timedelta) -> dict[str, str]:
    """Return for how long nothing was known between two times, where that is worth telling."""
    return {"not_known": _duration(lost)} if lost > _MINUTE else {}


def _lasted(states: Sequence[State], start: datetime, end: datetime) -> dict[str, Any]:
    """Return how long each state lasted between two times, the last changes, and what was set meanwhile."""
    seen = _runs([(state.last_updated, _state_name(state)) for state in states], start)
    lasted: dict[str, timedelta] = {}
    for (at, name), (until, _) in pairwise([*seen, (end, "")]):
        if until > at:
            lasted[name] = lasted.get(name, timedelta()) + (until - at)
    lost = sum((lasted.pop(each, timedelta()) for each in SHOWS_NOTHING), timedelta())
    # The first is how it was. A sensor that is lost and comes back as it was has changed nothing.
    known = [(at, name) for at, name in seen if name not in SHOWS_NOTHING]
    changes = [
        {"at": tell_time(at), "to": name} for (_, was), (at, name) in pairwise(known) if name != was
    ]
    told: dict[str, Any] = {
        "lasted": {name: _duration(time) for name, time in lasted.items()},
        "times_changed": len(changes),
        "last_changes": changes,
        **_not_known(lost),
    }
    settings = [(state.last_updated, words) for state in states if (words := _setting(state))]
    if settings:
        told["settings"] = [
            # At the start itself only the last one counts.
            {"from": tell_time(at), "set": words}
            for at, words in dict(_runs(settings, start)).items()
        ]
    return told


def _runs(seen: Sequence[tuple[datetime, str]], start: datetime) -> list[tuple[datetime, str]]:
    """Return from when on each was so, not before the start; what says the same as before is left out."""
    found: list[tuple[datetime, str]] = []
    for at, name in seen:
        if not found or found[-1][1] != name:
            found.append((max(at, start), name))
    return found


def _state_name(state: State) -> str:
    """Return a state as it is told: of a thermostat whether it heats, of a door whether it is open."""
    if action := next((does for key in _DOES if (does := state.attributes.get(key))), None):
        return str(action)
    if state.attributes.get("device_class") in _OPENINGS:
        return {"on": "open", "off": "closed"}.get(state.state, state.state)
    return state.state


def _setting(state: State) -> str:
    """Return what an entity is set to beside its state: a level, a thermostat's mode, a title."""
    told = [] if _state_name(state) == state.state else [state.state]
    measure = LEVELS.get(state.domain, "")
    if measure and (level := read_measure(state, measure)) is not None:
        told.append(f"{round(level)}%" if is_in_percent(measure) else f"{level:g}°")
    told += [
        f"{key.replace('_', ' ')} {value}"
        for key in _SETTINGS
        if (value := state.attributes.get(key)) is not None
    ]
    return ", ".join(told) if state.domain in _SET_BY_ATTRIBUTES else ""


def _duration(time: timedelta) -> str:
    """Return a duration in days, hours and minutes, one below a minute in seconds."""
    if time < _MINUTE:
        return f"{round(time.total_seconds())} s"
    minutes = round(time.total_seconds() / 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count)
