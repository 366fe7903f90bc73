"""How long our prompts are, and whether their fixed part stays the same."""

from collections.abc import Iterable, Mapping
import json
from typing import Any

from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.models import Message

from .agents import OURS, async_set_up
from .figures import Figure, unmeasured
from .homes import Home, async_home
from .instant_model import InstantSession
from .sentences import MODEL_SENTENCES, place_sentences

ROUTER_TOKENS = 350
SPECIALIST_TOKENS = 700


async def async_measure_prompts(model: ModelClient | None, reason: str) -> dict[str, Figure]:
    """Return the figures on prompts; tokens are counted by the model's own server."""
    figures: dict[str, Figure] = {}
    bodies = await _async_router_bodies()
    figures["router_prompt_tokens"] = await _async_tokens(model, reason, bodies, ROUTER_TOKENS)
    figures["router_prompt_prefix_identical"] = _prefix(bodies)
    for lights in (10, 1000):
        bodies = await _async_specialist_bodies(lights)
        figures[f"specialist_prompt_tokens_{lights}_lights"] = await _async_tokens(
            model, reason, bodies, SPECIALIST_TOKENS
        )
    return figures


async def _async_router_bodies() -> list[dict[str, Any]]:
    """Return the router's requests of turns that differ in all that may differ."""
    session = InstantSession()
    async with async_home(100) as home:
        await async_set_up(home, session)
        for number, sentence in enumerate(MODEL_SENTENCES):
            room = home.rooms[number % len(home.rooms)]
            await home.async_say(sentence, home.agents[OURS], room=room.name)
            await _async_change(home, number)
            await home.async_say(sentence, home.agents[OURS], conversation_id="the same as before")
    return session.bodies_for("choice")


async def _async_change(home: Home, number: int) -> None:
    """Change the home: a light's state, and which entities there are."""
    name = home.lights[number % len(home.lights)]
    await home.async_say(f"turn on {name}", home.agents[OURS])
    home.hass.states.async_set(f"light.new_{number}", "on", {"friendly_name": f"New {number}"})


async def _async_specialist_bodies(lights: int) -> list[dict[str, Any]]:
    """Return the light specialist's requests, one for each room of a home."""
    session = InstantSession()
    async with async_home(lights, lights_only=True) as home:
        await async_set_up(home, session)
        for sentence in place_sentences(home):
            await home.async_say(sentence, home.agents[OURS])
    return session.bodies_for("plan")


async def _async_tokens(
    model: ModelClient | None, reason: str, bodies: list[dict[str, Any]], limit: int
) -> Figure:
    """Return the most tokens that a prompt had.

    Raises:
        RuntimeError: the sentences led to no such prompt.
    """
    if not bodies:
        raise RuntimeError("the sentences led to no such prompt")
    if model is None:
        return unmeasured(limit, "tokens", reason)
    # The longest in characters are the only ones that can be the longest in tokens.
    longest = sorted(_distinct(bodies), key=len, reverse=True)[:5]
    counts = [await _async_count(model, text) for text in longest]
    return Figure(
        value=max(counts),
        limit=limit,
        unit="tokens",
        details={"prompts": len(bodies), "counted_by": model.model or "the server's model"},
    )


def _distinct(bodies: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the messages of requests as JSON, each once."""
    return {json.dumps(body["messages"]) for body in bodies}


async def _async_count(model: ModelClient, messages: str) -> int:
    """Return how many tokens the server counts in messages."""
    asked = [Message(**message) for message in json.loads(messages)]
    completion = await model.complete(asked, max_tokens=1, timeout=120)
    return completion.usage.prompt_tokens


def _prefix(bodies: list[dict[str, Any]]) -> Figure:
    """Return whether all messages but the last are byte for byte the same in every request."""
    fixed = {json.dumps(body["messages"][:-1]).encode() for body in bodies}
    varying = {json.dumps(body["messages"][-1]) for body in bodies}
    return Figure(
        value=len(fixed) == 1 and len(varying) > 1,
        limit=True,
        unit="",
        exact=True,
        details={
            "requests": len(bodies),
            "different_beginnings": len(fixed),
            "bytes": min(len(prefix) for prefix in fixed),
        },
    )
