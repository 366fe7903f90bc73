"""A run: which cases were asked, with which model, and what became of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
import math
from typing import Any

from custom_components.bellboard.evaluation.runner import CaseReport, Outcome, TurnReport


@dataclass(frozen=True, slots=True)
class RunCase:
    """A case of a file and what became of it."""

    file: str
    case: CaseReport

    @property
    def key(self) -> str:
        """Return the name it has in every run."""
        return f"{self.file}/{self.case.id}"


@dataclass(slots=True, kw_only=True)
class Run:
    """All cases of a run, in order. `llm` is "none" or the model's address, `at` ISO 8601 in UTC."""

    llm: str = "none"
    dry_run: bool = False
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    cases: list[RunCase] = field(default_factory=list)

    @property
    def failed(self) -> list[RunCase]:
        """Return the cases that failed."""
        return [each for each in self.cases if each.case.outcome is Outcome.FAILED]

    def as_json(self) -> dict[str, Any]:
        """Return the run as a JSON object."""
        return {
            "at": self.at,
            "llm": self.llm,
            "dry_run": self.dry_run,
            "summary": summary_of([each.case for each in self.cases]).as_json(),
            "cases": [{"file": each.file, **each.case.as_json()} for each in self.cases],
        }


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
    times = sorted(turn.ms for turn in turns)
    outcomes = [case.outcome for case in cases]
    return Summary(
        passed=outcomes.count(Outcome.PASSED),
        failed=outcomes.count(Outcome.FAILED),
        skipped=outcomes.count(Outcome.SKIPPED),
        p50=_percentile(times, 0.5),
        p95=_percentile(times, 0.95),
        model_calls=sum(turn.model_calls or 0 for turn in turns),
        tokens=sum(turn.tokens or 0 for turn in turns),
    )


def _turns(cases: Sequence[CaseReport]) -> Iterator[TurnReport]:
    """Yield all sentences of cases."""
    for case in cases:
        yield from case.turns


def _percentile(times: Sequence[float], share: float) -> float | None:
    """Return the smallest of sorted times that at least a share of them does not exceed."""
    return times[math.ceil(share * len(times)) - 1] if times else None
