"""Referents of a conversation's sentences: the entities and the command of its last turns."""

from collections.abc import Sequence
from datetime import UTC, datetime

from ..domains.models import Command
from ..domains.snapshot import StateSnapshot
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..memory.turns import RememberedTurn
from ..nlu.references import LastCommand

MAX_AGE = 600
"""How long what was said can be referred to, in seconds."""


def recent_targets(turns: Sequence[RememberedTurn], now: datetime | None = None) -> tuple[str, ...]:
    """Return the entity ids that "it" or "them" may stand for: those of the last turn."""
    turn = _last(turns, now or datetime.now(UTC))
    return tuple(target for part in turn.parts for target in part.targets) if turn else ()


def acted_on_before(
    turns: Sequence[RememberedTurn], now: datetime | None = None
) -> tuple[str, ...]:
    """Return the entity ids that the last turn without a question acted on.

    To an open question "the other one" is the one that was not: the turn that asked is remembered
    as well, but acted on nothing.
    """
    done = [turn for turn in turns if not any(part.candidates for part in turn.parts)]
    return recent_targets(done, now)


def put_out(turns: Sequence[RememberedTurn], now: datetime | None = None) -> tuple[str, ...]:
    """Return the entity ids of what the last turn turned off, () where it did anything else."""
    turn = _last(turns, now or datetime.now(UTC))
    parts = [part for part in turn.parts if part.targets] if turn else []
    names = {action.name.rpartition("/")[2] for part in parts for action in part.actions}
    is_off = names == {"turn_off"} and all(part.actions for part in parts)
    return tuple(target for part in parts for target in part.targets) if is_off else ()


def last_command(
    turns: Sequence[RememberedTurn],
    catalog: Catalog,
    now: datetime | None = None,
    *,
    before: Sequence[StateSnapshot] = (),
) -> LastCommand:
    """Return the command of the last turn, and the other entities it could have been for.

    `turns` are the remembered ones, the newest last. A turn of several parts is none that can be repeated.
    `before` is how what the last turn changed was.
    """
    turn, known = _last(turns, now or datetime.now(UTC)), catalog.entities
    if turn is None:
        return LastCommand()
    chain = tuple(known[target] for target in _chain(turns, turn) if target in known)
    both = chain if len(chain) == 2 else ()
    if len(turn.parts) != 1:
        return LastCommand(pair=both)
    part = turn.parts[0]
    entities = tuple(known[target] for target in part.targets if target in known)
    offered = _offered(turns, entities, catalog)
    others = _others(entities, offered, catalog)
    return LastCommand(
        said=tuple(each.said for each in reversed(turns) if each.parts),
        actions=tuple(Command(each.name, dict(each.parameters)) for each in part.actions),
        entities=entities,
        others=others,
        other=_nearest(entities, others, catalog),
        pair=next((pair for pair in (entities, offered) if len(pair) == 2), both),
        chain=chain,
        before=tuple(before),
    )


def _last(turns: Sequence[RememberedTurn], now: datetime) -> RememberedTurn | None:
    """Return the turn that is referred to: the newest that was about something, if it is not old.

    What was not understood is mostly said again in other words, about the same thing.
    """
    turn = next((turn for turn in reversed(turns) if turn.parts), None)
    return turn if turn and turn.age(now) <= MAX_AGE else None


def _chain(turns: Sequence[RememberedTurn], last: RememberedTurn) -> tuple[str, ...]:
    """Return the entity ids of the last turn, after those with which the same was done just before: "and the hall"."""
    parts = [*last.parts]
    for turn in reversed(turns[: list(turns).index(last)]):
        is_same = len(last.parts) == 1 and last.parts[0].actions and len(turn.parts) == 1
        if not is_same or turn.parts[0].actions != last.parts[0].actions:
            break
        parts = [*turn.parts, *parts]
    return tuple(dict.fromkeys(target for part in parts for target in part.targets))


def last_area(turns: Sequence[RememberedTurn], catalog: Catalog) -> str | None:
    """Return the id of the area that all is in that was spoken of last, None for several or none."""
    entities = filter(None, map(catalog.entities.get, recent_targets(turns)))
    areas = {entity.area_id for entity in entities}
    return areas.pop() if len(areas) == 1 else None


def _offered(
    turns: Sequence[RememberedTurn], entities: Sequence[CatalogEntity], catalog: Catalog
) -> tuple[CatalogEntity, ...]:
    """Return what the question offered that was answered with entities, () if there was none."""
    chosen = {entity.entity_id for entity in entities}
    for turn in reversed(turns):
        for part in turn.parts:
            if chosen and chosen <= set(part.candidates):
                found = map(catalog.entities.get, part.candidates)
                return tuple(entity for entity in found if entity)
    return ()


def _others(
    entities: Sequence[CatalogEntity], offered: Sequence[CatalogEntity], catalog: Catalog
) -> tuple[CatalogEntity, ...]:
    """Return what a question offered beside entities, or else what is of the same kind in their room."""
    if offered:
        return tuple(entity for entity in offered if entity not in entities)
    rooms = {(entity.domain, entity.area_id) for entity in entities}
    if len(rooms) != 1:
        return ()
    domain, area_id = rooms.pop()
    near = [e for e in catalog.by_domain.get(domain, ()) if area_id and e.area_id == area_id]
    classes = {entity.device_class for entity in entities}
    alike = [entity for entity in near if entity.device_class in classes]
    return tuple(entity for entity in alike if entity not in entities)


def _nearest(
    entities: Sequence[CatalogEntity], others: Sequence[CatalogEntity], catalog: Catalog
) -> tuple[CatalogEntity, ...]:
    """Return the one of others that is meant: of several the one that has a word of its name in common.

    After the floor lamp it is the reading lamp.
    """
    if len(others) > 1:
        own = _own_words(entities, catalog)
        others = [entity for entity in others if own & _own_words([entity], catalog)]
    return tuple(others) if len(others) == 1 else ()


def _own_words(entities: Sequence[CatalogEntity], catalog: Catalog) -> frozenset[str]:
    """Return the words of the names of things, without those of the places they are in."""
    places = [catalog.areas.get(entity.area_id or "") for entity in entities]
    common = {word for p in places if p for name in p.names for word in words_of(name)}
    words: set[str] = {word for entity in entities for word in words_of(entity.name)}
    return frozenset(words - common)
