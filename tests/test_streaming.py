"""What a capable model talks is heard while it comes: through the real pipeline, by a voice that records."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, override

from homeassistant.components import conversation, tts
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.const import Platform
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
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

from custom_components.bellboard import conversation as bellboard_conversation
from custom_components.bellboard.llm.base import HttpModelClient
from tests.capable import brain
from tests.conftest import Setup
from tests.servers import Fault
from tests.sessions import chat_session

TALE = (
    "Once upon a time there was a **lamp** \U0001f4a1 that could not sleep. It asked the moon for advice, and the"
    " moon said nothing at all. So the lamp hummed a little song until the morning came."
)
SPOKEN = (
    "Once upon a time there was a lamp that could not sleep. It asked the moon for advice, and the"
    " moon said nothing at all. So the lamp hummed a little song until the morning came."
)


@pytest.fixture(autouse=True)
def _begins_with_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be known already that the model does not begin inside thoughts."""
    monkeypatch.setattr(HttpModelClient, "begins_inside", False)


class RecordingVoice(tts.TextToSpeechEntity):
    """A text-to-speech entity that keeps the pieces it was given."""

    _attr_default_language = "en"
    _attr_supported_languages = ["en"]  # noqa: RUF012 -- as Home Assistant's own are
    _attr_name = "Recorder"
    _attr_unique_id = "recorder"

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.heard: list[str] = []
        self.is_paused: Callable[[], bool] = lambda: False
        self.began_in_pause = False

    @override
    async def async_stream_tts_audio(self, request: tts.TTSAudioRequest) -> tts.TTSAudioResponse:
        async def audio() -> AsyncGenerator[bytes]:
            async for piece in request.message_gen:
                self.began_in_pause |= not self.heard and self.is_paused()
                self.heard.append(piece)
                yield b"\0\0"

        return tts.TTSAudioResponse("mp3", audio())


@pytest.fixture
async def recorder(hass: HomeAssistant) -> RecordingVoice:
    """Return a voice that Home Assistant knows."""
    voice = RecordingVoice()

    async def forward(hass: HomeAssistant, entry: ConfigEntry) -> bool:
        await hass.config_entries.async_forward_entry_setups(entry, [Platform.TTS])
        return True

    async def add(hass: HomeAssistant, entry: ConfigEntry, add: AddEntitiesCallback) -> None:
        add([voice])

    mock_integration(hass, MockModule("recording", async_setup_entry=forward), built_in=False)
    mock_platform(hass, "recording.config_flow")
    mock_platform(hass, "recording.tts", MockPlatform(async_setup_entry=add))
    entry = MockConfigEntry(domain="recording")
    entry.add_to_hass(hass)
    with mock_config_flow("recording", ConfigFlow):
        assert await async_setup_component(hass, "tts", {})
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return voice


async def say_in_pipeline(hass: HomeAssistant, agent_id: str, engine: str, text: str) -> list[Any]:
    """Say a sentence through Assist's pipeline up to its speech, and return its events."""
    from homeassistant.components import assist_pipeline
    from homeassistant.components.assist_pipeline.pipeline import (
        PipelineInput,
        PipelineRun,
        async_get_pipeline,
    )

    events: list[Any] = []
    has_started = asyncio.Event()

    def note(event: Any) -> None:
        events.append(event)
        has_started.set()

    await assist_pipeline.async_update_pipeline(
        hass,
        async_get_pipeline(hass),
        conversation_engine=agent_id,
        conversation_language="en",
        tts_engine=engine,
        tts_language="en",
    )
    with chat_session(hass) as session:
        run = PipelineRun(
            hass,
            Context(),
            async_get_pipeline(hass),
            start_stage=assist_pipeline.PipelineStage.INTENT,
            end_stage=assist_pipeline.PipelineStage.TTS,
            event_callback=note,
        )
        pipeline = PipelineInput(intent_input=text, session=session, run=run)
        await pipeline.validate()
        running = hass.async_create_task(pipeline.execute())
        await has_started.wait()
        # As a voice satellite does, which fetches what is spoken while it is made.
        stream = tts.async_get_stream(hass, events[0].data["tts_output"]["token"])
        assert stream
        async for _ in stream.async_stream_result():
            continue
        await running
    return events


async def test_talk_is_heard_piece_by_piece_without_markup(
    hass: HomeAssistant, speak: Setup, recorder: RecordingVoice
) -> None:
    pytest.importorskip("pymicro_vad")
    speaker = await speak(brain(("general", "a bedtime story"), talk=TALE), contract="capable")
    assert await async_setup_component(hass, "assist_pipeline", {})
    events = await say_in_pipeline(
        hass, speaker.agent_id, recorder.entity_id, "make up some bedtime nonsense"
    )
    deltas = [
        event.data["chat_log_delta"]["content"]
        for event in events
        if event.type == "intent-progress" and "content" in event.data.get("chat_log_delta", {})
    ]
    assert len(deltas) > 5, "its words come one after the other"
    assert "".join(deltas).lstrip("\n") == SPOKEN
    assert "".join(recorder.heard).split() == SPOKEN.split()
    assert len(recorder.heard) > 1, "it speaks before it has all"
    [end] = [event for event in events if event.type == "intent-end"]
    speech = end.data["intent_output"]["response"]["speech"]["plain"]["speech"]
    assert speech == SPOKEN, "what is kept is what was said, once"


async def test_the_first_word_is_heard_before_the_second_is_there(
    hass: HomeAssistant, speak: Setup, recorder: RecordingVoice
) -> None:
    pytest.importorskip("pymicro_vad")
    speaker = await speak(brain(("general", "a bedtime story"), talk=TALE), contract="capable")
    model = speaker.model
    assert model
    recorder.is_paused = lambda: model.is_stalled
    model.fault = Fault.stall(0.3)
    assert await async_setup_component(hass, "assist_pipeline", {})
    await say_in_pipeline(
        hass, speaker.agent_id, recorder.entity_id, "make up some bedtime nonsense"
    )
    assert recorder.began_in_pause
    assert "".join(recorder.heard).split() == SPOKEN.split()


async def test_who_waits_is_told_once_and_then_hears_the_answer(
    hass: HomeAssistant,
    speak: Setup,
    recorder: RecordingVoice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pymicro_vad")
    monkeypatch.setattr(bellboard_conversation, "SLOW_SECONDS", 0.02)
    step = {"action": "turn_on", "targets": ["Floor Lamp"]}
    speaker = await speak(
        brain(("light", "the floor lamp, dreamy"), steps=[step]), contract="capable"
    )
    assert speaker.model
    speaker.model.fault = Fault.slow(0.1)
    assert await async_setup_component(hass, "assist_pipeline", {})
    events = await say_in_pipeline(
        hass, speaker.agent_id, recorder.entity_id, "the floor lamp could be dreamy"
    )
    assert "".join(recorder.heard).split() == ["One", "moment.", "Turned", "on", "Floor", "Lamp."]
    assert len(recorder.heard) > 1, "it is asked to wait before the answer is there"
    [end] = [event for event in events if event.type == "intent-end"]
    speech = end.data["intent_output"]["response"]["speech"]["plain"]["speech"]
    assert speech == "Turned on Floor Lamp."

    speaker.model.fault = Fault()
    monkeypatch.setattr(bellboard_conversation, "SLOW_SECONDS", 30)
    quick = await say_in_pipeline(
        hass, speaker.agent_id, recorder.entity_id, "turn off the floor lamp"
    )
    assert "One moment." not in str([event.data for event in quick])


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it", "nl", "pl", "pt"])
async def test_a_slow_failure_is_one_answer(
    hass: HomeAssistant,
    speak: Setup,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    """What is said while a model fails stays the beginning of one answer, with no tool beside it."""
    monkeypatch.setattr(bellboard_conversation, "SLOW_SECONDS", 0.02)
    speaker = await speak(brain(("general", "x")), contract="capable")
    assert speaker.model
    speaker.model.fault = Fault.slow(0.1)
    speaker.model.answer = lambda *_: "no plan"
    shown = Shown()
    with chat_session(hass) as session:
        logged = conversation.ConversationInput(
            text="why oh why qwerty",
            context=Context(),
            conversation_id=session.conversation_id,
            device_id=None,
            satellite_id=None,
            language=language,
            agent_id=speaker.agent_id,
        )
        with conversation.async_get_chat_log(
            hass, session, logged, chat_log_delta_listener=shown.note
        ) as chat_log:
            result = await conversation.async_converse(
                hass,
                logged.text,
                session.conversation_id,
                logged.context,
                language=language,
                agent_id=speaker.agent_id,
            )
            log = list(chat_log.content)
    speech = result.response.speech["plain"]["speech"]
    assert result.response.response_type.value != "error"
    assert not shown.tools
    assert len(shown.bubbles) == 2
    assert shown.bubbles[-1] == speech, "Assist shows it once"
    assert [each.content for each in log if each.role == "assistant"] == [speech]
    assert not [each for each in log if each.role == "tool_result"]


class Shown:
    """What Assist's dialog shows of the deltas: the texts of one bubble, and tools."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.bubbles: list[str] = []
        self.tools: list[Any] = []

    def note(self, _log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        """Take a delta."""
        if delta.get("role") == "assistant":
            self.bubbles.append("")
        if content := delta.get("content"):
            self.bubbles[-1] = f"{self.bubbles[-1]}{content}".lstrip("\n")
        self.tools += delta.get("tool_calls", [])


async def test_a_claim_ends_what_is_said(hass: HomeAssistant, speak: Setup) -> None:
    talk = "What a night. I have turned on all the lamps for you, my friend."
    speaker = await speak(brain(("general", "how was your day"), talk=talk), contract="capable")
    said = await speaker.say("and how was your day, house?")
    assert "lamps" not in said.reply
    assert not said.calls


async def test_what_breaks_off_is_said_once(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(brain(("general", "a story"), talk=TALE), contract="capable")
    assert speaker.model
    first = await speaker.say("make up some bedtime nonsense")
    assert first.reply.count("Once upon a time") == 1
    entity = hass.data[conversation.DATA_COMPONENT].get_entity(speaker.agent_id)
    assert entity
    assert entity.supports_streaming
