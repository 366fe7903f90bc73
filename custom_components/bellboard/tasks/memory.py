"""What a conversation remembers of its last turn, in a line short enough for every prompt."""

from collections.abc import Sequence

from .models import TaskContext

_AGENTS = "agentSelections"
_TARGETS = "targets"
_KEPT_TARGETS = 2
_KEPT_CHARACTERS = 60


def note_turn(task: TaskContext, agent_ids: Sequence[str], targets: Sequence[str]) -> None:
    """Keep who answered a turn, and the names of what it was about."""
    task.metadata[_AGENTS] = list(agent_ids)
    task.metadata[_TARGETS] = list(targets[:_KEPT_TARGETS])


def last_turn(task: TaskContext) -> str:
    """Return the last turn's agents and targets in a line, or nothing where there was none."""
    agents = [str(agent).removesuffix("-agent") for agent in task.metadata.get(_AGENTS, ())]
    if not agents:
        return ""
    about = ", ".join(str(name) for name in task.metadata.get(_TARGETS, ()))
    line = f"{'+'.join(agents)} {about}".strip()
    return f"(Before: {line[:_KEPT_CHARACTERS]})"
