"""What a script, a scene or an automation does is judged as it will be done, however it is written."""

from collections.abc import Mapping, Sequence
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HomeAssistant, ServiceCall, State, callback
from homeassistant.helpers import (
    config_validation as cv,
    entity_registry as er,
    label_registry as lr,
)
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids
from homeassistant.setup import async_setup_component
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.plans.indirect_calls import async_find_indirect_calls
from custom_components.bellboard.plans.policy_check import PolicyCheck
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY, POLICIES_FILE, async_setup_policies
from tests.conftest import Setup, Speaker
from tests.one_house import in_one_house
from tests.test_policies import BROKEN, WHO
from tests.test_policy_reach import REFUSED, obey, rule, touched_by

DOOR, LAMP, BLINDS = "lock.front_door", "light.floor_lamp", "cover.bedroom_blinds"
TV = "media_player.living_room_tv"
ALARM, HEATING = "alarm_control_panel.home_alarm", "climate.bedroom_thermostat"

type Steps = Sequence[Mapping[str, Any]]

DENY_DOOR = (
    rule(domain=["lock"]),
    rule(entity=[DOOR]),
    rule(action=["lock.unlock", "lock.open"]),
    rule(area=["Hallway"], domain=["lock"]),
    rule("confirm", domain=["lock"], action=["lock.unlock", "lock.open"]),
)


def unlock(**target: Any) -> dict[str, Any]:
    """Return a step that unlocks what it names."""
    return {"action": "lock.unlock", "target": target}


async def add_scripts(hass: HomeAssistant, **sequences: Steps) -> None:
    """Add exposed scripts, in place of those that there were."""
    config = {
        "script": {
            name: {"alias": name.replace("_", " ").title(), "sequence": [*steps]}
            for name, steps in sequences.items()
        }
    }
    if "script" in hass.config.components:
        with patch("homeassistant.config.load_yaml_config_file", return_value=config):
            await hass.services.async_call("script", "reload", blocking=True)
    else:
        assert await async_setup_component(hass, "script", config)
    await hass.async_block_till_done()
    for name in sequences:
        async_expose_entity(hass, "conversation", f"script.{name}", True)


async def add_scene(hass: HomeAssistant, entities: Mapping[str, State]) -> None:
    """Add the exposed scene "Cinema Hour", in place of the one that there was."""
    platform = hass.data.get("homeassistant_scene")
    if platform and "scene.cinema_hour" in platform.entities:
        await platform.entities["scene.cinema_hour"].async_remove(force_remove=True)
    await hass.data["scene"].async_setup_platform(
        "homeassistant",
        {"platform": "homeassistant", "states": [{"name": "Cinema Hour", "entities": entities}]},
    )
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "scene.cinema_hour", True)


async def add_group(hass: HomeAssistant, name: str, *members: str) -> None:
    """Add a group in the old way, which may be of anything."""
    assert await async_setup_component(hass, "group", {})
    data = {"object_id": name, "entities": [*members]}
    await hass.services.async_call("group", "set", data, blocking=True)


async def add_alarm(hass: HomeAssistant) -> None:
    """Add an alarm, which is armed."""
    alarm = {
        "platform": "manual",
        "name": "Home Alarm",
        "arming_time": 0,
        "code_arm_required": False,
    }
    config = {"alarm_control_panel": alarm}
    assert await async_setup_component(hass, "alarm_control_panel", config)
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", ALARM, True)
    data = {"entity_id": ALARM}
    await hass.services.async_call("alarm_control_panel", "alarm_arm_away", data, blocking=True)


UNLOCKING: Mapping[str, Steps] = {
    "in capitals": [{"action": "lock.unlock", "data": {"entity_id": "LOCK.Front_Door"}}],
    "in a list in one text": [{"action": "lock.unlock", "data": {"entity_id": f"{LAMP}, {DOOR}"}}],
    "by templates for action and target": [
        {"action": "{{ 'lock.' ~ 'unlock' }}", "target": {"entity_id": "{{ 'lock.front_door' }}"}}
    ],
    "by a template for the action": [
        {"action": "{{ 'lock.' ~ 'unlock' }}", "target": {"entity_id": DOOR}}
    ],
    "by a template for the target": [unlock(entity_id="{{ 'lock.front' ~ '_door' }}")],
    "by a template for the area": [unlock(area_id="{{ 'hallway' }}")],
    "by a template for all data": [
        {"action": "lock.unlock", "data": "{{ {'entity_id': 'lock.front_door'} }}"}
    ],
    "by applying a state": [{"action": "scene.apply", "data": {"entities": {DOOR: "unlocked"}}}],
    "by applying a state to a group": [
        {"action": "scene.apply", "data": {"entities": {"group.doors": "unlocked"}}}
    ],
    "of a group": [unlock(entity_id="group.doors")],
    "in the branch of a choice": [
        {"choose": [{"conditions": "{{ true }}", "sequence": [unlock(entity_id=DOOR)]}]}
    ],
    "after a wait": [{"wait_template": "{{ true }}"}, unlock(entity_id=DOOR)],
    "in parallel": [{"parallel": [{"sequence": [unlock(entity_id=DOOR)]}]}],
    "by a message that may be for anything": [{"action": "mqtt.publish", "data": {"topic": "x"}}],
}


async def add_message_action(hass: HomeAssistant) -> None:
    """Let a message unlock the door, as one to a bridge could."""

    async def publish(_call: ServiceCall) -> None:
        await hass.services.async_call("lock", "unlock", {"entity_id": DOOR})

    hass.services.async_register("mqtt", "publish", publish)


@in_one_house("written", [*UNLOCKING])
async def test_however_a_script_unlocks_a_rule_on_the_lock_holds(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, written: str
) -> None:
    await add_message_action(hass)
    await add_group(hass, "doors", DOOR)
    await add_scripts(hass, party_mode=UNLOCKING[written])
    speaker = await speak()
    for forbidding in DENY_DOOR:
        await obey(hass, forbidding)
        said = await speaker.say("run party mode")
        assert hass.states.is_state(DOOR, "locked"), forbidding
        assert REFUSED in said.reply
        assert not touched_by(said, "script", "lock")


@in_one_house("by", ["target", "data", "device action"])
async def test_an_entity_is_known_by_the_id_of_its_registry_entry(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, by: str
) -> None:
    entry = er.async_get(hass).async_get(DOOR)
    assert entry is not None
    steps = {
        "target": [unlock(entity_id=entry.id)],
        "data": [{"action": "lock.unlock", "target": {"entity_id": [LAMP, entry.id]}}],
        "device action": [
            {
                "device_id": entry.device_id,
                "domain": "lock",
                "entity_id": entry.id,
                "type": "unlock",
            }
        ],
    }[by]
    await add_scripts(hass, party_mode=steps)
    speaker = await speak()
    for forbidding in DENY_DOOR:
        await obey(hass, forbidding)
        said = await speaker.say("run party mode")
        assert hass.states.is_state(DOOR, "locked"), forbidding
        assert REFUSED in said.reply


OPENING: Mapping[str, dict[str, Any]] = {
    "device action": {"domain": "cover", "type": "open"},
    "device action to a position": {"domain": "cover", "type": "set_position", "position": 100},
    "toggle": {"action": "cover.toggle", "target": {"entity_id": BLINDS}},
    "Home Assistant's toggle": {"action": "homeassistant.toggle", "target": {"entity_id": BLINDS}},
    "position": {
        "action": "cover.set_cover_position",
        "target": {"entity_id": BLINDS},
        "data": {"position": 60},
    },
    "position by a template": {
        "action": "cover.set_cover_position",
        "target": {"entity_id": BLINDS},
        "data": {"position": "{{ 50 + 10 }}"},
    },
}


@in_one_house("way", [*OPENING])
async def test_a_rule_on_opening_holds_for_every_step_that_opens(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, way: str
) -> None:
    entry = er.async_get(hass).async_get(BLINDS)
    assert entry is not None
    step = dict(OPENING[way])
    if way.startswith("device action"):
        step |= {"device_id": entry.device_id, "entity_id": entry.id}
    await hass.services.async_call("cover", "close_cover", {"entity_id": BLINDS}, blocking=True)
    await hass.async_block_till_done()
    await add_scripts(hass, party_mode=[step])
    speaker = await speak()
    await obey(hass, rule("confirm", action=["lock.unlock", "lock.open", "cover.open_cover"]))
    said = await speaker.say("run party mode")
    assert REFUSED in said.reply
    assert not touched_by(said, "script", "cover")
    assert hass.states.is_state(BLINDS, "closed")


@in_one_house(
    "sentence",
    [
        "open the bedroom blinds",
        "put the bedroom blinds at 95 percent",
        "raise the bedroom blinds halfway",
        "raise the bedroom blinds a little",
        "raise the bedroom blinds by 30 percent",
        "toggle the bedroom blinds",
    ],
)
async def test_no_wording_opens_where_opening_is_denied(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, sentence: str
) -> None:
    await hass.services.async_call("cover", "close_cover", {"entity_id": BLINDS}, blocking=True)
    await hass.async_block_till_done()
    speaker = await speak()
    await obey(hass, rule(action=["cover.open_cover"]))
    await speaker.say(sentence)
    assert hass.states.is_state(BLINDS, "closed")


@in_one_house(
    ("action", "begin", "sentence"),
    [
        ("light.turn_on", ("light.turn_off", LAMP), "toggle the floor lamp"),
        ("homeassistant.turn_on", ("light.turn_off", LAMP), "turn on the floor lamp"),
        ("media_player.turn_on", ("media_player.turn_off", TV), "toggle the living room tv"),
        ("media_player.volume_set", ("media_player.turn_on", TV), "turn up the living room tv"),
        ("cover.set_cover_position", ("cover.close_cover", BLINDS), "open the bedroom blinds"),
        ("climate.set_hvac_mode", ("climate.turn_off", HEATING), "turn on the bedroom thermostat"),
    ],
)
async def test_a_rule_holds_for_what_is_done_in_another_way(
    hass: HomeAssistant,
    house: ConfigEntry,
    speak: Setup,
    *,
    action: str,
    begin: tuple[str, str],
    sentence: str,
) -> None:
    (begins, entity_id), speaker = begin, await speak()
    data = {"entity_id": entity_id}
    domain, _, service = begins.partition(".")
    await hass.services.async_call(domain, service, data, blocking=True)
    await hass.async_block_till_done()
    before = hass.states.get(entity_id)
    await obey(hass, rule(action=[action]))
    said = await speaker.say(sentence)
    assert REFUSED in said.reply
    assert hass.states.get(entity_id) == before


SCENES: Mapping[str, tuple[Mapping[str, State], Mapping[str, Any]]] = {
    "a group of doors": ({"group.doors": State("group.doors", "unlocked")}, {"domain": ["lock"]}),
    "a group of lamps": (
        {"group.lamps": State("group.lamps", "on", {"brightness": 250})},
        {"parameters": {"brightness_pct": {"above": 50}}},
    ),
    "a choice": (
        {"input_select.mode": State("input_select.mode", "away")},
        {"domain": ["input_select"]},
    ),
    "a number": (
        {"input_number.level": State("input_number.level", "7")},
        {"domain": ["input_number"]},
    ),
    "heating": (
        {HEATING: State(HEATING, "heat", {"temperature": 29})},
        {"parameters": {"temperature": {"above": 23}}},
    ),
}


@in_one_house("touched", [*SCENES])
async def test_a_scene_is_judged_by_the_calls_that_home_assistant_makes_of_it(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, touched: str
) -> None:
    entities, match = SCENES[touched]
    if "input_select" not in hass.config.components:
        options = {"mode": {"options": ["home", "away"]}}
        assert await async_setup_component(hass, "input_select", {"input_select": options})
        level = {"level": {"min": 0, "max": 10}}
        assert await async_setup_component(hass, "input_number", {"input_number": level})
    await add_group(hass, "doors", DOOR)
    await add_group(hass, "lamps", LAMP)
    await add_scene(hass, entities)
    speaker = await speak()
    await obey(hass, rule(**match))
    said = await speaker.say("activate cinema hour")
    assert REFUSED in said.reply
    assert not said.changes
    assert not touched_by(said, "scene")


@in_one_house(
    "forbidding",
    [
        {"domain": ["alarm_control_panel"]},
        {"entity": [ALARM]},
        {"action": ["alarm_control_panel.*"]},
        {"action": ["alarm_control_panel.alarm_disarm"]},
    ],
)
async def test_no_scene_disarms_the_alarm_past_a_rule(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, forbidding: dict[str, Any]
) -> None:
    if "alarm_control_panel" not in hass.config.components:
        await add_alarm(hass)
    await add_scene(hass, {ALARM: State(ALARM, "disarmed")})
    speaker = await speak()
    await obey(hass, rule(**forbidding))
    said = await speaker.say("activate cinema hour")
    assert REFUSED in said.reply
    assert hass.states.is_state(ALARM, "armed_away")


PINNED = """
pins:
  any: "2468"
rules:
  - name: alarm
    match: {domain: [alarm_control_panel, lock]}
    effect: confirm
    require: pin
"""


async def _say_yes_to_scene(hass: HomeAssistant, speaker: Speaker) -> None:
    """Activate the scene and agree to whatever is asked."""
    await speaker.say("activate cinema hour")
    await speaker.say("yes")


@pytest.mark.parametrize("written", [PINNED, BROKEN])
async def test_no_yes_disarms_where_a_code_is_wanted_or_nobody_can_tell(
    hass: HomeAssistant, speak: Setup, tmp_path: Path, written: str
) -> None:
    speaker = await speak()
    await add_alarm(hass)
    await add_scene(hass, {ALARM: State(ALARM, "disarmed"), LAMP: State(LAMP, "on")})
    hass.config.config_dir = str(tmp_path)
    (tmp_path / POLICIES_FILE).write_text(written, "utf-8")
    await async_setup_policies(hass)
    await _say_yes_to_scene(hass, speaker)
    assert hass.states.is_state(ALARM, "armed_away")
    if written == PINNED:
        await speaker.say("activate cinema hour")
        await speaker.say("2468")
        assert hass.states.is_state(ALARM, "disarmed")


async def test_a_scene_of_another_integration_may_do_anything_unless_a_rule_allows_it(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    hass.states.async_set("scene.bridge", "unknown")
    call = ToolCall(action="scene.turn_on", targets=("scene.bridge",))
    allowing = {"name": "trusted", "match": {"entity": ["scene.bridge"]}, "effect": "allow"}
    for rules, expected in (
        ([rule(domain=["lock"])], PolicyEffect.DENY),
        ([rule("confirm", entity=[BLINDS])], PolicyEffect.CONFIRM),
        ([rule(label=["Nothing has it"])], PolicyEffect.DENY),
        ([rule(user=["Nobody"])], PolicyEffect.ALLOW),
        ([allowing, rule(domain=["lock"])], PolicyEffect.ALLOW),
    ):
        await obey(hass, *rules)
        check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
        found = await check.async_check(call, 1, frozenset())
        assert [each.effect for each in found] == [expected], rules


async def test_a_value_that_a_template_works_out_may_be_any(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    step: dict[str, Any] = {
        "action": "light.turn_on",
        "target": {"entity_id": LAMP},
        "data": {"brightness_pct": "{{ 10 + 20 }}", "color_name": "red"},
    }
    await add_scripts(hass, party_mode=[step])
    call = ToolCall(action="script.turn_on", targets=("script.party_mode",))
    for match, is_refused in (
        ({"parameters": {"brightness_pct": {"above": 50}}}, True),
        ({"parameters": {"color_name": "blue"}}, False),
        ({"entity": ["light.reading_lamp"], "parameters": {"brightness_pct": {"above": 5}}}, False),
        ({"domain": ["lock"]}, False),
    ):
        await obey(hass, rule(**match))
        check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
        [verdict] = await check.async_check(call, 1, frozenset())
        assert (verdict.effect is PolicyEffect.DENY) is is_refused, match
    # A profile has a brightness of its own.
    step["data"] = {"profile": "relax"}
    await add_scripts(hass, party_mode=[step])
    await obey(hass, rule(parameters={"brightness_pct": {"above": 50}}))
    check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
    [verdict] = await check.async_check(call, 1, frozenset())
    assert verdict.effect is PolicyEffect.DENY
    step["data"] = {"brightness_pct": "{{ 10 + 20 }}"}
    await add_scripts(hass, party_mode=[step])
    clamping = {
        "name": "dim",
        "match": {"domain": "light"},
        "effect": "clamp",
        "to": {"brightness_pct": {"max": 90}},
    }
    await obey(hass, clamping)
    check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
    [verdict] = await check.async_check(call, 1, frozenset())
    assert verdict.effect is PolicyEffect.DENY


async def test_what_an_automation_does_at_a_sentence_is_judged(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    assert await async_setup_component(
        hass,
        "automation",
        {
            "automation": [
                {
                    "alias": "Let in",
                    "triggers": {"trigger": "conversation", "command": ["open sesame"]},
                    "actions": [unlock(entity_id=DOOR)],
                },
                {
                    "alias": "Light up",
                    "triggers": {"trigger": "conversation", "command": "abracadabra"},
                    "actions": [{"action": "light.turn_on", "target": {"entity_id": LAMP}}],
                },
            ]
        },
    )
    await obey(hass, rule(domain=["lock"]))
    said = await speaker.say("open sesame")
    assert REFUSED in said.reply
    assert hass.states.is_state(DOOR, "locked")
    await hass.services.async_call("light", "turn_off", {"entity_id": LAMP}, blocking=True)
    await speaker.say("abracadabra")
    assert hass.states.is_state(LAMP, "on")


async def test_an_integrations_own_action_on_devices_may_be_any_on_these(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    async def do(_call: ServiceCall) -> None:
        """Do what nobody knows."""

    for action, schema in (("dance", cv.make_entity_service_schema({})), ("send", None)):
        hass.services.async_register("maker", action, do, schema)
    cases: list[tuple[str, str, dict[str, Any], bool]] = [
        ("dance", LAMP, {"domain": ["lock"]}, False),
        ("dance", LAMP, {"action": ["light.turn_on"]}, True),
        ("dance", DOOR, {"domain": ["lock"], "action": ["lock.unlock"]}, True),
        ("send", LAMP, {"domain": ["lock"]}, True),
    ]
    for action, target, match, is_refused in cases:
        step = {"action": f"maker.{action}", "target": {"entity_id": target}}
        await add_scripts(hass, party_mode=[step])
        await obey(hass, rule(**match))
        check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
        call = ToolCall(action="script.turn_on", targets=("script.party_mode",))
        [verdict] = await check.async_check(call, 1, frozenset())
        assert (verdict.effect is PolicyEffect.DENY) is is_refused, (action, target, match)


async def test_players_that_join_are_judged_as_well(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    call = ToolCall(
        action="media_player.join",
        targets=("media_player.kitchen_speaker",),
        data={"group_members": ["media_player.bedroom_speaker"]},
    )
    await obey(hass, rule(entity=["media_player.bedroom_speaker"]))
    check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
    [verdict] = await check.async_check(call, 1, frozenset())
    assert verdict.effect is PolicyEffect.DENY


# What Home Assistant did is what was judged.

_TARGETS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {"entity_id": DOOR},
        {"entity_id": [LAMP, DOOR]},
        {"entity_id": f"{LAMP}, {BLINDS}"},
        {"entity_id": "LIGHT.Floor_Lamp"},
        {"entity_id": "group.some"},
        {"entity_id": "all"},
        {"area_id": "hallway"},
        {"area_id": ["bedroom", "living_room"]},
        {"floor_id": "ground_floor"},
        {"label_id": "doors"},
        {"entity_id": "{{ 'lock.front' ~ '_door' }}"},
        {"entity_id": HEATING},
    ]
)
_ACTIONS: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("lock.unlock", {}),
        ("lock.lock", {}),
        ("cover.toggle", {}),
        ("cover.open_cover", {}),
        ("cover.set_cover_position", {"position": 40}),
        ("light.turn_on", {"brightness_pct": 80}),
        ("light.turn_on", {"brightness_pct": "{{ 20 + 1 }}"}),
        ("light.toggle", {}),
        ("homeassistant.turn_on", {}),
        ("homeassistant.toggle", {}),
        ("{{ 'lock.' ~ 'unlock' }}", {}),
        ("climate.set_hvac_mode", {"hvac_mode": "off"}),
    ]
)
_STATES = st.fixed_dictionaries(
    {},
    optional={
        DOOR: st.sampled_from(["unlocked", "locked"]),
        LAMP: st.sampled_from(["on", "off", {"state": "on", "brightness": 200}]),
        BLINDS: st.sampled_from(["open", "closed"]),
        HEATING: st.sampled_from(["heat", "off"]),
        "group.some": st.sampled_from(["on", "unlocked"]),
        "media_player.kitchen_speaker": st.sampled_from(["on", "off"]),
    },
).filter(bool)


@st.composite
def _calling(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a step that calls an action, its targets in either place."""
    action, data = draw(_ACTIONS)
    target: dict[str, Any] = draw(_TARGETS)
    if action.startswith("homeassistant.") and target.get("entity_id") == "all":
        # Home Assistant refuses that.
        target = {"entity_id": DOOR}
    if draw(st.booleans()) and "{{" not in str(target):
        return {"action": action, "data": {**data, **target}}
    return {"action": action, "target": target, "data": data}


def _nest(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return steps that have other steps in them."""
    sequence = st.lists(inner, min_size=1, max_size=2)
    return st.one_of(
        sequence.map(lambda steps: {"sequence": steps}),
        sequence.map(lambda steps: {"parallel": [{"sequence": steps}]}),
        sequence.map(lambda steps: {"repeat": {"count": 1, "sequence": steps}}),
        sequence.map(lambda steps: {"if": "{{ true }}", "then": steps}),
        sequence.map(lambda steps: {"if": "{{ false }}", "then": [], "else": steps}),
        sequence.map(lambda steps: {"choose": [{"conditions": "{{ true }}", "sequence": steps}]}),
        sequence.map(lambda steps: {"choose": [], "default": steps}),
    )


_LEAVES = st.one_of(
    _calling(),
    _STATES.map(lambda states: {"action": "scene.apply", "data": {"entities": states}}),
    st.just({"scene": "scene.movie_night"}),
    st.just({"action": "script.turn_on", "target": {"entity_id": "script.inner"}}),
    st.just({"action": "script.inner"}),
    st.just({"delay": {"milliseconds": 0}}),
    st.just({"device_id": "", "domain": "cover", "entity_id": "", "type": "open"}),
)
_SCRIPTS = st.lists(st.recursive(_LEAVES, _nest, max_leaves=5), min_size=1, max_size=4)

# What runs others is judged by what they do.
_RUNNING = {"script", "scene", "homeassistant", "group"}


def _covers(judged: ToolCall, domain: str, service: str, targets: set[str]) -> set[str]:
    """Return the targets of a recorded call that a judged one is about."""
    if "action" in judged.unresolved and "targets" in judged.unresolved:
        return targets
    is_same = judged.action == f"{domain}.{service}" or "action" in judged.unresolved
    if not is_same:
        return set()
    return targets if "targets" in judged.unresolved else targets & set(judged.targets)


def _with_device(steps: Any, entry: er.RegistryEntry) -> Any:
    """Return steps in which a device's action is that of a cover."""
    if isinstance(steps, list):
        return [_with_device(step, entry) for step in steps]
    if not isinstance(steps, dict):
        return steps
    if "device_id" in steps:
        return {**steps, "device_id": entry.device_id, "entity_id": entry.id}
    return {key: _with_device(value, entry) for key, value in steps.items()}


def _targets_of(hass: HomeAssistant, domain: str, data: Mapping[str, Any]) -> set[str]:
    """Return the entities of a recorded call, as Home Assistant finds them."""
    ids = data.get("entity_id")
    if ids == "all":
        return {*hass.states.async_entity_ids(domain)}
    selected = async_extract_referenced_entity_ids(
        hass,
        TargetSelection({**data, "entity_id": cv.comp_entity_ids(ids) if ids else None}),
    )
    own = {each for each in selected.indirectly_referenced if each.startswith(f"{domain}.")}
    return selected.referenced | own


POLICIES: Mapping[str, str] = {
    "deny": "rules:\n- {name: doors, match: {domain: lock}, effect: deny, reason: No.}",
    "confirm": "rules:\n- {name: doors, match: {domain: lock}, effect: confirm, reason: Sure?}",
    "pin": PINNED,
    "broken": BROKEN,
    "none": "rules: []",
}
"""Policies that a script or a scene is run under. Nobody says a code, or yes to a question about the door."""

TRIES = int(os.environ.get("BELLBOARD_SCRIPTS", "60"))


@pytest.mark.long
async def test_every_call_that_was_made_is_among_those_that_were_judged(
    hass: HomeAssistant, speak: Setup, tmp_path: Path
) -> None:
    """Home Assistant's own record of a turn holds nothing that was not judged, and the door stays shut.

    As many scripts and scenes as `BELLBOARD_SCRIPTS` says are drawn from Home Assistant's schemas.
    """
    speaker = await speak()
    await add_group(hass, "some", DOOR, LAMP)
    label = lr.async_get(hass).async_create("Doors")
    er.async_get(hass).async_update_entity(DOOR, labels={label.label_id})
    entry = er.async_get(hass).async_get(BLINDS)
    assert entry is not None
    hass.config.config_dir = str(tmp_path)
    made: list[tuple[str, str, set[str]]] = []

    @callback
    def note(event: Event) -> None:
        domain, data = event.data["domain"], event.data["service_data"]
        if domain not in _RUNNING:
            made.append((domain, event.data["service"], _targets_of(hass, domain, data)))

    hass.bus.async_listen("call_service", note)
    inner = [
        unlock(entity_id=entry.id),
        {"action": "light.turn_off", "target": {"area_id": "kitchen"}},
    ]
    drawn: list[tuple[Any, Any]] = []

    @given(_SCRIPTS, _STATES)
    @settings(max_examples=TRIES, deadline=None, database=None, derandomize=True,
              suppress_health_check=[*HealthCheck])  # fmt: skip
    def draw(steps: Any, states: Any) -> None:
        drawn.append((_with_device(steps, entry), states))

    draw()
    opened = 0
    for number, (steps, states) in enumerate(drawn):
        kind = [*POLICIES][number % len(POLICIES)]
        (tmp_path / POLICIES_FILE).write_text(POLICIES[kind], "utf-8")
        await async_setup_policies(hass)
        is_scene = number % 4 == 3
        if is_scene:
            await add_scene(hass, {
                name: State(name, given) if isinstance(given, str) else State(name, given["state"], given)
                for name, given in states.items()
            })  # fmt: skip
            call = ToolCall(action="scene.turn_on", targets=("scene.cinema_hour",))
        else:
            await add_scripts(hass, party_mode=steps, inner=inner)
            call = ToolCall(action="script.turn_on", targets=("script.party_mode",))
        judged = [call, *await async_find_indirect_calls(hass, call)]
        made.clear()
        await speaker.say("activate cinema hour" if is_scene else "run party mode")
        if kind == "broken":
            await speaker.say("yes")
        for domain, service, targets in made:
            left = targets.difference(*(_covers(one, domain, service, targets) for one in judged))
            assert not left, (steps, domain, service, left)
        was_opened = any(
            domain == "lock" and service != "lock" and DOOR in targets
            for domain, service, targets in made
        )
        assert kind == "none" or not was_opened, (kind, steps, states)
        opened += was_opened
        await hass.services.async_call("lock", "lock", {"entity_id": DOOR}, blocking=True)
        await speaker.say("never mind")
    assert opened > TRIES / 100, "nothing that was drawn would have opened the door"
