"""Serialised tasks in memory, within bounds: the newest of each session, and those beside it until they expire."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from .models import TaskContext, TaskState, changed_at, decode, encode

MAX_SESSIONS = 500
"""The sessions that are kept at most."""

MAX_BYTES = 1024 * 1024
"""The size that all tasks together may have."""

MAX_BESIDE = 50
"""The tasks that are kept at most beside the newest of a session."""

MAX_BESIDE_BYTES = 128 * 1024
"""The size that those of one session may have together."""

MAX_BESIDE_IN_ALL = 500
"""The tasks that are kept at most beside the newest ones, of all sessions."""


@dataclass(frozen=True, slots=True)
class KeptTask:
    """A serialised task, with what decides how long it is kept."""

    id: str
    session_id: str
    json: bytes
    changed: datetime
    waiting: bool

    @classmethod
    def of(cls, task: TaskContext) -> Self:
        """Serialise a task."""
        waits = task.state is TaskState.INPUT_REQUIRED
        return cls(task.id, task.session_id, encode(task), changed_at(task), waits)


class KeptTasks:
    """Tasks by session and by id.

    Where there is no room for all, those beside the newest go first, the oldest before others.
    """

    def __init__(self, tasks: Iterable[KeptTask] = ()) -> None:
        """Take tasks as `all` had them: of each session the last one is the newest."""
        by_id = {task.id: task for task in tasks}
        newest = {task.session_id: task for task in by_id.values()}
        ids = {task.id for task in newest.values()}
        in_order = sorted(by_id.values(), key=lambda task: task.changed)
        # By session id and by task id, the longest unchanged first.
        self._newest = {task.session_id: task for task in in_order if task.id in ids}
        self._beside = {task.id: task for task in in_order if task.id not in ids}
        self._size = sum(len(task.json) for task in by_id.values())
        for session_id in {task.session_id for task in self._beside.values()}:
            self._bound_session(session_id)
        self._make_room()

    @property
    def all(self) -> list[KeptTask]:
        """Return all tasks, those beside the newest before these. May run in another thread."""
        # What is on its way from the newest to those beside may be among both, and is not missed.
        newest = self.newest
        return [*self._beside.values(), *newest]

    @property
    def newest(self) -> list[KeptTask]:
        """Return the newest task of each session, the longest unchanged first."""
        return list(self._newest.values())

    def get(self, session_id: str) -> KeptTask | None:
        """Return the newest task of a session, or None."""
        return self._newest.get(session_id)

    def find(self, task_id: str) -> KeptTask | None:
        """Return a task by its id, or None."""
        newest = (task for task in self._newest.values() if task.id == task_id)
        return self._beside.get(task_id) or next(newest, None)

    def keep(self, task: KeptTask, *, beside: bool = False) -> None:
        """Keep a task: as the newest of its session with the one before beside it, or itself `beside` that."""
        self._count_out(self._beside.pop(task.id, None))
        self._size += len(task.json)
        if beside:
            self._beside[task.id] = task
        else:
            before = self._newest.pop(task.session_id, None)
            self._newest[task.session_id] = task
            if before and before.id != task.id:
                self._beside[before.id] = before
            else:
                self._count_out(before)
        self._bound_session(task.session_id)
        self._make_room()

    def move(self, former_id: str, task: KeptTask) -> None:
        """Keep the newest task of a session that goes on under another id, and those beside it."""
        self._count_out(self._newest.pop(former_id, None))
        for each in self._of_session(former_id):
            self._count_out(each)
            moved = decode(each.json).model_copy(update={"session_id": task.session_id})
            self._beside[each.id] = KeptTask.of(moved)
            self._size += len(self._beside[each.id].json)
        self.keep(task)

    def forget(self, session_id: str) -> bool:
        """Drop all tasks of a session; return whether there were any."""
        beside = self._of_session(session_id)
        for each in beside:
            self._count_out(self._beside.pop(each.id))
        return self._drop_newest(session_id) or bool(beside)

    def expire(self, oldest: datetime) -> bool:
        """Drop what has not changed since `oldest`; return whether there was any."""
        old = [task for task in self.all if task.changed < oldest]
        for task in old:
            self._count_out(self._beside.pop(task.id, None))
            if self._newest.get(task.session_id) is task:
                self._drop_newest(task.session_id)
        return bool(old)

    def _of_session(self, session_id: str) -> list[KeptTask]:
        """Return the tasks beside the newest of a session, the oldest first."""
        return [task for task in self._beside.values() if task.session_id == session_id]

    def _bound_session(self, session_id: str) -> None:
        """Drop what a session has too much of beside its newest task, the oldest first."""
        beside = self._of_session(session_id)
        size = sum(len(task.json) for task in beside)
        for spare, task in zip(range(len(beside), 0, -1), beside, strict=True):
            if spare <= MAX_BESIDE and size <= MAX_BESIDE_BYTES:
                return
            size -= len(task.json)
            self._count_out(self._beside.pop(task.id))

    def _make_room(self) -> None:
        """Drop tasks beyond the limits: those beside others, those that are over, those that wait; old before new.

        The newest task of all stays in any case.
        """
        while self._beside and (len(self._beside) > MAX_BESIDE_IN_ALL or self._size > MAX_BYTES):
            self._count_out(self._beside.pop(next(iter(self._beside))))
        if self._has_room():
            return
        for session_id in self._least_needed():
            self.forget(session_id)
            if self._has_room():
                return

    def _has_room(self) -> bool:
        """Return whether sessions and size are within their limits."""
        return len(self._newest) <= MAX_SESSIONS and self._size <= MAX_BYTES

    def _least_needed(self) -> Iterator[str]:
        """Yield the ids of all sessions but the newest; the order among equals stays: the longest unchanged first."""
        tasks = sorted(list(self._newest.values())[:-1], key=lambda task: task.waiting)
        yield from (task.session_id for task in tasks)

    def _drop_newest(self, session_id: str) -> bool:
        """Drop the newest task of a session; return whether there was one."""
        task = self._newest.pop(session_id, None)
        self._count_out(task)
        return task is not None

    def _count_out(self, task: KeptTask | None) -> None:
        """Count a task out that was dropped or replaced."""
        self._size -= len(task.json) if task else 0
