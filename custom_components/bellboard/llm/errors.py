"""Errors of model calls, and of tools and the orchestrator (LLM router agent contract).

No message here holds a key, a prompt, a user's words or a server's reply: all of them may be logged
and shown.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic_core import from_json


class ModelError(Exception):
    """A call to a model failed.

    `kind` names the failure for translations, traces and metrics.
    """

    kind: ClassVar[str] = "model_error"
    message: ClassVar[str] = "The model could not be asked."

    def __init__(self, detail: str = "") -> None:
        """Say what failed; `detail` is a fixed phrase of ours, never text from the server or the user."""
        super().__init__(f"{self.message} ({detail})" if detail else self.message)
        self.detail = detail


class InvalidUrlError(ModelError, ValueError):
    """The address typed cannot be the address of a model server."""

    kind = "invalid_url"
    message = "This is not an address of a model server."


class UnreachableError(ModelError):
    """No connection, or it broke before the answer was complete.

    With `is_passing` the same request may get through at once.
    """

    kind = "unreachable"
    message = "The model server cannot be reached."

    def __init__(self, detail: str = "", *, is_passing: bool = False) -> None:
        super().__init__(detail)
        self.is_passing = is_passing


class CircuitOpenError(UnreachableError):
    """The server failed too often and was not asked; nothing went over the network.

    `retry_after` is the number of seconds until it will be asked again, 0 while that is being tried.
    """

    message = "The model server failed several times and is left alone for a moment."

    def __init__(self, retry_after: float) -> None:
        super().__init__()
        self.retry_after = retry_after


class ModelTimeoutError(ModelError):
    """The server took longer than the time allowed."""

    kind = "timeout"
    message = "The model took too long to answer."


class ConnectTimeoutError(ModelTimeoutError):
    """The server did not take the connection in the time allowed for that; it has no request yet."""


class AuthenticationError(ModelError):
    """The server needs an API key, or rejects this one."""

    kind = "authentication"
    message = "The model server does not accept the key."


class QuotaUsedUpError(ModelError):
    """The account has no quota or credit left; asking again later is of no use."""

    kind = "quota_used_up"
    message = "The quota of the model server's account is used up."


class RateLimitedError(ModelError):
    """Too many requests for the moment.

    `retry_after` is the number of seconds the server asks to wait, if it does.
    """

    kind = "rate_limited"
    message = "The model server asks to slow down."

    def __init__(self, retry_after: float | None = None) -> None:
        super().__init__()
        self.retry_after = retry_after


class ModelMissingError(ModelError):
    """The server runs, but does not have this model."""

    kind = "model_missing"
    message = "The model server does not have this model."


class BadOutputError(ModelError):
    """The answer came, but cannot be used: not JSON, cut short, or too long.

    `text` is what the model wrote, for showing it to the model when asking again; it is not part of
    the message. `ask_again` is False where that is of no use.
    """

    ask_again: ClassVar[bool] = True
    kind = "bad_output"
    message = "The model's answer cannot be used."

    def __init__(self, detail: str = "", *, text: str = "") -> None:
        super().__init__(detail)
        self.text = text


class ServerFailedError(ModelError):
    """The server itself failed (HTTP `status` 500 to 599)."""

    kind = "server_failed"
    message = "The model server failed."

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


class RequestRejectedError(ModelError):
    """The server understood us and refused (another HTTP `status` from 400 to 499)."""

    kind = "request_rejected"
    message = "The model server refused the request."

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


class TooLongError(RequestRejectedError):
    """The request has more tokens than the model can read at once."""

    kind = "too_long"
    message = "The request is too long for the model."


class NotAModelServerError(ModelError):
    """Something answers at this address, but not a server of this kind.

    With `has_no_list` it has nothing where models are listed, and may still be a server that chats.
    """

    kind = "not_a_model_server"
    message = "What answers at this address is not such a model server."

    def __init__(self, detail: str = "", *, has_no_list: bool = False) -> None:
        super().__init__(detail)
        self.has_no_list = has_no_list


class ToolError(Exception):
    """A tool failed instead of answering (LLM router agent contract, Fatal/transport errors).

    `tool` is the model agent, or an action of Home Assistant. `kind` is one of those here, or the `ErrorCode` of an
    action. `detail` is a type or a key of ours. That a model could not be asked is no such error: it is in the
    agent's response, and a `ModelError` here.
    """

    PROCESS_FAILED: ClassVar[str] = "process_failed"
    INVALID_RESPONSE: ClassVar[str] = "invalid_response"
    UNEXPECTED: ClassVar[str] = "unexpected"

    def __init__(self, tool: str, kind: str, detail: str = "") -> None:
        super().__init__(f"{tool} failed ({kind})" + (f": {detail}" if detail else ""))
        self.tool = tool
        self.kind = kind
        self.detail = detail


class OrchestratorErrorCode(StrEnum):
    """What the orchestrator could not do."""

    EXECUTION_FAILED = "ExecutionFailed"


class OrchestratorError(Exception):
    """A stage of a turn broke off: a tool failed in it, or something that nobody expected.

    `stage` is the agent or stage. The message has the cause's own only where that is a `ToolError`, and its traceback
    is the cause's, so that a log shows where it was without words that the cause may quote.
    """

    def __init__(self, stage: str, cause: Exception) -> None:
        self.code = OrchestratorErrorCode.EXECUTION_FAILED
        self.stage = stage
        told = str(cause) if isinstance(cause, ToolError) else type(cause).__name__
        super().__init__(f"{self.code} in {stage}: {told}")
        self.__traceback__ = (cause.__cause__ or cause).__traceback__


if TYPE_CHECKING:
    from .endpoint import ServerReply

_SPOKEN = ("error", "message", "code", "type", "param", "detail", "msg", "loc")
_MISSING = (
    "model_not_found",
    "not found",
    "does not exist",
    "invalid model",
    "unknown model",
    "no such model",
)
_BAD_KEY = ("api key", "api_key")
_ABSENT = ("no endpoints found", "no models loaded", "is not a valid model", "model_disabled")
_ELSEWHERE = ("unexpected endpoint",)
_UNWANTED = ("moderation", "flagged", "guardrail")
# Not the words "current quota": Gemini says them of requests per minute, too.
_NO_QUOTA = (
    "insufficient_quota",
    "insufficient credit",
    "insufficient balance",
    "insufficient funds",
    "credit balance is too low",
    "billing_hard_limit",
)
_TOO_LONG = (
    "context_length_exceeded",
    "exceed_context_size",
    "context length",
    "context size",
    "context window",
    "maximum context",
    "prompt is too long",
    "input is too long",
)


def complaint(body: bytes) -> str:
    """Return the message of an error reply, in lower case; "" if it has none in any known form.

    Only the usual fields are read: some servers echo the whole request.
    """
    try:
        return _said(from_json(body))
    except ValueError:
        return ""


def failure(reply: ServerReply) -> ModelError:
    """Return the error of a reply that is not a success. Its message holds nothing that the server wrote."""
    return _classify(reply.status, complaint(reply.body), reply.retry_after)


def reported(error: Any) -> ModelError:
    """Return the error that is reported inside a reply with status 200."""
    code = error.get("code") if isinstance(error, dict) else None
    return _classify(
        code if isinstance(code, int) and 400 <= code <= 599 else 500, _said({"error": error}), None
    )


def _classify(status: int, said: str, retry_after: float | None) -> ModelError:
    if any(words in said for words in _ELSEWHERE):
        # LM Studio answers so, with status 200, wherever nothing of it lives.
        return NotAModelServerError("nothing lives at this path")
    if refused := _beyond_limits(status, said):
        return refused
    if status in (400, 403, 404) and any(words in said for words in _ABSENT):
        return ModelMissingError()
    if status == 403 and any(words in said for words in _UNWANTED):
        # What was said is not wanted; the key is as good as before.
        return RequestRejectedError(status)
    if status in (401, 403):
        return AuthenticationError()
    if status == 408:
        return ModelTimeoutError()
    if status == 429:
        return RateLimitedError(retry_after)
    if status >= 500:
        return ServerFailedError(status)
    if status in (400, 404) and "model" in said and any(words in said for words in _MISSING):
        return ModelMissingError()
    if status == 404 or status < 400:
        return NotAModelServerError(f"status {status}")
    if status == 400 and any(words in said for words in _BAD_KEY):
        return AuthenticationError()
    return RequestRejectedError(status)


def _beyond_limits(status: int, said: str) -> ModelError | None:
    """Return the error of an account without quota, or of a request that is too long."""
    if status == 402 or (400 <= status < 500 and any(words in said for words in _NO_QUOTA)):
        return QuotaUsedUpError()
    # Some servers answer so with 500.
    if status in (400, 413, 422, 500) and any(words in said for words in _TOO_LONG):
        return TooLongError(status)
    return None


def _said(data: Any) -> str:
    return " ".join(_texts(data)).lower()


def _texts(data: Any, depth: int = 4) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, list) and depth:
        return [text for item in data for text in _texts(item, depth - 1)]
    if isinstance(data, dict) and depth:
        return [text for field in _SPOKEN for text in _texts(data.get(field), depth - 1)]
    return []
