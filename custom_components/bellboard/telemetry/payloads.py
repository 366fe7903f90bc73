"""What an event holds at each stage (orchestration, payload by stage).

An event may hold more, such as `agent_id` and `intent_id`; what is named here it holds as it is
said here, words left out or not.
"""

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field


class Payload(BaseModel):
    """A payload. `_optional` are its fields that are left out where they say nothing."""

    model_config = ConfigDict(extra="allow", frozen=True)

    _optional: ClassVar[frozenset[str]] = frozenset()

    def as_payload(self) -> dict[str, Any]:
        """Return the JSON object."""
        found = self.model_dump(mode="json")
        return {name: value for name, value in found.items() if value or name not in self._optional}


class MemoryPayload(Payload):
    """What is remembered when something is said.

    `history_count` is the number of messages, with the one that was just said. `params_keys` are the
    names of parameters that are known already, `waiting_for_param` is the one that was asked for.
    """

    history_count: int = Field(ge=0)
    params_keys: list[str]
    waiting_for_param: str | None


class ReceivedPayload(Payload):
    """Something was said."""

    memory: MemoryPayload


class IntentsEligiblePayload(Payload):
    """Who may answer it, by agent id."""

    eligible: list[str]


class IntentClassifiedPayload(Payload):
    """What it means. `redacted_params` names those of its parameters whose values nobody is told."""

    intent_id: str
    redacted_params: list[str]


class UnknownIntentPayload(Payload):
    """Nobody knows what it means."""

    intent_id: None = None
    unknown_intent: Literal[True] = True


class PlanCreatedPayload(Payload):
    """What will be done about it: the kinds of its steps, in order."""

    intent_id: str
    steps: list[Literal["respond", "tool_call", "ask_user"]]


class PlanCommunicatedPayload(Payload):
    """What is said before anything is done."""

    message: str


class PolicyCheckPayload(Payload):
    """Whether a call may be made."""

    allowed: bool


class ToolExecutePayload(Payload):
    """Whether a call did what it should; `tool` is its action."""

    ok: bool
    tool: str


class RespondPayload(Payload):
    """What is said at the end.

    `waiting_for_param` names what is asked for. `fallback` is an answer that stands for one nobody
    could give, `unknown_intent` where nobody knew what was meant.
    """

    _optional: ClassVar[frozenset[str]] = frozenset(
        {"waiting_for_param", "fallback", "unknown_intent"}
    )

    message: str
    waiting_for_param: str | None = None
    fallback: bool = False
    unknown_intent: bool = False


PAYLOAD_FIELDS = frozenset(
    name
    for model in (
        ReceivedPayload,
        IntentsEligiblePayload,
        IntentClassifiedPayload,
        UnknownIntentPayload,
        PlanCreatedPayload,
        PlanCommunicatedPayload,
        PolicyCheckPayload,
        ToolExecutePayload,
        RespondPayload,
    )
    for name in model.model_fields
)
"""The names that payloads have for their own parts, at any stage."""
