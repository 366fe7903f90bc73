"""The rules people write about what may be done: what each of them is about, and what it does."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from .engine import Effect
from .fields import (
    WEEKDAYS,
    Action,
    Domain,
    Entity,
    Number,
    Reasons,
    RuleName,
    Several,
    Text,
    TimeOfDay,
    Values,
    Weekday,
)

UNREADABLE = "policies_broken"
"""The rule that stands for a file that cannot be read. No other may have its name."""

ANY = "any"
"""Written as the name of a user, satellite or device: whoever or whatever it is."""


class _Written(BaseModel):
    """What people write. Nothing may be in it that is not known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Range(_Written):
    """Numbers above one bound, below another, or both. The bounds themselves are not in it."""

    above: Number | None = None
    below: Number | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Check that a number can be in it, and another cannot."""
        if self.above is None and self.below is None:
            raise ValueError("write above, below or both")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"no number is both above {self.above:g} and below {self.below:g}")
        return self

    def holds(self, least: float, most: float) -> bool:
        """Return whether values of which these are the least and the most reach into it."""
        return (self.above is None or most > self.above) and (
            self.below is None or least < self.below
        )


class Bounds(_Written):
    """The bounds that a value is brought into. They are themselves in it."""

    min: Number | None = None
    max: Number | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Check that a number can be in it, and another cannot."""
        if self.min is None and self.max is None:
            raise ValueError("write min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:g} is more than max {self.max:g}")
        return self

    def clamp(self, value: float) -> float:
        """Return the nearest number that is in it."""
        if self.max is not None and value > self.max:
            return self.max
        if self.min is not None and value < self.min:
            return self.min
        return value


class TimeWindow(_Written):
    """A part of the day, some days of the week, or both, in local time.

    It begins at `after` and is over at `before`; where that is earlier in the day, it goes over
    midnight. `weekdays` are about the day it is at the moment.
    """

    after: TimeOfDay | None = None
    before: TimeOfDay | None = None
    weekdays: Several[Weekday] | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Check that it says something."""
        if self.after is None and self.before is None and self.weekdays is None:
            raise ValueError("write after, before or weekdays")
        if self.after is not None and self.after == self.before:
            raise ValueError("after and before are the same time")
        return self

    def covers(self, at: datetime) -> bool:
        """Return whether a moment is in it."""
        if self.weekdays and WEEKDAYS[at.weekday()] not in self.weekdays:
            return False
        now = at.time()
        began = self.after is None or now >= self.after
        lasts = self.before is None or now < self.before
        if self.after is not None and self.before is not None and self.before < self.after:
            return began or lasts
        return began and lasts


def _written_as(value: object) -> str:
    """Return how the condition on a parameter is written."""
    return "<range>" if isinstance(value, Mapping | Range) else "<values>"


type ParameterTest = Annotated[
    Annotated[Range, Tag("<range>")] | Annotated[Values, Tag("<values>")],
    Discriminator(_written_as),
]


class Match(_Written):
    """What a rule is about. All that is written in it has to hold; nothing written always holds.

    `domain` to `parameters` are about each of a call's targets by itself, the others about the call
    and who asked for it. Names are ids, or names as Home Assistant shows them.
    """

    action: Several[Action] | None = None
    domain: Several[Domain] | None = None
    entity: Several[Entity] | None = None
    area: Several[Text] | None = None
    floor: Several[Text] | None = None
    label: Several[Text] | None = None
    parameters: Annotated[dict[Text, ParameterTest], Field(min_length=1)] | None = None
    user: Several[Text] | None = None
    satellite: Several[Text] | None = None
    device: Several[Text] | None = None
    spoken_in: Several[Text] | None = None
    time: TimeWindow | None = None
    count: Range | None = None
    all_of: tuple[Match, ...] | None = Field(default=None, alias="all", min_length=1)
    any_of: tuple[Match, ...] | None = Field(default=None, alias="any", min_length=1)
    none_of: Match | None = Field(default=None, alias="not")

    def walk(self) -> Iterator[Match]:
        """Yield this and all that it is made of."""
        yield self
        for inner in (*(self.all_of or ()), *(self.any_of or ())):
            yield from inner.walk()
        if self.none_of is not None:
            yield from self.none_of.walk()


class Rule(_Written):
    """One rule.

    `reason` is what is said of it, by language code; under no code for all languages. `to` are the
    bounds of values, for CLAMP.
    """

    name: RuleName
    match: Match
    effect: Effect
    reason: Reasons | None = None
    to: Annotated[dict[Text, Bounds], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        """Check that all is there that the effect needs."""
        if self.effect is Effect.DENY and self.reason is None:
            raise ValueError("a rule that denies needs a reason: it is what will be said")
        if (self.effect is Effect.CLAMP) != (self.to is not None):
            raise ValueError("to belongs to the effect clamp, and clamp needs it")
        return self

    def reason_in(self, language: str) -> str:
        """Return the reason in a language, else in English, else as it comes first."""
        reasons = self.reason or {}
        for code in (language, language.partition("-")[0], "", "en"):
            if code in reasons:
                return reasons[code]
        return next(iter(reasons.values()), "")
