"""Runs all measurements one after the other and prints what they came to."""

import argparse
import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
import json
import logging
import os
import platform
import sys
from typing import Any

import aiohttp
from homeassistant.const import __version__ as home_assistant_version

from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.providers import create_client

from .cached_prompts import async_measure_cached_prompts
from .figures import Figure, table
from .latency import async_measure_routing
from .load import async_measure_at_once, async_measure_blocking, async_measure_memory
from .model_server import ModelServer, model_server
from .prompts import async_measure_prompts
from .talks import async_measure_conversations
from .turns import OURS_MS, async_measure_ours, async_measure_reflex_ratio


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures the figures Bellboard is held to.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--llm", metavar="URL", help='a model server\'s address, or "none"')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    with model_server(arguments.llm) as server:
        found = asyncio.run(_async_measure(server, quick=arguments.quick))
    if arguments.json:
        figures = {name: figure.as_json() for name, figure in found.items()}
        print(json.dumps({"figures": figures, "measured": _circumstances(server)}, indent=2))
    else:
        print(table(found))
        print(", ".join(f"{name}: {value}" for name, value in _circumstances(server).items()))


async def _async_measure(server: ModelServer, *, quick: bool) -> dict[str, Figure]:
    """Return all figures."""
    turns = 60 if quick else 400
    figures: dict[str, Figure] = {}
    async with _client(server) as model:
        _tell("prompts")
        figures |= await async_measure_prompts(model, server.reason)
    _tell("prompts of a capable model that were read before")
    figures |= await async_measure_cached_prompts(server.url, server.reason)
    _tell("routing")
    figures |= await async_measure_routing(server.url, server.reason, 1 if quick else 3)
    for entities in OURS_MS:
        _tell(f"turns in a home of {entities}")
        figures[f"ours_in_a_turn_p95_ms_{entities}_entities"] = await async_measure_ours(
            entities, turns
        )
    _tell("against Home Assistant")
    figures["reflex_against_home_assistant"] = await async_measure_reflex_ratio(100, turns)
    _tell("memory, decisions at once, event loop")
    figures["memory_of_one_routing_mb"] = await async_measure_memory()
    figures["routing_decisions_at_once"] = await async_measure_at_once()
    figures["event_loop_blocked_ms"] = await async_measure_blocking(turns)
    _tell("many conversations at once")
    figures |= await async_measure_conversations(12 if quick else 60)
    return figures


@asynccontextmanager
async def _client(server: ModelServer) -> AsyncGenerator[ModelClient | None]:
    """Give the client of a model server, or None where there is none."""
    if server.url is None:
        yield None
        return
    async with aiohttp.ClientSession() as session:
        client = create_client("openai", session, url=server.url)
        model, *_ = await client.list_models()
        yield create_client("openai", session, url=server.url, model=model)


def _circumstances(server: ModelServer) -> dict[str, Any]:
    """Return on what and when it was measured."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "home_assistant": home_assistant_version,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "model": "none" if server.url is None else "at the address given",
    }


def _tell(what: str) -> None:
    """Say on standard error what is measured now."""
    print(f"measuring: {what}", file=sys.stderr, flush=True)
