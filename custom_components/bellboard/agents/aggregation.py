"""One answer from all agents' answers (data model, aggregation rules)."""

from collections.abc import Sequence

from ..language.loader import Language
from .base import Answer


def aggregate(language: Language, answers: Sequence[Answer]) -> str:
    """Return what is said after all agents have answered.

    One answer is said as it is. Several that succeeded are joined to one sentence where they can
    be. Where some failed, what was done is said first and what was not after it. Where all failed,
    their reasons are said, or the fallback message where none is known.
    """
    if len(answers) == 1:
        return answers[0].content or language.say("aggregate.fallback")
    succeeded = [answer for answer in answers if answer.success]
    failed = [answer for answer in answers if not answer.success]
    success, failure = _joined(language, succeeded), _joined(language, failed)
    if success and failure:
        return language.say("aggregate.partial", success=success, failure=failure)
    return success or failure or language.say("aggregate.fallback")


def _joined(language: Language, answers: Sequence[Answer]) -> str:
    """Return answers as one text: fragments in one sentence, then whole sentences."""
    fragments = [fragment for answer in answers for fragment in answer.fragments]
    whole = [answer.content for answer in answers if not answer.fragments and answer.content]
    return " ".join(dict.fromkeys(filter(None, (language.sentence(fragments), *whole))))
