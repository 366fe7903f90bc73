"""A change without a size moves a device by its domain's step, however the device is spoken of."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.domains.registry import table_of, tables
from custom_components.bellboard.nlu.loader import available_languages
from tests.evaluation import setup_agent
from tests.thorough import part

pytestmark = pytest.mark.long

AMOUNTS = ("", "little", "much")
# Two devices of each domain, in two rooms, in the middle of their range; names of no language.
DEVICES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "light": ("Nimbus", "on", {"supported_color_modes": ["brightness"], "color_mode": "brightness", "brightness": 128}),
    "media_player": ("Vesper", "playing", {"supported_features": 2**23 - 1, "volume_level": 0.4}),
    "climate": ("Zenith", "heat", {"supported_features": 1, "hvac_modes": ["off", "heat"], "temperature": 20,
                                   "min_temp": 7, "max_temp": 30}),
    "fan": ("Mistral", "on", {"supported_features": 63, "percentage": 45, "percentage_step": 1}),
    "humidifier": ("Brumo", "on", {"supported_features": 0, "humidity": 45, "min_humidity": 10, "max_humidity": 90}),
    "cover": ("Velaro", "open", {"device_class": "blind", "supported_features": 15, "current_position": 45}),
}  # fmt: skip
# The attribute that a service sets, where in its data the level is, and how much of the domain's step one of it is.
LEVELS = {
    "light.turn_on": ("brightness", "brightness_step_pct", 1 / 2.55),
    "media_player.volume_up": ("volume_level", "", 100),
    "media_player.volume_set": ("volume_level", "volume_level", 100),
    "climate.set_temperature": ("temperature", "temperature", 1),
    "fan.set_percentage": ("percentage", "percentage", 1),
    "humidifier.set_humidity": ("humidity", "humidity", 1),
    "cover.set_cover_position": ("current_position", "position", 1),
}
# By language: a change of what is named, of "it", and of what stands in the speaker's room; the words for how
# much; those for what changes, by domain; and how a blind of the room is spoken of.
SAID: dict[str, dict[str, Any]] = {
    "de": {"named": "mach {name} {how}", "it": "mach es {how}", "here": "{how}", "little": "etwas", "much": "viel",
           "light": "heller", "media_player": "lauter", "climate": "wärmer", "fan": "schneller",
           "humidifier": "feuchter", "cover": ("öffne {name} {amount}", "den Rollladen")},
    "en": {"named": "make {name} {how}", "it": "make it {how}", "here": "{how}", "little": "a bit", "much": "much",
           "light": "brighter", "media_player": "louder", "climate": "warmer", "fan": "faster", "humidifier": "damper",
           "cover": ("open {name} {amount}", "the blinds")},
    "es": {"named": "pon {name} {how}", "it": "ponlo {how}", "here": "{how}", "little": "un poco", "much": "mucho",
           "light": "más brillante", "media_player": "más alto", "climate": "más caliente", "fan": "más rápido",
           "humidifier": "más húmedo", "cover": ("abre {name} {amount}", "la persiana")},
    "fr": {"named": "mets {name} {how}", "it": "mets-le {how}", "here": "{how}", "little": "un peu", "much": "beaucoup",
           "light": "plus lumineux", "media_player": "plus fort", "climate": "plus chaud", "fan": "plus vite",
           "humidifier": "plus humide", "cover": ("ouvre {name} {amount}", "le volet")},
    "it": {"named": "metti {name} {how}", "it": "mettilo {how}", "here": "{how}", "little": "un po'", "much": "molto",
           "light": "più luminoso", "media_player": "più alto", "climate": "più caldo", "fan": "più veloce",
           "humidifier": "più umido", "cover": ("apri {name} {amount}", "la tapparella")},
    "nl": {"named": "zet {name} {how}", "it": "zet het {how}", "here": "{how}", "little": "een beetje", "much": "veel",
           "light": "feller", "media_player": "luider", "climate": "warmer", "fan": "sneller",
           "humidifier": "vochtiger", "cover": ("open {name} {amount}", "het rolluik")},
    "pl": {"named": "zrób {name} {how}", "it": "zrób to {how}", "here": "{how}", "little": "trochę", "much": "dużo",
           "light": "jaśniej", "media_player": "głośniej", "climate": "cieplej", "fan": "szybciej",
           "humidifier": "wilgotniej", "cover": ("otwórz {name} {amount}", "roletę")},
    "pt": {"named": "põe {name} {how}", "it": "põe-no {how}", "here": "{how}", "little": "um pouco", "much": "muito",
           "light": "mais brilhante", "media_player": "mais alto", "climate": "mais quente", "fan": "mais rápido",
           "humidifier": "mais húmido", "cover": ("abre {name} {amount}", "a persiana")},
    "sv": {"named": "gör {name} {how}", "it": "gör den {how}", "here": "{how}", "little": "lite", "much": "mycket",
           "light": "ljusare", "media_player": "högre", "climate": "varmare", "fan": "snabbare",
           "humidifier": "fuktigare", "cover": ("öppna {name} {amount}", "persiennen")},
}  # fmt: skip
PRONOUN = {
    "de": "es",
    "en": "it",
    "es": "eso",
    "fr": "ça",
    "it": "questo",
    "nl": "het",
    "pl": "to",
    "pt": "isso",
    "sv": "den",
}


@pytest.fixture
async def panel(hass: HomeAssistant) -> str:
    """Return the id of a voice panel in the room of the first device of each kind."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    areas = [ar.async_get(hass).async_create(name) for name in ("Solaria", "Umbria")]
    entry = MockConfigEntry(domain="panel")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("panel", "one")}
    )
    dr.async_get(hass).async_update_device(device.id, area_id=areas[0].id)
    registry = er.async_get(hass)
    for domain, (name, _, _) in DEVICES.items():
        for area, second in zip(areas, ("Alfa", "Bravo"), strict=True):
            found = registry.async_get_or_create(
                domain, "panel", f"{domain} {second}",
                suggested_object_id=f"{name}_{second}", original_name=f"{name} {second}",
            )  # fmt: skip
            registry.async_update_entity(found.entity_id, area_id=area.id)
            async_expose_entity(hass, "conversation", found.entity_id, True)
        _show(hass, domain)
    for action in LEVELS:
        domain, _, service = action.partition(".")
        hass.services.async_register(domain, service, _do)
    await setup_agent(hass, {"provider": "none"})
    return device.id


async def _do(call: ServiceCall) -> None:
    """Let devices show what a service does."""
    attribute, name, _ = LEVELS[f"{call.domain}.{call.service}"]
    for entity_id in call.data["entity_id"]:
        state = call.hass.states.get(entity_id)
        assert state
        level = call.data.get(name, state.attributes[attribute] + 0.1)
        if name == "brightness_step_pct":
            level = state.attributes[attribute] + level * 2.55
        call.hass.states.async_set(entity_id, state.state, {**state.attributes, attribute: level})


def _show(hass: HomeAssistant, domain: str) -> None:
    """Let the devices of a domain show the middle of their range."""
    name, state, attributes = DEVICES[domain]
    for second in ("Alfa", "Bravo"):
        shown = {**attributes, "friendly_name": f"{name} {second}"}
        hass.states.async_set(f"{domain}.{name}_{second}".lower(), state, shown)


def sentences(code: str, domain: str, amount: str) -> dict[str, list[tuple[str, bool]]]:
    """Return the ways to say a change: their turns, each with whether it is said in the device's room."""
    said, name = SAID[code], DEVICES[domain][0]
    much = said.get(amount, "")
    if domain == "cover":
        template, here = said["cover"]

        def command(what: str) -> str:
            return str(template.format(name=what, amount=much))

        it, room = command(PRONOUN[code]), command(here)
    else:
        how = f"{much} {said[domain]}".strip()

        def command(what: str) -> str:
            return str(said["named"].format(name=what, how=how))

        it, room = said["it"].format(how=how), said["here"].format(how=how)
    named = command(f"{name} Alfa")
    return {
        "name and it": [(named, False), (it, False)],
        "room": [(room, True)],
        "answer": [(command(name), False), (f"{name} Alfa", False)],
    }


def test_every_domain_with_steps_is_tried() -> None:
    assert {table.name for table in tables() if table.step_sizes} == DEVICES.keys()
    assert SAID.keys() == set(available_languages())


@pytest.mark.parametrize("code", sorted(SAID))
async def test_a_change_is_as_large_by_name_by_it_by_room_and_as_an_answer(
    hass: HomeAssistant, panel: str, code: str
) -> None:
    wrong: list[str] = []
    for domain in part(DEVICES, 2, first=sorted(SAID).index(code)):
        table = table_of(domain)
        assert table
        assert table.step_sizes
        for amount in AMOUNTS:
            if domain == "cover" and not amount:
                # To open is no change by a step.
                continue
            # A player that is told no size takes a step of its own.
            size = table.step_sizes.sizes.get(amount, 10)
            for way, turns in sentences(code, domain, amount).items():
                moves, reply = await _moves(hass, domain, code, turns, panel)
                asked = [[0, 0]] if way == "answer" else []
                if moves != [*asked, *[[size, 0]] * (len(turns) - len(asked))]:
                    wrong.append(f"{domain} {amount} {way}: {turns} {moves} {reply}")
    assert not wrong, "\n" + "\n".join(wrong)


async def _moves(
    hass: HomeAssistant, domain: str, code: str, turns: list[tuple[str, bool]], panel: str
) -> tuple[list[list[float]], str]:
    """Return how far each turn of a conversation moves the devices of a domain, and the last reply."""
    found: Any = {}
    moves = []
    for text, is_in_room in turns:
        _show(hass, domain)
        before = _levels(hass, domain)
        data = {"text": text, "language": code}
        data |= {"device_id": panel} if is_in_room else {}
        data |= {"conversation_id": found["conversation_id"]} if found else {}
        found = await hass.services.async_call(
            DOMAIN, "process", data, blocking=True, return_response=True
        )
        after = _levels(hass, domain)
        moves.append([round(new - old, 1) for old, new in zip(before, after, strict=True)])
    return moves, str(found["reply"])


def _levels(hass: HomeAssistant, domain: str) -> list[float]:
    """Return the levels of both devices of a domain, in the unit of its steps."""
    attribute, _, unit = next(
        level for action, level in LEVELS.items() if action.startswith(f"{domain}.")
    )
    name = DEVICES[domain][0]
    found = []
    for second in ("Alfa", "Bravo"):
        state = hass.states.get(f"{domain}.{name}_{second}".lower())
        assert state
        found.append(state.attributes[attribute] * unit)
    return found
