"""Whether Assist uses an assistant: the preferred voice assistant is changed, if its owner says so."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

_PIPELINES = "assist_pipeline"
_CONVERSATION = "conversation"


@callback
def preferred_name(hass: HomeAssistant) -> str | None:
    """Return the name of the preferred voice assistant (pipeline); None where there are none."""
    if _PIPELINES not in hass.config.components:
        return None
    # Not every Home Assistant has it, and importing it takes what only voice needs.
    from homeassistant.components.assist_pipeline import async_get_pipeline  # noqa: PLC0415

    return async_get_pipeline(hass).name


async def async_use(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Let the preferred voice assistant ask the first assistant of a connection; return whether it does.

    Home Assistant no longer answers before it: what it understands, the assistant answers through it,
    and policies hold.
    """
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    agent = next((e.entity_id for e in entities if e.domain == _CONVERSATION), None)
    if agent is None or preferred_name(hass) is None:
        return False
    from homeassistant.components.assist_pipeline import async_get_pipeline, async_update_pipeline  # noqa: PLC0415

    await async_update_pipeline(
        hass, async_get_pipeline(hass), conversation_engine=agent, prefer_local_intents=False
    )
    return True
