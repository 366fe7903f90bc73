"""Who owns what is kept of a conversation, and who may use it. Every door asks here, of the object that was found.

A task belongs to who began it: Home Assistant's user id, None for a voice satellite without a person. Its question,
what was said, what can be undone and what "it" refers to are kept in the task, so that they have the same owner.
"""

from dataclasses import dataclass

from .models import TaskContext

_KEY = "userId"

# No user id: whose a task is that does not say so is not known, and nobody's guess.
_UNKNOWN = object()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who speaks or calls an action, by Home Assistant's user id; None where that is nobody in particular.

    Somebody who `sees_all` may use what is everybody's: an administrator who calls an action. Nobody does by speaking.
    """

    user_id: str | None
    sees_all: bool = False

    def owns(self, user_id: object) -> bool:
        """Return whether what belongs to a user id is the caller's to use."""
        return self.sees_all or user_id == self.user_id

    def may_use(self, task: TaskContext) -> bool:
        """Return whether a task, with all that is kept in it, is the caller's to use; not if it names no owner."""
        return self.owns(task.metadata.get(_KEY, _UNKNOWN))

    def begin(self, session_id: str) -> TaskContext:
        """Return a new task of a session, which the caller owns."""
        return TaskContext.submitted(session_id, metadata={_KEY: self.user_id})

    def own_session(self, session_id: str) -> str:
        """Return the id of the caller's own session beside one that somebody else owns."""
        return f"{session_id}-{self.user_id or 'anybody'}"


NOBODY = Caller(None)
"""Whoever speaks to a satellite that knows no persons."""
