"""A capable model uses a real MCP server, run by the protocol's own package: it reads freely, and acts on a yes."""

from collections.abc import Generator
import json
import socket
import threading
import time
from typing import Any

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.conftest import Setup
from tests.servers import Call
from tests.test_model_tools import told, using

fastmcp = pytest.importorskip("mcp.server.fastmcp")


@pytest.fixture
def library() -> Generator[tuple[str, list[str]]]:
    """Run an MCP server with a tool that reads and one that acts; return its address and the books that are lent."""
    from mcp.types import ToolAnnotations
    import uvicorn

    lent: list[str] = []
    server = fastmcp.FastMCP("Library")

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def search_books(query: str) -> str:
        """Search the books of the town library."""
        return "The Otter Year, by R. Lind" if "otter" in query else "nothing"

    @server.tool()
    def borrow_book(title: str) -> str:
        """Borrow a book of the town library."""
        lent.append(title)
        return f"Borrowed {title} for 28 days."

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(
        server.streamable_http_app(), host="127.0.0.1", port=port, log_level="error"
    )
    running = uvicorn.Server(config)
    # In a loop of its own: it leaves a task behind.
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/mcp", lent
    running.should_exit = True
    thread.join()


async def connect(hass: HomeAssistant, url: str) -> dict[str, Any]:
    """Set Home Assistant's MCP client up, and return the options of an assistant that uses it."""
    entry = MockConfigEntry(domain="mcp", title="Library", data={"url": url})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    return {"tools": {"llm_hass_api": [f"mcp-{entry.entry_id}"]}}


async def test_what_reads_is_asked_at_once(
    hass: HomeAssistant, speak: Setup, library: tuple[str, list[str]]
) -> None:
    options = await connect(hass, library[0])
    answer = using(Call("search_books", {"query": "otter"}), says="Yes: The Otter Year.")
    speaker = await speak(answer, contract="capable", **options)
    said = await speaker.say("could there be anything to read about otters in town?")
    assert said.reply == "Yes: The Otter Year."
    assert "R. Lind" in json.dumps(told(speaker))


async def test_what_acts_is_asked_about(
    hass: HomeAssistant, speak: Setup, library: tuple[str, list[str]]
) -> None:
    url, lent = library
    options = await connect(hass, url)
    call = Call("borrow_book", {"title": "The Otter Year"})
    answer = using(call, says="You have it for 28 days.", asks=False)
    speaker = await speak(answer, contract="capable", **options)
    asked = await speaker.say("get me the otter one from the town's shelves")
    assert asked.reply == 'Shall I use "borrow book" (title: The Otter Year)?'
    assert not lent
    said = await speaker.say("yes")
    assert lent == ["The Otter Year"]
    assert said.reply == "You have it for 28 days."


async def test_a_server_that_is_gone_is_told(
    hass: HomeAssistant, speak: Setup, library: tuple[str, list[str]]
) -> None:
    options = await connect(hass, library[0])
    for entry in hass.config_entries.async_entries("mcp"):
        await hass.config_entries.async_unload(entry.entry_id)
    answer = using(says="I can't look there.")
    speaker = await speak(answer, contract="capable", **options)
    said = await speaker.say("could there be anything to read about otters in town?")
    assert said.reply == "I can't look there."
