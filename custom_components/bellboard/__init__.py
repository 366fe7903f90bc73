"""Bellboard: lets the right specialist answer each sentence said to Assist."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
import logging

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import config_validation as cv, issue_registry as ir
from homeassistant.helpers.typing import ConfigType

from .assistant import (
    DATA_CATALOG,
    Assistant,
    create_assistant,
    forget_observations,
    observations_of,
)
from .connections.aptitude import CONF_APTITUDE, async_find_out, known_aptitude, wants_test
from .connections.connection import assistants_of
from .connections.model_roles import (
    close_breaker,
    create_models,
    create_shared_model,
    forget_limits,
)
from .connections.own_agents import async_create_a2a_agents, own_agents_of, untested_models
from .connections.server_watch import ServerWatch, async_unavailable_text, issue_id_of
from .connections.versions import async_migrate_entry, readable_options
from .connections.voice_assistants import async_hand_back, async_note_bypassed, async_watch_bypassed
from .const import CONF_PROVIDER, DOMAIN
from .evaluation.history import async_remove_history
from .home.catalog import CatalogSource
from .llm.client import ModelClient
from .llm.errors import ModelError
from .llm.providers import PROVIDERS
from .memory.delayed import DELAYED_NAME, DelayedCommands
from .memory.ha_store import async_remove_list
from .memory.habits import HABITS_NAME, Habits
from .memory.lessons import LESSONS_NAME, LearnedDecisions
from .memory.storage import async_open_conversations, async_remove_conversations
from .options import AssistantOptions
from .panel.commands import async_register_commands
from .panel.registration import async_hide_panel, async_show_panel
from .policy.file import async_setup_policies
from .routing.calibration import load_curves
from .services.agents import async_restore_agents
from .services.delayed import async_start_delayed
from .services.llm_api import async_register_llm_api
from .services.registration import async_register_actions
from .services.repeated import async_forget_repeated, async_start_repeated
from .telemetry.sinks import async_remove_telemetry, create_sinks

_LOGGER = logging.getLogger(__name__)

# Home Assistant looks for the migration here.
__all__ = ["async_migrate_entry"]

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.CALENDAR, Platform.CONVERSATION, Platform.SENSOR)


@dataclass(frozen=True, slots=True)
class BellboardData:
    """Data of a loaded connection: its assistants by subentry id, and the model it shares with others.

    `shared_model` is None for a connection without a model, `watch` for one that is to no server. `tests` find
    out what models can be asked.
    """

    assistants: dict[str, Assistant]
    shared_model: ModelClient | None
    watch: ServerWatch | None = None
    tests: list[asyncio.Task[None]] = field(default_factory=list)


type BellboardConfigEntry = ConfigEntry[BellboardData]


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Prepare what all connections share."""
    catalog = hass.data[DATA_CATALOG] = CatalogSource(hass)
    catalog.async_listen()
    async_register_commands(hass)
    await async_setup_policies(hass)
    async_register_actions(hass)
    async_register_llm_api(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: BellboardConfigEntry) -> bool:
    """Set up a connection and its assistants.

    A model server that is down does not keep the assistants from being set up: what Home Assistant
    understands by itself is answered without it.
    """
    await hass.async_add_executor_job(load_curves)
    watch: ServerWatch | None = None
    if entry.data[CONF_PROVIDER] in PROVIDERS:
        text = await async_unavailable_text(hass, entry)
        watch = ServerWatch(hass, entry, text, partial(close_breaker, hass, entry))
    assistants = {}
    for subentry in assistants_of(entry):
        options, _ = readable_options(entry, subentry.data)
        assistants[subentry.subentry_id] = create_assistant(
            hass,
            create_models(hass, entry, options, known_aptitude(subentry.data)),
            options,
            tasks=await async_open_conversations(hass, subentry, options.memory),
            telemetry=create_sinks(hass, subentry.subentry_id, options.telemetry),
            lessons=await LearnedDecisions.async_open(hass, subentry.subentry_id),
            habits=await Habits.async_open(hass, subentry.subentry_id),
            delayed=DelayedCommands(hass, subentry.subentry_id),
            observations=observations_of(hass, subentry.subentry_id),
        )
    for agent in (*own_agents_of(hass, entry), *async_create_a2a_agents(hass, entry)):
        for assistant in assistants.values():
            assistant.registry.register(agent)
    entry.runtime_data = BellboardData(assistants, create_shared_model(hass, entry), watch)
    async_restore_agents(hass, entry.runtime_data.assistants)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    for assistant_id, assistant in assistants.items():
        await async_start_delayed(assistant, assistant_id)
        async_start_repeated(hass, assistant)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    if watch:
        entry.async_on_unload(watch.async_stop)
        # So that a wrong key is noticed before it is needed.
        watch.async_start()
    _async_learn_contracts(hass, entry)
    entry.async_on_unload(async_watch_bypassed(hass))
    await async_show_panel(hass)
    return True


@callback
def _async_learn_contracts(hass: HomeAssistant, entry: BellboardConfigEntry) -> None:
    """Find out what the models of a connection can be asked, where that is chosen by what is known."""
    seconds = AssistantOptions().timeout
    for subentry in assistants_of(entry):
        assistant = entry.runtime_data.assistants[subentry.subentry_id]
        model, seconds = assistant.models.main, assistant.options.timeout
        if wants_test(model, assistant.options, subentry.data):
            _async_learn_contract(hass, entry, subentry, model, seconds)
    for subentry, own in untested_models(hass, entry):
        _async_learn_contract(hass, entry, subentry, own, seconds)


@callback
def _async_learn_contract(
    hass: HomeAssistant,
    entry: BellboardConfigEntry,
    subentry: ConfigSubentry,
    model: ModelClient,
    seconds: float,
) -> None:
    """Find out in the background what a model can be asked that a subentry has; `seconds` bound a question."""

    async def learn() -> None:
        """Keep what is found out; the connection is set up anew with it."""
        try:
            aptitude = await async_find_out(model, seconds)
        except ModelError as err:
            _LOGGER.debug("It could not be found out what %s can be asked: %s", model.model, err)
            return
        data = {**subentry.data, CONF_APTITUDE: aptitude.as_json()}
        hass.config_entries.async_update_subentry(entry, subentry, data=data)

    test = entry.async_create_background_task(hass, learn(), f"{DOMAIN} aptitude")
    entry.runtime_data.tests.append(test)


async def async_unload_entry(hass: HomeAssistant, entry: BellboardConfigEntry) -> bool:
    """Unload a connection."""
    forget_limits(hass, entry)
    if entry.disabled_by:
        # Nobody looks for its server any more.
        ir.async_delete_issue(hass, DOMAIN, issue_id_of(entry))
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        for assistant in entry.runtime_data.assistants.values():
            await assistant.tasks.async_close()
            await assistant.telemetry.async_close()
            await assistant.lessons.async_close()
            await assistant.habits.async_close()
            await assistant.delayed.async_close()
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: BellboardConfigEntry) -> None:
    """Forget what was kept for the assistants of a connection that is no more."""
    ir.async_delete_issue(hass, DOMAIN, issue_id_of(entry))
    for subentry in assistants_of(entry):
        await _async_forget(hass, subentry.subentry_id)
    async_note_bypassed(hass)
    if not hass.config_entries.async_entries(DOMAIN):
        async_hide_panel(hass)


async def _async_reload(hass: HomeAssistant, entry: BellboardConfigEntry) -> None:
    """Apply a change of the connection or of its assistants; forget those that are no more."""
    gone = entry.runtime_data.assistants.keys() - entry.subentries.keys()
    # A form changes a connection and its assistants one after the other: both have to be there.
    await asyncio.sleep(0)
    await hass.config_entries.async_reload(entry.entry_id)
    for assistant_id in gone:
        await _async_forget(hass, assistant_id)


async def _async_forget(hass: HomeAssistant, assistant_id: str) -> None:
    """Forget whatever was kept for an assistant; who asked it asks Home Assistant's own agent."""
    await async_hand_back(hass, [assistant_id])
    await async_remove_conversations(hass, assistant_id)
    await async_remove_telemetry(hass, assistant_id)
    await async_forget_repeated(hass, assistant_id)
    for name in (LESSONS_NAME, HABITS_NAME, DELAYED_NAME):
        await async_remove_list(hass, name, assistant_id)
    await async_remove_history(hass, assistant_id)
    forget_observations(hass, assistant_id)
