"""What the stages of a turn return: what it was understood as, what was done, and what is said."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from homeassistant.components.conversation import ConversationInput, ConversationResult

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..domains.models import ToolCall
from ..domains.snapshot import StateSnapshot
from ..memory.delayed import AboutDelayed, DelayedCommand
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
    """A reply, and the state of the task after it.

    `part` is what it replies to where no agent has to answer, None where agents did.
    """

    text: str
    answers: tuple[AgentResult, ...]
    state: TaskState
    part: Assignment | None = None


@dataclass(frozen=True, slots=True)
class Assigned:
    """Parts of the sentence are for agents; `instead_of` is the id of the plan that is dropped where they are done."""

    parts: tuple[Assignment, ...]
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of the last turn, as parts; `is_undone` if the effects of that turn are undone first."""

    parts: tuple[Assignment, ...]
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """The last turn is to be undone. `question` is what was asked about that before a yes was given.

    With `before` it is not the last turn, but what was changed for a time is put back as it was.
    """

    question: AskUser | None = None
    before: tuple[StateSnapshot, ...] = ()


class FollowUpKind(StrEnum):
    """Kind of a follow-up: the effect of a sentence on the task whose question is open.

    NEW_REQUEST: something else is asked for, as a task of its own. ROUTE: the words are for whoever is found.
    PART: for one agent. CONFIRMED: a yes was given. RECONFIRM: it has to be given again. CHOSEN: the
    entities are known. COMPLETED: the value is known. AGAIN: it is asked again. DISMISSED: everything stays as it is.
    """

    NEW_REQUEST = "new_request"
    ROUTE = "route"
    PART = "part"
    CONFIRMED = "confirmed"
    RECONFIRM = "reconfirm"
    CHOSEN = "chosen"
    COMPLETED = "completed"
    AGAIN = "again"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A sentence as a reply to an open question, and its effect on the task.

    `part` is what the agent is told that goes on, `targets` are the entity ids that were chosen, `parts` the
    request as it was completed, or what was asked for beside the answer. `pending` is the question, as it is asked
    again with AGAIN.
    `reply` is the key of what is said with DISMISSED, and `state` that of the task after it; with AGAIN what is
    said instead of the question. `agreed` is the question in its words, where the answer to it is yes. It
    `has_code` where the answer is the code that was asked for.
    """

    kind: FollowUpKind
    part: Assignment
    pending: PendingQuestion
    targets: tuple[str, ...] = ()
    parts: tuple[Assignment, ...] = ()
    reply: str = ""
    state: TaskState = TaskState.CANCELED
    agreed: str = ""
    has_code: bool = False


type RouteKind = Assigned | Corrected | FollowUp | Undo | AboutDelayed | TaskEnvelopeV2 | TurnReply
"""Who goes on with a sentence; a reply where nobody has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """Result of routing a sentence. Nothing is done yet.

    `task` is the one it is part of: a new one where something else was asked for than was open. `text` is
    the sentence, with what it refers to in words. `asked` is how often it was asked in vain already what is
    meant, `pending` the question that stays open after a reply. `decision` is the router's, None where none was
    asked. It `has_code` where the sentence was the code that was asked for.
    """

    task: TaskContext
    way: RouteKind
    text: str
    asked: int = 0
    pending: PendingQuestion | None = None
    decision: Decision | None = None
    has_code: bool = False

    @property
    def spoken(self) -> str:
        """Return what the person said, also before the answers to questions; never a model's wording of it."""
        match self.way:
            case Assigned(parts):
                return next((part.spoken for part in parts if part.spoken), self.text)
            case FollowUp(part=part):
                return part.spoken or self.text
            case _:
                return self.text

    @property
    def choice(self) -> AgentChoiceResult | None:
        """Return the router's choice, None where none was asked."""
        return self.decision.route.choice if self.decision else None


@dataclass(frozen=True, slots=True)
class Executed:
    """Answers of agents, in order. `finished` is the workflow result of a `run_task` call."""

    dispatched: tuple[Dispatched, ...] = ()
    finished: WorkflowResult | None = None

    @property
    def agent_ids(self) -> list[str]:
        """Return the ids of the agents that answered, in order."""
        return [entry.response.agent_id for entry in self.dispatched]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """Result of a turn, for its caller.

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


@dataclass(slots=True, kw_only=True)
class SpokenResult(ConversationResult):
    """Home Assistant's result of a turn, for its caller with the `record` of it."""

    record: TurnRecord


class DryRun(Protocol):
    """Takes a sentence as the next turn of its conversation, without any effect."""

    async def __call__(
        self, user_input: ConversationInput, *, delayed: DelayedCommand | None = None
    ) -> TurnResult:
        """Return what a sentence would come to; `delayed` is the command for later, as if it were due now."""
        ...
