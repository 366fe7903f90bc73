"""Runs golden files: each case in the house it is made for, which begins the same every time."""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from custom_components.bellboard.evaluation.golden_file import GoldenFileError, read_file
from custom_components.bellboard.evaluation.models import DEMO_HOUSE, GoldenCase, GoldenFile
from custom_components.bellboard.evaluation.runner import (
    CaseOutcome,
    CaseReport,
    async_run_case,
    skipped_case,
)

from .home import Home, HomeError, Talk, async_home
from .runs import Run, RunCase

_ENDINGS = {".yaml", ".yml"}


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden file that was read. `name` is what it is called in a run."""

    path: Path
    file: GoldenFile

    @property
    def name(self) -> str:
        """Return the file's name without its ending."""
        return self.path.stem

    @property
    def house(self) -> str:
        """Return "demo", or the full path of the house's description."""
        house = self.file.house
        return house if house == DEMO_HOUSE else str((self.path.parent / house).resolve())

    def policies(self) -> Any:
        """Return the rules as their own file holds them; None where the file has none.

        Raises:
            GoldenFileError: they stand in a file that cannot be read.
        """
        if isinstance(self.file.policies, list):
            return {"rules": self.file.policies}
        if not isinstance(self.file.policies, str):
            return self.file.policies
        path = self.path.parent / self.file.policies
        try:
            return yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as err:
            raise GoldenFileError(f"{self.path.name}: the policies cannot be read: {err}") from err


def read_golden(paths: Iterable[Path]) -> list[Golden]:
    """Read golden files; of a folder all in it, by their names.

    Raises:
        GoldenFileError: one is wrong, or there is none.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(file for file in path.iterdir() if file.suffix in _ENDINGS)
        else:
            files.append(path)
    if not files:
        raise GoldenFileError("there is no golden file")
    return [Golden(path, read_file(path)) for path in files]


async def async_run(
    golden: Sequence[Golden],
    model: Mapping[str, Any],
    *,
    dry_run: bool = False,
    wanted: Callable[[str, GoldenCase], bool] = lambda _name, _case: True,
) -> Run:
    """Run golden files, one core for each house; `wanted` tells from file and case which to ask.

    Raises:
        GoldenFileError: the policies of a file cannot be read.
        HomeError: a house could not be set up.
    """
    run = Run(llm=str(model.get("url") or "none"), dry_run=dry_run)
    async with _homes(model, dry_run=dry_run) as home_of:
        for each in golden:
            cases = [case for case in each.file.cases if wanted(each.name, case)]
            if cases:
                home = await home_of(each.house)
                run.cases += [
                    RunCase(each.name, case)
                    for case in await async_run_file(home, each, cases, has_model=bool(model))
                ]
    return run


@asynccontextmanager
async def _homes(model: Mapping[str, Any], *, dry_run: bool) -> AsyncGenerator[Any]:
    """Provide a function that returns the home for a house; the one before is left."""
    async with AsyncExitStack() as stack:
        homes: dict[str, Home] = {}

        async def home_of(house: str) -> Home:
            if house not in homes:
                homes.clear()
                await stack.aclose()
                homes[house] = await stack.enter_async_context(
                    async_home(house, model, dry_run=dry_run)
                )
            return homes[house]

        yield home_of


async def async_run_file(
    home: Home, golden: Golden, cases: Sequence[GoldenCase], *, has_model: bool
) -> list[CaseReport]:
    """Ask cases of a file in a home, with the file's policies in force.

    Raises:
        GoldenFileError: the policies cannot be read.
        HomeError: they are wrong, or the house could not be set up again.
    """
    await home.async_set_policies(golden.policies())
    judged: list[CaseReport] = []
    for case in cases:
        if case.needs and not has_model:
            judged.append(skipped_case(case, "it needs a language model"))
        elif home.dry_run and (case.given or case.turns):
            judged.append(skipped_case(case, "it needs what was done before"))
        else:
            judged.append(await _async_case(home, case, golden.file.language))
    await home.async_set_policies(None)
    return judged


async def _async_case(home: Home, case: GoldenCase, language: str) -> CaseReport:
    """Ask one case in the house as it is described."""
    await home.async_restore()
    try:
        await home.async_prepare(case)
        return await async_run_case(case, Talk(home), language)
    except HomeError as err:
        reason = str(err)
    except Exception as err:  # noqa: BLE001 - whatever breaks in one case, the others are asked
        home.touched = True
        reason = f"{type(err).__name__}: {err}"
    return CaseReport(id=case.id, agent_id=case.agent_id, outcome=CaseOutcome.FAILED, reason=reason)
