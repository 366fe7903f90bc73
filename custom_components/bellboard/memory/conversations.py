"""The conversations under way: each has one task at a time, which outlives its turn."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import logging

from homeassistant.core import callback
from homeassistant.helpers import chat_session

from .models import (
    NOBODY,
    Caller,
    CountsSessions,
    StoreUnavailableError,
    TaskContext,
    TaskState,
    TaskStatus,
    TaskStore,
    TransitionError,
    is_newer,
    is_submitted,
)

_LOGGER = logging.getLogger(__name__)

INTERRUPTED = "Home Assistant stopped while this was being done."
"""Reason of a task that was found as working at the start."""

CALLER_GONE = "Whoever asked went away before it was done."
"""Reason of a task whose turn was cancelled."""

TURN_FAILED = "An error stopped this before it was done."
"""Reason of a task whose turn raised an error."""

CANCELED = "It was canceled."
"""Reason of a task that was cancelled on purpose, unless another one is given."""

TAKEN_ON = "It was taken on as {}."
"""Reason of a task whose turn went on with another one: what was said answered its question."""

# In seconds: how long turns may take to end when the assistant is unloaded.
_PATIENCE = 5

# Who worked on a task last, where several share a store.
_OWNER = "owner"


@dataclass(slots=True)
class _Conversation:
    """A conversation in memory: its task, its lock, and Home Assistant's chat session if it lasts.

    `superseded` are the tasks that its turn has canceled and not stored yet, `submitted` those whose turn has not come.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    task: TaskContext | None = None
    superseded: list[TaskContext] = field(default_factory=list)
    submitted: dict[str, TaskContext] = field(default_factory=dict)
    users: int = 0
    session: chat_session.ChatSession | None = None
    is_durable: bool = False
    is_forgotten: bool = False
    is_untrusted: bool = False
    cancel_reason: str | None = None


class Conversations:
    """The conversations of one assistant.

    A task is found for its owner only. Who speaks in a conversation whose task is somebody else's has a task of
    their own beside it, under a session id made of the conversation's and their user id.
    Turns of one conversation are taken in order, those of different ones at once. A conversation
    is in memory as long as Home Assistant's chat session lasts, and in the store for longer.
    """

    def __init__(self, store: TaskStore, owner: str = "") -> None:
        """Prepare to start; `owner` names this assistant among those that share the store."""
        self._store = store
        self._owner = owner
        self._conversations: dict[str, _Conversation] = {}

    async def async_start(self) -> None:
        """Load the tasks that were under way when Home Assistant stopped.

        One in state input-required still waits for its answer. One that was worked on is not done again:
        it failed.
        May be called again, when a store that could not be reached at the start is back.
        """
        for task in await self._store.async_load():
            if self._was_interrupted(task) and task.session_id not in self._conversations:
                newest = await self._store.async_get(task.session_id)
                is_beside = newest is not None and newest.id != task.id
                task.break_off(TaskState.FAILED, INTERRUPTED)
                await self._store.async_save(task, durable=False, beside=is_beside)

    async def async_close(self) -> None:
        """Wait for turns under way, for some seconds at most, and flush the store."""
        try:
            async with asyncio.timeout(_PATIENCE):
                for conversation in list(self._conversations.values()):
                    async with conversation.lock:
                        pass
        except TimeoutError:
            _LOGGER.debug("A turn goes on while its assistant is unloaded")
        await self._store.async_close()

    @asynccontextmanager
    async def async_open(
        self,
        conversation_id: str,
        previous_conversation_id: str | None = None,
        *,
        caller: Caller = NOBODY,
    ) -> AsyncGenerator[TaskContext]:
        """Lock a conversation for one turn, and yield the caller's task: a new one, or one in state input-required.

        `previous_conversation_id` is the id the caller knows the conversation by, where Home Assistant gave it
        another one because its chat session had ended. However the turn ends, so does the task,
        unless it asks something. While another turn is taken, the task of this one can be seen as submitted.
        """
        async with (
            self._async_submitted(conversation_id, caller) as submitted,
            self._async_lock_own(conversation_id, caller) as (session_id, conversation, own),
        ):
            kept = own
            if own is None and previous_conversation_id:
                kept = await self._async_adopt(previous_conversation_id, session_id, caller)
            # Whoever shares the store may have written into it, too.
            conversation.is_untrusted = self._store.shared and kept is not conversation.task
            task = self._task_for_turn(conversation, session_id, kept, caller, submitted)
            conversation.task = task
            await self._async_take_on(submitted, task)
            self._drop_with_session(conversation, conversation_id, session_id)
            before = task.status
            conversation.is_durable = task.state is TaskState.INPUT_REQUIRED
            try:
                yield task
            except asyncio.CancelledError:
                conversation.task.break_off(TaskState.CANCELED, CALLER_GONE, before)
                raise
            except BaseException:
                conversation.task.break_off(TaskState.FAILED, TURN_FAILED, before)
                raise
            finally:
                has_waited = submitted is not None and submitted.id == conversation.task.id
                await self._async_store_after_turn(
                    conversation, conversation.task, before, has_waited=has_waited
                )

    def supersede(self, task: TaskContext, reason: str) -> TaskContext:
        """Cancel the task of the turn under way; return the one that takes its place in the turn.

        Raises:
            TransitionError: the task is over, or nothing was said yet.
        """
        task.cancel(reason)
        conversation = self._conversations[task.session_id]
        conversation.superseded.append(task)
        conversation.task = task.following()
        return conversation.task

    async def async_save_working(self, task: TaskContext) -> None:
        """Store durably that a task is being worked on; to be called before anything is done for it.

        Whatever happens from here on, its question is not open any more, so that nothing is done
        twice.

        Raises:
            TransitionError: it is not worked on.
        """
        if task.state is not TaskState.WORKING:
            raise TransitionError(task.state, TaskState.WORKING)
        conversation = self._conversations[task.session_id]
        conversation.is_durable = True
        if not conversation.is_forgotten:
            await self._async_save(conversation, task, durable=True)

    @asynccontextmanager
    async def async_revise(
        self, conversation_id: str, *, caller: Caller = NOBODY
    ) -> AsyncGenerator[TaskContext | None]:
        """Lock a conversation outside of a turn, and yield the caller's task to change its metadata.

        It is stored afterwards, unless an error is raised; None where no task of theirs is known.
        """
        async with self._async_lock_own(conversation_id, caller) as (_, conversation, task):
            yield task
            if conversation.is_forgotten:
                conversation.task = None
            elif task is not None:
                conversation.task = conversation.task and task
                await self._store.async_save(task, durable=task.state is TaskState.INPUT_REQUIRED)

    def is_untrusted(self, task: TaskContext) -> bool:
        """Return whether the task of the turn under way was read from a store that others write to.

        Its question may have been written by somebody else.
        """
        conversation = self._conversations.get(task.session_id)
        return conversation is not None and conversation.is_untrusted

    def in_memory(self) -> list[TaskContext]:
        """Return the tasks of the conversations that are in memory."""
        return [
            conversation.task for conversation in self._conversations.values() if conversation.task
        ]

    def count(self) -> int:
        """Return how many conversations are kept, those in memory where the store cannot tell."""
        if isinstance(self._store, CountsSessions):
            return self._store.count()
        return len(self.in_memory())

    def get(self, conversation_id: str, *, caller: Caller = NOBODY) -> TaskContext | None:
        """Return the caller's task in a conversation if it is in memory."""
        session_id = conversation_id
        while (task := self._in_memory(session_id)) and not caller.may_use(task):
            session_id = caller.own_session(session_id)
        return task

    async def async_find(
        self, conversation_id: str, *, caller: Caller = NOBODY
    ) -> TaskContext | None:
        """Return the caller's task in a conversation, from memory or the store, or None where none is known."""
        return (await self._async_find_own(conversation_id, caller))[1]

    async def async_find_task(self, task_id: str, *, caller: Caller = NOBODY) -> TaskContext | None:
        """Return the caller's task by its id, also one that others followed, or None where none is known."""
        own: TaskContext | None = None
        for conversation in self._conversations.values():
            known = (conversation.task, *conversation.superseded, *conversation.submitted.values())
            own = own or next((task for task in known if task and task.id == task_id), None)
        task = await self._async_newer(own, lambda: self._store.async_get_task(task_id))
        return task if task and caller.may_use(task) else None

    def submitted(self, session_id: str, *, caller: Caller = NOBODY) -> list[TaskContext]:
        """Return the caller's tasks of a session whose turn has not come."""
        conversation = self._conversations.get(session_id)
        return list(filter(caller.may_use, conversation.submitted.values() if conversation else ()))

    async def async_cancel(
        self, conversation_id: str, reason: str = CANCELED, *, caller: Caller = NOBODY
    ) -> bool:
        """Cancel the caller's task in a conversation if it is input-required; return whether it was.

        A turn under way ends as it does, but a question it asks is canceled at once.
        """
        session_id, _ = await self._async_find_own(conversation_id, caller)
        conversation = self._conversations.get(session_id)
        if conversation and conversation.lock.locked():
            conversation.cancel_reason = reason
            return False
        async with self._async_lock_own(session_id, caller) as (_, conversation, task):
            conversation.task = task
            if task is None or task.state is not TaskState.INPUT_REQUIRED:
                return False
            task.cancel(reason)
            await self._store.async_save(task, durable=True)
            return True

    async def async_forget(
        self, conversation_id: str | None = None, callers: Iterable[Caller] = ()
    ) -> int:
        """Forget a conversation, or all, for good; return how many sessions the store knew.

        With a conversation go the sessions of any `callers` beside it. A turn under way is forgotten when it ends.

        Raises:
            StoreUnavailableError: what is in the store could not be forgotten.
        """
        names: list[str | None] = [conversation_id]
        if conversation_id is not None:
            names += (each.own_session(conversation_id) for each in callers)
        known = self._conversations.items()
        conversations = [each for each in known if conversation_id is None or each[0] in names]
        for name, conversation in conversations:
            conversation.is_forgotten = conversation.lock.locked()
            if not conversation.is_forgotten:
                conversation.task = None
                self._drop_unused(name, conversation)
        try:
            return sum([await self._store.async_forget(name) for name in names])
        except StoreUnavailableError:
            for _, conversation in conversations:
                # What the store still has of it had better be how it ended.
                conversation.is_forgotten = False
            raise

    @asynccontextmanager
    async def _async_submitted(
        self, conversation_id: str, caller: Caller
    ) -> AsyncGenerator[TaskContext | None]:
        """Store a new task while it waits for the turn before it, and yield it; None where nobody waits."""
        conversation = self._conversations.get(conversation_id)
        if conversation is None or not conversation.lock.locked():
            yield None
            return
        task = caller.begin(conversation_id)
        self._note_owner(task)
        conversation.submitted[task.id] = task
        await self._store.async_save(task, durable=False, beside=True)
        try:
            yield task
        finally:
            if conversation.submitted.pop(task.id, None):
                task.break_off(TaskState.CANCELED, CALLER_GONE)
                await self._store.async_save(task, durable=False, beside=True)

    async def _async_take_on(self, submitted: TaskContext | None, task: TaskContext) -> None:
        """End the waiting for a turn, which goes on with a task: the one that waited, or another one."""
        if submitted is None:
            return
        self._conversations[submitted.session_id].submitted.pop(submitted.id, None)
        if submitted.id != task.id:
            submitted.break_off(TaskState.CANCELED, TAKEN_ON.format(task.id))
            await self._store.async_save(submitted, durable=False, beside=True)

    @asynccontextmanager
    async def _async_lock(self, conversation_id: str) -> AsyncGenerator[_Conversation]:
        """Lock a conversation, in the order in which it was asked for."""
        conversation = self._conversations.setdefault(conversation_id, _Conversation())
        conversation.users += 1
        try:
            async with conversation.lock:
                conversation.is_durable = conversation.is_forgotten = False
                conversation.cancel_reason = None
                conversation.superseded.clear()
                yield conversation
        finally:
            conversation.users -= 1
            self._drop_unused(conversation_id, conversation)

    @asynccontextmanager
    async def _async_lock_own(
        self, conversation_id: str, caller: Caller
    ) -> AsyncGenerator[tuple[str, _Conversation, TaskContext | None]]:
        """Lock a caller's session of a conversation; yield its id, the conversation in memory and its newest task.

        Whose a task is can be told once it was found, and holds while it is locked.
        """
        session_id = conversation_id
        while True:
            async with self._async_lock(session_id) as conversation:
                task = await self._async_newest(session_id, conversation.task)
                if task is None or caller.may_use(task):
                    yield session_id, conversation, task
                    return
            session_id = caller.own_session(session_id)

    async def _async_find_own(
        self, conversation_id: str, caller: Caller
    ) -> tuple[str, TaskContext | None]:
        """Return the id of a caller's session of a conversation, and its newest task; None for none."""
        session_id = conversation_id
        while (
            task := await self._async_newest(session_id, self._in_memory(session_id))
        ) and not caller.may_use(task):
            session_id = caller.own_session(session_id)
        return session_id, task

    def _in_memory(self, session_id: str) -> TaskContext | None:
        """Return the task of a session if it is in memory, whoever owns it."""
        conversation = self._conversations.get(session_id)
        return conversation.task if conversation else None

    def _drop_unused(self, conversation_id: str, conversation: _Conversation) -> None:
        """Drop a conversation from memory where nothing needs it any more."""
        is_needed = conversation.users or (conversation.task and conversation.session)
        # Another one may have come in its place after it was forgotten.
        if not is_needed and self._conversations.get(conversation_id) is conversation:
            del self._conversations[conversation_id]

    def _drop_with_session(
        self, conversation: _Conversation, conversation_id: str, session_id: str
    ) -> None:
        """Keep a session in memory until the chat session of its conversation ends."""
        session = chat_session.current_session.get()
        if (
            session is None
            or session is conversation.session
            or session.conversation_id != conversation_id
        ):
            return

        @callback
        def async_end() -> None:
            # Turns that came at once may have brought a session each; Home Assistant keeps the last.
            if conversation.session is session:
                conversation.session = None
                self._drop_unused(session_id, conversation)

        conversation.session = session
        session.async_on_cleanup(async_end)

    async def _async_newest(
        self, conversation_id: str, own: TaskContext | None
    ) -> TaskContext | None:
        """Return a conversation's task as it is in memory, or in a store where it is newer."""
        return await self._async_newer(own, lambda: self._store.async_get(conversation_id))

    async def _async_newer(
        self, own: TaskContext | None, ask: Callable[[], Awaitable[TaskContext | None]]
    ) -> TaskContext | None:
        """Return a task as it is in memory, or what `ask` has from a store where that is newer."""
        if own is not None and not self._store.shared:
            return own
        kept = await ask()
        return kept if own is None or (kept and is_newer(kept, own)) else own

    def _task_for_turn(
        self,
        conversation: _Conversation,
        session_id: str,
        task: TaskContext | None,
        caller: Caller,
        submitted: TaskContext | None,
    ) -> TaskContext:
        """Return the task that the next turn works on; `task` is the newest of the session, if there is one.

        A new one is the one that was `submitted`, where it waited in this session.
        """
        is_its_turn = submitted and submitted.session_id == session_id
        known = {"id": submitted.id} if submitted and is_its_turn else {}
        if task is None:
            task = caller.begin(session_id, **known)
        elif task.state is not TaskState.INPUT_REQUIRED and not (
            task is conversation.task and is_submitted(task)
        ):
            # It is over, or whoever worked on it stopped in the middle or does so elsewhere.
            task = task.following(**known)
        self._note_owner(task)
        return task

    def _note_owner(self, task: TaskContext) -> None:
        """Note who works on a task, where several share a store."""
        if self._store.shared:
            task.metadata[_OWNER] = self._owner

    async def _async_adopt(
        self, previous_conversation_id: str, session_id: str, caller: Caller
    ) -> TaskContext | None:
        """Move the caller's session of a former conversation to another id; return its task, or None without one.

        What somebody else owns of that conversation stays where it is.
        """
        former_id, _ = await self._async_find_own(previous_conversation_id, caller)
        # What is in memory is in use, or may have been forgotten while it was looked for.
        kept = None if former_id in self._conversations else await self._store.async_get(former_id)
        if kept is None or not caller.may_use(kept):
            return None
        task = kept.model_copy(update={"session_id": session_id})
        await self._store.async_move(task, former_id)
        return task

    async def _async_store_after_turn(
        self,
        conversation: _Conversation,
        task: TaskContext,
        before: TaskStatus,
        *,
        has_waited: bool,
    ) -> None:
        """Store the task as a turn left it; one that `has_waited` is stored as submitted until then."""
        if task.state is TaskState.WORKING:
            task.fail(TURN_FAILED)
        if conversation.is_forgotten:
            conversation.task = None
            return
        if conversation.cancel_reason and task.state is TaskState.INPUT_REQUIRED:
            task.cancel(conversation.cancel_reason)
        if task.status is before:
            if has_waited:
                # Nothing was said.
                task.break_off(TaskState.CANCELED, CALLER_GONE)
                await self._store.async_save(task, durable=False, beside=True)
            return
        durable = conversation.is_durable or task.state is TaskState.INPUT_REQUIRED
        try:
            await self._async_save(conversation, task, durable=durable)
        except asyncio.CancelledError:
            if task.state is TaskState.INPUT_REQUIRED:
                # Nobody will hear the question.
                task.cancel(CALLER_GONE)
                await self._store.async_save(task, durable=False)
            raise

    async def _async_save(
        self, conversation: _Conversation, task: TaskContext, *, durable: bool
    ) -> None:
        """Store the task of a turn, after those that it took the place of."""
        while conversation.superseded:
            await self._store.async_save(conversation.superseded.pop(0), durable=False)
        await self._store.async_save(task, durable=durable)

    def _was_interrupted(self, task: TaskContext) -> bool:
        """Return whether a task from the store was being worked on by this assistant."""
        is_ours = not self._store.shared or task.metadata.get(_OWNER) == self._owner
        return is_ours and task.state in {TaskState.SUBMITTED, TaskState.WORKING}
