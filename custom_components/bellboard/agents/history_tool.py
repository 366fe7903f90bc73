"""Tool that tells how things of the home were: by their names, by kind, by room, or persons."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
import json
from typing import Any, ClassVar

from homeassistant.util import dt as dt_util

from ..home.catalog import CatalogEntity, is_in
from ..home.names import words_of
from ..llm.models import Tool, object_schema
from ..nlu.bounds import Mentions
from ..nlu.kinds import KINDS
from ..nlu.loader import Household
from ..nlu.spans import cover_text
from .base import AgentRequest
from .listed_devices import SILENT, kind_of, room_of, words_about
from .recorded import as_time, async_recorded, constant_state, cut_changes, tell_time
from .tools import HISTORY, ToolOutcome, failed

_MOST_ENTITIES, _MOST_NEAR, _MOST_NAMED = 40, 12, 40
# In characters, of what is told: of many things fewer changes are told.
_MOST_TOLD, _MOST_CHANGES = 5200, (12, 6, 3, 1)
# Of more things those that were the same all the time are told together.
_MOST_ALONE = 4
_LONGEST = timedelta(days=400)
# What is used up is told by meters, and by what it takes just then.
_OF_USE = frozenset({"energy", "power", "gas", "water"})
_ALSO = {"power": "energy", "energy": "power"}
_NAMES = {
    "type": "array",
    "items": {"type": "string"},
    "description": "names as shown or said; also a room, a kind (lights, motion, power, persons),"
    " or a kind in a room",
}
TIME = {"type": "string", "description": "ISO 8601, local time"}
"""Schema of a time that a model gives to a tool."""


@dataclass(frozen=True, slots=True)
class HistoryTool:
    """Tells how entities were between two times, as the recorder has it."""

    tool: ClassVar[Tool] = Tool(
        name=HISTORY,
        description=(
            "How devices, sensors or persons of the home were between two times: how long in each"
            " state and when it changed; of numbers lowest, highest, mean and change."
        ),
        parameters=object_schema({"names": _NAMES, "start": TIME, "end": TIME}),
    )

    async def async_call(self, request: AgentRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Return how what is named was; each name of nothing that may be read is told with what it may mean."""
        await request.hass.async_add_executor_job(request.catalog.build_search)
        names = arguments.get("names")
        found, unknown = _named(request, names if isinstance(names, list) else [names])
        if not found:
            near = dict.fromkeys(unknown.values()) or [_near(request, "")]
            return failed(f"No device has such a name. {' '.join(near)}")
        start, end = (as_time(arguments.get(key)) for key in ("start", "end"))
        now = dt_util.now()
        end = min(end or now, now)
        if start is None or start >= end:
            return failed("The start is missing, or not before the end and now.")
        start = max(start, end - _LONGEST)
        labels = _labels(request, found)
        most = dict.fromkeys([*labels][:_MOST_ENTITIES])
        past = await async_recorded(request.hass, [*most], start, end)
        told = {"from": tell_time(start), "to": tell_time(end)}
        beside: dict[str, Any] = {"unknown": unknown} if unknown else {}
        if left := [label for each, label in labels.items() if each not in most]:
            beside["not_told_of"] = left
        return ToolOutcome({**told, **_cut({labels[each]: past[each] for each in most}), **beside})


def _cut(told: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what is told of things with as many changes of each as there is room for."""
    together: dict[str, list[str]] = {}
    alone = {*told}
    if len(told) > _MOST_ALONE:
        for name, each in told.items():
            if state := constant_state(each):
                together.setdefault(state, []).append(name)
                alone.discard(name)
    found: dict[str, Any] = {}
    for most in _MOST_CHANGES:
        found = {name: cut_changes(each, most) for name, each in told.items() if name in alone}
        if together:
            found["all the time"] = together
        if len(json.dumps(found, ensure_ascii=False)) <= _MOST_TOLD:
            break
    return found


def _labels(request: AgentRequest, entities: Sequence[CatalogEntity]) -> dict[str, str]:
    """Return what entities are called, by entity id: a name that several have with its room."""
    names = Counter(entity.name for entity in entities)
    labels: dict[str, str] = {}
    for entity in entities:
        room = f", {room_of(request, entity)}" if names[entity.name] > 1 else ""
        label = f"{entity.name}{room}"
        labels[entity.entity_id] = entity.entity_id if label in labels.values() else label
    return labels


def _named(
    request: AgentRequest, names: Sequence[Any]
) -> tuple[list[CatalogEntity], dict[str, str]]:
    """Return the readable entities that names call, and of each name that calls none what it may mean."""
    found: dict[str, CatalogEntity] = {}
    unknown: dict[str, str] = {}
    known = _readable(request)
    for name in names:
        text = " ".join(str(name or "").split())
        called = _called(request, known, text)
        found |= {each.entity_id: each for each in called}
        if not called:
            unknown[text] = _near(request, text)
    return [*found.values()], unknown


def _readable(request: AgentRequest) -> list[CatalogEntity]:
    """Return the entities that whoever speaks may read, by kind and name."""
    return [
        entity
        for _, entities in sorted(request.catalog.by_domain.items())
        for entity in entities
        if request.rights.may_read(entity.entity_id)
    ]


def _called(
    request: AgentRequest, known: Sequence[CatalogEntity], text: str
) -> list[CatalogEntity]:
    """Return the entities that a text calls: by a whole name, by what its words name, or by kind and place."""
    folded = text.casefold()
    if not folded:
        return []
    called = [
        entity
        for entity in known
        if folded in {entity.entity_id, *(each.casefold() for each in entity.names)}
    ]
    # "Front Door" is the lock, and "Front Door Contact" tells when it was open.
    called += [
        entity
        for entity in known
        if entity not in called and entity.name.casefold().startswith(f"{folded} ")
    ]
    mentions = request.named_in(text)
    return (
        called
        or [entity for entity in known if entity.entity_id in mentions.things]
        or _of_kind_or_place(request, known, text, mentions)
    )


def _of_kind_or_place(
    request: AgentRequest, known: Sequence[CatalogEntity], text: str, mentions: Mentions
) -> list[CatalogEntity]:
    """Return what is of a kind that a text says, in the places that it says; without a kind all that is there."""
    there = [entity for entity in known if entity.domain not in SILENT]
    places = mentions.areas
    if places:
        there = [entity for entity in there if is_in(entity, places)]
    elif mentions.is_here:
        there = [entity for entity in there if entity.area_id == request.area_id]
    words = words_of(text)
    wanted = {*words, *(word.removesuffix("s") for word in words)}
    wanted |= {_ALSO[word] for word in wanted & _ALSO.keys()}
    if _unknown_words(request, text).difference(*map(_own_words, known)):
        # "Aunt Ida's lamp" is one that is not there, and not all lamps.
        return []
    if found := [entity for entity in there if _is_of_kind(request, entity, mentions, wanted)]:
        return found
    meant = {kind for span in request.language.household.find(words) for kind in span.meanings}
    if Household.USES in meant:
        return [entity for entity in there if entity.device_class in _OF_USE]
    if Household.ANYBODY in meant:
        return [entity for entity in there if entity.domain == "person"]
    of_places = {word for place in places for name in place.names for word in words_of(name)}
    is_bare = of_places.union(request.language.ignored).issuperset(words)
    return there if is_bare and (places or mentions.is_here) else []


def _is_of_kind(
    request: AgentRequest, entity: CatalogEntity, mentions: Mentions, wanted: AbstractSet[str]
) -> bool:
    """Return whether an entity is of a kind that nouns name, or that Home Assistant has a word for."""
    state = request.hass.states.get(entity.entity_id)
    kinds = [KINDS[kind] for kind in mentions.kinds if kind in KINDS]
    is_wanted = not wanted.isdisjoint(_own_words(entity))
    return is_wanted or any(kind.includes(entity, state) for kind in kinds)


def _own_words(entity: CatalogEntity) -> frozenset[str]:
    """Return the words that Home Assistant has for the kind of an entity, each as one and as several."""
    return frozenset(each for word in kind_of(entity).split() for each in (word, f"{word}s"))


def _unknown_words(request: AgentRequest, text: str) -> frozenset[str]:
    """Return the words of a text that mean nothing: neither a kind, a place nor a word that belongs to them."""
    words = words_of(text)
    found = request.language.household.find(words)
    known = {word for match in found for word in words[match.start : match.end]}
    spans = cover_text(text, request.house, is_command=False) if request.house else ()
    said = {word for span in spans if not span.senses for word in span.words}
    return frozenset(said - known - request.language.ignored)


def _near(request: AgentRequest, text: str) -> str:
    """Return the sentence with the names that an unknown one may mean, else with all, the speaker's room first."""
    known = [entity for entity in _readable(request) if entity.domain not in SILENT]
    words = frozenset(words_of(text)) - request.language.ignored
    scores = request.catalog.search.score(text)
    ranks: dict[str, tuple[float, float]] = {}
    for entity in known:
        state = request.hass.states.get(entity.entity_id)
        shared = len(words & words_about(request, entity, state)) if state else 0
        ranks[entity.entity_id] = (-shared, -scores.get(entity.entity_id, 0.0))
    likely = [each for each in known if any(ranks[each.entity_id])]
    most = _MOST_NEAR if likely else _MOST_NAMED
    ranked = sorted(
        likely or known,
        key=lambda each: (
            ranks[each.entity_id],
            each.area_id != request.area_id,
            room_of(request, each),
            each.name,
            each.entity_id,
        ),
    )
    told = "; ".join(dict.fromkeys(each.name for each in ranked[:most]))
    more = f"; and {len(ranked) - most} more" if len(ranked) > most else ""
    return f"There are: {told}{more}." if told else "There is nothing that may be read."
