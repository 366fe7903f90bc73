"""Sentences that take back what is planned: "don't open the garage", "forget the lamp", "cancel the alarm".

Everybody takes back their own commands for later only.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import islice
import re

from homeassistant.util.ulid import ulid_now

from ..agents.wording import is_known
from ..const import DELAY_AGENT_ID
from ..domains.models import ToolCall
from ..home.names import words_of
from ..memory.delayed import AboutDelayed, AboutKind, DelayedCommand
from ..memory.pending import PendingQuestion
from ..nlu.lexicon import NAMING, Role
from ..nlu.moments import heard_times, read_schedule
from ..nlu.reading import CONDITION, LATER, read_tags
from ..nlu.remarks import after_statements, before_statements, opens_remark, without_remarks
from ..nlu.replacing import changes_nothing, without_instead
from ..nlu.spans import cover_text
from ..nlu.tokens import tokenise, without_first
from ..plans.models import AskUser
from ..routing.models import Assignment, Source
from .context import TurnContext
from .decision import async_understand
from .delayed import serialise_calls
from .given_up import after_openings
from .moved import read_moved, tells_of_day
from .named_plans import NamedPlans, OwnPlans, own_plans, read_named_plans
from .otherwise_timed import says_otherwise
from .plan_wording import ask_which, plan_key, read_which, things_of
from .stages import TurnResult

# A sentence is split at so many places at most.
_MOST_SPLITS = 6
# What says of anything that it is not to be done, in words that say nothing else.
_STRICT = frozenset({"cancel", "dont"})
# What says so only of what is done: "stop turning on the lamp", but "stop the lamp".
_OF_DOING = "quit"
# Who reads a sentence without a model.
_READ = frozenset({Source.REFLEX, Source.READER})
# Kinds of sentences that take back what was planned, and of those that name what of it.
_TAKING_BACK = frozenset({"cancel", "drop", "leave", "plan", "strike"})
_LESSENING = frozenset({"cancel", "drop", "dont", "leave"})
# Kinds of those that say nothing but that.
_CALLED_OFF = frozenset({"cancel", "drop"})
_EDGES = " ,;.!"
_MARKS = re.compile("[,;.!]")
_SAME_FOR_ALL = {"targets": (), "label": "", "assumed": False, "habit": ""}


class _Fit(StrEnum):
    """How a command for later fits what is not to be done: it is just that, or shares a part with it."""

    SAME = "same"
    PART = "part"


async def async_read_withdrawn(context: TurnContext) -> AboutDelayed | None:
    """Return the scheduled commands that a negated sentence withdraws: "don't open the garage"; None for none."""
    own = own_plans(context)
    if not own.commands:
        return None
    rest_of = context.language.withdrawing.rest_of
    splits = list(
        dict.fromkeys(
            (kind, rest)
            for said in _sayings(context)
            for kind, rest in rest_of(said)
            if not (kind == "stop" and _is_asked(context, rest))
        )
    )
    named = [(kind, _named(context, own, kind, rest)) for kind, rest in splits if kind != _OF_DOING]
    if about := _read_nouns(own, named):
        return about
    if not context.before_last and _names_none(named):
        return AboutDelayed((), AboutKind.CANCEL)
    is_read = False
    said = _STRICT | ({_OF_DOING} if context.reading.is_negated else set())
    strict = [(kind, rest) for kind, rest in splits if kind in said]
    for kind, rest in strict[:_MOST_SPLITS]:
        fits = await _async_fits(context, own, rest)
        if about := _read_named(context, own, kind, rest, fits or {}):
            return about
        is_read |= fits is not None
    if about := _read_nouns(own, named, acts=True):
        return about
    if is_read:
        return await _async_still(context, own)
    return await _async_perhaps_meant(context, own, strict)


def _sayings(context: TurnContext) -> Iterator[str]:
    """Yield a sentence, and what of it follows words that say nothing else, or only that nothing is wanted."""
    yield context.text
    if not context.reading.is_negated:
        yield without_instead(context.text, context.language.lexicon)
    yield from after_openings(context)


def _named(context: TurnContext, own: OwnPlans, kind: str, rest: str) -> NamedPlans | None:
    """Return the commands that words name; of what is called off, words that nothing explains say nothing more."""
    is_loose = kind in _CALLED_OFF and not context.reading.is_negated
    named = read_named_plans(context, own.commands, rest)
    return named or (
        read_named_plans(context, own.commands, rest, is_loose=True) if is_loose else None
    )


def without_reason(context: TurnContext) -> TurnContext:
    """Return the context of a sentence that takes back what was planned without why: "cancel it, we're staying in"."""
    own, text, house = own_plans(context), context.text, context.house
    if not own.spoken or _takes_back(context, own, text):
        return context
    tells_of_days = any(tells_of_day(context, each) for each in _pieces(text)[1:])
    if says_otherwise(context) or (read_moved(context) and not tells_of_days):
        return context
    answers = context.language.answers
    said = islice(before_statements(text, house), _MOST_SPLITS)
    told = islice(after_statements(text, context.language), _MOST_SPLITS)
    # "The reading lamp, not the floor lamp" tells nothing.
    behind = (rest for said_before, rest in told if not _names(context, said_before))
    for rest in (*without_remarks(text, context.language, house), *said, *behind):
        is_other = rest not in {"", text} and _only_tells(context, rest)
        # "Oh, forget the door": what only begins to speak is in no list.
        for each in dict.fromkeys((rest, without_instead(rest, house.lexicon))) if is_other else ():
            words = words_of(each)
            is_back = answers.gives_up(words) or answers.dismisses(words)
            if each and (is_back or _takes_back(context, own, each)):
                return context.with_text(each)
    return context


def _takes_back(context: TurnContext, own: OwnPlans, text: str) -> bool:
    """Return whether a text takes back what was planned, or something of it that it names."""
    if context.language.delayed.kind_of(text) in _TAKING_BACK:
        return True
    named = (
        _named(context, own, kind, rest)
        for kind, rest in context.language.withdrawing.rest_of(text)
        if kind in _LESSENING
    )
    return any(each and each.commands and each.is_plain for each in named)


def _only_tells(context: TurnContext, rest: str) -> bool:
    """Return whether what a sentence says beside a part of it is no other time, and nothing to be waited for."""
    before, _, after = context.text.partition(rest)
    waits = context.language.guards[CONDITION].search
    return not waits(after) and all(_tells_no_time(context, said) for said in (before, after))


def _tells_no_time(context: TurnContext, said: str) -> bool:
    """Return whether words tell something and change nothing: no other time, but of what only tells why.

    Behind a mark there may be more than that: "no, the film is longer, make it half past ten".
    """
    lexicon, all_pieces = context.language.lexicon, _pieces(said)
    # "Forget it, tomorrow I want to sleep in" is for no other day.
    pieces = [each for each in all_pieces if not _tells_apart_of_day(context, each)]
    changed = (said, *pieces) if len(pieces) == len(all_pieces) else pieces
    if not all(changes_nothing(each, lexicon) for each in changed):
        return False
    clock, house = context.assistant.clock, context.house
    return all(
        heard_times(each, clock, house).is_empty or opens_remark(each, house) for each in pieces
    )


def _tells_apart_of_day(context: TurnContext, piece: str) -> bool:
    """Return whether words behind a mark tell what is on a day; "leave it off at weekends though" has none."""
    before = context.text.partition(piece)[0].rstrip()
    return before.endswith((",", ";", ".", "!")) and tells_of_day(context, piece)


def _pieces(text: str) -> list[str]:
    """Return what stands between the marks of a text."""
    return [piece for each in _MARKS.split(text) if (piece := each.strip(_EDGES))]


def _is_asked(context: TurnContext, rest: str) -> bool:
    """Return whether words begin a question: "para cuándo" stops nothing."""
    return without_first(tokenise(rest), context.language.reminders.questions)[1]


def _read_nouns(
    own: OwnPlans, named_by_kind: Iterable[tuple[str, NamedPlans | None]], *, acts: bool = False
) -> AboutDelayed | None:
    """Return the commands that words name which are not to be carried out; with `acts` also by what is done.

    What is left as it is may have been said of now, unless it was spoken of.
    """
    for kind, named in named_by_kind:
        if not named or not named.commands or (named.acts and not (acts and named.is_plain)):
            continue
        if kind == "stop" and not named.is_called:
            continue
        is_sure = len(named.commands) == 1 or named.is_all
        is_spoken = kind != "leave" or all(each in own.spoken for each in named.commands)
        is_whole = not named.is_part and not (kind == "cancel" and named.is_more)
        is_plain = is_sure and is_spoken and is_whole
        return AboutDelayed(named.commands, AboutKind.CANCEL if is_plain else AboutKind.ASK)
    return None


def _names_none(named_by_kind: Iterable[tuple[str, NamedPlans | None]]) -> bool:
    """Return whether words name only what nothing is planned for, and say that it is not to be."""
    return any(
        named and not named.commands and not named.acts and (named.is_called or kind in _STRICT)
        for kind, named in named_by_kind
        if kind != "stop"
    )


async def _async_perhaps_meant(
    context: TurnContext, own: OwnPlans, splits: Sequence[tuple[str, str]]
) -> AboutDelayed | None:
    """Return the commands that may be meant by a sentence that is no request, and says what is not to be.

    What is to be called off can only be planned. Who says that something stays as it is may have forgotten that it
    will not: of that those are told that are for a thing that is named. Right after a plan it is said that it stays.
    """
    route = await async_understand(context.assistant, context.user_input)
    parts = route.assignments
    is_called_off = bool(splits) and all(kind == "cancel" for kind, _ in splits)
    if is_called_off and len(parts) == 1 and not _is_read(parts):
        return _perhaps(context, own, own.commands)
    is_put_back = bool(own.spoken) and all(command.before for command in own.spoken)
    is_kept = is_put_back and _keeps(context)
    if not is_kept and not any(
        part.topic == "keep" or part.decline == "decline.negation" for part in parts
    ):
        return None
    if own.spoken and not _names_anything(context):
        return _perhaps(context, own, own.spoken)
    named = read_named_plans(context, own.commands, context.text, by_acts=False)
    if named and named.commands:
        return _perhaps(context, own, named.commands)
    return _still(context, own)


async def _async_still(context: TurnContext, own: OwnPlans) -> AboutDelayed | None:
    """Return that it stays planned, right after a plan, where a sentence is refused that may be about it."""
    if not context.reading.refers and _names_anything(context):
        return None
    route = await async_understand(context.assistant, context.user_input)
    is_refused = all(part.decline == "decline.negation" for part in route.assignments)
    return _still(context, own) if is_refused else None


def _still(context: TurnContext, own: OwnPlans) -> AboutDelayed | None:
    """Return that what is spoken of stays planned, where that was planned just before."""
    is_just = bool(own.spoken) and context.focus.just_planned
    return AboutDelayed(own.spoken, AboutKind.STILL) if is_just else None


def _perhaps(
    context: TurnContext, own: OwnPlans, meant: tuple[DelayedCommand, ...]
) -> AboutDelayed:
    """Return that commands may be meant, and are where they were spoken of and nothing else is named."""
    is_said = context.reading.is_later or _keeps(context)
    is_plain = is_said and meant == own.spoken and not _names_anything(context)
    return one_of(meant) if is_plain else AboutDelayed(meant, AboutKind.ASK)


def _keeps(context: TurnContext) -> bool:
    """Return whether a sentence says that things are left as they are."""
    return any(
        read_tags(said, context.language).keeps for said in (context.text, *after_openings(context))
    )


def _names_anything(context: TurnContext) -> bool:
    """Return whether a sentence says what it is for, or where that is."""
    return _names(context, context.text)


def _names(context: TurnContext, text: str) -> bool:
    """Return whether a text is all words that are known, and has some for things or places: no "guests cancelled"."""
    naming = NAMING - {Role.NAME_WORD}
    spans = cover_text(text, context.house)
    return any(span.has_any(naming) for span in spans) and all(span.senses for span in spans)


def _read_named(
    context: TurnContext, own: OwnPlans, kind: str, rest: str, fits: Mapping[str, _Fit]
) -> AboutDelayed | None:
    """Return which commands some words name that are not to be done: as they fit, or else by their names."""
    if same := tuple(c for c in own.commands if fits.get(c.id) is _Fit.SAME):
        return AboutDelayed(same, AboutKind.CANCEL)
    if shared := tuple(c for c in own.commands if c.id in fits):
        return AboutDelayed(shared, AboutKind.ASK)
    if kind != "cancel":
        return None
    asked = PendingQuestion(DELAY_AGENT_ID, ask_which(context, own.commands))
    reply = read_which(context, asked, own.commands, rest)
    named = tuple(c for c in own.commands if plan_key(c) in (reply.targets or reply.possible))
    if not named:
        return None
    return AboutDelayed(named, AboutKind.CANCEL if reply.targets else AboutKind.ASK)


async def _async_fits(context: TurnContext, own: OwnPlans, rest: str) -> dict[str, _Fit] | None:
    """Return how those commands fit a request that do, by their ids; None where it is not read without a model."""
    found: dict[str, _Fit] | None = None
    # "Don't turn it off later"
    now = " ".join(context.language.guards[LATER].sub(" ", rest).split())
    house = context.house
    timed = read_schedule(rest, house.lexicon, context.assistant.clock, house)
    plain = timed.command if timed else ""
    texts = (
        each for said in (rest, now, plain) for each in (said, _with_names(context, own, said))
    )
    for text in dict.fromkeys(filter(None, texts)):
        if not await async_is_read(context.with_text(text)):
            continue
        # In a conversation of its own: an open question is not answered by it.
        user_input = replace(context.user_input, text=text, conversation_id=ulid_now())
        tried = await context.async_dry_run(user_input)
        fits = {command.id: _fit(command, text, tried) for command in own.commands}
        if found := {id_: fit for id_, fit in fits.items() if fit}:
            break
    return found


def _with_names(context: TurnContext, own: OwnPlans, rest: str) -> str:
    """Return words with the name of the only thing that is planned in the place of a pronoun: "open it"."""
    lexicon, commands = context.language.lexicon, own.spoken or own.commands
    found = things_of(context, commands)
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


async def async_is_read(context: TurnContext) -> bool:
    """Return whether a sentence is a request that is understood without a model."""
    route = await async_understand(context.assistant, context.user_input)
    return _is_read(route.assignments)


def _is_read(parts: Sequence[Assignment]) -> bool:
    """Return whether all parts of a sentence are requests that are understood without a model."""
    return all(part.intent and part.source in _READ for part in parts)


def one_of(commands: tuple[DelayedCommand, ...]) -> AboutDelayed:
    """Return that the only command is cancelled, or that it is asked which of several is."""
    return AboutDelayed(commands, AboutKind.CANCEL if len(commands) == 1 else AboutKind.ASK)
