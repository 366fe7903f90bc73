"""Sentences that go on with the last turns: corrections, "it", "there", "and the hall, too", and a value alone."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import takewhile

from homeassistant.components.intent.const import TIMER_DATA

from ..const import DELAY_AGENT_ID
from ..dialogue.references import MAX_AGE, acted_on_before, last_area, last_command, put_out
from ..domains.commands import as_number
from ..domains.registry import action_of_intent, domain_of
from ..memory.turns import RememberedTurn
from ..nlu.clauses import is_filler
from ..nlu.implicit_targets import active_players
from ..nlu.left_on import left_on
from ..nlu.lexicon import HALT, NAMING, Role, Sense
from ..nlu.moments import read_schedule
from ..nlu.reading import read_tags
from ..nlu.references import NOTHING
from ..nlu.segmentation import VALUES
from ..nlu.spans import cover_text
from ..nlu.times import is_said, names_timer
from ..routing.lasting import may_last
from ..routing.models import Assignment
from ..routing.router import RoutedPart, RoutingRequest, declined
from .context import TurnContext
from .decision import ReadParts, async_read_with, async_stands
from .stages import Assigned, Corrected

# Of so many turns the request may be the one that is gone on with: "and in the hall?", "the office?".
_LAST = 3
# What goes on with, or ends, something that has begun; and what is said of two things.
_HALTING = frozenset(
    Sense(Role.VERB, verb) for verb in ("pause", "stop", "stop_cleaning", "resume", HALT)
)
_BOTH = Sense(Role.QUANTITY, "both")


def as_about_timer(context: TurnContext) -> TurnContext:
    """Return the context with the request about a timer that "cancel it" and "how long is left" stand for.

    One runs where the speaker is, and it was spoken of last, or nothing else was.
    """
    lexicon = context.language.lexicon
    words = lexicon.delays
    is_left = is_said(context.text, words.timer_left, lexicon)
    is_off = context.asks_to_undo or is_said(context.text, words.timer_off, lexicon)
    if not (is_left or is_off) or context.focus.ids or not runs_timer(context):
        return context
    turns = [each for each in reversed(context.turns) if each.age(datetime.now(UTC)) <= MAX_AGE]
    last = next((e for e in turns if not is_said(e.said, words.timer_left, lexicon)), None)
    if last is not None and not names_timer(last.said, lexicon):
        return context
    return context.with_text(words.asks_left if is_left else words.cancels)


def runs_timer(context: TurnContext) -> bool:
    """Return whether a timer of Home Assistant's runs where the speaker is, and not for a command."""
    manager = context.assistant.hass.data.get(TIMER_DATA)
    timers = manager.timers.values() if manager else ()
    device_id = context.user_input.device_id
    return any(timer.device_id == device_id and not timer.conversation_command for timer in timers)


async def _async_read(
    context: TurnContext, read: ReadParts, *, yields: bool = True
) -> tuple[Assignment, ...]:
    """Return the parts of the sentence as it is read; () for none, and for what `yields` to a capable model."""

    async def async_read(request: RoutingRequest) -> Sequence[RoutedPart]:
        parts = await read(request)
        stands = not yields or await async_stands(context.assistant, request, parts)
        return parts if stands else ()

    return await async_read_with(context.assistant, context.user_input, async_read)


async def async_read_last_corrected(context: TurnContext) -> Corrected | None:
    """Return the correction of the last turn that the sentence makes: "no, the pendant"; None for no correction."""
    turn = next((each for each in reversed(context.turns) if each.parts), None)
    if turn is None or not turn.said or not _can_go_on(context, turn):
        return None
    said, reader = turn.said, context.assistant.reader
    parts = await _async_read(
        context,
        lambda request: reader.async_correct(request, said, request.user_input.text),
        yields=False,
    )
    targets = {target for part in parts if part.intent for target in part.intent.targets}
    before = {target for part in turn.parts for target in part.targets}
    is_other = targets < before and actions_of(parts).isdisjoint(
        action.name for part in turn.parts for action in part.actions
    )
    # "All lights off", "no, turn the lamp on": the others stay off.
    is_undone = not (before <= targets or is_other) or _steps_again(turn, parts)
    return Corrected(parts, is_undone=is_undone) if parts else None


def _steps_again(turn: RememberedTurn, parts: Sequence[Assignment]) -> bool:
    """Return whether parts step the way that a turn did: "two degrees warmer", "no, only one" is one in all."""
    before = [as_number(action.parameters.get("by")) for p in turn.parts for action in p.actions]
    after = [as_number(part.intent.parameters.get("by")) for part in parts if part.intent]
    return any(old and new and old * new > 0 for old in before for new in after)


def actions_of(parts: Sequence[Assignment]) -> set[str]:
    """Return the names of the actions of parts, by their domains' tables."""
    intents = [part.intent for part in parts if part.intent and part.intent.targets]
    native = (
        action_of_intent(intent.name, intent.parameters, domain_of(intent.targets) or "")
        for intent in intents
    )
    own = {intent.name.rpartition("/")[2] for intent in intents}
    return own | {action.name for action in native if action}


async def async_read_pronoun_command(context: TurnContext) -> Assigned | Corrected | None:
    """Return the command that the sentence gives for the entities of the last turn by a pronoun; None for no such."""
    last = last_command(context.turns, context.catalog, before=context.before_last)
    spoken = _left_on(context) or acted_on_before(context.turns)
    if not spoken:
        return None
    reader = context.assistant.reader

    async def refer(text: str) -> tuple[Assignment, ...]:
        return await _async_read(
            context, lambda request: reader.async_refer(request, text, spoken, last)
        )

    parts = await refer(context.user_input.text) or await _async_for_a_while(context, refer)
    if not parts:
        return None
    targets = {target for part in parts if part.intent for target in part.intent.targets}
    if context.reading.is_correction and targets.isdisjoint(spoken):
        # "No, the other one"
        return Corrected(parts, is_undone=bool(targets))
    return Assigned(parts)


def _left_on(context: TurnContext) -> tuple[str, ...]:
    """Return what "that one" is after the others were put out, () where it is none that stays on."""
    said = next((turn.said for turn in reversed(context.turns) if turn.parts), "")
    hass, text, out = context.assistant.hass, context.user_input.text, put_out(context.turns)
    return left_on(hass, context.house, text, out, said) if out else ()


async def _async_for_a_while(
    context: TurnContext, refer: Callable[[str], Awaitable[Sequence[Assignment]]]
) -> tuple[Assignment, ...]:
    """Return a command for what was spoken of with when it ends: "turn it on for ten minutes"; () for another."""
    clock, house = context.assistant.clock, context.house
    timed = read_schedule(context.text, house.lexicon, clock, house, is_loose=True)
    if timed is None or timed.schedule.start or timed.is_past or context.reading.is_question:
        return ()
    parts = await refer(timed.command)
    lasts = all(map(may_last, parts))
    return tuple(replace(part, schedule=timed.schedule) for part in parts) if lasts else ()


async def async_read_there(context: TurnContext) -> Assigned | None:
    """Return what the sentence says of the place of the last turn: "turn off the light in there"; None for no such."""
    text = context.language.references.as_here(context.text, context.house.lexicon)
    if text == context.text or (area_id := last_area(context.turns, context.catalog)) is None:
        return None
    parts = await _async_read(
        context,
        lambda request: context.assistant.reader.async_read(
            replace(request, area_id=area_id), text, plays=False
        ),
    )
    return Assigned(parts) if parts and all(part.intent for part in parts) else None


async def async_read_ellipsis(context: TurnContext) -> Assigned | None:
    """Return the last command for the entities that the sentence names: "and the radio, too"; None for no ellipsis."""
    last = [turn for turn in reversed(context.turns) if turn.parts][:_LAST]
    said = [turn.said for turn in takewhile(lambda turn: _can_go_on(context, turn), last)]
    if not said:
        return None
    command = last_command(context.turns, context.catalog, before=context.before_last)

    async def read(request: RoutingRequest) -> Sequence[RoutedPart]:
        for at, before in enumerate(said):
            parts = await context.assistant.reader.async_more(
                request, before, request.user_input.text, NOTHING if at else command
            )
            if parts:
                return parts
        return []

    parts = await _async_read(context, read)
    return Assigned(parts) if parts else None


def decline_lone_value(context: TurnContext) -> Assignment | None:
    """Return the declined part of a sentence that names nothing: only a value, "stop", "both", "it"; None for another.

    After one that was not understood it would be for anything but what was meant; what plays in the room is heard.
    So it would be after a plan: what that is for was spoken of last.
    """
    before = context.turns[-1] if context.turns else None
    if before is None:
        return None
    is_plan = context.focus.just_planned and not any(part.actions for part in before.parts)
    if not (_is_lost(before) or is_plan):
        return None
    spans = cover_text(context.text, context.house)
    if all(span.is_mark or is_filler(span) for span in spans):
        # "Hello" is for none of it.
        return None
    senses = {sense for span in spans for sense in span.senses}
    says_value = any(sense.role in VALUES for sense in senses)
    is_named = any(sense.role in NAMING for sense in senses)
    is_halting = not senses.isdisjoint(_HALTING)
    is_alone = context.reading.refers and (
        says_value or ((is_halting or not is_named) and not _is_heard(context))
    )
    if not is_alone and (_BOTH not in senses or is_named):
        return None
    reason = "It says a value, and nothing was understood that it could be for."
    return declined(context.text, "plan.not_understood", reason)


def _is_heard(context: TurnContext) -> bool:
    """Return whether something was spoken of before, or plays where the speaker is."""
    players = context.catalog.by_domain.get("media_player", ())
    here = [player for player in players if player.area_id == context.area_id]
    is_playing = bool(context.area_id) and bool(active_players(context.assistant.hass, here))
    return is_playing or bool(acted_on_before(context.turns))


def _can_go_on(context: TurnContext, turn: RememberedTurn) -> bool:
    """Return whether a turn may be mended or gone on with: a late one may not, nor a "turn it off" that was lost."""
    is_bare = _is_lost(turn) and read_tags(turn.said, context.language).refers
    # The time of what was planned would be a value of what is done now.
    is_plan = DELAY_AGENT_ID in turn.agents
    return turn.age(datetime.now(UTC)) <= MAX_AGE and not (is_bare or is_plan)


def _is_lost(turn: RememberedTurn) -> bool:
    """Return whether a turn failed of which it is not known what it was for, or what it asked."""
    return turn.failed and not any(p.actions or p.targets or p.candidates for p in turn.parts)
