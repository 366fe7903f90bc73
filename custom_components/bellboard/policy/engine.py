"""The policy engine's protocol: each tool call is allowed, denied, clamped, or to be confirmed.

An engine looks at a call and at who asked for it, where and when. It carries nothing out.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from enum import StrEnum
from typing import Protocol

from ..domains.models import ToolCall
from ..when import Once, Schedule, Trigger


class PolicyEffect(StrEnum):
    """Effect of a policy on a call."""

    ALLOW = "allow"
    DENY = "deny"
    CONFIRM = "confirm"
    CLAMP = "clamp"


class PlannedAs(StrEnum):
    """How a call was asked for: for ANY later time or NONE, or in one of the ways there are.

    LASTS is for what is put back after a time, whenever it begins.
    """

    ANY = "any"
    NONE = "none"
    ONCE = "once"
    REPEATED = "repeated"
    TRIGGER = "trigger"
    LASTS = "lasts"


@dataclass(frozen=True, slots=True)
class DaySpan:
    """A part of the day on some weekdays, 0 for Monday, in local time; both ends are in it."""

    first: time = time.min
    last: time = time.max
    weekdays: frozenset[int] = frozenset(range(7))


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Speaker, place and time of the request for a call (Agent router orchestration, Interaction).

    `id` is the turn's, `session_id` the conversation's, `text` what was said. `user_id` is Home
    Assistant's user, `device_id` and `satellite_id` what heard it, `area_id` where the speaker is.
    `at` is the local time that the call is for. `schedule` is how it was asked for: where that `is_due`, or is for
    one moment, `at` is the only time it is for. `count` is how many entities the turn changes, the plan of this call
    included. `excepts` finds what was said to be left as it is, where somebody asks. It `has_code` where the sentence
    is the right answer to the question for a code. In one that `overrides`, it is asked to ignore rules, or claimed
    that there are none now.
    """

    id: str
    session_id: str
    text: str
    language: str
    user_id: str | None = None
    device_id: str | None = None
    satellite_id: str | None = None
    area_id: str | None = None
    at: datetime
    schedule: Schedule = field(default_factory=Schedule)
    is_due: bool = False
    count: int = 0
    has_code: bool = False
    excepts: Callable[[], frozenset[str]] = field(default=frozenset, compare=False, repr=False)
    overrides: bool = False

    @property
    def excepted(self) -> frozenset[str]:
        """Return the ids of the entities that were said to be left as they are."""
        return self.excepts()

    @property
    def planned(self) -> frozenset[PlannedAs]:
        """Return all ways in which the call was asked for."""
        start, found = self.schedule.start, set[PlannedAs]()
        if start is not None:
            found.add(PlannedAs(start.kind))
        if isinstance(start, Trigger) and start.repeats:
            found.add(PlannedAs.REPEATED)
        if self.schedule.ends:
            found.add(PlannedAs.LASTS)
        return frozenset(found | {PlannedAs.ANY} if found else {PlannedAs.NONE})

    @property
    def is_for_one_moment(self) -> bool:
        """Return whether the call is for `at` and no other time."""
        return self.is_due or isinstance(self.schedule.start, Once | None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The engine's decision about a call, or about some of its targets.

    `call` has these targets, and for CLAMP the data with its values brought into bounds. `rule` names
    the rule that decided, empty where none did. `reason` is what is said of it, in the words of
    whoever wrote the rule; empty where they gave none. It `needs_code` where CONFIRM wants a code and not only a yes.
    """

    effect: PolicyEffect
    call: ToolCall
    rule: str = ""
    reason: str = ""
    needs_code: bool = False

    @property
    def allowed(self) -> bool:
        """Return whether the call may be made now."""
        return self.effect in {PolicyEffect.ALLOW, PolicyEffect.CLAMP}


@dataclass(frozen=True, slots=True)
class PastCall:
    """A call that somebody asked for, or that was done, with no word of what was said.

    `targets` have the members of groups among them; they are empty for a call without any.
    """

    action: str
    targets: frozenset[str]
    interaction: Interaction
    at: datetime
    is_done: bool = False


_MOST_PAST_CALLS = 1000


class CallHistory:
    """The last calls that were asked for and done in the home. It is kept in memory only."""

    def __init__(self) -> None:
        self._calls: deque[PastCall] = deque(maxlen=_MOST_PAST_CALLS)

    def note(
        self,
        call: ToolCall,
        targets: Iterable[str],
        interaction: Interaction,
        at: datetime,
        *,
        is_done: bool,
    ) -> None:
        """Note a call as asked for, or as done for some targets."""
        silent = replace(interaction, text="")
        self._calls.append(
            PastCall(call.action.casefold(), frozenset(targets), silent, at, is_done)
        )

    def before(self, interaction: Interaction, *, is_answer: bool = False) -> Sequence[PastCall]:
        """Return the calls of earlier turns, oldest first.

        Where the turn `is_answer` to a question, the one that asked it is no earlier one: that is the last of its
        conversation.
        """
        earlier = [past for past in self._calls if past.interaction.id != interaction.id]
        if not is_answer:
            return earlier
        session = interaction.session_id
        own = (past.interaction for past in reversed(earlier) if not past.is_done)
        asked = next((each.id for each in own if each.session_id == session), None)
        return [past for past in earlier if past.is_done or past.interaction.id != asked]


class PolicyEngine(Protocol):
    """Validates calls before they are made (Agent router orchestration, PolicyEngine)."""

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[PastCall] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Return verdicts that together cover all targets of a call, each target once.

        `history` are the calls of earlier turns. `confirmed` are the rules that were agreed to: they ask
        for no confirmation again; one that wants a code does, unless the interaction has it.
        """
        ...

    def needs_code(self, rule: str) -> bool:
        """Return whether the rule of a name wants a code."""
        ...


class NullPolicyEngine:
    """Allows everything: the engine where nobody wrote policies."""

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[PastCall] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Allow the call."""
        return (Verdict(effect=PolicyEffect.ALLOW, call=call),)

    def needs_code(self, rule: str) -> bool:
        """Want none."""
        return False
