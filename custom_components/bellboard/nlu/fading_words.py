"""Words for how long a change is to take: the `fading` section of a language's file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import re

from .media_words import Phrase, load_phrases, load_units

_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class FadingWords:
    """Words of a language for the time that a change takes.

    `over` stands before a time, which `after` may follow; `slowly` is said without one. `units` are seconds by
    the unit's name. What says either has a word that `begins` it.
    """

    over: tuple[Phrase, ...] = ()
    after: tuple[Phrase, ...] = ()
    slowly: tuple[Phrase, ...] = ()
    units: tuple[tuple[Phrase, float], ...] = ()
    begins: re.Pattern[str] = _NEVER

    @classmethod
    def load(
        cls, data: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]
    ) -> FadingWords:
        """Return the words of a language, from its `fading` section and its words for times."""
        over, after, slowly = (load_phrases(data[name]) for name in ("over", "after", "slowly"))
        first = sorted({re.escape(phrase[0]) for phrase in (*over, *slowly)})
        begins = re.compile(rf"\b(?:{'|'.join(first)})\b", re.IGNORECASE)
        return cls(over, after, slowly, load_units(units), begins)
