"""What Home Assistant recognises by itself is done by the specialists, without a model."""

from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse

from custom_components.bellboard.agents.base import AgentResult
from custom_components.bellboard.agents.climate import ClimateAgent
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.agents.specialist import Specialist
from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.domains.models import Command
from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import Ask, called, shown

SPEAKER = "media_player.kitchen_speaker"
# The sentence, the area of the voice panel, the only call, the entity, its state, the reply.
SENTENCES: list[tuple[str, str | None, str, dict[str, Any], str, dict[str, Any], str]] = [
    (
        "set the kitchen counter brightness to 0",
        None,
        "light.turn_on",
        {"brightness_pct": 0},
        "light.kitchen_counter",
        {"state": "off"},
        "Set Kitchen Counter to 0%.",
    ),
    (
        "turn the floor lamp blue",
        None,
        "light.turn_on",
        {"color_name": "blue"},
        "light.floor_lamp",
        {"state": "on", "hs_color": (240.0, 100.0)},
        "Made Floor Lamp blue.",
    ),
    (
        "set bedroom ceiling color temperature to 3000 kelvin",
        None,
        "light.turn_on",
        {"color_temp_kelvin": 3000},
        "light.bedroom_ceiling",
        {"color_temp_kelvin": 3000},
        "Set Bedroom Ceiling to 3000 K.",
    ),
    (
        "pause",
        "Kitchen",
        "media_player.media_pause",
        {},
        SPEAKER,
        {"state": "paused"},
        "Paused Kitchen Speaker.",
    ),
    (
        "next song",
        "Kitchen",
        "media_player.media_next_track",
        {},
        SPEAKER,
        {"queue_position": 2},
        "Skipped ahead on Kitchen Speaker.",
    ),
    (
        "volume up",
        "Kitchen",
        "media_player.volume_up",
        {},
        SPEAKER,
        {"volume_level": 0.4},
        "Turned up Kitchen Speaker.",
    ),
    (
        "increase kitchen speaker volume by 20",
        None,
        "media_player.volume_set",
        {"volume_level": 0.5},
        SPEAKER,
        {"volume_level": 0.5},
        "Set the volume of Kitchen Speaker to 50%.",
    ),
    (
        "decrease kitchen speaker volume by 90%",
        None,
        "media_player.volume_set",
        {"volume_level": 0.0},
        SPEAKER,
        {"volume_level": 0.0},
        "Set the volume of Kitchen Speaker to 0%.",
    ),
    (
        "mute the kitchen speaker",
        None,
        "media_player.volume_mute",
        {"is_volume_muted": True},
        SPEAKER,
        {"is_volume_muted": True},
        "Muted Kitchen Speaker.",
    ),
    (
        "set the temperature to 22",
        "Living Room",
        "climate.set_temperature",
        {"temperature": 22.0},
        "climate.living_room_thermostat",
        {"temperature": 22.0},
        "Set Living Room Thermostat to 22 °C.",
    ),
    (
        "set bedroom thermostat fan to high",
        None,
        "climate.set_fan_mode",
        {"fan_mode": "high"},
        "climate.bedroom_thermostat",
        {"fan_mode": "high"},
        "Set the fan of Bedroom Thermostat to high.",
    ),
    (
        "turn off the bedroom thermostat",
        None,
        "climate.turn_off",
        {},
        "climate.bedroom_thermostat",
        {"state": "off"},
        "Turned off Bedroom Thermostat.",
    ),
]


@in_one_house(
    ("text", "area", "action", "data", "entity_id", "state", "reply"),
    SENTENCES,
    ids=[sentence[0] for sentence in SENTENCES],
)
async def test_a_recognized_sentence_is_done_without_a_model(
    hass: HomeAssistant,
    speak: Setup,
    *,
    text: str,
    area: str | None,
    action: str,
    data: dict[str, Any],
    entity_id: str,
    state: dict[str, Any],
    reply: str,
) -> None:
    said = await (await speak()).say(text, area=area)
    assert called(said.calls) == [(action, {**data, "entity_id": [entity_id]})]
    assert shown(hass, entity_id, *state) == state
    assert said.reply == reply


async def test_the_model_is_not_asked_for_what_is_recognized(speak: Setup) -> None:
    speaker = await speak(lambda *_: {})
    await speaker.say("turn on the floor lamp")
    assert speaker.model
    assert speaker.model.attempts == 0


INTENTS: list[tuple[type[Specialist], str, dict[str, Any], str, list[tuple[str, Any]]]] = [
    (LightAgent, "HassToggle", {}, "light.desk_lamp", [("light.toggle", {})]),
    (
        LightAgent,
        "HassLightSet",
        {"brightness": 30.0, "color": "red"},
        "light.floor_lamp",
        [("light.turn_on", {"brightness_pct": 30, "color_name": "red"})],
    ),
    (MusicAgent, "HassTurnOn", {}, SPEAKER, [("media_player.turn_on", {})]),
    (MusicAgent, "HassTurnOff", {}, SPEAKER, [("media_player.turn_off", {})]),
    (MusicAgent, "HassToggle", {}, SPEAKER, [("media_player.toggle", {})]),
    (MusicAgent, "HassMediaUnpause", {}, SPEAKER, [("media_player.media_play", {})]),
    (MusicAgent, "HassMediaPrevious", {}, SPEAKER, [("media_player.media_previous_track", {})]),
    (
        MusicAgent,
        "HassMediaPlayerUnmute",
        {},
        SPEAKER,
        [("media_player.volume_mute", {"is_volume_muted": False})],
    ),
    (
        MusicAgent,
        "HassSetVolume",
        {"volume_level": 25},
        SPEAKER,
        [("media_player.volume_set", {"volume_level": 0.25})],
    ),
    (
        MusicAgent,
        "HassSetVolumeRelative",
        {"volume_step": "down"},
        SPEAKER,
        [("media_player.volume_down", {})],
    ),
    (ClimateAgent, "HassTurnOn", {}, "climate.bedroom_thermostat", [("climate.turn_on", {})]),
    (ClimateAgent, "HassToggle", {}, "climate.bedroom_thermostat", [("climate.toggle", {})]),
]


@in_one_house(
    ("agent", "name", "slots", "target", "calls"),
    INTENTS,
    ids=[f"{agent.table.name}-{name}" for agent, name, *_ in INTENTS],
)
async def test_an_intent_becomes_its_calls(
    ask: Ask,
    *,
    agent: type[Specialist],
    name: str,
    slots: dict[str, Any],
    target: str,
    calls: list[tuple[str, Any]],
) -> None:
    intent = Command(name, slots, (target,))
    answer = await agent().async_answer(ask("as recognised", intent=intent))
    assert answer.plan
    assert [(c.action, c.targets, dict(c.data)) for c in answer.plan.calls] == [
        (action, (target,), data) for action, data in calls
    ]
    assert answer.plan.intent_id == name


def test_every_intent_an_agent_declares_becomes_an_action() -> None:
    slots = {
        "temperature": 20,
        "fan_mode": "high",
        "brightness": 10,
        "volume_level": 10,
        "volume_step": "up",
        "search_query": "jazz",
    }
    for specialist in SPECIALISTS:
        agent = specialist()
        for name in agent.card.intents:
            assert agent.choose_from_intent(Command(name, slots)), name


async def heard(ask: Ask, text: str, query: str, *players: str, **slots: str) -> AgentResult:
    """Answer a recognised request to play something on players."""
    targets = tuple(f"media_player.{player}" for player in players)
    intent = Command("HassMediaSearchAndPlay", {"search_query": query, **slots}, targets)
    return await MusicAgent().async_answer(ask(text, intent=intent))


async def test_what_is_not_found_is_said(hass: HomeAssistant, ask: Ask) -> None:
    answer = await heard(ask, "play zzz", "zzz", "office_speaker")
    assert not answer.success
    assert answer.content == "I found nothing to play for zzz on Office Speaker."
    assert hass.states.is_state("media_player.office_speaker", "idle")


async def test_a_search_that_fails_is_said(hass: HomeAssistant, ask: Ask) -> None:
    hass.services.async_remove("media_player", "search_media")
    answer = await heard(ask, "play jazz", "jazz", "office_speaker")
    assert answer.content == "I found nothing to play for jazz on Office Speaker."


async def test_a_search_that_answers_nothing_is_said(hass: HomeAssistant, ask: Ask) -> None:
    async def search(call: ServiceCall) -> ServiceResponse:
        return {}

    hass.services.async_register(
        "media_player", "search_media", search, supports_response=SupportsResponse.ONLY
    )
    answer = await heard(ask, "play jazz", "jazz", "office_speaker")
    assert answer.content == "I found nothing to play for jazz on Office Speaker."


async def test_music_plays_where_music_plays_already(hass: HomeAssistant, ask: Ask) -> None:
    answer = await heard(ask, "play jazz", "jazz", "office_speaker", "kitchen_speaker")
    assert answer.content == "Playing Jazz on Kitchen Speaker."
    assert hass.states.is_state("media_player.office_speaker", "idle")


async def test_without_a_player_that_can_search_it_is_said(ask: Ask) -> None:
    answer = await heard(ask, "play jazz", "jazz", "bathroom_radio")
    assert answer.content == "I have no player that can search for music there."


async def test_the_kind_of_music_that_was_named_is_found(hass: HomeAssistant, ask: Ask) -> None:
    for kind in ("artist", "album", "track"):
        text = f"play the {kind} by Mossfield"
        answer = await heard(ask, text, "Mossfield", "office_speaker", media_class=kind)
        assert answer.plan
        assert answer.plan.calls[0].data["media_content_type"] == kind


async def test_pausing_is_for_those_that_play_and_resuming_for_those_that_pause(
    hass: HomeAssistant, ask: Ask
) -> None:
    players = ("media_player.kitchen_speaker", "media_player.office_speaker")
    pause = ask("pause", intent=Command("HassMediaPause", {}, players))
    answer = await MusicAgent().async_answer(pause)
    assert answer.content == "Paused Kitchen Speaker."
    resume = ask("resume", intent=Command("HassMediaUnpause", {}, players))
    answer = await MusicAgent().async_answer(resume)
    assert answer.content == "Resumed Kitchen Speaker."


async def test_a_volume_nobody_knows_cannot_be_moved(hass: HomeAssistant, ask: Ask) -> None:
    speaker = {"entity_id": SPEAKER}
    await hass.services.async_call("media_player", "turn_off", speaker, blocking=True)
    intent = Command("HassSetVolumeRelative", {"volume_step": 10}, (SPEAKER,))
    assert shown(hass, SPEAKER, "volume_level") == {"volume_level": None}
    answer = await MusicAgent().async_answer(ask("louder", intent=intent))
    assert answer.content == "Kitchen Speaker is off."
