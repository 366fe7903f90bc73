"""What the slots of a command for later say, as a router, Home Assistant's timers or a stored question gave them."""

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

from homeassistant.util import dt as dt_util
from pydantic import ValidationError

from ..domains.models import Command
from ..memory.delayed import Alert
from ..nlu.recognition import (
    ALERT_SLOT,
    ALSO_SLOT,
    COMMAND_SLOT,
    MESSAGE_SLOT,
    REPLACED_SLOT,
    SCHEDULE_SLOT,
    SPOKEN_SLOT,
    TOLD_ON_SLOT,
    UNREAD_SLOT,
    is_delayed,
)
from ..plans.models import AskUser
from ..when import LONGEST, Once, Schedule

_SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}


@dataclass(frozen=True, slots=True)
class Planned:
    """A command and when it is to be done; a `message` is to be said then, or its answer is (`spoken`).

    `replaced` is the id of the one that it is planned instead of. One that `is_unread` was not understood: it is told
    why not, and never planned. `told_on` are the satellites that were named for it.
    """

    text: str
    schedule: Schedule
    message: str = ""
    spoken: bool = False
    alert: Alert | None = None
    replaced: str = ""
    is_unread: bool = False
    told_on: tuple[str, ...] = ()

    @classmethod
    def of(cls, slots: Mapping[str, Any]) -> Planned:
        """Return what stands in the slots of an intent, or in those that a question stored.

        They are ours, or those of Home Assistant's timers, and are not trusted. What makes no sense has no start.
        """
        text, message = slots.get(COMMAND_SLOT), slots.get(MESSAGE_SLOT)
        alert = slots.get(ALERT_SLOT)
        try:
            schedule = Schedule.model_validate(slots.get(SCHEDULE_SLOT) or _in_seconds(slots))
        except ValidationError:
            schedule = Schedule()
        return cls(
            text.strip() if isinstance(text, str) else "",
            schedule,
            message.strip() if isinstance(message, str) else "",
            slots.get(SPOKEN_SLOT) is True,
            Alert(alert) if alert in list(Alert) else None,
            str(slots.get(REPLACED_SLOT) or ""),
            slots.get(UNREAD_SLOT) is True,
            tuple(map(str, slots.get(TOLD_ON_SLOT) or ())),
        )

    @property
    def slots(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            COMMAND_SLOT: self.text,
            SCHEDULE_SLOT: self.schedule.as_json(),
            MESSAGE_SLOT: self.message,
            SPOKEN_SLOT: self.spoken,
            ALERT_SLOT: self.alert,
            REPLACED_SLOT: self.replaced,
            TOLD_ON_SLOT: [*self.told_on],
        }

    @property
    def is_possible(self) -> bool:
        """Return whether there is something to be done, at a time that makes sense."""
        start = self.schedule.start
        if isinstance(start, Once) and not 0 < seconds_until(start) <= LONGEST:
            return False
        return bool(self.text) and start is not None


def asked_schedule(question: AskUser) -> Schedule | None:
    """Return when the only command is for that a question asks about; None for several, which have times of their own.

    It may have been stored, and is not trusted: None for what makes no sense, too.
    """
    if question.data.get(ALSO_SLOT):
        return None
    try:
        return Schedule.model_validate(question.data.get(SCHEDULE_SLOT))
    except ValidationError:
        return None


def is_planned(found: Command) -> bool:
    """Return whether an intent is a command for later that says when."""
    return is_delayed(found) and Planned.of(found.parameters).is_possible


def _in_seconds(slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schedule of what is to be done in so many hours, minutes and seconds."""
    seconds = sum(_number(slots.get(name)) * size for name, size in _SECONDS.items())
    if not 0 < seconds <= LONGEST:
        return {}
    return Schedule(start=Once.after(seconds, dt_util.utcnow())).as_json()


def seconds_until(start: Once) -> float:
    """Return in how many seconds a moment is; what was said as a duration is as long as it was said."""
    return start.seconds or (start.at - dt_util.utcnow()).total_seconds()


def _number(value: object) -> float:
    """Return a value as a number; what is none is nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return value if math.isfinite(value) else 0.0
