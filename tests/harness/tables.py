"""A run as text for a terminal: its numbers, what failed, and how another run compares."""

from collections.abc import Iterator, Mapping, Sequence

from custom_components.bellboard.evaluation.report import (
    CaseResult,
    Summary,
    compare_runs,
    grouped,
    summary_of,
)
from custom_components.bellboard.evaluation.runner import CaseOutcome

from .runs import Run

_HEADINGS = ("cases", "asked", "passed", "%", "p50 ms", "p95 ms", "model calls", "tokens")
_PASSED, _FAILED = CaseOutcome.PASSED.value, CaseOutcome.FAILED.value


def table(run: Run) -> Iterator[str]:
    """Yield the lines of a table: a row for each file, for each agent, and for all."""
    by_file = grouped((each.file, each.case) for each in run.cases)
    by_agent = grouped((each.case.agent_id or "any agent", each.case) for each in run.cases)
    blocks = [
        [_cells(name, summary_of(cases), len(cases)) for name, cases in group.items()]
        for group in (by_file, dict(sorted(by_agent.items())))
    ]
    everything = [each.case for each in run.cases]
    blocks.append([_cells("all", summary_of(everything), len(everything))])
    rows = [("", *_HEADINGS), *(row for block in blocks for row in block)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = "  ".join("─" * width for width in widths)
    yield _line(rows[0], widths)
    for block in blocks:
        yield rule
        for row in block:
            yield _line(row, widths)


def failures(run: Run) -> Iterator[str]:
    """Yield the lines about what failed: what was said, and what was not as expected."""
    for each in run.failed:
        yield f"✗ {each.key}"
        for turn in each.case.turns:
            yield f"    “{turn.say}” → “{turn.reply}”"
            yield from (f"      {difference}" for difference in turn.differences)
        if each.case.reason:
            yield f"      {each.case.reason}"


def comparison(before: Mapping[str, CaseResult], after: Mapping[str, CaseResult]) -> Iterator[str]:
    """Yield the lines about what is otherwise in a run than in the one before."""
    found = compare_runs(before, after)
    yield (
        f"{len(found.better)} better, {len(found.worse)} worse,"
        f" {len(found.otherwise)} wrong in another way,"
        f" {len(found.new)} new, {len(found.gone)} gone"
    )
    yield from (f"+ {key}" for key in found.better)
    for key in found.worse:
        yield f"- {key}"
        yield from (f"      {difference}" for difference in after[key].differences)
    for key in found.otherwise:
        yield f"~ {key}"
        yield from (f"      was: {difference}" for difference in before[key].differences)
        yield from (f"      is:  {difference}" for difference in after[key].differences)


def kept(run: Run) -> dict[str, CaseResult]:
    """Return a run as it is kept."""
    return {
        each.key: CaseResult(each.case.outcome.value, tuple(each.case.differences))
        for each in run.cases
    }


def _cells(name: str, summary: Summary, count: int) -> tuple[str, ...]:
    """Return the cells of a row."""
    return (
        name,
        f"{count}",
        f"{summary.asked}",
        f"{summary.passed}",
        _number(summary.percent, 1),
        _number(summary.p50, 1),
        _number(summary.p95, 1),
        f"{summary.model_calls}",
        f"{summary.tokens}",
    )


def _number(value: float | None, digits: int) -> str:
    """Return a number, or a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row as a line: the name left, numbers right."""
    first, *rest = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)]
    return "  ".join(cells).rstrip()


def failed_keys(run: Mapping[str, CaseResult]) -> set[str]:
    """Return the cases of a run that failed."""
    return {key for key, case in run.items() if case.outcome == _FAILED}
