"""Learns a model's calibration curve from our own sentences; see `calibrate.py`."""

import argparse
import asyncio
from collections.abc import Sequence
import json
from pathlib import Path

from custom_components.bellboard.routing import calibration
from custom_components.bellboard.routing.calibration import Curve, calibrate, model_key
from custom_components.bellboard.routing.llm import ModelRouter

from .cases import Case, halves, own_cases
from .decisions import Decider, open_decider
from .reliability import Judged, calibration_error, fit_curve

_TABLE = Path(calibration.__file__).with_name("calibration.json")


def main() -> None:
    """Ask the model, learn the curve, keep it, and print what it is worth."""
    parser = argparse.ArgumentParser(description="Learns how sure a model's routing really is.")
    parser.add_argument("--llm", metavar="URL", required=True, help="the model server's address")
    parser.add_argument("--model-name", help="the name to keep the curve under")
    arguments = parser.parse_args()
    asyncio.run(_async_learn(arguments.llm, arguments.model_name))


async def _async_learn(url: str, name: str | None) -> None:
    """Ask about every sentence of ours; keep and print what was learnt."""
    async with open_decider(url, [ModelRouter()]) as decider:
        key = model_key(name or decider.model.model)
        learning, testing = halves(own_cases())
        first = await async_judge(decider, learning)
        second = await async_judge(decider, testing)
    # Each half is tested with the curve of the other one.
    unseen = [*calibrated(fit_curve(second), first), *calibrated(fit_curve(first), second)]
    print(f"{len(unseen)} sentences, each half tested with the curve of the other")
    print(f"calibration error as measured: {calibration_error([*first, *second]):.3f}")
    print(f"calibration error calibrated:  {calibration_error(unseen):.3f}")
    curve = fit_curve([*first, *second])
    keep(key, curve)
    print(f"kept for {key}: {curve}")


async def async_judge(decider: Decider, cases: Sequence[Case]) -> list[Judged]:
    """Return for each case how sure the model router is before calibration, and whether it is right.

    Raises:
        RuntimeError: the server tells no log-probabilities, or a decision failed.
    """
    judged = []
    for case in cases:
        decided = await decider.async_decide(case.text)
        agent = decided.assignment.agent_id
        if agent not in decided.weighed:
            raise RuntimeError(f"nothing was measured: {decided.assignment.reason}")
        judged.append(Judged(decided.weighed[agent], agent == case.label))
    return judged


def calibrated(curve: Curve, judged: Sequence[Judged]) -> list[Judged]:
    """Return judged decisions with their confidence calibrated."""
    return [Judged(calibrate(curve, one.confidence), one.right) for one in judged]


def keep(key: str, curve: Curve) -> None:
    """Write a model's curve into the table, beside those of other models."""
    table = json.loads(_TABLE.read_text(encoding="utf-8"))
    table["models"][key] = curve
    models = ",\n".join(
        f"    {json.dumps(name)}: {json.dumps([list(point) for point in points])}"
        for name, points in sorted(table["models"].items())
    )
    _TABLE.write_text(f'{{\n  "models": {{\n{models}\n  }}\n}}\n', encoding="utf-8")
