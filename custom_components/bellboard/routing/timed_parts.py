"""What the times of a part come to: its schedule, or that it is too late, so already, or may be for more than it."""

from collections.abc import Sequence

from ..nlu.moments import TimedSentence
from ..nlu.triggers import ReadTrigger
from ..when import Once, Repeated, Schedule, Trigger
from .parts import split_requests
from .router import RoutedPart, RoutingRequest, declined, reply_directly


def schedule_of(timed: TimedSentence | None, awaited: ReadTrigger | None) -> Schedule:
    """Return when something is for that says a time, or waits for something, or both."""
    schedule = timed.schedule if timed else Schedule()
    if awaited is None or awaited.is_for_now:
        return schedule
    return schedule.model_copy(update={"start": awaited.trigger})


def with_event(schedule: Schedule, end: Trigger) -> Schedule | None:
    """Return a schedule that ends once something happens; None for one that ends otherwise, or repeats."""
    start = schedule.start
    repeats = isinstance(start, Repeated) or (isinstance(start, Trigger) and start.repeats)
    return None if repeats or schedule.ends else schedule.model_copy(update={"until": end})


def refused_part(
    request: RoutingRequest,
    part: RoutedPart,
    timed: TimedSentence | None,
    awaited: ReadTrigger | None,
) -> Sequence[RoutedPart]:
    """Return a part for which it is too late, or that waits for two things; [] for any other."""
    text = part.text
    if timed and timed.is_past:
        return [RoutedPart(text, declined(text, "decline.past", "Its time is over."))]
    return [part] if awaited and timed and timed.schedule.start else []


def needless_part(
    request: RoutingRequest, text: str, awaited: ReadTrigger | None
) -> Sequence[RoutedPart]:
    """Return the reply to what waits for what is so already; [] for any other."""
    if awaited is None or not awaited.so_already or awaited.is_for_now:
        return []
    words = request.language.say("delayed.already")
    return [RoutedPart(text, reply_directly(text, words, "It is so already."))]


def may_be_for_all(request: RoutingRequest, part: RoutedPart, timed: TimedSentence) -> bool:
    """Return whether a part is several requests, and says a time for one of them or for all."""
    is_later = timed.is_exact and timed.schedule.start is not None
    return (
        is_later and not request.is_capable and len(split_requests(part.text, request.language)) > 1
    )


def is_by_sun(schedule: Schedule) -> bool:
    """Return whether something is for once, by the sun."""
    return isinstance(schedule.start, Once) and schedule.start.sun is not None
