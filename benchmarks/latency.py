"""What routing through a real model takes, against a bare request of the same bytes."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
import time
from typing import Any, cast
from unittest.mock import patch

import aiohttp

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.routing.models import Source

from .agents import OURS, assistant_of, async_connect
from .figures import Figure, percentile, unmeasured
from .homes import Home, async_home
from .load import async_routing_request
from .sentences import MODEL_SENTENCES
from .stopwatch import Stopwatch

ROUTING_MS = 500.0
OVERHEAD_MS = 10.0


@dataclass(slots=True)
class RecordingSession:
    """An aiohttp session that keeps the last request, so that it can be sent again without us.

    `waited` are the seconds until the servers had answered all requests.
    """

    session: aiohttp.ClientSession
    last: tuple[str, bytes, Mapping[str, str]] | None = None
    waited: float = 0.0

    @property
    def closed(self) -> bool:
        """Return whether the session is closed."""
        return self.session.closed

    async def request(self, method: str, url: str, **options: Any) -> aiohttp.ClientResponse:
        """Send a request."""
        if method == "POST":
            self.last = (url, options["data"], options["headers"])
        started = time.perf_counter()
        try:
            return await self.session.request(method, url, **options)
        finally:
            self.waited += time.perf_counter() - started

    async def async_again(self) -> float:
        """Send the last request once more and return the seconds until its answer was there.

        Raises:
            RuntimeError: there was no request yet.
        """
        if self.last is None:
            raise RuntimeError("there was no request yet")
        url, data, headers = self.last
        started = time.perf_counter()
        async with self.session.post(url, data=data, headers=headers) as response:
            response.raise_for_status()
            await response.read()
        return time.perf_counter() - started


async def async_measure_routing(url: str | None, reason: str, rounds: int) -> dict[str, Figure]:
    """Return the figures of routing through the model at an address, in a home of 100."""
    if url is None:
        return {
            "routing_p95_ms": unmeasured(ROUTING_MS, "ms", reason),
            "routing_over_bare_request_p95_ms": unmeasured(OVERHEAD_MS, "ms", reason),
        }
    async with async_home(100) as home, aiohttp.ClientSession() as session:
        recording = RecordingSession(session)
        target = "custom_components.bellboard.connections.connection.async_get_clientsession"
        with patch(target, return_value=cast("aiohttp.ClientSession", recording)):
            home.agents[OURS] = await async_connect(home, url)
        assistant = assistant_of(home)
        watch = Stopwatch()
        with watch.watching():
            # Warm: the server has the fixed part of the prompt, the recogniser its sentences.
            routing = Routing(home, assistant, watch, recording)
            await routing.async_decide("hello to the house")
            first = [await routing.async_decide(sentence) for sentence in MODEL_SENTENCES]
            pairs = [
                await routing.async_pair(number) for number in range(rounds * len(MODEL_SENTENCES))
            ]
    whole = [decision.whole * 1000 for decision in first]
    added = [decision.added * 1000 for decision in (*first, *(ours for ours, _ in pairs))]
    routed = [ours.without_recogniser * 1000 for ours, _ in pairs]
    bare = [other * 1000 for _, other in pairs]
    return {
        "routing_p95_ms": Figure(
            value=percentile(whole, 95),
            limit=ROUTING_MS,
            unit="ms",
            details={"p50": median(whole), "decisions": len(whole)},
        ),
        "routing_over_bare_request_p95_ms": Figure(
            value=percentile(added, 95),
            limit=OVERHEAD_MS,
            unit="ms",
            details={
                "p50": median(added),
                "paired_median_difference": median(
                    ours - other for ours, other in zip(routed, bare, strict=True)
                ),
                "routed_p50": median(routed),
                "routed_p95": percentile(routed, 95),
                "bare_p50": median(bare),
                "bare_p95": percentile(bare, 95),
                "pairs": len(pairs),
            },
        ),
    }


@dataclass(frozen=True, slots=True)
class Decision:
    """The seconds of a decision: as a whole, without Home Assistant's recogniser, and ours alone.

    `added` is what is left when the waiting for its own request is taken off, too: what routing
    takes more than that request.
    """

    whole: float
    without_recogniser: float
    added: float


@dataclass(frozen=True, slots=True)
class Routing:
    """An assistant that decides, and everything its time is split by."""

    home: Home
    assistant: Assistant
    watch: Stopwatch
    recording: RecordingSession

    async def async_decide(self, sentence: str) -> Decision:
        """Return how long it takes until it is decided who answers.

        Raises:
            RuntimeError: it was not decided by the model.
        """
        assistant = self.assistant
        request = await async_routing_request(self.home, assistant, sentence, assistant.model)
        started, foreign = time.perf_counter(), self.watch.foreign
        waited = self.recording.waited
        route = await assistant.router.async_route(request)
        whole = time.perf_counter() - started
        if (source := route.assignments[0].source) is not Source.MODEL:
            raise RuntimeError(f"decided by {source}, not by the model: {sentence}")
        without = whole - (self.watch.foreign - foreign)
        return Decision(whole, without, without - (self.recording.waited - waited))

    async def async_pair(self, number: int) -> tuple[Decision, float]:
        """Return a decision and the seconds of a bare request of the same bytes.

        The server has read the sentence before both, so that neither finds more in its cache; which
        of them goes first alternates.
        """
        sentence = MODEL_SENTENCES[number % len(MODEL_SENTENCES)]
        await self.async_decide(sentence)
        if number % 2:
            bare = await self.recording.async_again()
            return await self.async_decide(sentence), bare
        decision = await self.async_decide(sentence)
        return decision, await self.recording.async_again()
