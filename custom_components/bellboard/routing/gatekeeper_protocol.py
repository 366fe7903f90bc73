"""The gatekeeper's protocol: request, response and errors (V2 routing, GatekeeperRouter).

A gatekeeper is a service of the owner's that decides which agent answers.
"""

from collections.abc import Iterable
from enum import StrEnum
import hashlib
import hmac
import json
from typing import Any, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ..agents.models import AgentCard
from .history import EnvelopeModel, WorkflowStep

MAX_INSTRUCTION = 500
"""Characters of an instruction at most."""
MAX_WAIT = 2.0
"""Seconds to wait at most before a retry; if the gatekeeper asks for more, there is none."""
TIMESTAMP_HEADER = "X-Bellboard-Timestamp"
SIGNATURE_HEADER = "X-Bellboard-Signature"


class AvailableAgent(EnvelopeModel):
    """An agent that may be chosen."""

    agent_id: str
    capabilities: tuple[str, ...] = ()


def available_agents(cards: Iterable[AgentCard]) -> tuple[AvailableAgent, ...]:
    """Return cards as agents of a request."""
    return tuple(AvailableAgent(agent_id=card.id, capabilities=card.capabilities) for card in cards)


class RouteRequest(EnvelopeModel):
    """The request to a gatekeeper (V2 routing, API request).

    `workflow_history` and `current_output`, the last agent's output, are empty at the first choice.
    """

    original_query: str
    workflow_history: tuple[WorkflowStep, ...]
    current_output: dict[str, Any]
    available_agents: tuple[AvailableAgent, ...]


class RouteResponse(EnvelopeModel):
    """The response of a gatekeeper (V2 routing, API response). `confidence` is between 0 and 1.

    Validation is strict: a string is no number and no boolean.
    """

    model_config = ConfigDict(strict=True)

    workflow_complete: bool
    next_agent: str | None = None
    next_instruction: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str | None = None

    @model_validator(mode="after")
    def _goes_on_with_somebody(self) -> Self:
        """Refuse a response that is not complete and has no agent or instruction.

        Raises:
            PydanticCustomError: the agent or the instruction is missing, or too long.
        """
        if self.workflow_complete:
            return self
        if not self.next_agent:
            raise PydanticCustomError("no_agent", "next_agent is missing")
        if not self.instruction:
            raise PydanticCustomError("no_instruction", "next_instruction is missing")
        if len(self.next_instruction or "") > MAX_INSTRUCTION:
            raise PydanticCustomError("long_instruction", "next_instruction is too long")
        return self

    @property
    def instruction(self) -> str:
        """Return the instruction on one line."""
        text = self.next_instruction or ""
        return " ".join("".join(char if char.isprintable() else " " for char in text).split())


class GatekeeperFailure(StrEnum):
    """Why a gatekeeper gave no decision."""

    UNREACHABLE = "The gatekeeper cannot be reached"
    TIMEOUT = "The gatekeeper took too long to answer"
    AUTHENTICATION = "The gatekeeper does not accept the token or the signature"
    RATE_LIMITED = "The gatekeeper asks to slow down"
    SERVER_FAILED = "The gatekeeper failed"
    REFUSED = "The gatekeeper refused the request"
    REDIRECT = "The gatekeeper points to another address"
    BAD_REPLY = "The gatekeeper's reply cannot be used"
    LEFT_ALONE = "The gatekeeper is left alone for a moment"


# A status_error is an answer too.
_IS_DOWN = frozenset(
    {GatekeeperFailure.UNREACHABLE, GatekeeperFailure.TIMEOUT, GatekeeperFailure.SERVER_FAILED}
)
_PASSING = frozenset({429, 500, 502, 503, 504})
_OF_ONE_REQUEST = frozenset({GatekeeperFailure.REFUSED, GatekeeperFailure.BAD_REPLY})


class GatekeeperError(Exception):
    """A gatekeeper gave no decision. The message holds no text of a user or server, and no secret.

    `can_repeat`: the same request may succeed at once. `retry_after` are the seconds the gatekeeper asks
    to wait, if it does.
    """

    def __init__(
        self,
        failure: GatekeeperFailure,
        detail: str = "",
        *,
        can_repeat: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Say what failed; `detail` is a fixed phrase of ours."""
        super().__init__(f"{failure} ({detail})." if detail else f"{failure}.")
        self.failure = failure
        self.can_repeat = can_repeat
        self.retry_after = retry_after

    @property
    def is_down(self) -> bool:
        """Return whether the gatekeeper did not answer at all."""
        return self.failure in _IS_DOWN

    @property
    def is_of_one_request(self) -> bool:
        """Return whether only this request failed."""
        return self.failure in _OF_ONE_REQUEST


class GatekeeperSettingError(ValueError):
    """The address, the token or the secret cannot be used. The text holds none of them."""


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the value of the header that signs a body; `timestamp` is in seconds since 1970."""
    # Whatever was typed, a turn does not end for it.
    key = secret.encode("utf-8", "surrogatepass")
    return f"sha256={hmac.new(key, timestamp.encode() + b'.' + body, hashlib.sha256).hexdigest()}"


def encode_request(request: RouteRequest) -> bytes:
    """Return the body of a request.

    Raises:
        GatekeeperError: there is something in it that JSON cannot say.
    """
    try:
        # In ASCII, so that half a character, which a transcript may hold, can be sent too.
        return json.dumps(request.as_json()).encode()
    except ValueError:
        wrong = GatekeeperError(GatekeeperFailure.REFUSED, "JSON cannot say what an agent made")
    raise wrong


def read_response(body: bytes, request: RouteRequest) -> RouteResponse:
    """Return the response to a request.

    Raises:
        GatekeeperError: it is none, or names an agent that was not offered.
    """
    if body.lstrip()[:1] == b"<":
        raise GatekeeperError(GatekeeperFailure.BAD_REPLY, "it is a web page")
    try:
        response = RouteResponse.model_validate_json(body)
    except ValidationError as err:
        wrong = GatekeeperError(GatekeeperFailure.BAD_REPLY, _what_is_wrong(err))
    else:
        offered = {agent.agent_id for agent in request.available_agents}
        if response.workflow_complete or response.next_agent in offered:
            return response
        wrong = GatekeeperError(GatekeeperFailure.BAD_REPLY, "next_agent was not offered")
    # Not chained: a validation error quotes what it refuses.
    raise wrong


def _what_is_wrong(err: ValidationError) -> str:
    """Return the first validation error in fixed phrases of ours."""
    [first, *_] = err.errors(include_url=False, include_context=False, include_input=False)
    if first["loc"]:
        return f"{first['loc'][0]} is missing or wrong"
    if first["type"] == "json_invalid":
        return "it is not JSON"
    return "it is not an object" if first["type"] == "model_type" else first["msg"]


def status_error(status: int, retry_after: float | None) -> GatekeeperError:
    """Return the error for an HTTP status other than 200; `retry_after` is in seconds."""
    failure = GatekeeperFailure.BAD_REPLY
    if status in (401, 403):
        failure = GatekeeperFailure.AUTHENTICATION
    elif status == 429:
        failure = GatekeeperFailure.RATE_LIMITED
    elif status >= 500:
        failure = GatekeeperFailure.SERVER_FAILED
    elif status >= 400:
        failure = GatekeeperFailure.REFUSED
    elif status >= 300:
        failure = GatekeeperFailure.REDIRECT
    detail = f"status {status}"
    if status not in _PASSING:
        return GatekeeperError(failure, detail)
    is_soon = (retry_after or 0.0) <= MAX_WAIT
    return GatekeeperError(failure, detail, can_repeat=is_soon, retry_after=retry_after)
