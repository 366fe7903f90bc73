"""Numbers after "at" and "up to" in a sentence: a time, or a value that something is set to."""

from collections.abc import Sequence
from dataclasses import replace

from .lexicon import Lexicon, Role
from .moment_pieces import PieceReader
from .moment_times import Piece, PieceKind
from .tokens import Token, tokenise

# Roles of words that say to what something is set.
_VALUES = frozenset({Role.NUMBER, Role.LEVEL, Role.COLOR, Role.KELVIN, Role.OPTION, Role.RANGE})
_WORDS_OF_QUESTION = 4
_ASKS_VALUE = frozenset({"what", "which", "how", "tell"})
_ACTING = frozenset({Role.VERB, Role.STATE})
_ADJUSTING = frozenset({(Role.VERB, "raise"), (Role.VERB, "lower")})
_SWITCHING_VERBS = ("turn_on", "turn_off", "keep", "open", "close", "start", "stop")
_SWITCHING = frozenset(
    {*((Role.VERB, verb) for verb in _SWITCHING_VERBS), (Role.STATE, "on"), (Role.STATE, "off")}
)
_HEATING = "heating"


def is_value(
    text: str, piece: Piece, pieces: Sequence[Piece], reader: PieceReader, lexicon: Lexicon
) -> bool:
    """Return whether one of the pieces of a text is no time, but a value in its clause: "set the lamp at nine".

    "The lamp on at nine, but leave the fan off" sets no lamp to nine. Beside another time "up to 21" is none; "at eight
    tomorrow" is one.
    """
    if not reader.is_bare(piece):
        return False
    begin, end = _clause_around(piece, reader, lexicon)
    is_part = end - begin < len(reader.tokens)
    said = text[reader.tokens[begin].start : reader.tokens[end - 1].end] if is_part else text
    own = PieceReader(said, lexicon) if is_part else reader
    is_named = own.has("valued")
    if not (is_named or _adjusts(own, lexicon)) or own.has("wake") or _asks_measure(own, lexicon):
        return False
    within = (each for each in pieces if begin <= each.begin and each.end <= end)
    cut = [replace(each, begin=each.begin - begin, end=each.end - begin) for each in within]
    if has_value(own.without(cut), lexicon):
        return False
    return piece.kind is PieceKind.UNTIL or (is_named and len(pieces) == 1)


def _clause_around(piece: Piece, reader: PieceReader, lexicon: Lexicon) -> tuple[int, int]:
    """Return the first token of the clause of a piece and the one after it; all of them where it stands alone."""
    joins = [at for at, token in enumerate(reader.tokens) if _joins_clauses(token, lexicon)]
    begin = max((at + 1 for at in joins if at < piece.begin), default=0)
    end = min((at for at in joins if at >= piece.end), default=len(reader.tokens))
    return (0, len(reader.tokens)) if (begin, end) == (piece.begin, piece.end) else (begin, end)


def _joins_clauses(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a token is a mark, or a word that joins clauses and may say nothing else."""
    roles = {sense.role for sense in lexicon.senses((token.word,))}
    return token.is_mark or (
        not roles.isdisjoint({Role.AND, Role.EXCEPT}) and Role.FILLER not in roles
    )


def _adjusts(reader: PieceReader, lexicon: Lexicon) -> bool:
    """Return whether a text raises or lowers something, or is of the heating, which nothing in it turns on or off."""
    senses = [sense for token in reader.tokens for sense in lexicon.senses((token.word,))]
    said = {(sense.role, sense.value) for sense in senses if sense.role in _ACTING}
    if not said.isdisjoint(_ADJUSTING):
        return True
    is_moved = any(sense.role is Role.MOVE for sense in senses)
    is_heating = any(s.role is Role.KIND and s.value.kind == _HEATING for s in senses)
    return is_heating and (is_moved or said.isdisjoint(_SWITCHING))


def _asks_measure(reader: PieceReader, lexicon: Lexicon) -> bool:
    """Return whether a text asks for a value, and so sets none: "what temperature", "what the temperature is"."""
    words = tuple(token.word for token in reader.tokens)
    return any(
        sense.role is Role.MEASURE or (sense.role is Role.ASKING and sense.value in _ASKS_VALUE)
        for size in range(1, _WORDS_OF_QUESTION + 1)
        for at in range(len(words) - size + 1)
        for sense in lexicon.senses(words[at : at + size])
    )


def has_value(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text says a value that something is set to."""
    return any(
        token.number is not None or _is_value(token.word, lexicon) for token in tokenise(text)
    )


def _is_value(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word is a value and no noun ("heating"), and more than an article."""
    senses = [sense for sense in lexicon.senses((word,)) if sense.value != 1]
    roles = {sense.role for sense in senses}
    return Role.KIND not in roles and not roles.isdisjoint(_VALUES)
