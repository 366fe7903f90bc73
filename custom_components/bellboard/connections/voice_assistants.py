"""Home Assistant's voice assistants that ask one of ours: handed back when ours goes, told of where it is gone past."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from homeassistant.components.conversation import DOMAIN as CONVERSATION, HOME_ASSISTANT_AGENT
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, issue_registry as ir

from ..const import DOMAIN

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import Pipeline

ISSUE_BYPASSED = "bypassed"
_PIPELINES = "assist_pipeline"


@callback
def agents_of(hass: HomeAssistant, assistant_ids: Iterable[str]) -> frozenset[str]:
    """Return the entity ids of assistants, also of those that were just removed."""
    registry = er.async_get(hass)
    keys = [(CONVERSATION, DOMAIN, each) for each in assistant_ids]
    gone = (registry.deleted_entities.get(key) for key in keys)
    known = (registry.async_get_entity_id(*key) for key in keys)
    return frozenset(filter(None, (*known, *(each.entity_id for each in gone if each))))


async def async_hand_back(hass: HomeAssistant, assistant_ids: Iterable[str]) -> None:
    """Let Home Assistant's own agent answer wherever one of some assistants did, which are no more."""
    if not (pipelines := _that_ask(hass, agents_of(hass, assistant_ids))):
        return
    # What it needs may not be installed where it is not set up.
    from homeassistant.components.assist_pipeline import async_update_pipeline  # noqa: PLC0415

    for pipeline in pipelines:
        await async_update_pipeline(hass, pipeline, conversation_engine=HOME_ASSISTANT_AGENT)


@callback
def async_watch_bypassed(hass: HomeAssistant) -> CALLBACK_TYPE:
    """Keep an issue as long as a voice assistant goes past ours, and so past the rules; returns what ends that."""
    async_note_bypassed(hass)
    if _PIPELINES not in hass.config.components:
        return lambda: None
    from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE  # noqa: PLC0415

    async def async_changed(*_: object) -> None:
        """Look again when a voice assistant was changed."""
        async_note_bypassed(hass)

    return hass.data[KEY_ASSIST_PIPELINE].pipeline_store.async_add_listener(async_changed)


@callback
def async_note_bypassed(hass: HomeAssistant) -> None:
    """Say in Repairs which voice assistants let Home Assistant's own agent answer before ours, or that none does."""
    entries: list[ConfigEntry] = hass.config_entries.async_entries(DOMAIN)
    agents = agents_of(hass, (each for entry in entries for each in entry.subentries))
    bypassing = [each.name for each in _that_ask(hass, agents) if each.prefer_local_intents]
    if not bypassing:
        ir.async_delete_issue(hass, DOMAIN, ISSUE_BYPASSED)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        ISSUE_BYPASSED,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=ISSUE_BYPASSED,
        translation_placeholders={"assistants": ", ".join(bypassing)},
    )


def _that_ask(hass: HomeAssistant, agents: Collection[str]) -> list[Pipeline]:
    """Return the voice assistants that ask some agents."""
    if _PIPELINES not in hass.config.components:
        return []
    from homeassistant.components.assist_pipeline import async_get_pipelines  # noqa: PLC0415

    return [each for each in async_get_pipelines(hass) if each.conversation_engine in agents]
