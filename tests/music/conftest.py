"""A house with Music Assistant's players: the real integration, connected to a server on this machine."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestServer
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
import yaml

from custom_components.bellboard.plans.tool_executor import async_wait_until_shown
from tests.conftest import Said, Speaker, async_speaking
from tests.harness.home import async_move_in

pytest.importorskip("music_assistant_client")

from tests.servers.music_assistant import MusicServer

_HERE = Path(__file__).parent
PLAYERS: dict[str, dict[str, Any]] = {
    "kitchen": {"name": "Kitchen Speaker", "sources": ["Line In", "Bluetooth"], "power": True},
    "living_room": {"name": "Living Room Speaker", "volume": 40},
    "bedroom": {"name": "Bedroom Speaker", "volume": 20, "power": True},
    "bathroom": {"name": "Bathroom Speaker"},
}
"""The players of the server, each in the room of its id."""


@dataclass
class MusicHouse:
    """The house, somebody who talks in it, the server of its music, and Home Assistant's connection to that."""

    hass: HomeAssistant
    server: MusicServer
    speaker: Speaker
    entry: MockConfigEntry

    async def async_begin_again(self) -> None:
        """Bring all players back to how they are described, and begin a new conversation."""
        await self.server.async_begin_again()
        self.speaker.conversation_id = None
        silent = {player_id(room) for room in PLAYERS}
        await async_wait_until_shown(self.hass, silent, lambda _, state: _is_silent(state))
        await self.async_settle()

    async def async_settle(self) -> None:
        """Wait until the server has told what it did, and Home Assistant shows it."""
        told = {player_id(room): self.server.players.shown(room) for room in PLAYERS}
        await async_wait_until_shown(
            self.hass, set(told), lambda entity_id, state: _is_as_told(state, told[entity_id])
        )
        await self.hass.async_block_till_done(wait_background_tasks=False)

    async def act(self, action: str, room: str, **data: Any) -> None:
        """Call an action of Home Assistant's for a room's player, as its own app would."""
        domain, _, service = action.partition(".")
        await self.hass.services.async_call(
            domain, service, {"entity_id": player_id(room), **data}, blocking=True
        )
        await self.async_settle()

    async def say(self, text: str, language: str = "en", area: str | None = None) -> Said:
        """Say a sentence."""
        return await self.speaker.say(text, language=language, area=area)

    async def async_let_pauses_pass(self) -> None:
        """Wait as long as it takes the server to stop what is paused."""
        await self.server.async_let_pauses_pass()
        await self.async_settle()

    async def play(self, room: str, uri_or_name: str) -> None:
        """Let a player play something, as its own app would."""
        item = next(i for i in self.server.library.items.values() if uri_or_name in {i.name, i.uri})
        await self.act("music_assistant.play_media", room, media_id=item.uri)

    def state(self, room: str) -> State:
        """Return the state of a room's player."""
        state = self.hass.states.get(player_id(room))
        assert state
        return state


def _is_silent(state: State | None) -> bool:
    """Return whether a player is as it is described: alone, with nothing to play."""
    return bool(state and state.state == "idle" and not state.attributes.get("group_members"))


def _is_as_told(state: State | None, told: Mapping[str, Any]) -> bool:
    """Return whether a player is shown as the server told of it."""
    return state is not None and all(
        (state.state if name == "state" else state.attributes.get(name)) == value
        for name, value in told.items()
    )


def player_id(room: str) -> str:
    """Return the entity id of a room's player."""
    return f"media_player.{room}_speaker"


@pytest.fixture
async def music_house(hass: HomeAssistant) -> AsyncGenerator[MusicHouse]:
    """Return the house, with an assistant without a model."""
    server = MusicServer(yaml.safe_load((_HERE / "library.yaml").read_text("utf-8")), PLAYERS)
    await async_move_in(hass, str(_HERE / "house.yaml"))
    async with TestServer(server.app(), host="127.0.0.1") as running:
        entry = MockConfigEntry(
            domain="music_assistant",
            data={"url": str(running.make_url("")).rstrip("/"), "token": "house"},
        )
        entry.add_to_hass(hass)
        assert await hass.config_entries.async_setup(entry.entry_id), entry.reason
        await hass.async_block_till_done()
        areas, devices = ar.async_get(hass), dr.async_get(hass)
        for room in PLAYERS:
            device = devices.async_get_device_by_identifier(
                ("music_assistant", room), entry.entry_id
            )
            area = areas.async_get_area_by_name(room.replace("_", " "))
            assert device
            assert area
            devices.async_update_device(device.id, area_id=area.id)
        for each in er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id):
            exposed = each.domain == "media_player"
            async_expose_entity(hass, "conversation", each.entity_id, exposed)
        async with async_speaking(hass) as set_up:
            yield MusicHouse(hass, server, await set_up(), entry)
        assert await hass.config_entries.async_unload(entry.entry_id)
