"""Websocket commands: the traces of turns and the events of their stages, for administrators."""

from typing import Any

from homeassistant.components import websocket_api
from homeassistant.core import HomeAssistant, callback
import voluptuous as vol

from .const import DOMAIN
from .panel.commands import async_register_panel_commands


@callback
def async_register_commands(hass: HomeAssistant) -> None:
    """Register the commands."""
    websocket_api.async_register_command(hass, websocket_traces)
    websocket_api.async_register_command(hass, websocket_telemetry)
    websocket_api.async_register_command(hass, websocket_models)
    async_register_panel_commands(hass)


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/models"})
@websocket_api.require_admin
@callback
def websocket_models(
    hass: HomeAssistant, connection: websocket_api.ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the model of each assistant, what it is asked, and whether that is being found out now."""
    models = [
        {
            "assistant": assistant_id,
            "model": assistant.model.model if assistant.model else None,
            "contract": assistant.models.contract.value,
            "is_tested": any(not test.done() for test in entry.runtime_data.tests),
        }
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant_id, assistant in entry.runtime_data.assistants.items()
    ]
    connection.send_result(msg["id"], {"models": models})


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/traces", vol.Optional("conversation_id"): str}
)
@websocket_api.require_admin
@callback
def websocket_traces(
    hass: HomeAssistant, connection: websocket_api.ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the last turns of all assistants, or of one conversation, newest last."""
    wanted = msg.get("conversation_id")
    traces = [
        trace
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant in entry.runtime_data.assistants.values()
        for trace in assistant.traces
        if wanted in {None, trace.conversation_id}
    ]
    traces.sort(key=lambda trace: trace.at)
    connection.send_result(msg["id"], {"traces": [trace.as_json() for trace in traces]})


@websocket_api.websocket_command(
    {
        vol.Required("type"): f"{DOMAIN}/telemetry",
        vol.Optional("interaction_id"): str,
        vol.Optional("session_id"): str,
    }
)
@websocket_api.require_admin
@callback
def websocket_telemetry(
    hass: HomeAssistant, connection: websocket_api.ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the last events of all assistants, of one turn or of one conversation, newest last."""
    turn, conversation = msg.get("interaction_id"), msg.get("session_id")
    events = [
        event
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant in entry.runtime_data.assistants.values()
        for event in assistant.telemetry.ring
        if turn in {None, event.interaction_id} and conversation in {None, event.session_id}
    ]
    events.sort(key=lambda event: event.timestamp)
    connection.send_result(
        msg["id"], {"events": [event.model_dump(mode="json") for event in events]}
    )
