"""Statistics of an assistant's routing decisions, for its sensors and diagnostics.

Nothing here holds what was said; an agent's id and a confidence are all that leaves.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
import math

from ..routing.models import Route, Source

KEPT = 500
"""Decisions whose latency and confidence are kept for the statistics."""


class RoutingStatistics:
    """Routing decisions of an assistant: counts since the start; latency and confidence of the last `KEPT`."""

    def __init__(self) -> None:
        self.decisions = 0
        self.fallbacks = 0
        self._by_agent: Counter[str] = Counter()
        self._by_source: Counter[str] = Counter()
        self._latencies: deque[float] = deque(maxlen=KEPT)
        self._confidences: deque[float] = deque(maxlen=KEPT)
        self._listeners: list[Callable[[], None]] = []

    def record(self, route: Route, ms: float) -> None:
        """Count a route that took `ms` milliseconds to find, and tell the listeners."""
        choice = route.choice
        self.decisions += 1
        self.fallbacks += any(part.source is Source.FALLBACK for part in route.assignments)
        self._by_agent[choice.agent_id] += 1
        self._by_source[route.assignments[0].source.value] += 1
        self._latencies.append(ms)
        self._confidences.append(choice.confidence)
        for listener in tuple(self._listeners):
            listener()

    def add_listener(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after each decision; returns the function that ends it."""
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    @property
    def by_agent(self) -> dict[str, int]:
        """The number of decisions for each agent, most first; only primary agents count."""
        return dict(self._by_agent.most_common())

    @property
    def by_source(self) -> dict[str, int]:
        """The number of decisions of each router, most first; that of the first part counts."""
        return dict(self._by_source.most_common())

    @property
    def latency_p50(self) -> float | None:
        """The time half of the decisions took at most, in milliseconds; None before the first."""
        return percentile(self._latencies, 0.5)

    @property
    def latency_p95(self) -> float | None:
        """The time 95 percent of the decisions took at most, in milliseconds; None before the first."""
        return percentile(self._latencies, 0.95)

    @property
    def mean_confidence(self) -> float | None:
        """The mean confidence, between 0 and 1; None before the first decision."""
        confidences = self._confidences
        return math.fsum(confidences) / len(confidences) if confidences else None

    def as_json(self) -> dict[str, object]:
        """Return all numbers as JSON."""
        return {
            "decisions": self.decisions,
            "by_agent": self.by_agent,
            "fallbacks": self.fallbacks,
            "latency_p50": self.latency_p50,
            "latency_p95": self.latency_p95,
            "mean_confidence": self.mean_confidence,
        }


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least `share` of the values do not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1] if values else None
