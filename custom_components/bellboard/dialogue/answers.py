"""Reads the answer to a question: which candidates, all of them, none, or another request.

Read without a model. What is not plain is left unclear, never guessed.
"""

from collections.abc import Collection, Sequence
import re

from ..home.catalog import Catalog
from ..memory.pending import PendingQuestion
from ..nlu.answers import Sign
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.tokens import spoken_words
from .answer_marks import AnswerMarker, Mark, MarkKind, parts_of, words_in
from .approving import approves
from .choosing import AnswerKind, MarkedAnswer, ReadAnswer, point
from .requests import RequestReading, begins_request, known_values, read_request

# Longer texts are no answers, and are not looked at word by word.
_MAX_CHARACTERS = 600
# A verb of fewer letters begins other words, too.
_SHORTEST_VERB = 4
_YES_OR_NO = {Sign.AGREE, Sign.REFUSE}
_NOT_FOR_NOW = ("later", "condition")
_DIGIT = re.compile(r"\d")


def read_answer(
    text: str,
    pending: PendingQuestion,
    catalog: Catalog,
    language: Language,
    *,
    area_id: str | None = None,
    earlier: Collection[str] = (),
) -> ReadAnswer:
    """Return the meaning of a text as the answer to a question.

    `area_id` is where the speaker is now, if not where the question was asked. `earlier` are the
    entity ids that were acted on before the question: "the other one" is the one that was not.
    """
    if len(text) > _MAX_CHARACTERS:
        return ReadAnswer(AnswerKind.UNCLEAR)
    marker = AnswerMarker(pending, catalog, language, area_id or pending.area_id)
    marks = _with_numbers(marker.marks(text), marker, language)
    if not marks:
        return ReadAnswer(AnswerKind.UNCLEAR)
    if pending.is_for_message:
        return ReadAnswer(_kind_beside_message(marks))
    if _asks_back(marks):
        return ReadAnswer(AnswerKind.UNCLEAR)
    if approves(text, pending, catalog, language):
        return ReadAnswer(AnswerKind.YES, pending.present(catalog))
    if _cancels(marks):
        return _canceled(marks, pending, language)
    if _agrees_in_its_words(marks, pending, language):
        return ReadAnswer(AnswerKind.YES, pending.present(catalog))
    request = read_request(marks, pending.question, language)
    if request.is_other or _is_not_for_now(text, marks, language):
        return ReadAnswer(AnswerKind.ANOTHER)
    if request.is_doubtful:
        return ReadAnswer(AnswerKind.UNCLEAR)
    known = known_values(pending.question)
    heard = [mark for mark in marks if not _is_said_already(mark, request, known)]
    answer = MarkedAnswer(
        marks=tuple(heard),
        pointed=point(parts_of(heard), pending.order),
        order=pending.order,
        present=pending.present(catalog),
        earlier=frozenset(earlier).intersection(pending.order),
        is_request=bool(request.repeated),
    )
    return answer.read()


def _with_numbers(marks: list[Mark], marker: AnswerMarker, language: Language) -> list[Mark]:
    """Return the marks, with numbers that are all that is said as positions ("two", "1 and 3")."""
    numbered: dict[Mark, int] = {}
    for part in parts_of(marks):
        said = [mark for mark in part if not mark.is_filler and Sign.AND not in mark.signs]
        only = said or [mark for mark in part if Sign.ONE in mark.signs]
        if only and not any(mark.kind is MarkKind.POSITION for mark in only):
            is_number = len(only) == 1 and not only[0].ids
            number = language.answers.cardinals.get(only[0].span.words) if is_number else None
            if number is None:
                return marks
            numbered[only[0]] = number
    return [marker.numbered(m, numbered[m]) if m in numbered else m for m in marks]


def _asks_back(marks: Sequence[Mark]) -> bool:
    """Return whether the answer only asks to repeat the question ("pardon?")."""
    return any(Sign.AGAIN in mark.signs for mark in marks) and all(
        mark.is_filler or Sign.AGAIN in mark.signs for mark in marks
    )


def _cancels(marks: Sequence[Mark]) -> bool:
    """Return whether the answer cancels the question ("never mind")."""
    if any(Sign.CANCEL in mark.signs for mark in marks):
        return True
    said = [mark for mark in marks if not mark.is_filler and not mark.signs & _YES_OR_NO]
    return bool(said) and all(Sign.STOP in mark.signs for mark in said)


def _agrees_in_its_words(
    marks: Sequence[Mark], pending: PendingQuestion, language: Language
) -> bool:
    """Return whether an answer is a yes and some of the words of the request that waits for it: "yes, clear it"."""
    said, lexicon = [mark for mark in marks if not mark.is_filler], language.lexicon
    asked = spoken_words(pending.to_confirm)
    new = [
        word
        for mark in said
        if Sign.AGREE not in mark.signs
        for word in mark.span.words
        if not (lexicon.is_small(word) or any(_is_form(word, each) for each in asked))
    ]
    refuses = any(mark.signs & {Sign.REFUSE, Sign.CANCEL, Sign.STOP} for mark in said)
    return bool(said) and bool(asked) and Sign.AGREE in said[0].signs and not (new or refuses)


def _is_form(word: str, other: str) -> bool:
    """Return whether two words are the same, but for what is joined to the end of one: "vacía", "vacíala"."""
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) >= _SHORTEST_VERB and longer.startswith(shorter))


def _kind_beside_message(marks: Sequence[Mark]) -> AnswerKind:
    """Return what else than a message may be said to the question for one: "pardon?", and "no, never mind"."""
    said = [mark for mark in marks if not mark.is_filler]
    leaving = {Sign.CANCEL, Sign.STOP, Sign.REFUSE}
    if _asks_back(marks):
        return AnswerKind.AGAIN
    is_left = bool(said) and all(mark.signs & leaving for mark in said)
    return AnswerKind.CANCELED if is_left else AnswerKind.UNCLEAR


def _canceled(marks: Sequence[Mark], pending: PendingQuestion, language: Language) -> ReadAnswer:
    """Return the meaning of an answer that cancels, unless a request follows in it."""
    last = max(
        (place for place, mark in enumerate(marks) if Sign.CANCEL in mark.signs), default=len(marks)
    )
    following = parts_of(marks[last + 1 :])
    if any(begins_request(part, language) for part in following):
        return ReadAnswer(AnswerKind.ANOTHER)
    named = point(parts_of(marks), pending.order).named
    if named is not None and len(named) < len(pending.order):
        return ReadAnswer(AnswerKind.UNCLEAR)
    return ReadAnswer(AnswerKind.CANCELED)


def _is_not_for_now(text: str, marks: Sequence[Mark], language: Language) -> bool:
    """Return whether an answer says when, or on what condition; names and phrases say neither."""
    skipped = {MarkKind.NAME, MarkKind.PART, MarkKind.PLACE}
    rest = " ".join(
        words_in(m for m in marks if m.kind not in skipped and not m.span.has(Role.ANSWER))
    )
    said, left = read_tags(text, language).guards, read_tags(rest, language).guards
    for reason in _NOT_FOR_NOW:
        found = said.get(reason)
        if found is not None and (_DIGIT.search(found) or reason in left):
            return True
    return False


def _is_said_already(mark: Mark, request: RequestReading, known: Collection[float | str]) -> bool:
    """Return whether a mark only repeats what was asked for: the action, or a value of it."""
    if mark in request.repeated or (mark.kind is MarkKind.VALUE and mark.value in known):
        return True
    repeated = {word for value in known if isinstance(value, str) for word in spoken_words(value)}
    is_new = mark.kind not in {MarkKind.VALUE, MarkKind.UNKNOWN, MarkKind.FOREIGN}
    return not is_new and repeated.issuperset(mark.span.words)
