"""A run: which cases were asked, with which model, and what became of them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from custom_components.bellboard.evaluation.report import summary_of
from custom_components.bellboard.evaluation.runner import CaseOutcome, CaseReport


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
        return [each for each in self.cases if each.case.outcome is CaseOutcome.FAILED]

    def as_json(self) -> dict[str, Any]:
        """Return the run as a JSON object."""
        return {
            "at": self.at,
            "llm": self.llm,
            "dry_run": self.dry_run,
            "summary": summary_of([each.case for each in self.cases]).as_json(),
            "cases": [{"file": each.file, **each.case.as_json()} for each in self.cases],
        }
