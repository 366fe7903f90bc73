"""Undo as tool calls: from snapshots and the states now."""

from collections.abc import Iterator, Sequence
import json

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from .models import ToolCall
from .registry import table_of
from .services import SECOND_ROUND, UndoStep
from .snapshot import StateSnapshot, find_exact_attributes


def restore_calls(
    before: Sequence[StateSnapshot], hass: HomeAssistant, *, roughly: bool = False
) -> list[ToolCall]:
    """Return the calls that undo all differences from the snapshots, in order.

    Some differences show only after a first step: a preset brings its own target temperature, a player
    reports its source only while it is on. So the caller repeats this with `roughly` until no call is
    left. What cannot or must not be undone has no call.
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


def _steps_of(before: StateSnapshot, state: State, *, roughly: bool) -> Iterator[UndoStep]:
    """Yield the undo steps of one entity."""
    table = table_of(before.domain)
    now = StateSnapshot.of(state)
    changed = before.differences(now, roughly=roughly)
    if roughly and changed:
        changed |= {SECOND_ROUND}
    changed |= find_exact_attributes(before.domain) & before.differences(now)
    if changed and table:
        yield from table.undo_steps(before, state, changed)
