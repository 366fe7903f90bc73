"""A home in one line a room: what kinds of things are in it, how many of each, and its scenes by name."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalog import Catalog, CatalogEntity, Place

MOST_CHARACTERS = 760
"""Length of an overview: with more rooms, scenes are counted, and then the last rooms are left out."""

# What only tells something, and what nobody asks for by its kind.
_SILENT = frozenset(
    {
        "automation",
        "binary_sensor",
        "button",
        "calendar",
        "conversation",
        "event",
        "sensor",
        "update",
        "weather",
    }
)

_SHORT = {"media_player": "player", "alarm_control_panel": "alarm", "lawn_mower": "mower"}


def describe_rooms(catalog: Catalog) -> str:
    """Return the rooms of a home, each with its floor and what is in it, as far as there is room for it."""
    lines = list(_lines(catalog, with_names=True))
    if len("\n".join(lines)) > MOST_CHARACTERS:
        lines = list(_lines(catalog, with_names=False))
    while lines and len("\n".join(lines)) > MOST_CHARACTERS:
        lines.pop()
    return "\n".join(lines)


def _lines(catalog: Catalog, *, with_names: bool) -> Iterator[str]:
    """Yield a line for each room with something in it, under its floor; what is in no room last."""
    rooms: dict[str | None, list[CatalogEntity]] = {area_id: [] for area_id in catalog.areas}
    for entity in catalog.entities.values():
        if entity.domain not in _SILENT:
            rooms.setdefault(entity.area_id, []).append(entity)
    above: Place | None = None
    for area_id, entities in sorted(rooms.items(), key=lambda each: each[0] is None):
        area = catalog.areas.get(area_id or "")
        floor = catalog.floors.get(area.floor_id or "") if area else None
        if entities and floor not in {above, None}:
            yield f"{_in_line(floor.name)}:"
            above = floor
        if entities:
            kinds = ", ".join(_kinds(entities, with_names=with_names))
            yield f"- {_in_line(area.name) if area else 'Elsewhere'}: {kinds}"


def _kinds(entities: list[CatalogEntity], *, with_names: bool) -> Iterator[str]:
    """Yield the kinds of some entities with their counts; a scene by its name."""
    kinds = Counter(_SHORT.get(entity.domain, entity.domain) for entity in entities)
    scenes = [entity.name for entity in entities if entity.domain == "scene"]
    if with_names and scenes:
        del kinds["scene"]
    for kind, count in sorted(kinds.items()):
        yield f"{count} {kind}" if count > 1 else kind
    if with_names:
        yield from (f'scene "{_in_line(name)}"' for name in scenes)


def _in_line(name: str) -> str:
    """Return a name with nothing in it that would begin another line."""
    return " ".join(name.split())
