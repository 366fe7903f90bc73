"""The page is in the sidebar of administrators where there is a web interface, and its module is served."""

import re

from homeassistant.components import frontend
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import mock_component
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.panel.registration import PATH
from tests.conftest import Setup
from tests.evaluation import setup_agent


@pytest.fixture
async def web(hass: HomeAssistant, house: None) -> None:
    """Let there be a web interface; what is in it is not needed."""
    mock_component(hass, "frontend")
    assert await async_setup_component(hass, "http", {})


async def test_the_page_is_for_administrators_and_its_module_is_served(
    hass: HomeAssistant, web: None, speak: Setup, hass_client_no_auth: ClientSessionGenerator
) -> None:
    await speak()

    panel = hass.data[frontend.DATA_PANELS][PATH]

    assert panel.require_admin
    assert panel.config_panel_domain == DOMAIN
    assert panel.config
    custom = panel.config["_panel_custom"]
    assert custom["name"] == "bellboard-panel"
    assert not custom["embed_iframe"]
    client = await hass_client_no_auth()
    answer = await client.get(custom["module_url"])
    assert answer.status == 200
    assert "javascript" in answer.headers["Content-Type"]
    # What it imports defines the element, and has a name that changes with its content.
    imported = re.search(r'import"\./(chunks/app-[\w-]+\.js)"', await answer.text())
    assert imported
    folder = custom["module_url"].partition("panel.js")[0]
    app = await client.get(f"{folder}{imported[1]}")
    assert app.status == 200
    assert "bellboard-panel" in await app.text()


async def test_it_stays_while_any_connection_is_there(
    hass: HomeAssistant, web: None, speak: Setup
) -> None:
    await speak()
    await setup_agent(hass, {})
    [one, other] = hass.config_entries.async_entries(DOMAIN)
    assert await hass.config_entries.async_reload(one.entry_id)

    await hass.config_entries.async_remove(one.entry_id)
    assert PATH in hass.data[frontend.DATA_PANELS]

    await hass.config_entries.async_remove(other.entry_id)
    assert PATH not in hass.data[frontend.DATA_PANELS]


async def test_without_a_web_interface_there_is_no_page(hass: HomeAssistant, speak: Setup) -> None:
    await speak()

    assert PATH not in hass.data.get(frontend.DATA_PANELS, {})
