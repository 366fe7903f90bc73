"""The demo house, with all that Assist needs and Bellboard as people use it, without a model."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from homeassistant import loader
from homeassistant.components import conversation
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import frame
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

import custom_components
from custom_components.bellboard.const import DOMAIN, PROVIDER_NONE, SUBENTRY_ASSISTANT
from custom_components.bellboard.memory.conversations import Conversations
from custom_components.bellboard.memory.models import TaskContext

from .house import JOURNAL, Tell, write_down

_ROOT = Path(__file__).parent.parent.parent.parent
custom_components.__path__.append(str(_ROOT / "scripts/demonstration/custom_components"))

# The same after every start, as those of a real home are.
_ENTRY_ID = "the_connection"
_SUBENTRY_ID = "the_assistant"

_AGENT = "conversation.bellboard"


class AssistHouse:
    """A house whose requests are spoken: request 17 is to set one of two lamps to 17 percent."""

    def __init__(self, hass: HomeAssistant, conversations: Conversations, tell: Tell) -> None:
        """Begin to write down what is carried out."""
        self._hass = hass
        self._tell = tell
        self.conversations = conversations
        hass.bus.async_listen("call_service", self._async_write_down)

    async def async_say(self, conversation_id: str, text: str) -> str:
        """Say a request or an answer to a question; return the state its task is in then."""
        await conversation.async_converse(
            self._hass,
            f"set the bedside lamp to {text} percent" if text.isdecimal() else text,
            conversation_id,
            Context(),
            language="en",
            agent_id=_AGENT,
        )
        self._tell("answered")
        task = await self.conversations.async_find(conversation_id)
        return task.state.value if task else "unknown"

    def request_of(self, task: TaskContext) -> str | None:
        """Return the request that a task waits with."""
        said = [message.content for message in task.history if message.role == "user"][-1]
        return next((word for word in said.split() if word.isdecimal()), None)

    @callback
    def _async_write_down(self, event: Event) -> None:
        """Write down what is about to be carried out, before it is."""
        if brightness := event.data["service_data"].get("brightness_pct"):
            self._tell("acting")
            write_down(Path(self._hass.config.path(JOURNAL)), f"{brightness:.0f}")


@asynccontextmanager
async def async_assist_house(folder: str, tell: Tell) -> AsyncGenerator[AssistHouse]:
    """Run the house in a folder."""
    async with async_test_home_assistant(config_dir=folder) as hass:
        frame.async_setup(hass)
        hass.data.pop(loader.DATA_CUSTOM_COMPONENTS)
        for component in ("homeassistant", "intent", "conversation"):
            assert await async_setup_component(hass, component, {})
        entry = MockConfigEntry(
            domain=DOMAIN,
            entry_id=_ENTRY_ID,
            title="Bellboard",
            data={"provider": PROVIDER_NONE},
            subentries_data=[
                {
                    "subentry_id": _SUBENTRY_ID,
                    "subentry_type": SUBENTRY_ASSISTANT,
                    "title": "Bellboard",
                    "data": MappingProxyType({}),
                    "unique_id": None,
                }
            ],
        )
        for each in (MockConfigEntry(domain="demo_house", data={}), entry):
            each.add_to_hass(hass)
            assert await hass.config_entries.async_setup(each.entry_id)
        await hass.async_block_till_done()
        conversations = entry.runtime_data.assistants[_SUBENTRY_ID].tasks
        yield AssistHouse(hass, conversations, tell)
        await hass.async_stop(force=True)
