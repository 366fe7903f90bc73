"""Home Assistant's own satellites ask first, through a pipeline with Bellboard: `start_conversation`."""

from collections.abc import AsyncIterable
from pathlib import Path
import shutil
from typing import Any, ClassVar, override

from homeassistant.components import stt
from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE, PipelineStage
from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    MockPlatform,
    mock_config_flow,
    mock_integration,
    mock_platform,
)

from tests.conftest import Setup, Speaker

MESSAGE = "The garage door is open. Shall I close it?"
GARAGE = "cover.garage_door"
BLUEPRINT = Path(__file__).parent.parent / "blueprints/automation/bellboard/ask_first.yaml"


class Ears(stt.SpeechToTextEntity):
    """Speech to text for audio that is text."""

    _attr_name = "Ears"
    _attr_unique_id = "ears"
    supported_languages: ClassVar = ["en"]
    supported_formats: ClassVar = [stt.AudioFormats.WAV]
    supported_codecs: ClassVar = [stt.AudioCodecs.PCM]
    supported_bit_rates: ClassVar = [stt.AudioBitRates.BITRATE_16]
    supported_sample_rates: ClassVar = [stt.AudioSampleRates.SAMPLERATE_16000]
    supported_channels: ClassVar = [stt.AudioChannels.CHANNEL_MONO]
    text = ""

    @override
    async def async_process_audio_stream(
        self, metadata: stt.SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> stt.SpeechResult:
        """Return what is said in the test."""
        return stt.SpeechResult(self.text, stt.SpeechResultState.SUCCESS)


class Satellite(AssistSatelliteEntity):
    """A satellite to which somebody says something once it has asked."""

    _attr_name = "Hall"
    _attr_unique_id = "hall"
    _attr_supported_features = AssistSatelliteEntityFeature.START_CONVERSATION

    def __init__(self, ears: Ears) -> None:
        """Say nothing yet."""
        self.ears = ears
        self.spoken: list[str] = []

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        """Return no wake words."""
        return AssistSatelliteConfiguration([], [], 1)

    @override
    async def async_set_configuration(self, config: AssistSatelliteConfiguration) -> None:
        """Take any."""

    @override
    def on_pipeline_event(self, event: Any) -> None:
        """Keep what is answered."""
        if event.type == "intent-end":
            speech = event.data["intent_output"]["response"]["speech"]
            self.spoken.append(speech["plain"]["speech"])

    @override
    async def async_start_conversation(
        self, start_announcement: AssistSatelliteAnnouncement
    ) -> None:
        """Play nothing."""

    async def async_hear(self, text: str) -> None:
        """Hear a sentence, as after the message."""
        self.ears.text = text

        async def audio() -> AsyncIterable[bytes]:
            for _ in range(2):
                yield b"\0" * 1024

        await self.async_accept_pipeline_from_satellite(audio(), end_stage=PipelineStage.INTENT)


async def async_satellite(hass: HomeAssistant, speaker: Speaker) -> Satellite:
    """Return a satellite whose pipeline asks the assistant."""
    # No audio is converted.
    mock_integration(hass, MockModule("ffmpeg"))
    for component in ("assist_pipeline", "stt", "assist_satellite"):
        assert await async_setup_component(hass, component, {})
    ears = Ears()
    satellite = Satellite(ears)
    platforms = {Platform.STT: ears, Platform.ASSIST_SATELLITE: satellite}

    async def async_setup(hass: HomeAssistant, entry: ConfigEntry) -> bool:
        await hass.config_entries.async_forward_entry_setups(entry, [*platforms])
        return True

    # A custom one: the two releases differ in what their own ones return.
    module = MockModule("voice_box", async_setup_entry=async_setup)
    mock_integration(hass, module, built_in=False)
    mock_platform(hass, "voice_box.config_flow", built_in=False)
    for platform, entity in platforms.items():

        async def async_add(
            hass: HomeAssistant, entry: ConfigEntry, add: Any, entity: Any = entity
        ) -> None:
            add([entity])

        brought = MockPlatform(async_setup_entry=async_add)
        mock_platform(hass, f"voice_box.{platform}", brought, built_in=False)
    entry = MockConfigEntry(domain="voice_box")
    entry.add_to_hass(hass)
    with mock_config_flow("voice_box", ConfigFlow):
        assert await hass.config_entries.async_setup(entry.entry_id)
    store = hass.data[KEY_ASSIST_PIPELINE].pipeline_store
    pipeline = await store.async_create_item(
        {
            "name": "Home",
            "language": "en",
            "conversation_engine": speaker.agent_id,
            "conversation_language": "en",
            "stt_engine": ears.entity_id,
            "stt_language": "en",
            **dict.fromkeys(
                ("tts_engine", "tts_language", "tts_voice", "wake_word_entity", "wake_word_id")
            ),
        }
    )
    store.async_set_preferred_item(pipeline.id)
    return satellite


@pytest.mark.parametrize(("text", "left"), [("yes", "closed"), ("no", "open"), ("what?", "open")])
async def test_a_satellite_that_asks_first_is_answered(
    hass: HomeAssistant, speak: Setup, text: str, left: str
) -> None:
    speaker = await speak()
    satellite = await async_satellite(hass, speaker)
    await hass.services.async_call("cover", "open_cover", {"entity_id": GARAGE}, blocking=True)
    await hass.services.async_call(
        "assist_satellite",
        "start_conversation",
        {
            "entity_id": satellite.entity_id,
            "start_message": MESSAGE,
            "start_media_id": "https://example.org/a.mp3",
            "preannounce": False,
        },
        blocking=True,
    )
    await satellite.async_hear(text)
    await hass.async_block_till_done()
    assert satellite.spoken
    found = hass.states.get(GARAGE)
    assert found
    assert found.state == left, satellite.spoken


async def test_the_blueprint_asks_and_is_answered(
    hass: HomeAssistant, speak: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hass.config.config_dir = str(tmp_path)
    folder = tmp_path / "blueprints/automation/bellboard"
    folder.mkdir(parents=True)
    shutil.copy(BLUEPRINT, folder)
    satellite = await async_satellite(hass, await speak())

    async def async_spoken(message: str, *_: Any, **__: Any) -> AssistSatelliteAnnouncement:
        """Speak a message, without a voice."""
        return AssistSatelliteAnnouncement(message, "", "", None, "url", None)

    monkeypatch.setattr(satellite, "_resolve_announcement_media_id", async_spoken)
    inputs = {"opened": GARAGE, "satellite": satellite.entity_id, "after": {"seconds": 0}}
    used = {"path": "bellboard/ask_first.yaml", "input": inputs}
    automation = {"alias": "Ask", "use_blueprint": used}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.services.async_call("cover", "open_cover", {"entity_id": GARAGE}, blocking=True)
    entity_id = {"entity_id": "automation.ask"}
    await hass.services.async_call("automation", "trigger", entity_id, blocking=True)
    await satellite.async_hear("yes please")
    await hass.async_block_till_done()
    assert hass.states.is_state(GARAGE, "closed"), satellite.spoken
