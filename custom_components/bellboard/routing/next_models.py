"""Tasks as they go from agent to agent, and next-step decisions, in snake case (V2 routing)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, override
from uuid import UUID, uuid4

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ..agents.models import AgentCard
from ..json_model import timestamp


class EnvelopeModel(BaseModel):
    """Base of V2 routing's models: frozen; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object with the fields that were given."""
        return self.model_dump(mode="json", exclude_unset=True)


class WorkflowStep(EnvelopeModel):
    """A completed step of an agent. `action` is its summary; `timestamp` is ISO 8601."""

    agent_id: str = Field(min_length=1)
    action: str
    timestamp: str


VERSION_2: Literal["2.0"] = "2.0"
"""A task whose next step is decided after each one; in one of version 1.0 all steps are fixed by `next`."""

_TOPIC = "/control/agents/{}/input"

type Json = Any
"""Any JSON value."""


def topic_of(agent_id: str) -> str:
    """Return the topic that an agent's tasks are sent to."""
    return _TOPIC.format(agent_id)


def agent_of(topic: str) -> str:
    """Return the id of the agent that a topic is of.

    Raises:
        ValueError: it is no agent's topic.
    """
    before, after = _TOPIC.split("{}")
    if not (topic.startswith(before) and topic.endswith(after)) or len(topic) <= len(
        before + after
    ):
        raise ValueError("this is no topic of an agent")
    return topic.removeprefix(before).removesuffix(after)


def _topic(text: str) -> str:
    """Return a topic as it is written.

    Raises:
        ValueError: it is no agent's.
    """
    agent_of(text)
    return text


type Topic = Annotated[str, AfterValidator(_topic)]


class WorkflowContext(EnvelopeModel):
    """The original request, the steps completed for it, and how often it was forwarded."""

    original_query: str
    steps_completed: tuple[WorkflowStep, ...] = ()
    iteration_count: int = Field(default=0, ge=0)


FIXED = "next"
"""Router of the steps that are fixed from the start."""


class RoutingStep(EnvelopeModel):
    """A next-step decision in the routing trace.

    `router` is "llm", "gatekeeper", FIXED for a fixed step, or "limit" where the workflow was stopped.
    `agent_id` is None where it was complete. `confidence` is between 0 and 1, None if unknown.
    `timestamp` is ISO 8601.
    """

    router: str
    agent_id: str | None = None
    instruction: str | None = None
    reasoning: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    timestamp: str


class NextTask(EnvelopeModel):
    """A step that is fixed from the start; it gets the output of the one before it (version 1)."""

    topic: Topic
    instruction: str | None = None
    next: NextTask | None = None


def _uuid(text: str) -> str:
    """Return an id as it is written.

    Raises:
        ValueError: it is no UUID.
    """
    UUID(text)
    return text


class TaskEnvelopeV2(EnvelopeModel):
    """A task for one agent (TaskEnvelopeV2; also a task of version 1, which has no `context`).

    `task_id` is a UUID; a new one is made where none is given.
    `input` is the data to work with. `next` are the fixed steps that follow; after the last of them a
    router decides about a task of version 2.
    """

    task_id: Annotated[str, AfterValidator(_uuid)] = Field(default_factory=lambda: str(uuid4()))
    conversation_id: str = Field(min_length=1)
    topic: Topic
    instruction: str | None = None
    input: Json = None
    next: NextTask | None = None
    version: Literal["1.0", "2.0"]
    context: WorkflowContext | None = None
    routing_trace: tuple[RoutingStep, ...] | None = None

    @override
    def as_json(self) -> dict[str, Any]:
        """Return the JSON object, with what was given, and the id also where it was made here."""
        return {"task_id": self.task_id} | super().as_json()

    @property
    def agent_id(self) -> str:
        """Return the id of the agent this is for."""
        return agent_of(self.topic)

    @property
    def query(self) -> str:
        """Return the original request."""
        return self.context.original_query if self.context else self.instruction or ""

    @property
    def known_context(self) -> WorkflowContext:
        """Return the context; that of a task at its beginning where it has none."""
        return self.context or WorkflowContext(original_query=self.query)

    def steps_with(self, action: str) -> tuple[WorkflowStep, ...]:
        """Return the steps taken so far with this one, which `action` sums up, as the last."""
        step = WorkflowStep(agent_id=self.agent_id, action=action, timestamp=timestamp())
        return (*self.known_context.steps_completed, step)

    def forwarded(
        self, forward: Forward, *, action: str, decided: RoutingStep, then: NextTask | None = None
    ) -> TaskEnvelopeV2:
        """Return the task for the next agent; `action` sums up what this one's agent did.

        `then` is the fixed step after that one.
        """
        before = self.known_context
        context = WorkflowContext(
            original_query=before.original_query,
            steps_completed=self.steps_with(action),
            iteration_count=before.iteration_count + 1,
        )
        return TaskEnvelopeV2(
            task_id=str(uuid4()),
            conversation_id=self.conversation_id,
            topic=topic_of(forward.next_agent),
            instruction=forward.next_instruction,
            input=forward.forwarded_data,
            next=then,
            version=self.version,
            context=context,
            routing_trace=(*(self.routing_trace or ()), decided),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    """Decision: nothing is left to be done (RoutingDecision). `final_output` is the last agent's output."""

    final_output: Json
    router: str
    reasoning: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forward:
    """Decision: another agent goes on, with an instruction and the output so far (RoutingDecision)."""

    next_agent: str
    next_instruction: str
    forwarded_data: Json
    router: str
    reasoning: str | None = None
    confidence: float | None = None


type RoutingDecision = Complete | Forward


class UndecidedError(Exception):
    """A router has no decision: another one may be asked. The message is a fixed phrase of ours."""


class NextStepRouter(Protocol):
    """Decides about the next step of a task (V2 routing, Router)."""

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return the next step after an agent's `work_output`.

        `original_task` is the task the agent worked on; the agent's own step is not in its context yet.
        `registry` are the agents that may be chosen.

        Raises:
            UndecidedError: it could not be decided.
        """
        ...
