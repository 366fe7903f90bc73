"""Disambiguation questions: which of several candidate entities is meant."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ..domains.models import Command
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..memory.pending import MAX_NAMED_CANDIDATES
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..plans.models import AskUser, Candidate, Plan
from .base import AgentRequest


def build_target_question(
    language: Language, catalog: Catalog, entities: Sequence[CatalogEntity]
) -> str:
    """Return the question which of some entities is the target.

    Few candidates are named ("The Floor Lamp or the Reading Lamp?"), with their areas where the names
    are equal; of more than MAX_NAMED_CANDIDATES the area is asked for.
    """
    rooms = [_area_name(catalog, entity) for entity in entities]
    if len(entities) > MAX_NAMED_CANDIDATES:
        return _build_area_question(language, rooms)
    names = {words_of(entity.name) for entity in entities}
    if len(names) == 1 < len(entities) and _are_distinct(rooms):
        labels = _label_by_area(language, entities[0].name, rooms)
    else:
        labels = _label_by_name(language, entities, rooms)
    if not _are_distinct(labels):
        return language.say("ask.which")
    listed = language.join(labels, "or")
    return language.say("ask.target", candidates=f"{listed[:1].upper()}{listed[1:]}")


def build_target_plan(
    request: AgentRequest,
    agent_id: str,
    intent_id: str,
    entities: Sequence[CatalogEntity],
    actions: tuple[Command, ...],
) -> Plan:
    """Return the plan of an agent that asks which of some entities is the target of its actions."""
    question = AskUser(
        param="target",
        prompt=build_target_question(request.language, request.catalog, entities),
        candidates=tuple(
            Candidate(entity_id=entity.entity_id, name=entity.name) for entity in entities
        ),
        action=actions[0].name,
        data=dict(actions[0].parameters),
        actions=actions if len(actions) > 1 else (),
    )
    return Plan(intent_id=intent_id, agent_id=agent_id, steps=(question,), actions=actions)


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
    first = language.lexicon.senses(words_of(name)[:1]) if language.lexicon else ()
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
