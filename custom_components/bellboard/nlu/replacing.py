"""Words around what is said in place of something else, or beside it: "the lamp instead", "not at six", "then, too"."""

from collections.abc import Iterator
from dataclasses import dataclass

from .lexicon import Lexicon
from .moment_changes import after_words_around, read_change, without_days
from .moment_pieces import PieceReader

# Tokens of a number and its unit.
_LONGEST_VALUE = 2
# Tokens that say that something is instead, or of what.
_LONGEST_INSTEAD = 12


@dataclass(frozen=True, slots=True)
class NumberSaid:
    """A number that a text says, and the characters that it stands at."""

    value: float
    start: int
    end: int


def without_instead(text: str, lexicon: Lexicon) -> str:
    """Return a text without the words around it that say that it is for something else: "the lamp instead", "to 20"."""
    reader = PieceReader(text, lexicon)
    tokens, begin = reader.tokens, 0
    while begin < len(tokens):
        if tokens[begin].is_mark:
            begin += 1
        elif around := reader.find("instead", begin):
            begin = around[0].end
        else:
            break
    end = len(tokens)
    while end > begin and (last := _instead_before(reader, begin, end)) < end:
        end = last
    return text[tokens[begin].start : tokens[end - 1].end] if begin < end else ""


def without_rather(text: str, lexicon: Lexicon) -> str | None:
    """Return a text without the words that say that it is done in place of something; None for no such words."""
    return _without(text, PieceReader(text, lexicon), "rather")


def changes_nothing(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text says no other time or day for what is planned, not even now, and nothing in its place."""
    return (
        read_change(text, lexicon) is None
        and not without_days(text, lexicon)[1]
        and without_rather(text, lexicon) is None
        and not is_for_now(text, lexicon)
    )


def without_then(text: str, lexicon: Lexicon) -> str | None:
    """Return a text without the words for the time that was said before ("then"); None for no such words.

    What is said to be for now has none: "then close the blinds right away".
    """
    reader = PieceReader(text, lexicon)
    plain = _without(text, reader, "by_then")
    return None if says_now(plain or text, lexicon) else plain


def says_now(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text says that it is for now, and nothing that is for the time before ("dan meteen")."""
    reader = PieceReader(text, lexicon)
    return reader.has("right_now") and not reader.has("by_then")


def is_for_now(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text says that something is to be done now, and nothing more: "no, do it right away"."""
    reader = PieceReader(text, lexicon)
    at, is_now = 0, False
    while at < len(reader.tokens):
        if reader.tokens[at].is_mark:
            at += 1
        elif found := reader.find("do_now", at):
            at, is_now = found[0].end, True
        elif (end := after_words_around(reader, at)) > at:
            at = end
        else:
            return False
    return is_now


def says_only(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text begins with a word that restricts what it is for: "only in the mornings"."""
    return bool(PieceReader(text, lexicon).find("only_that", 0))


def after_waiting(text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield what a text says that is not waited for, and what follows it, in each way that it may be cut.

    "Don't wait for the washing machine, do it at eight": it begins with words that say so.
    """
    reader = PieceReader(text, lexicon)
    begin = max((each.end for each in reader.find("no_wait", 0)), default=0)
    for token in reader.tokens[begin:] if begin else ():
        yield text[reader.tokens[begin].start : token.start], text[token.start :]


def says_all(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text is for all that was planned: "all of it an hour later"."""
    return PieceReader(text, lexicon).has("all_of_it")


def _without(text: str, reader: PieceReader, kind: str) -> str | None:
    """Return a text without its words of a kind; None for no such words."""
    found, at = [], 0
    while at < len(reader.tokens):
        each = next(iter(reader.find(kind, at)), None)
        if each:
            found.append((reader.tokens[at].start, reader.tokens[each.end - 1].end))
        at = each.end if each else at + 1
    for begin, end in reversed(found):
        text = f"{text[:begin]} {text[end:]}"
    return " ".join(text.split()) if found else None


def after_denial(text: str, lexicon: Lexicon) -> str:
    """Return what follows words at the beginning of a text that deny it: "not the lamp"; "" for no such words."""
    reader = PieceReader(text, lexicon)
    begin = next((each.end for each in reader.find("in_place_of", 0)), 0)
    return text[reader.tokens[begin].start :] if 0 < begin < len(reader.tokens) else ""


def contrasted(text: str, lexicon: Lexicon) -> list[str]:
    """Return what may be meant in place of what a text denies, the longest first: "that one, but the lamp"."""
    reader = PieceReader(text, lexicon)
    ends = [each.end for at in range(1, len(reader.tokens)) for each in reader.find("instead", at)]
    ends += [at + 1 for at, token in enumerate(reader.tokens) if token.word == "," and at]
    starts = dict.fromkeys(end for end in sorted(ends) if end < len(reader.tokens))
    return [text[reader.tokens[start].start :] for start in starts]


def contrasted_numbers(text: str, lexicon: Lexicon) -> frozenset[float]:
    """Return both numbers of a text that says one in place of the other and nothing else; none for any other text.

    Which of them is denied is known by what there is: "sixteen, not fifteen", "quince no, dieciséis".
    """
    reader, numbers, denied, at = PieceReader(text, lexicon), [], False, 0
    while at < len(reader.tokens):
        if found := reader.find("number", at):
            numbers.append(float(found[0].value))
        elif found := reader.find("in_place_of", at):
            denied = True
        elif not (found := reader.find("instead", at)) and not reader.tokens[at].is_mark:
            return frozenset()
        at = found[0].end if found else at + 1
    return frozenset(numbers) if denied and len(numbers) == 2 else frozenset()


def numbers_in(text: str, lexicon: Lexicon) -> list[NumberSaid]:
    """Return the numbers of a text that are words of their own, which that of "CO2" is not."""
    reader, found, at = PieceReader(text, lexicon), [], 0
    while at < len(reader.tokens):
        begin = reader.tokens[at].start
        is_word = not text[:begin][-1:].isalnum()
        each = next(iter(reader.find("number", at)), None) if is_word else None
        if each:
            found.append(NumberSaid(float(each.value), begin, reader.tokens[each.end - 1].end))
        at = each.end if each else at + 1
    return found


def denies(text: str, lexicon: Lexicon) -> bool:
    """Return whether words anywhere in a text deny something: "the lamp, not the radio"."""
    return PieceReader(text, lexicon).has("in_place_of")


def _instead_before(reader: PieceReader, begin: int, end: int) -> int:
    """Return where words begin, up to a token, that say that something is instead, or of what: "instead of 19"."""
    if reader.tokens[end - 1].is_mark:
        return end - 1
    for at in range(max(begin, end - _LONGEST_INSTEAD), end):
        denied = [each.end for each in reader.find("in_place_of", at)]
        values = [a for a in denied if a < end and reader.tokens[a].number is not None]
        is_value = any(end - at <= _LONGEST_VALUE for at in values)
        if is_value or any(each.end == end for each in reader.find("instead", at)):
            return at
    return end
