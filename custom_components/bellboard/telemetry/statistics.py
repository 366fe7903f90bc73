"""Statistics of an assistant: routing decisions, models, track records of agents, trials of router variants.

Nothing here holds what was said.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
import math
import time
from typing import Any

from ..llm.port import ModelCall
from ..routing.models import Route, Source
from .trace import Prices

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


KEPT_CALLS = 300
"""Calls of each model whose latency is kept."""


@dataclass(slots=True)
class ModelFigures:
    """Figures of one model since the start: `latencies` of its last calls, each with its time (epoch seconds).

    `tokens` are by the names of `Usage`. `cost` is by the prices of each call's time, in the home's currency, None
    where there were none.
    """

    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    cost: float | None = None
    errors: Counter[str] = field(default_factory=Counter)
    latencies: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=KEPT_CALLS))

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON; times in milliseconds."""
        ms = [took for _, took in self.latencies]
        return {
            "calls": self.calls,
            **self.tokens,
            "cost": None if self.cost is None else round(self.cost, 4),
            "errors": dict(self.errors.most_common()),
            "median_ms": percentile(ms, 0.5),
            "p95_ms": percentile(ms, 0.95),
            "latencies": [[round(at), round(took, 1)] for at, took in self.latencies],
        }


class ModelStatistics:
    """Figures of each model that an assistant asked, by provider and name."""

    def __init__(self) -> None:
        self._models: dict[tuple[str, str], ModelFigures] = {}

    def record(self, calls: Iterable[ModelCall], prices: Prices) -> None:
        """Count the calls of a turn, and what they cost."""
        now = time.time()
        for call in calls:
            key = call.provider, call.model
            if (figures := self._models.get(key)) is None:
                figures = self._models[key] = ModelFigures()
            figures.calls += 1
            figures.tokens.update(call.usage.model_dump())
            if (cost := prices.cost([call])) is not None:
                figures.cost = (figures.cost or 0.0) + cost
            if call.error:
                figures.errors[call.error] += 1
            elif call.ended:
                figures.latencies.append((now, (call.ended - call.began) * 1000))

    def as_json(self) -> list[dict[str, Any]]:
        """Return the figures of all models, those asked most first."""
        ordered = sorted(self._models.items(), key=lambda item: -item[1].calls)
        return [
            {"provider": provider, "model": model, **figures.as_json()}
            for (provider, model), figures in ordered
        ]


_DECAY = 0.95
# A poor record halves an agent's weight at the most, a good one doubles nothing: it stays at 1.
_LOWEST = 0.5


class SuccessRates:
    """The recent success rate of each agent."""

    def __init__(self) -> None:
        self._shares: dict[str, float] = {}
        self._worked: Counter[str] = Counter()
        self._noted: Counter[str] = Counter()

    def note(self, agent_id: str, *, success: bool) -> None:
        """Count how a turn of an agent ended; older turns count less and less."""
        self._worked[agent_id] += success
        self._noted[agent_id] += 1
        before = self._shares.get(agent_id, 1.0)
        self._shares[agent_id] = _DECAY * before + (1 - _DECAY) * success

    def weights(self) -> Mapping[str, float]:
        """Return the weight of each agent, from 0.5 (always failed) to 1 (always succeeded)."""
        return {
            agent_id: _LOWEST + (1 - _LOWEST) * share for agent_id, share in self._shares.items()
        }

    def counts(self, agent_id: str) -> tuple[int, int]:
        """Return how many turns of an agent succeeded, and how many there were."""
        return self._worked[agent_id], self._noted[agent_id]


VARIANTS = ("a", "b")

_KEPT = 2000
_KEPT_CONVERSATIONS = 200
# Of a normal distribution, 95 percent are within so many standard deviations.
_Z = 1.96

type Interval = tuple[float, float]
"""The lower and the upper end of what a figure is with 95 percent confidence."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean or a share, with its interval."""

    value: float
    interval: Interval

    def as_json(self) -> dict[str, Any]:
        """Return the figure as JSON."""
        low, high = self.interval
        return {"value": round(self.value, 4), "interval": [round(low, 4), round(high, 4)]}


@dataclass(slots=True)
class VariantFigures:
    """Figures of one variant: `corrections` counts the decisions that were taken back in the turn after them.

    Confidences are from 0 to 1, latencies in milliseconds; of both the last 2,000 count.
    """

    decisions: int = 0
    corrections: int = 0
    _confidences: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))
    _latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def decided(self, confidence: float, ms: float) -> None:
        """Count a decision."""
        self.decisions += 1
        self._confidences.append(confidence)
        self._latencies.append(ms)

    @property
    def confidence(self) -> Figure | None:
        """The mean confidence, None before the first decision."""
        return _mean(self._confidences)

    @property
    def latency_ms(self) -> Figure | None:
        """The mean latency, None before the first decision."""
        return _mean(self._latencies)

    @property
    def corrected(self) -> Figure | None:
        """The share of decisions that were corrected, None before the first one."""
        if not self.decisions:
            return None
        share = self.corrections / self.decisions
        return Figure(share, _wilson(share, self.decisions))

    def as_json(self) -> dict[str, Any]:
        """Return all figures as JSON."""
        figures = {
            "confidence": self.confidence,
            "corrected": self.corrected,
            "latency_ms": self.latency_ms,
        }
        return {
            "decisions": self.decisions,
            "corrections": self.corrections,
            **{name: figure and figure.as_json() for name, figure in figures.items()},
        }


class TrialComparison:
    """Figures of both variants of a router since the trial began."""

    def __init__(self) -> None:
        """Begin with nothing decided."""
        self._tried: tuple[str, ...] = ()
        self.variants: dict[str, VariantFigures] = {}
        # The variant that decided the last turn of a conversation.
        self._last: OrderedDict[str, str] = OrderedDict()
        self._clear()

    def _clear(self) -> None:
        """Forget all that was decided."""
        self.variants = {variant: VariantFigures() for variant in VARIANTS}
        self._last.clear()

    def begin(self, *tried: str) -> None:
        """Begin anew where something else is tried than so far: another model or prompt."""
        if tried != self._tried:
            self._clear()
            self._tried = tried

    def decided(self, conversation_id: str, variant: str, confidence: float, ms: float) -> None:
        """Count a decision that the router's model made in a conversation."""
        self.variants[variant].decided(confidence, ms)
        self._last[conversation_id] = variant
        if len(self._last) > _KEPT_CONVERSATIONS:
            self._last.popitem(last=False)

    def answered(self, conversation_id: str, *, is_correction: bool) -> None:
        """Note the turn after a decision, and whether that takes it back."""
        variant = self._last.pop(conversation_id, None)
        if variant and is_correction:
            self.variants[variant].corrections += 1

    def as_json(self) -> dict[str, Any]:
        """Return the figures of both, and by how much the trial differs, as JSON."""
        first, second = (self.variants[variant] for variant in VARIANTS)
        pairs = {
            "confidence": (first.confidence, second.confidence),
            "corrected": (first.corrected, second.corrected),
            "latency_ms": (first.latency_ms, second.latency_ms),
        }
        return {
            **{variant: figures.as_json() for variant, figures in self.variants.items()},
            "difference": {
                name: difference(one, other).as_json() if one and other else None
                for name, (one, other) in pairs.items()
            },
        }


def difference(one: Figure, other: Figure) -> Figure:
    """Return by how much another figure differs, with its interval (Newcombe's, from the intervals of both)."""
    value = other.value - one.value
    down = math.hypot(other.value - other.interval[0], one.interval[1] - one.value)
    up = math.hypot(other.interval[1] - other.value, one.value - one.interval[0])
    return Figure(value, (value - down, value + up))


def _mean(values: Sequence[float]) -> Figure | None:
    """Return the mean with its interval; one value alone tells nothing of how they scatter."""
    if not values:
        return None
    count = len(values)
    mean = math.fsum(values) / count
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in values) / max(count - 1, 1))
    half = _Z * spread / math.sqrt(count)
    return Figure(mean, (mean - half, mean + half))


def _wilson(share: float, count: int) -> Interval:
    """Return Wilson's interval of a share, which holds also where it is near 0 or 1, and for few."""
    weight = _Z**2 / count
    middle = (share + weight / 2) / (1 + weight)
    half = _Z / (1 + weight) * math.sqrt(share * (1 - share) / count + weight / (4 * count))
    return max(middle - half, 0.0), min(middle + half, 1.0)
