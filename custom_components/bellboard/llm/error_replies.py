"""Maps error replies of model servers to `ModelError`s, by HTTP status and by what the body says."""

from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from .errors import (
    AuthenticationError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    NotAModelServerError,
    QuotaUsedUpError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
    TooLongError,
)

if TYPE_CHECKING:
    from .endpoint import Reply

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
    """Return what an error reply says, in lower case; "" if it says nothing in any known form.

    Only the usual fields are read: some servers echo the whole request.
    """
    try:
        return _said(from_json(body))
    except ValueError:
        return ""


def failure(reply: Reply) -> ModelError:
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
