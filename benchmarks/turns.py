"""What a turn costs besides the model, and against Home Assistant's own agent."""

from collections.abc import Iterator
from itertools import islice
from statistics import median
import time

from homeassistant.helpers.intent import IntentResponseType

from .agents import CORE, OURS, async_set_up, forget_sentences
from .figures import Figure, percentile
from .homes import Home, async_home
from .instant_model import InstantSession
from .sentences import mixed_sentences, reflex_sentences
from .stopwatch import Stopwatch

OURS_MS = {10: 10.0, 100: 10.0, 1000: 25.0}
REFLEX_RATIO = 1.15


async def async_measure_ours(entities: int, turns: int) -> Figure:
    """Return the 95th percentile of the time in a turn that is ours.

    The model answers at once, the devices too; the recogniser's and the actions' time is taken off.
    The client of the model, with all it writes and reads, is ours.
    """
    session = InstantSession()
    async with async_home(entities) as home:
        await async_set_up(home, session)
        await _async_warm_up(home)
        watch = Stopwatch()
        with watch.watching():
            for sentence in islice(mixed_sentences(home), turns):
                await home.async_say(sentence, home.agents[OURS])
        await home.hass.async_block_till_done()
    ours = [seconds * 1000 for seconds in watch.turns]
    return Figure(
        value=percentile(ours, 95),
        limit=OURS_MS[entities],
        unit="ms",
        details={
            "p50": median(ours),
            "most": max(ours),
            "turns": len(ours),
            "model_calls": len(session.bodies),
        },
    )


async def async_measure_reflex_ratio(entities: int, pairs: int) -> Figure:
    """Return how long our turn takes against Home Assistant's own, for the same sentence.

    Both agents are asked in turn, each as often first as second, and neither finds the sentence
    recognised already. Ours has a model configured, as most have, which it does not need here.
    """
    session = InstantSession()
    async with async_home(entities) as home:
        await async_set_up(home, session)
        await _async_warm_up(home)
        asked = len(session.bodies)
        times: dict[str, list[float]] = {OURS: [], CORE: []}
        for sentence, order in zip(islice(reflex_sentences(home), pairs), _orders(), strict=False):
            for agent in order:
                forget_sentences(home)
                times[agent].append(await _async_timed(home, sentence, agent))
        needed = len(session.bodies) - asked
    ratios = [ours / core for ours, core in zip(times[OURS], times[CORE], strict=True)]
    return Figure(
        value=median(ratios),
        limit=REFLEX_RATIO,
        unit="times",
        details={
            "p95": percentile(ratios, 95),
            "ours_median_ms": median(times[OURS]) * 1000,
            "home_assistant_median_ms": median(times[CORE]) * 1000,
            "pairs": pairs,
            "model_calls": needed,
        },
    )


def _orders() -> Iterator[tuple[str, str]]:
    """Yield the order in which two agents are asked, each first as often as second."""
    while True:
        yield from ((OURS, CORE), (CORE, OURS), (CORE, OURS), (OURS, CORE))


async def _async_timed(home: Home, sentence: str, agent: str) -> float:
    """Return the seconds until an agent has answered.

    Raises:
        RuntimeError: it did not do what was said.
    """
    started = time.perf_counter()
    result = await home.async_say(sentence, home.agents[agent])
    elapsed = time.perf_counter() - started
    if result.response.response_type is not IntentResponseType.ACTION_DONE:
        raise RuntimeError(f"{agent} did not understand: {sentence}")
    return elapsed


async def _async_warm_up(home: Home) -> None:
    """Let both agents load what they load once."""
    for sentence in islice(mixed_sentences(home), 10):
        await home.async_say(sentence, home.agents[OURS])
    for sentence in islice(reflex_sentences(home), 5):
        await home.async_say(sentence, home.agents[CORE])
