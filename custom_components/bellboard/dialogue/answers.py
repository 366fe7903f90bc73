"""Reads the answer to a question: which candidates, all of them, none, or another request.

Read without a model. What is not plain is left unclear, never guessed.
"""

from collections.abc import Collection, Iterable, Sequence
import re

from ..home.catalog import Catalog
from ..home.names import words_of
from ..memory.pending import PendingQuestion
from ..nlu.answers import Sign
from ..nlu.loader import Language
from .answer_reader import AnswerMarker, Mark, MarkKind, SpokenAnswer
from .candidates import Candidates
from .choosing import AnswerKind, MarkedAnswer, ReadAnswer
from .pointing import point
from .requests import RequestReading, begins_request, known_values, read_request

# Longer texts are no answers, and are not looked at word by word.
_MAX_CHARACTERS = 600
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
    spoken = SpokenAnswer.read(text[:_MAX_CHARACTERS])
    if not spoken.words or len(text) > _MAX_CHARACTERS:
        return ReadAnswer(AnswerKind.UNCLEAR)
    reader = AnswerMarker(
        pending=pending,
        candidates=Candidates.of(pending, catalog, language),
        catalog=catalog,
        language=language,
        area_id=area_id or pending.area_id,
    )
    marks = _with_numbers(spoken, reader.marks(spoken), reader)
    if pending.is_for_message:
        return ReadAnswer(_kind_beside_message(marks))
    if _asks_back(marks):
        return ReadAnswer(AnswerKind.UNCLEAR)
    if _cancels(marks):
        return _canceled(spoken, marks, pending, language)
    request = read_request(spoken.words, _parts(spoken, marks), pending.question, language)
    if request.is_other or _is_not_for_now(text, spoken, marks, language):
        return ReadAnswer(AnswerKind.ANOTHER)
    if request.is_doubtful:
        return ReadAnswer(AnswerKind.UNCLEAR)
    known = known_values(pending.question)
    heard = [mark for mark in marks if not _is_said_already(spoken, mark, request, known)]
    answer = MarkedAnswer(
        marks=tuple(heard),
        pointed=point(_parts(spoken, heard), pending.order),
        order=pending.order,
        present=pending.present(catalog),
        earlier=frozenset(earlier).intersection(pending.order),
        is_request=bool(request.places),
    )
    return answer.read()


def _with_numbers(spoken: SpokenAnswer, marks: list[Mark], reader: AnswerMarker) -> list[Mark]:
    """Return the marks, with numbers that are all that is said as positions ("two", "1 and 3")."""
    numbers: dict[int, int] = {}
    for part in _parts(spoken, marks):
        said = [mark for mark in part if not mark.is_filler and Sign.AND not in mark.signs]
        only = said or [mark for mark in part if Sign.ONE in mark.signs]
        if not only or any(mark.kind is MarkKind.POSITION for mark in only):
            continue
        number = _number(spoken, only[0], reader.language) if len(only) == 1 else None
        if number is None:
            return marks
        numbers[only[0].start] = number
    return [
        reader.numbered(mark, numbers[mark.start]) if mark.start in numbers else mark
        for mark in marks
    ]


def _number(spoken: SpokenAnswer, mark: Mark, language: Language) -> int | None:
    """Return the number a mark is as a whole, or None where it is none or a name."""
    own = spoken.words[mark.start : mark.end]
    for found in language.answers.numbers.find(own):
        if found.end - found.start == len(own) and not mark.ids:
            return found.meanings[0]
    return None


def _parts(spoken: SpokenAnswer, marks: Iterable[Mark]) -> list[list[Mark]]:
    """Return the marks by part: a clause, or what follows an "and", with the "and"."""
    parts: list[list[Mark]] = [[]]
    for mark in marks:
        if mark.start in spoken.breaks or Sign.AND in mark.signs:
            parts.append([])
        parts[-1].append(mark)
    return [part for part in parts if part]


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


def _kind_beside_message(marks: Sequence[Mark]) -> AnswerKind:
    """Return what else than a message may be said to the question for one: "pardon?", and "no, never mind"."""
    said = [mark for mark in marks if not mark.is_filler]
    leaving = {Sign.CANCEL, Sign.STOP, Sign.REFUSE}
    if _asks_back(marks):
        return AnswerKind.AGAIN
    is_left = bool(said) and all(mark.signs & leaving for mark in said)
    return AnswerKind.CANCELED if is_left else AnswerKind.UNCLEAR


def _canceled(
    spoken: SpokenAnswer, marks: Sequence[Mark], pending: PendingQuestion, language: Language
) -> ReadAnswer:
    """Return the meaning of an answer that cancels, unless a request follows in it."""
    last = max(
        (place for place, mark in enumerate(marks) if Sign.CANCEL in mark.signs), default=len(marks)
    )
    following = _parts(spoken, marks[last + 1 :])
    if any(begins_request(spoken.words, part, language) for part in following):
        return ReadAnswer(AnswerKind.ANOTHER)
    named = point(_parts(spoken, marks), pending.order).named
    if named is not None and len(named) < len(pending.order):
        return ReadAnswer(AnswerKind.UNCLEAR)
    return ReadAnswer(AnswerKind.CANCELED)


def _is_not_for_now(
    text: str, spoken: SpokenAnswer, marks: Sequence[Mark], language: Language
) -> bool:
    """Return whether an answer says when, or on what condition; names and phrases say neither."""
    skipped = {MarkKind.SIGN, MarkKind.NAME, MarkKind.PART, MarkKind.PLACE}
    rest = " ".join(
        " ".join(spoken.words[mark.start : mark.end]) for mark in marks if mark.kind not in skipped
    )
    for reason in _NOT_FOR_NOW:
        pattern = language.guards[reason]
        if (found := pattern.search(text)) and (_DIGIT.search(found[0]) or pattern.search(rest)):
            return True
    return False


def _is_said_already(
    spoken: SpokenAnswer, mark: Mark, request: RequestReading, known: Collection[float | str]
) -> bool:
    """Return whether a mark only repeats what was asked for: the action, or a value of it."""
    if request.places.issuperset(range(mark.start, mark.end)):
        return True
    if mark.kind is MarkKind.VALUE and mark.value in known:
        return True
    repeated = {word for value in known if isinstance(value, str) for word in words_of(value)}
    is_new = mark.kind not in {MarkKind.VALUE, MarkKind.UNKNOWN, MarkKind.FOREIGN}
    return not is_new and repeated.issuperset(spoken.words[mark.start : mark.end])
