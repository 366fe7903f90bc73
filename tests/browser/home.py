"""The Home Assistant that the tests in a browser share, seen from outside by its API."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demonstration.api import Api
from demonstration.boot import HomeAssistant
from demonstration.conversation import Conversation, Turn
from demonstration.household import Owner, bellboard_entities

HOUSE = Path(__file__).with_name("house.yaml")
RELOAD_SECONDS = 30

type Condition = str | Mapping[str, Any]
"""How a device is: its state, or some of its attributes."""

_ACTIONS = {
    "cover": {"open": "open_cover", "closed": "close_cover", "current_position": "set_cover_position"},
    "lock": {"locked": "lock", "unlocked": "unlock"},
    "vacuum": {"cleaning": "start", "idle": "stop", "fan_speed": "set_fan_speed"},
}  # fmt: skip
"""The action that brings about a state, or the value of an attribute."""
_FIELDS = {"current_position": "position"}

_TOLD = ("calendar.", "conversation.", "event.", "sensor.")
"""Beginnings of the ids of what tells something of the house, and is not of it."""


def errors_of(running: HomeAssistant) -> list[str]:
    """Return what Bellboard logged as an error in a Home Assistant that has ended."""
    logged = running.log.read_text(encoding="utf-8").splitlines()
    return [line for line in logged if " ERROR " in line and "bellboard" in line]


@dataclass(frozen=True, slots=True)
class Home:
    """A running Home Assistant, and its owner, who is signed in to its API."""

    url: str
    api: Api
    owner: Owner

    async def arrange(self, devices: Mapping[str, Condition]) -> None:
        """Bring devices, by entity id, into a condition each."""
        for entity_id, condition in devices.items():
            domain = entity_id.partition(".")[0]
            if isinstance(condition, str):
                await self._act(domain, _ACTIONS[domain][condition], entity_id=entity_id)
                continue
            for name, value in condition.items():
                data = {"entity_id": entity_id, _FIELDS.get(name, name): value}
                await self._act(domain, _ACTIONS[domain][name], **data)

    async def states(self) -> dict[str, Any]:
        """Return the state and the attributes of every device by its entity id, without what only tells something."""
        return {
            state["entity_id"]: (state["state"], state["attributes"])
            for state in await self.api.get("/api/states")
            if not state["entity_id"].startswith(_TOLD)
        }

    async def await_loaded(self) -> None:
        """Wait until Bellboard is set up again, which it is after each change that a form has kept.

        Raises TimeoutError where it is not.
        """
        async with asyncio.timeout(RELOAD_SECONDS):
            # Another process has no event to wait for.
            while (await self.connection())["state"] != "loaded":  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def connection(self) -> dict[str, Any]:
        """Return Bellboard's one config entry."""
        [entry] = await self.api.command("config_entries/get", domain="bellboard")
        return dict(entry)

    async def say(self, agent: str, *texts: str, language: str = "en") -> Turn:
        """Say something to a conversation agent, as a conversation of its own; return its last turn."""
        ignored = await bellboard_entities(self.api)
        conversation = Conversation(
            self.api, agent, language=language, device_id=None, ignored=ignored
        )
        await conversation.prepare()
        return [await conversation.say(text) for text in texts][-1]

    async def _act(self, domain: str, action: str, **data: Any) -> None:
        await self.api.post(f"/api/services/{domain}/{action}", data)


def conditions(turn: Turn, wanted: Mapping[str, Condition]) -> dict[str, Condition]:
    """Return how the devices are that a turn changed, in the terms in which something is wanted of them.

    A device of which nothing is wanted is described by its state and all that changed of it.
    """
    found: dict[str, Condition] = {}
    for entity_id, change in turn.changes.items():
        attributes = {name: each["to"] for name, each in change.get("attributes", {}).items()}
        match wanted.get(entity_id):
            case str():
                found[entity_id] = change["to"]
            case None:
                found[entity_id] = {"state": change["to"], **attributes}
            case names:
                found[entity_id] = {name: attributes.get(name) for name in names}
    return found
