"""An answer from what came of a plan: what was done, what was not, and what waits for a yes."""

from collections.abc import Sequence

from homeassistant.helpers import intent

from ..domains.models import ToolCall
from ..home.catalog import CatalogEntity
from ..home.groups import members_of
from ..plans.execution import PlanExecution
from ..plans.models import AskUser, Plan, PlannedAction, Respond
from ..policy.engine import Verdict
from .aggregation import compose
from .base import AgentRequest, Answer, ReplyContext
from .wording import describe_results, describe_targets

# How Home Assistant would class the reasons why nothing is done; most are that nothing fits.
_CODES = {
    "not_understood": intent.IntentResponseErrorCode.NO_INTENT_MATCH,
    **dict.fromkeys(
        ("is_off", "are_off", "other_mode"), intent.IntentResponseErrorCode.FAILED_TO_HANDLE
    ),
}

CONFIRM = "confirm"
"""What a question asks for that wants a yes."""


def steps_of(request: AgentRequest, calls: Sequence[ToolCall]) -> tuple[Respond | ToolCall, ...]:
    """Return the steps of a plan: what is said first, the calls, and what is said of them."""
    if not calls:
        return ()
    return (Respond(phase="pre", message=_announced(request, calls)), *calls, Respond())


def answer_of(request: AgentRequest, execution: PlanExecution) -> Answer:
    """Return the answer that tells what came of a plan."""
    done, failed = describe_results(request, execution.results)
    question = question_of(request, execution, request.instruction)
    execution.said()
    text = compose(request.language, done, failed) or describe_would(request, execution.would)
    return Answer(
        success=execution.ok or bool(question and not failed),
        content=" ".join(filter(None, (text, question.prompt if question else ""))),
        fragments=done,
        failures=failed,
        plan=execution.plan,
        results=tuple(execution.results),
        question=question,
    )


def asking(request: AgentRequest, plan: Plan, rules: Sequence[str]) -> AskUser:
    """Return the question whether a plan may be carried out; `rules` are the policies that want a yes."""
    return AskUser(
        param=CONFIRM,
        prompt=_say(request, "confirm", _spoken(request, plan.calls)),
        action=plan.intent_id,
        actions=plan.actions,
        calls=tuple(plan.calls),
        rules=tuple(rules),
        data={"text": request.instruction},
    )


def question_of(request: ReplyContext, execution: PlanExecution, text: str) -> AskUser | None:
    """Return the question for what waits for a yes, if anything does; `text` is what was said."""
    if not (waiting := execution.to_confirm):
        return None
    calls: list[ToolCall] = []
    for verdict in waiting:
        if verdict.call not in calls:
            calls.append(verdict.call)
    reached = {target for call in calls for target in call.targets}
    return AskUser(
        param=CONFIRM,
        prompt=_confirm_prompt(request, waiting),
        action=execution.plan.intent_id,
        actions=tuple(_narrowed(request, action, reached) for action in execution.plan.actions),
        calls=tuple(calls),
        rules=tuple(dict.fromkeys(verdict.rule for verdict in waiting)),
        data={"text": text},
    )


def _narrowed(request: ReplyContext, action: PlannedAction, reached: set[str]) -> PlannedAction:
    """Return an action for those of its targets that wait, or of what its groups stand for."""
    waiting = [
        target
        for named in action.targets
        for target in (named, *members_of(request.hass, named))
        if target in reached
    ]
    return action.model_copy(update={"targets": tuple(dict.fromkeys(waiting))})


def _confirm_prompt(request: ReplyContext, waiting: Sequence[Verdict]) -> str:
    """Return the question: why it is asked, and about what."""
    reasons = " ".join(dict.fromkeys(verdict.reason for verdict in waiting if verdict.reason))
    targets = _spoken(request, [verdict.call for verdict in waiting])
    asked = _say(request, "confirm", targets)
    return " ".join(filter(None, (reasons, asked)))


def describe_would(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return what a dry run says of the calls it leaves out; nothing where there are none."""
    return _say(request, "would", _spoken(request, calls)) if calls else ""


def _say(request: ReplyContext, key: str, targets: str) -> str:
    """Return a reply about targets, or about nothing in particular."""
    if not targets:
        return request.language.say(f"{key}.plain")
    return request.language.say(f"{key}.targets", targets=targets)


def _announced(request: AgentRequest, calls: Sequence[ToolCall]) -> str:
    """Return what is said before anything is done."""
    return request.language.say("announce", targets=_spoken(request, calls))


def _spoken(request: ReplyContext, calls: Sequence[ToolCall]) -> str:
    """Return what calls are for, as it is spoken; nothing where they are for nothing in particular."""
    targets = dict.fromkeys(target for call in calls for target in call.targets)
    entities: list[CatalogEntity] = [
        entity for target in targets if (entity := request.catalog.entities.get(target))
    ]
    return describe_targets(request, entities) if entities else ""


def refused(request: AgentRequest, key: str, **values: str) -> Answer:
    """Return the answer that says why an instruction cannot become a plan."""
    return Answer(
        success=False,
        content=request.language.say(f"plan.{key}", **values),
        error_code=_CODES.get(key, intent.IntentResponseErrorCode.NO_VALID_TARGETS),
    )
