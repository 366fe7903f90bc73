"""Learning from turns: routing decisions, and the habits of rooms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
import logging
from typing import Any

from homeassistant.const import ATTR_ASSUMED_STATE
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util
from homeassistant.util.dt import utcnow
from pydantic import ValidationError

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..agents.offered_actions import find_mentioned_options, find_numbers
from ..agents.specialist import Specialist
from ..assistant import UNROUTED_AGENTS
from ..const import UNDO_AGENT_ID
from ..domains.models import Command
from ..domains.registry import shows_outcome, table_of
from ..domains.snapshot import StateSnapshot
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..memory.habits import Habit, LevelHabit, PlayerHabit, part_of_day
from ..memory.lessons import LearnedDecision, SentenceKey
from ..nlu.answers import Sign
from ..nlu.implicit_targets import without_televisions
from ..nlu.loader import Language
from ..plans.execution import PlanExecution
from ..plans.models import Plan, ToolResult
from ..policy.engine import PolicyEffect
from ..routing.learned import Meaning, can_be_learnt, meaning_of, sentence_key
from ..routing.models import Assignment, Source
from .context import TurnContext
from .stages import Corrected, Routed, Undo

_LOGGER = logging.getLogger(__name__)

# Decisions that a model made, or whose plan it made.
_BY_MODEL = frozenset({Source.MODEL, Source.ESCALATION, Source.VOCABULARY})
# Decisions for which a model was asked who answers.
_ASKED = frozenset({Source.MODEL, Source.ESCALATION, Source.FALLBACK})
# Parameters that are the user's own words, whatever they are.
_FREE_TEXT = frozenset({"query"})
_REFUSING = frozenset({Sign.REFUSE, Sign.CANCEL})


def unlearn_if_contradicted(context: TurnContext) -> None:
    """Drop the last learned decision when the user says no or undoes it.

    Either way that turn is over: what is said later is not about it any more.
    """
    if context.dry_run:
        return
    lessons = context.assistant.lessons
    if context.asks_to_undo or _is_refusal(context.text, context.language):
        lessons.unlearn(context.conversation_id)
    else:
        lessons.note_last(context.conversation_id, None)


def note_corrections(context: TurnContext, routed: Routed) -> None:
    """Mark the turn before as wrong if this one corrects it; it counts against its router's variant.

    What is undone is the last turn that did something, whatever was asked since.
    """
    if context.dry_run:
        return
    takes_back = _takes_back(context, routed)
    traces, trial = context.assistant.traces, context.assistant.observations.trial
    is_undo = isinstance(routed.way, Undo)
    before = traces.last_of(context.conversation_id, has_acted=is_undo)
    if takes_back and before:
        traces.mark_corrected(before)
    trial.answered(context.conversation_id, is_correction=takes_back)
    decision = routed.decision
    if decision and any(part.source in _ASKED for part in decision.route.assignments):
        confidence = decision.route.choice.confidence
        trial.decided(context.conversation_id, decision.variant, confidence, decision.ms)


def _takes_back(context: TurnContext, routed: Routed) -> bool:
    """Return whether a turn says that the one before was not what was meant."""
    is_taken_back = isinstance(routed.way, Undo | Corrected)
    return is_taken_back or _is_refusal(context.text, context.language)


@dataclass(frozen=True, slots=True)
class LessonSource:
    """The state before a turn acts from which its decision may be learned.

    `parts` are what was decided, `meaning` is what the sentence can mean of what is there; None where
    nothing can be learned.
    """

    parts: Sequence[Assignment]
    spoken: SentenceKey
    meaning: Meaning | None = None


def read_lesson_source(context: TurnContext, parts: Sequence[Assignment]) -> LessonSource:
    """Return the lesson source of a sentence whose parts are decided and not yet carried out; None for no lesson."""
    spoken = sentence_key(context.text, context.language, context.area_id)
    specialist = _decided_by_model(context, parts)
    if specialist is None or not can_be_learnt(context.text, context.language):
        return LessonSource(parts, spoken)
    cards = context.assistant.registry.cards(context.catalog.by_domain)
    meaning = meaning_of(
        context.assistant.hass,
        context.catalog,
        context.house,
        context.language,
        context.text,
        domain=specialist.domain,
        area_id=context.area_id,
        agents=[card.id for card in cards if card.id not in UNROUTED_AGENTS],
    )
    return LessonSource(parts, spoken, meaning)


def learn(context: TurnContext, source: LessonSource, dispatched: Sequence[Dispatched]) -> None:
    """Learn from what came of a decision, or unlearn what was wrong.

    Whoever says the same again at once did not get what was wanted, whatever was seen.
    """
    spoken, options = source.spoken, context.assistant.options.router
    if context.dry_run or not options.learn_decisions or not spoken.sentence:
        return
    lessons, now = context.assistant.lessons, utcnow()
    was_heard = lessons.was_just_said(spoken, now)
    lessons.note_said(spoken, now)
    known = lessons.get(spoken)
    if was_heard and not (known and known.is_correction):
        lessons.drop(spoken)
    elif any(part.source is Source.LEARNED for part in source.parts):
        _count_use(context, spoken, dispatched[0].answer, now)
    elif lesson := _lesson(context, source, dispatched[0], now):
        lessons.confirm(lesson)
        lessons.note_last(context.conversation_id, spoken)
    elif known and not known.is_correction and not _is_as(known, dispatched):
        lessons.drop(spoken)


def _count_use(
    context: TurnContext, spoken: SentenceKey, answer: AgentResult, now: datetime
) -> None:
    """Confirm or drop the learned decision by the outcome; a pending confirmation is ignored."""
    lessons = context.assistant.lessons
    if not answer.success:
        lessons.drop(spoken)
    elif answer.question is None:
        lessons.use(spoken, now)
        lessons.note_last(context.conversation_id, spoken)


def _is_as(known: LearnedDecision, dispatched: Sequence[Dispatched]) -> bool:
    """Return whether the same was decided again and did not fail, though it proves nothing."""
    [first, *others] = dispatched
    plan = first.answer.plan
    return (
        not others
        and first.answer.success
        and plan is not None
        and (plan.agent_id, plan.actions) == (known.agent_id, known.actions)
    )


def _lesson(
    context: TurnContext, source: LessonSource, dispatched: Dispatched, now: datetime
) -> LearnedDecision | None:
    """Return what the turn teaches, or None."""
    part, answer = source.parts[0], dispatched.answer
    if source.meaning is None or dispatched.response.agent_id != part.agent_id:
        return None
    if not answer.success or answer.question or not _went_as_decided(context):
        return None
    actions = answer.plan.actions if answer.plan else ()
    # Different things that were done to different entities are no single decision.
    reached = {action.targets for action in actions}
    if len(reached) != 1 or not source.meaning.holds(*reached) or not _was_said(context, actions):
        return None
    try:
        return LearnedDecision(
            sentence=source.spoken.sentence,
            language=source.spoken.language,
            area_id=source.spoken.area_id,
            agent_id=part.agent_id,
            actions=actions,
            fingerprint=source.meaning.fingerprint,
            source=part.source.value,
            learnt_at=now,
            confirmed_at=now,
        )
    except ValidationError as err:
        _LOGGER.debug("A decision is too large to be learnt (%s)", err.error_count())
        return None


def _was_said(context: TurnContext, actions: Sequence[Command]) -> bool:
    """Return whether all values of actions are in the sentence, and none is free text."""
    said = context.record.utterance
    return all(
        name not in _FREE_TEXT and _is_said(value, said, context.language)
        for action in actions
        for name, value in (*action.parameters.items(), *action.by_habit.items())
    )


def _decided_by_model(context: TurnContext, parts: Sequence[Assignment]) -> Specialist | None:
    """Return the specialist that a model chose or plans for, where the sentence is its alone."""
    if len(parts) != 1 or parts[0].source not in _BY_MODEL or parts[0].intent:
        return None
    if words_of(parts[0].instruction) != words_of(context.record.utterance):
        return None
    return context.assistant.specialists.get(parts[0].agent_id)


def _went_as_decided(context: TurnContext) -> bool:
    """Return whether one plan was carried out as it was made, and the home shows what came of it."""
    record = context.record
    if len(record.executions) != 1 or any(
        v.effect is not PolicyEffect.ALLOW for v in record.verdicts
    ):
        return False
    [execution] = record.executions
    return (
        execution.ok
        and all(shows_outcome(result.call.action) for result in execution.results)
        and _was_seen(context.assistant.hass, execution.before)
    )


def _was_seen(hass: HomeAssistant, before: Mapping[str, State]) -> bool:
    """Return whether something is other than before, and nothing is only assumed to be.

    Where all was already as it was wanted, a wrong decision looks like a right one.
    """
    now = {entity_id: hass.states.get(entity_id) for entity_id in before}
    if any(state is None or state.attributes.get(ATTR_ASSUMED_STATE) for state in now.values()):
        return False
    return any(
        StateSnapshot.of(before[entity_id]).differences(StateSnapshot.of(state))
        for entity_id, state in now.items()
        if state
    )


def _is_said(value: Any, text: str, language: Language) -> bool:
    """Return whether a value of an action stands in a sentence: a number, a colour, or a name."""
    if isinstance(value, str):
        words = words_of(text)
        colors = {color for found in language.colors.find(words) for color in found.meanings}
        return value in colors or bool(find_mentioned_options(text, language, [value]))
    said = {abs(number) for number in find_numbers(text, language, percent=True)}
    return isinstance(value, int | float) and abs(value) in said


def _is_refusal(text: str, language: Language) -> bool:
    """Return whether a sentence begins with a no to what was done before: "no, not that"; "never mind" is none."""
    if language.answers.dismisses(words_of(text)):
        return False
    end = 0
    for found in language.answers.signs.find(words_of(text)):
        if found.start > end:
            return False
        if Sign.FILLER not in found.meanings:
            return not _REFUSING.isdisjoint(found.meanings)
        end = found.end
    return False


# Calls after which music is heard from their target.
_PLAYING = frozenset(
    {
        "media_player.play_media",
        "media_player.media_play",
        "music_assistant.play_media",
        "music_assistant.transfer_queue",
    }
)
# A radio station may be a source; "switch to the television" is no music.
_SOURCE, _PLAY = "media_player.select_source", "play"
_TOGETHER = "media_player.join"


def note_habits(context: TurnContext) -> None:
    """Note the players and levels that a turn used; only what the home showed afterwards counts.

    What the last turn that did something changed is taken back where this one undid it.
    """
    options, habits = context.assistant.options.habits, context.assistant.habits
    if context.dry_run or not (options.last_player or options.last_level):
        return
    executions = context.record.executions
    if not any(result.done for execution in executions for result in execution.results):
        return
    acted: list[PlanExecution] = []
    for execution in executions:
        if execution.plan.agent_id != UNDO_AGENT_ID:
            acted.append(execution)
        elif any(result.done for result in execution.results):
            habits.take_back(context.conversation_id)
    now = dt_util.now()
    found: list[tuple[Habit, bool]] = []
    if options.last_player:
        found += _players(context, acted, now)
    if options.last_level:
        found += _levels(context.catalog, acted, now)
    habits.note(
        context.conversation_id,
        [habit for habit, _ in found],
        taken=[habit for habit, is_taken in found if is_taken],
    )


def _players(
    context: TurnContext, executions: Sequence[PlanExecution], now: datetime
) -> Iterator[tuple[Habit, bool]]:
    """Yield a habit for each room whose request used a player, and whether that was taken from habit.

    What plays on several players at once chose none of them.
    """
    used: dict[str, bool] = {}
    for execution in executions:
        if any(call.action == _TOGETHER for call in execution.plan.calls):
            return
        for result in execution.results:
            if _is_music(execution.plan, result):
                used |= dict.fromkeys(result.done, result.call.habit == "player")
    if len(used) != 1:
        return
    [(entity_id, is_taken)] = used.items()
    if player := context.catalog.entities.get(entity_id):
        for area_id in _rooms_of(context.catalog, player, context.area_id):
            yield PlayerHabit(area_id=area_id, player=entity_id, used_at=now), is_taken


def _is_music(plan: Plan, result: ToolResult) -> bool:
    """Return whether a call began music, and announced nothing."""
    call = result.call
    if call.action == _SOURCE:
        return any(action.name == _PLAY for action in plan.actions)
    return call.action in _PLAYING and not call.data.get("announce")


def _rooms_of(
    catalog: Catalog, player: CatalogEntity, spoken_in: str | None
) -> Iterator[str | None]:
    """Yield the ids of the areas whose habit a player becomes; None for speakers that are in no area.

    That is its own room, and that of the speaker if there is none of its own there. It has to be one that could be
    meant by "play music" there: no television beside a speaker.
    """
    every = catalog.by_domain.get("media_player", ())
    beside = [other for other in every if other.area_id == player.area_id]
    if player.area_id and player in without_televisions(beside):
        yield player.area_id
    has_own = spoken_in is not None and any(other.area_id == spoken_in for other in every)
    if not has_own and player in without_televisions(every):
        yield spoken_in


def _levels(
    catalog: Catalog, executions: Sequence[PlanExecution], now: datetime
) -> Iterator[tuple[Habit, bool]]:
    """Yield a habit for each level that was said for a room or taken from habit there, and which of both it was."""
    for execution in executions:
        for result in execution.results:
            percent = _level_of(execution.plan, result)
            areas = {
                entity.area_id for target in result.done if (entity := catalog.entities.get(target))
            }
            if percent is None or len(areas) != 1 or not (area_id := areas.pop()):
                continue
            habit = LevelHabit(area_id=area_id, part=part_of_day(now), percent=percent, used_at=now)
            yield habit, bool(result.call.habit)


def _level_of(plan: Plan, result: ToolResult) -> float | None:
    """Return the level that a call set because it was said for a room, or is usual there; None for any other call.

    Dimming by steps, a single lamp, and what a model or a rule made of it say nothing of a room.
    """
    call = result.call
    table = table_of(call.action.partition(".")[0])
    usual = table.usual_level if table else None
    row = table.action(usual.sets) if table and usual else None
    if usual is None or row is None:
        return None
    field = next(each.field for each in row.parameters if each.name == usual.parameter)
    level = call.data.get(field)
    if not isinstance(level, int | float) or not 1 <= level <= 100:
        return None
    if call.habit:
        return level
    is_said = any(
        action.name == usual.sets and action.parameters.get(usual.parameter) == level
        for action in plan.actions
    )
    return level if is_said and plan.is_for_room and not call.assumed else None
