"""Processor time of a turn against Home Assistant's own agent, in pairs, by language and size of the home.

    python -m benchmarks.paired --entities 100 --language de --pairs 60

prints JSON: the ratio for sentences that both understand, for those that only ours does (there Home Assistant's
agent takes its time to find nothing), the first sentence after a start and after a change of the home beside the
second one, and the longest time that the event loop stood still.
"""

import argparse
import asyncio
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import gc
from itertools import cycle, islice
import json
from statistics import median
import time
from typing import Any
from unittest.mock import patch

from homeassistant.components import conversation
from homeassistant.core import Context
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.intent import IntentResponseType

from custom_components.bellboard.turn import warm_up

from .agents import CORE, OURS, async_set_up, forget_sentences
from .figures import percentile
from .homes import Home, async_home

BOTH: dict[str, tuple[str, ...]] = {
    "en": (
        "turn on {light}",
        "turn off the lights in the {room}",
        "set {light} to 50%",
        "turn off {light}",
        "turn on all the lights in the {room}",
        "set the {room} brightness to 30%",
    ),
    "de": (
        "schalte {light} ein",
        "schalte das Licht im {room} aus",
        "stelle {light} auf 50 % Helligkeit",
        "mach {light} aus",
        "schalte alle Lichter im {room} ein",
    ),
    "es": (
        "enciende {light}",
        "apaga las luces de {room}",
        "pon {light} al 50 %",
        "apaga {light}",
        "enciende todas las luces de {room}",
    ),
}
"""Sentences that Home Assistant's agent understands; one that it does not is left out and counted."""

OURS_ONLY: dict[str, tuple[str, ...]] = {
    "en": (
        "switch off all in the {room} but {light}",
        "I would like {light} somewhat darker",
    ),
    "de": (
        "alles aus im {room} außer {light}",
        "könntest du {light} ein bisschen dunkler machen bitte",
    ),
    "es": (
        "apaga todo en {room} menos {light}",
        "podrías bajar un poco {light} por favor",
    ),
}
"""Sentences that only our agent understands."""


@dataclass(slots=True)
class LoopWatch:
    """The longest step of the event loop, in milliseconds of its processor time, garbage collection included."""

    longest_ms: float = 0.0
    step: str = ""

    @contextmanager
    def watching(self) -> Generator[None]:
        """Watch, from the start."""
        self.longest_ms, run = 0.0, asyncio.Handle._run  # noqa: SLF001

        def timed(handle: asyncio.Handle) -> None:
            started = time.thread_time()
            run(handle)
            if (took := (time.thread_time() - started) * 1000) > self.longest_ms:
                self.longest_ms, self.step = took, repr(handle)[:300]

        with patch.object(asyncio.Handle, "_run", timed):
            yield


def _sentences(home: Home, patterns: tuple[str, ...]) -> Iterator[str]:
    """Yield sentences about one room after the other, without end."""
    for number, (pattern, room) in enumerate(zip(cycle(patterns), cycle(home.rooms), strict=False)):
        yield pattern.format(room=room.name, light=room.lights[number % len(room.lights)])


async def _async_timed(home: Home, text: str, agent: str, language: str) -> tuple[float, bool]:
    """Return the seconds of processor time of a turn, and whether something was done."""
    started = time.process_time()
    result = await conversation.async_converse(
        home.hass, text, None, Context(), language=language, agent_id=home.agents[agent]
    )
    used = time.process_time() - started
    await home.hass.async_block_till_done()
    return used, result.response.response_type is IntentResponseType.ACTION_DONE


async def _async_compare(
    home: Home, patterns: tuple[str, ...], pairs: int, language: str, *, by_both: bool
) -> dict[str, Any]:
    """Return the ratios of pairs; with `by_both` only of those that both agents carried out."""
    ratios: list[float] = []
    times: dict[str, list[float]] = {OURS: [], CORE: []}
    left_out: list[str] = []
    orders = cycle(((OURS, CORE), (CORE, OURS), (CORE, OURS), (OURS, CORE)))
    sentences = _sentences(home, patterns)
    tried = 0
    while len(ratios) < pairs and tried < 3 * pairs:
        tried += 1
        text, used, done = next(sentences), {}, {}
        for agent in next(orders):
            forget_sentences(home)
            used[agent], done[agent] = await _async_timed(home, text, agent, language)
        if not done[OURS] or (by_both and not done[CORE]):
            left_out.append(text)
            continue
        ratios.append(used[OURS] / used[CORE])
        for agent, seconds in used.items():
            times[agent].append(seconds * 1000)
    if not ratios:
        return {"pairs": 0, "left_out": left_out[:4]}
    return {
        "pairs": len(ratios),
        "median": round(median(ratios), 3),
        "p95": round(percentile(ratios, 95), 3),
        "ours_ms": round(median(times[OURS]), 2),
        "home_assistant_ms": round(median(times[CORE]), 2),
        "left_out": len(left_out),
    }


async def _async_settle(home: Home) -> None:
    """Wait until the indexes of the home are built."""
    await asyncio.sleep(warm_up.SETTLE_SECONDS + 0.2)
    await home.hass.async_block_till_done(wait_background_tasks=True)


async def _async_first(home: Home, language: str) -> dict[str, float]:
    """Return the milliseconds of processor time of a sentence that only ours reads, and of the next one."""
    sentences = _sentences(home, OURS_ONLY[language][:1])
    first, _ = await _async_timed(home, next(sentences), OURS, language)
    second, _ = await _async_timed(home, next(sentences), OURS, language)
    return {"first_ms": round(first * 1000, 2), "second_ms": round(second * 1000, 2)}


async def async_measure(entities: int, language: str, pairs: int) -> dict[str, Any]:
    """Return all figures for one size and language."""
    found: dict[str, Any] = {"entities": entities, "language": language}
    async with async_home(entities) as home:
        home.hass.config.language = language
        # Home Assistant loads its own sentences before somebody speaks, too.
        if agent := conversation.async_get_agent(home.hass):
            await agent.async_prepare(language)
        watch = LoopWatch()
        with watch.watching():
            await async_set_up(home)
            await _async_settle(home)
        found["block_while_warming_ms"] = round(watch.longest_ms, 1)
        found["block_while_warming"] = watch.step
        found["after_start"] = await _async_first(home, language)
        ar.async_get(home.hass).async_create("Orangery")
        with watch.watching():
            await _async_settle(home)
        found["block_after_change_ms"] = round(watch.longest_ms, 1)
        found["after_change"] = await _async_first(home, language)
        gc.collect()
        found["both"] = await _async_compare(home, BOTH[language], pairs, language, by_both=True)
        with watch.watching():
            for text in islice(_sentences(home, BOTH[language] + OURS_ONLY[language]), pairs):
                await _async_timed(home, text, OURS, language)
        found["block_in_a_turn_ms"] = round(watch.longest_ms, 1)
        found["ours_only"] = await _async_compare(
            home, OURS_ONLY[language], max(4, pairs // 3), language, by_both=False
        )
    return found


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=100)
    parser.add_argument("--language", choices=sorted(BOTH), default="en")
    parser.add_argument("--pairs", type=int, default=60)
    options = parser.parse_args()
    print(json.dumps(asyncio.run(async_measure(options.entities, options.language, options.pairs))))


if __name__ == "__main__":
    main()
