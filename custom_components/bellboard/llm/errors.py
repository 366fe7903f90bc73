"""Errors of model calls.

No message here holds a key, a prompt, a user's words or a server's reply: all of them may be logged
and shown.
"""

from typing import ClassVar


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
    """Something answers at this address, but not a server of this kind."""

    kind = "not_a_model_server"
    message = "What answers at this address is not such a model server."
