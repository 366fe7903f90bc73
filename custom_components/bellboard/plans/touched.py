"""What a call comes to in the end: the calls that a scene or a script makes.

Policies are asked about these, too: a rule on a door holds whoever opens it. Only what stands
written in a script is seen, not what its templates will come to.
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
# Scripts may run each other.
_DEEPEST = 5
_SWITCHED = {STATE_ON: "turn_on", STATE_OFF: "turn_off"}


@callback
def touched(hass: HomeAssistant, call: ToolCall, deepest: int = _DEEPEST) -> list[ToolCall]:
    """Return the calls that the scenes and scripts of a call make; groups in them are taken apart."""
    found: list[ToolCall] = []
    for target in _performed(call):
        if target.startswith(f"{_SCENE}."):
            found += _of_scene(hass, target)
        elif target.startswith(f"{_SCRIPT}.") and deepest:
            for made in _of_script(hass, target):
                found += [made, *touched(hass, made, deepest - 1)]
    return [_taken_apart(hass, made) for made in found]


def _performed(call: ToolCall) -> Iterator[str]:
    """Yield the scenes and scripts that a call performs."""
    yield from call.targets
    # A script is an action of its own, too.
    domain, _, service = call.action.partition(".")
    if domain == _SCRIPT and service not in {"turn_on", "turn_off", "toggle", "reload"}:
        yield call.action


def _taken_apart(hass: HomeAssistant, call: ToolCall) -> ToolCall:
    """Return a call for the members of its groups in place of them."""
    targets = [leaf for t in call.targets for leaf in members_of(hass, t) or (t,)]
    return call.model_copy(update={"targets": tuple(dict.fromkeys(targets))})


def _of_scene(hass: HomeAssistant, entity_id: str) -> Iterator[ToolCall]:
    """Yield the calls that bring a scene's entities to the states it keeps of them."""
    platform = hass.data.get(SCENES)
    scene = platform.entities.get(entity_id) if platform else None
    if scene is not None:
        for state in scene.scene_config.states.values():
            yield from _bringing(state)
        return
    # Of another integration's scene it is only known what is in it, if that.
    state = hass.states.get(entity_id)
    members = state.attributes.get(ATTR_ENTITY_ID) if state else None
    for member in members if isinstance(members, list | tuple) else ():
        domain = str(member).partition(".")[0]
        yield ToolCall(action=f"{domain}.turn_on", targets=(str(member),))


def _bringing(state: State) -> Iterator[ToolCall]:
    """Yield the calls that bring an entity to a state."""
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


def _of_script(hass: HomeAssistant, entity_id: str) -> Iterator[ToolCall]:
    """Yield the calls that are written in a script."""
    component = hass.data.get(_SCRIPT)
    entity = component.get_entity(entity_id) if component else None
    script = getattr(entity, "script", None)
    if script is not None:
        yield from _written(hass, script.sequence)


def _written(hass: HomeAssistant, steps: Any) -> Iterator[ToolCall]:
    """Yield the calls in steps of a script, wherever they stand in it."""
    if isinstance(steps, Mapping):
        if isinstance(action := steps.get("action") or steps.get("service"), str):
            yield _call(hass, action, steps)
        if isinstance(scene := steps.get(_SCENE), str):
            yield ToolCall(action="scene.turn_on", targets=(scene,))
        if {"device_id", "domain", "type"} <= steps.keys():
            action = f"{steps['domain']}.{steps['type']}"
            yield _call(hass, action, {"target": {"device_id": steps["device_id"], **steps}})
        for inner in steps.values():
            yield from _written(hass, inner)
    elif isinstance(steps, list | tuple):
        for step in steps:
            yield from _written(hass, step)


def _call(hass: HomeAssistant, action: str, step: Mapping[str, Any]) -> ToolCall:
    """Return the call of a step, for what it names, however it is named."""
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
    # A room holds more than the action is for.
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
