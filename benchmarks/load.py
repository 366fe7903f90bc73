"""What routing needs of the machine: memory, many decisions at once, the event loop."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
import gc
from itertools import islice
import time
import tracemalloc

from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.intent import IntentResponseType

from custom_components.bellboard.assistant import UNROUTED_AGENTS, Assistant
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.routing.models import Source
from custom_components.bellboard.routing.router import RoutingRequest

from .agents import CORE, OURS, async_set_up, said_to_ours
from .figures import Figure
from .homes import Home, async_home
from .instant_model import InstantSession
from .sentences import MODEL_SENTENCES, mixed_sentences, reflex_sentences, routed_sentences
from .stopwatch import Stopwatch

MEMORY_MB = 1.0
AT_ONCE = 50
BLOCKED_MS = 10.0
_CONVERSATIONS = 10
_TICK = 0.001


async def async_routing_request(
    home: Home, assistant: Assistant, sentence: str, model: ModelClient | None
) -> RoutingRequest:
    """Return what the routers are asked in a turn with this sentence."""
    catalog = await assistant.catalog.async_get()
    user_input = said_to_ours(home, sentence)
    return RoutingRequest(
        user_input=user_input,
        language=await async_get_language(home.hass, "en"),
        cards=[
            card
            for card in assistant.registry.cards(catalog.by_domain)
            if card.id not in UNROUTED_AGENTS
        ],
        model=model,
        timeout=120,
        options=assistant.options.router,
    )


async def async_measure_memory() -> Figure:
    """Return the most memory that one routing operation held at once, in a home of 1,000."""
    async with async_home(1000) as home:
        assistant = await async_set_up(home, InstantSession())
        peaks: list[int] = []
        for sentence in MODEL_SENTENCES:
            request = await async_routing_request(home, assistant, sentence, assistant.model)
            # The first time, what is loaded once is loaded.
            await assistant.router.async_route(request)
            gc.collect()
            tracemalloc.start()
            before, _ = tracemalloc.get_traced_memory()
            await assistant.router.async_route(request)
            peaks.append(tracemalloc.get_traced_memory()[1] - before)
            tracemalloc.stop()
    return Figure(
        value=max(peaks) / 1e6, limit=MEMORY_MB, unit="MB", details={"operations": len(peaks)}
    )


async def async_measure_at_once() -> Figure:
    """Return how many of 50 turns that begin together are routed, without an error and in order.

    They are the first turns of all in a home of 1,000, so that the home is still being read.
    """
    async with async_home(1000) as home:
        assistant = await async_set_up(home, InstantSession(most_seconds=0.02))
        await async_get_language(home.hass, "en")
        spoken = [
            (f"conversation {number % _CONVERSATIONS}", sentence)
            for number, sentence in enumerate(islice(routed_sentences(home), AT_ONCE))
        ]
        results = await asyncio.gather(
            *(home.async_say(text, home.agents[OURS], conversation_id=id_) for id_, text in spoken),
            return_exceptions=True,
        )
        good = 0
        heard: dict[str, list[str]] = {}
        for (id_, _), result in zip(spoken, results, strict=True):
            task = assistant.tasks.get(id_)
            heard[id_] = [m.content for m in task.history if m.role == "user"] if task else []
            good += not isinstance(result, BaseException) and (
                result.response.response_type is not IntentResponseType.ERROR
            )
        in_order = all(
            said == [text for id_, text in spoken if id_ == conversation]
            for conversation, said in heard.items()
        )
        by_model = sum(
            agent["source"] == Source.MODEL for trace in assistant.traces for agent in trace.agents
        )
    return Figure(
        value=good if in_order else 0,
        limit=AT_ONCE,
        unit="turns",
        exact=True,
        details={
            "conversations": len(heard),
            "in_order": in_order,
            "routed_by_the_model": by_model,
        },
    )


async def async_measure_blocking(turns: int) -> Figure:
    """Return the longest time the event loop was ours without a break, in a home of 1,000.

    Measured step by step in the processor's time, so that other programs on the machine do not
    count, and Home Assistant's own steps inside ours are taken off. Every fifth turn finds the home
    changed, so that it has to be read again. Beside it, by the clock: the longest step, and how
    late the loop was altogether, with our agent and with Home Assistant's.
    """
    async with async_home(1000) as home:
        await async_set_up(home, InstantSession())
        await home.async_say("turn on the lights", home.agents[CORE])
        # The collector looks at everything this process ever made, other homes too, in whatever
        # step it happens to run: some 250 ms, with our agent and with Home Assistant's.
        gc.collect()
        gc.freeze()
        watch = Stopwatch()
        with watch.watching():
            ours = await _async_lateness(home, OURS, islice(mixed_sentences(home), turns))
        core = await _async_lateness(home, CORE, islice(reflex_sentences(home), turns))
    steps = sorted((step.processor * 1000 for step in watch.steps), reverse=True)
    return Figure(
        value=steps[0],
        limit=BLOCKED_MS,
        unit="ms",
        details={
            "second": steps[1],
            "steps": len(steps),
            "longest_in_reading_the_home": max(s.processor for s in watch.catalog_steps) * 1000,
            "longest_by_the_clock": max(step.clock for step in watch.steps) * 1000,
            "loop_late_with_ours_ms": ours * 1000,
            "loop_late_with_home_assistant_ms": core * 1000,
        },
    )


async def _async_lateness(home: Home, agent: str, sentences: Iterable[str]) -> float:
    """Return how late the event loop was at the most while an agent answered, in seconds."""
    gc.collect()
    async with _watchdog() as lateness:
        for number, sentence in enumerate(sentences):
            if number % 5 == 0:
                ar.async_get(home.hass).async_create(f"New Room {agent} {number}")
                await home.hass.async_block_till_done()
            await home.async_say(sentence, home.agents[agent])
    return lateness.most


@dataclass(slots=True)
class Lateness:
    """How late the event loop was at the most, in seconds."""

    most: float = 0.0


@asynccontextmanager
async def _watchdog() -> AsyncGenerator[Lateness]:
    """Look every millisecond how late the event loop is."""
    lateness = Lateness()
    task = asyncio.create_task(_async_watch(lateness))
    try:
        yield lateness
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _async_watch(lateness: Lateness) -> None:
    """Keep the longest delay of a timer of one millisecond."""
    while True:
        started = time.perf_counter()
        await asyncio.sleep(_TICK)
        lateness.most = max(lateness.most, time.perf_counter() - started - _TICK)
