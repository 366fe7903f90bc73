"""One turn of a conversation: what was said, what was done, and what changed in the house."""

import asyncio
from dataclasses import asdict, dataclass, field
import time
from typing import TYPE_CHECKING, Any

from .api import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .api import Api

SETTLE_STEP = 0.1
SETTLE_SECONDS = 2.0

VOLATILE = ("media_position", "entity_picture", "access_token")
"""Attributes that change by themselves; so does whatever ends in _updated_at."""

HOME_ASSISTANT = "conversation.home_assistant"

NO_USAGE = {"calls": 0, "prompt_tokens": 0, "cached_tokens": 0, "completion_tokens": 0}

type States = dict[str, dict[str, Any]]


@dataclass(slots=True)
class Turn:
    """A turn as it is printed: in this order, under these names."""

    utterance: str
    agents: list[dict[str, Any]]
    """Who answered: id, confidence, and where the confidence comes from."""
    calls: list[dict[str, Any]]
    """What was called in Home Assistant: action and data."""
    changes: dict[str, dict[str, Any]]
    """What changed in the house: entity id to the states from and to, and the attributes."""
    reply: str
    state: str
    """The task's state, such as completed or input-required."""
    ms: int
    """How long the answer took, seen from outside."""
    llm: dict[str, int] = field(default_factory=NO_USAGE.copy)
    """Calls of the model and their tokens."""

    def as_dict(self) -> dict[str, Any]:
        """Return the turn as JSON has it."""
        return asdict(self)


class Conversation:
    """Turns that belong together, with one agent, in one language and from one place."""

    def __init__(
        self,
        api: Api,
        agent: str,
        *,
        language: str,
        device_id: str | None,
        ignored: Iterable[str],
    ) -> None:
        """Begin a conversation; what the ignored entities do is not part of the house."""
        self._api = api
        self._agent = agent
        self._language = language
        self._device_id = device_id
        self._ignored = frozenset(ignored)
        self._id: str | None = None
        self._traced: str | None = None

    async def prepare(self) -> None:
        """Let the agents load the language's sentences, as a voice pipeline does when it wakes."""
        for agent in {self._agent, HOME_ASSISTANT}:
            await self._api.command("conversation/prepare", agent_id=agent, language=self._language)

    async def say(self, text: str) -> Turn:
        """Say something and return what came of it, once the house has settled."""
        before = await self._states()
        body = {"text": text, "agent_id": self._agent, "language": self._language}
        if self._id:
            body["conversation_id"] = self._id
        if self._device_id:
            body["device_id"] = self._device_id
        started = time.perf_counter()
        answer = await self._api.post("/api/conversation/process", body)
        elapsed = round((time.perf_counter() - started) * 1000)
        self._id = answer["conversation_id"]
        after = await self._settled()
        response = answer["response"]
        turn = Turn(
            utterance=text,
            agents=[],
            calls=[],
            changes=changes(before, after),
            reply=response["speech"].get("plain", {}).get("speech") or "",
            state=str(response["response_type"]),
            ms=elapsed,
        )
        await self._add_trace(turn)
        return turn

    async def _add_trace(self, turn: Turn) -> None:
        """Add what only Bellboard knows; another agent leaves no trace."""
        try:
            found = await self._api.command("bellboard/traces", conversation_id=self._id)
        except CommandError as error:
            if error.code == "unknown_command":
                return
            raise
        traces = found["traces"]
        if not traces or traces[-1]["id"] == self._traced:
            return
        trace = traces[-1]
        self._traced = trace["id"]
        turn.agents = [
            {key: agent.get(key) for key in ("id", "confidence", "source")}
            for agent in trace["agents"]
        ]
        turn.calls = [{"action": call["action"], "data": call["data"]} for call in trace["calls"]]
        turn.state = trace["state"]
        turn.llm = {key: int(trace["llm"].get(key) or 0) for key in NO_USAGE}

    async def _states(self) -> States:
        listed = await self._api.get("/api/states")
        return {
            state["entity_id"]: state
            for state in listed
            if state["entity_id"] not in self._ignored
            # An assistant's state is the time it last spoke.
            and not state["entity_id"].startswith("conversation.")
        }

    async def _settled(self) -> States:
        """Return the states once they stand still, or after a while as they are then."""
        deadline = time.monotonic() + SETTLE_SECONDS
        states = await self._states()
        while time.monotonic() < deadline:
            await asyncio.sleep(SETTLE_STEP)
            later = await self._states()
            if not changes(states, later):
                return later
            states = later
        return states


def changes(before: States, after: States) -> dict[str, dict[str, Any]]:
    """Return what differs: entity id to {from, to} and, if any do, attributes {name: {from, to}}.

    An entity that came or went has no state (None) on the side where it was not. Where the state
    differs, attributes that the new state does not have (a light's colour once it is off) are left
    out.
    """
    found: dict[str, dict[str, Any]] = {}
    for entity_id in sorted(before.keys() | after.keys()):
        old, new = before.get(entity_id, {}), after.get(entity_id, {})
        attributes = _attribute_changes(old.get("attributes", {}), new.get("attributes", {}))
        if old.get("state") != new.get("state"):
            attributes = {
                name: values for name, values in attributes.items() if values["to"] is not None
            }
        if old.get("state") != new.get("state") or attributes:
            found[entity_id] = {"from": old.get("state"), "to": new.get("state")}
            if attributes:
                found[entity_id]["attributes"] = attributes
    return found


def _attribute_changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: {"from": old.get(name), "to": new.get(name)}
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
        and name not in VOLATILE
        and not name.endswith("_updated_at")
    }
