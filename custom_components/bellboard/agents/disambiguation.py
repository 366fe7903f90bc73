"""Choice among several candidate entities: the usual one of the room, else a question which of them is meant.

A habit (the player and the level that were used last) only chooses among what a request could be for anyway, and
the calls made from it say so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from homeassistant.const import STATE_OFF, STATE_PAUSED, STATE_PLAYING, STATE_UNAVAILABLE
from homeassistant.core import State

from ..domains.actions import ActionError, ActionInput
from ..domains.models import Command, ToolCall
from ..domains.table import Domain
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..home.speaker import own_players
from ..memory.pending import MAX_NAMED_CANDIDATES
from ..nlu.bounds import TargetMatch, TargetScope
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.modes import kind_name
from ..plans.models import AskUser, Candidate, Plan
from .base import AgentRequest
from .grounding import Grounding
from .wording import capitalised


def build_target_question(
    language: Language,
    catalog: Catalog,
    entities: Sequence[CatalogEntity],
    kinds: Sequence[str] = (),
) -> str:
    """Return the question which of some entities is the target.

    `kinds` tell namesakes apart by what they are ("the light or the speaker").

    Few candidates are named ("The Floor Lamp or the Reading Lamp?"), with their areas where the names
    are equal; of more than MAX_NAMED_CANDIDATES the area is asked for.
    """
    rooms = [_area_name(catalog, entity) for entity in entities]
    if len(entities) > MAX_NAMED_CANDIDATES:
        return _build_area_question(language, rooms)
    names = {words_of(entity.name) for entity in entities}
    if kinds:
        labels = [_with_article(language, kind) for kind in kinds]
    elif len(names) == 1 < len(entities) and _are_distinct(rooms):
        labels = _label_by_area(language, entities[0].name, rooms)
    else:
        labels = _label_by_name(language, entities, rooms)
    if not _are_distinct(labels):
        return language.say("ask.which")
    listed = language.join(labels, "or")
    return language.say("ask.target", candidates=capitalised(listed))


def build_target_plan(
    request: AgentRequest,
    agent_id: str,
    intent_id: str,
    entities: Sequence[CatalogEntity],
    actions: tuple[Command, ...],
) -> Plan:
    """Return the plan of an agent that asks which of some entities is the target of its actions."""
    kinds = _kinds_of_namesakes(request, entities)
    read = request.intent
    is_guess = read.is_guess if read else not Grounding(request).is_verbatim(request.instruction)
    question = AskUser(
        param="target",
        prompt=build_target_question(request.language, request.catalog, entities, kinds),
        candidates=tuple(
            Candidate(entity_id=entity.entity_id, name=name)
            for entity, name in zip(entities, kinds or [e.name for e in entities], strict=True)
        ),
        action=actions[0].name,
        data=dict(actions[0].parameters),
        # What a model assumed stays so until it is chosen what for.
        actions=actions if len(actions) > 1 or actions[0].assumed else (),
        is_guess=is_guess,
    )
    return Plan(intent_id=intent_id, agent_id=agent_id, steps=(question,), actions=actions)


def _kinds_of_namesakes(request: AgentRequest, entities: Sequence[CatalogEntity]) -> list[str]:
    """Return what each of several namesakes is, where that alone tells them apart; [] for others."""
    if len({words_of(entity.name) for entity in entities}) != 1:
        return []
    if _are_distinct([_area_name(request.catalog, entity) for entity in entities]):
        return []
    code = request.language.code
    kinds = [kind_name(request.hass, code, each.domain, each.device_class) for each in entities]
    return kinds if _are_distinct(kinds) else []


def _build_area_question(language: Language, rooms: Iterable[str | None]) -> str:
    """Return the question for the area, naming the areas where they are few."""
    named = list(dict.fromkeys(room for room in rooms if room))
    if len(named) < 2:
        return language.say("ask.which")
    if len(named) > MAX_NAMED_CANDIDATES:
        return language.say("ask.place")
    listed = language.join((_with_article(language, room) for room in named), "or")
    return language.say("ask.rooms", rooms=listed)


def _label_by_area(language: Language, name: str, rooms: Iterable[str | None]) -> list[str]:
    """Return labels of entities with one name by their areas; only the first has the name."""
    first, *others = (_with_article(language, str(room)) for room in rooms)
    named = language.say("ask.same", name=_with_article(language, name), place=first)
    return [named, *(language.say("ask.other", place=place) for place in others)]


def _label_by_name(
    language: Language, entities: Sequence[CatalogEntity], rooms: Sequence[str | None]
) -> list[str]:
    """Return a label for each entity, distinct if possible.

    A name that several entities have is followed by the area, or replaced by an alias of the entity
    alone.
    """
    spoken = [words_of(entity.name) for entity in entities]
    placed = list(zip(spoken, rooms, strict=True))
    known = Counter(words for e in entities for words in {words_of(name) for name in e.names})
    labels: list[str] = []
    for entity, place in zip(entities, placed, strict=True):
        words, room = place
        name = _with_article(language, entity.name)
        own = [alias for alias in entity.names if known[words_of(alias)] == 1]
        if spoken.count(words) == 1:
            labels.append(name)
        elif room and placed.count(place) == 1:
            in_room = _with_article(language, room)
            labels.append(language.say("ask.placed", name=name, place=in_room))
        else:
            labels.append(_with_article(language, own[0]) if own else name)
    return labels


def _with_article(language: Language, name: str) -> str:
    """Return a name as it stands in a sentence, with an article if the language has a general one.

    "Emma's Room", "My Lamp" and "Lamp 2" take none.
    """
    first = language.lexicon.senses(words_of(name)[:1])
    is_definite = any(sense.role in {Role.ARTICLE, Role.QUANTITY} for sense in first)
    if is_definite or any(char in "'’" or char.isdigit() for char in name):
        return name
    return language.say("ask.the", name=name)


def _area_name(catalog: Catalog, entity: CatalogEntity) -> str | None:
    """Return the name of the entity's area, or None."""
    area = catalog.areas.get(entity.area_id) if entity.area_id else None
    return area.name if area else None


def _are_distinct(texts: Sequence[str | None]) -> bool:
    """Return whether no text is missing or there twice."""
    return None not in texts and len(set(texts)) == len(texts)


# Scopes of what is found in one place, and not by a name.
_OF_A_PLACE = frozenset({TargetScope.PLACE, TargetScope.SPEAKER_AREA})
_LEFT_OPEN = _OF_A_PLACE | {TargetScope.AMBIGUOUS}
_AT_WORK = frozenset({STATE_PLAYING, STATE_PAUSED})


def find_usual_target(
    request: AgentRequest,
    table: Domain,
    chosen: Sequence[Command],
    states: Sequence[State],
    matched: TargetMatch | None = None,
) -> State | None:
    """Return the one of several targets that is usual: used last in the room, else the satellite's own.

    None where nothing is usual, or something was said of it, though not enough. Where all of them are in one room
    it is that room's habit, else that of the room that is spoken in. `matched` is how the targets were found where
    no intent was recognised.
    """
    rows = [row for step in chosen if (row := table.action(step.name)) and row.takes_usual]
    is_one_of_several = len(states) > 1 and len(rows) == len(chosen)
    if not request.usual.has_players or not is_one_of_several or _is_said(request, chosen, matched):
        return None
    if request.intent is None and any(state.state in _AT_WORK for state in states):
        # What plays is meant before what is usual; where words were read, that was looked at with them.
        return None
    able = {
        state.entity_id: state
        for state in states
        if state.state != STATE_UNAVAILABLE and all(row.capable_states([state]) for row in rows)
    }
    rooms = _areas_of(request, states)
    area_id = rooms.pop() if len(rooms) == 1 else request.area_id
    if usual := able.get(request.usual.player(area_id) or ""):
        return usual
    said = request.user_input
    in_device = own_players(request.hass, said.satellite_id, said.device_id)
    own = [state for entity_id, state in able.items() if entity_id in in_device]
    return own[0] if len(own) == 1 else None


def _is_said(request: AgentRequest, chosen: Sequence[Command], matched: TargetMatch | None) -> bool:
    """Return whether something that was said singles out one of several targets."""
    if found := request.intent:
        return found.is_named or found.is_guess
    is_chosen = any(step.targets for step in chosen)
    return matched is None or is_chosen or matched.scope not in _LEFT_OPEN


def is_for_room(
    request: AgentRequest,
    chosen: Sequence[Command],
    states: Sequence[State],
    matched: TargetMatch | None = None,
) -> bool:
    """Return whether chosen actions are for what is in one area, and single out nothing there by name.

    `matched` is how their targets were found where no intent was recognised.
    """
    rooms = _areas_of(request, states)
    if len(rooms) != 1 or None in rooms or any(step.targets for step in chosen):
        return False
    if found := request.intent:
        is_open = found.is_open or found.is_list or found.is_without_others
        return not (found.is_named or is_open)
    return matched is not None and matched.scope in _OF_A_PLACE


def with_usual_level(
    request: AgentRequest, table: Domain, step: Command, states: Sequence[State]
) -> Command:
    """Return an action with the level that is usual in the room, where it turns on what can be dimmed there."""
    level = table.usual_level
    if level is None or step.name != level.switches:
        return step
    area_id = next(iter(_areas_of(request, states)), None)
    percent = request.usual.level(area_id) if area_id else None
    if percent is None or not plan_usual_level(table, step, {level.parameter: percent}, states):
        return step
    return replace(step, by_habit={level.parameter: percent})


def plan_usual_level(
    table: Domain, step: Command, by_habit: Mapping[str, Any], states: Sequence[State]
) -> list[ToolCall]:
    """Return the calls that bring on what is off at a level, [] where nothing there can take it."""
    level = table.usual_level
    row = table.action(level.sets) if level else None
    off = [state for state in states if state.state == STATE_OFF]
    if level is None or row is None or not off or level.parameter not in by_habit:
        return []
    wanted = {**step.parameters, level.parameter: by_habit[level.parameter]}
    try:
        return table.plan(row, ActionInput(parameters=wanted), off)
    except ActionError:
        return []


def mark_habit(calls: Sequence[ToolCall], habit: Literal["player", "level"]) -> list[ToolCall]:
    """Return calls that say that a habit chose what nobody said of them."""
    return [call.model_copy(update={"assumed": True, "habit": habit}) for call in calls]


def _areas_of(request: AgentRequest, states: Sequence[State]) -> set[str | None]:
    """Return the ids of the areas that the entities of states are in."""
    known = request.catalog.entities
    found = (known.get(state.entity_id) for state in states)
    return {entity.area_id if entity else None for entity in found}
