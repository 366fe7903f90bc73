"""Times in a sentence: durations, commands for later, and how long a change is to take.

"Turn off the TV in half an hour": a duration after a word like "in" is taken out wherever it stands, and what is left
is the command. A sleep timer is for what plays, unless it says where. "Over ten seconds" and "slowly" are fades.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..domains.fading import FADE
from ..domains.models import Command
from ..domains.registry import table_of
from .lexicon import Lexicon, Role
from .moment_words import word_of
from .tokens import Phrase, Token, matches, spoken_words, tokenise, without_first

_MINUTE = 60
_DIGITS = 2
_LONGEST = 6
SLOWLY = 10.0
"""Seconds of what is done slowly, where no time is said."""

# "Over the next twenty five seconds": words between what begins a time and its unit.
_MOST_WORDS = 4
# What may stand around a sleep timer: "set a sleep timer for ...".
_AROUND = frozenset(
    {Role.ARTICLE, Role.FILLER, Role.TO, Role.LINK, Role.BY, Role.VERB, Role.QUANTITY}
)

_SMALL = frozenset({Role.ARTICLE, Role.FILLER, Role.LINK, Role.PRONOUN, Role.QUANTITY})


@dataclass(frozen=True, slots=True)
class Delay:
    """A command, and in how many seconds it is to be done."""

    command: str
    seconds: float

    @property
    def times(self) -> dict[str, float]:
        """Return the hours, minutes and seconds, as the slots of Home Assistant's timers have them."""
        minutes, seconds = divmod(self.seconds, _MINUTE)
        hours, minutes = divmod(minutes, _MINUTE)
        found = {"hours": hours, "minutes": minutes, "seconds": seconds}
        return {name: number for name, number in found.items() if number}


def read_delay(text: str, lexicon: Lexicon) -> Delay | None:
    """Return the command that a text gives for later, None where it gives none."""
    tokens = list(tokenise(text))
    return read_sleep(text, lexicon) or _read_later(text, tokens, lexicon)


def lacks_duration(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text asks for a timer, and does not say for how long: "set a timer for the pasta, please"."""
    tokens, words, is_timer = _without_courtesy(text, lexicon), lexicon.delays, False
    while tokens:
        rest, is_noun = without_first(tokens, words.timer)
        if is_noun and not is_timer:
            tokens, is_timer = rest, True
            continue
        what, is_for = without_first(tokens, words.timer_for)
        if is_timer and is_for:
            return 0 < len(what) <= _MOST_WORDS and not any(
                _is_timed(each, lexicon) for each in what
            )
        rest, is_set = without_first(tokens, words.timer_set)
        roles = {sense.role for sense in lexicon.senses((tokens[0].word,))}
        if not is_set and roles.isdisjoint(_SMALL):
            return False
        tokens = rest if is_set else tokens[1:]
    return is_timer


def names_timer(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text has a word for a timer, and is not a sleep timer's."""
    tokens = list(tokenise(text))
    is_named = any(without_first(tokens[at:], lexicon.delays.timer)[1] for at in range(len(tokens)))
    return is_named and read_sleep(text, lexicon) is None


def is_said(text: str, phrases: Sequence[Phrase], lexicon: Lexicon) -> bool:
    """Return whether a text is one of some phrases, with or without courtesy around it."""
    said = tuple(token.word for token in _without_courtesy(text, lexicon))
    return bool(said) and not {said, spoken_words(text)}.isdisjoint(phrases)


def _is_timed(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a word may belong to a time or to another command."""
    roles = {sense.role for sense in lexicon.senses((token.word,))}
    units = {word for phrase, _ in lexicon.delays.units for word in phrase}
    is_number = token.number is not None or token.word in units
    return is_number or not roles.isdisjoint({Role.NUMBER, Role.VERB})


def may_say_duration(text: str, lexicon: Lexicon) -> bool:
    """Return whether there are words that a duration has."""
    words = [word_of(token) for token in tokenise(text)]
    return lexicon.signals_of_durations.is_in(words, lambda _: False)


def read_duration(text: str, lexicon: Lexicon) -> float:
    """Return the seconds of a text that is a duration, and nothing else: "for five minutes, please"; 0 for another."""
    tokens = _without_courtesy(text, lexicon)
    while tokens:
        seconds, left = duration_at(tokens, lexicon)
        if seconds and not left:
            return seconds
        if not lexicon.is_small(tokens[0].word):
            return 0.0
        tokens = tokens[1:]
    return 0.0


def _without_courtesy(text: str, lexicon: Lexicon) -> list[Token]:
    """Return the tokens of a text without marks, and without courtesy at its beginning and its end."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    while tokens and lexicon.is_courtesy(tokens[0].word):
        tokens = tokens[1:]
    while tokens and lexicon.is_courtesy(tokens[-1].word):
        tokens = tokens[:-1]
    return tokens


def _read_later(text: str, tokens: list[Token], lexicon: Lexicon) -> Delay | None:
    """Return the command of a text with a duration after a word like "in"."""
    words = lexicon.delays
    for at in range(len(tokens)):
        rest, is_after = without_first(tokens[at:], words.after)
        if not is_after:
            continue
        seconds, left = duration_at(rest, lexicon)
        if seconds:
            end = left[0].start if left else len(text)
            command = f"{text[: tokens[at].start]} {text[end:]}"
            return Delay(" ".join(command.split()).strip(" ,;.!"), seconds)
    return None


def read_sleep(text: str, lexicon: Lexicon) -> Delay | None:
    """Return the command of a sleep timer."""
    words, tokens = lexicon.delays, list(tokenise(text))
    for at in range(len(tokens)):
        rest, is_sleep = without_first(tokens[at:], words.sleep)
        if not is_sleep:
            continue
        around = [*tokens[:at], *rest]
        for begin in range(len(around)):
            seconds, left = duration_at(around[begin:], lexicon)
            if seconds:
                where = _without_around([*around[:begin], *left], lexicon)
                said = text[where[0].start : where[-1].end] if where else ""
                return Delay(f"{words.pause} {said}".strip(), seconds)
        return None
    return None


def _without_around(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Return tokens without those that say nothing of where; one that leads to a place stays."""
    kept = [token for token in tokens if not token.is_mark]
    while kept and _is_around(kept[0], lexicon) and not _leads(kept, lexicon):
        kept = kept[1:]
    while kept and _is_around(kept[-1], lexicon):
        kept = kept[:-1]
    return kept


def _is_around(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a token may stand around a sleep timer."""
    return any(sense.role in _AROUND for sense in lexicon.senses((token.word,)))


def _leads(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Return whether tokens begin with a preposition, and more than small words is after it."""
    is_link = any(sense.role is Role.LINK for sense in lexicon.senses((tokens[0].word,)))
    return is_link and any(not _is_around(token, lexicon) for token in tokens[1:])


def duration_at(tokens: list[Token], lexicon: Lexicon) -> tuple[float, list[Token]]:
    """Return the seconds of the duration that tokens begin with, 0 for none, and the tokens after it."""
    words, seconds, at = lexicon.delays, 0.0, tokens
    while True:
        part, rest = _part(without_first(at, words.roughly)[0], lexicon)
        if not part:
            return (seconds, without_first(tokens, words.or_so)[0]) if seconds else (0.0, tokens)
        seconds, tokens = seconds + part, rest
        is_joined = bool(rest) and rest[0].word in words.joining
        at = rest[1:] if is_joined else rest


def _part(tokens: list[Token], lexicon: Lexicon) -> tuple[float, list[Token]]:
    """Return the seconds of one part of a duration ("two hours"), and the tokens after it."""
    words = lexicon.delays
    if found := _value(tokens, words.durations):
        seconds, rest = found
        part, left = _value(rest, words.fractions) or (0.0, rest)
        return seconds * (1 + part), left
    for number, after in _counts(tokens, lexicon):
        before, rest = _value(after, words.fractions) or (0.0, after)
        if found := _value(without_first(rest, words.roughly)[0], words.units):
            # "Six and a half minutes", "seis minutos y medio"
            unit, rest = found
            if unit > _MINUTE and (minutes := _joined_minutes(after[0], rest)):
                return number * unit + minutes * _MINUTE, rest[1:]
            part, left = _value(rest, words.fractions) or (0.0, rest)
            return (number + before + part) * unit, left
    return 0.0, tokens


def _joined_minutes(unit: Token, rest: Sequence[Token]) -> float:
    """Return the minutes that are written as one with hours: "1h30"; 0 for none."""
    is_joined = bool(rest) and rest[0].start == unit.end and len(rest[0].word) == _DIGITS
    return (rest[0].number or 0.0) if is_joined else 0.0


def _value(
    tokens: list[Token], phrases: Sequence[tuple[Phrase, float]]
) -> tuple[float, list[Token]] | None:
    """Return the value of the first of some phrases that tokens begin with, and the tokens after it."""
    first = tuple(token.word for token in tokens[:1])
    for phrase, value in phrases:
        if phrase[:1] == first and matches(tokens[: len(phrase)], phrase):
            return value, tokens[len(phrase) :]
    return None


def _counts(tokens: list[Token], lexicon: Lexicon) -> Iterator[tuple[float, list[Token]]]:
    """Yield the numbers that tokens begin with, the longest first, each with the tokens after it."""
    if found := _value(tokens, lexicon.delays.counts):
        yield found
    for size in range(min(_LONGEST, len(tokens)), 0, -1):
        if (number := _number(tokens[:size], lexicon)) is not None:
            yield number, tokens[size:]


def _number(tokens: Sequence[Token], lexicon: Lexicon) -> float | None:
    """Return the number that tokens are, in digits or in words; None for anything else."""
    if len(tokens) == 1 and tokens[0].number is not None:
        return tokens[0].number if tokens[0].number > 0 else None
    phrase = tuple(token.word for token in tokens)
    found = (sense.value for sense in lexicon.senses(phrase) if sense.role is Role.NUMBER)
    return next(found, None)


def read_fade(text: str, lexicon: Lexicon) -> tuple[str, float]:
    """Return a text without the time that its change is to take, and that time in seconds; 0 for none."""
    words = lexicon.fading
    if not words.begins.search(text):
        return text, 0.0
    tokens = tokenise(text)
    for at in range(len(tokens)):
        for phrase in words.over:
            if matches(tokens[at : at + len(phrase)], phrase):
                end, seconds = _time(tokens, at + len(phrase), lexicon)
                if seconds:
                    return _without(text, tokens, at, end), seconds
        for phrase in words.slowly:
            if matches(tokens[at : at + len(phrase)], phrase):
                return _without(text, tokens, at, at + len(phrase)), SLOWLY
    return text, 0.0


def fade(command: Command, seconds: float) -> Command:
    """Return a command that takes some seconds, where it can take its time."""
    table = table_of(command.domain)
    row = table.action(command.name) if table else None
    if table is None or row is None or not table.fades(row):
        return command
    return replace(command, parameters={**command.parameters, FADE: seconds})


def _time(tokens: Sequence[Token], begin: int, lexicon: Lexicon) -> tuple[int, float]:
    """Return where a time ends that begins at a token, and its seconds; 0 for none."""
    for at in range(begin, min(begin + _MOST_WORDS, len(tokens))):
        for phrase, seconds in lexicon.fading.units:
            end = at + len(phrase)
            if matches(tokens[at:end], phrase):
                count = _count(tokens[begin:at], lexicon)
                after = (a for a in lexicon.fading.after if matches(tokens[end : end + len(a)], a))
                return end + len(next(after, ())), count * seconds
    return begin, 0.0


def _count(tokens: Sequence[Token], lexicon: Lexicon) -> float:
    """Return the number that words say: "ten", "a", "half a"; 0 for none."""
    total = 0.0
    halves = 1.0
    for token in tokens:
        senses = lexicon.senses((token.word,))
        number = next((s.value for s in senses if s.role is Role.NUMBER), token.number)
        roles = {sense.role for sense in senses}
        if number is not None:
            total += float(number)
        elif Role.HALF in roles or Role.LEVEL in roles:
            halves = 0.5
        elif Role.ARTICLE not in roles:
            return 0.0
    return (total or 1.0) * halves


def _without(text: str, tokens: Sequence[Token], begin: int, end: int) -> str:
    """Return a text without some of its tokens, and the blanks around them made one."""
    before = text[: tokens[begin].start].rstrip(" ,")
    after = text[tokens[end - 1].end :].lstrip(" ,")
    return f"{before} {after}".strip()
