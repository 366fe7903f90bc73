"""Requests in each version of the A2A protocol, as JSON-RPC."""

from dataclasses import dataclass
import json
from typing import Any
from uuid import uuid4

VERSION_HEADER = "A2A-Version"

_OUTPUT_MODES = ("text/plain", "application/json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """Message to an agent: a text, data as any JSON, and the language of the text.

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
