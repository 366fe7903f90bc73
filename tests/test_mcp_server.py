"""Any MCP client may use Bellboard through Home Assistant's server: the protocol's own client acts, asks and undoes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import httpx
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.policy.file import async_load_policies
from tests.conftest import Setup

mcp = pytest.importorskip("mcp")


@asynccontextmanager
async def connected(
    hass: HomeAssistant, hass_client: ClientSessionGenerator, token: str
) -> AsyncGenerator[Any]:
    """Return a session of the official client with Home Assistant's server, which offers Bellboard."""
    from mcp.client.streamable_http import streamable_http_client

    assert await async_setup_component(hass, "http", {})
    entry = MockConfigEntry(domain="mcp_server", data={"llm_hass_api": ["bellboard"]}, title="MCP")
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    client = await hass_client()
    url = str(client.make_url("/api/mcp"))
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(headers=headers) as http,
        streamable_http_client(url, http_client=http) as (read, write, *_),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


async def use(session: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool tells."""
    result = await session.call_tool(tool, arguments)
    found: dict[str, Any] = json.loads(result.content[0].text)
    return found


async def test_the_official_client_acts_asks_and_undoes(
    hass: HomeAssistant,
    speak: Setup,
    hass_client: ClientSessionGenerator,
    hass_access_token: str,
) -> None:
    await speak()
    async with connected(hass, hass_client, hass_access_token) as session:
        listed = await session.list_tools()
        assert [tool.name for tool in listed.tools] == ["act", "ask", "plan", "undo"]
        assert [
            bool(tool.annotations.model_dump(by_alias=True)["readOnlyHint"])
            for tool in listed.tools
        ] == [
            False,
            True,
            True,
            False,
        ]
        done = await use(session, "act", text="turn off the desk lamp")
        assert done["reply"] == "Turned off Desk Lamp."
        asked = await use(session, "ask", text="is the desk lamp on?")
        assert asked["reply"].startswith("No")
        planned = await use(session, "plan", text="turn on the desk lamp")
        assert planned["calls"]
        assert hass.states.is_state("light.desk_lamp", "off")
        await use(session, "undo")
    assert hass.states.is_state("light.desk_lamp", "on")


async def test_the_rules_of_the_house_hold_for_it(
    hass: HomeAssistant,
    speak: Setup,
    hass_client: ClientSessionGenerator,
    hass_access_token: str,
    tmp_path: Any,
) -> None:
    hass.config.config_dir = str(tmp_path)
    rule = "rules:\n  - name: lamp\n    match: {domain: light}\n    effect: deny\n    reason: Not now.\n"
    (tmp_path / "bellboard_policies.yaml").write_text(rule)
    await speak()
    await async_load_policies(hass)
    async with connected(hass, hass_client, hass_access_token) as session:
        refused = await use(session, "act", text="turn off the desk lamp")
    assert "Not now." in refused["reply"]
    assert hass.states.is_state("light.desk_lamp", "on")
