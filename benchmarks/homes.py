"""Homes of any size, made up on the spot and set up in a real Home Assistant core."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice, product
import json
from pathlib import Path
import tempfile
from typing import Any

from homeassistant import loader
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

import custom_components

# The demo house, which builds any house that is described to it.
_COMPONENTS = Path(__file__).resolve().parent.parent / "scripts/demonstration/custom_components"
custom_components.__path__.append(str(_COMPONENTS))

# Of different sizes, with some that hold more lights than a question or a prompt lists by name.
_ROOM_SIZES = (4, 6, 12, 24, 40)
_COLOURS = ("Amber", "Azure", "Coral", "Crimson", "Emerald", "Ivory", "Lilac", "Ochre", "Olive")
_ROOMS = ("Study", "Parlour", "Gallery", "Pantry", "Library", "Cabin", "Loft", "Cellar", "Studio")
_WINGS = ("", "North", "South", "East", "West")
_SIDES = ("", "Left", "Right", "Upper", "Lower")
_LAMPS = ("Ceiling", "Pendant", "Lantern", "Sconce", "Spot", "Strip", "Uplight", "Torch", "Globe")
_WHICH = ("", "Second", "Third", "Fourth", "Fifth", "Sixth")

_LIGHTS: tuple[dict[str, Any], ...] = (
    {"modes": ["brightness"], "brightness": 120},
    {"modes": ["color_temp"], "kelvin": [2200, 6500], "brightness": 200, "color_temp_kelvin": 3000},
    {"modes": ["hs"], "effects": ["candle", "rainbow"], "brightness": 90, "hs_color": [30, 60]},
    {"modes": ["onoff"]},
)
_OTHERS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("media_player", "Speaker", {"kind": "speaker", "volume": 0.3}),
    ("switch", "Socket", {"device_class": "outlet"}),
    (
        "climate",
        "Thermostat",
        {
            "modes": ["heat", "off"],
            "mode": "heat",
            "limits": [7, 30],
            "step": 0.5,
            "current": 20,
            "target": 21,
        },
    ),
    ("cover", "Blinds", {"device_class": "blind", "position": 100}),
)


@dataclass(frozen=True, slots=True)
class Room:
    """A room and the names of its lights."""

    name: str
    lights: tuple[str, ...]


@dataclass(slots=True)
class Home:
    """A running home. `agents` maps a name of ours to the entity id of a conversation agent."""

    hass: HomeAssistant
    rooms: tuple[Room, ...]
    agents: dict[str, str] = field(default_factory=dict)

    @property
    def lights(self) -> list[str]:
        """Return the names of all lights."""
        return [light for room in self.rooms for light in room.lights]

    async def async_say(
        self,
        text: str,
        agent_id: str,
        *,
        room: str | None = None,
        conversation_id: str | None = None,
    ) -> conversation.ConversationResult:
        """Say a sentence to an agent, to the voice panel of a room where one is named."""
        return await conversation.async_converse(
            self.hass,
            text,
            conversation_id,
            Context(),
            language="en",
            agent_id=agent_id,
            device_id=self.panel(room) if room else None,
        )

    def panel(self, room: str) -> str:
        """Return the id of the device that listens in a room.

        Raises:
            LookupError: there is none.
        """
        entry = self.hass.config_entries.async_entries("demo_house")[0]
        for device in dr.async_entries_for_config_entry(dr.async_get(self.hass), entry.entry_id):
            if ("demo_house", f"panel {room}") in device.identifiers:
                return device.id
        raise LookupError(f"no voice panel in {room}")


def describe_house(entities: int, *, lights_only: bool = False) -> dict[str, Any]:
    """Return a house in the demo house's form, with so many entities in rooms of all sizes."""
    areas: list[dict[str, Any]] = []
    names = (
        f"{wing} {colour} {room}".strip()
        for wing, room, colour in product(_WINGS, _ROOMS, _COLOURS)
    )
    left = entities
    for size, name in zip(cycle(_ROOM_SIZES), names, strict=False):
        count = min(size, left)
        areas.append(
            {"name": name, "entities": list(islice(_things(name, lights_only=lights_only), count))}
        )
        left -= count
        if not left:
            return {"floors": [{"name": "Ground Floor", "level": 0, "areas": areas}]}
    raise ValueError(f"no house is large enough for {entities} entities")


def _things(room: str, *, lights_only: bool) -> Iterator[dict[str, Any]]:
    """Yield what stands in a room: lights, and every third thing another one."""
    others = (
        (domain, f"{room} {which} {name}".replace("  ", " "), options)
        for which, (domain, name, options) in product(_WHICH, _OTHERS)
    )
    kinds = cycle(_LIGHTS)
    for number, (side, lamp) in enumerate(product(_SIDES, _LAMPS)):
        yield _thing("light", f"{room} {side} {lamp}".replace("  ", " "), next(kinds))
        if number % 2 and not lights_only:
            yield _thing(*next(others))


def _thing(domain: str, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return an entity; its id comes from its name and so is its own as the name is."""
    return {"id": f"{domain}.{name.lower().replace(' ', '_')}", "name": name, **options}


@asynccontextmanager
async def async_home(entities: int, *, lights_only: bool = False) -> AsyncGenerator[Home]:
    """Run a home with so many entities in a core of its own, with all that Assist needs."""
    house = describe_house(entities, lights_only=lights_only)
    rooms = tuple(
        Room(
            area["name"],
            tuple(e["name"] for e in area["entities"] if e["id"].startswith("light.")),
        )
        for area in house["floors"][0]["areas"]
    )
    async with _async_core(house) as hass:
        yield Home(hass, rooms)


@asynccontextmanager
async def async_demo_home() -> AsyncGenerator[Home]:
    """Run the demo house in a core of its own, with all that Assist needs."""
    async with _async_core(None) as hass:
        yield Home(hass, ())


@asynccontextmanager
async def _async_core(house: dict[str, Any] | None) -> AsyncGenerator[HomeAssistant]:
    """Run a core with a house, the demo house for None."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "house.yaml"
        # JSON is YAML too.
        path.write_text(json.dumps(house), encoding="utf-8")
        async with async_test_home_assistant(config_dir=folder) as hass:
            hass.data.pop(loader.DATA_CUSTOM_COMPONENTS)
            try:
                await _async_move_in(hass, {"house": str(path)} if house else {})
                yield hass
            finally:
                await hass.async_stop(force=True)


async def _async_move_in(hass: HomeAssistant, house: dict[str, Any]) -> None:
    """Set up what Assist needs and the house.

    Raises:
        RuntimeError: one of them could not be set up.
    """
    for component in ("homeassistant", "intent", "conversation"):
        if not await async_setup_component(hass, component, {}):
            raise RuntimeError(f"{component} could not be set up")
    entry = MockConfigEntry(domain="demo_house", data=house)
    entry.add_to_hass(hass)
    if not await hass.config_entries.async_setup(entry.entry_id):
        raise RuntimeError(f"the house could not be set up: {entry.reason}")
    await hass.async_block_till_done()
