"""Models of plans, their steps and results (Agent router orchestration, Plan, AskUser, Respond)."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ..domains.models import Command, ErrorCode, ToolCall
from ..when import Schedule


class Respond(BaseModel, frozen=True):
    """Plan step that responds to the user, before the calls (`pre`) or after them (`post`).

    The message after the calls depends on their outcome, so that it is empty in a plan.
    """

    type: Literal["respond"] = "respond"
    message: str = ""
    phase: Literal["pre", "post"] = "post"


class Candidate(BaseModel, frozen=True):
    """Candidate entity of a question, with its spoken name."""

    entity_id: str
    name: str


CONFIRM = "confirm"
"""`AskUser.param` of a question that asks for confirmation."""

PIN = "pin"
"""`AskUser.param` of a question for a spoken code, without which the calls are not made."""


class AskUser(BaseModel, frozen=True):
    """Plan step that asks for a missing parameter, or confirmation (Agent router orchestration, AskUser).

    `action` and `data` are the half-made action that the chosen candidate completes; `actions` are all
    of them if there are several. Where the candidates are a guess (`is_guess`), only words choose one, and no model
    that reads them. With the `param` "confirm", the user is asked to confirm `calls`, which
    the policy `rules` require, with "pin" by a code. What is done then is put back when the `schedule` ends.
    """

    type: Literal["ask_user"] = "ask_user"
    param: str
    prompt: str
    candidates: tuple[Candidate, ...] = ()
    action: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    actions: tuple[Command, ...] = ()
    is_guess: bool = False
    calls: tuple[ToolCall, ...] = ()
    rules: tuple[str, ...] = ()
    schedule: Schedule | None = None

    @property
    def half_made(self) -> tuple[Command, ...]:
        """Return the actions that the answer completes, also where only one was asked about."""
        return self.actions or (Command(str(self.action), self.data),)


type PlanStep = Annotated[Respond | ToolCall | AskUser, Field(discriminator="type")]


class Plan(BaseModel, frozen=True):
    """Steps of an agent for one instruction (Agent router orchestration, Plan).

    `actions` are the chosen actions that the calls were made from. It `is_for_room` where the instruction is for what
    is in one area, and singles out nothing there by name.
    """

    intent_id: str
    agent_id: str
    steps: tuple[PlanStep, ...] = ()
    actions: tuple[Command, ...] = ()
    is_for_room: bool = False

    @property
    def calls(self) -> list[ToolCall]:
        """Return the tool calls among the steps, in order."""
        return [step for step in self.steps if isinstance(step, ToolCall)]

    @property
    def question(self) -> AskUser | None:
        """Return the first question among the steps."""
        return next((step for step in self.steps if isinstance(step, AskUser)), None)


# Errors with which the target was not called.
_REFUSED = frozenset(
    {
        ErrorCode.NOT_EXPOSED,
        ErrorCode.UNAVAILABLE,
        ErrorCode.UNSUPPORTED,
        ErrorCode.OUT_OF_RANGE,
        ErrorCode.INVALID,
        ErrorCode.WAKES,
        ErrorCode.DENIED,
        ErrorCode.NOT_ALLOWED,
    }
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a tool call for one target, verified in its state.

    `detail` replaces the reply to the error code: a policy's reason, as its author wrote it. It `was_so` where the
    target showed the outcome before the call, and nothing that the call sets has changed.
    """

    entity_id: str
    error: ErrorCode | None = None
    detail: str = ""
    was_so: bool = False

    @property
    def ok(self) -> bool:
        """Return whether the target reached the state that the call asks for."""
        return self.error is None

    @property
    def was_called(self) -> bool:
        """Return whether the target was called, successfully or not."""
        return self.error not in _REFUSED


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a tool call: the verified outcome of each target.

    `call` is the one that was made; `note` is a policy's reason for having clamped its values.
    """

    call: ToolCall
    outcomes: tuple[Outcome, ...]
    note: str = ""

    @property
    def ok(self) -> bool:
        """Return whether every target succeeded."""
        return all(outcome.ok for outcome in self.outcomes)

    @property
    def was_made(self) -> bool:
        """Return whether the call was made for any target, or has no targets."""
        return not self.outcomes or any(outcome.was_called for outcome in self.outcomes)

    @property
    def done(self) -> tuple[str, ...]:
        """Return the entity ids of the targets that succeeded."""
        return tuple(outcome.entity_id for outcome in self.outcomes if outcome.ok)

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the entity ids of the targets that the call changed."""
        return tuple(each.entity_id for each in self.outcomes if each.ok and not each.was_so)

    @property
    def unchanged(self) -> tuple[str, ...]:
        """Return the entity ids of the targets that were already what the call asks for."""
        return tuple(each.entity_id for each in self.outcomes if each.ok and each.was_so)
