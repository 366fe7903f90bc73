"""The calendar of an assistant: what it is to do later, as events that can be deleted."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, override

from homeassistant.components import websocket_api
from homeassistant.components.automation import DOMAIN as AUTOMATION
from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.event import TrackStates, async_track_state_change_filtered
from homeassistant.helpers.sun import get_astral_event_date
from homeassistant.util import dt as dt_util

from . import BellboardConfigEntry
from .agents.base import ReplyContext
from .agents.wording import capitalised, describe_names, describe_planned
from .assistant import Assistant
from .connections.connection import assistants_of
from .entity import assistant_device
from .home.automations import find_automations, is_turned_off
from .memory.delayed import DelayedCommand
from .memory.models import Caller
from .nlu.loader import async_get_language
from .services.action import refusal
from .when import Repeated

# Nothing is asked for: what waits is in memory.
PARALLEL_UPDATES = 0

_LENGTH = timedelta(minutes=1)
"""The length of an event that only begins."""

_AHEAD = timedelta(days=370)
"""So far repeats are looked for; in each year the sun rises and sets."""

_DAY = timedelta(days=1)
_BY_DAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")

type _Span = tuple[datetime, datetime] | tuple[date, date]


async def async_setup_entry(
    hass: HomeAssistant,
    entry: BellboardConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add a calendar for each assistant of a connection."""
    for subentry in assistants_of(entry):
        assistant = entry.runtime_data.assistants[subentry.subentry_id]
        async_add_entities(
            [PlannedCalendar(assistant, subentry)],
            update_before_add=True,
            config_subentry_id=subentry.subentry_id,
        )


class PlannedCalendar(CalendarEntity):
    """An assistant's commands for later. Everybody sees what is done and when, and nobody in which words it was given.

    A command that waits for something to happen is an event until it waits no more, and one for whenever it happens is
    on each day. The state is not about these, of which nobody knows whether they come; its attribute tells them. What
    is repeated is no event while its automation is turned off.
    """

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_supported_features = CalendarEntityFeature.DELETE_EVENT
    _attr_translation_key = "planned"
    _unrecorded_attributes = frozenset({"waiting"})

    def __init__(self, assistant: Assistant, subentry: ConfigSubentry) -> None:
        """Show what waits in an assistant."""
        self._assistant = assistant
        self._delayed = assistant.delayed
        self._summaries: dict[str, str] = {}
        self._descriptions: dict[str, str] = {}
        self._attr_unique_id = f"{subentry.subentry_id}_planned"
        self._attr_device_info = assistant_device(assistant, subentry)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow what is planned, done and cancelled."""
        await super().async_added_to_hass()
        self.async_on_remove(self._delayed.async_listen(self._async_changed))
        automations = TrackStates(all_states=False, entities=set(), domains={AUTOMATION})
        tracker = async_track_state_change_filtered(
            self.hass, automations, self._async_automation_changed
        )
        self.async_on_remove(tracker.async_remove)

    @callback
    def _async_automation_changed(self, event: Event[EventStateChangedData]) -> None:
        """Show that what is repeated is turned off or on."""
        old, new = event.data["old_state"], event.data["new_state"]
        is_same = old is not None and new is not None and old.state == new.state
        repeating = {each.id for each in self._delayed.waiting if each.is_repeated}
        if (
            not is_same
            and event.data["entity_id"] in find_automations(self.hass, repeating).values()
        ):
            self._async_changed()

    @callback
    def _async_changed(self) -> None:
        """Show that other commands wait."""
        self.async_schedule_update_ha_state(force_refresh=True)

    async def async_update(self) -> None:
        """Find out what each command will do and waits for, in the language of Home Assistant."""
        words = ReplyContext(
            hass=self.hass,
            language=await async_get_language(self.hass, self.hass.config.language),
            catalog=await self._assistant.catalog.async_get(),
        )
        say = words.language.say
        self._summaries = {
            command.id: describe_planned(words, command.calls) or say("delayed.something")
            for command in self._delayed.waiting
        }
        self._descriptions = {
            command.id: say("delayed.waits", targets=names)
            for command in self._delayed.waiting
            if command.trigger and (names := describe_names(words, command.trigger.entity_ids))
        }

    @property
    @override
    def event(self) -> CalendarEvent | None:
        """Return the event that is or comes next."""
        now = dt_util.now()
        timed = [each for each in self._known if each.trigger is None]
        found = (next(self._events(each, now), None) for each in timed)
        return min(filter(None, found), key=lambda each: each.start_datetime_local, default=None)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return what waits for something to happen: what it will do, and what is watched for it."""
        return {
            "waiting": [
                {"summary": self._summary(command), "entity_id": list(start.entity_ids)}
                for command in self._known
                if (start := command.trigger)
            ]
        }

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        """Return the events between two times, those of repeats as far as a year; what is over is planned no more."""
        await self.async_update()
        start = max(start_date, dt_util.now())
        found = [e for each in self._known for e in self._events(each, start, end_date)]
        return sorted(found, key=lambda each: each.start_datetime_local)

    @override
    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        """Cancel a command; only who gave it and administrators may.

        Home Assistant does not tell the entity who asks; the connection it is asked through does.

        Raises:
            ServiceValidationError: the command is another's, or waits no more; or one of its repeats is meant.
        """
        command = self._delayed.get(uid)
        if command is None or recurrence_id:
            raise refusal("planned_gone")
        asking = websocket_api.current_connection.get()
        if asking is None or not Caller(asking.user.id, sees_all=asking.user.is_admin).owns(
            command.user_id
        ):
            raise refusal("planned_of_another")
        await self._delayed.async_cancel([uid])

    @property
    def _known(self) -> list[DelayedCommand]:
        """Return the commands that wait and of which it is known what they do."""
        return [each for each in self._delayed.waiting if each.id in self._summaries]

    def _summary(self, command: DelayedCommand) -> str:
        """Return what a command will do, as a title."""
        return capitalised(self._summaries[command.id])

    def _events(
        self, command: DelayedCommand, start: datetime, end: datetime | None = None
    ) -> Iterator[CalendarEvent]:
        """Yield the events of a command between two times, the first one first."""
        if command.is_repeated and is_turned_off(self.hass, command.id):
            return
        rule = _rule(command) if command.is_repeated else None
        for begins, ends in self._spans(command, start):
            event = CalendarEvent(
                begins,
                ends,
                self._summary(command),
                description=self._descriptions.get(command.id),
                uid=command.id,
                rrule=rule,
            )
            if end and event.start_datetime_local >= end:
                break
            if event.end_datetime_local > start:
                yield event

    def _spans(self, command: DelayedCommand, start: datetime) -> Iterator[_Span]:
        """Yield when a command is carried out or waits, from the day before a time on.

        What may be done often on a day, or at any time of it, is there once on the whole of it.
        """
        planned = command.planned
        lasts = timedelta(seconds=planned.lasts) if planned.lasts else _LENGTH
        if not command.is_repeated:
            yield self._span(command, lasts)
            return
        first = dt_util.as_local(start).date() - _DAY
        for day in (first + _DAY * number for number in range(_AHEAD.days)):
            repeated = planned.start if isinstance(planned.start, Repeated) else Repeated(every=60)
            if repeated.every and _is_on(repeated, day):
                yield day, day + _DAY
            elif begins := self._time_on(repeated, day):
                yield begins, begins + lasts

    def _span(self, command: DelayedCommand, lasts: timedelta) -> _Span:
        """Return when a command is carried out that is for one time, or from when to when it waits."""
        at = dt_util.as_local(command.at)
        if command.trigger:
            return at - timedelta(seconds=command.delay), at
        until = command.planned.end_moment
        ends = dt_util.as_local(until.at) if until else at
        return at, ends if ends > at else at + lasts

    def _time_on(self, repeated: Repeated, day: date) -> datetime | None:
        """Return the local time of what is once a day on a day, None where it is not on that."""
        found: datetime | None = None
        if repeated.clock is not None:
            found = datetime.combine(day, repeated.clock, dt_util.get_default_time_zone())
        elif repeated.sun and (at := get_astral_event_date(self.hass, repeated.sun.event, day)):
            found = dt_util.as_local(at + timedelta(seconds=repeated.sun.offset))
        return found if found and _is_on(repeated, found.date()) else None


def _is_on(repeated: Repeated, day: date) -> bool:
    """Return whether something is repeated on a day of the week."""
    return not repeated.weekdays or day.weekday() in repeated.weekdays


def _rule(command: DelayedCommand) -> str:
    """Return the days of a repeating command as a rule of iCalendar."""
    start = command.planned.start
    weekdays = start.weekdays if isinstance(start, Repeated) else ()
    if not weekdays:
        return "FREQ=DAILY"
    days = ",".join(_BY_DAY[day] for day in sorted(set(weekdays)))
    return f"FREQ=WEEKLY;BYDAY={days}"
