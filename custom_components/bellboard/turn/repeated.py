"""Repeating commands ("the porch light on at sunset every day"): who may give them, and their automations.

The assistant keeps the command as any other for later; a Home Assistant automation says when, and names it by its id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
import logging
from typing import Any

from homeassistant.util import dt as dt_util
from pydantic import ValidationError

from ..agents.base import AgentRequest, AgentResult
from ..agents.plan_answers import build_answer, compose_undone
from ..agents.wording import capitalised, describe_planned, tell_planned
from ..const import DELAY_AGENT_ID
from ..domains.models import ToolCall
from ..home.automations import AutomationError, StateTest, async_write_automation, build_automation
from ..memory.delayed import DelayedCommand, DelayedPart
from ..nlu.state_tests import state_test
from ..nlu.triggers import read_again
from ..plans.models import CONFIRM, AskUser, Plan
from ..policy.engine import PolicyEffect, Verdict
from ..policy.file import allows_by_name
from ..when import Schedule
from .awaited import async_reader_for
from .context import TurnContext
from .plan_wording import replaced_by

_LOGGER = logging.getLogger(__name__)

CREATE = "automation.create"
"""The action that policies judge when a command is to be repeated."""

_PARTS = "parts"


async def async_may_repeat(context: TurnContext, schedule: Schedule) -> Verdict:
    """Return whether the speaker may have something repeated so: the verdict on `CREATE`.

    Administrators may, unless a policy is against it. Others may where a rule allows them just this action; one that
    allows everything is not about it. Who speaks without a user is no administrator.
    """
    first = last = _judge(context, schedule, frozenset())
    agreed: set[str] = set()
    while last.effect is PolicyEffect.CONFIRM and last.rule not in agreed:
        # What is left to be asked about says nothing of who may.
        agreed.add(last.rule)
        last = _judge(context, schedule, frozenset(agreed))
    if PolicyEffect.DENY in {first.effect, last.effect}:
        return first if first.effect is PolicyEffect.DENY else last
    if allows_by_name(context.assistant.hass, last.rule, CREATE) or await _async_is_admin(context):
        return replace(first, needs_code=context.assistant.policy.needs_code(first.rule))
    return replace(first, effect=PolicyEffect.DENY, reason=context.language.say("delayed.admins"))


def _judge(context: TurnContext, schedule: Schedule, confirmed: frozenset[str]) -> Verdict:
    """Return the policies' verdict on repeating."""
    interaction = replace(context.runner.interaction, schedule=schedule)
    past = context.runner.history.before(interaction)
    [verdict] = context.assistant.policy.validate(
        ToolCall(action=CREATE), interaction, past, confirmed=confirmed
    )
    return verdict


async def _async_is_admin(context: TurnContext) -> bool:
    """Return whether the speaker is an administrator."""
    if context.user_id is None:
        return False
    user = await context.assistant.hass.auth.async_get_user(context.user_id)
    return user is not None and user.is_active and user.is_admin


def agreed_parts(question: AskUser) -> tuple[DelayedPart, ...] | None:
    """Return what a command came to that is to be repeated, where a question was about that; None for any other.

    It may have been stored, and is not trusted.
    """
    kept = question.data.get(_PARTS)
    if question.param != CONFIRM or not isinstance(kept, list):
        return None
    try:
        return tuple(map(DelayedPart.model_validate, kept))
    except ValidationError:
        return ()


async def async_repeat(
    context: TurnContext,
    request: AgentRequest,
    commands: Sequence[DelayedCommand],
    slots: Mapping[str, Any],
    undone: Sequence[AgentResult] = (),
    *,
    told: str,
    is_agreed: bool,
) -> AgentResult:
    """Ask whether the commands of a sentence are to be repeated; where that was agreed to, keep them all.

    `slots` are those that they were planned from: they are kept with the question. `undone` are the answers that
    say what of them cannot be done, `told` are the sentences that say what is planned. Nothing is kept where an
    automation cannot be written.
    """
    rules = dict.fromkeys(rule for command in commands for rule in command.rules)
    confirmed = frozenset(rules)
    for command in commands:
        verdict = await async_may_repeat(context, command.schedule)
        if verdict.effect is PolicyEffect.DENY:
            return AgentResult(success=False, content=verdict.reason)
        if verdict.needs_code:
            return AgentResult(success=False, content=request.language.say("pin.later"))
        confirmed |= {verdict.rule}
    if is_agreed:
        return await _async_keep(context, request, commands, confirmed, told)
    replaced = replaced_by(context, slots)
    key = "delayed.repeat_several" if len(commands) > 1 else "delayed.repeat"
    key = "delayed.change" if replaced and replaced.is_repeated else key
    asked = request.language.say(key, plan=told)
    question = AskUser(
        param=CONFIRM,
        prompt=compose_undone(request.language, [asked], undone),
        data={**slots, _PARTS: [part.as_json() for part in commands[0].parts]},
        rules=tuple(rules),
    )
    return AgentResult(success=True, content=question.prompt, question=question)


async def _async_keep(
    context: TurnContext,
    request: AgentRequest,
    commands: Sequence[DelayedCommand],
    confirmed: frozenset[str],
    told: str,
) -> AgentResult:
    """Keep commands and write their automations, all or none, unless a policy is against it or this is a dry run."""
    delayed = context.assistant.delayed
    ids = [command.id for command in commands]

    async def do() -> bool:
        for command in commands:
            # First: the automation may run at any moment.
            await delayed.async_add(command)
            try:
                await async_write_repeated(context, command)
            except AutomationError as err:
                _LOGGER.warning("No automation was written: %s", err)
                # With a command its automation goes.
                await delayed.async_cancel(ids)
                return False
        context.record.delayed_ids += ids
        return True

    plan = Plan(intent_id=CREATE, agent_id=DELAY_AGENT_ID, steps=(ToolCall(action=CREATE),))
    execution = await request.runner.async_hand_over(plan, do, confirmed=confirmed)
    if delayed.get(ids[0]) is None:
        if execution.results and execution.ok:
            return AgentResult(success=False, content=request.language.say("delayed.no_automation"))
        return build_answer(request, execution)
    execution.mark_responded()
    return AgentResult(
        success=True,
        content=told,
        plan=plan,
        results=tuple(execution.results),
    )


async def async_write_repeated(context: TurnContext, command: DelayedCommand) -> str:
    """Write the automation of a command that is kept; return its entity id.

    It is named by what it does and when, in the language of who gave the command. The words that were said are in it
    only where the panel may show them to everybody.

    Raises:
        AutomationError: it cannot be written, and nothing is changed.
    """
    hass, words, now = context.assistant.hass, context.reply_context, dt_util.now()
    when = context.language.schedule(command.schedule, now)
    may_quote = context.assistant.options.telemetry.panel_words == "all"
    said = (command.message or command.said or command.text) if may_quote else ""
    does = describe_planned(words, command.calls)
    name = ", ".join(filter(None, (does or said, when)))
    automation = build_automation(
        command.schedule,
        command.id,
        test=await _async_test(context, command),
        alias=name,
        description=tell_planned(words, command) if does or may_quote else capitalised(name),
        now=now,
    )
    return await async_write_automation(hass, automation)


async def _async_test(context: TurnContext, command: DelayedCommand) -> StateTest | None:
    """Return the test of what a command waits for, None where it waits for nothing, or for no plain state."""
    if (trigger := command.trigger) is None:
        return None
    reader, language = await async_reader_for(context.assistant, command)
    result = read_again(trigger, command.text, reader, language.triggers)
    return state_test(context.assistant.hass, result) if result else None
