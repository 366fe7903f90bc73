"""Statistics of an assistant's models: latency over time, tokens, cache and errors. Nothing that was said."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
import time
from typing import Any

from .metered import ModelCall
from .statistics import percentile

KEPT = 300
"""Calls of each model whose latency is kept."""


@dataclass(slots=True)
class ModelFigures:
    """Figures of one model since the start; latencies of its last `KEPT` calls, each with its time (epoch seconds)."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    latencies: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=KEPT))

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON; times in milliseconds."""
        ms = [took for _, took in self.latencies]
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
            "completion_tokens": self.completion_tokens,
            "errors": dict(self.errors.most_common()),
            "median_ms": percentile(ms, 0.5),
            "p95_ms": percentile(ms, 0.95),
            "latencies": [[round(at), round(took, 1)] for at, took in self.latencies],
        }


class ModelStatistics:
    """Figures of each model that an assistant asked, by provider and name."""

    def __init__(self) -> None:
        self._models: dict[tuple[str, str], ModelFigures] = {}

    def record(self, calls: Iterable[ModelCall]) -> None:
        """Count the calls of a turn."""
        now = time.time()
        for call in calls:
            key = call.provider, call.model
            if (figures := self._models.get(key)) is None:
                figures = self._models[key] = ModelFigures()
            figures.calls += 1
            # Added up as numbers, because a model of them is made anew for each sum.
            figures.prompt_tokens += call.usage.prompt_tokens
            figures.cached_tokens += call.usage.cached_tokens
            figures.completion_tokens += call.usage.completion_tokens
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
