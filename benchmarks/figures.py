"""A figure: what was measured, what it is held to, and how it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import math
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured figure.

    `value` is in `unit` and None where it could not be measured, for the `reason` given. The figure
    holds where the value is at most `limit`, or equal to it where `exact`. `details` are other
    numbers of the same measurement, for whoever wants to judge it.
    """

    value: float | bool | None
    limit: float | bool
    unit: str
    exact: bool = False
    reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool | None:
        """Return whether the figure holds, or None where it was not measured."""
        if self.value is None:
            return None
        return self.value == self.limit if self.exact else self.value <= self.limit

    def as_json(self) -> dict[str, Any]:
        """Return the figure as a JSON object."""
        found: dict[str, Any] = {
            "value": _rounded(self.value),
            "limit": self.limit,
            "unit": self.unit,
            "holds": self.holds,
        }
        if self.reason:
            found["reason"] = self.reason
        if self.details:
            found["details"] = {name: _rounded(value) for name, value in self.details.items()}
        return found


def unmeasured(limit: float, unit: str, reason: str) -> Figure:
    """Return a figure that could not be measured."""
    return Figure(value=None, limit=limit, unit=unit, reason=reason)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that `percent` of the values do not exceed (nearest rank).

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("no values")
    rank = max(1, math.ceil(len(values) * percent / 100))
    return sorted(values)[rank - 1]


def table(figures: Mapping[str, Figure]) -> str:
    """Return the figures as lines of text: name, value, limit, whether it holds."""
    width = max(len(name) for name in figures)
    lines = []
    for name, figure in figures.items():
        verdict = {True: "holds", False: "DOES NOT HOLD", None: "not measured"}[figure.holds]
        sign = "=" if figure.exact else "<="
        lines.append(
            f"{name:<{width}}  {_shown(figure.value):>9}  {sign} {_shown(figure.limit):<6}"
            f" {figure.unit:<8} {verdict}"
        )
        if figure.reason:
            lines.append(f"{'':<{width}}  {figure.reason}")
        lines += [
            f"{'':<{width}}    {key}: {_shown(value)}" for key, value in figure.details.items()
        ]
    return "\n".join(lines)


def _rounded(value: Any) -> Any:
    """Return a number with no more digits than a measurement has."""
    return round(value, 3) if isinstance(value, float) else value


def _shown(value: Any) -> str:
    """Return a value as it is read."""
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
