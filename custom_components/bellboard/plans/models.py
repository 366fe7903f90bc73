"""What will be done: a plan is a list of steps, and each tool call has a result."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ..domains.models import ErrorCode, ToolCall


@dataclass(frozen=True, slots=True)
class RecognizedIntent:
    """An intent that was recognised in a sentence without a model.

    `slots` are plain values by slot name; `targets` are the entity ids it resolved to, all of them
    exposed. `is_ambiguous` where only one of them is meant and it is not known which; `is_list` where
    each of them was named, so that none may be left out in silence. `asks` is what Home Assistant calls
    its answer to a question: "any", "all", "which", "how_many".
    """

    name: str
    slots: dict[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    is_ambiguous: bool = False
    is_list: bool = False
    asks: str = ""


class Respond(BaseModel, frozen=True):
    """Say something: before the calls (`pre`), or after them (`post`) what came of them.

    What is said afterwards is not known when the plan is made, so its message is empty in the plan.
    """

    type: Literal["respond"] = "respond"
    message: str = ""
    phase: Literal["pre", "post"] = "post"


class Candidate(BaseModel, frozen=True):
    """One thing a question offers, by the name it is spoken with."""

    entity_id: str
    name: str


class PlannedAction(BaseModel, frozen=True):
    """An action of a specialist, by the specialist's own name for it, with its parameters.

    `targets` are the entity ids it is meant for, whether or not each of them is able to do it.
    """

    name: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    targets: tuple[str, ...] = ()


class AskUser(BaseModel, frozen=True):
    """Ask for a parameter that is missing (orchestration, AskUser).

    `action` and `data` are the half-made tool call that the chosen candidate completes; `actions`
    are all of them where more than one was asked for. Where `param` is "confirm", a yes is asked for:
    `calls` are what it is to, and `rules` the policies that ask for it.
    """

    type: Literal["ask_user"] = "ask_user"
    param: str
    prompt: str
    candidates: tuple[Candidate, ...] = ()
    action: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    actions: tuple[PlannedAction, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    rules: tuple[str, ...] = ()


type PlanStep = Annotated[Respond | ToolCall | AskUser, Field(discriminator="type")]


class Plan(BaseModel, frozen=True):
    """The steps an agent takes for one instruction (orchestration, Plan).

    `actions` are what the steps come from, as the agent chose them.
    """

    intent_id: str
    agent_id: str
    steps: tuple[PlanStep, ...] = ()
    actions: tuple[PlannedAction, ...] = ()

    @property
    def calls(self) -> list[ToolCall]:
        """Return the tool calls among the steps, in order."""
        return [step for step in self.steps if isinstance(step, ToolCall)]

    @property
    def question(self) -> AskUser | None:
        """Return the first question among the steps."""
        return next((step for step in self.steps if isinstance(step, AskUser)), None)


# With these nothing was called.
_REFUSED = frozenset(
    {
        ErrorCode.NOT_EXPOSED,
        ErrorCode.UNAVAILABLE,
        ErrorCode.UNSUPPORTED,
        ErrorCode.OUT_OF_RANGE,
        ErrorCode.INVALID,
        ErrorCode.DENIED,
        ErrorCode.NOT_ALLOWED,
    }
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one target of a tool call, seen in its state afterwards.

    `detail` is what is said of an error beyond its code, in the user's words: a policy's reason.
    """

    entity_id: str
    error: ErrorCode | None = None
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Return whether the target reached the state the call implies."""
        return self.error is None

    @property
    def was_called(self) -> bool:
        """Return whether the target was called, whatever came of it."""
        return self.error not in _REFUSED


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool call did, target by target. Nothing is called done that was not seen.

    `call` is as it was made; `note` is what is to be said where a policy changed its values.
    """

    call: ToolCall
    outcomes: tuple[Outcome, ...]
    note: str = ""

    @property
    def ok(self) -> bool:
        """Return whether every target did what was asked."""
        return all(outcome.ok for outcome in self.outcomes)

    @property
    def was_made(self) -> bool:
        """Return whether the call was made for any target, or is for nothing in particular."""
        return not self.outcomes or any(outcome.was_called for outcome in self.outcomes)

    @property
    def done(self) -> tuple[str, ...]:
        """Return the entity ids that did what was asked."""
        return tuple(outcome.entity_id for outcome in self.outcomes if outcome.ok)
