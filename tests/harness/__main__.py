"""The harness' command line; scripts/evaluate prepares the machine and then runs this."""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
import logging
from pathlib import Path
import sys
from typing import Any

# scripts/ is on the path of this program.
from demonstration.errors import DemoError
from demonstration.model import find_server, stop_server

from custom_components.bellboard.evaluation.golden_file import GoldenFileError
from custom_components.bellboard.evaluation.models import GoldenCase
from custom_components.bellboard.evaluation.report import CaseResult

from .home import ROOT, HomeError
from .running import async_run, read_golden
from .runs import Run
from .storage import StorageError, read_run, write_json, write_sqlite
from .tables import comparison, failed_keys, failures, kept, table

GOLDEN = ROOT / "tests" / "golden"

# A model that has just been started takes its time.
_PATIENT = {"timeout": 120}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; scripts/evaluate explains it."""
    parser = argparse.ArgumentParser(prog="scripts/evaluate", add_help=False)
    parser.add_argument("--llm", default="none", metavar="none|local|URL")
    parser.add_argument("--model", metavar="NAME")
    parser.add_argument("--cases", nargs="+", type=Path, default=[GOLDEN], metavar="FILE|DIR")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--sqlite", type=Path, metavar="OUT.db")
    parser.add_argument("--compare", nargs="+", metavar="RUN")
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--only-failed", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parsed = parser.parse_args(arguments)
    if parsed.compare and len(parsed.compare) > 2:
        parser.error("--compare takes one run, or two that are compared with each other")
    if parsed.only_failed and not parsed.compare:
        parser.error("--only-failed goes with --compare: which cases failed is read there")
    return parsed


def tell(lines: Iterable[str]) -> None:
    """Write lines of the result to standard output."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@asynccontextmanager
async def connection(options: argparse.Namespace) -> AsyncGenerator[Mapping[str, Any]]:
    """Provide the connection to the model; empty without one. What was started for it is stopped."""
    server = await find_server(options.llm)
    try:
        if server is None:
            yield {}
        else:
            yield {
                "provider": server.provider,
                "url": server.url,
                "model": options.model,
                "assistant": _PATIENT,
            }
    finally:
        await stop_server(server)


def wanted_by(
    options: argparse.Namespace, before: Mapping[str, CaseResult] | None
) -> Callable[[str, GoldenCase], bool]:
    """Return which cases are wanted; `before` is the run to compare with."""
    failed = failed_keys(before) if before is not None and options.only_failed else None
    text = options.filter.casefold()

    def wanted(file: str, case: GoldenCase) -> bool:
        said = " ".join([file, case.id, *(turn.say for turn in case.conversation)])
        return text in said.casefold() and (failed is None or f"{file}/{case.id}" in failed)

    return wanted


async def evaluate(options: argparse.Namespace, before: Mapping[str, CaseResult] | None) -> Run:
    """Run the cases that are wanted."""
    golden = read_golden(options.cases)
    wanted = wanted_by(options, before)
    async with connection(options) as model:
        return await async_run(golden, model, dry_run=options.dry_run, wanted=wanted)


def report(options: argparse.Namespace, run: Run, before: Mapping[str, CaseResult] | None) -> None:
    """Print a run, and keep it where that is wanted."""
    tell(table(run))
    if run.failed:
        tell(["", *failures(run)])
    if before is not None:
        tell(["", f"compared with {options.compare[0]}:", *comparison(before, kept(run))])
    if options.json:
        write_json(run, options.json)
    if options.sqlite:
        tell(["", f"run {write_sqlite(run, options.sqlite)} of {options.sqlite}"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the harness; return the exit code.

    0 where there is a result, 1 with --strict where a case failed, 2 after saying what is wrong.
    """
    options = parse(arguments)
    logging.basicConfig(level=logging.ERROR)
    # What Home Assistant's own agent could not do is in the answer; its log has a page for each.
    logging.getLogger("homeassistant.components.conversation").setLevel(logging.CRITICAL)
    try:
        kept_runs = [read_run(source) for source in options.compare or ()]
        if len(kept_runs) == 2:
            tell(comparison(*kept_runs))
            return 0
        before = kept_runs[0] if kept_runs else None
        run = asyncio.run(evaluate(options, before))
        report(options, run, before)
    except (DemoError, GoldenFileError, HomeError, StorageError) as err:
        sys.stderr.write(f"error: {err}\n")
        return 2
    return 1 if options.strict and run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
