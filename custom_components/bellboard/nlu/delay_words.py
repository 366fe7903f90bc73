"""Words for delays and sleep timers: the `delays` section of a language's file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .media_words import Phrase, load_phrases
from .spellings import spell_out
from .tokens import spoken_words


@dataclass(frozen=True, slots=True)
class DelayWords:
    """Words of a language for delays.

    `after` stand before a duration, `durations` are those without a number ("half an hour") and `units` those with one,
    both in seconds, `joining` stand between its parts. `sleep` are words for a sleep timer, and `pause` is the command
    for what plays.
    """

    after: tuple[Phrase, ...] = ()
    durations: tuple[tuple[Phrase, float], ...] = ()
    units: tuple[tuple[Phrase, float], ...] = ()
    joining: frozenset[str] = frozenset()
    sleep: tuple[Phrase, ...] = ()
    pause: str = ""


def load_delay_words(
    data: Mapping[str, Any], units: tuple[tuple[Phrase, float], ...]
) -> DelayWords:
    """Return the words of a language from the `delays` section of its file; `units` are those of times."""
    durations = {
        spoken_words(phrase): float(seconds)
        for text, seconds in data["durations"].items()
        for phrase in spell_out(text, {})
    }
    return DelayWords(
        after=load_phrases(data["after"]),
        durations=tuple(sorted(durations.items(), key=lambda each: -len(each[0]))),
        units=units,
        joining=frozenset(data["joining"]),
        sleep=load_phrases(data["sleep"]),
        pause=data["pause"],
    )
