#!/usr/bin/env python3
"""Measures Home Assistant's strict recognition with the index of its templates and without.

python benchmarks/recognition.py                    English, German and Spanish in a home of 100 entities
python benchmarks/recognition.py --entities 1000
python benchmarks/recognition.py --rounds 20
Prints one JSON object: by language the median milliseconds a sentence by the clock and of the processor,
and the median of the ratios of pairs. Both ways are asked for each sentence one after the other, each as
often first as second, and neither finds the sentence recognised already.
"""

import argparse
import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
import json
from pathlib import Path
from statistics import median
import sys
import time
from typing import Any, cast

sys.path[0] = str(Path(__file__).resolve().parent.parent)

# ruff: noqa: E402 (the repository is on the path only now)
from hassil.recognize import RecognizeResult
from homeassistant.components.conversation import ConversationInput, async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import Context

from benchmarks.agents import forget_sentences
from benchmarks.figures import percentile
from benchmarks.homes import Home, async_home
from custom_components.bellboard.nlu.strict_recognition import (
    async_prepare_recognition,
    async_recognize_strict,
)

PATTERNS = {
    "en": (
        "turn on {light}",
        "turn off the lights in the {room}",
        "set {light} brightness to 40 percent",
        "what is the temperature in the {room}",
        "is {light} on",
        "turn on the tide engine",
        "everything off in the {room} except the lamps",
        "why is the sky over the {room} blue",
    ),
    "de": (
        "schalte {light} ein",
        "mach das Licht im {room} aus",
        "stell die Helligkeit von {light} auf 40 Prozent",
        "wie warm ist es im {room}",
        "ist {light} an",
        "schalte den Fluxkompensator ein",
        "alles im {room} aus bis auf die Lampen",
        "warum ist der Himmel über dem {room} blau",
    ),
    "es": (
        "enciende {light}",
        "apaga las luces de {room}",
        "pon el brillo de {light} al 40 por ciento",
        "qué temperatura hace en {room}",
        "está encendida {light}",
        "enciende el condensador de fluzo",
        "apaga todo en {room} menos las lámparas",
        "por qué es azul el cielo sobre {room}",
    ),
}
"""Sentences by language: three commands, two questions and three that have no template."""


@dataclass(slots=True)
class _Times:
    """Milliseconds of each sentence, by the clock and of the processor."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def as_json(self) -> dict[str, float]:
        """Return what they come to."""
        return {
            "median_ms": round(median(self.clock), 3),
            "p95_ms": round(percentile(self.clock, 95), 3),
            "median_processor_ms": round(median(self.processor), 3),
        }


def _sentences(home: Home, language: str) -> Iterator[str]:
    """Yield sentences of a language with the names of a home, without end."""
    lights = cycle(home.lights)
    for room in cycle(home.rooms):
        for pattern in PATTERNS[language]:
            yield pattern.format(light=next(lights), room=room.name)


async def _async_recognize(
    home: Home, agent: DefaultAgent, said: ConversationInput, *, by_index: bool
) -> RecognizeResult | None:
    """Return the strict result of a sentence."""
    if by_index:
        return await async_recognize_strict(home.hass, agent, said)
    return await agent.async_recognize_intent(said, strict_intents_only=True)


async def _async_compare(home: Home, language: str, rounds: int) -> dict[str, Any]:
    """Return the times of a language's sentences, each recognised both ways."""
    agent = cast("DefaultAgent", async_get_agent(home.hass))
    started = time.process_time()
    await agent.async_prepare(language)
    await _async_recognize(home, agent, _said("?", language), by_index=False)
    loaded = time.process_time()
    await async_prepare_recognition(home.hass, agent, language)
    built = time.process_time()
    times = {True: _Times(), False: _Times()}
    different = recognized = 0
    count = rounds * len(PATTERNS[language])
    for number, text in enumerate(islice(_sentences(home, language), count)):
        results = {}
        for by_index in (True, False) if number // 2 % 2 else (False, True):
            forget_sentences(home)
            clock, processor = time.perf_counter(), time.process_time()
            results[by_index] = await _async_recognize(
                home, agent, _said(text, language), by_index=by_index
            )
            times[by_index].clock.append((time.perf_counter() - clock) * 1000)
            times[by_index].processor.append((time.process_time() - processor) * 1000)
        different += results[True] != results[False]
        recognized += results[False] is not None
    return {
        "sentences": count,
        "recognized": recognized,
        "different": different,
        "all_templates": times[False].as_json(),
        "with_index": times[True].as_json(),
        "ratio_median": _ratio(times[True].clock, times[False].clock),
        "ratio_median_processor": _ratio(times[True].processor, times[False].processor),
        "load_processor_ms": round((loaded - started) * 1000, 1),
        "build_processor_ms": round((built - loaded) * 1000, 1),
    }


def _ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the ratios of pairs."""
    return round(median(one / other for one, other in zip(ours, theirs, strict=True)), 3)


def _said(text: str, language: str) -> ConversationInput:
    """Return a sentence as Home Assistant's agent takes it."""
    return ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=None,
        satellite_id=None,
        language=language,
        agent_id="conversation.home_assistant",
    )


async def _async_measure(entities: int, rounds: int) -> dict[str, Any]:
    """Return the figures of all languages."""
    async with async_home(entities) as home:
        return {language: await _async_compare(home, language, rounds) for language in PATTERNS}


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    found = asyncio.run(_async_measure(arguments.entities, arguments.rounds))
    print(json.dumps({"entities": arguments.entities, "languages": found}, indent=2))


if __name__ == "__main__":
    main()
