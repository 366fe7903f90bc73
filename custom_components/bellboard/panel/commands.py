"""The websocket commands: the panel's, and traces and events. Each is for administrators only."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from homeassistant.components import websocket_api
from homeassistant.components.websocket_api import ActiveConnection
from homeassistant.components.websocket_api.const import WebSocketCommandHandler
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.typing import VolDictType
import voluptuous as vol

from ..assistant import Assistant
from ..const import DOMAIN
from ..evaluation.history import evaluation_history
from ..policy.file import async_load_policies, placeholders
from ..policy.parsing import PolicyFileError
from ..services.action import all_assistants, entity_id_of, refusal
from ..services.evaluate import async_read_golden, async_report, async_run_cases, language_of
from ..telemetry.redaction import without_words
from ..telemetry.trace import TurnTrace
from .correcting import (
    CASES_FILE,
    Meant,
    async_add_alias,
    async_add_case,
    async_choices_as_json,
    async_learn,
)
from .overview import async_agents_as_json, async_planned_as_json, health_as_json
from .policies import (
    CALL_FIELDS,
    EDITED_FIELDS,
    async_check_as_json,
    async_policies_as_json,
    async_save_as_json,
    async_try_call,
)
from .trying import ASSISTANT, CHANGES, FIELDS, async_read_as_json, async_try_as_json, sentence_of
from .turns import Viewer, all_turns, async_turn_as_json, find_turn, summary_as_json

type Result = dict[str, Any]

_TURN = "turn_id"
_MEANT: VolDictType = {
    vol.Required("agent_id"): str,
    vol.Required("action"): str,
    vol.Required("targets"): vol.All([str], vol.Length(min=1, max=100)),
    vol.Optional("parameters", default=dict): {str: vol.Any(str, int, float, list)},
}


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command's message, and the connection that it came by."""

    hass: HomeAssistant
    connection: ActiveConnection
    msg: dict[str, Any]

    @property
    def viewer(self) -> Viewer:
        """Return the administrator who looks."""
        return Viewer(self.connection.user.id)

    def find_assistant(self) -> tuple[str, Assistant, ConfigEntry]:
        """Return the entity id of the assistant in the message, the assistant, and its connection.

        Raises:
            ServiceValidationError: there is no such assistant.
        """
        for entry in self.hass.config_entries.async_loaded_entries(DOMAIN):
            if assistant := entry.runtime_data.assistants.get(self.msg[ASSISTANT]):
                return entity_id_of(self.hass, self.msg[ASSISTANT]), assistant, entry
        raise refusal("no_assistant")

    @property
    def assistant(self) -> Assistant:
        """Return the assistant in the message; see `find_assistant`."""
        return self.find_assistant()[1]

    def find_turn(self) -> tuple[str, Assistant, TurnTrace]:
        """Return the turn in the message, with its assistant.

        Raises:
            ServiceValidationError: it is not kept any more.
        """
        if found := find_turn(self.hass, self.msg[_TURN]):
            return found
        raise refusal("turn_gone")

    @callback
    def send_event(self, told: dict[str, Any]) -> None:
        """Send an event of a subscription."""
        self.connection.send_message(websocket_api.event_message(self.msg["id"], told))


@dataclass(frozen=True, slots=True)
class PanelCommand:
    """A command for administrators by its name, with the fields of its message; what it returns is its result.

    A subscription sends its result itself, and events after it.
    """

    name: str
    run: Callable[[CommandRequest], Awaitable[Result | None]]
    fields: VolDictType = field(default_factory=dict)
    is_subscription: bool = False

    def as_handler(self) -> WebSocketCommandHandler:
        """Return the function that Home Assistant calls for the command."""

        @websocket_api.websocket_command(
            {vol.Required("type"): f"{DOMAIN}/{self.name}", **self.fields}
        )
        @websocket_api.require_admin
        @websocket_api.async_response
        async def async_handle(
            hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
        ) -> None:
            result = await self.run(CommandRequest(hass, connection, msg))
            if not self.is_subscription:
                connection.send_result(msg["id"], result)

        return async_handle


async def _async_assistants(asked: CommandRequest) -> Result:
    """Return the assistants, each with its agents' names, and what may be changed for one try."""
    found = [
        {
            "id": assistant_id,
            "entity_id": entity_id_of(asked.hass, assistant_id),
            "title": entry.subentries[assistant_id].title,
            "entry_id": entry.entry_id,
            "model": assistant.model.model if assistant.model else None,
            "contract": assistant.options.contract,
            "threshold": assistant.options.router.confidence_threshold,
            "system_prompt": assistant.options.router.system_prompt,
            "agents": {agent.card.id: agent.card.name for agent in assistant.registry},
        }
        for entry in asked.hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant_id, assistant in entry.runtime_data.assistants.items()
        if assistant_id in entry.subentries
    ]
    return {"assistants": found}


async def _async_turns(asked: CommandRequest) -> None:
    """Send the turns that are kept, and from then on each new or corrected one."""
    viewer = asked.viewer

    def line(assistant_id: str, assistant: Assistant, trace: TurnTrace) -> dict[str, Any]:
        has_words = viewer.may_read_text(assistant.options, trace)
        return summary_as_json(asked.hass, assistant_id, trace, has_words=has_words)

    def listen(assistant_id: str, assistant: Assistant) -> Callable[[], None]:
        @callback
        def async_send(trace: TurnTrace) -> None:
            asked.send_event({"turn": line(assistant_id, assistant, trace)})

        return assistant.traces.add_listener(async_send)

    stops = [listen(key, assistant) for key, assistant in all_assistants(asked.hass).items()]

    @callback
    def async_stop() -> None:
        for stop in stops:
            stop()

    asked.connection.subscriptions[asked.msg["id"]] = async_stop
    asked.connection.send_result(asked.msg["id"])
    asked.send_event({"turns": [line(*each) for each in all_turns(asked.hass)]})


async def _async_turn(asked: CommandRequest) -> Result:
    """Return a turn with all that led to its answer."""
    return await async_turn_as_json(asked.hass, *asked.find_turn(), asked.viewer)


async def _async_read(asked: CommandRequest) -> Result:
    """Return what the readers make of a sentence."""
    entity_id, assistant, _ = asked.find_assistant()
    return await async_read_as_json(assistant, sentence_of(asked.hass, asked.msg, entity_id))


async def _async_try(asked: CommandRequest) -> Result:
    """Return what a sentence would come to. Nothing is touched."""
    entity_id, assistant, entry = asked.find_assistant()
    said = sentence_of(asked.hass, asked.msg, entity_id)
    return await async_try_as_json(assistant, entry, said, asked.msg)


async def _async_mark(asked: CommandRequest) -> None:
    """Mark a turn as wrong, and forget what was learnt of it."""
    _, assistant, trace = asked.find_turn()
    if assistant.traces.last_of(trace.session_id) is trace:
        # What is known to be learnt of a session is that of its last turn.
        assistant.lessons.unlearn(trace.session_id)
    assistant.traces.mark_corrected(trace)


async def _async_learn(asked: CommandRequest) -> Result:
    """Keep what was meant as a decision, where that is wished for all assistants; return how many keep it."""
    _, assistant, trace = asked.find_turn()
    everybody = all_assistants(asked.hass).values() if asked.msg["for_all"] else ()
    others = [each for each in everybody if each is not assistant]
    kept = await async_learn(assistant, trace, _meant(asked.msg), others)
    assistant.traces.mark_corrected(trace)
    return {"assistants": kept}


async def _async_alias(asked: CommandRequest) -> None:
    """Give an entity one more name."""
    _, assistant, trace = asked.find_turn()
    await async_add_alias(asked.hass, trace, asked.msg["entity_id"], asked.msg["alias"])
    assistant.traces.mark_corrected(trace)


async def _async_add_case(asked: CommandRequest) -> Result:
    """Add a turn to the house's golden file; without a meaning nothing is to be changed by it."""
    _, assistant, trace = asked.find_turn()
    meant = _meant(asked.msg["meant"]) if asked.msg.get("meant") else None
    case_id = await async_add_case(asked.hass, assistant, trace, meant)
    assistant.traces.mark_corrected(trace)
    return {"case": case_id, "file": CASES_FILE}


def _meant(data: dict[str, Any]) -> Meant:
    """Return what was meant."""
    return Meant(data["agent_id"], data["action"], tuple(data["targets"]), data["parameters"])


async def _async_reload_policies(asked: CommandRequest) -> Result:
    """Read the policies' file again, and send them; what is wrong with it is among that."""
    error: dict[str, str] | None = None
    try:
        await async_load_policies(asked.hass)
    except PolicyFileError as err:
        error = placeholders(asked.hass, err)
    return {**await async_policies_as_json(asked.hass), "error": error}


async def _async_health(asked: CommandRequest) -> Result:
    """Return how all connections and assistants do."""
    return health_as_json(asked.hass)


async def _async_planned(asked: CommandRequest) -> Result:
    """Return the commands for later that wait, everybody's."""
    language = asked.msg.get("language", asked.hass.config.language)
    return {"planned": await async_planned_as_json(asked.hass, asked.viewer, language)}


async def _async_cancel_planned(asked: CommandRequest) -> Result:
    """Cancel a command for later; send whether it still waited."""
    canceled = await asked.assistant.delayed.async_cancel([asked.msg["planned_id"]])
    return {"canceled": bool(canceled)}


_RUN: VolDictType = {
    vol.Required(ASSISTANT): str,
    vol.Optional("path", default=CASES_FILE): vol.All(str, vol.Length(min=1, max=300)),
}


async def _async_is_not_set_up(hass: HomeAssistant, path: str) -> bool:
    """Return whether nothing was kept yet in the file that corrections go to, which is no error."""
    if path != CASES_FILE:
        return False
    return not await hass.async_add_executor_job(Path(hass.config.path(path)).exists)


async def _async_evaluation(asked: CommandRequest) -> Result:
    """Return the cases of a golden file, with what became of each in the last run; or what is wrong with it."""
    asked.find_assistant()
    at, last = await evaluation_history(asked.hass, asked.msg[ASSISTANT]).async_last(
        asked.msg["path"]
    )
    cases: list[dict[str, Any]] = []
    error = ""
    try:
        golden = await async_read_golden(asked.hass, asked.msg["path"])
    except ServiceValidationError as err:
        error = "" if await _async_is_not_set_up(asked.hass, asked.msg["path"]) else str(err)
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
    return {"path": asked.msg["path"], "error": error or None, "run_at": at or None, "cases": cases}


async def _async_run_evaluation(asked: CommandRequest) -> None:
    """Run a golden file as dry runs: an event for each case, and one with the whole at the end."""
    entity_id, assistant, _ = asked.find_assistant()
    golden = await async_read_golden(asked.hass, asked.msg["path"])
    is_stopped = False

    @callback
    def async_stop() -> None:
        nonlocal is_stopped
        is_stopped = True

    asked.connection.subscriptions[asked.msg["id"]] = async_stop
    asked.connection.send_result(asked.msg["id"])

    asked.send_event({"total": len(golden.cases)})
    reports = []
    context = Context(user_id=asked.connection.user.id)
    language = language_of(asked.hass, golden)
    async for report in async_run_cases(assistant, entity_id, golden, language, context):
        if is_stopped:
            return
        reports.append(report)
        asked.send_event({"case": report.as_json()})
    asked.send_event(
        {"report": await async_report(asked.hass, asked.msg[ASSISTANT], asked.msg["path"], reports)}
    )


async def _async_models(asked: CommandRequest) -> Result:
    """Return the model of each assistant, what it is asked, and whether that is being found out now."""
    models = [
        {
            "assistant": assistant_id,
            "model": assistant.model.model if assistant.model else None,
            "contract": assistant.models.contract.value,
            "is_tested": any(not test.done() for test in entry.runtime_data.tests),
        }
        for entry in asked.hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant_id, assistant in entry.runtime_data.assistants.items()
    ]
    return {"models": models}


async def _async_traces(asked: CommandRequest) -> Result:
    """Return the last turns of all assistants, or of one conversation, newest last, with the words they may read."""
    wanted = asked.msg.get("conversation_id")
    return {
        "traces": [
            trace.as_json()
            if asked.viewer.may_read_text(assistant.options, trace)
            else without_words(trace.as_json())
            for _, assistant, trace in all_turns(asked.hass)
            if wanted in {None, trace.conversation_id}
        ]
    }


async def _async_telemetry(asked: CommandRequest) -> Result:
    """Return the last events of all assistants, of one turn or of one conversation, newest last."""
    turn, conversation = asked.msg.get("interaction_id"), asked.msg.get("session_id")
    events = [
        event
        for assistant in all_assistants(asked.hass).values()
        for event in assistant.telemetry.ring
        if turn in {None, event.interaction_id} and conversation in {None, event.session_id}
    ]
    events.sort(key=lambda event: event.timestamp)
    return {"events": [event.model_dump(mode="json") for event in events]}


COMMANDS = (
    PanelCommand("panel/assistants", _async_assistants),
    PanelCommand("panel/turns", _async_turns, {}, is_subscription=True),
    PanelCommand("panel/turn", _async_turn, {vol.Required(_TURN): str}),
    PanelCommand("panel/read", _async_read, FIELDS),
    PanelCommand("panel/try", _async_try, {**FIELDS, **CHANGES}),
    PanelCommand(
        "panel/choices",
        lambda asked: async_choices_as_json(asked.hass, asked.assistant),
        {vol.Required(ASSISTANT): str},
    ),
    PanelCommand("panel/correct/mark", _async_mark, {vol.Required(_TURN): str}),
    PanelCommand(
        "panel/correct/learn",
        _async_learn,
        {vol.Required(_TURN): str, vol.Optional("for_all", default=False): bool, **_MEANT},
    ),
    PanelCommand(
        "panel/correct/alias",
        _async_alias,
        {
            vol.Required(_TURN): str,
            vol.Required("entity_id"): str,
            vol.Required("alias"): vol.All(str, vol.Length(min=1, max=100)),
        },
    ),
    PanelCommand(
        "panel/correct/case",
        _async_add_case,
        {vol.Required(_TURN): str, vol.Optional("meant"): vol.Any(None, _MEANT)},
    ),
    PanelCommand(
        "panel/agents",
        lambda asked: async_agents_as_json(asked.hass, asked.assistant),
        {vol.Required(ASSISTANT): str},
    ),
    PanelCommand("panel/policies", lambda asked: async_policies_as_json(asked.hass)),
    PanelCommand("panel/policies/reload", _async_reload_policies),
    PanelCommand(
        "panel/policies/try", lambda asked: async_try_call(asked.hass, asked.msg), CALL_FIELDS
    ),
    PanelCommand(
        "panel/policies/check",
        lambda asked: async_check_as_json(asked.hass, asked.msg),
        EDITED_FIELDS,
    ),
    PanelCommand(
        "panel/policies/save",
        lambda asked: async_save_as_json(asked.hass, asked.msg),
        EDITED_FIELDS,
    ),
    PanelCommand("panel/health", _async_health),
    PanelCommand("panel/planned", _async_planned, {vol.Optional("language"): str}),
    PanelCommand(
        "panel/planned/cancel",
        _async_cancel_planned,
        {vol.Required(ASSISTANT): str, vol.Required("planned_id"): str},
    ),
    PanelCommand("panel/evaluation", _async_evaluation, _RUN),
    PanelCommand("panel/evaluation/run", _async_run_evaluation, _RUN, is_subscription=True),
    PanelCommand("models", _async_models),
    PanelCommand("traces", _async_traces, {vol.Optional("conversation_id"): str}),
    PanelCommand(
        "telemetry",
        _async_telemetry,
        {vol.Optional("interaction_id"): str, vol.Optional("session_id"): str},
    ),
)


@callback
def async_register_commands(hass: HomeAssistant) -> None:
    """Register the commands."""
    for command in COMMANDS:
        websocket_api.async_register_command(hass, command.as_handler())
