"""The house as it is described: floors, areas and entities, read from a YAML file.

Nothing here knows how an entity behaves. The platform files read the options of their own domain.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.yaml import load_yaml_dict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOUSE_FILE = Path(__file__).with_name("house.yaml")


@dataclass(frozen=True, slots=True)
class Item:
    """One entity of the house.

    options holds the keys of the YAML entry that only the entity's own platform reads.
    """

    entity_id: str
    name: str
    aliases: tuple[str, ...]
    exposed: bool
    options: Mapping[str, Any]

    @property
    def domain(self) -> str:
        """The entity's domain, such as "light"."""
        return self.entity_id.partition(".")[0]

    @property
    def object_id(self) -> str:
        """The entity id without its domain."""
        return self.entity_id.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Area:
    """One room and what stands in it."""

    name: str
    aliases: tuple[str, ...]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Floor:
    """One storey; level 0 is the ground."""

    name: str
    level: int
    aliases: tuple[str, ...]
    areas: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class House:
    """The whole house, in the order of its file."""

    floors: tuple[Floor, ...]

    @property
    def areas(self) -> Iterator[Area]:
        """Every area, floor by floor."""
        return (area for floor in self.floors for area in floor.areas)

    def items(self, domain: str) -> Iterator[Item]:
        """Every entity of one domain, area by area."""
        return (item for area in self.areas for item in area.items if item.domain == domain)


def load_house(path: Path = HOUSE_FILE) -> House:
    """Read a house from its file. Reads the disk: never call it in the event loop.

    Raises HomeAssistantError when the file cannot be read or lacks a name.
    """
    try:
        return House(tuple(_floor(entry) for entry in load_yaml_dict(str(path))["floors"]))
    except (OSError, KeyError, TypeError) as error:
        message = f"{path} does not describe a house: {error!r}"
        raise HomeAssistantError(message) from error


def _floor(entry: Mapping[str, Any]) -> Floor:
    areas = tuple(_area(area) for area in entry["areas"])
    return Floor(str(entry["name"]), int(entry["level"]), _names(entry), areas)


def _area(entry: Mapping[str, Any]) -> Area:
    items = tuple(_item(item) for item in entry.get("entities", ()))
    return Area(str(entry["name"]), _names(entry), items)


def _item(entry: Mapping[str, Any]) -> Item:
    own = {"id", "name", "aliases", "exposed"}
    options = {key: value for key, value in entry.items() if key not in own}
    exposed = bool(entry.get("exposed", True))
    return Item(str(entry["id"]), str(entry["name"]), _names(entry), exposed, options)


def _names(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(name) for name in entry.get("aliases", ()))
