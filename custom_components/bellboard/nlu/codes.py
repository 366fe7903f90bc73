"""Codes in what was said: "12 34", "one two three four", "my code is twenty-four sixty-eight"."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
import unicodedata

from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .loader import Language, available_languages, load_data
from .spoken_numbers import FILES, SpokenNumber, SpokenNumbers

MASK = "****"
"""Stands where a code was said; readers leave it out, as they do with any mark."""

_MOST_CHARACTERS = 120

_DATA_NUMBERS: HassKey[SpokenNumbers] = HassKey(f"{DOMAIN}_spoken_numbers")


async def async_get_spoken_numbers(hass: HomeAssistant) -> SpokenNumbers:
    """Return the number words of all languages, and of them nothing else; loaded once, off the event loop."""
    if _DATA_NUMBERS not in hass.data:
        hass.data[_DATA_NUMBERS] = await hass.async_add_executor_job(load_spoken_numbers)
    return hass.data[_DATA_NUMBERS]


@cache
def load_spoken_numbers() -> SpokenNumbers:
    """Return the number words of all languages; it reads their files."""
    return SpokenNumbers.merged(
        SpokenNumbers.load(code, load_data(code, FILES)) for code in available_languages()
    )


def read_code(text: str, language: Language) -> str:
    """Return the digits of the code that an answer is, "" for none: one answer is one try.

    All numbers in it are put together, each as long as it can be: "twenty one" is 21.
    """
    if len(text) > _MOST_CHARACTERS:
        return ""
    found = language.spoken_numbers.read(unicodedata.normalize("NFC", text))
    return "".join(number.digits for sequence in found for number in sequence)


def find_spelled(
    text: str, numbers: SpokenNumbers, lengths: Collection[int]
) -> Iterator[SpokenNumber]:
    """Yield all that may be a code in a text in NFC, by its places there: what has so many digits.

    Numbers are read in both ways, as long as they can be and word by word.
    """
    sequences = (
        sequence for by_word in (False, True) for sequence in numbers.read(text, by_word=by_word)
    )
    for sequence in dict.fromkeys(sequences):
        yield from _windows(sequence, lengths)


def masked(text: str, places: Iterable[SpokenNumber]) -> str:
    """Return a text with a mask in some places, one where several overlap."""
    kept, end = "", 0
    for place in sorted(places, key=lambda place: place.start):
        if place.start >= end:
            kept += text[end : place.start] + MASK
        end = max(end, place.end)
    return kept + text[end:]


def _windows(numbers: Sequence[SpokenNumber], lengths: Collection[int]) -> Iterator[SpokenNumber]:
    """Yield runs of neighbouring numbers that have one of some lengths together."""
    most = max(lengths, default=0)
    for first, begin in enumerate(numbers):
        digits = ""
        for number in numbers[first:]:
            if len(digits := digits + number.digits) > most:
                break
            if len(digits) in lengths:
                yield SpokenNumber(begin.start, number.end, digits)
