"""Answers about a day to come, from forecasts and calendars."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.weather import WeatherEntityFeature as Feature
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..domains.models import Command
from ..nlu.ahead import CALENDAR
from ..nlu.modes import mode_name
from .base import AgentRequest, AgentResult, states_of
from .wording import format_temperature

_DAY = timedelta(days=1)


async def async_tell_ahead(request: AgentRequest, asked: Command) -> AgentResult:
    """Tell the weather of a day or what is in the calendar then, or that it is not known."""
    begin = dt_util.start_of_local_day() + asked.parameters["day"] * _DAY
    if asked.parameters["about"] == CALENDAR:
        told = await _async_events(request, begin)
        unknown = "ahead.no_calendar"
    else:
        told = await _async_weather(request, begin)
        unknown = "ahead.no_forecast"
    if told is None:
        return AgentResult(success=False, content=request.language.say(unknown))
    return AgentResult(success=True, content=told)


async def _async_weather(request: AgentRequest, begin: datetime) -> str | None:
    """Return the weather of a day, as the first forecast that has it tells; None where none does."""
    for state in readable_states(request, "weather"):
        if not state.attributes.get("supported_features", 0) & Feature.FORECAST_DAILY:
            continue
        found = await async_ask_entity(request, "weather.get_forecasts", state, {"type": "daily"})
        for day in listed(found, "forecast"):
            at = dt_util.parse_datetime(str(day.get("datetime")))
            if at and dt_util.as_local(at).date() == begin.date():
                return _in_words(request, day)
    return None


def _in_words(request: AgentRequest, day: Mapping[str, Any]) -> str | None:
    """Return the weather of a day in words, None where nothing of it is told."""
    told = []
    if condition := day.get("condition"):
        told.append(mode_name(request.hass, request.language.code, "weather", str(condition)))
    ends = [day.get("templow"), day.get("temperature")]
    degrees = [format_temperature(request, end) for end in ends if isinstance(end, int | float)]
    if len(degrees) > 1:
        told.append(request.language.say("ahead.between", low=degrees[0], high=degrees[1]))
    else:
        told += degrees
    return request.language.sentence([", ".join(told)]) if told else None


async def _async_events(request: AgentRequest, begin: datetime) -> str | None:
    """Return what is in the calendars on a day; None without any, and where one of them cannot be asked."""
    if not (calendars := readable_states(request, "calendar")):
        return None
    times = {"start_date_time": begin.isoformat(), "end_date_time": (begin + _DAY).isoformat()}
    events = []
    for calendar in calendars:
        found = await async_ask_entity(request, "calendar.get_events", calendar, times)
        if found is None:
            return None
        events += [
            (str(each.get("start")), str(each.get("summary"))) for each in listed(found, "events")
        ]
    if not events:
        return request.language.say("ahead.no_events")
    return request.language.sentence(_with_time(*each) for each in sorted(events))


def _with_time(start: str, summary: str) -> str:
    """Return an event with when it begins, unless it takes the day."""
    at = dt_util.parse_datetime(start)
    return f"{summary} ({dt_util.as_local(at):%H:%M})" if at and "T" in start else summary


def readable_states(request: AgentRequest, domain: str) -> Sequence[State]:
    """Return the states of the exposed entities of a domain that the user may read."""
    known = request.catalog.by_domain.get(domain, ())
    states = states_of(request.hass, [entity.entity_id for entity in known])
    return [state for state in states if request.rights.may_read(state.entity_id)]


async def async_ask_entity(
    request: AgentRequest, action: str, state: State, data: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return what an entity tells when it is asked by an action, None where that fails."""
    try:
        found = await request.runner.executor.async_request(
            action, {**data, "entity_id": state.entity_id}, request.user_input.context
        )
    except HomeAssistantError:
        return None
    told = (found or {}).get(state.entity_id)
    return told if isinstance(told, Mapping) else None


def listed(found: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """Return what is listed in a response; whatever is no list of things is left out."""
    listed = found.get(key) if found else None
    return (
        [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    )
