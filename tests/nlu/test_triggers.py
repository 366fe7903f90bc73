"""What is waited for is read in all languages, with what tells it; questions and wishes wait for nothing."""

from pathlib import Path
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
import yaml

from custom_components.bellboard.home.catalog import Catalog, CatalogSource
from custom_components.bellboard.nlu.conditions import ConditionReader
from custom_components.bellboard.nlu.house import HomeLexicon
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.nlu.triggers import ReadTrigger, read_trigger
from custom_components.bellboard.when import Trigger
from tests.asked_house import put

_TABLE: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "triggers.yaml").read_text("utf-8")
)
_PERSONS = {"person.anna": "Anna", "person.ben": "Ben"}


@pytest.fixture
async def catalog(hass: HomeAssistant, house: ConfigEntry) -> Catalog:
    """Return what is exposed of the demo house, with the sun, two persons and a sensor of the air."""
    air = {"device_class": "carbon_dioxide", "unit_of_measurement": "ppm"}
    put(hass, "sensor.kitchen_co2", "Air Sensor", "800", "Kitchen", **air)
    hass.states.async_set("sun.sun", "above_horizon")
    for entity_id, name in _PERSONS.items():
        hass.states.async_set(entity_id, "home", {"friendly_name": name})
        async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    await hass.async_block_till_done()
    return await CatalogSource(hass).async_get()


class _Reader:
    """Reads sentences of one language, which Anna says in no certain room."""

    def __init__(self, hass: HomeAssistant, catalog: Catalog, code: str) -> None:
        """Take the house."""
        self.hass, self.catalog, self.code = hass, catalog, code

    async def async_load(self) -> None:
        """Load the language, and index the house in it."""
        self.language = await async_get_language(self.hass, self.code)
        self.house = HomeLexicon(self.catalog, self.language.lexicon)
        for entity in self.catalog.entities.values():
            self.house.add(self.hass, entity)

    def read(self, text: str) -> ReadTrigger | None:
        """Return what a sentence waits for."""
        reader = ConditionReader(
            hass=self.hass,
            house=self.house,
            words=self.language.conditions,
            outdoors=self.language.outdoors,
            rain=self.language.ahead.rain,
            readable=self.catalog,
        )
        anna = self.catalog.entities["person.anna"]
        return read_trigger(text, reader, self.language.triggers, dt_util.utcnow(), anna)


@pytest.mark.parametrize("code", _TABLE)
async def test_it_is_read_what_is_waited_for(
    hass: HomeAssistant, catalog: Catalog, code: str
) -> None:
    reader = _Reader(hass, catalog, code)
    await reader.async_load()
    wrong = {}
    for key in ("once", "each"):
        for entity_ids, texts in _TABLE[code][key].items():
            for text in texts:
                found = reader.read(text)
                wanted = ({*entity_ids.split()}, key == "each")
                read = found and ({*found.trigger.entity_ids}, found.trigger.repeats)
                if read != wanted:
                    wrong[text] = read
    assert wrong == {}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "could you lock the front door next time it gets shut"),
        ("de", "schließ Front Door ab wenn sie zugeht"),
        ("de", "schließ Front Door ab sobald sie das nächste mal zugeht"),
        ("es", "cierra con llave Front Door cuando se cierre"),
        ("fr", "verrouille Front Door quand elle se ferme"),
        ("it", "chiudi a chiave Front Door quando si chiude"),
        ("nl", "doe Front Door op slot als hij dichtgaat"),
        ("pl", "zamknij Front Door na klucz kiedy się zamkną"),
        ("pt", "tranca Front Door quando ela se fechar"),
        ("sv", "lås Front Door när den stängs"),
    ],
)
async def test_a_door_that_closes_is_its_contact_and_not_its_lock(
    hass: HomeAssistant, catalog: Catalog, code: str, text: str
) -> None:
    put(hass, "binary_sensor.front_door", "Front Door", "on", "Hallway", device_class="door")
    await hass.async_block_till_done()
    reader = _Reader(hass, await CatalogSource(hass).async_get(), code)
    await reader.async_load()
    found = reader.read(text)
    assert found
    assert found.trigger.entity_ids == ("binary_sensor.front_door",)


def _ends_in(trigger: Trigger, seconds: float | None) -> bool:
    """Return whether a trigger is waited for so many seconds from now; None where it says no end."""
    if trigger.until is None or seconds is None:
        return trigger.until is None and seconds is None
    return seconds - 60 < (trigger.until - dt_util.utcnow()).total_seconds() <= seconds


@pytest.mark.parametrize("code", _TABLE)
async def test_it_is_read_how_long(hass: HomeAssistant, catalog: Catalog, code: str) -> None:
    """How long it has to be so, and how long it is waited for, if that is said."""
    reader = _Reader(hass, catalog, code)
    await reader.async_load()
    cases: list[tuple[str, float, float | None]] = [
        (text, float(hold), None) for hold, texts in _TABLE[code]["held"].items() for text in texts
    ]
    cases += [(t, 2.0, float(end)) for end, texts in _TABLE[code]["within"].items() for t in texts]
    wrong = {}
    for text, hold, end in cases:
        found = reader.read(text)
        if found is None or found.trigger.hold != hold or not _ends_in(found.trigger, end):
            wrong[text] = found
    assert wrong == {}


@pytest.mark.parametrize("code", _TABLE)
async def test_what_asks_or_is_for_now_waits_for_nothing(
    hass: HomeAssistant, catalog: Catalog, code: str
) -> None:
    reader = _Reader(hass, catalog, code)
    await reader.async_load()
    read = {text: found for text in _TABLE[code]["now"] if (found := reader.read(text))}
    assert read == {}


def test_all_languages_have_as_many() -> None:
    for code, kinds in _TABLE.items():
        texts = [t for kind in kinds.values() for t in _flat(kind)]
        assert len({*texts}) >= 30, code


def _flat(kind: Any) -> list[str]:
    """Return the sentences of a part of the table."""
    return [t for texts in kind.values() for t in texts] if isinstance(kind, dict) else [*kind]
