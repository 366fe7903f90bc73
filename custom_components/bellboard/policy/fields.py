"""What stands in a rule: texts, numbers, times of day and values, and what is wrong with them.

What cannot be meant is refused in words for whoever wrote it.
"""

from collections.abc import Mapping
from datetime import time
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

type Scalar = str | float

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W_][\w .-]{0,63}")


def normal(name: str) -> str:
    """Return a name as names are compared: without regard to case and spaces."""
    return "".join(name.split()).casefold()


def comparable(value: object) -> Scalar | None:
    """Return a value as values are compared, or None for what cannot be.

    YAML reads `off` as false, so that the two are the same here; so are `on` and true.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return float(value)
    return value.strip().casefold() if isinstance(value, str) else None


def _listed(value: object) -> object:
    """Return what may be written alone as the list it stands for."""
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
type Values = Annotated[frozenset[Scalar], BeforeValidator(_values)]
type Reasons = Annotated[dict[str, Text], BeforeValidator(_reasons), Field(min_length=1)]

WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
