"""Sums up the cases of a run, by agent and altogether, and compares two runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..telemetry.statistics import percentile
from .runner import CaseOutcome, CaseReport, TurnReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Some cases together. Times are of single sentences, in milliseconds; None without any."""

    passed: int
    failed: int
    skipped: int
    p50: float | None
    p95: float | None
    model_calls: int
    tokens: int

    @property
    def asked(self) -> int:
        """Return how many were asked."""
        return self.passed + self.failed

    @property
    def percent(self) -> float | None:
        """Return the share that passed of those that were asked; None where none was."""
        return 100 * self.passed / self.asked if self.asked else None

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as a JSON object."""
        return {
            "passed": self.passed,
            "failed": self.failed,
            "skipped": self.skipped,
            "p50_ms": self.p50,
            "p95_ms": self.p95,
            "model_calls": self.model_calls,
            "tokens": self.tokens,
        }


def summary_of(cases: Sequence[CaseReport]) -> Summary:
    """Return some cases together."""
    turns = list(_turns(cases))
    times = [turn.ms for turn in turns]
    outcomes = [case.outcome for case in cases]
    return Summary(
        passed=outcomes.count(CaseOutcome.PASSED),
        failed=outcomes.count(CaseOutcome.FAILED),
        skipped=outcomes.count(CaseOutcome.SKIPPED),
        p50=percentile(times, 0.5),
        p95=percentile(times, 0.95),
        model_calls=sum(turn.model_calls or 0 for turn in turns),
        tokens=sum(turn.tokens or 0 for turn in turns),
    )


def grouped[T](pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Return values by name, names in their order."""
    found: dict[str, list[T]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def summaries_by_agent(cases: Sequence[CaseReport]) -> dict[str, Summary]:
    """Return the cases of each agent together, by its id; "" for cases that expect none."""
    by_agent = grouped((case.agent_id, case) for case in cases)
    return {agent_id: summary_of(found) for agent_id, found in sorted(by_agent.items())}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of a case, for a comparison of runs."""

    outcome: str
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Cases of two runs, by name: those that failed and pass now, the reverse, and those that fail otherwise.

    `new` were not in the earlier run, `gone` are not in this one.
    """

    better: tuple[str, ...]
    worse: tuple[str, ...]
    otherwise: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the names as a JSON object."""
        return {
            "better": list(self.better),
            "worse": list(self.worse),
            "otherwise": list(self.otherwise),
            "new": list(self.new),
            "gone": list(self.gone),
        }


def compare_runs(
    before: Mapping[str, CaseResult], after: Mapping[str, CaseResult]
) -> RunComparison:
    """Return the differences of a run from the one before."""
    both = [name for name in after if name in before]

    def turned(was: CaseOutcome, now: CaseOutcome) -> Iterator[str]:
        """Yield the names of cases that went from one outcome to another."""
        for name in both:
            if (before[name].outcome, after[name].outcome) == (was.value, now.value):
                yield name

    failed = CaseOutcome.FAILED
    return RunComparison(
        better=tuple(turned(failed, CaseOutcome.PASSED)),
        worse=tuple(turned(CaseOutcome.PASSED, failed)),
        otherwise=tuple(
            name
            for name in turned(failed, failed)
            if before[name].differences != after[name].differences
        ),
        new=tuple(name for name in after if name not in before),
        gone=tuple(name for name in before if name not in after),
    )


def _turns(cases: Sequence[CaseReport]) -> Iterator[TurnReport]:
    """Yield all sentences of cases."""
    for case in cases:
        yield from case.turns
