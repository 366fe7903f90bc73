"""Model client for an AI Task entity of Home Assistant, whichever integration brings it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextvars import Context
import json
from typing import TYPE_CHECKING, Any

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN, PROVIDER_AI_TASK
from ..llm.errors import (
    BadOutputError,
    ModelError,
    ModelTimeoutError,
    NotAModelServerError,
    ServerFailedError,
    UnreachableError,
)
from ..llm.models import Completion, Delta, JsonSchema, Message
from ..llm.output import json_object, without_thoughts
from .ai_task_schema import conform, structure_of

if TYPE_CHECKING:
    import voluptuous as vol

AI_TASK_DOMAIN = "ai_task"
_GENERATE_DATA = 1
"""AI Task's flag of entities that generate data."""

_ROLES = {"user": "User", "assistant": "Assistant"}
_REPLY_REQUEST = "Write the Assistant's answer to the last message, and nothing else."


class TaskFailedError(ServerFailedError):
    """The AI Task entity failed; there is no HTTP status, so `status` is 0."""

    message = "The AI Task entity failed."

    def __init__(self, detail: str = "") -> None:
        """Take a detail that quotes nobody: a fixed phrase or the name of a class."""
        ModelError.__init__(self, detail)
        self.status = 0


class AITaskClient:
    """Model client that makes a task of each call; see `ModelClient`.

    A task takes no temperature, token limit or log-probabilities; those are the entity's own settings,
    and its token usage is not known.
    """

    provider = PROVIDER_AI_TASK

    def __init__(self, hass: HomeAssistant, entity: str) -> None:
        """Use an entity, by its entity id or by its registry id, which renaming does not change."""
        self._hass = hass
        self._entity = entity

    @property
    def model(self) -> str:
        """The id of the entity; "" when it is gone."""
        return er.async_resolve_entity_id(er.async_get(self._hass), self._entity) or ""

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the entity, which is the only model; nothing is asked of it.

        Raises:
            UnreachableError: it is gone or not available.
            NotAModelServerError: it generates no data.
        """
        state = self._state()
        if not generates_data(state):
            raise NotAModelServerError("the AI Task entity generates no data")
        return [state.entity_id]

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        schema_name: str = "answer",
        temperature: float | None = None,
        max_tokens: int | None = None,
        logprobs: bool = False,
        timeout: float = 30.0,
    ) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        entity_id = self._state().entity_id
        answer = await self._generate(
            entity_id,
            name=f"{DOMAIN} {schema_name}",
            instructions=instructions_of(messages),
            structure=None if schema is None else structure_of(schema),
            timeout=timeout,
        )
        data = None if schema is None else _object_of(answer, schema)
        return Completion(
            text=_text_of(answer) if data is None else json.dumps(data, ensure_ascii=False),
            data=data,
            model=entity_id,
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 60.0,
    ) -> AsyncGenerator[Delta]:
        """Yield the whole answer as one delta, since a task does not stream; see `ModelClient.stream`."""
        completion = await self.complete(messages, timeout=timeout)
        yield Delta(text=completion.text)

    def _state(self) -> State:
        """Return the state of the entity.

        Raises:
            UnreachableError: it is gone or not available.
        """
        state = self._hass.states.get(self.model)
        if state is None or state.state == STATE_UNAVAILABLE:
            raise UnreachableError("the AI Task entity is not available")
        return state

    async def _generate(
        self,
        entity_id: str,
        *,
        name: str,
        instructions: str,
        structure: vol.Schema | None,
        timeout: float,
    ) -> Any:
        """Return the data the entity generates for instructions; `timeout` is in seconds.

        An integration's error message may quote what was said, so it is dropped.

        Raises:
            ModelTimeoutError: it took longer.
            TaskFailedError: it failed in any other way.
        """
        # Its own dependencies are only there in a home that has such entities.
        from homeassistant.components.ai_task import async_generate_data  # noqa: PLC0415

        # In a context of its own: a task begins and ends a chat session and leaves traces, and those
        # that are current here are the conversation's.
        task = asyncio.create_task(
            async_generate_data(
                self._hass,
                task_name=name,
                entity_id=entity_id,
                instructions=instructions,
                structure=structure,
            ),
            name=f"{DOMAIN} asks {entity_id}",
            context=Context(),
        )
        try:
            async with asyncio.timeout(timeout):
                return (await task).data
        except TimeoutError:
            raise ModelTimeoutError from None
        except HomeAssistantError:
            raise TaskFailedError from None
        except Exception as err:  # noqa: BLE001 -- an integration may raise anything
            raise TaskFailedError(type(err).__name__) from None


@callback
def generates_data(state: State) -> bool:
    """Return whether an AI Task entity generates data."""
    return bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & _GENERATE_DATA)


def instructions_of(messages: Sequence[Message]) -> str:
    """Return messages as the instructions of a task: the system's, then the others with their roles.

    Each message begins a line with its role; its further lines are indented, so that nothing said can
    look like a message of its own.
    """
    parts = [message.content for message in messages if message.role == "system"]
    turns = [
        f"{_ROLES[message.role]}: " + "\n    ".join(message.content.splitlines())
        for message in messages
        if message.role != "system"
    ]
    return "\n\n".join([*parts, *(["\n".join(turns), _REPLY_REQUEST] if turns else [])])


def _text_of(answer: Any) -> str:
    """Return an answer's text, without thoughts and without the role that messages begin with.

    Raises:
        BadOutputError: it is no text.
    """
    if not isinstance(answer, str):
        raise BadOutputError("not a text")
    return without_thoughts(answer).removeprefix(f"{_ROLES['assistant']}: ")


def _object_of(answer: Any, schema: JsonSchema) -> dict[str, Any]:
    """Return the JSON object of an answer, conformed to the schema.

    Raises:
        BadOutputError: there is none.
    """
    if isinstance(answer, str):
        answer = json_object(answer)
    found = conform(answer, schema)
    if not isinstance(found, dict):
        raise BadOutputError("not a JSON object", text=repr(answer)[:1000])
    return found
