"""Table of calendars: what is put in them, and when."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from homeassistant.components.calendar import DOMAIN, CalendarEntityFeature as Feature
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from .actions import Action, ActionInput, NotSupportedError, Parameter, ParameterKind, require_any
from .models import ErrorCode, StateLike, ToolCall
from .services import Field, ReplyTranslation, Service, ValueFormatter, has, text
from .table import Domain

_CREATES = has(Feature.CREATE_EVENT)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_SERVICE, _SUMMARY = "create_event", "summary"
_BEGIN_AT, _END_AT = "start_date_time", "end_date_time"
_BEGIN_ON, _END_ON = "start_date", "end_date"

type Moment = datetime | date
"""When an entry begins or ends: at a time, local to the home, or with a whole day."""


def is_writable(state: StateLike) -> bool:
    """Return whether entries can be added to a calendar."""
    return bool(int(state.attributes.get("supported_features") or 0) & Feature.CREATE_EVENT)


def event_span(data: Mapping[str, Any]) -> tuple[Moment, Moment]:
    """Return when the entry of a call begins and ends; of one of whole days the last of them."""
    if _BEGIN_ON in data:
        return date.fromisoformat(data[_BEGIN_ON]), date.fromisoformat(data[_END_ON]) - _DAY
    return datetime.fromisoformat(data[_BEGIN_AT]), datetime.fromisoformat(data[_END_AT])


def _of_iso(read: type[datetime | date], description: str) -> Field:
    """Return a field for a moment as ISO 8601 has it."""

    def check(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
        try:
            read.fromisoformat(value)
        except TypeError, ValueError:
            return ErrorCode.INVALID
        return None

    return Field(check, description)


def _is_one_span(data: Mapping[str, Any]) -> bool:
    """Return whether a call says once when its entry is, and that it ends after it begins."""
    if (_BEGIN_AT in data, _END_AT in data) == (_BEGIN_ON in data, _END_ON in data):
        return False
    if (_BEGIN_AT in data) != (_END_AT in data) or (_BEGIN_ON in data) != (_END_ON in data):
        return False
    begin, end = event_span(data)
    return end >= begin if _BEGIN_ON in data else end > begin


def _plan_event(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that adds an entry to each calendar that can.

    Raises:
        NotSupportedError: none can, or nobody knows when the entry is.
    """
    calendars = require_any([state for state in states if _CREATES(state)], states)
    values = wanted.parameters
    if (span := _span(values.get("start"), values.get("end"))) is None:
        raise NotSupportedError(states)
    told = {key: values[key] for key in ("location", "description") if values.get(key)}
    return [
        ToolCall(
            action=f"{DOMAIN}.{_SERVICE}",
            targets=(state.entity_id,),
            data={_SUMMARY: values[_SUMMARY], **span, **told},
        )
        for state in calendars
    ]


def _span(start: Any, end: Any) -> dict[str, str] | None:
    """Return the data for when an entry is, an hour or a day where no end is given; None for no such time."""
    begin = _moment(start)
    until = _moment(end, begin)
    if begin is None or (end and until is None):
        return None
    if isinstance(begin, datetime):
        until = until or begin + _HOUR
        if not isinstance(until, datetime):
            return None
        return {_BEGIN_AT: begin.isoformat(" "), _END_AT: until.isoformat(" ")}
    last = until.date() if isinstance(until, datetime) else until or begin
    return {_BEGIN_ON: begin.isoformat(), _END_ON: (last + _DAY).isoformat()}


def _moment(value: Any, begin: Moment | None = None) -> Moment | None:
    """Return a moment that a model wrote; one with only a time is on the day of the beginning."""
    written = str(value or "").strip()
    try:
        if len(written) <= len("2026-12-31"):
            if ":" not in written:
                return date.fromisoformat(written)
            if begin is None:
                return None
            day = begin.date() if isinstance(begin, datetime) else begin
            return datetime.combine(day, time.fromisoformat(written))
        found = datetime.fromisoformat(written)
    except ValueError:
        return None
    return dt_util.as_local(found).replace(tzinfo=None) if found.tzinfo else found


def _reply(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return what words the reply: what is in the calendar, and when."""
    begin, end = event_span(call.data)
    return _SERVICE, {"value": str(call.data[_SUMMARY]), "when": words.event(begin, end)}


def _spoken(name: str, hint: str, *, is_optional: bool = False) -> Parameter:
    """Return a parameter that is told in text; an optional one only to a capable model."""
    return Parameter(name, kind=ParameterKind.TEXT, hint=hint, for_capable=is_optional)


CALENDAR = Domain(
    name=DOMAIN,
    refusal_unseen="undo.calendar",
    not_undone="Home Assistant has no action that takes an entry out of a calendar, which is said",
    services=(
        Service(
            _SERVICE,
            _CREATES,
            fields={
                _SUMMARY: text,
                **dict.fromkeys((_BEGIN_AT, _END_AT), _of_iso(datetime, "date and time")),
                **dict.fromkeys((_BEGIN_ON, _END_ON), _of_iso(date, "date")),
                "location": text,
                "description": text,
            },
            required=frozenset({_SUMMARY}),
            rule=_is_one_span,
            unseen="a calendar shows only its next entry",
            reply=_reply,
        ),
    ),
    actions=(
        Action(
            "add_event",
            _SERVICE,
            for_capable=True,
            capability=_CREATES,
            is_repeatable=True,
            plan_calls=_plan_event,
            parameters=(
                Parameter(_SUMMARY, kind=ParameterKind.TEXT, field=_SUMMARY, hint="short"),
                _spoken("start", "2026-12-31T15:00, or 2026-12-31 all day"),
                _spoken("end", "if said", is_optional=True),
                _spoken("location", "if said", is_optional=True),
                _spoken("description", "if said", is_optional=True),
            ),
        ),
    ),
)
"""Table of calendars."""
