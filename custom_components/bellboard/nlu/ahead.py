"""Questions about a day to come: the weather, and what is in the calendar."""

from collections.abc import Sequence

from .phrase_lists import AheadWords
from .tokens import Phrase, Token, matches, tokenise

TELL_AHEAD = "tell_ahead"
"""Name of the intent that asks about a day: the slots `about` (WEATHER or CALENDAR) and `day`, 0 for today."""

WEATHER, CALENDAR = "weather", "calendar"


def read_ahead(text: str, words: AheadWords) -> tuple[str, int] | None:
    """Return the subject of a question and the days ahead; None where it names no day or neither thing."""
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
