"""One answer from all agents' answers (data model, aggregation rules)."""

from collections.abc import Sequence

from ..language.loader import Language
from .base import Answer


def compose(
    language: Language,
    done: Sequence[str],
    failed: Sequence[str],
    sentences: Sequence[str] = (),
    apologies: Sequence[str] = (),
) -> str:
    """Return one text: what was done first, what was not after it.

    `done` and `failed` are fragments that become a sentence each; `sentences` and `apologies` are
    whole sentences for the same.
    """
    success = " ".join(filter(None, (language.sentence(done), *sentences)))
    # What follows "However," keeps its small letter.
    failure = " ".join(filter(None, (f"{language.join(failed)}." if failed else "", *apologies)))
    if success and failure:
        return language.say("aggregate.partial", success=success, failure=failure)
    return success or f"{failure[:1].upper()}{failure[1:]}"


def aggregate(language: Language, answers: Sequence[Answer]) -> str:
    """Return what is said after all agents have answered.

    One answer is said as it is. Several that succeeded are joined to one sentence where they can
    be. Where some failed, what was done is said first and what was not after it. Where all failed,
    their reasons are said, or the fallback message where none is known.
    """
    whole = [answer for answer in answers if not answer.fragments and not answer.failures]
    text = compose(
        language,
        [fragment for answer in answers for fragment in answer.fragments],
        [failure for answer in answers for failure in answer.failures],
        list(dict.fromkeys(answer.content for answer in whole if answer.success)),
        list(dict.fromkeys(answer.content for answer in whole if not answer.success)),
    )
    return text or language.say("aggregate.fallback")
