"""A real core with the demo house in it, and Bellboard set up with a scripted model or with none."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
import gc
import json
import logging
import os
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from hypothesis import settings
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.connections import aptitude
from custom_components.bellboard.nlu.loader import Language, async_get_language
from custom_components.bellboard.turn import warm_up
from tests.automations_file import AutomationsFile
from tests.evaluation import setup_agent
from tests.harness.home import async_move_in, states_of_the_house
import tests.read_once  # noqa: F401 - what importing it does
from tests.servers import RunningServer, ScriptedModel, ollama_app, openai_app
from tests.thorough import number

# Each core tells some two hundred things that nobody reads; caplog turns them on, and so does -v.
logging.getLogger().setLevel(logging.WARNING)

# No test asserts a time, not even that of one example.
settings.register_profile("untimed", deadline=None, max_examples=number(50, 100))
settings.load_profile("untimed")

SECRET_KEY = "sk-the-secret-key-of-the-house"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first: last, it would keep one worker while the others have nothing left to do."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Look for garbage less often: what a core leaves behind is found at the first look or the tenth."""
    gc.set_threshold(50_000)


def pytest_unconfigure() -> None:
    """Look for garbage once at the end, and not five times through all that was imported, as pytest does."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _custom_integrations(request: pytest.FixtureRequest) -> None:
    """Let the core load what is in custom_components, where there is a core: most tests need none."""
    if "recorder_mock" in request.fixturenames:
        # A recorder has to be there before the core is.
        request.getfixturevalue("recorder_mock")
    if "hass" in request.fixturenames:
        request.getfixturevalue("enable_custom_integrations")


@pytest.fixture(autouse=True)
async def enable_event_loop_debug() -> None:
    """Let the event loop look at itself where that is wanted, in place of the harness' fixture.

    It writes down where each of its handles was made, which takes a third of the time of all tests: the
    nightly run has it (`BELLBOARD_LOOP_DEBUG=1`).
    """
    if "BELLBOARD_LOOP_DEBUG" in os.environ:
        asyncio.get_running_loop().set_debug(True)


@pytest.fixture(autouse=True)
def _own_sockets(socket_enabled: None) -> None:
    """Allow sockets: the model servers of the tests are real ones, on 127.0.0.1."""


@pytest.fixture(autouse=True)
def _no_aptitude_test(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take unknown models for small ones without a test, which would be asked first; `aptitude` is for that."""
    if request.node.get_closest_marker("aptitude") is None:
        monkeypatch.setattr(aptitude, "is_unknown", lambda *_: False)


@pytest.fixture(autouse=True)
def _late_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test that takes a second be about to build indexes when it ends."""
    monkeypatch.setattr(warm_up, "SETTLE_SECONDS", 3600)


@pytest.fixture
async def assist(hass: HomeAssistant) -> None:
    """Set up what Assist needs."""
    for component in ("homeassistant", "intent", "conversation"):
        assert await async_setup_component(hass, component, {})


@pytest.fixture
async def house(request: pytest.FixtureRequest, hass: HomeAssistant, assist: None) -> ConfigEntry:
    """Return the entry of the demo house, or of the one that the module names in its `HOUSE_FILE`.

    It is set up in a core that has what Assist needs.
    """
    if described := getattr(request.module, "HOUSE_FILE", None):
        return await async_move_in(hass, str(Path(__file__).parent / described))
    entry = MockConfigEntry(domain="demo_house", data={})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


@pytest.fixture
async def automations_file(hass: HomeAssistant, tmp_path: Path) -> AsyncGenerator[AutomationsFile]:
    """Return the file of automations in a core of its own configuration, with the editor."""
    hass.config.config_dir = str(tmp_path)
    written = AutomationsFile(tmp_path / "automations.yaml")
    written.configure("automation: !include automations.yaml\n")
    written.write("[]\n")
    for component in ("homeassistant", "automation", "config"):
        assert await async_setup_component(hass, component, {})
    await hass.async_block_till_done()
    yield written
    await hass.services.async_call("automation", "turn_off", {"entity_id": "all"}, blocking=True)


@pytest.fixture
async def english(hass: HomeAssistant) -> Language:
    """Return the English words."""
    return await async_get_language(hass, "en")


@dataclass
class Said:
    """What came of one sentence. `changes` maps entity ids to their states before and after."""

    result: conversation.ConversationResult
    changes: dict[str, tuple[str, str]]
    calls: list[dict[str, Any]]

    @property
    def reply(self) -> str:
        """Return what was said."""
        return str(self.result.response.speech["plain"]["speech"])


@dataclass
class Speaker:
    """Someone in the house who talks to an assistant, in one conversation."""

    hass: HomeAssistant
    agent_id: str
    model: ScriptedModel | None = None
    server: RunningServer[ScriptedModel] | None = None
    conversation_id: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)

    async def say(
        self,
        text: str,
        *,
        language: str = "en",
        area: str | None = None,
        context: Context | None = None,
    ) -> Said:
        """Say a sentence, where `area` names the room of the voice panel it is said to."""
        before = snapshot(self.hass)
        self.calls.clear()
        result = await conversation.async_converse(
            self.hass,
            text,
            self.conversation_id,
            context or Context(),
            language=language,
            agent_id=self.agent_id,
            device_id=voice_panel(self.hass, area) if area else None,
        )
        await self.hass.async_block_till_done()
        self.conversation_id = result.conversation_id
        after = snapshot(self.hass)
        changes = {
            entity_id: (before.get(entity_id, ""), state)
            for entity_id, state in after.items()
            if before.get(entity_id) != state
        }
        return Said(result, changes, list(self.calls))


def snapshot(hass: HomeAssistant) -> dict[str, str]:
    """Return the states of all devices of the house, with their attributes, as comparable text."""
    return {
        state.entity_id: json.dumps([state.state, dict(state.attributes)], default=str)
        for state in states_of_the_house(hass)
    }


def voice_panel(hass: HomeAssistant, area: str) -> str:
    """Return the id of the device that listens in an area."""
    entry = hass.config_entries.async_entries("demo_house")[0]
    device = dr.async_get(hass).async_get_device_by_identifier(
        ("demo_house", f"panel {area}"), entry.entry_id
    )
    assert device
    return device.id


type Serve = Callable[..., Awaitable[RunningServer[ScriptedModel]]]


@pytest.fixture
async def serve() -> AsyncGenerator[Serve]:
    """Return a function that starts a model server of a provider, which takes a scripted model's fields."""
    async with AsyncExitStack() as stack:

        async def start(provider: str = "openai", **model: Any) -> RunningServer[ScriptedModel]:
            scripted = ScriptedModel(**{"answer": lambda *_: "Hello.", **model})
            app = {"ollama": ollama_app, "openai": openai_app}[provider]
            return await stack.enter_async_context(RunningServer(app, scripted))

        yield start


type Setup = Callable[..., Awaitable[Speaker]]


@asynccontextmanager
async def async_speaking(hass: HomeAssistant) -> AsyncGenerator[Setup]:
    """Provide a function that sets Bellboard up and returns someone who talks to it.

    Without arguments there is no model; with `answer`, a function from messages and schema to what
    the model says, there is a scripted one behind a real server.
    """
    async with AsyncExitStack() as stack:

        async def set_up(answer: Callable[..., Any] | None = None, **assistant: Any) -> Speaker:
            options: dict[str, Any] = {"assistant": assistant}
            model = server = None
            if answer is not None:
                model = ScriptedModel(answer)
                server = await stack.enter_async_context(RunningServer(openai_app, model))
                options |= {"provider": "openai", "url": server.url, "api_key": SECRET_KEY}
                options["model"] = model.names[0]
            speaker = Speaker(hass, await setup_agent(hass, options), model, server)

            @callback
            def async_record(event: Event[Any]) -> None:
                speaker.calls.append(dict(event.data))

            stack.callback(hass.bus.async_listen("call_service", async_record))
            return speaker

        yield set_up


@pytest.fixture
async def speak(hass: HomeAssistant, house: ConfigEntry) -> AsyncGenerator[Setup]:
    """Return a function that sets Bellboard up and returns someone who talks to it."""
    async with async_speaking(hass) as set_up:
        yield set_up
