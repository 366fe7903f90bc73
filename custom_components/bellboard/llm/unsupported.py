"""Request fields that some servers reject: what to send instead, and what is known of one server.

Servers of one protocol differ in what they reject. Such differences are rows of a table, not branches
in the clients.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import complaint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .endpoint import ServerReply

type Body = dict[str, Any]
type Fallback = Callable[[Body], Body | None]


@dataclass(frozen=True, slots=True)
class UnsupportedField:
    """A request field that some servers reject, and how to do without it.

    `complaints` are words in the error replies about it, in lower case, `statuses` their HTTP statuses.
    `fallback` returns the request without it, None where the request does not have it.
    """

    complaints: tuple[str, ...]
    fallback: Fallback
    statuses: frozenset[int] = frozenset({400, 422})


def leave_out(*fields: str) -> Fallback:
    """Return the fallback that drops `fields` from requests that have the first of them."""

    def fallback(body: Body) -> Body | None:
        if fields[0] not in body:
            return None
        return {key: value for key, value in body.items() if key not in fields}

    return fallback


class ServerSupport:
    """The fields one server was found not to support, so that it has to reject each only once."""

    def __init__(self, table: Sequence[UnsupportedField]) -> None:
        """Assume that all is supported; `table` is searched from the top."""
        self.table = table
        self._unsupported: tuple[UnsupportedField, ...] = ()

    def request(self, body: Body) -> AdaptedRequest:
        """Begin a request, without the fields known not to be supported."""
        request = AdaptedRequest(self, body)
        for field in self._unsupported:
            request.drop(field)
        return request

    def remember(self, dropped: tuple[UnsupportedField, ...]) -> None:
        """Keep what had to be dropped from a request that then succeeded."""
        self._unsupported = tuple(
            field for field in self.table if field in self._unsupported or field in dropped
        )


class AdaptedRequest:
    """A request that is sent again with less until the server accepts it or nothing is left to drop."""

    def __init__(self, support: ServerSupport, body: Body) -> None:
        self._support = support
        self._dropped: tuple[UnsupportedField, ...] = ()
        self.body = body

    def drop(self, field: UnsupportedField) -> bool:
        """Do without a field; False if the request does not have it."""
        body = field.fallback(self.body)
        if body is None:
            return False
        self.body = body
        self._dropped += (field,)
        return True

    def adapt(self, reply: ServerReply) -> bool:
        """Drop what an error reply complains of; False if there is nothing to drop."""
        candidates = [
            field
            for field in self._support.table
            if reply.status in field.statuses and field not in self._dropped
        ]
        if not candidates:
            return False
        said = complaint(reply.body)
        return any(
            self.drop(field)
            for field in candidates
            if any(words in said for words in field.complaints)
        )

    def accepted(self) -> None:
        """Remember what had to be dropped: it was the reason, for the server now agrees."""
        self._support.remember(self._dropped)
