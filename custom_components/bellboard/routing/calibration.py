"""Calibration of confidence: from a model's measured probability to its share of right choices.

The curves are fitted offline for each model by `benchmarks/calibrate.py`; without one a probability
is taken as it is. There is a curve for each `Support`: the same probability is worth more where the
agent's own words occur.
"""

from collections.abc import Mapping, Sequence
from functools import cache
import json
from pathlib import Path
import re

_SLASH = re.compile(r"[/\\]")
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_TABLE = Path(__file__).parent / "calibration.json"

type Curve = Sequence[tuple[float, float]]
"""Points from a probability to the share of right choices there, both rising."""

type Curves = Mapping[str, Curve]
"""The curves of a model by the kind of support (`evidence.Support`)."""


@cache
def load_curves() -> Mapping[str, Curves]:
    """Return the curves by model. Reads a small file: call it off the event loop first."""
    data = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {
        model: {support: [(p, right) for p, right in points] for support, points in curves.items()}
        for model, curves in data["models"].items()
    }


def model_key(model: str) -> str:
    """Return the name a model is calibrated under, however a server writes it.

    "SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2:135m-instruct-q4_1" and a path to either are one.
    """
    name = _SLASH.split(model.casefold())[-1].removesuffix(".gguf")
    return _SEPARATORS.sub("-", name).strip("-")


def curves_for(model: str) -> Curves:
    """Return the curves of the calibrated model that a model's name begins with; empty without one."""
    key = model_key(model)
    # Whole words only: "qwen3-1" is no beginning of "qwen3-14b".
    fitting = [name for name in load_curves() if f"{key}-".startswith(f"{name}-")]
    return load_curves()[max(fitting, key=len)] if fitting else {}


def calibrate(curve: Curve | None, probability: float) -> float:
    """Return the share of right choices at a probability, on the lines between the curve's points."""
    if not curve:
        return probability
    before = (0.0, 0.0)
    for point in curve:
        if probability <= point[0]:
            span = point[0] - before[0]
            share = (probability - before[0]) / span if span else 1.0
            return before[1] + share * (point[1] - before[1])
        before = point
    return before[1]
