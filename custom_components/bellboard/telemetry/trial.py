"""Comparison of two variants of a router: decisions, confidence, corrections and latency, with intervals.

Variant "a" is what is used otherwise, "b" what is tried (RouterExecutor contract, A/B testing). Nothing here holds
what was said.
"""

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
import math
from typing import Any

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
    """What one variant did: `corrections` are the decisions that were taken back in the turn after them.

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
