"""Indirect calls: those that the scenes, scripts and automations among a call's targets will make.

Policies judge these, too, so that a rule on a lock also holds for a scene that unlocks it. What a step touches is
resolved by Home Assistant's own code. What that cannot tell before the step is run is unresolved: a rule that forbids
then holds for all that it may be (`ToolCall.unresolved`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from homeassistant.components.device_automation.action import async_call_action_from_config
from homeassistant.components.homeassistant import DOMAIN as HOME_ASSISTANT
from homeassistant.components.homeassistant.scene import DATA_PLATFORM as SCENES
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_STATE,
    CONF_ACTION,
    CONF_CHOOSE,
    CONF_DEFAULT,
    CONF_DOMAIN,
    CONF_ELSE,
    CONF_ENABLED,
    CONF_PARALLEL,
    CONF_REPEAT,
    CONF_SCENE,
    CONF_SEQUENCE,
    CONF_SERVICE_DATA,
    CONF_SERVICE_DATA_TEMPLATE,
    CONF_TARGET,
    CONF_THEN,
    CONF_TYPE,
    ENTITY_MATCH_ALL,
    ENTITY_MATCH_NONE,
    SERVICE_RELOAD,
    SERVICE_TOGGLE,
    SERVICE_TURN_OFF,
    SERVICE_TURN_ON,
    STATE_OFF,
    STATE_ON,
)
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    config_validation as cv,
    entity_registry as er,
    service as service_helper,
    target as target_helper,
)
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.helpers.template import Template, is_complex
from homeassistant.loader import IntegrationNotFound, async_get_integration
import voluptuous as vol

from ..domains.models import ToolCall, Unresolved
from ..domains.registry import service_of, table_of
from ..home.catalog import with_members
from .recorder import RecordedCall, async_record_calls

_SCENE, _SCRIPT, _AUTOMATION = "scene", "script", "automation"
_TRIGGER = f"{_AUTOMATION}.trigger"
_SWITCHING = frozenset({SERVICE_TURN_ON, SERVICE_TURN_OFF, SERVICE_TOGGLE})
# They set entities to states that stand in the step itself, at once or when the scene is turned on.
_SETTING = frozenset({"scene.apply", "scene.create"})
_UNKNOWN: Final[frozenset[Unresolved]] = frozenset({"action", "targets", "data", "state"})
_LATER: Final[frozenset[Unresolved]] = frozenset({"state"})

# Steps of a script that call nothing.
_IDLE = frozenset(
    {
        cv.SCRIPT_ACTION_CHECK_CONDITION,
        cv.SCRIPT_ACTION_DELAY,
        cv.SCRIPT_ACTION_FIRE_EVENT,
        cv.SCRIPT_ACTION_SET_CONVERSATION_RESPONSE,
        cv.SCRIPT_ACTION_STOP,
        cv.SCRIPT_ACTION_VARIABLES,
        cv.SCRIPT_ACTION_WAIT_FOR_TRIGGER,
        cv.SCRIPT_ACTION_WAIT_TEMPLATE,
    }
)

# Domains without a table whose services touch the entities they are given, or nothing in the home but themselves.
# Those of all others may reach anything: a message to a device, a command line, a sentence to another agent.
# fmt: off
_SELF_CONTAINED = frozenset({
    "air_quality", "ai_task", "alarm_control_panel", "alert", "automation", "backup",
    "binary_sensor", "calendar", "camera", "counter", "date", "datetime", "device_tracker",
    "event", "ffmpeg", "frontend", "geo_location", "homeassistant", "image", "input_datetime",
    "input_number", "input_select", "input_text", "logbook", "logger", "media_extractor",
    "mobile_app", "notify", "number", "person", "persistent_notification", "recorder", "remote",
    "schedule", "select", "sensor", "stt", "sun", "system_log", "tag", "text", "time", "timer",
    "update", "wake_word", "weather", "zone",
})
# fmt: on


async def async_find_indirect_calls(hass: HomeAssistant, call: ToolCall) -> list[ToolCall]:
    """Return the calls that a call leads to: of its scenes, scripts and automations, and of those they run.

    Groups among their targets stand there with their members.
    """
    search = _Search(hass)
    await search.async_follow(call)
    return search.found


@dataclass
class _Search:
    """Search for all that a call leads to; `seen` are the entities that were looked into."""

    hass: HomeAssistant
    found: list[ToolCall] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    async def async_follow(self, call: ToolCall) -> None:
        """Find what the targets of a call do, and the other entities that its data name."""
        service = service_of(call.action)
        for name in service.changes_too if service else ():
            if others := _entity_ids(call.data.get(name)):
                self.found.append(call.model_copy(update={"targets": others, "data": {}}))
        if call.action == _TRIGGER and not call.targets:
            self._add_unknown(_AUTOMATION, call.action)
        for entity_id in _performed_entities(self.hass, call):
            if entity_id in self.seen:
                continue
            self.seen.add(entity_id)
            match entity_id.partition(".")[0]:
                case domain if domain == _SCENE:
                    await self._async_scene(entity_id)
                case domain if domain == _SCRIPT:
                    await self._async_sequence(entity_id, self._sequence_of(_SCRIPT, entity_id))
                case domain if domain == _AUTOMATION and call.action == _TRIGGER:
                    await self._async_sequence(entity_id, self._sequence_of(_AUTOMATION, entity_id))

    def _sequence_of(self, domain: str, entity_id: str) -> Sequence[Any] | None:
        """Return the steps of a script or an automation; () for one that cannot be run, None where unknown."""
        component = self.hass.data.get(domain)
        entity = component.get_entity(entity_id) if component else None
        if entity is None:
            return ()
        script = getattr(entity, "action_script", None) or getattr(entity, "script", None)
        if script is None:
            # One whose configuration is broken runs nothing.
            return () if getattr(entity, "validation_error", None) is not None else None
        steps: Sequence[Any] | None = getattr(script, "sequence", None)
        return steps

    def _add(self, call: ToolCall) -> None:
        """Add a call, with the members of its groups."""
        targets = with_members(self.hass, call.targets)
        self.found.append(call.model_copy(update={"targets": targets}))

    def _add_unknown(self, carrier: str, action: str = "") -> None:
        """Add a call that may be any; `carrier` is the scene, script or automation that makes it."""
        domain = carrier.partition(".")[0]
        run = _TRIGGER if domain == _AUTOMATION else f"{domain}.{SERVICE_TURN_ON}"
        targets = (carrier,) if "." in carrier else ()
        self.found.append(ToolCall(action=action or run, targets=targets, unresolved=_UNKNOWN))

    # Scenes.

    async def _async_scene(self, entity_id: str) -> None:
        """Add the calls that set a scene's entities to its states."""
        platform = self.hass.data.get(SCENES)
        scene = platform.entities.get(entity_id) if platform else None
        if scene is None:
            if self.hass.states.get(entity_id) is not None:
                # Only the integration that it belongs to knows what is in it.
                self._add_unknown(entity_id)
            return
        await self._async_states(entity_id, scene.scene_config.states.values())

    async def _async_states(self, carrier: str, states: Iterable[State]) -> None:
        """Add the calls that set entities to states, as Home Assistant would make them."""
        for state in states:
            await self._async_state(carrier, state)

    async def _async_state(self, carrier: str, state: State) -> None:
        """Add the calls that set one entity to a state: from the one it has now, and from any."""

        async def reproduce(hass: HomeAssistant) -> None:
            await async_reproduce_state(hass, state)

        recorded: list[RecordedCall] = []
        try:
            integration = await async_get_integration(self.hass, state.domain)
            if integration.is_built_in:
                for from_any_state in (False, True):
                    recorded += await async_record_calls(
                        self.hass, reproduce, from_any_state=from_any_state
                    )
        except IntegrationNotFound:
            pass
        except Exception:  # noqa: BLE001 - a state written by hand may hold anything
            recorded = []
        if not recorded:
            self._add(
                ToolCall(
                    action=f"{state.domain}.{SERVICE_TURN_ON}",
                    targets=(state.entity_id,),
                    unresolved=_UNKNOWN - {"targets"},
                )
            )
        for domain, service, data in recorded:
            await self._async_made(carrier, domain, service, data)

    # Scripts and automations.

    async def _async_sequence(self, carrier: str, steps: Any) -> None:
        """Add the calls of a sequence of steps, whichever of its branches are taken."""
        if isinstance(steps, Mapping):
            steps = [steps]
        if not isinstance(steps, list | tuple):
            self._add_unknown(carrier)
            return
        for step in steps:
            if isinstance(step, Mapping):
                await self._async_step(carrier, step)
            else:
                self._add_unknown(carrier)

    async def _async_step(self, carrier: str, step: Mapping[str, Any]) -> None:
        """Add the calls of a step and of the steps in it."""
        if step.get(CONF_ENABLED) is False:
            return
        try:
            kind = cv.determine_script_action(dict(step))
        except ValueError:
            self._add_unknown(carrier)
            return
        match kind:
            case cv.SCRIPT_ACTION_CALL_SERVICE:
                await self._async_service(carrier, step)
            case cv.SCRIPT_ACTION_DEVICE_AUTOMATION:
                await self._async_device(carrier, step)
            case cv.SCRIPT_ACTION_ACTIVATE_SCENE:
                data = {ATTR_ENTITY_ID: step[CONF_SCENE]}
                await self._async_made(carrier, _SCENE, SERVICE_TURN_ON, data)
            case _ if kind in _IDLE:
                pass
            case _ if (inner := _inner_sequences(kind, step)) is not None:
                for steps in inner:
                    await self._async_sequence(carrier, steps)
            case _:
                self._add_unknown(carrier)

    async def _async_service(self, carrier: str, step: Mapping[str, Any]) -> None:
        """Add the calls of a step that calls an action, as far as no template stands in it."""
        action = _action_of(step)
        if not isinstance(action, str):
            # A template, of which nothing is known.
            self._add_unknown(carrier)
            return
        config = {**step, CONF_ACTION: action}
        unresolved = _take_templates(config)
        try:
            params = service_helper.async_prepare_call_from_config(self.hass, config)
        except HomeAssistantError:
            self._add_unknown(carrier, action)
            return
        data = {**params["service_data"], **(params["target"] or {})}
        domain, service = params["domain"], params["service"]
        await self._async_made(carrier, domain, service, data, unresolved)

    async def _async_device(self, carrier: str, step: Mapping[str, Any]) -> None:
        """Add the calls of a device's action, as its domain makes them of it."""
        domain = str(step.get(CONF_DOMAIN))

        async def act(hass: HomeAssistant) -> None:
            await async_call_action_from_config(hass, dict(step), {}, Context())

        try:
            integration = await async_get_integration(self.hass, domain)
            is_plain = integration.is_built_in and integration.integration_type == "entity"
            if domain in _SELF_CONTAINED and not is_plain:
                self._add(ToolCall(action=f"{domain}.{step.get(CONF_TYPE)}", unresolved=_LATER))
                return
            # Others act on their devices by themselves, without a service that could be recorded.
            made = (
                await async_record_calls(self.hass, act)
                if is_plain and not is_complex(dict(step))
                else []
            )
        except Exception:  # noqa: BLE001 - what a step holds that was written by hand may be anything
            made = []
        if not made:
            self._add_unknown(carrier)
        for domain_made, service, data in made:
            await self._async_made(carrier, domain_made, service, data)

    # Calls.

    async def _async_made(
        self,
        carrier: str,
        domain: str,
        service: str,
        data: Mapping[str, Any],
        unresolved: frozenset[Unresolved] = _LATER,
    ) -> None:
        """Add a call that will be made, and what it leads to in turn."""
        action = f"{domain}.{service}".casefold()
        fields, targets = self._resolve_targets(domain.casefold(), data)
        if targets is None or ("targets" in unresolved and _runs_others(action)):
            self._add_unknown(carrier, action)
            return
        if action in _SETTING:
            if "data" in unresolved:
                self._add_unknown(carrier, action)
            await self._async_states(carrier, _written_states(fields.get("entities")))
            return
        own, _, name = action.partition(".")
        if not (table_of(own) or own in _SELF_CONTAINED):
            if targets and "targets" not in unresolved and self._is_for_entities(own, name):
                # What an integration's own action does is not known, but it does it to these.
                self._add(
                    ToolCall(action=action, targets=targets, unresolved=_UNKNOWN - {"targets"})
                )
            else:
                self._add_unknown(carrier, action)
            return
        row = service_of(action)
        if row and not fields.keys() <= row.fields.keys():
            # A light's profile, a player's own extras: what it sets stands elsewhere.
            unresolved |= {"data"}
        call = ToolCall(action=action, targets=targets, data=fields, unresolved=unresolved)
        if "targets" in unresolved:
            calls = [call.model_copy(update={"targets": (), "domains": (_entity_domain(own),)})]
        elif own == HOME_ASSISTANT and name in _SWITCHING:
            # It calls the service of each one's own domain.
            calls = [
                call.model_copy(update={"action": f"{each}.{name}", "targets": tuple(some)})
                for each, some in groupby(sorted(with_members(self.hass, targets)), _domain_of)
            ]
        else:
            calls = [call]
        for each in calls:
            self._add(each)
            await self.async_follow(each)

    def _is_for_entities(self, domain: str, name: str) -> bool:
        """Return whether Home Assistant calls an action for the entities that it names, and for nothing else."""
        service = self.hass.services.async_services_for_domain(domain).get(name)
        schema = service.schema if service else None
        return schema is not None and cv.is_entity_service_schema(schema)

    def _resolve_targets(
        self, domain: str, data: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[str, ...] | None]:
        """Return the fields of a call's data, and its targets as Home Assistant finds them; None where it cannot."""
        named = {key: value for key, value in data.items() if key in cv.TARGET_SERVICE_FIELDS}
        fields = {key: value for key, value in data.items() if key not in named}
        try:
            named = _TARGETS({key: value for key, value in named.items() if value is not None})
            if (ids := named.get(ATTR_ENTITY_ID)) == ENTITY_MATCH_ALL:
                own = None if domain == HOME_ASSISTANT else domain
                return fields, tuple(sorted(self.hass.states.async_entity_ids(own)))
            if ids is not None and ids != ENTITY_MATCH_NONE:
                registry = er.async_get(self.hass)
                named[ATTR_ENTITY_ID] = er.async_validate_entity_ids(registry, ids)
        except vol.Invalid:
            return fields, None
        selected = target_helper.async_extract_referenced_entity_ids(
            self.hass, target_helper.TargetSelection(named), expand_group=False
        )
        # Home Assistant filters the entities of areas and devices by the service's domain, if it has one.
        reached = selected.referenced | {
            entity_id
            for entity_id in selected.indirectly_referenced
            if domain == HOME_ASSISTANT or _domain_of(entity_id) == _entity_domain(domain)
        }
        return fields, tuple(sorted(reached))


_TARGETS = vol.Schema(cv.TARGET_SERVICE_FIELDS)


def _domain_of(entity_id: str) -> str:
    """Return the domain of an entity id."""
    return entity_id.partition(".")[0]


def _entity_domain(domain: str) -> str:
    """Return the domain of the entities that the services of a domain are for."""
    table = table_of(domain)
    return table.targets if table else domain


def _runs_others(action: str) -> bool:
    """Return whether an action makes entities act on others, so that one of unknown targets may do anything."""
    return _domain_of(action) in {HOME_ASSISTANT, _SCENE, _SCRIPT} or action == _TRIGGER


def _performed_entities(hass: HomeAssistant, call: ToolCall) -> Iterator[str]:
    """Yield a call's targets, with the members of groups, and the script that its action is the service of."""
    yield from with_members(hass, call.targets)
    # Each script is a service of its own, `script.<key>`, also where its entity was given another id.
    domain, _, service = call.action.partition(".")
    if domain == _SCRIPT and service not in {*_SWITCHING, SERVICE_RELOAD}:
        yield call.action
        if entity_id := er.async_get(hass).async_get_entity_id(_SCRIPT, _SCRIPT, service):
            yield entity_id


def _entity_ids(value: Any) -> tuple[str, ...]:
    """Return the entity ids in a field of a call's data."""
    values = value if isinstance(value, list | tuple) else [value]
    return tuple(each for each in values if isinstance(each, str))


def _action_of(config: Mapping[str, Any]) -> Any:
    """Return the action of a step, a text or a template."""
    names = ("action", "service", "service_template")
    return next((config[name] for name in names if config.get(name) is not None), None)


def _take_templates(config: dict[str, Any]) -> frozenset[Unresolved]:
    """Remove the templates from a step's targets and data; return what is not known without them."""
    unresolved: set[Unresolved] = {*_LATER}
    for place in (CONF_TARGET, CONF_SERVICE_DATA, CONF_SERVICE_DATA_TEMPLATE):
        written = config.get(place)
        if not is_complex(written):
            continue
        if not isinstance(written, Mapping):
            # A template may yield all of it, the targets as well.
            del config[place]
            unresolved |= {"targets", "data"}
            continue
        kept = {key: value for key, value in written.items() if not is_complex(value)}
        config[place] = {k: v for k, v in kept.items() if not isinstance(k, Template)}
        for key in written.keys() - kept.keys():
            unresolved.add("targets" if key in cv.TARGET_SERVICE_FIELDS else "data")
    if is_complex(config.get(ATTR_ENTITY_ID)):
        del config[ATTR_ENTITY_ID]
        unresolved.add("targets")
    return frozenset(unresolved)


def _inner_sequences(kind: str, step: Mapping[str, Any]) -> list[Any] | None:
    """Return the sequences in a step, of all its branches; None for a kind of step that has none."""
    match kind:
        case cv.SCRIPT_ACTION_CHOOSE:
            options = step[CONF_CHOOSE]
            options = options if isinstance(options, list | tuple) else [options]
            return [
                *(
                    each.get(CONF_SEQUENCE) if isinstance(each, Mapping) else None
                    for each in options
                ),
                step.get(CONF_DEFAULT) or [],
            ]
        case cv.SCRIPT_ACTION_IF:
            return [step.get(CONF_THEN), step.get(CONF_ELSE) or []]
        case cv.SCRIPT_ACTION_REPEAT:
            repeated = step[CONF_REPEAT]
            return [repeated.get(CONF_SEQUENCE) if isinstance(repeated, Mapping) else None]
        case cv.SCRIPT_ACTION_PARALLEL:
            return [step[CONF_PARALLEL]]
        case cv.SCRIPT_ACTION_SEQUENCE:
            return [step[CONF_SEQUENCE]]
        case _:
            return None


def _written_states(entities: Any) -> Iterator[State]:
    """Yield states as a step writes them: a state, or it with attributes."""
    for entity_id, given in entities.items() if isinstance(entities, Mapping) else ():
        attributes = dict(given) if isinstance(given, Mapping) else {ATTR_STATE: given}
        state = attributes.pop(ATTR_STATE, None)
        if isinstance(state, bool):
            # What YAML makes of a bare "on".
            state = STATE_ON if state else STATE_OFF
        yield State(str(entity_id).casefold(), str(state), attributes)
