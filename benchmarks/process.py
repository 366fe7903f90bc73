#!/usr/bin/env python3
"""Measures the process that asks a model: how long its start takes, and whether it always answers.

python benchmarks/process.py            the start only
python benchmarks/process.py URL        also 200 requests in a row and 20 at once to the model server at URL
python benchmarks/process.py --json     one JSON object on standard output, nothing else

A start is measured from the first instruction of `scripts/llm-router-agent` to its end, with a request
that a server on this machine answers at once. Each start has one of `python -c "import aiohttp,
pydantic"` beside it; the ratio is the median of the pairs'.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
import json
import os
from pathlib import Path
from statistics import median
import sys
import time
from typing import Any
from uuid import uuid4

from aiohttp import web

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

# ruff: noqa: E402 (the repository is on the path only now)
from benchmarks.figures import Figure, percentile, table, unmeasured
from custom_components.bellboard.llm.envelope import ActionRequest
from custom_components.bellboard.llm.errors import ToolError
from custom_components.bellboard.llm.process import read_response

AGENT = ROOT / "scripts" / "llm-router-agent"
BARE = (sys.executable, "-c", "import aiohttp, pydantic")

STARTS = 40
"""Pairs of starts that are measured."""

MOST_START_RATIO = 1.3
IN_A_ROW = 200
AT_ONCE = 20

# A slow machine is not what is measured.
_PATIENCE = {"LLM_ROUTER_TIMEOUT": "300"}

# To questions like these also a small model has a short answer.
_COUNTRIES = ("France", "Italy", "Spain", "Japan", "Egypt")

_INSTANT = {"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]}


async def _async_ran(*command: str | Path, given: bytes = b"") -> tuple[float, int, bytes]:
    """Run a program to its end, and return its seconds, its exit code and what it wrote."""
    started = time.perf_counter()
    program = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **_PATIENCE, "PYTHON": sys.executable},
    )
    out, _ = await program.communicate(given)
    return time.perf_counter() - started, program.returncode or 0, out


def _request(url: str, prompt: str, model: str) -> dict[str, Any]:
    """Return a request for a model of an OpenAI-compatible server."""
    return {
        "request_id": str(uuid4()),
        "tool": "llm_router_agent",
        "action": "execute",
        "context": "",
        "correlation_id": str(uuid4()),
        "payload": {"prompt": prompt, "config": {"base_url": url, "model_name": model}},
    }


async def _async_asked(request: Mapping[str, Any]) -> tuple[float, bool]:
    """Return how many seconds a request took, and whether a model's text came back for it."""
    seconds, status, out = await _async_ran(AGENT, given=json.dumps(request).encode())
    try:
        response = read_response(ActionRequest.model_validate(request), status, out)
    except ToolError:
        return 0.0, False
    return seconds, response.result is not None and response.result.output_type == "text"


async def _async_starts() -> Figure:
    """Return how long a start takes, against one that only imports."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response(_INSTANT)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    request = _request(url, "Say hello.", "instant")
    pairs: list[tuple[float, float]] = []
    try:
        # The first ones write what Python keeps of modules it has compiled.
        for number in range(STARTS + 2):
            bare, _, _ = await _async_ran(*BARE)
            ours, is_right = await _async_asked(request)
            if not is_right:
                raise RuntimeError("the request was not answered")
            if number >= 2:
                pairs.append((ours, bare))
    finally:
        await runner.cleanup()
    ratios = [ours / bare for ours, bare in pairs]
    return Figure(
        value=median(ratios),
        limit=MOST_START_RATIO,
        unit="",
        details={
            "ours_median_ms": median(ours for ours, _ in pairs) * 1000,
            "bare_median_ms": median(bare for _, bare in pairs) * 1000,
            "ratio_p95": percentile(ratios, 95),
            "pairs": len(pairs),
        },
    )


async def _async_failures(requests: Sequence[Mapping[str, Any]], *, at_once: bool) -> Figure:
    """Return how many of some requests were not answered."""
    started = time.perf_counter()
    if at_once:
        asked = await asyncio.gather(*map(_async_asked, requests))
    else:
        asked = [await _async_asked(request) for request in requests]
    took = time.perf_counter() - started
    seconds = [each for each, is_right in asked if is_right]
    details = {"requests": len(asked), "seconds": took}
    if seconds:
        details |= {"median_ms": median(seconds) * 1000, "p95_ms": percentile(seconds, 95) * 1000}
    return Figure(value=len(asked) - len(seconds), limit=0, unit="", details=details)


async def async_measure(url: str | None, model: str) -> dict[str, Figure]:
    """Return all figures; those that need a model server only with its address."""
    figures = {"start_ratio": await _async_starts()}
    for name, count, at_once in (
        ("failed_of_200_in_a_row", IN_A_ROW, False),
        ("failed_of_20_at_once", AT_ONCE, True),
    ):
        if url is None:
            figures[name] = unmeasured(
                0, "", "not measured: it needs the address of a model server"
            )
            continue
        asked = [_COUNTRIES[number % len(_COUNTRIES)] for number in range(count)]
        requests = [
            _request(url, f"What is the capital of {country}? One word.", model)
            for country in asked
        ]
        figures[name] = await _async_failures(requests, at_once=at_once)
    return figures


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", help="the address of an OpenAI-compatible server")
    parser.add_argument("--model", default="smollm2", help="the name of its model")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = asyncio.run(async_measure(arguments.url, arguments.model))
    if arguments.json:
        print(json.dumps({name: figure.as_json() for name, figure in figures.items()}, indent=2))
    else:
        print(table(figures))


if __name__ == "__main__":
    main()
