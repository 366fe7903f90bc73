"""Announcements where there is no satellite: on players that go on with their music after it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
import voluptuous as vol

from tests.conftest import Setup
from tests.satellites import Satellites, satellites_in
from tests.test_announcements import KIDS, heard, on
from tests.test_delayed import later, planned
from tests.test_policy_reach import REFUSED, obey, rule

ENGINE = "tts.house_voice"
SPEAKS = Feature.PLAY_MEDIA | Feature.MEDIA_ANNOUNCE
# As Home Assistant takes it.
SCHEMA = vol.Schema(
    {
        vol.Required("entity_id"): str,
        vol.Required("media_player_entity_id"): [str],
        vol.Required("message"): str,
    }
)


@dataclass
class Speakers:
    """Players by entity id. `heard` is what was said aloud on each; those in `broken` fail."""

    hass: HomeAssistant
    heard: list[tuple[str, str]] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def add(
        self, area: str, name: str = "box", *, features: int = SPEAKS, **attributes: Any
    ) -> str:
        """Add a player in a room, and return its entity id."""
        entry = er.async_get(self.hass).async_get_or_create(
            "media_player",
            "demo_house",
            f"{name} {area}",
            suggested_object_id=f"{area}_{name}",
            config_entry=self.hass.config_entries.async_entries("demo_house")[0],
            original_name=f"{area} {name}",
            supported_features=features,
        )
        room = ar.async_get(self.hass).async_get_area_by_name(area)
        assert room
        er.async_get(self.hass).async_update_entity(entry.entity_id, area_id=room.id)
        async_expose_entity(self.hass, "conversation", entry.entity_id, should_expose=True)
        known = {"supported_features": features, "friendly_name": f"{area} {name}", **attributes}
        self.hass.states.async_set(entry.entity_id, "idle", known)
        return entry.entity_id

    async def _speak(self, call: ServiceCall) -> None:
        """Say something aloud on the players of a call; a broken one fails."""
        assert call.data["entity_id"] == ENGINE
        for player in call.data["media_player_entity_id"]:
            if player in self.broken:
                raise HomeAssistantError("It is busy.")
            self.heard.append((player.removeprefix("media_player."), call.data["message"]))

    def listen(self) -> None:
        """Offer Home Assistant's action, and somebody who speaks."""
        self.hass.states.async_set(ENGINE, "unknown")
        self.hass.services.async_register("tts", "speak", self._speak, SCHEMA)


def said_on(speakers: Speakers) -> dict[str, str]:
    """Return what each player said since it was last asked."""
    found = dict(speakers.heard)
    speakers.heard.clear()
    return found


def speakers_in(hass: HomeAssistant, areas: Iterable[str]) -> Speakers:
    """Return players in some areas."""
    speakers = Speakers(hass)
    speakers.listen()
    for area in areas:
        speakers.add(area)
    return speakers


@pytest.fixture
def satellites(hass: HomeAssistant, house: ConfigEntry) -> Satellites:
    """Return satellites in two rooms."""
    return satellites_in(hass, "Kitchen", "Kids Room")


@pytest.fixture
def speakers(hass: HomeAssistant, satellites: Satellites) -> Speakers:
    """Return players in a room with a satellite, and in two without."""
    return speakers_in(hass, ("Kids Room", "Bedroom", "Living Room"))


async def test_a_room_without_a_satellite_hears_it_on_its_player(
    hass: HomeAssistant, satellites: Satellites, speakers: Speakers, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"bedroom_box": "dinner is ready"}
    assert heard(satellites) == {}
    assert said.reply == "Announced it on Bedroom box."
    # A floor has both.
    said = await speaker.say("announce upstairs that dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    assert said_on(speakers) == {"bedroom_box": "dinner is ready"}
    assert said.reply == ("Announced it on Kids Room voice panel and announced it on Bedroom box.")


async def test_what_is_for_everybody_is_for_satellites_where_there_are_any(
    hass: HomeAssistant, satellites: Satellites, speakers: Speakers, speak: Setup
) -> None:
    await (await speak()).say("announce that dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    assert said_on(speakers) == {}


async def test_without_any_satellite_everybody_hears_it_on_players(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    speakers = speakers_in(hass, ("Bedroom", "Living Room"))
    hass.states.async_set("person.anna", "home", {"friendly_name": "Anna"})
    speaker = await speak()
    rooms = {"bedroom_box", "living_room_box"}
    for text in ("announce that dinner is ready", "tell the kids dinner is ready"):
        await speaker.say(text, area="Kitchen")
        assert said_on(speakers) == on(rooms, "dinner is ready")
    said = await speaker.say("tell Anna dinner is ready", area="Kitchen")
    assert said_on(speakers) == on(rooms, "dinner is ready")
    assert said.reply.endswith("since I don't know where to find Anna.")


async def test_a_message_that_is_asked_for_is_said_on_a_player(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("make an announcement in the bedroom", area="Kitchen")
    assert said.reply == "What shall I announce?"
    await speaker.say("dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"bedroom_box": "dinner is ready"}


async def test_only_exposed_players_that_go_on_after_it_are_used_and_one_for_each_room(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speakers = speakers_in(hass, ())
    speakers.add("Bedroom", "hidden")
    async_expose_entity(hass, "conversation", "media_player.bedroom_hidden", should_expose=False)
    speakers.add("Bedroom", "plain", features=Feature.PLAY_MEDIA)
    speakers.add("Bedroom", "screen", device_class="tv")
    gone = speakers.add("Bedroom", "gone")
    hass.states.async_set(gone, "unavailable", {"supported_features": SPEAKS})
    speaker = await speak()
    said = await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {}
    assert said.reply == "I found nothing like that in Bedroom."
    # The same speaker, as two integrations know it.
    speakers.add("Bedroom", "cast")
    speakers.add("Bedroom", "music", mass_player_type="player")
    await hass.async_block_till_done()
    await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"bedroom_music": "dinner is ready"}


async def test_without_anybody_who_speaks_there_is_nothing(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    hass.states.async_remove(ENGINE)
    said = await (await speak()).say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert said.reply == "I found nothing like that in Bedroom."
    assert said_on(speakers) == {}


async def test_who_speaks_for_assist_speaks_on_players(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    pytest.importorskip("pymicro_vad")
    hass.states.async_set("tts.another", "unknown")
    speaker = await speak()
    assert await async_setup_component(hass, "assist_pipeline", {})
    speakers.listen()
    from homeassistant.components.assist_pipeline import async_get_pipeline, async_update_pipeline

    pipeline = async_get_pipeline(hass)
    await async_update_pipeline(hass, pipeline, tts_engine=ENGINE, tts_language="en")
    # The player's own action looks who it is that speaks.
    await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"bedroom_box": "dinner is ready"}


async def test_a_player_that_fails_is_told_and_so_are_the_others(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    speakers = speakers_in(hass, ("Bedroom", "Living Room"))
    speakers.broken.add("media_player.bedroom_box")
    said = await (await speak()).say("announce that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"living_room_box": "dinner is ready"}
    assert said.reply == (
        "Announced it on Living Room box. However, something went wrong with Bedroom box."
    )


async def test_rules_hold_for_players(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    speakers = speakers_in(hass, ("Bedroom", "Living Room"))
    speaker = await speak()
    await obey(hass, rule(action="tts.speak", area="Bedroom"))
    said = await speaker.say("announce that dinner is ready", area="Kitchen")
    assert said_on(speakers) == {"living_room_box": "dinner is ready"}
    assert REFUSED in said.reply


async def test_what_was_heard_on_a_player_cannot_be_undone(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    said = await speaker.say("undo that")
    assert "can't take it back" in said.reply
    assert not said.changes


async def test_an_announcement_for_later_is_made_on_a_player_later(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    await (await speak()).say("announce in 1 second in the bedroom that it is late", area="Kitchen")
    assert len(await planned(hass)) == 1
    await later(hass)
    assert said_on(speakers) == {"bedroom_box": "it is late"}


async def test_a_dry_run_tells_nobody(
    hass: HomeAssistant, speakers: Speakers, speak: Setup
) -> None:
    await speak()
    told = await hass.services.async_call(
        "bellboard",
        "process",
        {"text": "announce in the bedroom that dinner is ready", "dry_run": True},
        blocking=True,
        return_response=True,
    )
    assert told
    assert said_on(speakers) == {}
    assert told["calls"] == [
        {
            "action": "tts.speak",
            "data": {
                "entity_id": ["media_player.bedroom_box"],
                "message": "dinner is ready",
                "engine": ENGINE,
            },
        }
    ]
