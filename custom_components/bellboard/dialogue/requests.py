"""Tells an answer from a new request, and from a repetition of the one that was asked about."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..nlu.answers import Sign
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..plans.models import AskUser
from .answer_marks import DOWN, UP, Mark, MarkKind, parts_of, words_in

type Families = frozenset[str]

_DIRECTIONS = frozenset({UP, DOWN})
_SET, _PLAY = "set", "play"
# Verbs that say what is done only together with a state or a value ("turn … on"), and those of what stays as it is.
_PLAIN, _KEEPING = frozenset({"set", "adjust"}), frozenset({"keep"})
# Verbs whose words also say where something is, or how it is: "next to", "too dark".
_ALSO_TELLING = frozenset({"next", "previous", "lighten", "darken"})
# What verbs and states come to, where that is called otherwise.
_MEANT: Mapping[str, Families] = {
    "adjust": frozenset({_SET}),
    "raise": frozenset({UP}),
    "brighten": frozenset({UP}),
    "lower": frozenset({DOWN}),
    "dim": frozenset({DOWN, _SET}),
    "halt": frozenset({"stop", "pause"}),
    "on": frozenset({"turn_on"}),
    "off": frozenset({"turn_off"}),
    "closed": frozenset({"close"}),
    "locked": frozenset({"lock"}),
    "unlocked": frozenset({"unlock"}),
    "playing": frozenset({"play", "resume"}),
    "paused": frozenset({"pause"}),
    "muted": frozenset({"mute"}),
}
# Phrases that are no part of a command, though it may be made of the same words.
_SAYING = frozenset(Sign) - {Sign.FILLER, Sign.ONE, Sign.STOP, Sign.AGAIN}


@dataclass(frozen=True, slots=True)
class RequestReading:
    """Reading of an answer as a request of its own.

    `is_other` where something else is wanted than was asked about, `is_doubtful` where it may be.
    `repeated` are the marks that only repeat the action ("turn on" in "turn on the left one").
    """

    is_other: bool = False
    is_doubtful: bool = False
    repeated: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """An operation in an answer, with the marks that say it; `is_vague` where its verb may say anything."""

    families: Families
    marks: tuple[Mark, ...]
    is_vague: bool = False


def read_request(marks: Sequence[Mark], question: AskUser, language: Language) -> RequestReading:
    """Return how far the marks of an answer are a request."""
    asked = _families(question)
    cores = [core for part in (marks, *parts_of(marks)[1:]) if (core := _core(part))]
    begun = [core[0] for core in cores if _begins_request(core, language)]
    repeated: list[Mark] = []
    is_doubtful = False
    for said in _operations(marks, begun, language):
        if said.families & asked:
            repeated += said.marks
        elif said.is_vague:
            is_doubtful = True
        else:
            return RequestReading(is_other=True)
    if any(mark not in repeated for mark in begun):
        return RequestReading(is_other=True)
    return RequestReading(is_doubtful=is_doubtful, repeated=tuple(repeated))


def begins_request(marks: Sequence[Mark], language: Language) -> bool:
    """Return whether marks begin as a command or a question does."""
    core = _core(marks)
    return bool(core) and _begins_request(core, language)


def known_values(question: AskUser) -> frozenset[float | str]:
    """Return the numbers, names and directions that belong to what was asked for."""
    known: set[float | str] = set()
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


def _families(question: AskUser) -> Families:
    """Return what the actions of a question are called by verbs.

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
            families.add(_SET if verb in {"set", "select"} else action)
    return frozenset(families)


def _operations(
    marks: Sequence[Mark], begun: Collection[Mark], language: Language
) -> Iterator[_Said]:
    """Yield the operations in an answer; `begun` are the marks that requests begin with.

    A verb that says nothing alone is completed by the next state, which is one only beside a verb or at the end of
    a part.
    """
    moved = _moved(words_in(marks), language)
    waiting: Mark | None = None
    last = [core[-1] for part in parts_of(marks) if (core := _core(part))]
    for before, mark in zip((None, *marks), marks, strict=False):
        if mark.points or mark.signs & _SAYING:
            continue
        verbs = _values(mark, Role.VERB) - _KEEPING
        is_beside = before is not None and before.span.has(Role.VERB) and not before.points
        if (states := _values(mark, Role.STATE)) and (is_beside or mark in last):
            yield _Said(_meant(states), (mark, *((waiting,) if waiting else ())))
            waiting = None
        elif verbs and (mark in begun or _is_only_verb(mark)):
            if verbs & _PLAIN and _PLAY not in verbs:
                yield from _plain(waiting, moved, begun, language)
                waiting = mark
            else:
                yield _Said(_meant(verbs - _PLAIN) | _moved(mark.span.words, language), (mark,))
    yield from _plain(waiting, moved, begun, language)


def _plain(
    mark: Mark | None, moved: Families, begun: Collection[Mark], language: Language
) -> Iterator[_Said]:
    """Yield the operation of a verb that no state completes: it sets a value, or moves it."""
    if mark and (mark in begun or not language.verbs.isdisjoint(mark.span.words)):
        families = moved or _meant(_values(mark, Role.VERB) - _KEEPING)
        yield _Said(families, (mark,), is_vague=mark not in begun)


def _is_only_verb(mark: Mark) -> bool:
    """Return whether a mark can be nothing but a verb, wherever it stands."""
    is_verb = all(sense.role is Role.VERB for sense in mark.span.senses)
    return is_verb and _values(mark, Role.VERB).isdisjoint(_ALSO_TELLING)


def _values(mark: Mark, role: Role) -> Families:
    """Return the values of a mark's senses with a role."""
    return frozenset(str(sense.value) for sense in mark.span.senses if sense.role is role)


def _meant(values: Families) -> Families:
    """Return the families of verbs or states."""
    return frozenset().union(*(_MEANT.get(value, frozenset({value})) for value in values))


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


def _begins_request(core: Sequence[Mark], language: Language) -> bool:
    """Return whether marks begin as a command or a question does, or forbid one ("don't turn")."""
    first = core[0]
    if Sign.WITHOUT in first.signs:
        return len(core) > 1 and core[1].span.words[0] in language.verbs
    if first.points or (first.kind is MarkKind.SIGN and not first.signs & {Sign.AGAIN, Sign.STOP}):
        return False
    if Sign.STOP in first.signs:
        return len(core) > 1
    says_alone = _values(first, Role.VERB) - _PLAIN - _KEEPING
    is_verb = bool(says_alone) or first.span.words[0] in language.verbs
    return is_verb or read_tags(" ".join(words_in(core)), language).begins_like_question


def _moved(words: tuple[str, ...], language: Language) -> Families:
    """Return the directions that words name."""
    found = language.directions.find(words)
    return frozenset(UP if sign > 0 else DOWN for each in found for sign in each.meanings)
