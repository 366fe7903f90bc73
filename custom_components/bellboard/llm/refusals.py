"""What a server's refusal means, and what to leave out so that it agrees.

Servers that speak the same protocol differ in what they refuse. Such differences are rows of a
table here, not branches in the clients.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from .errors import (
    AuthenticationError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    NotAModelServerError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .endpoint import Reply

type Body = dict[str, Any]

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
_REFUSALS = frozenset({400, 422})


def complaint(body: bytes) -> str:
    """Collect what a server says about its error, in lower case; "" if it says nothing in any known form.

    Only the fields meant for it are read: some servers send the whole request back, and then every
    word would be in it.
    """
    try:
        return _said(from_json(body))
    except ValueError:
        return ""


def failure(reply: Reply) -> ModelError:
    """Name the error of a reply that is not a success. The message holds nothing of what the server wrote."""
    return _classify(reply.status, complaint(reply.body), reply.retry_after)


def reported(error: Any) -> ModelError:
    """Name the error that a server reports inside a reply with status 200, where no status says more."""
    code = error.get("code") if isinstance(error, dict) else None
    return _classify(
        code if isinstance(code, int) and 400 <= code <= 599 else 500, _said({"error": error}), None
    )


def _classify(status: int, said: str, retry_after: float | None) -> ModelError:
    if any(words in said for words in _ELSEWHERE):
        # LM Studio answers so, with status 200, wherever nothing of it lives.
        return NotAModelServerError("nothing lives at this path")
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


@dataclass(frozen=True, slots=True)
class Concession:
    """Something a server may not know: the words it complains with, and the request without it.

    `without` returns None when the request has nothing of the kind. `statuses` are the HTTP statuses
    with which it complains.
    """

    words: tuple[str, ...]
    without: Callable[[Body], Body | None]
    statuses: frozenset[int] = _REFUSALS


def without(*fields: str) -> Callable[[Body], Body | None]:
    """Make a concession that leaves `fields` out of requests that have the first of them."""

    def leave_out(body: Body) -> Body | None:
        return (
            {key: value for key, value in body.items() if key not in fields}
            if fields[0] in body
            else None
        )

    return leave_out


class Concessions:
    """What one server has been found not to know, so that it is asked for it only once."""

    def __init__(self, table: Sequence[Concession]) -> None:
        """Begin with nothing conceded; `table` is searched from the top."""
        self._table = table
        self._known: tuple[Concession, ...] = ()

    def request(self, body: Body) -> Attempt:
        """Begin a request, without what the server is known not to know."""
        attempt = Attempt(self, self._table, body)
        for concession in self._known:
            attempt.concede(concession)
        return attempt

    def remember(self, conceded: tuple[Concession, ...]) -> None:
        """Keep what had to be left out of a request that then succeeded."""
        self._known = tuple(c for c in self._table if c in self._known or c in conceded)


class Attempt:
    """One request, asked again with less until the server agrees or there is nothing left to leave out."""

    def __init__(self, known: Concessions, table: Sequence[Concession], body: Body) -> None:
        """Begin with the whole `body`."""
        self._known = known
        self._table = table
        self._conceded: tuple[Concession, ...] = ()
        self.body = body

    def concede(self, concession: Concession) -> bool:
        """Leave something out; False if the request has nothing of the kind."""
        body = concession.without(self.body)
        if body is None:
            return False
        self.body = body
        self._conceded += (concession,)
        return True

    def refused(self, reply: Reply) -> bool:
        """Look for something to leave out after a refusal; False if there is nothing."""
        candidates = [
            concession
            for concession in self._table
            if reply.status in concession.statuses and concession not in self._conceded
        ]
        if not candidates:
            return False
        said = complaint(reply.body)
        return any(
            self.concede(concession)
            for concession in candidates
            if any(words in said for words in concession.words)
        )

    def accepted(self) -> None:
        """Remember what had to be left out: it was the reason, for the server now agrees."""
        self._known.remember(self._conceded)
