"""Number words of a language, as Unicode spells numbers out."""

from collections.abc import Mapping

from unicode_rbnf import RbnfEngine

_HUNDRED = 100
_HUNDREDS = range(200, 9001, 100)


def number_words(code: str, scales: Mapping[str, int]) -> list[tuple[str, float]]:
    """Return a language's number words from two to a hundred, those that are joined up to 199, and those of hundreds.

    "One" is left out: in many languages it is the article.
    """
    engine = RbnfEngine.for_language(code)
    found = [
        (text, float(n))
        for n in (*range(2, 101), *_HUNDREDS)
        # Cardinals by gender: "veintiuno", but "veintiún grados".
        for text in (engine.format_number(n).text, *_cardinals(engine, n))
    ]
    hundreds = [word for word, scale in scales.items() if scale == _HUNDRED]
    joined = [
        (f"{word}{text}", _HUNDRED + n) for word in hundreds for text, n in found if n < _HUNDRED
    ]
    return [*found, *joined]


def _cardinals(engine: RbnfEngine, number: int) -> list[str]:
    """Return the forms of a number before a noun."""
    texts = engine.format_number(number).text_by_ruleset
    return [text for ruleset, text in texts.items() if "cardinal" in ruleset]
