"""Devices that misbehave, and calls for them."""

from collections.abc import Callable

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.agents.conftest import ask  # noqa: F401 - a fixture for this folder, too

type Misbehave = Callable[..., None]


@pytest.fixture
def misbehave(hass: HomeAssistant, house: ConfigEntry) -> Misbehave:
    """Return a function that makes a device of the demo house answer badly."""
    from custom_components.demo_house.entity import Behaviour, Mode  # type: ignore[import-not-found]

    def set_mode(entity_id: str, mode: str, seconds: float = 0.0) -> None:
        house.runtime_data.entities[entity_id].behaviour = Behaviour(Mode(mode), seconds)

    return set_mode
