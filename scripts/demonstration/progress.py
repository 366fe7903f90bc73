"""What the person who waits is told: each step as it begins, that it goes on, and how long it took."""

import asyncio
from contextlib import asynccontextmanager
import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TICK = float(os.environ.get("BELLBOARD_TICK", "8"))
"""Seconds after which is told that a step goes on."""


def tell(*words: str) -> None:
    """Tell the person what is going on: on standard error, for standard output holds the results."""
    print(*words, file=sys.stderr, flush=True)


def seconds_so_far() -> float:
    """Return the seconds since the script was called, or since this program began where that is not known."""
    began = os.environ.get("BELLBOARD_BEGAN", "")
    return time.time() - (int(began) if began.isdecimal() else _BEGAN)


_BEGAN = time.time()


@asynccontextmanager
async def step(what: str) -> AsyncIterator[None]:
    """Tell that something begins, every few seconds that it goes on, and at its end how long it took."""
    tell(what)
    began = time.monotonic()

    async def tick() -> None:
        """Tell that it goes on."""
        while True:
            await asyncio.sleep(TICK)
            tell(f"  … {time.monotonic() - began:.0f} s")

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
    tell(f"  {time.monotonic() - began:.1f} s")
