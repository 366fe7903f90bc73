"""HTTP client of an A2A agent: its card, a message to it, and its task until that is done."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
import logging
from typing import Any
from uuid import uuid4

import aiohttp

from ..llm.endpoint import Endpoint, WaitBudget
from ..llm.errors import (
    AuthenticationError,
    BadOutputError,
    ConnectTimeoutError,
    ModelError,
    ModelTimeoutError,
    NotAModelServerError,
)
from .card import Contact, RemoteCard, card_addresses
from .errors import (
    A2AError,
    AgentBusyError,
    AgentFailedError,
    AgentTimeoutError,
    AgentUnreachableError,
    BadReplyError,
    NoCardError,
    RequestRefusedError,
    TokenRefusedError,
    UnsupportedAgentError,
)
from .models import AgentReply, RemoteMessage, RemoteTask, read_response
from .protocol import VERSION_HEADER, Outgoing, encode_call

_LOGGER = logging.getLogger(__name__)

MAX_CARD = 256 * 1024
"""Bytes of a card at most."""
MAX_REPLY = 1024 * 1024
"""Bytes of a reply at most, with what the agent made."""
CARD_SECONDS = 10.0
"""Seconds for reading a card by itself."""

_CONNECT_SECONDS = 5.0
_CANCEL_SECONDS = 2.0
_FIRST_PAUSE = 0.2
_PAUSE_GROWTH = 1.5
_LONGEST_PAUSE = 2.0
# Of so many looks at a task in a row each may fail before the task is given up.
_MOST_FAILED_LOOKS = 3
# What may be gone at the next look.
_PASSING = (AgentUnreachableError, AgentBusyError, AgentFailedError)
# After these the card may have changed.
_OUTDATED = (UnsupportedAgentError, RequestRefusedError, BadReplyError, AgentUnreachableError)


@dataclass(frozen=True, slots=True)
class _FoundAgent:
    """An agent whose card was read."""

    card: RemoteCard
    contact: Contact


class A2AClient:
    """Client of an A2A agent at an address. The session belongs to the caller and is never closed here.

    The card is read when it is first needed, and again after a failure that a changed card explains.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        address: str,
        token: str = "",
        *,
        agreed_origin: str = "",
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Keep the address as people type it, and the token.

        `agreed_origin` is the origin at which the agent may be although its card is elsewhere, "" for none.

        Raises:
            InvalidAddressError: the address cannot be that of an agent.
            TokenRefusedError: no HTTP header can carry the token.
        """
        self._addresses = card_addresses(address)
        self._session = session
        self._token = token.strip()
        self._agreed_origin = agreed_origin
        self._sleep = sleep
        self._found: _FoundAgent | None = None
        # Made once here, so that a token with characters that no token has is known at once.
        with _translated():
            self._endpoint(self._addresses[0], "")

    def __repr__(self) -> str:
        """Show the card's address, and only whether there is a token."""
        return f"A2AClient({self._addresses[0]!r}, token={'yes' if self._token else 'no'})"

    @property
    def other_origin(self) -> str:
        """Return the origin of the agent where its card, which was read, is at another one; else ""."""
        return self._found.contact.other_origin if self._found else ""

    async def async_read_card(self) -> RemoteCard:
        """Return the agent's card, and use it from now on.

        Raises:
            A2AError: there is none, or it is of no use.
        """
        return (await self._async_find(WaitBudget(CARD_SECONDS))).card

    async def async_send(self, message: Outgoing, seconds: float) -> AgentReply:
        """Return the agent's reply to a message, within `seconds`.

        A task that is still worked on then, or when the caller goes away, is canceled at the agent.

        Raises:
            A2AError: there is none.
        """
        budget = WaitBudget(seconds)
        try:
            contact = (self._found or await self._async_find(budget)).contact
            answer = await self._async_call(
                contact, contact.version.send, contact.version.write(message), budget
            )
            if isinstance(answer, RemoteTask) and answer.is_working:
                answer = await self._async_follow(contact, answer, budget)
        except _OUTDATED:
            self._found = None
            raise
        return AgentReply.of(answer)

    async def _async_follow(
        self, contact: Contact, task: RemoteTask, budget: WaitBudget
    ) -> RemoteTask | RemoteMessage:
        """Look at a task until nobody works on it any longer.

        Raises:
            A2AError: that takes too long, or it cannot be looked at.
        """
        answer: RemoteTask | RemoteMessage = task
        pause, failed = _FIRST_PAUSE, 0
        try:
            while isinstance(answer, RemoteTask) and answer.is_working:
                with _translated():
                    await budget.wait(self._sleep(pause))
                pause = min(pause * _PAUSE_GROWTH, _LONGEST_PAUSE)
                try:
                    answer = await self._async_look(contact, task.id, budget)
                    failed = 0
                except _PASSING:
                    failed += 1
                    if failed == _MOST_FAILED_LOOKS:
                        raise
        except AgentTimeoutError, asyncio.CancelledError:
            await self._async_cancel(contact, task.id)
            raise
        return answer

    async def _async_look(
        self, contact: Contact, task_id: str, budget: WaitBudget
    ) -> RemoteTask | RemoteMessage:
        """Return a task as it stands now."""
        params = {"id": task_id, "historyLength": 0}
        return await self._async_call(contact, contact.version.get, params, budget)

    async def _async_cancel(self, contact: Contact, task_id: str) -> None:
        """Tell the agent that nobody waits for a task any longer; it may not listen."""
        budget = WaitBudget(_CANCEL_SECONDS)
        try:
            await self._async_call(contact, contact.version.cancel, {"id": task_id}, budget)
        except A2AError as err:
            _LOGGER.debug("The task goes on at the agent: %s", err)

    async def _async_call(
        self, contact: Contact, method: str, params: dict[str, Any], budget: WaitBudget
    ) -> RemoteTask | RemoteMessage:
        """Return what the agent answers to one call.

        Raises:
            A2AError: there is no answer, or one that says why not.
        """
        if contact.needs_token and not self._token:
            raise TokenRefusedError("it needs one")
        request_id = str(uuid4())
        tenant = {"tenant": contact.tenant} if contact.tenant else {}
        body = encode_call(request_id, method, params | tenant)
        with _translated():
            endpoint = (
                Endpoint(self._session, contact.url)
                if contact.other_origin
                else self._endpoint(contact.url, contact.key_header)
            )
            async with endpoint.open(
                "POST",
                "",
                body,
                budget,
                headers={VERSION_HEADER: contact.version.name},
                connect_timeout=_CONNECT_SECONDS,
            ) as response:
                _check_status(response.status)
                reply = await response.read(MAX_REPLY)
        if reply.is_page:
            raise BadReplyError("it is a web page")
        return read_response(reply.body, request_id)

    async def _async_find(self, budget: WaitBudget) -> _FoundAgent:
        """Return the agent by its card from the first place that has one, and keep it.

        Raises:
            A2AError: there is no card, or it is of no use.
        """
        *others, last = self._addresses
        for address in others:
            try:
                return await self._async_find_at(address, budget)
            except NoCardError as err:
                _LOGGER.debug("Not at %s: %s", address, err)
        return await self._async_find_at(last, budget)

    async def _async_find_at(self, address: str, budget: WaitBudget) -> _FoundAgent:
        """Return the agent whose card is at an address, and keep it.

        Raises:
            A2AError: there is no card, or it is of no use.
        """
        try:
            card = await self._async_get(address, budget, with_token=False)
        except TokenRefusedError:
            if not self._token:
                raise
            card = await self._async_get(address, budget, with_token=True)
        self._found = _FoundAgent(card, card.contact(address, self._agreed_origin))
        return self._found

    async def _async_get(self, address: str, budget: WaitBudget, *, with_token: bool) -> RemoteCard:
        """Return the card at an address; most are shown to anybody.

        Raises:
            A2AError: there is none.
        """
        with _translated():
            endpoint = (
                self._endpoint(address, "") if with_token else Endpoint(self._session, address)
            )
            async with endpoint.open(
                "GET", "", None, budget, connect_timeout=_CONNECT_SECONDS
            ) as response:
                if response.status not in {200, 401, 403, 429} and response.status < 500:
                    raise NoCardError(f"status {response.status}")
                _check_status(response.status)
                reply = await response.read(MAX_CARD)
        if reply.is_page:
            raise NoCardError("what is there is a web page")
        try:
            return RemoteCard.read(reply.body)
        except BadReplyError:
            wrong = NoCardError("what is there is not JSON")
        raise wrong

    def _endpoint(self, url: str, key_header: str) -> Endpoint:
        """Return an endpoint with the token, which is a bearer's unless a header is named for it.

        Raises:
            AuthenticationError: no header can carry the token.
        """
        if not key_header:
            return Endpoint(self._session, url, self._token)
        return Endpoint(self._session, url, self._token, key_header=key_header)


@contextmanager
def _translated() -> Generator[None]:
    """Turn what an endpoint raises, which speaks of model servers, into errors of an agent."""
    try:
        yield
    except ModelError as err:
        failure = _failure(err)
    else:
        return
    raise failure from None


def _failure(err: ModelError) -> A2AError:
    """Return the agent's error for an endpoint's."""
    match err:
        case AuthenticationError():
            return TokenRefusedError("it has characters in it that no token has")
        case ConnectTimeoutError():
            return AgentUnreachableError(err.detail)
        case ModelTimeoutError():
            return AgentTimeoutError()
        case BadOutputError():
            return BadReplyError("it is too long")
        case NotAModelServerError():
            return BadReplyError("it is not HTTP")
        case _:
            return AgentUnreachableError(err.detail)


def _check_status(status: int) -> None:
    """Pass the status of a success.

    Raises:
        A2AError: it is that of a failure.
    """
    if status == 200:
        return
    detail = f"status {status}"
    if status in (401, 403):
        raise TokenRefusedError(detail)
    if status == 429:
        raise AgentBusyError(detail)
    if status >= 500:
        raise AgentFailedError(detail)
    if 300 <= status < 400:
        raise RequestRefusedError("it points to another address")
    raise RequestRefusedError(detail)
