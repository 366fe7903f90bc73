"""How much of a capable model's prompts its server has read before, over turns between which the home changes.

A real server reads the prompts. What is answered to them is fixed, so that each role is asked for as often each time
and nothing but sentences that are understood without a model changes the home.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
import json
from typing import Any
from unittest.mock import patch

from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.models import Completion, Delta, JsonSchema, Message, Usage
from custom_components.bellboard.llm.providers import create_client

from .agents import OURS, async_connect
from .figures import Figure, unmeasured
from .homes import async_demo_home

READ_ANEW_PERCENT = 10.0
# In seconds: a prompt that was never read takes long on a small machine.
_PATIENCE = 120.0
_NOBODY = "I would rather not."

TURNS: tuple[tuple[str, str, str], ...] = (
    ("light", "Living Room", "something dreamy for the sofa"),
    ("", "Kitchen", "turn on the sideboard lamp"),
    ("music", "Kitchen", "I am in the mood for some saxophone"),
    ("climate", "Bathroom", "something like a sauna for my toes"),
    ("", "Office", "turn off the desk lamp"),
    ("light", "Office", "my eyes hurt, that is far too much"),
    ("general", "Kitchen", "who was the first to bake a cake"),
    ("home", "Bedroom", "a breeze would be nice now"),
    ("", "Bedroom", "set the kitchen pendant to 30 percent"),
    ("light", "Kitchen", "I cannot see what I am chopping"),
    ("music", "Living Room", "that tune is too wild for breakfast"),
    ("", "Living Room", "set the living room thermostat to 20 degrees"),
    ("climate", "Living Room", "winter has come early this year"),
    ("general", "Office", "why do cats purr"),
    ("home?", "Office", "which room looks the cosiest"),
    ("", "Kitchen", "turn on the mirror light"),
    ("light", "Hallway", "nobody shall stumble here tonight"),
    ("home", "Living Room", "the sun blinds me on the sofa"),
    ("", "Kitchen", "pause the music in the kitchen"),
    ("music", "Kitchen", "rather something that my grandfather would like"),
    ("climate", "Bedroom", "the air is as dry as a biscuit"),
    ("", "Living Room", "close the living room blinds"),
    ("home?", "Living Room", "does anything waste energy as it is"),
    ("home", "Kitchen", "a coffee would be heaven"),
    ("light", "Dining Room", "could we have a romantic mood at the table"),
    ("general", "Bedroom", "how far away is the moon"),
    ("", "Bedroom", "turn off the left bedside lamp"),
    ("light", "Bedroom", "as in a ship's cabin at night"),
    ("music", "Office", "some piano would help me to concentrate"),
    ("climate", "Office", "I am melting at my desk"),
    ("", "Office", "turn on the bookshelf lights"),
    ("home?", "Office", "where would a burglar find it easiest"),
    ("home", "Hallway", "I am off, see to the rest"),
    ("light", "Kids Room", "she is afraid of the dark"),
    ("general", "Kids Room", "tell me why the sky is blue"),
    ("home?", "Kids Room", "would it be too bright to sleep anywhere upstairs"),
)
"""Who is to answer, with "?" a question, "" for nobody but the reader, where it is said, and what."""


@dataclass(slots=True)
class Share:
    """What a server was sent for one role: calls and tokens, all but those of the first call."""

    calls: int = 0
    read: int = 0
    cached: int = 0

    def add(self, usage: Usage) -> None:
        """Count a call; the first one cannot have been read before."""
        self.calls += 1
        if self.calls > 1:
            self.read += usage.prompt_tokens
            self.cached += usage.cached_tokens

    @property
    def percent(self) -> float:
        """Return the share that was read before."""
        return 100 * self.cached / self.read if self.read else 0.0


@dataclass(slots=True)
class ReadingModel:
    """A client that lets its server read each prompt, counts what of it was cached, and answers as planned."""

    inner: ModelClient
    shares: dict[str, Share]
    agent: str = ""

    @property
    def role(self) -> str:
        """Return what the agent of the turn is asked as."""
        return self.agent.replace("?", "_question")

    @property
    def provider(self) -> str:
        """The name of the kind of server."""
        return self.inner.provider

    @property
    def model(self) -> str:
        """The name the server knows the model by."""
        return self.inner.model

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the names of the server's models."""
        return await self.inner.list_models(timeout=timeout)

    async def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, **_options: Any
    ) -> Completion:
        """Answer with the agent of the turn, an empty plan, or a few words."""
        parts = schema is not None and "parts" in schema["properties"]
        usage = await self._async_read(messages, "router" if parts else self.role)
        data = _answer(self.agent, messages, schema) if schema else None
        text = json.dumps(data) if data else _NOBODY
        return Completion(text=text, data=data, usage=usage, model=self.model)

    async def stream(self, messages: Sequence[Message], **_options: Any) -> AsyncGenerator[Delta]:
        """Answer with a few words."""
        usage = await self._async_read(messages, self.role)
        yield Delta(text=_NOBODY, usage=usage, finish_reason="stop")

    async def _async_read(self, messages: Sequence[Message], role: str) -> Usage:
        """Let the server read a prompt and return what it counted."""
        found = await self.inner.complete(messages, max_tokens=1, timeout=_PATIENCE)
        if role:
            self.shares.setdefault(role, Share()).add(found.usage)
        return found.usage


def _answer(agent: str, messages: Sequence[Message], schema: JsonSchema) -> dict[str, Any]:
    """Return what obeys a schema: the sentence for the agent, or nothing to be done."""
    if "parts" not in schema["properties"]:
        return {"steps": [], "ask": "", "refuse": _NOBODY, "whose": ""}
    part = {
        "agent": agent.removesuffix("?"),
        "instruction": messages[-1].content.rpartition("\n")[2],
        "asks": agent.endswith("?"),
        "later": "",
        "confidence": 0.95,
    }
    return {"parts": [part], "question": ""}


async def async_measure_cached_prompts(url: str | None, reason: str) -> dict[str, Figure]:
    """Return the share of prompts in tokens that the server at an address had to read anew."""
    name = "capable_prompts_read_anew_percent"
    if url is None:
        return {name: unmeasured(READ_ANEW_PERCENT, "%", reason)}
    shares: dict[str, Share] = {}
    made: list[ReadingModel] = []

    def make(*arguments: Any, **options: Any) -> ReadingModel:
        made.append(ReadingModel(create_client(*arguments, **options), shares))
        return made[-1]

    target = "custom_components.bellboard.connections.connection.create_client"
    async with async_demo_home() as home:
        with patch(target, make):
            options: dict[str, Any] = {"contract": "capable", "router": {"learn_decisions": False}}
            home.agents[OURS] = await async_connect(home, url, assistant=options)
            shares.clear()
            for agent, room, text in TURNS:
                for each in made:
                    each.agent = agent
                await home.async_say(text, home.agents[OURS], room=room)
    every = Share(2, *(sum(getattr(s, key) for s in shares.values()) for key in ("read", "cached")))
    calls = {f"calls_{role}": share.calls for role, share in shares.items()}
    cached = {f"cached_percent_{role}": share.percent for role, share in shares.items()}
    return {
        name: Figure(
            value=100 - every.percent,
            limit=READ_ANEW_PERCENT,
            unit="%",
            details={**calls, "prompt_tokens": every.read, **cached},
        )
    }
