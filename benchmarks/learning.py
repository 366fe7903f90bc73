"""Learns a model's calibration curves from our everyday sentences; see `calibrate.py`."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
import json
from pathlib import Path

from custom_components.bellboard.routing import calibration
from custom_components.bellboard.routing.calibration import Curves, calibrate, model_key
from custom_components.bellboard.routing.evidence import Evidence, Support, interchangeable
from custom_components.bellboard.routing.models import Measure

from .cases import Case, everyday_cases, halves
from .decisions import CARDS, Decider, all_routers, open_decider
from .reliability import Judged, calibration_error, fit_curve

_TABLE = Path(calibration.__file__).with_name("calibration.json")


def main() -> None:
    """Ask the model, learn the curve, keep it, and print what it is worth."""
    parser = argparse.ArgumentParser(description="Learns how sure a model's routing really is.")
    parser.add_argument("--llm", metavar="URL", required=True, help="the model server's address")
    parser.add_argument("--model-name", help="the name to keep the curve under")
    arguments = parser.parse_args()
    asyncio.run(_async_learn(arguments.llm, arguments.model_name))


@dataclass(frozen=True, slots=True)
class Read:
    """What was read from a model's answer, and whether the agent chosen was right."""

    evidence: Evidence
    right: bool


async def _async_learn(url: str, name: str | None) -> None:
    """Ask about every everyday sentence; keep and print what was learnt."""
    async with open_decider(url, all_routers()) as decider:
        key = model_key(name or decider.model.model)
        learning, testing = halves(everyday_cases())
        first = await async_read(decider, learning)
        second = await async_read(decider, testing)
    # Each half is tested with the curves of the other one.
    unseen = [*judged(fit_curves(second), first), *judged(fit_curves(first), second)]
    print(f"{len(unseen)} sentences for the model, each half tested with the curves of the other")
    print(f"calibration error as measured: {calibration_error(judged({}, [*first, *second])):.3f}")
    print(f"calibration error calibrated:  {calibration_error(unseen):.3f}")
    curves = fit_curves([*first, *second])
    keep(key, curves)
    print(f"kept for {key}: {curves}")


async def async_read(decider: Decider, cases: Sequence[Case]) -> list[Read]:
    """Return what was read about each case that the model has to decide.

    Raises:
        RuntimeError: the server tells no log-probabilities, or a decision failed.
    """
    found = []
    for case in cases:
        decided = await decider.async_decide(case.text)
        if not decided.completions:
            continue
        agent = decided.assignment.agent_id
        if decided.evidence is None or decided.assignment.measure is not Measure.MEASURED:
            raise RuntimeError(f"nothing was measured: {decided.assignment.reason}")
        found.append(Read(decided.evidence, case.label in interchangeable(agent, CARDS)))
    return found


def fit_curves(read: Sequence[Read]) -> Curves:
    """Return a curve for each kind of support; one that never occurred has none."""
    by_support = {
        support: [
            Judged(one.evidence.share, one.right) for one in read if one.evidence.support is support
        ]
        for support in Support
    }
    return {support: fit_curve(those) for support, those in by_support.items() if those}


def judged(curves: Curves, read: Sequence[Read]) -> list[Judged]:
    """Return how sure each decision is by the curves, and whether it was right."""
    return [
        Judged(calibrate(curves.get(one.evidence.support), one.evidence.share), one.right)
        for one in read
    ]


def keep(key: str, curves: Curves) -> None:
    """Write a model's curves into the table, beside those of other models."""
    table = json.loads(_TABLE.read_text(encoding="utf-8"))
    table["models"][key] = curves
    models = ",\n".join(
        f"    {json.dumps(name)}: {{\n{_lines(found)}\n    }}"
        for name, found in sorted(table["models"].items())
    )
    _TABLE.write_text(f'{{\n  "models": {{\n{models}\n  }}\n}}\n', encoding="utf-8")


def _lines(curves: Curves) -> str:
    """Return a model's curves as lines of JSON."""
    return ",\n".join(
        f"      {json.dumps(support)}: {json.dumps([list(point) for point in points])}"
        for support, points in sorted(curves.items())
    )
