"""An administrator who looks at the panel, and one who is none."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.bellboard.const import DOMAIN


@pytest.fixture
def config(hass: HomeAssistant, tmp_path: Path) -> Path:
    """Return a configuration folder of the test's own."""
    hass.config.config_dir = str(tmp_path)
    return tmp_path


@dataclass
class Panel:
    """The page of somebody, as its commands."""

    client: Any

    async def ask(self, command: str, **fields: Any) -> Any:
        """Return the result of a command."""
        answer = await self.send(command, **fields)
        assert answer["success"], answer
        return answer["result"]

    async def refused(self, command: str, **fields: Any) -> dict[str, Any]:
        """Return the error of a command."""
        answer = await self.send(command, **fields)
        assert not answer["success"], answer
        error: dict[str, Any] = answer["error"]
        return error

    async def send(self, command: str, **fields: Any) -> dict[str, Any]:
        """Return the answer to a command, whatever it is."""
        await self.client.send_json_auto_id({"type": f"{DOMAIN}/panel/{command}", **fields})
        answer: dict[str, Any] = await self.client.receive_json()
        return answer

    async def next_event(self) -> dict[str, Any]:
        """Return the next event of a subscription."""
        message: dict[str, Any] = await self.client.receive_json()
        assert message["type"] == "event", message
        event: dict[str, Any] = message["event"]
        return event

    async def assistant(self) -> str:
        """Return the id of the only assistant."""
        [found] = (await self.ask("assistants"))["assistants"]
        return str(found["id"])

    async def last_turn(self) -> dict[str, Any]:
        """Return the last turn, with all that is told of it."""
        await self.client.send_json_auto_id({"type": f"{DOMAIN}/panel/turns"})
        answer = await self.client.receive_json()
        assert answer["success"]
        kept = (await self.next_event())["turns"]
        await self.client.send_json_auto_id(
            {"type": "unsubscribe_events", "subscription": answer["id"]}
        )
        assert (await self.client.receive_json())["success"]
        found: dict[str, Any] = await self.ask("turn", turn_id=kept[-1]["id"])
        return found


@pytest.fixture
async def panel(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> Panel:
    """Return the page of an administrator."""
    return Panel(await hass_ws_client(hass))


type OpenPanel = Callable[[str], Awaitable[Panel]]


@pytest.fixture
def open_panel(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> OpenPanel:
    """Return what opens the page with an access token."""

    async def open_with(token: str) -> Panel:
        return Panel(await hass_ws_client(hass, token))

    return open_with
