"""Processor time of routing decisions in the event loop, with a scripted model: the first after a start, and others.

    python -m benchmarks.first_decision

prints one line: our own part of a decision at the 95th percentile, and how much longer the first one takes than those
after it, each with the figure that it is held to. Nothing fails: the figures depend on the machine.
"""

import asyncio
from statistics import median
import time

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.turn import warm_up
from custom_components.bellboard.turn.decision import async_decide

from .agents import async_set_up, said_to_ours
from .figures import percentile
from .homes import Home, async_home
from .instant_model import InstantSession
from .sentences import MODEL_SENTENCES

OURS_MS = 10.0
FIRST_RATIO = 1.5
_ENTITIES = 100
_ROUNDS = 3
_NEXT = 5
"""Decisions after the first one that it is compared with."""


async def _async_timed(home: Home, assistant: Assistant, sentence: str) -> float:
    """Return the milliseconds that a decision keeps the event loop, without the time that others have the processor."""
    said = said_to_ours(home, sentence)
    began = time.thread_time()
    await async_decide(assistant, said)
    return (time.thread_time() - began) * 1000


async def async_measure() -> str:
    """Return the line with the figures."""
    async with async_home(_ENTITIES) as home:
        assistant = await async_set_up(home, InstantSession())
        await asyncio.sleep(warm_up.SETTLE_SECONDS + 0.2)
        await home.hass.async_block_till_done(wait_background_tasks=True)
        first, *others = [
            await _async_timed(home, assistant, sentence)
            for _ in range(_ROUNDS)
            for sentence in MODEL_SENTENCES
        ]
    ratio = first / median(others[:_NEXT])
    return (
        f"routing, our own part: p95 {percentile(others, 95):.1f} ms (at most {OURS_MS:.0f});"
        f" first decision after a start: {ratio:.2f} times the next ones (at most {FIRST_RATIO})"
    )


def main() -> None:
    """Print the line."""
    print(asyncio.run(async_measure()))


if __name__ == "__main__":
    main()
