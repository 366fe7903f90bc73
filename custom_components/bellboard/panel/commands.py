"""The panel's websocket commands. Each is for administrators only."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from homeassistant.components import websocket_api
from homeassistant.components.websocket_api import ActiveConnection
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.typing import VolDictType
import voluptuous as vol

from ..assistant import Assistant
from ..const import DOMAIN
from ..evaluation.history import evaluation_history
from ..policy.file import PolicyFileError, async_load_policies, placeholders
from ..services.evaluate import async_read_golden, async_report, async_run_cases, language_of
from ..services.lookup import all_assistants, entity_id_of, refusal
from ..telemetry.trace import TurnTrace
from .agents import async_agents_as_json
from .choices import async_choices_as_json
from .correcting import CASES_FILE, Meant, async_add_alias, async_add_case, async_learn
from .health import health_as_json
from .planned import async_planned_as_json
from .policies import CALL_FIELDS, async_policies_as_json, async_try_call
from .reading import async_read_as_json
from .sentence import ASSISTANT, FIELDS, sentence_of
from .trying import CHANGES, async_try_as_json
from .turns import all_turns, async_find_task, find_turn, summary_as_json, turn_as_json
from .words import Viewer

_TURN = "turn_id"
_MEANT: VolDictType = {
    vol.Required("agent_id"): str,
    vol.Required("action"): str,
    vol.Required("targets"): vol.All([str], vol.Length(min=1, max=100)),
    vol.Optional("parameters", default=dict): {str: vol.Any(str, int, float, list)},
}


@callback
def async_register_panel_commands(hass: HomeAssistant) -> None:
    """Register the commands."""
    for command in (
        websocket_assistants,
        websocket_turns,
        websocket_turn,
        websocket_read,
        websocket_try,
        websocket_choices,
        websocket_mark,
        websocket_learn,
        websocket_alias,
        websocket_add_case,
        websocket_agents,
        websocket_policies,
        websocket_reload_policies,
        websocket_try_call,
        websocket_health,
        websocket_planned,
        websocket_cancel_planned,
        websocket_evaluation,
        websocket_run_evaluation,
    ):
        websocket_api.async_register_command(hass, command)


def _viewer(connection: ActiveConnection) -> Viewer:
    """Return who looks."""
    return Viewer(connection.user.id)


def _assistant(hass: HomeAssistant, assistant_id: str) -> tuple[str, Assistant, ConfigEntry]:
    """Return the entity id of an assistant, the assistant, and its connection.

    Raises:
        ServiceValidationError: there is no such assistant.
    """
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        if assistant := entry.runtime_data.assistants.get(assistant_id):
            return entity_id_of(hass, assistant_id), assistant, entry
    raise refusal("no_assistant")


def _turn(hass: HomeAssistant, turn_id: str) -> tuple[str, Assistant, TurnTrace]:
    """Return a turn with its assistant.

    Raises:
        ServiceValidationError: it is not kept any more.
    """
    if found := find_turn(hass, turn_id):
        return found
    raise refusal("turn_gone")


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/assistants"})
@websocket_api.require_admin
@callback
def websocket_assistants(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the assistants, each with what may be changed for one try."""
    found = [
        {
            "id": assistant_id,
            "entity_id": entity_id_of(hass, assistant_id),
            "title": entry.subentries[assistant_id].title,
            "entry_id": entry.entry_id,
            "model": assistant.model.model if assistant.model else None,
            "contract": assistant.options.contract,
            "threshold": assistant.options.router.confidence_threshold,
            "system_prompt": assistant.options.router.system_prompt,
        }
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant_id, assistant in entry.runtime_data.assistants.items()
        if assistant_id in entry.subentries
    ]
    connection.send_result(msg["id"], {"assistants": found})


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/turns"})
@websocket_api.require_admin
@callback
def websocket_turns(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Send the turns that are kept, and from then on each new or corrected one."""
    viewer = _viewer(connection)

    def line(assistant_id: str, assistant: Assistant, trace: TurnTrace) -> dict[str, Any]:
        has_words = viewer.sees_words(assistant.options, trace)
        return summary_as_json(hass, assistant_id, trace, has_words=has_words)

    def listen(assistant_id: str, assistant: Assistant) -> Callable[[], None]:
        @callback
        def async_send(trace: TurnTrace) -> None:
            told = {"turn": line(assistant_id, assistant, trace)}
            connection.send_message(websocket_api.event_message(msg["id"], told))

        return assistant.traces.add_listener(async_send)

    stops = [listen(key, assistant) for key, assistant in all_assistants(hass).items()]

    @callback
    def async_stop() -> None:
        for stop in stops:
            stop()

    connection.subscriptions[msg["id"]] = async_stop
    connection.send_result(msg["id"])
    kept = [line(*each) for each in all_turns(hass)]
    connection.send_message(websocket_api.event_message(msg["id"], {"turns": kept}))


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/turn", vol.Required(_TURN): str}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_turn(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send a turn with all that led to its answer."""
    assistant_id, assistant, trace = _turn(hass, msg[_TURN])
    task = await async_find_task(assistant, trace)
    found = turn_as_json(hass, assistant_id, assistant, trace, _viewer(connection), task=task)
    connection.send_result(msg["id"], found)


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/read", **FIELDS})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_read(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send what the readers make of a sentence."""
    entity_id, assistant, _ = _assistant(hass, msg[ASSISTANT])
    found = await async_read_as_json(assistant, sentence_of(hass, msg, entity_id))
    connection.send_result(msg["id"], found)


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/try", **FIELDS, **CHANGES})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_try(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send what a sentence would come to. Nothing is touched."""
    entity_id, assistant, entry = _assistant(hass, msg[ASSISTANT])
    said = sentence_of(hass, msg, entity_id)
    connection.send_result(msg["id"], await async_try_as_json(assistant, entry, said, msg))


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/choices", vol.Required(ASSISTANT): str}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_choices(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send what can be chosen in a correction."""
    _, assistant, _ = _assistant(hass, msg[ASSISTANT])
    connection.send_result(msg["id"], await async_choices_as_json(hass, assistant))


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/correct/mark", vol.Required(_TURN): str}
)
@websocket_api.require_admin
@callback
def websocket_mark(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Mark a turn as wrong, and forget what was learnt of it."""
    _, assistant, trace = _turn(hass, msg[_TURN])
    if assistant.traces.last_of(trace.session_id) is trace:
        # What is known to be learnt of a session is that of its last turn.
        assistant.lessons.contradict(trace.session_id)
    assistant.traces.mark_corrected(trace)
    connection.send_result(msg["id"])


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/correct/learn", vol.Required(_TURN): str, **_MEANT}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_learn(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Keep what was meant as a decision."""
    _, assistant, trace = _turn(hass, msg[_TURN])
    await async_learn(assistant, trace, _meant(msg))
    assistant.traces.mark_corrected(trace)
    connection.send_result(msg["id"])


@websocket_api.websocket_command(
    {
        vol.Required("type"): f"{DOMAIN}/panel/correct/alias",
        vol.Required(_TURN): str,
        vol.Required("entity_id"): str,
        vol.Required("alias"): vol.All(str, vol.Length(min=1, max=100)),
    }
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_alias(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Give an entity one more name."""
    _, assistant, trace = _turn(hass, msg[_TURN])
    await async_add_alias(hass, trace, msg["entity_id"], msg["alias"])
    assistant.traces.mark_corrected(trace)
    connection.send_result(msg["id"])


@websocket_api.websocket_command(
    {
        vol.Required("type"): f"{DOMAIN}/panel/correct/case",
        vol.Required(_TURN): str,
        vol.Optional("meant"): vol.Any(None, _MEANT),
    }
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_add_case(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Add a turn to the house's golden file; without a meaning nothing is to be changed by it."""
    _, assistant, trace = _turn(hass, msg[_TURN])
    meant = _meant(msg["meant"]) if msg.get("meant") else None
    case_id = await async_add_case(hass, assistant, trace, meant)
    assistant.traces.mark_corrected(trace)
    connection.send_result(msg["id"], {"case": case_id, "file": CASES_FILE})


def _meant(data: dict[str, Any]) -> Meant:
    """Return what was meant."""
    return Meant(data["agent_id"], data["action"], tuple(data["targets"]), data["parameters"])


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/agents", vol.Required(ASSISTANT): str}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_agents(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the agents of an assistant."""
    _, assistant, _ = _assistant(hass, msg[ASSISTANT])
    found = await async_agents_as_json(hass, assistant)
    connection.send_result(msg["id"], {"agents": found})


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/policies"})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_policies(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the policies."""
    connection.send_result(msg["id"], await async_policies_as_json(hass))


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/policies/reload"})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_reload_policies(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Read the policies' file again, and send them; what is wrong with it is among that."""
    error: dict[str, str] | None = None
    try:
        await async_load_policies(hass)
    except PolicyFileError as err:
        error = placeholders(hass, err)
    connection.send_result(msg["id"], {**await async_policies_as_json(hass), "error": error})


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/policies/try", **CALL_FIELDS}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_try_call(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send what the rules say to a call."""
    connection.send_result(msg["id"], {"verdicts": await async_try_call(hass, msg)})


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/health"})
@websocket_api.require_admin
@callback
def websocket_health(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send how all connections and assistants do."""
    connection.send_result(msg["id"], health_as_json(hass))


@websocket_api.websocket_command(
    {vol.Required("type"): f"{DOMAIN}/panel/planned", vol.Optional("language"): str}
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_planned(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the commands for later that wait, everybody's."""
    language = msg.get("language", hass.config.language)
    found = await async_planned_as_json(hass, _viewer(connection), language)
    connection.send_result(msg["id"], {"planned": found})


@websocket_api.websocket_command(
    {
        vol.Required("type"): f"{DOMAIN}/panel/planned/cancel",
        vol.Required(ASSISTANT): str,
        vol.Required("planned_id"): str,
    }
)
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_cancel_planned(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Cancel a command for later; send whether it still waited."""
    _, assistant, _ = _assistant(hass, msg[ASSISTANT])
    canceled = await assistant.delayed.async_cancel([msg["planned_id"]])
    connection.send_result(msg["id"], {"canceled": bool(canceled)})


_RUN: VolDictType = {
    vol.Required(ASSISTANT): str,
    vol.Optional("path", default=CASES_FILE): vol.All(str, vol.Length(min=1, max=300)),
}


async def _async_is_not_set_up(hass: HomeAssistant, path: str) -> bool:
    """Return whether nothing was kept yet in the file that corrections go to, which is no error."""
    if path != CASES_FILE:
        return False
    return not await hass.async_add_executor_job(Path(hass.config.path(path)).exists)


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/evaluation", **_RUN})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_evaluation(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the cases of a golden file, with what became of each in the last run; or what is wrong with it."""
    _assistant(hass, msg[ASSISTANT])
    at, last = await evaluation_history(hass, msg[ASSISTANT]).async_last(msg["path"])
    cases: list[dict[str, Any]] = []
    error = ""
    try:
        golden = await async_read_golden(hass, msg["path"])
    except ServiceValidationError as err:
        error = "" if await _async_is_not_set_up(hass, msg["path"]) else str(err)
    else:
        cases = [
            {
                "id": case.id,
                "say": [turn.say for turn in case.conversation],
                "area": case.area,
                "outcome": last[case.id].outcome if case.id in last else None,
            }
            for case in golden.cases
        ]
    found = {"path": msg["path"], "error": error or None, "run_at": at or None, "cases": cases}
    connection.send_result(msg["id"], found)


@websocket_api.websocket_command({vol.Required("type"): f"{DOMAIN}/panel/evaluation/run", **_RUN})
@websocket_api.require_admin
@websocket_api.async_response
async def websocket_run_evaluation(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Run a golden file as dry runs: an event for each case, and one with the whole at the end."""
    entity_id, assistant, _ = _assistant(hass, msg[ASSISTANT])
    golden = await async_read_golden(hass, msg["path"])
    is_stopped = False

    @callback
    def async_stop() -> None:
        nonlocal is_stopped
        is_stopped = True

    connection.subscriptions[msg["id"]] = async_stop
    connection.send_result(msg["id"])

    @callback
    def send(told: dict[str, Any]) -> None:
        connection.send_message(websocket_api.event_message(msg["id"], told))

    send({"total": len(golden.cases)})
    reports = []
    context = Context(user_id=connection.user.id)
    language = language_of(hass, golden)
    async for report in async_run_cases(assistant, entity_id, golden, language, context):
        if is_stopped:
            return
        reports.append(report)
        send({"case": report.as_json()})
    send({"report": await async_report(hass, msg[ASSISTANT], msg["path"], reports)})
