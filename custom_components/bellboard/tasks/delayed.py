"""A command for later: its actions, its user, and the policies that were agreed to.

It is kept in Home Assistant's storage. Whatever is read from there is judged anew before it is done.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import uuid4

from pydantic import ConfigDict, Field

from ..json_model import JsonModel
from ..plans.models import PlannedAction
from .models import TaskContext

MAX_CHARACTERS = 2000
"""The characters of a command that is kept; no sentence has more."""

LONGEST = timedelta(days=7).total_seconds()
"""In seconds: what is to be done later than that is no matter for a voice assistant."""

_KEY = "delayed"
_MAX_PARTS = 16
_MAX_RULES = 50

type _Id = Annotated[str, Field(max_length=255)] | None


class DelayedPart(JsonModel):
    """Actions of one specialist for entity ids, as they were understood when the command was given."""

    model_config = ConfigDict(frozen=True)

    agent_id: Annotated[str, Field(min_length=1, max_length=255)]
    action: PlannedAction


class DelayedCommand(JsonModel):
    """A command for later. `due` is when, in ISO 8601 with a time zone; `delay` the seconds that were asked for.

    The delay bounds how long it waits where the clock was set back since. `text` is the command as it will be said,
    `said` the words it was given in, `wish` what will be done ("open Garage Door") and `targets` to what, as entity
    ids. `parts` are what it comes to, where that is known; without any the text is understood anew. `rules` are the
    policies that were agreed to, for just the calls that `agreed` holds, as text. The other ids are those of who gave
    it, of what heard it and of the conversation.
    """

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        default_factory=lambda: uuid4().hex
    )
    due: datetime
    delay: Annotated[float, Field(ge=0, le=LONGEST)] = LONGEST
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    said: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    wish: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    targets: tuple[str, ...] = ()
    language: Annotated[str, Field(max_length=32)]
    conversation_id: Annotated[str, Field(max_length=255)]
    user_id: _Id = None
    device_id: _Id = None
    satellite_id: _Id = None
    parts: Annotated[tuple[DelayedPart, ...], Field(max_length=_MAX_PARTS)] = ()
    rules: Annotated[tuple[str, ...], Field(max_length=_MAX_RULES)] = ()
    agreed: tuple[str, ...] = ()

    def seconds_left(self, now: datetime) -> float:
        """Return in how many seconds it is due by the clock; below zero where it was already."""
        due = self.due if self.due.tzinfo else self.due.replace(tzinfo=UTC)
        return (due - now).total_seconds()


def keep_planned(task: TaskContext, command_ids: Iterable[str]) -> None:
    """Keep which commands were planned or told in this turn: in the next one "cancel that" means them."""
    task.metadata[_KEY] = list(command_ids)


def take_planned(task: TaskContext) -> list[str]:
    """Return the ids of what was planned or told in the turn before, and forget them."""
    stored = task.metadata.pop(_KEY, None)
    return [each for each in stored if isinstance(each, str)] if isinstance(stored, list) else []
