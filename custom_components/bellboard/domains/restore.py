"""The calls that put things back as they were, from how they are now."""

from collections.abc import Iterator, Sequence
import json

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from .before import Before, exactly_compared
from .models import ToolCall
from .table import AGAIN, Step
from .tables import table_of


def restore_calls(
    before: Sequence[Before], hass: HomeAssistant, *, roughly: bool = False
) -> list[ToolCall]:
    """Return the calls that bring back what is other now, in the order they are to be made.

    Some things show only after a first step what else is other: a preset brings its own target, a
    player tells its source only while it is on. So it is to be asked again afterwards, `roughly`
    then, until nothing is left. There is no call for what cannot or must not be brought back.
    """
    sequences = [
        (one.entity_id, list(_steps_of(one, state, roughly=roughly)))
        for one in before
        if (state := hass.states.get(one.entity_id)) and state.state != STATE_UNAVAILABLE
    ]
    calls: list[ToolCall] = []
    for number in range(max((len(steps) for _, steps in sequences), default=0)):
        alike: dict[str, ToolCall] = {}
        for entity_id, steps in sequences:
            if number < len(steps):
                action, data = steps[number]
                action = f"{entity_id.partition('.')[0]}.{action}"
                key = json.dumps([action, data], sort_keys=True)
                known = alike.get(key) or ToolCall(action=action, data=data)
                targets = (*known.targets, entity_id)
                alike[key] = known.model_copy(update={"targets": targets})
        calls += alike.values()
    return calls


def _steps_of(before: Before, state: State, *, roughly: bool) -> Iterator[Step]:
    """Yield the steps that bring one entity back."""
    table = table_of(before.domain)
    now = Before.of(state)
    changed = before.differences(now, roughly=roughly)
    if roughly and changed:
        changed |= {AGAIN}
    changed |= exactly_compared(before.domain) & before.differences(now)
    if changed and table:
        yield from (table.put_back or table.put_values_back)(before, state, changed)
