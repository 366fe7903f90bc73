"""Answers from plan executions: successes, failures, and the confirmation that policies require."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.helpers import intent

from ..domains.models import Command, ToolCall
from ..home.catalog import CatalogEntity
from ..home.groups import with_members
from ..plans.execution import PlanExecution
from ..plans.models import CONFIRM, PIN, AskUser, Plan, Respond
from ..policy.codes import code_lock
from ..policy.engine import Verdict
from ..policy.file import ISSUE_BROKEN
from .aggregation import compose
from .base import AgentRequest, AgentResult, ReplyContext
from .wording import describe_results, describe_targets, describe_unchanged, describe_wish

# Home Assistant's error code by the key of a refusal; by default there are no valid targets.
_CODES = {
    "not_understood": intent.IntentResponseErrorCode.NO_INTENT_MATCH,
    **dict.fromkeys(
        ("is_off", "are_off", "other_mode"), intent.IntentResponseErrorCode.FAILED_TO_HANDLE
    ),
}

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
    named = _describe_calls(request, calls)
    wishes = list(dict.fromkeys(describe_wish(request, call) for call in calls if call.targets))
    if named and len(wishes) <= _MOST_WISHES:
        return request.language.say("confirm.actions", actions=request.language.join(wishes))
    return _say_about(request, "confirm", named)


def _reason(request: ReplyContext, verdict: Verdict) -> str:
    """Return why a yes is wanted: as the rule says, or that no rules can be read."""
    if verdict.rule == ISSUE_BROKEN:
        return request.language.say(f"confirm.{ISSUE_BROKEN}")
    return verdict.reason


def describe_dry_run(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return the text of what a dry run would do."""
    return _say_about(request, "would", _describe_calls(request, calls)) if calls else ""


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
    )
