"""One answer from all agents' answers (data model, aggregation rules)."""

from collections.abc import Sequence

from ..nlu.loader import Language
from ..options import AggregatorOptions, fill_template
from .base import Answer

_DEFAULTS = AggregatorOptions()


def compose(
    language: Language,
    done: Sequence[str],
    failed: Sequence[str],
    sentences: Sequence[str] = (),
    apologies: Sequence[str] = (),
    *,
    options: AggregatorOptions = _DEFAULTS,
) -> str:
    """Return one text: what was done first, what was not after it.

    `done` and `failed` are fragments that become a sentence each, or one for each where natural
    joining is off; `sentences` and `apologies` are whole sentences for the same.
    """
    joined = [[*done]] if options.enable_natural_language_joining else [[part] for part in done]
    success = " ".join(filter(None, (*map(language.sentence, joined), *sentences)))
    failure = " ".join(filter(None, (f"{language.join(failed)}." if failed else "", *apologies)))
    if success and failure:
        if template := options.partial_failure_template:
            return fill_template(template, successMessage=success, failureMessage=failure)
        if not failed:
            # Sentences of their own follow as they are: "However, All right" is none.
            return f"{success} {failure}"
        return language.say("aggregate.partial", success=success, failure=failure)
    return success or f"{failure[:1].upper()}{failure[1:]}"


def aggregate(language: Language, answers: Sequence[Answer], options: AggregatorOptions) -> str:
    """Return what is said after all agents have answered.

    One answer is said as it is. Several that succeeded are joined to one sentence where they can
    be. Where some failed, what was done is said first and what was not after it. Where all failed,
    their reasons are said, or the fallback message where none is known.
    """
    whole = [answer for answer in answers if not answer.fragments and not answer.failures]
    of_parts = [answer for answer in answers if answer.fragments or answer.failures]
    text = compose(
        language,
        [fragment for answer in answers for fragment in answer.fragments],
        [failure for answer in answers for failure in answer.failures],
        list(dict.fromkeys(answer.content for answer in whole if answer.success)),
        list(dict.fromkeys(answer.content for answer in whole if not answer.success)),
        options=options,
    )
    # What is asked comes last, so that it is what is answered.
    asked = [answer.question.prompt for answer in of_parts if answer.question]
    text = " ".join(filter(None, (text, *dict.fromkeys(asked))))
    return text or options.default_fallback_message or language.say("aggregate.fallback")
