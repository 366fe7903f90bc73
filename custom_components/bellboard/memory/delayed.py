"""A command for later: its actions, its user, and the policies that were agreed to.

It is kept in Home Assistant's storage. Whatever is read from there is judged anew before it is done.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import uuid4

from pydantic import ConfigDict, Field

from ..domains.models import ToolCall
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

MAX_CALLS = 50
"""The calls of a command that are kept to tell of it."""

type _Id = Annotated[str, Field(max_length=255)] | None


class DelayedPart(JsonModel):
    """Actions of one specialist for entity ids, as they were understood when the command was given."""

    model_config = ConfigDict(frozen=True)

    agent_id: Annotated[str, Field(min_length=1, max_length=255)]
    action: PlannedAction


class DelayedCommand(JsonModel):
    """A command for later. `due` is when, in ISO 8601 with a time zone; `delay` the seconds that were asked for.

    The delay bounds how long it waits where the clock was set back since. `text` is the command as it will be said,
    `said` the words it was given in. `parts` are what it comes to, where that is known; without any the text is
    understood anew. `calls` are what it came to when it was given, to tell of it. `rules` are the policies that were
    agreed to, for just the calls that `agreed` holds, as text. The ids are those of who gave it, of what heard it and
    of the conversation.
    """

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        default_factory=lambda: uuid4().hex
    )
    due: datetime
    delay: Annotated[float, Field(ge=0, le=LONGEST)] = LONGEST
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    said: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    language: Annotated[str, Field(max_length=32)]
    conversation_id: Annotated[str, Field(max_length=255)]
    user_id: _Id = None
    device_id: _Id = None
    satellite_id: _Id = None
    parts: Annotated[tuple[DelayedPart, ...], Field(max_length=_MAX_PARTS)] = ()
    calls: Annotated[tuple[ToolCall, ...], Field(max_length=MAX_CALLS)] = ()
    rules: Annotated[tuple[str, ...], Field(max_length=_MAX_RULES)] = ()
    agreed: tuple[str, ...] = ()

    def seconds_left(self, now: datetime) -> float:
        """Return in how many seconds it is due by the clock; below zero where it was already."""
        due = self.due if self.due.tzinfo else self.due.replace(tzinfo=UTC)
        return (due - now).total_seconds()


@dataclass(frozen=True, slots=True)
class PlansInFocus:
    """The commands for later that a conversation spoke of last, by their ids: what "cancel that" means.

    They are `just_planned` in the turn that follows the one that planned them.
    """

    ids: tuple[str, ...] = ()
    just_planned: bool = False


def keep_focus(task: TaskContext, focus: PlansInFocus) -> None:
    """Keep which commands were spoken of last, in the place of those before."""
    task.metadata.pop(_KEY, None)
    if focus.ids:
        task.metadata[_KEY] = {"ids": [*focus.ids], "justPlanned": focus.just_planned}


def load_focus(task: TaskContext) -> PlansInFocus:
    """Return which commands were spoken of last."""
    stored = task.metadata.get(_KEY)
    if not isinstance(stored, dict) or not isinstance(stored.get("ids"), list):
        return PlansInFocus()
    ids = tuple(each for each in stored["ids"] if isinstance(each, str))
    return PlansInFocus(ids, stored.get("justPlanned") is True)
