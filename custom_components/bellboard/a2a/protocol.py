"""How requests are written in each version of the A2A protocol, as JSON-RPC."""

from dataclasses import dataclass
import json
from typing import Any, ClassVar
from uuid import uuid4


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


VERSION_HEADER = "A2A-Version"

_OUTPUT_MODES = ("text/plain", "application/json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """What is said to an agent: a text, data as any JSON, and the language of the text.

    `context_id` continues a conversation; `task_id` is that of a task that waits for this answer.
    """

    text: str
    data: Any = None
    language: str = ""
    context_id: str = ""
    task_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version of the protocol: the names of its methods, and how it writes a message."""

    name: str
    send: str
    get: str
    cancel: str
    role: str
    has_kinds: bool
    """Whether parts and messages name their own kind, and data have to be an object."""
    at_once: tuple[str, bool]
    """The setting with which an agent answers before its task is done."""

    def write(self, message: Outgoing) -> dict[str, Any]:
        """Return the parameters that send a message."""
        parts = [self._part("text", message.text)]
        if message.data is not None:
            parts.append(self._part("data", self._data(message.data)))
        written: dict[str, Any] = {
            "messageId": str(uuid4()),
            "role": self.role,
            "parts": parts,
        }
        if self.has_kinds:
            written["kind"] = "message"
        if message.language:
            written["metadata"] = {"language": message.language}
        if message.context_id:
            written["contextId"] = message.context_id
        if message.task_id:
            written["taskId"] = message.task_id
        name, value = self.at_once
        configuration = {
            "acceptedOutputModes": list(_OUTPUT_MODES),
            "historyLength": 0,
            name: value,
        }
        return {"message": written, "configuration": configuration}

    def _part(self, kind: str, value: Any) -> dict[str, Any]:
        """Return a part of a message."""
        return {kind: value} | ({"kind": kind} if self.has_kinds else {})

    def _data(self, data: Any) -> Any:
        """Return data as a part can hold them."""
        return data if not self.has_kinds or isinstance(data, dict) else {"data": data}


V1_0 = Version(
    name="1.0",
    send="SendMessage",
    get="GetTask",
    cancel="CancelTask",
    role="ROLE_USER",
    has_kinds=False,
    at_once=("returnImmediately", True),
)
V0_3 = Version(
    name="0.3",
    send="message/send",
    get="tasks/get",
    cancel="tasks/cancel",
    role="user",
    has_kinds=True,
    at_once=("blocking", False),
)


def find_version(written: str | None) -> Version | None:
    """Return the version of an agent card's entry, None for one that is not spoken here.

    Before 0.3 cards named none; 0.2 differs in nothing that is used here.
    """
    if not written:
        return V0_3
    major, _, rest = written.strip().partition(".")
    if major == "1":
        return V1_0
    return V0_3 if major == "0" and rest.partition(".")[0] in {"2", "3"} else None


def encode_call(request_id: str, method: str, params: dict[str, Any]) -> bytes:
    """Return a JSON-RPC request, in ASCII: half a character, which a transcript may hold, can be sent too."""
    call = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(call).encode()
