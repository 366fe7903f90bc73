"""Errors of calls to A2A agents. No message holds a text of the agent or of the user."""

from typing import ClassVar


class A2AError(Exception):
    """A call to an A2A agent failed. `kind` names the cause for translations and replies."""

    kind: ClassVar[str] = "failed"
    message: ClassVar[str] = "The agent could not be asked."

    def __init__(self, detail: str = "") -> None:
        """Say what failed; `detail` is a fixed phrase of ours, never text from the agent or the user."""
        super().__init__(f"{self.message} ({detail})" if detail else self.message)


class InvalidAddressError(A2AError, ValueError):
    """The address typed cannot be that of an agent."""

    kind = "invalid_address"
    message = "This is not an address of an agent."


class AgentUnreachableError(A2AError):
    """No connection, or it broke before the reply was complete."""

    kind = "unreachable"
    message = "The agent cannot be reached."


class AgentTimeoutError(A2AError):
    """The agent was not done with its task in the time allowed."""

    kind = "timeout"
    message = "The agent took too long to answer."


class TokenRefusedError(A2AError):
    """The agent needs a token, or does not accept this one."""

    kind = "token"
    message = "The agent does not accept the token."


class NoCardError(A2AError):
    """Nothing that can be read as an agent card is at the address."""

    kind = "no_card"
    message = "There is no agent card at this address."


class UnsupportedAgentError(A2AError):
    """The agent speaks no protocol that is spoken here, or demands what is not done here."""

    kind = "unsupported"
    message = "The agent asks for something that is not supported."


class UnsupportedTokenError(UnsupportedAgentError):
    """The agent wants its token in a way in which none is sent: in another header, or at another address."""

    message = "The agent wants its token in a way that is not supported."


class OtherOriginError(UnsupportedAgentError):
    """The card names another address for the agent's answers than its own, and nobody agreed to it.

    `origin` is the scheme, host and port of that address.
    """

    message = "The agent's card names another address that nobody agreed to."

    def __init__(self, origin: str) -> None:
        """Keep the origin, which is no part of the message."""
        super().__init__()
        self.origin = origin


class AgentBusyError(A2AError):
    """The agent asks to slow down."""

    kind = "busy"
    message = "The agent asks to slow down."


class AgentFailedError(A2AError):
    """The agent's server itself failed."""

    kind = "failed"
    message = "The agent's server failed."


class BadReplyError(A2AError):
    """A reply came, but it is none of the protocol's."""

    kind = "bad_reply"
    message = "The agent's reply cannot be used."


class RequestRefusedError(A2AError):
    """The agent's server understood the request and refused it."""

    kind = "failed"
    message = "The agent refused the request."


class TaskGoneError(RequestRefusedError):
    """The agent does not know the task, or does not take it up again."""

    message = "The agent no longer knows the task."
