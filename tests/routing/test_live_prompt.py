"""The router's prompt stays small, counted by a real model's own tokenizer.

Runs where BELLBOARD_LLM_URL names a llama.cpp server.
"""

import os

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
import pytest

from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.prompt import routing_messages

from .conftest import CARDS

URL = os.environ.get("BELLBOARD_LLM_URL", "").rstrip("/")
MOST_TOKENS = 350

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not URL, reason="BELLBOARD_LLM_URL names no server"),
]


async def count(session: aiohttp.ClientSession, requests: list[str]) -> int:
    """Return how many tokens the server makes of the router's prompt, template included."""
    messages = [
        message.model_dump() for message in routing_messages(RouterOptions(), CARDS, requests)
    ]
    async with session.post(f"{URL}/apply-template", json={"messages": messages}) as response:
        prompt = (await response.json())["prompt"]
    body = {"content": prompt, "add_special": True, "parse_special": True}
    async with session.post(f"{URL}/tokenize", json=body) as response:
        return len((await response.json())["tokens"])


async def test_the_prompt_with_five_agents_and_examples_is_at_most_350_tokens(
    hass: HomeAssistant,
) -> None:
    session = async_get_clientsession(hass)
    assert await count(session, ["make the living room a bit brighter"]) <= MOST_TOKENS


async def test_a_further_request_costs_little_more_than_its_words(hass: HomeAssistant) -> None:
    session = async_get_clientsession(hass)
    one = await count(session, ["make it cosy"])
    assert await count(session, ["make it cosy", "put on a song"]) - one <= 15
