"""Requests about scheduled commands: to list them, to cancel one, or a question which of several is meant.

Everybody speaks of their own commands for later only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched, as_dispatched
from ..const import DELAY_AGENT_ID
from ..dialogue.choosing import AnswerKind
from ..home.names import words_of
from ..memory.delayed import AboutDelayed, AboutKind, DelayedCommand, PlansInFocus
from ..memory.models import TaskState
from ..memory.pending import PendingQuestion
from ..nlu.lexicon import Role
from ..nlu.reading import read_tags
from ..nlu.remarks import without_prefaces
from ..nlu.replacing import without_instead
from ..nlu.tokens import MAX_COMMAND, tokenise
from ..routing.models import Assignment, Source
from .context import TurnContext
from .dispatch import note_part
from .last_turns import runs_timer
from .named_plans import (
    OF_TIMES,
    NamedPlans,
    OwnPlans,
    asked_when,
    awaited_otherwise,
    own_plans,
    read_named_plans,
)
from .narrowed import narrowed_plan
from .plan_wording import PLANNED, ask_which, plan_key, read_which, say_canceled, tell_plan
from .stages import FollowUp, FollowUpKind, Routed, TurnReply
from .withdrawn import async_is_read, async_read_withdrawn, one_of

_MOST_TOLD = 5
# Kinds of questions about what is planned.
_ASKING = frozenset({"ask", "recall"})


def is_about_planned(pending: PendingQuestion) -> bool:
    """Return whether a question asks which of the commands for later is to be cancelled."""
    return pending.agent_id == DELAY_AGENT_ID and pending.question.param == PLANNED


async def async_read_about_planned(context: TurnContext) -> AboutDelayed | None:
    """Return the request that a sentence makes about scheduled commands; None where it makes none."""
    own = own_plans(context)
    kind = context.language.delayed.kind_of(context.text) or _kind_behind_and(context)
    if kind == "ask":
        return AboutDelayed(own.commands, AboutKind.TELL)
    if kind == "recall" and (recalled := _recalled(context, own)):
        return recalled
    if kind == "cancel":
        return AboutDelayed(own.commands, AboutKind.CANCEL)
    if awaited := awaited_otherwise(context):
        return AboutDelayed(awaited, AboutKind.OTHERWISE)
    if own.spoken and (narrowed_plan(context) or _takes_back(context, own, kind)):
        return one_of(own.spoken)
    if asked := await _async_asked(context, own):
        return asked
    if not own.commands:
        if context.asks_to_undo or context.takes_back_last or runs_timer(context):
            return None
        is_none = kind in {"cancel", "plan", "drop"} or await _async_takes_back_called(context)
        return AboutDelayed((), AboutKind.CANCEL) if is_none else None
    if kind == "plan":
        return one_of(own.spoken or own.commands)
    if context.asks_to_undo:
        return None
    is_dropped = kind in {"drop", "leave"} or context.language.answers.dismisses(
        words_of(context.text)
    )
    if not is_dropped:
        return await async_read_withdrawn(context)
    near = tuple(command for command in own.commands if _is_near(context, command))
    # What was planned elsewhere is not dropped unasked, and not forgotten about either.
    return one_of(near) if near else AboutDelayed(own.commands, AboutKind.ASK)


def _recalled(context: TurnContext, own: OwnPlans) -> AboutDelayed | None:
    """Return what was spoken of, to be told when it is; that there is nothing where it was just not planned."""
    if own.spoken:
        return AboutDelayed(own.spoken, AboutKind.WHEN)
    is_none = not own.commands and _was_not_planned(context)
    return AboutDelayed((), AboutKind.TELL) if is_none else None


def _was_not_planned(context: TurnContext) -> bool:
    """Return whether the turn before was for later, and came to nothing."""
    last = context.turns[-1] if context.turns else None
    if last is None or not (last.failed and last.said):
        return False
    return read_tags(last.said, context.language).is_deferred and not runs_timer(context)


def _without_and(context: TurnContext) -> str:
    """Return a sentence without a word like "and" that it begins with, "" where it begins with none."""
    tokens = tokenise(context.text)[:2]
    senses = context.language.lexicon.senses((tokens[0].word,)) if len(tokens) > 1 else ()
    is_joined = any(sense.role is Role.AND for sense in senses)
    return context.text[tokens[1].start :] if is_joined else ""


def _asked_texts(context: TurnContext) -> Iterator[str]:
    """Yield a sentence without words that a question may begin with and that ask nothing: "and", "look", "oh yes"."""
    text, lexicon = context.text, context.language.lexicon
    if len(text) > MAX_COMMAND:
        return
    others = [
        _without_and(context),
        without_prefaces(text, lexicon),
        without_instead(text, lexicon),
    ]
    if "?" in text:
        # "Remind me, what did I ask for tomorrow?"
        others.append(text.partition(",")[2].strip())
    yield from (each for each in dict.fromkeys(others) if each and each != text)


def _kind_behind_and(context: TurnContext) -> str | None:
    """Return the kind of a question that begins with a word like "and", None for any other sentence."""
    kinds = (context.language.delayed.kind_of(each) for each in _asked_texts(context))
    return next((kind for kind in kinds if kind in _ASKING), None)


def _is_near(context: TurnContext, command: DelayedCommand) -> bool:
    """Return whether a command was given in this conversation, or to what hears the speaker now."""
    user_input = context.user_input
    is_same_device = bool(command.device_id) and command.device_id == user_input.device_id
    return is_same_device or command.conversation_id == user_input.conversation_id


async def _async_asked(context: TurnContext, own: OwnPlans) -> AboutDelayed | None:
    """Return the commands that a question is about: "when does the lamp go on", "do I have a reminder"; None for none.

    Of what only a plan is called, and of what is planned for a day or a place, it is also told that there is none.
    """
    if meant := asked_when(context):
        return AboutDelayed(meant, AboutKind.WHEN)
    is_none, asking = False, context.language.asking
    texts = (context.text, *_asked_texts(context))
    for kind, rest in dict.fromkeys(split for each in texts for split in asking.rest_of(each)):
        is_loose = kind in OF_TIMES
        named = read_named_plans(context, own.commands, rest, is_loose=is_loose)
        about = AboutKind.WHEN if is_loose else AboutKind.TELL
        if named is None or (kind == "whether" and not named.is_called):
            continue
        if kind == "happens" and (named.has_things or not named.commands):
            # "What's going on in the kitchen" is of now, and a day may have more in it than plans.
            continue
        commands = _ending(context, own, rest, named) if kind == "lasts" else named.commands
        if commands and (named.is_called or named.has_things or kind in {"day", "happens"}):
            return AboutDelayed(commands, about)
        is_none |= named.is_called or kind == "day"
    if not is_none or await async_is_read(context):
        return None
    return AboutDelayed((), AboutKind.TELL)


def _ending(
    context: TurnContext, own: OwnPlans, rest: str, named: NamedPlans
) -> tuple[DelayedCommand, ...]:
    """Return the commands that end what words say: what is on stays so until it is turned off."""
    if not named.acts:
        return named.commands
    ending = read_named_plans(context, own.commands, rest, by_acts=False, is_loose=True)
    return tuple(c for c in (ending.commands if ending else ()) if c not in named.commands)


async def _async_takes_back_called(context: TurnContext) -> bool:
    """Return whether a sentence takes back what only a plan is called: "cancel the alarm"."""
    if not context.language.plan_names.calls(tokenise(context.text)):
        return False
    splits = context.language.withdrawing.rest_of(context.text)
    named = [
        read_named_plans(context, (), rest) for kind, rest in splits if kind not in {"stop", "quit"}
    ]
    return any(each and each.is_called for each in named) and not await async_is_read(context)


async def async_read_which_planned(context: TurnContext, pending: PendingQuestion) -> FollowUp:
    """Return how a task goes on after what was said to the question which command is to be cancelled."""
    part = Assignment(
        agent_id=DELAY_AGENT_ID,
        instruction=context.text,
        source=Source.PENDING,
        reason="The open question was answered.",
    )
    follow_up = FollowUp(FollowUpKind.CHOSEN, part, pending)
    if (kind := context.language.delayed.kind_of(context.text)) == "ask":
        return replace(follow_up, kind=FollowUpKind.NEW_REQUEST)
    if kind == "cancel" or (kind and len(pending.order) == 1):
        return replace(follow_up, targets=pending.order)
    commands = _asked_about(context, pending)
    reply = read_which(context, pending, commands, context.text)
    if not reply.targets:
        rests = [rest for _, rest in context.language.withdrawing.rest_of(context.text)]
        replies = [read_which(context, pending, commands, rest) for rest in rests]
        reply = next((each for each in replies if each.targets), reply)
    if reply.targets:
        return replace(follow_up, targets=reply.targets)
    named = read_named_plans(context, commands, context.text)
    if named and named.commands and not named.acts:
        return replace(follow_up, targets=tuple(map(plan_key, named.commands)))
    if reply.kind in {AnswerKind.CANCELED, AnswerKind.NO}:
        return replace(follow_up, kind=FollowUpKind.DISMISSED, reply="again.canceled")
    if context.asks_to_undo or reply.kind is AnswerKind.ANOTHER or await async_is_read(context):
        return replace(follow_up, kind=FollowUpKind.NEW_REQUEST)
    if pending.asked >= context.assistant.options.memory.max_clarifications:
        return replace(
            follow_up, kind=FollowUpKind.DISMISSED, reply="delayed.kept", state=TaskState.FAILED
        )
    return replace(follow_up, kind=FollowUpKind.AGAIN, pending=pending.asked_again(reply.possible))


def chosen_planned(context: TurnContext, follow_up: FollowUp) -> AboutDelayed:
    """Return the commands that were chosen to be cancelled, of those that still wait."""
    own = own_plans(context).commands
    chosen = tuple(command for command in own if plan_key(command) in follow_up.targets)
    return AboutDelayed(chosen, AboutKind.CANCEL)


async def async_answer_about_planned(context: TurnContext, about: AboutDelayed) -> Dispatched:
    """Tell which commands wait, cancel them and say so, or ask; nothing is cancelled in a dry run."""
    part = Assignment(
        agent_id=DELAY_AGENT_ID,
        instruction=context.text,
        source=Source.DELAYED,
        reason="It is about what is planned.",
        topic="delayed",
    )
    noted, context = context.at_work(part)
    answer = await _async_answer(context, about)
    return note_part(context, part, noted.answered(as_dispatched(DELAY_AGENT_ID, answer)))


async def _async_answer(context: TurnContext, about: AboutDelayed) -> AgentResult:
    """Return the answer to a sentence about commands for later."""
    delayed = context.assistant.delayed
    commands: Sequence[DelayedCommand] = about.commands
    if commands and about.kind is AboutKind.CANCEL and not context.dry_run:
        commands = await delayed.async_cancel(command.id for command in commands)
    if not commands:
        return AgentResult(success=True, content=_say_none(context))
    match about.kind:
        case AboutKind.CANCEL:
            return AgentResult(success=True, content=say_canceled(context, commands))
        case AboutKind.TELL | AboutKind.WHEN:
            by_clock = about.kind is AboutKind.WHEN
            told = _say_plans(context, "planned", commands, by_clock=by_clock)
            return AgentResult(success=True, content=told)
        case AboutKind.OTHERWISE | AboutKind.STILL:
            return AgentResult(success=False, content=_say_plans(context, about.kind, commands))
        case AboutKind.ASK:
            question = ask_which(context, commands)
            return AgentResult(success=True, content=question.prompt, question=question)


def _say_none(context: TurnContext) -> str:
    """Return that nothing is planned, or nothing that was meant; what is planned is told then, as it stays so."""
    own, language = own_plans(context).commands, context.language
    if not own:
        return language.say("delayed.none")
    told = _say_plans(context, "planned", own[:_MOST_TOLD])
    return f"{language.say('delayed.no_such')} {told}"


def _say_plans(
    context: TurnContext, key: str, commands: Sequence[DelayedCommand], *, by_clock: bool = False
) -> str:
    """Return a reply about plans, by its key, with each of them."""
    items = "; ".join(tell_plan(context, command, by_clock=by_clock) for command in commands)
    return context.language.say(f"delayed.{key}", items=items)


def focus_after(context: TurnContext, routed: Routed, reply: TurnReply) -> PlansInFocus:
    """Return the commands for later that were spoken of last: "cancel that" means them until something else is done."""
    record = context.record
    if record.delayed_ids:
        return PlansInFocus(tuple(record.delayed_ids[-1:]), just_planned=True)
    if isinstance(routed.way, AboutDelayed):
        told = () if routed.way.kind is AboutKind.CANCEL else routed.way.commands
        return PlansInFocus(tuple(command.id for command in told))
    is_other = record.before or reply.state is TaskState.INPUT_REQUIRED
    return PlansInFocus() if is_other else PlansInFocus(context.focus.ids)


def _takes_back(context: TurnContext, own: OwnPlans, kind: str | None) -> bool:
    """Return whether a sentence names nothing and takes back what was just planned or told."""
    answers, words, focus = context.language.answers, words_of(context.text), context.focus
    is_revoked = context.language.undo.kind_of(context.text) == "revoke"
    if focus.just_planned and (is_revoked or answers.gives_up(words)):
        return True
    if context.asks_to_undo:
        return focus.just_planned or len(own.spoken) == 1
    return kind in {"drop", "leave", "plan", "strike"} or answers.dismisses(words)


def _asked_about(context: TurnContext, pending: PendingQuestion) -> tuple[DelayedCommand, ...]:
    """Return the speaker's commands that a question asks about and that still wait."""
    own = own_plans(context).commands
    return tuple(command for command in own if plan_key(command) in pending.order)
