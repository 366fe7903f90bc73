"""Keeps the tasks of open conversations in memory."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from homeassistant.core import callback
from homeassistant.helpers import chat_session

from .models import TaskContext


class TaskStore:
    """The task of each conversation, by conversation id.

    A task is freed with Home Assistant's chat session. The turns of one conversation run in order;
    those of different ones at once.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._tasks: dict[str, TaskContext] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def async_open(self, conversation_id: str) -> AsyncGenerator[TaskContext]:
        """Give the conversation's task to one turn at a time; a new one where there is none."""
        lock = self._locks.setdefault(conversation_id, asyncio.Lock())
        async with lock:
            if (task := self._tasks.get(conversation_id)) is None:
                task = self._tasks[conversation_id] = TaskContext(session_id=conversation_id)
                self._free_with_session(conversation_id)
            yield task

    def get(self, conversation_id: str) -> TaskContext | None:
        """Return the conversation's task, or None where there is none."""
        return self._tasks.get(conversation_id)

    def _free_with_session(self, conversation_id: str) -> None:
        """Forget the task when the chat session it belongs to ends."""

        @callback
        def async_forget() -> None:
            self._tasks.pop(conversation_id, None)
            self._locks.pop(conversation_id, None)

        session = chat_session.current_session.get()
        if session is not None and session.conversation_id == conversation_id:
            session.async_on_cleanup(async_forget)
