"""The demo house as a catalog, turns that a conversation remembers of it, and languages to speak."""

from functools import cache
from pathlib import Path
from typing import Any

from homeassistant.util.yaml import load_yaml_dict

from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.home.catalog import Catalog, CatalogEntity, Place
from custom_components.bellboard.json_model import timestamp
from custom_components.bellboard.memory.turns import RememberedPart, RememberedTurn
from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.loader import Language

HOUSE = (
    Path(__file__).parent.parent.parent
    / "scripts/demonstration/custom_components/demo_house/house.yaml"
)
# What the house is called by those who speak neither English nor German.
MORE_NAMES = {
    "Bedroom": ["Chambre", "Dormitorio", "Slaapkamer"],
    "Kitchen": ["Cocina", "Keuken"],
    "light.floor_lamp": ["Lampadaire", "Lámpara de pie", "Vloerlamp"],
}
SPECIALISTS = {"light": "light-agent", "media_player": "music-agent", "climate": "climate-agent"}

KITCHEN_LIGHTS = ("light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant")
BEDROOM_LIGHTS = (
    "light.bedroom_ceiling",
    "light.left_bedside_lamp",
    "light.right_bedside_lamp",
)
OFFICE_LIGHTS = ("light.bookshelf_lights", "light.desk_lamp")


@cache
def language(code: str) -> Language:
    """Return the words of a language."""
    return loader._load(code)


@cache
def home() -> Catalog:
    """Return what is exposed in the demo house."""
    floors: dict[str, Place] = {}
    areas: dict[str, Place] = {}
    entities: dict[str, CatalogEntity] = {}
    for floor in load_yaml_dict(str(HOUSE))["floors"]:
        floor_id = _id(floor)
        floors[floor_id] = Place(floor_id, _names(floor), floor_id, is_floor=True)
        for area in floor["areas"]:
            area_id = _id(area)
            areas[area_id] = Place(area_id, _names(area), floor_id, is_floor=False)
            for item in area["entities"]:
                if item.get("exposed", True):
                    entity = CatalogEntity(
                        entity_id=item["id"],
                        names=_names(item),
                        area_id=area_id,
                        floor_id=floor_id,
                        device_class=item.get("device_class") or item.get("kind"),
                    )
                    entities[entity.entity_id] = entity
    return Catalog(1, entities, areas, floors)


def _id(entry: dict[str, Any]) -> str:
    """Return the id of a place that is called so."""
    return str(entry["name"]).lower().replace(" ", "_")


def _names(entry: dict[str, Any]) -> tuple[str, ...]:
    """Return all names of an entry of the house."""
    more = MORE_NAMES.get(str(entry.get("id", entry["name"])), [])
    return (entry["name"], *entry.get("aliases", ()), *more)


def action(name: str, **parameters: Any) -> Command:
    """Return an action with its parameters."""
    return Command(name=name, parameters=parameters)


def part(agent: str, what: Command | None, *targets: str, **more: Any) -> RememberedPart:
    """Return what one agent did."""
    actions = (what,) if what else ()
    return RememberedPart(agent_id=f"{agent}-agent", actions=actions, targets=targets, **more)


def turn(*parts: RememberedPart, said: str = "", **more: Any) -> RememberedTurn:
    """Return a turn that ended just now."""
    agents = tuple(entry.agent_id for entry in parts)
    return RememberedTurn(
        **{"at": timestamp(), "said": said, "agents": agents, "parts": parts} | more
    )


LAMP = "light.floor_lamp"
READING = "light.reading_lamp"
SPEAKER = "media_player.kitchen_speaker"
THERMOSTAT = "climate.bedroom_thermostat"
BLINDS = "cover.kitchen_blinds"
LEFT, RIGHT = "light.left_bedside_lamp", "light.right_bedside_lamp"

TURNS: dict[str, list[RememberedTurn]] = {
    "lamp on": [turn(part("light", action("turn_on"), LAMP), said="turn on the floor lamp")],
    "lamp at 40": [turn(part("light", action("set", percent=40), LAMP))],
    "lamp blue": [turn(part("light", action("set", color="blue"), LAMP))],
    "lamp brighter": [turn(part("light", action("change_brightness", by=25), LAMP))],
    "lamp darker": [turn(part("light", action("change_brightness", by=-10), LAMP))],
    "kitchen on": [
        turn(part("light", action("turn_on"), *KITCHEN_LIGHTS), said="turn on the kitchen lights")
    ],
    "two lamps on": [turn(part("light", action("turn_on"), LAMP, READING))],
    "one after the other": [
        turn(
            part("light", action("turn_on"), LAMP),
            part("light", action("set", percent=20), READING),
        )
    ],
    "light and music": [
        turn(part("light", action("turn_on"), LAMP), part("music", action("pause"), SPEAKER))
    ],
    "music paused": [turn(part("music", action("pause"), SPEAKER))],
    "jazz": [
        turn(part("music", action("play", query="jazz"), SPEAKER), said="play jazz in the kitchen")
    ],
    "louder": [turn(part("music", action("volume_up"), SPEAKER))],
    "volume by 20": [turn(part("music", action("change_volume", by=20), SPEAKER))],
    "volume at 30": [turn(part("music", action("set_volume", percent=30), SPEAKER))],
    "skipped": [turn(part("music", action("next"), SPEAKER))],
    "21 degrees": [turn(part("climate", action("set_temperature", temperature=21.0), THERMOSTAT))],
    "warmer": [turn(part("climate", action("change_temperature", by=1), THERMOSTAT))],
    "blinds open": [turn(part("home", action("open"), BLINDS), said="open the kitchen blinds")],
    "all blinds open": [
        turn(
            part("home", action("open"), BLINDS, "cover.living_room_blinds"), said="open all blinds"
        )
    ],
    "coffee on": [
        turn(part("home", action("turn_on"), "switch.coffee_machine"), said="turn on the coffee")
    ],
    "fan on": [turn(part("home", action("turn_on"), "fan.bedroom_fan"))],
    "vacuum": [turn(part("home", None, "vacuum.dusty"))],
    "door asked": [
        turn(part("home", None, "lock.front_door", asked=True), said="is the front door locked")
    ],
    "lamp asked": [
        turn(part("home", None, LAMP, asked=True), said="is the floor lamp on in the living room")
    ],
    "kitchen asked": [
        turn(
            part("home", None, *KITCHEN_LIGHTS, asked=True),
            said="are any lights on in the kitchen",
        )
    ],
    "mixed": [turn(part("home", action("turn_off"), LAMP, SPEAKER))],
    "timer": [turn(part("home", None), said="set a timer for 5 minutes")],
    "left after a question": [
        turn(part("light", None, candidates=(LEFT, RIGHT))),
        turn(part("light", action("turn_on"), LEFT)),
    ],
    "asked which": [turn(part("light", None, candidates=(LEFT, RIGHT)))],
    "talk after lamp": [
        turn(part("light", action("turn_on"), LAMP)),
        turn(agents=("general-agent",)),
    ],
    "failure after lamp": [turn(part("light", action("turn_on"), LAMP)), turn(part("light", None))],
    "garage light on": [turn(part("light", action("turn_on"), "light.garage_light"))],
    "hidden": [turn(part("light", action("turn_on"), "light.alarm_beacon"))],
    "nothing": [],
}
