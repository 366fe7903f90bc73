"""What the stages of a turn return."""

from dataclasses import dataclass
from enum import StrEnum

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..dialogue.references import Reference
from ..domains.models import ToolCall
from ..memory.delayed import DelayedCommand
from ..memory.models import TaskContext, TaskState
from ..memory.pending import PendingQuestion
from ..plans.models import AskUser
from ..routing.models import AgentChoiceResult, Assignment
from ..routing.next_models import TaskEnvelopeV2
from ..routing.next_run import WorkflowResult
from .decision import Decision
from .record import TurnRecord


@dataclass(frozen=True, slots=True)
class TurnReply:
    """What is said, and the state of the task after it.

    `part` is what it replies to where no agent has to answer, None where agents did.
    """

    text: str
    answers: tuple[AgentResult, ...]
    state: TaskState
    part: Assignment | None = None


@dataclass(frozen=True, slots=True)
class Assigned:
    """Parts of the sentence are for agents."""

    parts: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What the last turn should have been; `is_undone` if what it did is put back first."""

    parts: tuple[Assignment, ...]
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """The last turn is to be undone. `question` is what was asked about that before a yes was given."""

    question: AskUser | None = None


class AboutKind(StrEnum):
    """What is wanted of commands for later: to TELL of them, to CANCEL them, or to ASK which is to be cancelled."""

    TELL = "tell"
    CANCEL = "cancel"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class AboutDelayed:
    """Commands for later are spoken of."""

    commands: tuple[DelayedCommand, ...]
    kind: AboutKind


class Course(StrEnum):
    """How a task goes on after what was said to its question.

    ANOTHER: something else is asked for, as a task of its own. ROUTE: the words are for whoever is found.
    PART: for one agent. CONFIRMED: a yes was given. DOUBTED: it has to be given again. CHOSEN: the
    entities are known. COMPLETED: the value is known. AGAIN: it is asked again. LEFT: everything stays as it is.
    """

    ANOTHER = "another"
    ROUTE = "route"
    PART = "part"
    CONFIRMED = "confirmed"
    DOUBTED = "doubted"
    CHOSEN = "chosen"
    COMPLETED = "completed"
    AGAIN = "again"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What was said to an open question, and how its task goes on.

    `part` is what the agent is told that goes on, `targets` are the entity ids that were chosen, `parts` the
    request as it was completed. `pending` is the question, as it is asked again with AGAIN.
    `reply` is the key of what is said with LEFT, and `state` that of the task after it; with AGAIN what is
    said instead of the question. `agreed` is the question in its words, where the answer to it is yes. It
    `has_code` where the answer is the code that was asked for.
    """

    course: Course
    part: Assignment
    pending: PendingQuestion
    targets: tuple[str, ...] = ()
    parts: tuple[Assignment, ...] = ()
    reply: str = ""
    state: TaskState = TaskState.CANCELED
    agreed: str = ""
    has_code: bool = False


type Way = (
    Assigned | Corrected | FollowUp | Reference | Undo | AboutDelayed | TaskEnvelopeV2 | TurnReply
)
"""Who goes on with a sentence; a reply where nobody has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """Who goes on with a sentence. Nothing is done yet.

    `task` is the one it is part of: a new one where something else was asked for than was open. `text` is
    the sentence, with what it refers to in words. `asked` is how often it was asked in vain already what is
    meant, `pending` the question that stays open after a reply. `decision` is the router's, None where none was
    asked. It `has_code` where the sentence was the code that was asked for.
    """

    task: TaskContext
    way: Way
    text: str
    asked: int = 0
    pending: PendingQuestion | None = None
    decision: Decision | None = None
    has_code: bool = False

    @property
    def choice(self) -> AgentChoiceResult | None:
        """Return the router's choice, None where none was asked."""
        return self.decision.route.choice if self.decision else None


@dataclass(frozen=True, slots=True)
class Executed:
    """What agents answered, in order. `finished` is the workflow result of a `run_task` call."""

    dispatched: tuple[Dispatched, ...] = ()
    finished: WorkflowResult | None = None

    @property
    def agent_ids(self) -> list[str]:
        """Return who answered, in order."""
        return [entry.response.agent_id for entry in self.dispatched]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """What a turn came to, for whoever asked for it.

    `state` is that of the task: whether a question is open. `record` is what was noted on the way.
    `choice` is the router's, None where none was asked. `text` is what is said, `request` the sentence as
    it was carried out, with what it referred to in words. `finished` is the workflow result of a `run_task`
    call; None for a sentence.
    """

    text: str
    answers: tuple[AgentResult, ...]
    state: TaskState
    record: TurnRecord
    request: str
    choice: AgentChoiceResult | None = None
    finished: WorkflowResult | None = None

    @property
    def dry_run_calls(self) -> list[ToolCall]:
        """Return the calls that a dry run left out."""
        return [call for execution in self.record.executions for call in execution.dry_run_calls]
