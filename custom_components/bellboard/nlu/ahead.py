"""Questions about a day to come: the weather, and what is in the calendar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .media import matches
from .media_words import Phrase, load_phrases
from .tokens import Token, tokenise

TELL_AHEAD = "tell_ahead"
"""Name of the intent that asks about a day: the slots `about` (WEATHER or CALENDAR) and `day`, 0 for today."""

WEATHER, CALENDAR = "weather", "calendar"


@dataclass(frozen=True, slots=True)
class AheadWords:
    """Words of a language for a day to come: for its `weather`, for what is in the `calendar`, and for the `days`.

    `days` are phrases with how many days they are ahead, the longest first.
    """

    weather: tuple[Phrase, ...] = ()
    calendar: tuple[Phrase, ...] = ()
    days: tuple[tuple[Phrase, int], ...] = ()


def load_ahead_words(data: Mapping[str, Any]) -> AheadWords:
    """Return the words of a language from the `ahead` section of its file."""
    days = [
        (phrase, ahead)
        for ahead, texts in enumerate(data["days"])
        for phrase in load_phrases(texts)
    ]
    return AheadWords(
        weather=load_phrases(data["weather"]),
        calendar=load_phrases(data["calendar"]),
        days=tuple(sorted(days, key=lambda each: -len(each[0]))),
    )


def read_ahead(text: str, words: AheadWords) -> tuple[str, int] | None:
    """Return what a text asks about, and in how many days; None where it names no day or neither thing."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    day = next((ahead for phrase, ahead in words.days if _has(tokens, (phrase,))), None)
    if day is None:
        return None
    if _has(tokens, words.calendar):
        return CALENDAR, day
    return (WEATHER, day) if _has(tokens, words.weather) else None


def _has(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> bool:
    """Return whether one of some phrases is among tokens."""
    return any(
        matches(tokens[at : at + len(phrase)], phrase)
        for phrase in phrases
        for at in range(len(tokens))
    )
