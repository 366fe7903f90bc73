"""The schema of the policies file: rules, what they match, and the fields they are written with.

What nobody can mean is refused, in words for whoever wrote it.
"""

from collections.abc import Iterator, Mapping
from datetime import time
import re
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    model_validator,
)

from .engine import DaySpan, PlannedAs, PolicyEffect

type Scalar = str | float

UNREADABLE = "policies_broken"
"""The rule that stands for a file that cannot be read. No other may have its name."""

ANY = "any"
"""Written as the name of a user, satellite or device: whoever or whatever it is."""

WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

AUTHORS: tuple[Author, ...] = ("person", "conversation", "anybody")

MOST_MINUTES = 24 * 60
"""How long ago an earlier call may be."""

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W_][\w .-]{0,63}")


def normal_name(name: str) -> str:
    """Return a name as names are compared: case-folded and without spaces."""
    return "".join(name.split()).casefold()


def comparable(value: object) -> Scalar | None:
    """Return a value as values are compared, or None for what cannot be.

    YAML reads `off` as false, so that the two are the same here; so are `on` and true.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            # No device takes a number of three hundred digits.
            return None
    return value.strip().casefold() if isinstance(value, str) else None


def _listed(value: object) -> object:
    """Return a single value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


def _action(text: str) -> str:
    """Check that a text can be an action."""
    if "." not in text and text != "*":
        raise ValueError(
            f'"{text}" is no action: write it like light.turn_on, or light.* for all of light'
        )
    return text.casefold()


def _domain(text: str) -> str:
    """Check that a text can be a domain."""
    if not _WORD.fullmatch(text):
        raise ValueError(f'"{text}" is no domain: write what stands before the dot, like light')
    return text.casefold()


def _entity(text: str) -> str:
    """Check that a text can be an entity id, or a pattern for some."""
    if "." not in text and "*" not in text:
        raise ValueError(
            f'"{text}" is no entity: write it like light.hall, or light.hall_* for several'
        )
    return text.casefold()


def _rule_name(text: str) -> str:
    """Check that a text can name a rule, also in a line of a log."""
    if not _NAME.fullmatch(text):
        raise ValueError(
            f'"{text[:64]}" is no name: begin with a letter or digit, and use only these,'
            " spaces, dots, hyphens and underscores, 64 at the most"
        )
    return text


def _time_of_day(value: object) -> object:
    """Return a time of day. Without quotes YAML reads it as a number."""
    if not isinstance(value, str) or not _CLOCK.fullmatch(text := value.strip()):
        raise ValueError('put the time of day in quotes, like "20:00"')
    try:
        return time.fromisoformat(text.zfill(5 if text.count(":") == 1 else 8))
    except ValueError:
        raise ValueError(f'"{text}" is no time of day') from None


def _values(value: object) -> object:
    """Return the values a parameter may have, one or several, as they are compared."""
    found = value if isinstance(value, list | tuple | frozenset) else [value]
    values = [comparable(item) for item in found]
    if not values or None in values:
        raise ValueError("write a value, a list of values, or above and below")
    return frozenset(values)


def _reasons(value: object) -> object:
    """Return reasons by language; one that is written alone is for all of them."""
    if isinstance(value, Mapping):
        # YAML reads the language code "no" as false.
        return {"no" if code is False else code: text for code, text in value.items()}
    return {"": value}


type Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
type Several[T] = Annotated[tuple[T, ...], BeforeValidator(_listed), Field(min_length=1)]
type Action = Annotated[Text, AfterValidator(_action)]
type Domain = Annotated[Text, AfterValidator(_domain)]
type Entity = Annotated[Text, AfterValidator(_entity)]
type RuleName = Annotated[Text, AfterValidator(_rule_name)]
type Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
type TimeOfDay = Annotated[time, BeforeValidator(_time_of_day)]
type Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
type Author = Literal["person", "conversation", "anybody"]
type Values = Annotated[frozenset[Scalar], BeforeValidator(_values)]
type Reasons = Annotated[dict[str, Text], BeforeValidator(_reasons), Field(min_length=1)]


class _RuleModel(BaseModel):
    """Base of all that people write in rules. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Range(_RuleModel):
    """An open range of numbers: above one bound, below another, or both."""

    above: Number | None = None
    below: Number | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Refuse a range with no bound, or with nothing in it."""
        if self.above is None and self.below is None:
            raise ValueError("write above, below or both")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"no number is both above {self.above:g} and below {self.below:g}")
        return self

    def holds(self, least: float, most: float) -> bool:
        """Return whether any value from `least` to `most` is in it."""
        return (self.above is None or most > self.above) and (
            self.below is None or least < self.below
        )


class ValueBounds(_RuleModel):
    """The closed range that CLAMP brings a value into."""

    min: Number | None = None
    max: Number | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Refuse a range with no bound, or with nothing in it."""
        if self.min is None and self.max is None:
            raise ValueError("write min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:g} is more than max {self.max:g}")
        return self

    def clamp(self, value: float) -> float:
        """Return the nearest number in it."""
        if self.max is not None and value > self.max:
            return self.max
        if self.min is not None and value < self.min:
            return self.min
        return value


class Earlier(_RuleModel):
    """Earlier turns that asked for, or did, the same to the same thing: so many, within so many minutes, by whom."""

    minutes: Number
    times: Annotated[int, Field(strict=True)] = 1
    by: Author = "person"

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Refuse what is always so, never, or longer ago than anything is kept."""
        if not 0 < self.minutes <= MOST_MINUTES:
            raise ValueError(f"write minutes above 0, and {MOST_MINUTES} (a day) at the most")
        if self.times < 1:
            raise ValueError("write 1 for times, or more")
        return self


class TimeWindow(_RuleModel):
    """A part of the day, some days of the week, or both, in local time.

    It begins at `after` and is over at `before`; where that is earlier in the day, it goes over
    midnight. `weekdays` are about the day it is at the moment.
    """

    after: TimeOfDay | None = None
    before: TimeOfDay | None = None
    weekdays: Several[Weekday] | None = None

    @model_validator(mode="after")
    def _is_about_some(self) -> Self:
        """Refuse a window that is always open, or never."""
        if self.after is None and self.before is None and self.weekdays is None:
            raise ValueError("write after, before or weekdays")
        if self.after is not None and self.after == self.before:
            raise ValueError("after and before are the same time")
        return self

    def covers(self, span: DaySpan, *, wholly: bool) -> bool:
        """Return whether any time of a span is in it, or, with `wholly`, all of them are."""
        days = {WEEKDAYS.index(day) for day in self.weekdays or WEEKDAYS}
        if not (span.weekdays <= days if wholly else span.weekdays & days):
            return False
        after, before = self.after or time.min, self.before
        is_over_midnight = before is not None and before < after
        parts = ((time.min, before), (after, None)) if is_over_midnight else ((after, before),)
        # All of a span is in a part that holds both its ends; some is where it is over after the part begins.
        began, ended = (span.first, span.last) if wholly else (span.last, span.first)
        return any(began >= start and (end is None or ended < end) for start, end in parts)


def _test_tag(value: object) -> str:
    """Return the tag of a parameter's test: a range, or values."""
    return "<range>" if isinstance(value, Mapping | Range) else "<values>"


type ParameterTest = Annotated[
    Annotated[Range, Tag("<range>")] | Annotated[Values, Tag("<values>")],
    Discriminator(_test_tag),
]


class Match(_RuleModel):
    """The condition of a rule. All fields that are given have to match; an empty one always does.

    `domain` to `parameters`, `asked_before` and `done_before` match each target of a call by itself, the others the
    call, who asked for it and when it is to be done. Names are ids, or names as Home Assistant shows them.
    """

    action: Several[Action] | None = None
    domain: Several[Domain] | None = None
    entity: Several[Entity] | None = None
    area: Several[Text] | None = None
    floor: Several[Text] | None = None
    label: Several[Text] | None = None
    device_class: Several[Text] | None = None
    parameters: Annotated[dict[Text, ParameterTest], Field(min_length=1)] | None = None
    user: Several[Text] | None = None
    person: Several[Text] | None = None
    satellite: Several[Text] | None = None
    device: Several[Text] | None = None
    spoken_in: Several[Text] | None = None
    time: TimeWindow | None = None
    planned: Several[PlannedAs] | None = None
    count: Range | None = None
    assumed: Annotated[bool, Field(strict=True)] | None = None
    asked_before: Earlier | None = None
    done_before: Earlier | None = None
    all_of: tuple[Match, ...] | None = Field(default=None, alias="all", min_length=1)
    any_of: tuple[Match, ...] | None = Field(default=None, alias="any", min_length=1)
    none_of: Match | None = Field(default=None, alias="not")

    def walk(self) -> Iterator[Match]:
        """Yield this match and all inner ones."""
        yield self
        for inner in (*(self.all_of or ()), *(self.any_of or ())):
            yield from inner.walk()
        if self.none_of is not None:
            yield from self.none_of.walk()


class Rule(_RuleModel):
    """One rule: its condition and its effect.

    `reason` is what is said of it, by language code; under "" for all languages. `to` are the bounds
    of parameters, for CLAMP. With `require` a code has to be said, and not only a yes.
    """

    name: RuleName
    match: Match
    effect: PolicyEffect
    reason: Reasons | None = None
    require: Literal["pin"] | None = None
    to: Annotated[dict[Text, ValueBounds], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        """Refuse a rule without what its effect needs."""
        if self.effect is PolicyEffect.DENY and self.reason is None:
            raise ValueError("a rule that denies needs a reason: it is what will be said")
        if (self.effect is PolicyEffect.CLAMP) != (self.to is not None):
            raise ValueError("to belongs to the effect clamp, and clamp needs it")
        if self.require and self.effect is not PolicyEffect.CONFIRM:
            raise ValueError("require belongs to the effect confirm")
        return self

    def reason_in(self, language: str) -> str:
        """Return the reason in a language, else in English, else as it comes first."""
        reasons = self.reason or {}
        for code in (language, language.partition("-")[0], "", "en"):
            if code in reasons:
                return reasons[code]
        return next(iter(reasons.values()), "")
