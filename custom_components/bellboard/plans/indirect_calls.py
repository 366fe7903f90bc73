"""Indirect calls: those that the scenes and scripts among a call's targets make.

Policies check these, too, so that a rule on a lock also holds for a scene that unlocks it. Only the
calls written in a script's sequence are seen, not the results of its templates.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.components.homeassistant.scene import DATA_PLATFORM as SCENES
from homeassistant.const import ATTR_ENTITY_ID, STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import target as target_helper

from ..domains.checks import STATE
from ..domains.models import ToolCall
from ..domains.registry import table_of
from ..home.groups import members_of

_SCENE, _SCRIPT = "scene", "script"
_TARGETS = (ATTR_ENTITY_ID, "device_id", "area_id", "floor_id", "label_id")
# Recursion limit: scripts may run each other.
_DEEPEST = 5
_SWITCHED = {STATE_ON: "turn_on", STATE_OFF: "turn_off"}


@callback
def find_indirect_calls(
    hass: HomeAssistant, call: ToolCall, deepest: int = _DEEPEST
) -> list[ToolCall]:
    """Return the calls of the scenes and scripts of a call, recursively, with groups as their members."""
    found: list[ToolCall] = []
    for target in _performed_entities(call):
        if target.startswith(f"{_SCENE}."):
            found += _scene_calls(hass, target)
        elif target.startswith(f"{_SCRIPT}.") and deepest:
            for made in _script_calls(hass, target):
                found += [made, *find_indirect_calls(hass, made, deepest - 1)]
    return [_expand_groups(hass, made) for made in found]


def _performed_entities(call: ToolCall) -> Iterator[str]:
    """Yield a call's targets, and the script that its action is the service of."""
    yield from call.targets
    # Each script is a service of its own: `script.<name>`.
    domain, _, service = call.action.partition(".")
    if domain == _SCRIPT and service not in {"turn_on", "turn_off", "toggle", "reload"}:
        yield call.action


def _expand_groups(hass: HomeAssistant, call: ToolCall) -> ToolCall:
    """Return a call with its groups replaced by their members."""
    targets = [leaf for t in call.targets for leaf in members_of(hass, t) or (t,)]
    return call.model_copy(update={"targets": tuple(dict.fromkeys(targets))})


def _scene_calls(hass: HomeAssistant, entity_id: str) -> Iterator[ToolCall]:
    """Yield the calls that set a scene's entities to its states."""
    platform = hass.data.get(SCENES)
    scene = platform.entities.get(entity_id) if platform else None
    if scene is not None:
        for state in scene.scene_config.states.values():
            yield from _state_calls(state)
        return
    # Of another integration's scene only the entities are known, if at all.
    state = hass.states.get(entity_id)
    members = state.attributes.get(ATTR_ENTITY_ID) if state else None
    for member in members if isinstance(members, list | tuple) else ():
        domain = str(member).partition(".")[0]
        yield ToolCall(action=f"{domain}.turn_on", targets=(str(member),))


def _state_calls(state: State) -> Iterator[ToolCall]:
    """Yield the calls that set an entity to a state of a scene."""
    domain, targets = state.domain, (state.entity_id,)
    table = table_of(domain)
    services = table.service_for_state if table else {}
    if service := services.get(state.state) or _SWITCHED.get(state.state):
        yield ToolCall(action=f"{domain}.{service}", targets=targets)
    for row in table.attributes if table else ():
        value = state.attributes.get(row.name)
        if row.name == STATE:
            value = None if service else state.state
        if row.in_scenes and value is not None:
            action = f"{domain}.{row.service}"
            yield ToolCall(action=action, targets=targets, data=row.data(value))


def _script_calls(hass: HomeAssistant, entity_id: str) -> Iterator[ToolCall]:
    """Yield the calls in a script's sequence."""
    component = hass.data.get(_SCRIPT)
    entity = component.get_entity(entity_id) if component else None
    script = getattr(entity, "script", None)
    if script is not None:
        yield from _sequence_calls(hass, script.sequence)


def _sequence_calls(hass: HomeAssistant, steps: Any) -> Iterator[ToolCall]:
    """Yield the calls in the steps of a sequence, however deep."""
    if isinstance(steps, Mapping):
        if isinstance(action := steps.get("action") or steps.get("service"), str):
            yield _step_call(hass, action, steps)
        if isinstance(scene := steps.get(_SCENE), str):
            yield ToolCall(action="scene.turn_on", targets=(scene,))
        if {"device_id", "domain", "type"} <= steps.keys():
            action = f"{steps['domain']}.{steps['type']}"
            yield _step_call(hass, action, {"target": {"device_id": steps["device_id"], **steps}})
        for inner in steps.values():
            yield from _sequence_calls(hass, inner)
    elif isinstance(steps, list | tuple):
        for step in steps:
            yield from _sequence_calls(hass, step)


def _step_call(hass: HomeAssistant, action: str, step: Mapping[str, Any]) -> ToolCall:
    """Return the call of a step for its entities, also those named by device, area, floor or label."""
    data = step.get("data") if isinstance(step.get("data"), Mapping) else {}
    target = step.get("target") if isinstance(step.get("target"), Mapping) else {}
    named = {
        key: value
        for key in _TARGETS
        for where in (step, data, target)
        if isinstance(value := (where or {}).get(key), str | list)
    }
    selected = target_helper.async_extract_referenced_entity_ids(
        hass, target_helper.TargetSelection(named), expand_group=False
    )
    domain = action.partition(".")[0]
    # Home Assistant filters the entities of areas and devices by the service's domain.
    reached = selected.referenced | {
        entity_id
        for entity_id in selected.indirectly_referenced
        if entity_id.partition(".")[0] == domain
    }
    values = {
        name: value
        for name, value in (data or {}).items()
        if name not in _TARGETS and isinstance(value, str | int | float | bool)
    }
    return ToolCall(action=action, targets=tuple(sorted(reached)), data=values)
