"""What is told of when something is done is read back as the same, in any language, zone and season."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import assume, given, settings, strategies as st
import pytest

from custom_components.bellboard.nlu.loader import _load, available_languages
from custom_components.bellboard.nlu.moment_times import HomeClock
from custom_components.bellboard.nlu.moments import read_schedule
from custom_components.bellboard.when import Once, Repeated, Schedule, SunEvent, SunTime

ZONES = tuple(
    map(ZoneInfo, ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"))
)
_SUN = {SunEvent.SUNRISE: time(7, 40), SunEvent.SUNSET: time(16, 5)}
_CHANGES = tuple(
    datetime.fromisoformat(f"{each}:00+00:00")
    for each in (
        "2026-03-29T01:00",
        "2026-10-25T01:00",
        "2026-03-08T07:00",
        "2026-11-01T06:00",
        "2026-10-03T15:30",
        "2026-04-04T15:00",
    )
)
"""When the clocks of the zones change."""

_MINUTES = st.integers(0, 24 * 60 - 1)
_DURATIONS = st.one_of(
    st.integers(1, 59), st.integers(1, 600).map(lambda n: n * 60), st.just(5400)
).map(float)
_NOWS = st.one_of(
    st.integers(0, 600 * 24 * 60).map(
        lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    ),
    st.builds(
        lambda change, minutes: change + timedelta(minutes=minutes),
        st.sampled_from(_CHANGES),
        st.integers(-30 * 60, 5 * 60),
    ),
)


@st.composite
def clocks(draw: st.DrawFn) -> HomeClock:
    """Return the clock of a house at any time, often just before its clock changes."""
    now = draw(_NOWS).astimezone(draw(st.sampled_from(ZONES)))
    return HomeClock(now, lambda event, day: datetime.combine(day, _SUN[event], now.tzinfo))


@st.composite
def moments(draw: st.DrawFn, clock: HomeClock, *, days: int = 300) -> Once:
    """Return a moment to come, by the clock or by the sun."""
    ahead = draw(st.one_of(st.integers(0, min(days, 3)), st.integers(0, days)))
    date = clock.now.date() + timedelta(days=ahead)
    minutes, sun = draw(_MINUTES), None
    at = clock.at(date, minutes)
    # At half past midnight "12:40" is in ten minutes.
    assume(clock.now.hour or ahead or minutes // 60 != 12)
    if draw(st.booleans()):
        sun = SunTime(
            event=draw(st.sampled_from(SunEvent)),
            offset=draw(st.integers(-36, 36).map(lambda n: n * 300.0)),
        )
        found = clock.sun(sun.event, date)
        assert found
        at = found.astimezone(UTC) + timedelta(seconds=sun.offset)
    assume(at.astimezone(UTC) > clock.now.astimezone(UTC))
    return Once(at=at.astimezone(clock.now.tzinfo), sun=sun)


@st.composite
def repetitions(draw: st.DrawFn) -> Schedule:
    """Return something that is done again and again."""
    if draw(st.booleans()):
        size = draw(st.sampled_from((60, 3600)))
        count = draw(st.integers(1, 59 if size == 60 else 24))
        return Schedule(start=Repeated(every=float(size * count)))
    days = tuple(sorted(draw(st.sets(st.integers(0, 6), max_size=6))))
    lasts = draw(st.one_of(st.none(), _DURATIONS))
    if draw(st.booleans()):
        minutes = draw(_MINUTES)
        return Schedule(
            start=Repeated(clock=time(*divmod(minutes, 60)), weekdays=days), lasts=lasts
        )
    sun = SunTime(event=draw(st.sampled_from(SunEvent)))
    return Schedule(start=Repeated(sun=sun, weekdays=days), lasts=lasts)


@st.composite
def schedules(draw: st.DrawFn, clock: HomeClock) -> Schedule:
    """Return any schedule that can be told of."""
    kind = draw(st.sampled_from(("once", "seconds", "lasts", "until", "both", "repeated")))
    if kind == "repeated":
        return draw(repetitions())
    if kind == "until":
        return Schedule(until=draw(moments(clock)))
    lasts = draw(st.one_of(st.none(), _DURATIONS))
    if kind == "lasts":
        return Schedule(lasts=lasts or 600.0)
    if kind == "seconds":
        seconds = draw(_DURATIONS)
        at = clock.now.astimezone(UTC) + timedelta(seconds=seconds)
        start = Once(at=at.astimezone(clock.now.tzinfo), seconds=seconds)
        return Schedule(start=start, lasts=lasts)
    first = draw(moments(clock))
    if kind == "once":
        return Schedule(start=first, lasts=lasts)
    last = draw(moments(clock, days=3))
    assume(first.at.timestamp() < last.at.timestamp())
    return Schedule(start=first, until=last)


def known(schedule: Schedule) -> tuple[object, ...]:
    """Return what has to be the same of a schedule that is told and of the one that is read."""
    start, until = schedule.start, schedule.end_moment
    begin: object = start
    if isinstance(start, Once):
        begin = (start.at.astimezone(UTC), start.sun, start.seconds)
    return (begin, until and until.at.astimezone(UTC), schedule.lasts)


@pytest.mark.parametrize("code", available_languages())
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_told_is_read_back_as_the_same(code: str, data: st.DataObject) -> None:
    clock = data.draw(clocks())
    schedule = data.draw(schedules(clock))
    language = _load(code)
    told = language.schedule(schedule, clock.now)
    for text in (told, f"{told} xyz", f"xyz {told}"):
        found = read_schedule(text, language.lexicon, clock)
        assert found, text
        assert known(found.schedule) == known(schedule), text
        assert not found.is_past
        assert found.command in {"", "xyz"}
