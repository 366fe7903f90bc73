"""A domain's table for an agent that may do only a part of it: some of its actions, within limits.

The model's schema, the calls and the answers to what goes too far are made from the table, so all of them hold to it.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from .actions import Action, Parameter, ParameterKind
from .table import Domain

type Limits = Mapping[str, tuple[float, float]]
"""The least and the greatest value of parameters, by "domain.action.parameter"."""

_LIMITED = frozenset({ParameterKind.NUMBER, ParameterKind.STEP})


def restricted(table: Domain, allowed: Collection[str], limits: Limits) -> Domain:
    """Return a table with only the actions that are allowed ("cover.open"; all with none), within limits."""
    return replace(
        table,
        actions=tuple(
            replace(action, parameters=tuple(_limited(table, action, limits)))
            for action in table.actions
            if not allowed or f"{table.name}.{action.name}" in allowed
        ),
    )


def _limited(table: Domain, action: Action, limits: Limits) -> list[Parameter]:
    """Return the parameters of an action, each within its limits."""
    return [
        _within(parameter, *limit)
        if (limit := limits.get(f"{table.name}.{action.name}.{parameter.name}"))
        else parameter
        for parameter in action.parameters
    ]


def _within(parameter: Parameter, low: float, high: float) -> Parameter:
    """Return a parameter whose values lie within limits, in the unit in which a person says them.

    A step ends at them; its own range is that of the attribute it changes.
    """
    if parameter.kind is ParameterKind.STEP:
        return replace(parameter, low=low / parameter.divisor, high=high / parameter.divisor)
    return replace(
        parameter,
        low=low,
        high=high,
        default_range=(low, high),
        must_reach=True,
        filter_reaching=None,
    )


def can_be_limited(parameter: Parameter) -> bool:
    """Return whether a parameter has values with a least and a greatest one."""
    return parameter.kind in _LIMITED
