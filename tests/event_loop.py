"""How long work keeps the event loop from everything else, by the processor's time of its thread.

Times are those of a machine of the usual speed: on one that is slower, or has more to do, what is measured is divided
by how much longer it takes for a fixed piece of work.
"""

import asyncio
from collections.abc import Awaitable, Callable
import gc
import time

STALL = 0.05
"""How long the event loop may be kept from everything else, in seconds."""

_ROUNDS = 15000
_USUAL = 0.0022
"""How long the fixed piece of work takes on a machine of the usual speed, in seconds."""


def slowness() -> float:
    """Return how much longer than usual this machine takes now, 1 at least."""
    started = time.thread_time()
    counts: dict[str, list[int]] = {}
    for at in range(_ROUNDS):
        counts.setdefault(f"{at % 97}", []).append(len(counts))
    sorted(counts, key=lambda name: (sum(counts[name]), name))
    return max(1.0, (time.thread_time() - started) / _USUAL)


async def longest_step(work: Callable[[], Awaitable[object]]) -> float:
    """Return the longest time that `work` kept the loop without a break, in seconds.

    Done again where it was too long, as something else may have run beside it.
    """
    longest = float("inf")
    for _ in range(8):
        slow = min(slowness() for _ in range(3))
        longest = min(longest, await first_longest_step(work) / slow)
        if longest < STALL:
            break
    return longest


async def first_longest_step(work: Callable[[], Awaitable[object]]) -> float:
    """Return the longest time that `work` kept the loop, done once: what it builds is built only then."""
    longest, is_over = 0.0, False

    async def watch() -> None:
        nonlocal longest
        while not is_over:
            started = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - started)

    watching = asyncio.create_task(watch())
    gc.disable()
    try:
        # The watch begins before the work does: what runs before the first await counts as well.
        await asyncio.sleep(0)
        await work()
    finally:
        gc.enable()
        is_over = True
        await watching
    return longest
