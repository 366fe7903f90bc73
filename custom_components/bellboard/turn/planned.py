"""Requests about scheduled commands: to list them, to cancel one, or a question which of several is meant.

Everybody speaks of their own commands for later only.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched, as_dispatched
from ..agents.wording import describe_alert, describe_planned, is_known
from ..const import DELAY_AGENT_ID
from ..dialogue.answers import read_answer
from ..dialogue.choosing import AnswerKind, ReadAnswer
from ..domains.models import ToolCall
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..memory.delayed import AboutDelayed, AboutKind, DelayedCommand, PlansInFocus
from ..memory.models import TaskState
from ..memory.pending import PendingQuestion
from ..nlu.lexicon import Role
from ..nlu.reading import LATER, read_tags
from ..nlu.spans import cover_text
from ..nlu.tokens import tokenise
from ..plans.models import AskUser, Candidate
from ..routing.models import Assignment, Source
from ..when import Once, Schedule
from .context import FollowUp, FollowUpKind, Routed, TurnContext, TurnReply, TurnResult
from .decision import async_understand
from .delayed import serialise_calls
from .dispatch import note_part
from .last_turns import NAMING, runs_timer

PLANNED = "planned"
"""`AskUser.param` of the question which of the commands for later is to be cancelled."""

_DOMAIN = "planned"
# So many words may say that nothing is wanted, before what that is.
_LONGEST_OPENING = 5
# A sentence is split at so many places at most.
_MOST_SPLITS = 6
# Who reads a sentence without a model.
_READ = frozenset({Source.REFLEX, Source.READER})


class _Fit(StrEnum):
    """How a command for later fits what is not to be done: it is just that, or shares a part with it."""

    SAME = "same"
    PART = "part"


@dataclass(frozen=True, slots=True)
class _Own:
    """The speaker's own commands for later, and those of them that the conversation spoke of last."""

    commands: tuple[DelayedCommand, ...]
    spoken: tuple[DelayedCommand, ...]


def is_about_planned(pending: PendingQuestion) -> bool:
    """Return whether a question asks which of the commands for later is to be cancelled."""
    return pending.agent_id == DELAY_AGENT_ID and pending.question.param == PLANNED


async def async_read_about_planned(context: TurnContext) -> AboutDelayed | None:
    """Return the request that a sentence makes about scheduled commands; None where it makes none."""
    own = _own(context)
    kind = context.language.delayed.kind_of(context.text)
    if kind == "ask":
        return AboutDelayed(own.commands, AboutKind.TELL)
    if kind == "cancel":
        return AboutDelayed(own.commands, AboutKind.CANCEL)
    if own.spoken and _takes_back(context, own, kind):
        return _one_of(own.spoken)
    if not own.commands:
        is_none = kind in {"cancel", "plan", "drop"} and not (
            context.asks_to_undo or context.takes_back_last or runs_timer(context)
        )
        return AboutDelayed((), AboutKind.CANCEL) if is_none else None
    if kind == "plan":
        return _one_of(own.spoken or own.commands)
    if context.asks_to_undo:
        return None
    is_dropped = kind in {"drop", "leave"} or context.language.answers.dismisses(
        words_of(context.text)
    )
    if not is_dropped:
        return await async_read_withdrawn(context)
    near = tuple(command for command in own.commands if _is_near(context, command))
    # What was planned elsewhere is not dropped unasked, and not forgotten about either.
    return _one_of(near) if near else AboutDelayed(own.commands, AboutKind.ASK)


def _is_near(context: TurnContext, command: DelayedCommand) -> bool:
    """Return whether a command was given in this conversation, or to what hears the speaker now."""
    user_input = context.user_input
    is_same_device = bool(command.device_id) and command.device_id == user_input.device_id
    return is_same_device or command.conversation_id == user_input.conversation_id


async def async_read_withdrawn(context: TurnContext) -> AboutDelayed | None:
    """Return the scheduled commands that a negated sentence withdraws: "don't open the garage"; None for none."""
    own = _own(context)
    if not own.commands:
        return None
    rest_of = context.language.withdrawing.rest_of
    splits = list(
        dict.fromkeys(rest for said in _after_openings(context) for rest in rest_of(said))
    )
    is_read = False
    for kind, rest in splits[:_MOST_SPLITS]:
        fits = await _async_fits(context, own, rest)
        if about := _read_named(context, own, kind, rest, fits or {}):
            return about
        is_read |= fits is not None
    meant = () if is_read else await _async_perhaps_meant(context, own, splits)
    if not meant:
        return None
    is_said = context.reading.is_later or _keeps(context)
    is_plain = is_said and meant == own.spoken and not _names_anything(context)
    return _one_of(meant) if is_plain else AboutDelayed(meant, AboutKind.ASK)


def _after_openings(context: TurnContext) -> Iterator[str]:
    """Yield a sentence, and what of it follows words that only say that nothing is wanted: "no, leave it"."""
    text, answers = context.text, context.language.answers
    yield text
    for token in tokenise(text)[_LONGEST_OPENING:0:-1]:
        if answers.gives_up(words_of(text[: token.start])):
            yield text[token.start :]


async def _async_perhaps_meant(
    context: TurnContext, own: _Own, splits: Sequence[tuple[str, str]]
) -> tuple[DelayedCommand, ...]:
    """Return the commands that may be meant by a sentence that is no request, and says what is not to be.

    What is to be called off can only be planned. Who says that something stays as it is may have forgotten that it
    will not: of that those are told that are for a thing that is named.
    """
    route = await async_understand(context.assistant, context.user_input)
    parts = route.assignments
    is_called_off = bool(splits) and all(kind == "cancel" for kind, _ in splits)
    if is_called_off and len(parts) == 1 and not _is_read(parts):
        return own.commands
    is_put_back = context.focus.just_planned and all(command.before for command in own.spoken)
    is_kept = is_put_back and _keeps(context)
    if not is_kept and not any(
        part.topic == "keep" or part.decline == "decline.negation" for part in parts
    ):
        return ()
    if context.focus.just_planned and not _names_anything(context):
        return own.spoken
    found = context.catalog.all_names.find(words_of(context.text))
    named = {each for match in found for each in match.meanings}
    return tuple(
        command
        for command in own.commands
        for call in command.calls
        if any(context.catalog.entities.get(target) in named for target in call.targets)
    )


def _keeps(context: TurnContext) -> bool:
    """Return whether a sentence says that things are left as they are."""
    return any(read_tags(said, context.language).keeps for said in _after_openings(context))


def _names_anything(context: TurnContext) -> bool:
    """Return whether a sentence says what it is for, or where that is."""
    return any(
        sense.role in NAMING for s in cover_text(context.text, context.house) for sense in s.senses
    )


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
    reply = _read_which(context, pending, commands, context.text)
    if not reply.targets:
        rests = [rest for _, rest in context.language.withdrawing.rest_of(context.text)]
        replies = [_read_which(context, pending, commands, rest) for rest in rests]
        reply = next((each for each in replies if each.targets), reply)
    if reply.targets:
        return replace(follow_up, targets=reply.targets)
    if reply.kind in {AnswerKind.CANCELED, AnswerKind.NO}:
        return replace(follow_up, kind=FollowUpKind.DISMISSED, reply="again.canceled")
    if context.asks_to_undo or reply.kind is AnswerKind.ANOTHER or await _async_is_read(context):
        return replace(follow_up, kind=FollowUpKind.NEW_REQUEST)
    if pending.asked >= context.assistant.options.memory.max_clarifications:
        return replace(
            follow_up, kind=FollowUpKind.DISMISSED, reply="delayed.kept", state=TaskState.FAILED
        )
    return replace(follow_up, kind=FollowUpKind.AGAIN, pending=pending.asked_again(reply.possible))


def chosen_planned(context: TurnContext, follow_up: FollowUp) -> AboutDelayed:
    """Return the commands that were chosen to be cancelled, of those that still wait."""
    own = _own(context).commands
    chosen = tuple(command for command in own if _key(command) in follow_up.targets)
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
    language, delayed = context.language, context.assistant.delayed
    commands: Sequence[DelayedCommand] = about.commands
    if commands and about.kind is AboutKind.CANCEL and not context.dry_run:
        commands = await delayed.async_cancel(command.id for command in commands)
    if not commands:
        return AgentResult(success=True, content=language.say("delayed.none"))
    match about.kind:
        case AboutKind.CANCEL:
            return AgentResult(success=True, content=_say_canceled(context, commands))
        case AboutKind.TELL:
            told = "; ".join(_item(context, command) for command in commands)
            return AgentResult(success=True, content=language.say("delayed.planned", items=told))
        case AboutKind.ASK:
            question = _question(context, commands)
            return AgentResult(success=True, content=question.prompt, question=question)


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


def _own(context: TurnContext) -> _Own:
    """Return the speaker's own commands for later, the next one first."""
    waiting = context.assistant.delayed.waiting
    own = tuple(command for command in waiting if context.caller.owns(command.user_id))
    return _Own(own, tuple(command for command in own if command.id in context.focus.ids))


def _takes_back(context: TurnContext, own: _Own, kind: str | None) -> bool:
    """Return whether a sentence names nothing and takes back what was just planned or told."""
    answers, words, focus = context.language.answers, words_of(context.text), context.focus
    if focus.just_planned and answers.gives_up(words):
        return True
    if context.asks_to_undo:
        return focus.just_planned or len(own.spoken) == 1
    return kind in {"drop", "leave", "plan"} or answers.dismisses(words)


def _one_of(commands: tuple[DelayedCommand, ...]) -> AboutDelayed:
    """Return that the only command is cancelled, or that it is asked which of several is."""
    return AboutDelayed(commands, AboutKind.CANCEL if len(commands) == 1 else AboutKind.ASK)


def _read_named(
    context: TurnContext, own: _Own, kind: str, rest: str, fits: Mapping[str, _Fit]
) -> AboutDelayed | None:
    """Return which commands some words name that are not to be done: as they fit, or else by their names."""
    if same := tuple(c for c in own.commands if fits.get(c.id) is _Fit.SAME):
        return AboutDelayed(same, AboutKind.CANCEL)
    if shared := tuple(c for c in own.commands if c.id in fits):
        return AboutDelayed(shared, AboutKind.ASK)
    if kind != "cancel":
        return None
    asked = PendingQuestion(DELAY_AGENT_ID, _question(context, own.commands))
    reply = _read_which(context, asked, own.commands, rest)
    named = tuple(c for c in own.commands if _key(c) in (reply.targets or reply.possible))
    if not named:
        return None
    return AboutDelayed(named, AboutKind.CANCEL if reply.targets else AboutKind.ASK)


async def _async_fits(context: TurnContext, own: _Own, rest: str) -> dict[str, _Fit] | None:
    """Return how those commands fit a request that do, by their ids; None where it is not read without a model."""
    found: dict[str, _Fit] | None = None
    # "Don't turn it off later"
    now = " ".join(context.language.guards[LATER].sub(" ", rest).split())
    texts = (each for said in (rest, now) for each in (said, _with_names(context, own, said)))
    for text in dict.fromkeys(filter(None, texts)):
        if not await _async_is_read(context.with_text(text)):
            continue
        # In a conversation of its own: an open question is not answered by it.
        user_input = replace(context.user_input, text=text, conversation_id=ulid_now())
        tried = await context.async_dry_run(user_input)
        fits = {command.id: _fit(command, text, tried) for command in own.commands}
        if found := {id_: fit for id_, fit in fits.items() if fit}:
            break
    return found


async def _async_is_read(context: TurnContext) -> bool:
    """Return whether a sentence is a request that is understood without a model."""
    route = await async_understand(context.assistant, context.user_input)
    return _is_read(route.assignments)


def _is_read(parts: Sequence[Assignment]) -> bool:
    """Return whether all parts of a sentence are requests that are understood without a model."""
    return all(part.intent and part.source in _READ for part in parts)


def _with_names(context: TurnContext, own: _Own, rest: str) -> str:
    """Return words with the name of the only thing that is planned in the place of a pronoun: "open it"."""
    lexicon, commands = context.language.lexicon, own.spoken or own.commands
    targets = {t for c in commands for call in c.calls for t in call.targets}
    found = [e for target in targets if (e := context.catalog.entities.get(target))]
    is_named = any(span.has(Role.NAME) for span in cover_text(rest, context.house))
    if len(found) != 1 or is_named:
        # "Die" is an article beside a name.
        return rest
    words = []
    for token in tokenise(rest):
        senses = lexicon.senses((token.word,))
        is_it = any(sense.role is Role.PRONOUN for sense in senses)
        words.append(found[0].name if is_it else rest[token.start : token.end])
    return " ".join(words)


def _fit(command: DelayedCommand, text: str, tried: TurnResult) -> _Fit | None:
    """Return how a command fits a request, and what that would come to."""
    if words_of(text) == words_of(command.said or command.text):
        return _Fit.SAME
    asked = [answer.question for answer in tried.answers if answer.question]
    calls = [*tried.dry_run_calls, *(call for question in asked for call in question.calls)]
    if fit := _fit_of_calls(command.calls, calls):
        return fit
    return _Fit.SAME if any(_may_be(command, question) for question in asked) else None


def _fit_of_calls(planned: Sequence[ToolCall], calls: Sequence[ToolCall]) -> _Fit | None:
    """Return how calls that are planned fit others."""
    wanted, own = _reached(calls), _reached(planned)
    if own and own <= wanted:
        return _Fit.SAME if all(map(is_known, planned)) else _Fit.PART
    acted_on = {(action, target) for action, target, _ in wanted if target}
    return _Fit.PART if any((action, target) in acted_on for action, target, _ in own) else None


def _reached(calls: Sequence[ToolCall]) -> set[tuple[str, str, str]]:
    """Return what calls do to each of their targets, with their data as text."""
    return {
        (call.action, target, serialise_calls([call.model_copy(update=_SAME_FOR_ALL)])[0])
        for call in calls
        for target in call.targets or ("",)
    }


_SAME_FOR_ALL = {"targets": (), "label": "", "assumed": False, "habit": ""}


def _may_be(command: DelayedCommand, question: AskUser) -> bool:
    """Return whether a command is one of what a question asks about: the same action for one of its candidates."""
    actions = {action.name for action in question.half_made}
    candidates = {candidate.entity_id for candidate in question.candidates}
    return bool(command.calls) and all(
        bool(call.targets) and _is_named(call, actions) and candidates.issuperset(call.targets)
        for call in command.calls
    )


def _is_named(call: ToolCall, actions: Collection[str]) -> bool:
    """Return whether a call is of one of some actions: "open" is that of the service `open_cover`, too."""
    service = call.action.partition(".")[2]
    return any(service == name or service.startswith(f"{name}_") for name in actions)


def _question(context: TurnContext, commands: Sequence[DelayedCommand]) -> AskUser:
    """Return the question which of several commands is to be cancelled, or whether the only one is."""
    language = context.language
    candidates = tuple(Candidate(entity_id=_key(c), name=_words(context, c)) for c in commands)
    if len(commands) == 1:
        prompt = language.say("delayed.whether", item=_item(context, commands[0]))
    else:
        items = language.join((_item(context, command) for command in commands), "or")
        prompt = language.say("delayed.which", items=items)
    return AskUser(param=PLANNED, prompt=prompt, candidates=candidates)


def _read_which(
    context: TurnContext,
    pending: PendingQuestion,
    commands: Collection[DelayedCommand],
    text: str,
) -> ReadAnswer:
    """Return which commands some words mean, by the names of what they are for, or by their order."""
    catalog = Catalog(
        entities={_key(command): _as_entity(context, command) for command in commands},
        areas=context.catalog.areas,
        floors=context.catalog.floors,
    )
    return read_answer(text, pending, catalog, context.language)


def _as_entity(context: TurnContext, command: DelayedCommand) -> CatalogEntity:
    """Return a command as something that can be named: by what it is for, where that is, and its own words."""
    targets = dict.fromkeys(target for call in command.calls for target in call.targets)
    found = [e for target in targets if (e := context.catalog.entities.get(target))]
    areas, floors = {e.area_id for e in found}, {e.floor_id for e in found}
    return CatalogEntity(
        entity_id=_key(command),
        names=(_words(context, command), *dict.fromkeys(name for e in found for name in e.names)),
        area_id=areas.pop() if len(areas) == 1 else None,
        floor_id=floors.pop() if len(floors) == 1 else None,
        device_class=None,
    )


def _asked_about(context: TurnContext, pending: PendingQuestion) -> tuple[DelayedCommand, ...]:
    """Return the speaker's commands that a question asks about and that still wait."""
    own = _own(context).commands
    return tuple(command for command in own if _key(command) in pending.order)


def _key(command: DelayedCommand) -> str:
    """Return the id of a command as a candidate of a question."""
    return f"{_DOMAIN}.{command.id}"


def _say_canceled(context: TurnContext, commands: Sequence[DelayedCommand]) -> str:
    """Return the sentence that commands will not be carried out, and what they would have done."""
    items = list(dict.fromkeys(_words(context, command) for command in commands))
    if len(items) == 1 and _actions(context, commands[0]):
        return context.language.say("delayed.canceled", actions=items[0])
    return context.language.say("delayed.dropped", items=context.language.join(items))


def _item(context: TurnContext, command: DelayedCommand) -> str:
    """Return what a command will do, and when."""
    when = context.language.schedule(_as_told_now(context, command), dt_util.now())
    return context.language.say("delayed.item", command=_words(context, command), when=when)


def _as_told_now(context: TurnContext, command: DelayedCommand) -> Schedule:
    """Return when a command is due as it is told now: of what is to be in a while, how long it still is."""
    if command.is_by_clock or command.trigger or command.is_repeated:
        return command.schedule
    left = max(1.0, context.assistant.delayed.seconds_left(command))
    start = Once(at=command.due, seconds=left)
    return command.schedule.model_copy(update={"start": start})


def _words(context: TurnContext, command: DelayedCommand) -> str:
    """Return what a command will do, or the words it was given in."""
    told = _actions(context, command) or describe_alert(context.language, command)
    return told or command.said or command.text


def _actions(context: TurnContext, command: DelayedCommand) -> str:
    """Return what a command will do, "" where that is known in its own words only."""
    return describe_planned(context.reply_context, command.calls)
