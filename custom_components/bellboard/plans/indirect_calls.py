"""Indirect calls: those that the scenes and scripts among a call's targets make.

Policies check these, too, so that a rule on a lock also holds for a scene that unlocks it. Only what is written in
a script's sequence is seen, not the results of its templates; but what guards the home may be any that there is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from homeassistant.components.homeassistant import DOMAIN as HOME_ASSISTANT
from homeassistant.components.homeassistant.scene import DATA_PLATFORM as SCENES
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_STATE,
    ENTITY_MATCH_ALL,
    SERVICE_RELOAD,
    SERVICE_TOGGLE,
    SERVICE_TURN_OFF,
    SERVICE_TURN_ON,
    STATE_OFF,
    STATE_ON,
)
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er, target as target_helper
from homeassistant.helpers.template import Template

from ..domains.checks import STATE
from ..domains.models import ToolCall
from ..domains.registry import GUARDING, table_of
from ..home.groups import members_of

_SCENE, _SCRIPT = "scene", "script"
_ENTITIES = "entities"
_TARGETS = (ATTR_ENTITY_ID, "device_id", "area_id", "floor_id", "label_id")
_SWITCHED = {STATE_ON: SERVICE_TURN_ON, STATE_OFF: SERVICE_TURN_OFF}
_SWITCHING = frozenset({SERVICE_TURN_ON, SERVICE_TURN_OFF, SERVICE_TOGGLE})
# They set entities to states that stand in the step itself, at once or when the scene is turned on.
_SETTING = frozenset({"scene.apply", "scene.create"})


@callback
def find_indirect_calls(hass: HomeAssistant, call: ToolCall) -> list[ToolCall]:
    """Return the calls of the scenes and scripts of a call, and of those they run, with groups as their members."""
    found: list[ToolCall] = []
    waiting, seen = [call], set[str]()
    while waiting:
        for entity_id in _performed_entities(hass, waiting.pop()):
            if entity_id in seen:
                continue
            seen.add(entity_id)
            if entity_id.startswith(f"{_SCENE}."):
                found += _scene_calls(hass, entity_id)
            elif entity_id.startswith(f"{_SCRIPT}."):
                made = list(_script_calls(hass, entity_id))
                found += made
                waiting += made
    return [_expand_groups(hass, made) for made in found]


def _performed_entities(hass: HomeAssistant, call: ToolCall) -> Iterator[str]:
    """Yield a call's targets, with groups as their members, and the script that its action is the service of."""
    yield from _leaves(hass, call.targets)
    # Each script is a service of its own, `script.<key>`, also where its entity was given another id.
    domain, _, service = call.action.partition(".")
    if domain == _SCRIPT and service not in {*_SWITCHING, SERVICE_RELOAD}:
        yield call.action
        if entity_id := er.async_get(hass).async_get_entity_id(_SCRIPT, _SCRIPT, service):
            yield entity_id


def _expand_groups(hass: HomeAssistant, call: ToolCall) -> ToolCall:
    """Return a call with its groups replaced by their members."""
    return call.model_copy(update={"targets": _leaves(hass, call.targets)})


def _leaves(hass: HomeAssistant, entity_ids: Iterable[str]) -> tuple[str, ...]:
    """Return entity ids with groups replaced by their members."""
    return tuple(
        dict.fromkeys(leaf for one in entity_ids for leaf in members_of(hass, one) or (one,))
    )


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
        yield from _any_calls(str(member))


def _any_calls(entity_id: str) -> Iterator[ToolCall]:
    """Yield all calls that an entity may get where it is not known to which state it is set."""
    domain = entity_id.partition(".")[0]
    table = table_of(domain)
    services = dict.fromkeys(table.service_for_state.values()) if table else {}
    for service in services or (SERVICE_TURN_ON,):
        yield ToolCall(action=f"{domain}.{service}", targets=(entity_id,))


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
        action = steps.get("action") or steps.get("service")
        if isinstance(action, str | Template):
            yield from _step_calls(hass, action, steps)
        if isinstance(scene := steps.get(_SCENE), str):
            yield ToolCall(action=f"{_SCENE}.{SERVICE_TURN_ON}", targets=(scene,))
        if {"device_id", "domain", "type"} <= steps.keys():
            action = f"{steps['domain']}.{steps['type']}"
            target = {"target": {"device_id": steps["device_id"], **steps}}
            yield from _step_calls(hass, action, target)
        for inner in steps.values():
            yield from _sequence_calls(hass, inner)
    elif isinstance(steps, list | tuple):
        for step in steps:
            yield from _sequence_calls(hass, step)


def _step_calls(
    hass: HomeAssistant, action: str | Template, step: Mapping[str, Any]
) -> Iterator[ToolCall]:
    """Yield the calls of a step for its entities, also those named by device, area, floor or label.

    Where its action is worked out by a template, its targets may get any call.
    """
    domain = "" if isinstance(action, Template) else action.partition(".")[0]
    data, target = (step.get(key) or {} for key in ("data", "target"))
    targets = _step_targets(hass, domain, (step, data, target))
    if isinstance(action, Template):
        for entity_id in targets:
            yield from _any_calls(entity_id)
        return
    fields = data if isinstance(data, Mapping) else {}
    if action in _SETTING:
        yield from _set_calls(fields.get(_ENTITIES))
    service = action.partition(".")[2]
    if domain == HOME_ASSISTANT and service in _SWITCHING:
        # It calls the service of each one's own domain.
        for own, some in groupby(
            sorted(_leaves(hass, targets)), lambda each: each.partition(".")[0]
        ):
            yield ToolCall(action=f"{own}.{service}", targets=tuple(some))
        return
    yield ToolCall(
        action=action,
        targets=targets,
        data={
            name: value
            for name, value in fields.items()
            if name not in _TARGETS and isinstance(value, str | int | float | bool)
        },
    )


def _step_targets(hass: HomeAssistant, domain: str, places: Sequence[Any]) -> tuple[str, ...]:
    """Return the entity ids that the parts of a step name, or may name: all of the domain for "all".

    Where a template works out what guards the home, that may be any, too.
    """
    values = [
        (key, value)
        for place in places
        if isinstance(place, Mapping)
        for key in _TARGETS
        for value in _listed(place.get(key))
    ]
    named = {key: [v for k, v in values if k == key and isinstance(v, str)] for key in _TARGETS}
    is_open = any(isinstance(each, Template) for each in (*places, *(v for _, v in values)))
    if ENTITY_MATCH_ALL in named[ATTR_ENTITY_ID] or (is_open and domain in GUARDING):
        return tuple(sorted(hass.states.async_entity_ids(domain)))
    selected = target_helper.async_extract_referenced_entity_ids(
        hass, target_helper.TargetSelection(named), expand_group=False
    )
    # Home Assistant filters the entities of areas and devices by the service's domain, if it has one.
    reached = selected.referenced | {
        entity_id
        for entity_id in selected.indirectly_referenced
        if domain in {"", HOME_ASSISTANT, entity_id.partition(".")[0]}
    }
    return tuple(sorted(reached))


def _listed(value: Any) -> list[Any]:
    """Return the targets of one kind as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _set_calls(entities: Any) -> Iterator[ToolCall]:
    """Yield the calls that set entities to states as a step writes them: a state, or it with attributes."""
    for entity_id, given in entities.items() if isinstance(entities, Mapping) else ():
        attributes = dict(given) if isinstance(given, Mapping) else {ATTR_STATE: given}
        state = attributes.pop(ATTR_STATE, None)
        if isinstance(state, bool):
            # What YAML makes of a bare "on".
            state = STATE_ON if state else STATE_OFF
        if isinstance(state, str):
            yield from _state_calls(State(entity_id, state, attributes))
        else:
            yield from _any_calls(entity_id)
