"""Tells an answer from a new request, and from a repetition of the one that was asked about."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..home.names import Words
from ..nlu.answers import CommandPattern, Sign
from ..nlu.loader import Language
from ..plans.models import AskUser
from .answer_reader import DOWN, UP, Mark, MarkKind

type _Known = float | str

_DIRECTIONS = {UP, DOWN}
# Phrases that are no part of a command, though it may be made of the same words.
_SAYING = frozenset(Sign) - {Sign.FILLER, Sign.ONE, Sign.STOP, Sign.AGAIN}
# A word is a form of a verb that begins alike for so many letters at least, and goes on for so many
# at most ("éteindre" and "éteins").
_ALIKE = 4
_ENDING = 3


@dataclass(frozen=True, slots=True)
class RequestReading:
    """How far an answer is a request.

    `is_other` where something else is wanted than was asked about, `is_doubtful` where it may be.
    `places` are the places of the words that only repeat the action ("turn on" in "turn on the left
    one").
    """

    is_other: bool = False
    is_doubtful: bool = False
    places: frozenset[int] = frozenset()


def read_request(
    words: Words, segments: Sequence[Sequence[Mark]], question: AskUser, language: Language
) -> RequestReading:
    """Return how far the words of an answer are a request; `segments` are the marks of its parts."""
    whole = [mark for segment in segments for mark in segment]
    found = _request(words, whole, question, language)
    places = set(found.places)
    for segment in segments[1:]:
        if found.is_other:
            break
        if _begins_request(words, _core(segment), language):
            found = _request(words, segment, question, language)
            places |= found.places
    if found.is_other:
        return found
    rest = [mark for mark in whole if mark.start not in places]
    is_other, is_doubtful = _other_verbs(words, rest, question, language)
    return RequestReading(is_other, is_doubtful, frozenset(places))


def begins_request(words: Words, marks: Sequence[Mark], language: Language) -> bool:
    """Return whether marks begin as a command or a question does."""
    return _begins_request(words, _core(marks), language)


def known_values(question: AskUser) -> frozenset[_Known]:
    """Return the numbers, names and directions that belong to what was asked for."""
    known: set[_Known] = set()
    for _, parameters in _actions(question):
        for value in parameters.values():
            if isinstance(value, str):
                known.add(value.casefold())
            elif isinstance(value, int | float):
                known.add(abs(value))
    return frozenset(known) | (_families(question) & _DIRECTIONS)


def _actions(question: AskUser) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the actions that were asked for, with their parameters."""
    if question.action:
        yield question.action, question.data
    for action in question.actions:
        yield action.name, action.parameters


def _families(question: AskUser) -> frozenset[str]:
    """Return what the ways to ask for the actions of a question are called in a language file.

    What sets a value is one family, and what moves one is the direction it moves it in.
    """
    families: set[str] = set()
    for action, parameters in _actions(question):
        verb, _, rest = action.partition("_")
        by = parameters.get("by")
        if isinstance(by, int | float):
            families.add(UP if by > 0 else DOWN)
        elif rest in _DIRECTIONS:
            families.add(rest)
        else:
            families.add("set" if verb in {"set", "select"} else action)
    return frozenset(families)


def _request(
    words: Words, marks: Sequence[Mark], question: AskUser, language: Language
) -> RequestReading:
    """Return how far the words of some marks are a request."""
    core = _core(marks)
    if not core:
        return RequestReading()
    start, end = core[0].start, core[-1].end
    begins = _begins_request(words, core, language)
    if begins and language.is_question(" ".join(words[start:end])):
        return RequestReading(is_other=True)
    asked = _families(question)
    if begins and (moved := asked & _DIRECTIONS) and moved == _moved(words[start:end], language):
        return RequestReading(places=frozenset({start}))
    actions, places = _commanded(words[start:end], core, language)
    if not actions:
        return RequestReading(is_other=begins)
    if actions - asked:
        return RequestReading(is_other=True)
    return RequestReading(places=frozenset(start + place for place in places))


def _commanded(
    words: Words, core: Sequence[Mark], language: Language
) -> tuple[frozenset[str], tuple[int, ...]]:
    """Return the actions that words ask for, and the places of the words that do.

    The longest way to ask counts: "turn on" is no "turn".
    """
    start = core[0].start
    named = {
        place - start
        for mark in core
        if mark.kind in {MarkKind.NAME, MarkKind.PART, MarkKind.PLACE} or mark.signs & _SAYING
        for place in range(mark.start, mark.end)
    }
    found: dict[str, tuple[int, ...]] = {}
    for action, commands in language.answers.actions.items():
        for command in commands:
            places = command.places(words)
            if len(places) > len(found.get(action, ())) and named.isdisjoint(places):
                found[action] = places
    longest = max(map(len, found.values()), default=0)
    best = {action: places for action, places in found.items() if len(places) == longest}
    return frozenset(best), next(iter(best.values()), ())


def _other_verbs(
    words: Words, marks: Sequence[Mark], question: AskUser, language: Language
) -> tuple[bool, bool]:
    """Return whether a verb asks for another action, and whether one may mean anything else."""
    families = _families(question)
    commands = language.answers.actions
    asked = {verb for family in families for verb in _verbs(commands.get(family, ()))}
    others = {verb for ways in commands.values() for verb in _verbs(ways)} - asked
    said = {
        words[mark.start]
        for mark in marks
        if mark.kind in {MarkKind.SILENT, MarkKind.UNKNOWN}
        and not _is_form(words[mark.start], asked)
    }
    return (
        any(_is_form(word, others) for word in said),
        any(_is_form(word, language.verbs) for word in said),
    )


def _verbs(commands: Iterable[CommandPattern]) -> Iterator[str]:
    """Yield the verbs of commands: not their particles, which stand anywhere ("on", "an")."""
    for command in commands:
        yield from (word for word in (*command.start, *command.end) if len(word) > _ALIKE)


def _is_form(word: str, verbs: Collection[str]) -> bool:
    """Return whether a word is one of some verbs, or a form of one."""
    if word in verbs:
        return True
    for verb in verbs:
        alike = sum(1 for _ in takewhile(_are_equal, zip(word, verb, strict=False)))
        if alike >= max(_ALIKE, len(verb) - _ENDING) and len(word) - alike <= _ENDING:
            return True
    return False


def _are_equal(letters: tuple[str, str]) -> bool:
    """Return whether two letters are the same."""
    return letters[0] == letters[1]


def _core(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks without what is only said around them ("yes, please")."""
    start, end = 0, len(marks)
    while start < end and (
        marks[start].is_filler or marks[start].signs & {Sign.AGREE, Sign.REFUSE, Sign.AND}
    ):
        start += 1
    while end > start and marks[end - 1].is_filler:
        end -= 1
    return marks[start:end]


def _begins_request(words: Words, core: Sequence[Mark], language: Language) -> bool:
    """Return whether words begin as a command or a question does, or forbid one ("don't turn")."""
    if not core:
        return False
    first = core[0]
    if Sign.WITHOUT in first.signs:
        following = core[1:2]
        return bool(following) and words[following[0].start] in language.verbs
    if first.kind is MarkKind.SIGN and not first.signs & {Sign.AGAIN, Sign.STOP}:
        return False
    if first.kind in {MarkKind.NAME, MarkKind.PART, MarkKind.PLACE, MarkKind.POSITION}:
        return False
    if Sign.STOP in first.signs:
        return len(core) > 1
    word = words[first.start]
    return word in language.verbs or language.is_question(" ".join(words[first.start :]))


def _moved(words: Words, language: Language) -> set[str]:
    """Return the directions that words name."""
    return {
        UP if sign > 0 else DOWN
        for found in language.directions.find(words)
        for sign in found.meanings
    }
