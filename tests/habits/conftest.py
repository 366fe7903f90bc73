"""A house with several players in a room, and somebody who talks in it now and then."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.const import DOMAIN
from tests.conftest import Said, Setup, Speaker
from tests.harness.home import async_move_in
from tests.test_services import assistant_of

SHELF, WINDOW = "media_player.shelf_speaker", "media_player.window_speaker"
DESK, DOOR = "media_player.desk_speaker", "media_player.door_speaker"
CEILING, READING, SOCKET = "light.parlour_ceiling", "light.reading_lamp", "light.parlour_socket"
LIBRARY_LIGHTS = ["light.library_ceiling", "light.library_globe"]


@dataclass
class HabitHouse:
    """The house, and somebody who talks to an assistant."""

    hass: HomeAssistant
    speaker: Speaker

    async def say(self, text: str, area: str | None = "Parlour", language: str = "en") -> Said:
        """Say a sentence in the conversation that is going on."""
        return await self.speaker.say(text, area=area, language=language)

    async def begin(self, text: str, area: str | None = "Parlour", language: str = "en") -> Said:
        """Say a sentence in a conversation of its own, while nothing plays."""
        await self.silence()
        self.speaker.conversation_id = None
        return await self.say(text, area, language)

    async def silence(self) -> None:
        """Stop whatever plays."""
        for state in self.hass.states.async_all("media_player"):
            if state.state in {"playing", "paused"}:
                await self.call("media_player.media_stop", state.entity_id)

    async def put_on(self, player: str) -> None:
        """Let a player play, as its own app would."""
        media = {"media_content_id": "library://playlist/sunday-breakfast"}
        await self.call("media_player.play_media", player, media_content_type="music", **media)

    async def dark(self) -> None:
        """Turn all lights off."""
        for entity_id in self.hass.states.async_entity_ids("light"):
            await self.call("light.turn_off", entity_id)

    async def call(self, action: str, entity_id: str, **data: Any) -> None:
        """Call an action of Home Assistant's, as an app would."""
        domain, _, service = action.partition(".")
        data["entity_id"] = entity_id
        await self.hass.services.async_call(domain, service, data, blocking=True)
        await self.hass.async_block_till_done()

    @property
    def habits(self) -> set[tuple[str | None, str | float]]:
        """Return what is usual, by the area."""
        return {
            (habit.area_id, habit.player if habit.kind == "player" else habit.percent)
            for habit in assistant_of(self.hass).habits.all
        }

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Return the calls of the last turn, as its trace has them."""
        return list(assistant_of(self.hass).traces)[-1].calls

    async def act(self, action: str, **data: Any) -> dict[str, Any]:
        """Call an action of Bellboard's, and return its response."""
        found: Any = await self.hass.services.async_call(
            DOMAIN, action, data, blocking=True, return_response=True
        )
        return dict(found)


def playing(said: Said) -> list[str]:
    """Return the players on which a sentence began something."""
    return [
        target
        for call in said.calls
        if call["service"] in {"play_media", "media_play"}
        for target in _targets(call)
    ]


def levels(said: Said) -> dict[str, float | None]:
    """Return the lights that a sentence turned on, each with the percent that it was told."""
    return {
        target: call["service_data"].get("brightness_pct")
        for call in said.calls
        if (call["domain"], call["service"]) == ("light", "turn_on")
        for target in _targets(call)
    }


def _targets(call: dict[str, Any]) -> list[str]:
    """Return the entity ids of a call."""
    targets = call["service_data"]["entity_id"]
    return [targets] if isinstance(targets, str) else list(targets)


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of the house, in place of the demo house."""
    return await async_move_in(hass, str(Path(__file__).with_name("house.yaml")))


type Settle = Callable[..., Awaitable[HabitHouse]]


@pytest.fixture
def settle(hass: HomeAssistant, speak: Setup) -> Settle:
    """Return a function that sets an assistant up, with options of its habits or others."""

    async def set_up(answer: Any = None, **assistant: Any) -> HabitHouse:
        return HabitHouse(hass, await speak(answer, **assistant))

    return set_up
