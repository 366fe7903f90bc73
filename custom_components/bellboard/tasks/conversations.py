"""The conversations under way: each has one task at a time, which outlives its turn."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import logging

from homeassistant.core import callback
from homeassistant.helpers import chat_session

from ..json_model import timestamp
from .models import Message, TaskContext, TaskState, TaskStatus, TransitionError
from .store import StoreUnavailableError, TaskStore, is_newer

_LOGGER = logging.getLogger(__name__)

CUT_OFF = "Home Assistant stopped while this was being done."
"""Why a task failed that was found in the middle of its work."""

CALLER_GONE = "Whoever asked went away before it was done."
"""Why a task was canceled whose turn was."""

TURN_FAILED = "An error stopped this before it was done."
"""Why a task failed whose turn did."""

CANCELED = "It was canceled."
"""Why a task was canceled that somebody canceled on purpose, if no other reason is given."""

# In seconds: how long turns may take to end when the assistant is unloaded.
_PATIENCE = 5

# Who worked on a task last, where several share a store.
_OWNER = "owner"


@dataclass(slots=True)
class _Talk:
    """A conversation in memory, while a turn of it is taken or its chat session lasts."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    task: TaskContext | None = None
    users: int = 0
    session: chat_session.ChatSession | None = None
    is_durable: bool = False
    is_forgotten: bool = False
    is_foreign: bool = False
    cancel_reason: str | None = None


class Conversations:
    """The conversations of one assistant.

    Turns of one conversation are taken in order, those of different ones at once. A conversation
    is in memory as long as Home Assistant's chat session lasts, and in the store for longer.
    """

    def __init__(self, store: TaskStore, owner: str = "") -> None:
        """Prepare to start; `owner` names this assistant among those that share the store."""
        self._store = store
        self._owner = owner
        self._talks: dict[str, _Talk] = {}

    async def async_start(self) -> None:
        """Take up what was under way when Home Assistant stopped.

        A question still waits for its answer. What was being done is not done again: it failed.
        May be called again, when a store that could not be reached at the start is back.
        """
        for task in await self._store.async_load():
            if self._was_cut_off(task) and task.session_id not in self._talks:
                _end(task, None, TaskState.FAILED, CUT_OFF)
                await self._store.async_save(task, durable=False)

    async def async_close(self) -> None:
        """Let turns end, for some seconds at most, and write what is still to be written."""
        try:
            async with asyncio.timeout(_PATIENCE):
                for talk in list(self._talks.values()):
                    async with talk.lock:
                        pass
        except TimeoutError:
            _LOGGER.debug("A turn goes on while its assistant is unloaded")
        await self._store.async_close()

    @asynccontextmanager
    async def async_open(
        self, conversation_id: str, formerly: str | None = None
    ) -> AsyncGenerator[TaskContext]:
        """Give a conversation's task to one turn at a time: a new one, or one that asked something.

        `formerly` is the id the caller knows the conversation by, where Home Assistant gave it
        another one because its chat session had ended. However the turn ends, so does the task,
        unless it asks something.
        """
        async with self._async_take(conversation_id) as talk:
            task = talk.task = await self._async_ready(talk, conversation_id, formerly)
            self._free_with_session(talk, conversation_id)
            before = task.status
            talk.is_durable = task.state is TaskState.INPUT_REQUIRED
            try:
                yield task
            except asyncio.CancelledError:
                _end(talk.task, before, TaskState.CANCELED, CALLER_GONE)
                raise
            except BaseException:
                _end(talk.task, before, TaskState.FAILED, TURN_FAILED)
                raise
            finally:
                await self._async_keep(talk, talk.task, before)

    def supersede(self, task: TaskContext, reason: str) -> TaskContext:
        """Cancel the task of the turn under way; return the one that takes its place in the turn.

        Raises:
            TransitionError: the task is over, or nothing was said yet.
        """
        task.cancel(reason)
        follower = self._talks[task.session_id].task = task.following()
        return follower

    async def async_working(self, task: TaskContext) -> None:
        """Keep for good that a task is being worked on; to be called before anything is done for it.

        Whatever happens from here on, its question is not open any more, so that nothing is done
        twice.

        Raises:
            TransitionError: it is not worked on.
        """
        if task.state is not TaskState.WORKING:
            raise TransitionError(task.state, TaskState.WORKING)
        talk = self._talks[task.session_id]
        talk.is_durable = True
        if not talk.is_forgotten:
            await self._store.async_save(task, durable=True)

    @asynccontextmanager
    async def async_revise(self, conversation_id: str) -> AsyncGenerator[TaskContext | None]:
        """Give a conversation's task to somebody who is no turn of it, to change its metadata.

        It is kept as it is then, unless an error is raised; None where no task is known.
        """
        async with self._async_take(conversation_id) as talk:
            task = await self._async_newest(conversation_id, talk.task)
            yield task
            if talk.is_forgotten:
                talk.task = None
            elif task is not None:
                talk.task = talk.task and task
                await self._store.async_save(task, durable=task.state is TaskState.INPUT_REQUIRED)

    def is_foreign(self, task: TaskContext) -> bool:
        """Return whether the task of the turn under way was read from a store that others write to.

        What it asks was not asked by us as it stands there, as far as we know.
        """
        talk = self._talks.get(task.session_id)
        return talk is not None and talk.is_foreign

    def in_memory(self) -> list[TaskContext]:
        """Return the tasks of the conversations that are in memory."""
        return [talk.task for talk in self._talks.values() if talk.task]

    def get(self, conversation_id: str) -> TaskContext | None:
        """Return a conversation's task if it is in memory."""
        talk = self._talks.get(conversation_id)
        return talk.task if talk else None

    async def async_find(self, conversation_id: str) -> TaskContext | None:
        """Return a conversation's task, from memory or the store, or None where none is known."""
        return await self._async_newest(conversation_id, self.get(conversation_id))

    async def async_cancel(self, conversation_id: str, reason: str = CANCELED) -> bool:
        """Cancel what a conversation waits for; return whether it waited for anything.

        A turn under way ends as it does, but what it asks is canceled at once.
        """
        talk = self._talks.get(conversation_id)
        if talk and talk.lock.locked():
            talk.cancel_reason = reason
            return False
        async with self._async_take(conversation_id) as talk:
            task = talk.task = await self._async_newest(conversation_id, talk.task)
            if task is None or task.state is not TaskState.INPUT_REQUIRED:
                return False
            task.cancel(reason)
            await self._store.async_save(task, durable=True)
            return True

    async def async_forget(self, conversation_id: str | None = None) -> int:
        """Forget a conversation, or all, for good; return how many the store knew.

        A turn under way ends as it does, and is forgotten then.

        Raises:
            StoreUnavailableError: what is in the store could not be forgotten.
        """
        names = list(self._talks) if conversation_id is None else [conversation_id]
        talks = [(name, talk) for name in names if (talk := self._talks.get(name))]
        for name, talk in talks:
            talk.is_forgotten = talk.lock.locked()
            if not talk.is_forgotten:
                talk.task = None
                self._free(name, talk)
        try:
            return await self._store.async_forget(conversation_id)
        except StoreUnavailableError:
            for _, talk in talks:
                # What the store still has of it had better be how it ended.
                talk.is_forgotten = False
            raise

    @asynccontextmanager
    async def _async_take(self, conversation_id: str) -> AsyncGenerator[_Talk]:
        """Hold a conversation alone, in the order in which it was asked for."""
        talk = self._talks.setdefault(conversation_id, _Talk())
        talk.users += 1
        try:
            async with talk.lock:
                talk.is_durable = talk.is_forgotten = False
                talk.cancel_reason = None
                yield talk
        finally:
            talk.users -= 1
            self._free(conversation_id, talk)

    def _free(self, conversation_id: str, talk: _Talk) -> None:
        """Drop a conversation from memory where nothing needs it any more."""
        is_needed = talk.users or (talk.task and talk.session)
        # Another one may have come in its place after it was forgotten.
        if not is_needed and self._talks.get(conversation_id) is talk:
            del self._talks[conversation_id]

    def _free_with_session(self, talk: _Talk, conversation_id: str) -> None:
        """Keep a conversation in memory until the chat session it belongs to ends."""
        session = chat_session.current_session.get()
        if session is None or session is talk.session or session.conversation_id != conversation_id:
            return

        @callback
        def async_end() -> None:
            # Turns that came at once may have brought a session each; Home Assistant keeps the last.
            if talk.session is session:
                talk.session = None
                self._free(conversation_id, talk)

        talk.session = session
        session.async_on_cleanup(async_end)

    async def _async_newest(
        self, conversation_id: str, own: TaskContext | None
    ) -> TaskContext | None:
        """Return a conversation's task as it is in memory, or in a store where it is newer."""
        if own is not None and not self._store.shared:
            return own
        kept = await self._store.async_get(conversation_id)
        return kept if own is None or (kept and is_newer(kept, own)) else own

    async def _async_ready(
        self, talk: _Talk, conversation_id: str, formerly: str | None
    ) -> TaskContext:
        """Return a conversation's task, ready for what is said next."""
        task = await self._async_newest(conversation_id, talk.task)
        # Whoever shares the store may have written into it, too.
        talk.is_foreign = self._store.shared and task is not talk.task
        if task is None and formerly and formerly not in self._talks:
            task = await self._async_adopt(formerly, conversation_id)
        if task is None:
            task = TaskContext(session_id=conversation_id)
        elif task.state is not TaskState.INPUT_REQUIRED and not (
            task is talk.task and task.state is TaskState.SUBMITTED
        ):
            # It is over, or whoever worked on it stopped in the middle or does so elsewhere.
            task = task.following()
        if self._store.shared:
            task.metadata[_OWNER] = self._owner
        return task

    async def _async_adopt(self, formerly: str, conversation_id: str) -> TaskContext | None:
        """Go on with a conversation under another id; return its task, or None if it is unknown."""
        task = await self._store.async_get(formerly)
        if task is None:
            return None
        task = task.model_copy(update={"session_id": conversation_id})
        await self._store.async_save(task, durable=False)
        try:
            await self._store.async_forget(formerly)
        except StoreUnavailableError:
            _LOGGER.debug("The former id of a conversation expires with it")
        return task

    async def _async_keep(self, talk: _Talk, task: TaskContext, before: TaskStatus) -> None:
        """Keep how a turn left its task."""
        if task.state is TaskState.WORKING:
            task.fail(TURN_FAILED)
        if talk.is_forgotten:
            talk.task = None
            return
        if talk.cancel_reason and task.state is TaskState.INPUT_REQUIRED:
            task.cancel(talk.cancel_reason)
        if task.status is before:
            return
        durable = talk.is_durable or task.state is TaskState.INPUT_REQUIRED
        try:
            await self._store.async_save(task, durable=durable)
        except asyncio.CancelledError:
            if task.state is TaskState.INPUT_REQUIRED:
                # Nobody will hear the question.
                task.cancel(CALLER_GONE)
                await self._store.async_save(task, durable=False)
            raise

    def _was_cut_off(self, task: TaskContext) -> bool:
        """Return whether a task from the store was in the middle of its work, and ours."""
        is_ours = not self._store.shared or task.metadata.get(_OWNER) == self._owner
        return is_ours and task.state in {TaskState.SUBMITTED, TaskState.WORKING}


def _end(task: TaskContext, before: TaskStatus | None, state: TaskState, reason: str) -> None:
    """Enter the state of a turn that did not come to its end.

    A question that the turn did not get to stays open; what is over stays so.
    """
    if task.is_over or (task.status is before and task.state is TaskState.INPUT_REQUIRED):
        return
    if task.state is TaskState.SUBMITTED:
        task.enter(TaskState.WORKING)
    task.enter(state, Message(role="assistant", content=reason, timestamp=timestamp()))
