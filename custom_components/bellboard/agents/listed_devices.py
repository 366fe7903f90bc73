"""Devices as a capable model reads them: by room with what they can do, then what each is doing now.

Names and abilities stand before all states, so that a server that has read them before reads only the states.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import State

from ..domains.registry import table_of
from ..domains.todo import open_items
from ..home.catalog import CatalogEntity
from ..home.names import words_of
from ..llm.models import tokens_of
from ..nlu.measures import LEVELS, is_in_percent, read_measure
from .base import AgentRequest
from .offered_actions import plannable, value_schema

# In percent, a step of a fan's speed that need not be told.
_FREE_STEP = 5
_MOST_OPTIONS = 8
# What is told of a device, by what it can be set to, and by actions that few can do.
_ABILITIES = {"color": "color", "color_temperature": "kelvin", "humidity": "humidity"}
_RARE = frozenset({"flash", "set_range"})


def abilities(state: State) -> list[str]:
    """Return the settings of a device beside its state, as a model's plan calls them, or that there are none."""
    if (table := table_of(state.domain)) is None:
        return []
    offered = plannable(table)
    actions = [each for each in offered if each.capable_states([state])]
    able = [each for row in actions for each in row.parameters if value_schema(each, [state])]
    if not able and any(each.parameters for each in offered):
        return ["on/off"]
    found = {_ABILITIES[each.measures] for each in able if each.measures in _ABILITIES}
    found |= {each.name for each in actions} & _RARE
    for each in able:
        if options := state.attributes.get(each.options):
            found.add(f"{each.name} {'/'.join(map(str, options[:_MOST_OPTIONS]))}")
    step = state.attributes.get("percentage_step")
    if isinstance(step, int | float) and _FREE_STEP < step < 100:
        found.add(f"{round(100 / step)} speeds")
    return sorted(found)


MOST_LISTED = 40
"""So many devices are listed one by one; the others of their rooms are counted."""

# In tokens, of the devices that are listed, and of what is told of the others.
_MOST_TOKENS, _MOST_OF_OTHERS = 560, 60
# What counts for a device beside the words it is called by; a word that one of a thousand has counts 7.
_NAMED, _IN_PLACE, _SPOKEN_OF, _OF_KIND, _NEAR = 8.0, 3.0, 6.0, 2.0, 2.0
# What makes about one token: a digit, a mark, a short word or a part of a longer one.
_DEGREES = "°"
_FURTHER = {
    "current_humidity": "{}% humid now",
    "humidity": "set to {}% humid",
    "preset_mode": "preset {}",
    "fan_mode": "fan {}",
}
_MOST_ITEMS = 20
_MOMENTARY = frozenset({"scene", "button", "input_button", "event"})
SILENT = frozenset(
    {"scene", "script", "button", "input_button", "event", "tag", "update", "conversation"}
)
"""Domains whose entities tell nothing of a home."""
# Of what sensors tell.
_MOST_MEASURED = 20


type Known = tuple[CatalogEntity, State]


@dataclass(frozen=True, slots=True)
class ListedDevices:
    """Devices of some domains as `text`, what they are doing `now`, and what a model may name, with its entity ids.

    A label is a name, with its room where several have it, or the rest of a room ("others in Kitchen").
    """

    text: str
    now: str = ""
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def of_domain(self, domain: str) -> list[str]:
        """Return the labels with entities of a domain."""
        prefix = f"{domain}."
        return [
            label for label, ids in self.labels.items() if any(i.startswith(prefix) for i in ids)
        ]


def list_devices(request: AgentRequest, domains: Sequence[str], spoken: str) -> ListedDevices:
    """Return the devices of some domains that can be meant by what was `spoken`, the likeliest first.

    They are exposed, readable, and have a state. Of more than can be listed the others are counted by room.
    """
    by_domain = request.catalog.by_domain
    known = [
        (entity, state)
        for domain in domains
        for entity in by_domain.get(domain, ())
        if (state := request.hass.states.get(entity.entity_id))
        and request.rights.may_read(entity.entity_id)
    ]
    relevance = _relevance(request, spoken, known)
    ranked = sorted(known, key=lambda each: -relevance[each[0].entity_id])
    return _written(request, known, ranked, with_domains=len(domains) > 1)


def _relevance(request: AgentRequest, spoken: str, known: Sequence[Known]) -> dict[str, float]:
    """Return how likely each device is meant: called so, of a kind or in a place that is said, spoken of, near."""
    scores = request.catalog.search.score(spoken)
    bounds, named = request.spoken_bounds, request.named_in(spoken)
    places = bounds.places | {place.id for place in named.areas}
    return {
        entity.entity_id: scores.get(entity.entity_id, 0.0)
        + _NAMED * (entity.entity_id in named.things or entity.entity_id in bounds.named)
        + _IN_PLACE * (not places.isdisjoint({entity.area_id, entity.floor_id}))
        + _SPOKEN_OF * (entity.entity_id in request.recent)
        + _OF_KIND * (entity.domain in named.domains)
        + _NEAR * (entity.area_id is not None and entity.area_id == request.area_id)
        for entity, _ in known
    }


def _written(
    request: AgentRequest, known: Sequence[Known], ranked: Sequence[Known], *, with_domains: bool
) -> ListedDevices:
    """Return devices by room: the likeliest, as many as there is room for, each time in the same order."""
    seen = Counter(entity.name for entity, _ in ranked[:MOST_LISTED])
    chosen: dict[str, tuple[str, str, str]] = {}
    taken: set[str] = set()
    size = 0
    for entity, state in ranked[:MOST_LISTED]:
        label = (
            entity.name if seen[entity.name] == 1 else f"{entity.name}, {room_of(request, entity)}"
        )
        told = _told(entity, state, label, with_domain=with_domains)
        now = _doing(request, entity, state)
        size += tokens_of(f"{told} {now}")
        if size <= _MOST_TOKENS and label not in taken:
            taken.add(label)
            chosen[entity.entity_id] = label, told, now
    floors: dict[str, dict[str, list[str]]] = {"": {}}
    labels: dict[str, tuple[str, ...]] = {}
    for entity, _ in known:
        if found := chosen.get(entity.entity_id):
            label, told, _ = found
            labels[label] = (entity.entity_id,)
            room, floor = _place_of(request, entity)
            floors.setdefault(floor, {}).setdefault(room, []).append(told)
    lines: list[str] = []
    for floor, rooms in floors.items():
        lines += [f"{floor}:"] if floor else []
        lines += [f"{room}: {'; '.join(told)}" for room, told in rooms.items()]
    text = "\n".join(lines)
    left = [each for each in known if each[0].entity_id not in chosen]
    if others_told := _others(request, left, labels):
        text = f"{text}\nMore: {others_told}"
    # What changed last stands last, so that a server has read most of it before.
    told_of = [chosen[entity.entity_id] for entity in _by_age(known) if entity.entity_id in chosen]
    doing = {label: now for label, _, now in told_of}
    return ListedDevices(text, _at_once(doing), labels)


def _by_age(known: Sequence[Known]) -> list[CatalogEntity]:
    """Return entities by their last change; what changed by one command, or not since it was added, as it stood.

    Within one command Home Assistant has no order, nor while it sets up its platforms.
    """
    changed: dict[str, float] = {}
    for _, state in known:
        event = state.context.origin_event
        if event and (event.event_type != EVENT_STATE_CHANGED or event.data["old_state"]):
            at = max(changed.get(state.context.id, 0), state.last_updated_timestamp)
            changed[state.context.id] = at
    ordered = sorted(known, key=lambda each: changed.get(each[1].context.id, 0))
    return [entity for entity, _ in ordered]


def _told(entity: CatalogEntity, state: State, label: str, *, with_domain: bool) -> str:
    """Return what is told of one device that seldom changes: its names, and what it can be set to."""
    also = f" ({entity.names[1]})" if len(entity.names) > 1 else ""
    able = ", ".join([*([state.domain] if with_domain else ()), *abilities(state)])
    return f"{label}{also}: {able}" if able else f"{label}{also}"


def _doing(request: AgentRequest, entity: CatalogEntity, state: State) -> str:
    """Return what a device is doing, and whether it is the one that is usual."""
    if state.domain in _MOMENTARY:
        return ""
    words = [*describe_state(state), *items_of(request, state)]
    if entity.entity_id in {
        request.usual.player(entity.area_id),
        request.usual.player(request.area_id),
    }:
        words.append("used last there")
    return ", ".join(words)


def _at_once(doing: dict[str, str]) -> str:
    """Return what devices are doing, in one line; what most of them do is told once."""
    doing = {label: now for label, now in doing.items() if now}
    [(most, count)] = Counter(doing.values()).most_common(1) or [("", 0)]
    told = [f"{label}: {now}" for label, now in doing.items() if now != most or count == 1]
    return "; ".join([*told, f"the rest: {most}"] if count > 1 else told)


def _others(
    request: AgentRequest,
    left: Sequence[Known],
    labels: dict[str, tuple[str, ...]],
) -> str:
    """Return how many more devices there are, by room while there is room for it, and add their labels."""
    told: list[str] = []
    size = 0
    rest: dict[str, list[str]] = {}
    for room, found in _by_room(request, left):
        label = f"others in {room}"
        size += tokens_of(f"{label}: {len(found)};")
        if size > _MOST_OF_OTHERS:
            rest.setdefault(found[0].domain, []).extend(entity.entity_id for entity in found)
            continue
        labels[label] = tuple(entity.entity_id for entity in found)
        told.append(f"{label}: {len(found)}")
    for domain, ids in rest.items():
        label = "all others" if len(rest) == 1 else f"all others ({domain})"
        labels[label] = tuple(ids)
        told.append(f"{label}: {len(ids)}")
    return "; ".join(told)


def _by_room(
    request: AgentRequest, entries: Iterable[Known]
) -> Iterator[tuple[str, list[CatalogEntity]]]:
    """Yield entities by room and domain, since one action is for one domain."""
    found: dict[tuple[str, str], list[CatalogEntity]] = {}
    for entity, _ in entries:
        found.setdefault((room_of(request, entity), entity.domain), []).append(entity)
    several = {room for room, _ in found if sum(other == room for other, _ in found) > 1}
    for (room, domain), entities in found.items():
        yield (f"{room} ({domain})" if room in several else room), entities


def measured(request: AgentRequest) -> list[str]:
    """Return the lines about a home's sensors, for a request with a condition."""
    told = [
        f"{entity.name} {' '.join(describe_reading(state))}"
        for domain in ("sensor", "binary_sensor", "weather")
        for entity in request.catalog.by_domain.get(domain, ())
        if (state := request.hass.states.get(entity.entity_id))
        and request.rights.may_read(entity.entity_id)
    ]
    return told[:_MOST_MEASURED]


def room_of(request: AgentRequest, entity: CatalogEntity) -> str:
    """Return an entity's room with its floor: "Kitchen (Ground Floor)"; "Elsewhere" without one."""
    room, floor = _place_of(request, entity)
    return f"{room} ({floor})" if floor else room


def kind_of(entity: CatalogEntity) -> str:
    """Return Home Assistant's words for the kind of an entity: "binary sensor motion"."""
    return f"{entity.domain} {entity.device_class or ''}".replace("_", " ")


def words_about(request: AgentRequest, entity: CatalogEntity, state: State) -> frozenset[str]:
    """Return the words that may call an entity: its names, its room, its kind."""
    texts = (*entity.names, room_of(request, entity), kind_of(entity), state.state)
    return frozenset(word for text in texts for word in words_of(text))


def _place_of(request: AgentRequest, entity: CatalogEntity) -> tuple[str, str]:
    """Return the names of an entity's room, "Elsewhere" without one, and of its floor, "" without one."""
    area = request.catalog.areas.get(entity.area_id or "")
    floor = request.catalog.floors.get(entity.floor_id or "")
    return (area.name, floor.name if floor else "") if area else ("Elsewhere", "")


def _further(state: State) -> Iterator[str]:
    """Yield what a thermostat tells beside temperatures: humidity, preset, the level of its fan."""
    for attribute, words in _FURTHER.items():
        if (value := state.attributes.get(attribute)) is not None and value != "none":
            yield words.format(value)


def items_of(request: AgentRequest, state: State) -> Iterator[str]:
    """Yield the open items of a to-do list, as many as are told."""
    for item in open_items(request.hass, state.entity_id)[:_MOST_ITEMS]:
        yield f'"{item}"'


def describe_state(state: State) -> Iterator[str]:
    """Yield what an entity is doing, in a few words: "on", "40%", "#ff0000"."""
    # What is only ever activated has the time of that as its state.
    yield state.domain if state.domain in _MOMENTARY else state.state
    if (measure := LEVELS.get(state.domain)) and (
        level := read_measure(state, measure)
    ) is not None:
        yield f"{round(level)}%" if is_in_percent(measure) else f"set to {level:g}{_DEGREES}"
    if state.domain == "climate" and (now := read_measure(state, "temperature")) is not None:
        yield f"{now:g}{_DEGREES} now"
        yield from _further(state)
    attributes = state.attributes
    if (tilt := attributes.get("current_tilt_position")) is not None:
        yield f"tilt {tilt}%"
    if rgb := attributes.get("rgb_color"):
        kelvin = attributes.get("color_temp_kelvin")
        yield f"{kelvin} K" if kelvin else "#" + "".join(f"{int(part):02x}" for part in rgb)
    if title := attributes.get("media_title"):
        artist = attributes.get("media_artist")
        album = attributes.get("media_album_name")
        by, of = (f" by {artist}" if artist else ""), (f", album {album}" if album else "")
        yield f'"{title}"{by}{of}'


def describe_reading(state: State) -> Iterator[str]:
    """Yield what an entity tells in a few words: with its unit, or as its device class means it."""
    attributes = state.attributes
    if state.domain == "binary_sensor":
        kind = attributes.get("device_class")
        yield _OPENINGS.get(state.state, state.state) if kind in _OPEN else state.state
        if kind:
            yield str(kind)
        return
    if unit := attributes.get("unit_of_measurement"):
        yield f"{state.state} {unit}"
        return
    yield from describe_state(state)
    if sources := attributes.get("source_list"):
        yield f"sources {'/'.join(map(str, sources))}"
    if state.domain == "weather" and (degrees := attributes.get("temperature")) is not None:
        yield f"{degrees}{attributes.get('temperature_unit', '')}"


# Binary sensors that say "on" for what is open.
_OPEN = frozenset({"door", "window", "opening", "garage_door"})
_OPENINGS = {"on": "open", "off": "closed"}
