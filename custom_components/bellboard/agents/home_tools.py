"""Tools that tell of the home what its present states do not: how it was, and what the weather will be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar

from homeassistant.components.weather import WeatherEntityFeature as Feature
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..home.catalog import CatalogEntity
from ..llm.models import Tool, object_schema
from .base import SHOWS_NOTHING, AgentRequest, states_of
from .days_ahead import async_ask_entity, listed
from .tools import FORECAST, HISTORY, AgentTool, ToolOutcome, failed

_MOST_ENTITIES, _MOST_CHANGES, _MOST_NEAR, _MOST_NAMED = 4, 12, 12, 40
_LONGEST = timedelta(days=400)
_BEFORE = timedelta(days=2)
_NAMES = {
    "type": "array",
    "items": {"type": "string"},
    "description": "as shown, else as the person said",
}
_TIME = {"type": "string", "description": "ISO 8601, local time"}


def home_tools(request: AgentRequest) -> list[AgentTool]:
    """Return the tools that have something to tell of in this home."""
    found: list[AgentTool] = []
    if "recorder" in request.hass.config.components:
        found.append(HistoryTool())
    if kinds := _kinds_of_forecasts(request):
        found.append(ForecastTool(kinds))
    return found


@dataclass(frozen=True, slots=True)
class HistoryTool:
    """Tells how entities were between two times, as the recorder has it."""

    tool: ClassVar[Tool] = Tool(
        name=HISTORY,
        description=(
            "How devices, sensors or persons of the home were between two times: how long in each"
            " state and when it changed; of numbers lowest, highest, mean and change."
        ),
        parameters=object_schema({"names": _NAMES, "start": _TIME, "end": _TIME}),
    )

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return how what is named was; a name of nothing that may be read is an error."""
        names = arguments.get("names")
        found = _named(request, names if isinstance(names, list) else [names])
        if not found:
            return failed(f"No device has such a name. {_near(request, names)}")
        start, end = (_time(arguments.get(key)) for key in ("start", "end"))
        now = dt_util.now()
        end = min(end or now, now)
        if start is None or start >= end:
            return failed("The start is missing, or not before the end and now.")
        start = max(start, end - _LONGEST)
        told = {
            entity.name: await _async_past(request.hass, entity.entity_id, start, end)
            for entity in found[:_MOST_ENTITIES]
        }
        return ToolOutcome({"from": _told(start), "to": _told(end), **told})


@dataclass(frozen=True, slots=True)
class ForecastTool:
    """Tells the weather of the next days or hours, by the `kinds` of forecasts that there are."""

    kinds: tuple[str, ...]

    @property
    def tool(self) -> Tool:
        """Return the tool with the kinds that there are."""
        return Tool(
            name=FORECAST,
            description="The weather of the next days or hours.",
            parameters=object_schema({"by": {"type": "string", "enum": list(self.kinds)}}),
        )

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return the forecast of the first weather entity that has one of that kind."""
        kind, feature = _FORECASTS.get(str(arguments.get("by")), _FORECASTS["day"])
        known = request.catalog.by_domain.get("weather", ())
        for state in states_of(request.hass, [entity.entity_id for entity in known]):
            is_able = state.attributes.get("supported_features", 0) & feature
            if not (is_able and request.rights.may_read(state.entity_id)):
                continue
            asked = {"type": kind}
            found = await async_ask_entity(request, "weather.get_forecasts", state, asked)
            if entries := listed(found, "forecast")[:_MOST_ENTRIES]:
                unit = state.attributes.get("temperature_unit", "")
                return ToolOutcome({"unit": unit, "forecast": [_entry(each) for each in entries]})
        return failed("There is no such forecast.")


_FORECASTS = {
    "day": ("daily", Feature.FORECAST_DAILY),
    "hour": ("hourly", Feature.FORECAST_HOURLY),
}
_MOST_ENTRIES = 24
_TOLD_OF_WEATHER = (
    "condition",
    "temperature",
    "templow",
    "precipitation",
    "precipitation_probability",
    "wind_speed",
)


def _kinds_of_forecasts(request: AgentRequest) -> tuple[str, ...]:
    """Return by what a weather entity that may be read tells forecasts."""
    known = request.catalog.by_domain.get("weather", ())
    able = 0
    for state in states_of(request.hass, [entity.entity_id for entity in known]):
        if request.rights.may_read(state.entity_id):
            able |= int(state.attributes.get("supported_features", 0))
    return tuple(kind for kind, (_, feature) in _FORECASTS.items() if able & feature)


def _entry(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of one entry of a forecast."""
    at = dt_util.parse_datetime(str(found.get("datetime")))
    told = {key: found[key] for key in _TOLD_OF_WEATHER if found.get(key) is not None}
    return {"at": f"{dt_util.as_local(at):%a %Y-%m-%d %H:%M}" if at else "", **told}


def _near(request: AgentRequest, names: Any) -> str:
    """Return the sentence with the names that unknown ones may mean, else with all, the speaker's room first."""
    known = {
        entity_id: entity
        for entity_id, entity in request.catalog.entities.items()
        if request.rights.may_read(entity_id)
    }
    scores = request.catalog.search.score(str(names))
    likely = sorted(scores.keys() & known.keys(), key=lambda each: (-scores[each], each))
    most = _MOST_NEAR if likely else _MOST_NAMED
    likely = likely or sorted(known, key=lambda each: known[each].area_id != request.area_id)
    told = "; ".join(dict.fromkeys(known[each].name for each in likely[:most]))
    more = f"; and {len(likely) - most} more" if len(likely) > most else ""
    return f"There are: {told}{more}." if told else "There is nothing that may be read."


def _named(request: AgentRequest, names: Sequence[Any]) -> list[CatalogEntity]:
    """Return the readable entities that names call: by a whole name, else by what the words name."""
    found: dict[str, CatalogEntity] = {}
    for name in names:
        text = str(name or "").casefold().strip()
        called = [
            entity
            for entity in request.catalog.entities.values()
            if text in {entity.entity_id, *(each.casefold() for each in entity.names)}
        ]
        # "Front Door" is the lock, and "Front Door Contact" tells when it was open.
        called += [
            entity
            for entity in request.catalog.entities.values()
            if text and entity not in called and entity.name.casefold().startswith(f"{text} ")
        ]
        things = () if called else request.named_in(text).things
        called += [entity for each in things if (entity := request.catalog.entities.get(each))]
        found |= {each.entity_id: each for each in called}
    return [entity for entity in found.values() if request.rights.may_read(entity.entity_id)]


def _time(text: Any) -> datetime | None:
    """Return a time that a model wrote, in the home's time zone; None for no time."""
    found = dt_util.parse_datetime(str(text or ""))
    if found is None:
        day = dt_util.parse_date(str(text or ""))
        found = datetime(day.year, day.month, day.day) if day else None  # noqa: DTZ001
    if found is None:
        return None
    is_local = found.tzinfo is None
    return found.replace(tzinfo=dt_util.get_default_time_zone()) if is_local else found


def _told(at: datetime) -> str:
    """Return a time as a model is told of it."""
    return f"{dt_util.as_local(at):%a %Y-%m-%d %H:%M}"


async def _async_past(
    hass: HomeAssistant, entity_id: str, start: datetime, end: datetime
) -> dict[str, Any]:
    """Return how an entity was between two times; what the recorder has forgotten is told from statistics."""
    # The recorder's own dependencies are only there in a home that has it.
    from homeassistant.components.recorder import get_instance  # noqa: PLC0415

    recorder = get_instance(hass)
    kept = dt_util.utcnow() - timedelta(days=recorder.keep_days)
    state = hass.states.get(entity_id)
    if state and _number(state.state) is not None and start < kept:
        found = await recorder.async_add_executor_job(_statistics, hass, entity_id, start, end)
        if found:
            return found
    states = await recorder.async_add_executor_job(_states, hass, entity_id, start, end)
    if not states:
        return {"known": "nothing of that time"}
    numbers = [(state.last_updated, _number(state.state)) for state in states]
    if any(value is not None for _, value in numbers):
        unit = (state.attributes if state else {}).get("unit_of_measurement", "")
        return _summed_up([each for each in numbers if each[1] is not None], unit, start, end)  # type: ignore[misc]
    return _lasted(states, start, end)


def _states(hass: HomeAssistant, entity_id: str, start: datetime, end: datetime) -> list[State]:
    """Return the states of an entity between two times, the first as it was just before; blocks."""
    from homeassistant.components.recorder.history import state_changes_during_period  # noqa: PLC0415

    # The recorder tells neither of what was at a time nor changes at it, only what was before and changes after it.
    begin, until = dt_util.as_utc(start) - timedelta(microseconds=1), dt_util.as_utc(end)
    found = state_changes_during_period(
        hass, begin, until, entity_id, include_start_time_state=True
    ).get(entity_id, [])
    if found and found[0].last_updated <= begin:
        return list(found)
    # The recorder tells the state at the start only where it ran then.
    before = state_changes_during_period(
        hass, begin - _BEFORE, begin, entity_id, include_start_time_state=False
    ).get(entity_id, [])
    return [*before[-1:], *found]


def _statistics(
    hass: HomeAssistant, entity_id: str, start: datetime, end: datetime
) -> dict[str, Any]:
    """Return the long-term statistics of an entity between two times, {} for none; blocks."""
    from homeassistant.components.recorder.statistics import statistics_during_period  # noqa: PLC0415

    rows = statistics_during_period(
        hass,
        dt_util.as_utc(start),
        dt_util.as_utc(end),
        {entity_id},
        "day" if end - start > timedelta(days=2) else "hour",
        None,
        {"mean", "min", "max", "change"},
    ).get(entity_id, [])
    told = {
        name: pick([row[key] for row in rows if row.get(key) is not None])  # type: ignore[literal-required]
        for name, key, pick in (
            ("lowest", "min", min),
            ("highest", "max", max),
            ("mean", "mean", _mean),
            ("change", "change", sum),
        )
        if any(row.get(key) is not None for row in rows)
    }
    return {name: round(value, 2) for name, value in told.items()}


def _mean(values: Sequence[float]) -> float:
    """Return the mean of some values."""
    return sum(values) / len(values)


def _number(text: str) -> float | None:
    """Return a state as a number, None where it is none."""
    try:
        return float(text)
    except ValueError:
        return None


def _summed_up(
    values: Sequence[tuple[datetime, float]], unit: str, start: datetime, end: datetime
) -> dict[str, Any]:
    """Return what numbers come to between two times: ends, weighted mean and change."""
    # What was before is only told where nothing replaced it at the start.
    values = values[1:] if len(values) > 1 and values[1][0] <= start else values
    low, high = (pick(values, key=lambda each: each[1]) for pick in (min, max))
    spans = [
        (max(at, start), value, until)
        for (at, value), until in zip(values, [*(at for at, _ in values[1:]), end], strict=True)
    ]
    seconds = sum((until - at).total_seconds() for at, _, until in spans)
    area = sum(value * (until - at).total_seconds() for at, value, until in spans)
    return {
        "unit": unit,
        "lowest": low[1],
        "lowest_at": _told(max(low[0], start)),
        "highest": high[1],
        "highest_at": _told(max(high[0], start)),
        "mean": round(area / seconds, 2) if seconds else values[0][1],
        "first": values[0][1],
        "last": values[-1][1],
        "change": round(values[-1][1] - values[0][1], 3),
    }


def _lasted(states: Sequence[State], start: datetime, end: datetime) -> dict[str, Any]:
    """Return how long each state lasted between two times, and the last changes."""
    seen: list[tuple[datetime, str]] = []
    for state in states:
        name = _state_name(state)
        if not seen or seen[-1][1] != name:
            seen.append((max(state.last_updated, start), name))
    lasted: dict[str, timedelta] = {}
    for (at, name), (until, _) in pairwise([*seen, (end, "")]):
        if until > at:
            lasted[name] = lasted.get(name, timedelta()) + (until - at)
    # The first is how it was. A sensor that is lost and comes back as it was has changed nothing.
    known = [(at, name) for at, name in seen if name not in SHOWS_NOTHING]
    changes = [
        {"at": _told(at), "to": name} for (_, was), (at, name) in pairwise(known) if name != was
    ]
    return {
        "lasted": {
            name: _duration(time) for name, time in lasted.items() if name not in SHOWS_NOTHING
        },
        "times_changed": len(changes),
        "last_changes": changes[-_MOST_CHANGES:],
    }


def _state_name(state: State) -> str:
    """Return a state as it is told: of a thermostat whether it heats, of a door whether it is open."""
    if action := state.attributes.get("hvac_action"):
        return f"{action} (mode {state.state})"
    if state.attributes.get("device_class") in _OPENINGS:
        return {"on": "open", "off": "closed"}.get(state.state, state.state)
    return state.state


_OPENINGS = frozenset({"door", "window", "opening", "garage_door"})


def _duration(time: timedelta) -> str:
    """Return a duration in days, hours and minutes."""
    minutes = round(time.total_seconds() / 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"
