#!/usr/bin/env python3
"""Measures what the port of the contract adds to a call of a model, beside asking the client at once.

python benchmarks/port.py            a table
python benchmarks/port.py --json     one JSON object on standard output, nothing else

The client answers at once, with a plan's prompt and schema. Calls by the port and without it take turns; what the port
adds is the difference of the medians. What it adds to a stream is for its pieces, without what it adds to any call.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
import gc
import json
from pathlib import Path
from statistics import median
import sys
import time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

# ruff: noqa: E402 (the repository is on the path only now)
from benchmarks.figures import Figure, percentile, table
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.models import Completion, Delta, Message, Usage
from custom_components.bellboard.llm.port import ModelPort, ModelUse

CALLS = 3000
PIECES = 200
STREAMS = 200
MOST_MS = 0.2
MOST_PIECE_MS = 0.002

_MESSAGES = (
    Message(
        role="system", content="You plan what is to be done.\n" + "- a device and its state\n" * 60
    ),
    Message(role="user", content="Request: make it cosy in the living room"),
)
_SCHEMA = {
    "type": "object",
    "properties": {f"field_{number}": {"enum": ["on", "off"]} for number in range(20)},
}
_ANSWER = Completion(
    text=json.dumps(dict.fromkeys(_SCHEMA["properties"], "on")),
    data={},
    usage=Usage(prompt_tokens=500, completion_tokens=60),
    model="instant",
)


class InstantClient:
    """A client that answers at once."""

    provider = "instant"
    model = "instant"

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Return the answer."""
        del messages, options
        return _ANSWER

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Yield the pieces of an answer."""
        del messages, options
        piece = Delta(text="word ")
        for _ in range(PIECES):
            yield piece
        yield Delta(finish_reason="stop")

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the one model."""
        return [self.model]


async def _async_completed(client: ModelClient) -> None:
    """Ask for a plan."""
    await client.complete(
        _MESSAGES, schema=_SCHEMA, schema_name="plan", temperature=0.0, max_tokens=400, timeout=30.0
    )


async def _async_streamed(client: ModelClient) -> None:
    """Ask for an answer in pieces."""
    async for _ in client.stream(_MESSAGES, max_tokens=400, timeout=60.0):
        pass


async def _async_added(
    ask: Callable[[ModelClient], Coroutine[Any, Any, None]], count: int
) -> tuple[float, dict[str, Any]]:
    """Return the milliseconds that the port adds to a call, and how long both take."""
    client = InstantClient()
    took: tuple[list[float], list[float]] = ([], [])
    for number in range(count + 50):
        clients: list[ModelClient] = [client, ModelPort(client, ModelUse())]
        for times, asked in zip(took, clients, strict=True):
            started = time.perf_counter()
            await ask(asked)
            if number >= 50:
                times.append((time.perf_counter() - started) * 1000)
    bare, ours = took
    details = {
        "bare_median_ms": median(bare),
        "port_median_ms": median(ours),
        "port_p95_ms": percentile(ours, 95),
        "calls": count,
    }
    return median(ours) - median(bare), details


async def async_measure() -> dict[str, Figure]:
    """Return the figures."""
    gc.collect()
    whole, of_whole = await _async_added(_async_completed, CALLS)
    streamed, of_streamed = await _async_added(_async_streamed, STREAMS)
    return {
        "added_to_a_call_ms": Figure(value=whole, limit=MOST_MS, unit="ms", details=of_whole),
        "added_to_a_piece_ms": Figure(
            value=(streamed - whole) / PIECES,
            limit=MOST_PIECE_MS,
            unit="ms",
            details={**of_streamed, "pieces": PIECES},
        ),
    }


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    figures = asyncio.run(async_measure())
    if parser.parse_args().json:
        print(json.dumps({name: figure.as_json() for name, figure in figures.items()}, indent=2))
    else:
        print(table(figures))


if __name__ == "__main__":
    main()
