"""Answers of agents: outcomes of plans, questions and refusals, and one reply made of several answers.

How answers are put together is in the Data model, aggregation rules.
"""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.core import State
from homeassistant.helpers import intent

from ..domains.actions import ActionError, IsOffError, OtherModeError, OutOfRangeError
from ..domains.light_values import NoEffectError
from ..domains.models import Command, ToolCall
from ..domains.together import NothingPlaysError
from ..home.catalog import CatalogEntity, with_members
from ..memory.pending import SAID
from ..nlu.loader import Language
from ..options import AggregatorOptions, fill_template
from ..plans.execution import PlanExecution
from ..plans.models import CONFIRM, PIN, AskUser, Plan, Respond
from ..policy.codes import code_lock
from ..policy.engine import Verdict
from ..policy.file import ISSUE_BROKEN
from .base import AgentRequest, AgentResult, ReplyContext
from .wording import (
    LocalizedValues,
    capitalised,
    describe_results,
    describe_states,
    describe_targets,
    describe_unchanged,
    describe_wish,
    format_climate_mode,
)

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
    return success or capitalised(failure)


def compose_undone(
    language: Language, sentences: Sequence[str], undone: Sequence[AgentResult]
) -> str:
    """Return sentences of success, and after them what some answers say that cannot be done."""
    failed = [failure for answer in undone for failure in answer.failures]
    apologies = [answer.content for answer in undone if not answer.failures]
    return compose(language, (), failed, sentences, apologies)


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
        if answer.fragments
        or answer.failures
        or (is_done and (answer.is_remark or answer.question is not None))
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


# Home Assistant's error code by the key of a refusal; by default there are no valid targets.
_CODES = {
    "not_understood": intent.IntentResponseErrorCode.NO_INTENT_MATCH,
    **dict.fromkeys(
        ("is_off", "are_off", "other_mode"), intent.IntentResponseErrorCode.FAILED_TO_HANDLE
    ),
}

# What may be another way later: what is off is on then.
_TEMPORARY = frozenset({"is_off", "are_off", "other_mode", "nothing_plays"})

# Of more calls than these only the targets are named.
_MOST_WISHES = 3


def build_steps(request: AgentRequest, calls: Sequence[ToolCall]) -> tuple[Respond | ToolCall, ...]:
    """Return the steps Respond(pre), the calls, Respond(post); () without calls."""
    if not calls:
        return ()
    return (Respond(phase="pre", message=_announce(request, calls)), *calls, Respond())


def build_answer(request: AgentRequest, execution: PlanExecution) -> AgentResult:
    """Return the answer to an executed plan, from its results."""
    done, failed = describe_results(request, execution.results)
    remarks = describe_unchanged(request, execution.results)
    question = find_confirmation(request, execution, request.instruction)
    if question and (key := _why_no_code(request, question)):
        question, failed = None, (*failed, request.language.say(key))
    execution.mark_responded()
    text = compose(request.language, done, failed, remarks) or describe_dry_run(
        request, execution.dry_run_calls
    )
    return AgentResult(
        success=execution.ok or bool(question and not failed),
        content=" ".join(filter(None, (text, question.prompt if question else ""))),
        fragments=done,
        failures=failed,
        remarks=remarks,
        plan=execution.plan,
        results=tuple(execution.results),
        question=question,
    )


def _why_no_code(request: ReplyContext, question: AskUser) -> str:
    """Return the key of why no code can be asked for, "" where one can, or another question is asked."""
    if question.param != PIN:
        return ""
    lock = code_lock(request.hass)
    if not lock.codes:
        return "pin.none"
    return "pin.locked" if lock.is_locked else ""


def build_confirmation(request: AgentRequest, plan: Plan, rules: Sequence[str]) -> AskUser:
    """Return the question for confirmation of a plan; `rules` are the policy rules that require it."""
    return AskUser(
        param=CONFIRM,
        prompt=_ask_whether(request, plan.calls),
        action=plan.intent_id,
        actions=plan.actions,
        calls=tuple(plan.calls),
        rules=tuple(rules),
        data={"text": request.instruction},
    )


def find_confirmation(request: ReplyContext, execution: PlanExecution, text: str) -> AskUser | None:
    """Return the question for the calls that await a yes or a code, or None; `text` is the user's sentence."""
    if not (waiting := execution.to_confirm):
        return None
    calls: list[ToolCall] = []
    for verdict in waiting:
        if verdict.call not in calls:
            calls.append(verdict.call)
    reached = {target for call in calls for target in call.targets}
    return AskUser(
        param=PIN if any(verdict.needs_code for verdict in waiting) else CONFIRM,
        prompt=_confirm_prompt(request, waiting),
        action=execution.plan.intent_id,
        actions=tuple(
            _narrow_action(request, action, reached) for action in execution.plan.actions
        ),
        calls=tuple(calls),
        # What was agreed to before is not asked about again after the answer.
        rules=tuple(
            dict.fromkeys((*sorted(execution.agreed), *(verdict.rule for verdict in waiting)))
        ),
        data={"text": text},
    )


def _narrow_action(request: ReplyContext, action: Command, reached: set[str]) -> Command:
    """Return an action with only those of its targets, or of their group members, that await confirmation."""
    waiting = [each for each in with_members(request.hass, action.targets) if each in reached]
    return replace(action, targets=tuple(waiting))


def _confirm_prompt(request: ReplyContext, waiting: Sequence[Verdict]) -> str:
    """Return the text of a confirmation: the rules' reasons, and the targets."""
    reasons = " ".join(dict.fromkeys(filter(None, (_reason(request, each) for each in waiting))))
    calls = [verdict.call for verdict in waiting]
    if any(verdict.needs_code for verdict in waiting):
        asked = _say_about(request, "pin", _describe_calls(request, calls))
    else:
        asked = _ask_whether(request, calls)
    return " ".join(filter(None, (reasons, asked)))


def _ask_whether(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return the question whether calls are to be made: what each would do, or of many for which targets."""
    return _say_actions(request, "confirm", calls)


def _reason(request: ReplyContext, verdict: Verdict) -> str:
    """Return why a yes is wanted: as the rule says, or that no rules can be read."""
    if verdict.rule == ISSUE_BROKEN:
        return request.language.say(f"confirm.{ISSUE_BROKEN}")
    return verdict.reason


def describe_dry_run(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return the text of what a dry run would do."""
    return _say_actions(request, "would", calls) if calls else ""


def _say_actions(request: ReplyContext, key: str, calls: Sequence[ToolCall]) -> str:
    """Return the variant of a reply with what each call does, or where they are many with their targets."""
    named = _describe_calls(request, calls)
    wishes = list(dict.fromkeys(describe_wish(request, call) for call in calls if call.targets))
    if named and len(wishes) <= _MOST_WISHES:
        return request.language.say(f"{key}.actions", actions=request.language.join(wishes))
    return _say_about(request, key, named)


def _say_about(request: ReplyContext, key: str, targets: str) -> str:
    """Return the variant of a reply with targets, or the one without."""
    if not targets:
        return request.language.say(f"{key}.plain")
    return request.language.say(f"{key}.targets", targets=targets)


def _announce(request: AgentRequest, calls: Sequence[ToolCall]) -> str:
    """Return the text that is spoken before the calls."""
    return request.language.say("announce", targets=_describe_calls(request, calls))


def _describe_calls(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return the spoken names of the calls' targets, "" where they have none."""
    targets = dict.fromkeys(target for call in calls for target in call.targets)
    entities: list[CatalogEntity] = [
        entity for target in targets if (entity := request.catalog.entities.get(target))
    ]
    return describe_targets(request, entities) if entities else ""


def refusal_answer(request: AgentRequest, key: str, **values: str) -> AgentResult:
    """Return the answer for an instruction that cannot be planned, by the key of its reason."""
    return AgentResult(
        success=False,
        content=request.language.say(f"plan.{key}", **values),
        error_code=_CODES.get(key, intent.IntentResponseErrorCode.NO_VALID_TARGETS),
        is_temporary=key in _TEMPORARY,
    )


def final_refusal(answer: AgentResult) -> AgentResult:
    """Return an answer; if it refuses what was understood, as one of what no other agent can do either."""
    codes = intent.IntentResponseErrorCode
    if answer.success or answer.error_code is codes.NO_INTENT_MATCH:
        return answer
    return replace(answer, error_code=codes.FAILED_TO_HANDLE)


async def async_ask(request: AgentRequest, plan: Plan) -> AgentResult:
    """Run a plan that only asks, and return its question as the answer."""
    await request.runner.async_run(plan)
    question = plan.question
    prompt = question.prompt if question else ""
    return AgentResult(success=True, content=prompt, plan=plan, question=question)


def value_question_plan(request: AgentRequest, agent_id: str, measure: str) -> Plan:
    """Return the plan that asks for a value, named by what it measures."""
    question = AskUser(
        param=measure,
        prompt=request.language.say(f"ask.{measure}"),
        data={SAID: request.instruction},
    )
    return Plan(intent_id=f"{agent_id}/set", agent_id=agent_id, steps=(question,))


NO_MEDIA = "no_media"
"""Key of the reply that nothing was found to play."""
UNKNOWN_MEDIA = "unknown_media"
"""Key of the reply that nothing was found to play for what may have been meant for a device, which is not there."""


class PlanError(Exception):
    """An instruction cannot be planned; `key` and `values` are those of the reply with the reason.

    With `is_final` no other agent can do it either.
    """

    def __init__(self, key: str, *, is_final: bool = False, **values: str) -> None:
        """Store the reply's key and values."""
        super().__init__(key)
        self.key = key
        self.values = values
        self.is_final = is_final

    def answer(self, request: AgentRequest) -> AgentResult:
        """Return the answer with the reason."""
        said = refusal_answer(request, self.key, **self.values)
        return final_refusal(said) if self.is_final else said


def not_found_error(request: AgentRequest, *, is_final: bool = True) -> PlanError:
    """Return the error that no such device exists, in the places named if there are any."""
    if not (places := request.named.areas):
        return PlanError("nothing_at_all", is_final=is_final)
    names = request.language.join(place.name for place in places)
    return PlanError("nothing_here", is_final=is_final, places=names)


def not_found_answer(request: AgentRequest) -> AgentResult:
    """Return the answer that no such device exists, in the places named if there are any."""
    return not_found_error(request).answer(request)


def off_error(request: AgentRequest, states: Sequence[State]) -> PlanError:
    """Return the error that the targets are off."""
    key = "are_off" if len(states) > 1 else "is_off"
    return PlanError(key, targets=describe_states(request, states))


def to_plan_error(request: AgentRequest, problem: ActionError) -> PlanError:
    """Return the error with the reply to an action that cannot be planned."""
    targets = describe_states(request, problem.states)
    match problem:
        case IsOffError(states=states):
            return off_error(request, states)
        case OutOfRangeError(low=low, high=high, unit=unit):
            ends = (_with_unit(request, end, unit) for end in (low, high))
            return PlanError(
                "out_of_range", is_final=True, targets=targets, low=next(ends), high=next(ends)
            )
        case NothingPlaysError():
            return PlanError("nothing_plays", is_final=True)
        case NoEffectError():
            return PlanError("no_effect", is_final=True, targets=targets)
        case OtherModeError(mode=mode):
            return PlanError(
                "other_mode",
                is_final=True,
                targets=targets,
                mode=format_climate_mode(request, mode),
            )
        case _:
            return PlanError("cannot", targets=targets)


def _with_unit(request: AgentRequest, value: float, unit: str) -> str:
    """Return a value with its unit, in the user's language."""
    if unit == "K":
        return f"{value} K"
    return LocalizedValues(request, "").value(value, unit)
