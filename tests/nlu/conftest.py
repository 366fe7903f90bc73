"""Readers of the demo house, for those who test what words come to."""

from collections.abc import Awaitable, Callable

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.nlu.house import HomeLexicon
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.nlu.questions import QuestionReader
from custom_components.bellboard.nlu.reader import Reader

type MakeHouse = Callable[[str], Awaitable[HomeLexicon]]


@pytest.fixture
def make_house(hass: HomeAssistant, house: ConfigEntry) -> MakeHouse:
    """Return what indexes the demo house in a language."""

    async def make(code: str) -> HomeLexicon:
        language = await async_get_language(hass, code)
        catalog = await CatalogSource(hass).async_get()
        index = HomeLexicon(catalog, language.lexicon)
        for entity in catalog.entities.values():
            index.add(hass, entity)
        return index

    return make


def reader_of(hass: HomeAssistant, house: HomeLexicon, area_id: str | None = None) -> Reader:
    """Return the reader of commands for a speaker in an area."""
    unit = hass.config.units.temperature_unit
    return Reader(hass=hass, house=house, unit=unit, area_id=area_id)


def questions_of(
    hass: HomeAssistant, house: HomeLexicon, area_id: str | None = None
) -> QuestionReader:
    """Return the reader of questions for a speaker in an area."""
    return QuestionReader(hass=hass, house=house, area_id=area_id)
