"""Values that devices can take, as JSON schemas: bound by each device's own range, and not by the words said."""

from collections.abc import Sequence
from typing import Any

from homeassistant.core import State

from ..domains.actions import Parameter, ParameterKind
from ..domains.registry import table_of
from ..llm.models import JsonSchema

MOST_CHARACTERS = 120
"""Of a text in free words."""
_MOST_OF_COLOR = 30
# In percent, a step of a fan's speed that need not be told.
_FREE_STEP = 5
_MOST_EFFECTS = 8
# What is told of a device, by what it can be set to.
_ABILITIES = {"color": "colours", "color_temperature": "whites"}


def value_schema(parameter: Parameter, states: Sequence[State]) -> JsonSchema | None:
    """Return the schema of a value, bound by what the devices can take; None where none takes any."""
    able = [s for s in states if parameter.capability is None or parameter.capability(s)]
    if not able:
        return None
    match parameter.kind:
        case ParameterKind.COLOR:
            return {"type": "string", "minLength": 3, "maxLength": _MOST_OF_COLOR}
        case ParameterKind.TEXT:
            return {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS}
        case ParameterKind.STEP:
            return {"type": "number", "minimum": -parameter.max_step, "maximum": parameter.max_step}
        case ParameterKind.CHOICE:
            own = {str(o) for s in able for o in s.attributes.get(parameter.options) or ()}
            options = sorted(parameter.choices or own)
            return {"type": "string", "enum": options} if options else None
        case _:
            return _number_schema(parameter, able)


def within_range(parameter: Parameter, value: Any, states: Sequence[State]) -> Any:
    """Return a number that some devices can take: the nearest to one that is beyond what all of them can."""
    schema = value_schema(parameter, states) if parameter.kind is ParameterKind.NUMBER else None
    if schema is None or schema["type"] != "number" or not isinstance(value, int | float):
        return value
    return min(max(value, schema["minimum"]), schema["maximum"])


def _number_schema(parameter: Parameter, states: Sequence[State]) -> JsonSchema | None:
    """Return the schema of a number in the union of the devices' ranges."""
    if parameter.range_from:
        states = [state for state in states if parameter.range_from(state)]
    if not states:
        return None
    least, most = parameter.default_range
    ranges = [parameter.range_of(state) for state in states]
    low = min(least if low is None else low for low, _ in ranges)
    high = max(most if high is None else high for _, high in ranges)
    return {"type": "number", "minimum": low, "maximum": high} if low < high else None


def abilities(state: State) -> list[str]:
    """Return what a device can be set to beside what it shows, or that it is only on or off."""
    if (table := table_of(state.domain)) is None:
        return []
    offered = [action for action in table.plannable_actions if action.is_offered]
    values = [each for action in offered for each in action.parameters]
    able = [
        each
        for action in offered
        for each in action.parameters
        if action.capable_states([state]) and value_schema(each, [state])
    ]
    if values and not able:
        return ["on or off only"]
    modes = [str(mode) for mode in state.attributes.get("hvac_modes") or ()]
    found = {f"can {'/'.join(modes)}"} if modes else set()
    found |= {_ABILITIES[each.measures] for each in able if each.measures in _ABILITIES}
    step = state.attributes.get("percentage_step")
    if isinstance(step, int | float) and _FREE_STEP < step < 100:
        found.add(f"{round(100 / step)} speeds")
    if effects := state.attributes.get("effect_list"):
        found.add(f"effects {'/'.join(map(str, effects[:_MOST_EFFECTS]))}")
    return sorted(found)
