"""Words for when something is done: "tomorrow at 07:00", "every Monday", "for ten minutes", "until sunset".

Times are told by the clock of the house, with 24 hours, so that each is read back as the same one.
"""

from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Protocol

from ..when import DARK, Once, Repeated, Schedule, SunTime, Trigger, Window

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SETS = {(): "daily", tuple(range(7)): "daily", (0, 1, 2, 3, 4): "workdays", (5, 6): "weekends"}
_WEEK, _HOUR, _MINUTE = 7, 3600, 60


class Speech(Protocol):
    """Replies of a language, and its durations and lists."""

    def say(self, key: str, **values: object) -> str:
        """Return a reply with its placeholders filled in."""

    def duration(self, seconds: float) -> str:
        """Return a duration in words."""

    def join(self, parts: Iterable[str], word: str = "and") -> str:
        """Return parts as a list in words."""


def tell_schedule(language: Speech, schedule: Schedule, now: datetime) -> str:
    """Return when something is done, and until when: "at sunset for 2 hours"; `now` is local to the house.

    It is "" for what is done now and stays.
    """
    start, until = schedule.start, schedule.end_moment
    if isinstance(start, Once) and until and not (start.sun or start.seconds or until.sun):
        begins, ends = start.at.astimezone(now.tzinfo), until.at.astimezone(now.tzinfo)
        if begins.date() == ends.date() and not schedule.only_if:
            times = language.say(
                "when.from", time=_clock(language, begins.time()), end=_clock(language, ends.time())
            )
            return _dated(language, begins, now, times)
    parts = [_tell_start(language, start, now) if start else ""]
    if until:
        parts.append(_tell_until(language, until, now))
    if isinstance(schedule.until, Trigger):
        parts.append(language.say("when.until_event", text=schedule.until.text))
    if schedule.lasts:
        parts.append(language.say("when.lasts", time=language.duration(schedule.lasts)))
    if isinstance(start, Trigger):
        # "When it is open for 10 minutes" is something else.
        parts.reverse()
    return " ".join(filter(None, (*parts, schedule.only_if)))


def tell_event(language: Speech, begin: date, end: date, today: date) -> str:
    """Return when something in a calendar is, with the whole date: from one time to another, or on whole days.

    Of an hour, which is the length of what has none, only the beginning is told.
    """
    days = [_tell_date(language, each, today) for each in (begin, end)]
    first = days[0] if days[0] == days[1] else " – ".join(days)
    if not (isinstance(begin, datetime) and isinstance(end, datetime)):
        return first
    if (end - begin).total_seconds() == _HOUR:
        return language.say("when.on", day=days[0], at=_tell_clock(language, begin.time()))
    times = [_clock(language, each.time()) for each in (begin, end)]
    return language.say(
        "when.on", day=first, at=language.say("when.from", time=times[0], end=times[1])
    )


def _tell_date(language: Speech, day: date, today: date) -> str:
    """Return a day with its weekday, and its year where that is not this one."""
    told = language.say(
        "when.full",
        weekday=language.say(f"when.weekday.{_DAYS[day.weekday()]}"),
        day=language.say("when.first") if day.day == 1 else str(day.day),
        month=language.say(f"when.month.{_MONTHS[day.month - 1]}"),
    )
    return told if day.year == today.year else f"{told} {day.year}"


def _tell_start(language: Speech, start: Once | Repeated | Trigger, now: datetime) -> str:
    """Return when something begins."""
    if isinstance(start, Trigger):
        return _tell_trigger(language, start)
    if isinstance(start, Repeated):
        return _tell_repeated(language, start)
    if start.seconds:
        return language.say("when.seconds", time=language.duration(start.seconds))
    moment = start.at.astimezone(now.tzinfo)
    told = _tell_sun(language, start.sun) if start.sun else _tell_clock(language, moment.time())
    return _dated(language, moment, now, told)


def _tell_trigger(language: Speech, start: Trigger) -> str:
    """Return what is waited for, and how long it has to be so where that is minutes."""
    told = language.say("when.each_time" if start.repeats else "when.happens", text=start.text)
    if start.window:
        told = f"{told} {_tell_window(language, start.window)}"
    if start.hold < _MINUTE:
        return told
    return f"{told} {language.say('when.lasts', time=language.duration(start.hold))}"


def _tell_window(language: Speech, window: Window) -> str:
    """Return from when until when it is waited for something."""
    begin, end = window.begin, window.end
    if isinstance(begin, time) and isinstance(end, time):
        return language.say("when.from", time=_clock(language, begin), end=_clock(language, end))
    if window == DARK:
        return language.say("when.dark")
    first = (
        _tell_sun(language, begin) if isinstance(begin, SunTime) else _tell_clock(language, begin)
    )
    return f"{first} {_tell_end(language, end)}"


def _tell_end(language: Speech, end: time | SunTime) -> str:
    """Return until which time of a day something is."""
    if isinstance(end, time):
        return language.say("when.until", time=_clock(language, end))
    return language.say(f"when.until_{end.event}")


def _tell_repeated(language: Speech, start: Repeated) -> str:
    """Return on which days and when something is done again and again."""
    if start.every:
        return _tell_interval(language, start.every)
    if key := _SETS.get(start.weekdays):
        days = language.say(f"when.{key}")
    else:
        named = [language.say(f"when.each.{_DAYS[day]}") for day in start.weekdays]
        days = language.say("when.days", days=language.join(named))
    told = _tell_sun(language, start.sun) if start.sun else ""
    if start.clock and not told:
        told = _tell_clock(language, start.clock)
    return language.say("when.on", day=days, at=told).strip()


def _tell_interval(language: Speech, seconds: float) -> str:
    """Return after how long something is done again, in minutes or in whole hours."""
    if seconds in {_HOUR, _MINUTE}:
        return language.say("when.hourly" if seconds == _HOUR else "when.minutely")
    hours, left = divmod(round(seconds), _HOUR)
    if not (hours and left):
        return language.say("when.every", time=language.duration(seconds))
    return language.say("when.minutes", count=round(seconds / _MINUTE))


def _tell_until(language: Speech, until: Once, now: datetime) -> str:
    """Return until when something is as it is made."""
    moment = until.at.astimezone(now.tzinfo)
    day = _tell_day(language, moment.date(), now.date())
    if until.sun and not until.sun.offset:
        told = language.say(f"when.until_{until.sun.event}")
    else:
        told = language.say("when.until", time=_clock(language, moment.time()))
    return f"{told} {day}".strip()


def _dated(language: Speech, moment: datetime, now: datetime, told: str) -> str:
    """Return a time with its day before it, which is not told where it is today."""
    day = _tell_day(language, moment.date(), now.date())
    return language.say("when.on", day=day, at=told) if day else told


def _tell_day(language: Speech, day: date, today: date) -> str:
    """Return a day as it is told from another, "" for the same."""
    ahead = (day - today).days
    if ahead == 0:
        return ""
    if ahead == 1:
        return language.say("when.tomorrow")
    if 0 < ahead < _WEEK:
        return language.say(f"when.weekday.{_DAYS[day.weekday()]}")
    number = language.say("when.first") if day.day == 1 else str(day.day)
    month = language.say(f"when.month.{_MONTHS[day.month - 1]}")
    return language.say("when.date", day=number, month=month)


def _tell_sun(language: Speech, sun: SunTime) -> str:
    """Return a time by the sun."""
    if not sun.offset:
        return language.say(f"when.{sun.event}")
    side = "before" if sun.offset < 0 else "after"
    return language.say(f"when.{side}_{sun.event}", time=language.duration(abs(sun.offset)))


def _tell_clock(language: Speech, moment: time) -> str:
    """Return a time by the clock."""
    return language.say("when.at", time=_clock(language, moment))


def _clock(language: Speech, moment: time) -> str:
    """Return a time of a day in digits."""
    return language.say("when.clock", hour=f"{moment.hour:02}", minute=f"{moment.minute:02}")
