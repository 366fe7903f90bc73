"""Tools that tell of the home what its present states do not: the past, the weather to come, calendars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from homeassistant.components.weather import WeatherEntityFeature as Feature
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ..domains.calendar import is_writable
from ..llm.models import Tool, object_schema
from .base import AgentRequest, states_of
from .days_ahead import async_ask_entity, listed, readable_states
from .history_tool import TIME, HistoryTool
from .recorded import as_time, tell_time
from .tools import CALENDAR, FORECAST, AgentTool, ToolOutcome, failed

_DAY, _WEEK, _LONGEST = timedelta(days=1), timedelta(days=7), timedelta(days=366)
_MOST_EVENTS, _MOST_WORDS = 60, 200


def home_tools(request: AgentRequest) -> list[AgentTool]:
    """Return the tools that have something to tell of in this home."""
    found: list[AgentTool] = []
    if "recorder" in request.hass.config.components:
        found.append(HistoryTool())
    if kinds := _kinds_of_forecasts(request):
        found.append(ForecastTool(kinds))
    if calendars := readable_states(request, "calendar"):
        found.append(CalendarTool(tuple(calendars)))
    return found


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
                told = [_entry(each) for each in entries]
                return ToolOutcome({**_units(state, told), "forecast": told})
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


# Home Assistant's names of units, and of the values that have them.
_UNITS = {"wind_speed_unit": "wind_speed", "precipitation_unit": "precipitation"}


def _units(state: State, entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the units of the values in a forecast, those of temperatures first."""
    told = {"unit": str(state.attributes.get("temperature_unit", ""))}
    for name, key in _UNITS.items():
        if any(key in each for each in entries) and (unit := state.attributes.get(name)):
            told[name] = str(unit)
    return told


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
    return {"at": tell_time(at) if at else "", **told}


@dataclass(frozen=True, slots=True)
class CalendarTool:
    """Tells what is in the exposed `calendars` that whoever speaks may read, in any range of time."""

    calendars: tuple[State, ...]

    @property
    def tool(self) -> Tool:
        """Return the tool with the names of the calendars, and which of them can be written."""
        names = dict.fromkeys(state.name for state in self.calendars)
        writable = ", ".join(each.name for each in self.calendars if is_writable(each))
        told = f"Entries can be added to: {writable}." if writable else "None can be written."
        chosen = {
            "type": "array",
            "items": {"type": "string", "enum": [*names]},
            "description": "none for all",
        }
        return Tool(
            name=CALENDAR,
            description=f"What is in calendars between two times, up to a year. {told}",
            parameters=object_schema({"calendars": chosen, "start": TIME, "end": TIME}),
        )

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return the events of the calendars; a day that ends a range is in it as a whole."""
        start = as_time(arguments.get("start")) or dt_util.now()
        end = as_time(arguments.get("end")) or dt_util.start_of_local_day(start) + _WEEK
        if arguments.get("end") and dt_util.parse_date(str(arguments["end"])):
            end += _DAY
        end = min(end, start + _LONGEST)
        if start >= end:
            return failed("The end is not after the start.")
        wanted = arguments.get("calendars")
        asked = [each for each in self.calendars if each.name in wanted] if wanted else []
        told: dict[str, Any] = {"from": _with_offset(start), "to": _with_offset(end)}
        times = {"start_date_time": start.isoformat(), "end_date_time": end.isoformat()}
        for calendar in asked or self.calendars:
            found = await async_ask_entity(request, "calendar.get_events", calendar, times)
            if found is None:
                told[calendar.name] = "It could not be read."
                continue
            events = sorted(listed(found, "events"), key=lambda each: str(each.get("start")))
            told[calendar.name] = [_event(each) for each in events[:_MOST_EVENTS]]
            if len(events) > _MOST_EVENTS:
                told[calendar.name].append(f"and {len(events) - _MOST_EVENTS} more")
        return ToolOutcome(told)


def _event(found: Mapping[str, Any]) -> dict[str, str]:
    """Return what is told of an event; of one of whole days the first and the last of them."""
    told = {"summary": str(found.get("summary") or "")[:_MOST_WORDS]}
    ends = [str(found.get(key) or "") for key in ("start", "end")]
    if first := dt_util.parse_date(ends[0]):
        # The end is the day after.
        last = max((dt_util.parse_date(ends[1]) or first + _DAY) - _DAY, first)
        told |= (
            {"all_day": _day(first)}
            if last == first
            else {
                "all_days_from": _day(first),
                "to": _day(last),
            }
        )
    else:
        told |= {
            key: _with_offset(at)
            for key, end in zip(("start", "end"), ends, strict=True)
            if (at := as_time(end))
        }
    return told | {
        key: " ".join(str(words).split())[:_MOST_WORDS]
        for key in ("location", "description")
        if (words := found.get(key))
    }


def _day(day: date) -> str:
    """Return a day as a model is told of it."""
    return f"{day:%a %Y-%m-%d}"


def _with_offset(at: datetime) -> str:
    """Return a time as a model is told of it, local to the home and with its offset."""
    return f"{tell_time(at)}{dt_util.as_local(at):%:z}"
