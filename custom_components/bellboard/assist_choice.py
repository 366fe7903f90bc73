"""Whether Assist uses an assistant: the preferred voice assistant is changed, if its owner says so."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

_PIPELINES = "assist_pipeline"
_CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Preferred:
    """The voice assistant (pipeline) that is preferred: its name and the agent it asks."""

    name: str
    agent: str


@callback
def preferred(hass: HomeAssistant) -> Preferred | None:
    """Return the preferred voice assistant; None where Home Assistant has none of them."""
    if _PIPELINES not in hass.config.components:
        return None
    # Not every Home Assistant has it, and importing it takes what only voice needs.
    from homeassistant.components.assist_pipeline import async_get_pipeline  # noqa: PLC0415

    pipeline = async_get_pipeline(hass)
    return Preferred(pipeline.name, pipeline.conversation_engine)


async def async_use(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Let the preferred voice assistant ask the first assistant of a connection.

    Home Assistant no longer answers before it: what it understands, the assistant answers through it,
    and policies hold.
    """
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    agent = next((e.entity_id for e in entities if e.domain == _CONVERSATION), None)
    if agent is None or preferred(hass) is None:
        return
    from homeassistant.components.assist_pipeline import async_get_pipeline, async_update_pipeline  # noqa: PLC0415

    await async_update_pipeline(
        hass, async_get_pipeline(hass), conversation_engine=agent, prefer_local_intents=False
    )
