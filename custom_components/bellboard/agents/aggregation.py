"""Aggregation of agents' answers into one reply (Data model, aggregation rules)."""

from collections.abc import Sequence

from homeassistant.helpers import intent

from ..nlu.loader import Language
from ..options import AggregatorOptions, fill_template
from .base import AgentResult

_DEFAULTS = AggregatorOptions()
_NO_MATCH = intent.IntentResponseErrorCode.NO_INTENT_MATCH


def compose(
    language: Language,
    done: Sequence[str],
    failed: Sequence[str],
    sentences: Sequence[str] = (),
    apologies: Sequence[str] = (),
    *,
    first: Sequence[str] = (),
    options: AggregatorOptions = _DEFAULTS,
) -> str:
    """Return one text, successes before failures.

    `done` and `failed` are fragments of sentences ("turned on the lamp"), joined into one sentence each
    if natural language joining is on; `sentences` and `apologies` are whole sentences of success and
    failure, `first` those of success before anything else.
    """
    joined = [[*done]] if options.enable_natural_language_joining else [[part] for part in done]
    success = " ".join(filter(None, (*first, *map(language.sentence, joined), *sentences)))
    failure = " ".join(filter(None, (f"{language.join(failed)}." if failed else "", *apologies)))
    if success and failure:
        if template := options.partial_failure_template:
            return fill_template(template, successMessage=success, failureMessage=failure)
        if not failed:
            # Whole sentences do not follow "However,".
            return f"{success} {failure}"
        return language.say("aggregate.partial", success=success, failure=failure)
    return success or f"{failure[:1].upper()}{failure[1:]}"


def aggregate(
    language: Language, answers: Sequence[AgentResult], options: AggregatorOptions
) -> str:
    """Return the reply of a turn from the answers of its agents.

    One answer stays as it is. Successes are joined into one sentence where they are fragments, failures
    follow them. Where nobody could answer, the reply is the owner's fallback message; where all failed for
    a reason, it has the reasons.
    """
    if options.default_fallback_message and not any(map(_is_answered, answers)):
        return options.default_fallback_message
    is_done = any(answer.fragments for answer in answers)
    of_parts = [
        answer
        for answer in answers
        if answer.fragments or answer.failures or (is_done and answer.is_remark)
    ]
    whole = [answer for answer in answers if answer not in of_parts]
    end = _ended if len(answers) > 1 else str
    # A number that was asked for first is told first.
    leading = answers[: answers.index(of_parts[0])] if of_parts else []
    first = list(dict.fromkeys(end(each.content) for each in leading if each.success))
    told = dict.fromkeys(end(answer.content) for answer in whole if answer.success)
    text = compose(
        language,
        [fragment for answer in answers for fragment in answer.fragments],
        [failure for answer in answers for failure in answer.failures],
        [sentence for sentence in told if sentence not in first],
        list(dict.fromkeys(answer.content for answer in whole if not answer.success)),
        first=first,
        options=options,
    )
    remarks = [remark for answer in of_parts for remark in answer.remarks]
    # The question last, so that the user's next words answer it.
    asked = [answer.question.prompt for answer in of_parts if answer.question]
    text = " ".join(filter(None, (text, *dict.fromkeys((*remarks, *asked)))))
    return text or options.default_fallback_message or language.say("aggregate.fallback")


def _is_answered(answer: AgentResult) -> bool:
    """Return whether an agent did something or has a reason why not; without one nobody understood it."""
    return answer.success or answer.error_code is not _NO_MATCH or bool(answer.failures)


def _ended(text: str) -> str:
    """Return a sentence with its end, where others follow it: Home Assistant says "Locked", without a stop."""
    return f"{text}." if text and text[-1].isalnum() else text
