"""A capable model reads little: the prompts of the demo house keep to a number of tokens, four characters each."""

import json

import pytest

from tests.capable import brain
from tests.conftest import Setup, Speaker
from tests.servers.scripted import Ask


def tokens(ask: Ask, *, with_schema: bool = True) -> int:
    """Return about how many tokens a request to a model takes."""
    read = sum(len(message.content) for message in ask.messages)
    written = json.dumps(ask.schema, separators=(",", ":")) if with_schema and ask.schema else ""
    return (read + len(written)) // 4


def asked(speaker: Speaker, key: str) -> Ask:
    """Return the last request whose schema has a property."""
    assert speaker.model
    asks = speaker.model.requests
    return next(a for a in reversed(asks) if a.schema and key in a.schema["properties"])


@pytest.mark.parametrize(
    ("agent", "said", "most"),
    [
        ("light", "something dreamy in the living room", 1550),
        ("music", "something for the soul in the living room", 1000),
        ("climate", "something like a sauna in the bathroom", 1350),
    ],
)
async def test_a_specialist_keeps_to_its_budget(
    speak: Setup, agent: str, said: str, most: int
) -> None:
    speaker = await speak(brain((agent, said), nothing="No."), contract="capable")
    await speaker.say(said, area="Living Room")
    ask = asked(speaker, "steps")
    assert tokens(ask) <= most


async def test_the_router_sees_each_room_and_keeps_to_its_budget(speak: Setup) -> None:
    said = "something for the soul"
    speaker = await speak(brain(("general", said)), contract="capable")
    await speaker.say(said, area="Living Room")
    ask = asked(speaker, "parts")
    assert tokens(ask, with_schema=False) <= 450
