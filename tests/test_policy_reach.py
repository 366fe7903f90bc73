"""Policies see what is touched: what commands of Home Assistant's reach, members of groups, what scripts do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.vacuum import VacuumEntityFeature
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er, intent
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service
import yaml

from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.home.catalog import members_of
from custom_components.bellboard.plans.indirect_calls import async_find_indirect_calls
from custom_components.bellboard.plans.policy_check import PolicyCheck
from custom_components.bellboard.policy.engine import Interaction, PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from custom_components.bellboard.policy.lookup import RegistryLookup
from custom_components.bellboard.policy.parsing import read_rules
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from tests.conftest import Said, Setup
from tests.test_policies import WHO

REFUSED = "Not in this house."


def rule(effect: str = "deny", **match: Any) -> dict[str, Any]:
    """Return a rule as it is written, about all that matches."""
    return {"name": f"rule {effect}", "match": match, "effect": effect, "reason": REFUSED}


async def obey(hass: HomeAssistant, *rules: Mapping[str, Any]) -> None:
    """Put rules into force."""
    surroundings = RegistryLookup(hass)
    await surroundings.async_start()
    written = read_rules(yaml.safe_load(yaml.safe_dump({"rules": list(rules)})))
    hass.data[DATA_POLICY] = RulePolicyEngine(written, surroundings)


def touched_by(said: Said, *domains: str) -> list[str]:
    """Return the actions of some domains that were called, without Bellboard's own."""
    return [
        f"{call['domain']}.{call['service']}"
        for call in said.calls
        if call["domain"] in domains
    ]  # fmt: skip


async def groups(hass: HomeAssistant, **members: list[str]) -> None:
    """Set up exposed light groups with these members."""
    platforms = [
        {"platform": "group", "name": name.replace("_", " ").title(), "entities": entities}
        for name, entities in members.items()
    ]
    assert await async_setup_component(hass, "group", {})
    await hass.async_block_till_done()
    for platform in platforms:
        await hass.data["light"].async_setup_platform("group", platform)
    await hass.async_block_till_done()
    for name in members:
        async_expose_entity(hass, "conversation", f"light.{name}", True)


LAMPS = ["light.floor_lamp", "light.reading_lamp"]


async def test_a_group_is_known_by_its_members(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    await groups(hass, cosy_corner=LAMPS)
    assert set(members_of(hass, "light.cosy_corner")) == set(LAMPS)
    assert members_of(hass, "light.floor_lamp") == ()
    hass.states.async_set("group.all", "on", {"entity_id": ["light.cosy_corner", "group.all"]})
    assert set(members_of(hass, "group.all")) == set(LAMPS)


async def test_a_member_that_is_denied_is_left_and_the_others_are_done(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    await obey(hass, rule(entity=["light.reading_lamp"]))
    said = await speaker.say("set the cosy corner to 33 percent")
    assert "light.reading_lamp" not in said.changes
    assert "light.floor_lamp" in said.changes
    assert REFUSED in said.reply


async def test_a_member_that_is_not_exposed_is_not_touched_through_its_group(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    async_expose_entity(hass, "conversation", "light.reading_lamp", False)
    said = await speaker.say("set the cosy corner to 33 percent")
    assert "light.reading_lamp" not in said.changes
    assert "light.floor_lamp" in said.changes
    assert "Reading" not in said.reply


async def test_what_was_hidden_behind_a_group_is_reached_through_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    for lamp in LAMPS:
        async_expose_entity(hass, "conversation", lamp, False)
        er.async_get(hass).async_update_entity(lamp, hidden_by=er.RegistryEntryHider.INTEGRATION)
    said = await speaker.say("set the cosy corner to 33 percent")
    assert set(LAMPS) <= set(said.changes)


async def test_a_yes_is_asked_for_the_member_that_wants_one(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    await obey(hass, rule("confirm", entity=["light.reading_lamp"]))
    asked = await speaker.say("set the cosy corner to 33 percent")
    assert asked.result.continue_conversation
    assert "light.floor_lamp" in asked.changes
    assert "light.reading_lamp" not in asked.changes
    done = await speaker.say("yes")
    assert "light.reading_lamp" in done.changes


async def test_values_are_bounded_for_the_members_they_are_bounded_for(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    bounded = {
        **rule("clamp", entity=["light.reading_lamp"]),
        "to": {"brightness_pct": {"max": 20}},
    }
    await obey(hass, bounded)
    await speaker.say("set the cosy corner to 80 percent")
    reading, floor = (hass.states.get(lamp) for lamp in reversed(LAMPS))
    assert reading
    assert floor
    assert reading.attributes["brightness"] <= 52
    assert floor.attributes["brightness"] > 150


async def test_a_group_that_is_undone_gives_each_member_its_own_back(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    for lamp, level in zip(LAMPS, (30, 200), strict=True):
        await hass.services.async_call(
            "light", "turn_on", {"entity_id": lamp, "brightness": level}, blocking=True
        )
    await speaker.say("set the cosy corner to 100 percent")
    await speaker.say("undo that")
    levels = [s.attributes.get("brightness") for lamp in LAMPS if (s := hass.states.get(lamp))]
    assert levels == [30, 200]


async def test_a_group_of_anything_is_judged_by_its_members(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    entities = [*LAMPS, "lock.front_door"]
    assert await async_setup_component(
        hass, "group", {"group": {"evening": {"name": "Evening", "entities": entities}}}
    )
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "group.evening", True)
    call = ToolCall(action="homeassistant.turn_on", targets=("group.evening",))

    async def effects(*rules: Mapping[str, Any], whole: bool) -> dict[str, str]:
        await obey(hass, *rules)
        judge = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
        verdicts = await judge.async_check(call, 3, frozenset(), whole=whole)
        return {target: v.effect.value for v in verdicts for target in v.call.targets}

    assert await effects(whole=True) == {"group.evening": "allow"}
    matches: list[dict[str, Any]] = [
        {"action": ["light.turn_on"]}, {"domain": ["lock"]}, {"entity": LAMPS[:1]},
    ]  # fmt: skip
    for match in matches:
        assert await effects(rule(**match), whole=True) == {"group.evening": "deny"}
        assert await effects(rule("confirm", **match), whole=True) == {"group.evening": "confirm"}
    assert await effects(rule(domain=["light"]), whole=False) == {
        "light.floor_lamp": "deny", "light.reading_lamp": "deny", "lock.front_door": "allow",
    }  # fmt: skip


@pytest.mark.parametrize(
    "match", [{"domain": ["vacuum"]}, {"entity": ["vacuum.*"]}, {"action": ["vacuum.*"]}]
)
async def test_a_room_is_not_vacuumed_where_vacuums_are_denied(
    hass: HomeAssistant, speak: Setup, match: dict[str, Any]
) -> None:
    speaker = await speak()
    [vacuum] = hass.states.async_entity_ids("vacuum")
    state = hass.states.get(vacuum)
    assert state
    features = state.attributes["supported_features"] | VacuumEntityFeature.CLEAN_AREA
    hass.states.async_set(vacuum, state.state, {**state.attributes, "supported_features": features})
    cleaned = async_mock_service(hass, "vacuum", "clean_area")
    await speaker.say("vacuum the kitchen")
    assert len(cleaned) == 1
    await obey(hass, rule(**match))
    said = await speaker.say("vacuum the kitchen")
    assert len(cleaned) == 1
    assert REFUSED in said.reply


async def test_nothing_is_announced_where_announcements_are_denied(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    assert await async_setup_component(hass, "assist_satellite", {})
    hass.states.async_set("assist_satellite.hall", "idle", {"supported_features": 1})
    announced = async_mock_service(hass, "assist_satellite", "announce")
    await speaker.say("announce dinner is ready")
    assert len(announced) == 1
    await obey(hass, rule(domain=["assist_satellite"]))
    said = await speaker.say("announce dinner is ready")
    assert len(announced) == 1
    assert REFUSED in said.reply


async def test_nothing_is_added_to_a_list_where_lists_are_denied(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    [todo, *_] = hass.states.async_entity_ids("todo")
    name = hass.states.get(todo).name  # type: ignore[union-attr]
    before = hass.states.get(todo)
    await obey(hass, rule(entity=[todo]))
    said = await speaker.say(f"add rusty nails to {name}")
    assert hass.states.get(todo) == before
    assert REFUSED in said.reply


class Whatever(intent.IntentHandler):
    """A handler of somebody else's: nobody knows what it does."""

    intent_type = "DoWhatever"

    def __init__(self) -> None:
        self.handled = 0

    async def async_handle(self, intent_obj: intent.Intent) -> intent.IntentResponse:
        self.handled += 1
        response = intent_obj.create_response()
        response.async_set_speech("Whatever.")
        return response


Whatever.__module__ = "homeassistant.components.siren.intent"


@pytest.mark.parametrize(
    ("match", "is_refused"),
    [
        ({"domain": ["siren"]}, True),
        ({"entity": ["siren.*"]}, True),
        ({"action": ["siren.turn_on"]}, True),
        ({"action": ["intent.DoWhatever"]}, True),
        ({}, True),
        ({"domain": ["siren"], "area": ["Attic"]}, True),
        ({"domain": ["siren"], "user": ["any"]}, False),
        ({"domain": ["light"]}, False),
        ({"area": ["Attic"]}, False),
    ],
)
async def test_a_command_of_unknown_reach_is_refused_where_a_rule_speaks_of_its_kind(
    hass: HomeAssistant, speak: Setup, tmp_path: Path, match: dict[str, Any], is_refused: bool
) -> None:
    folder = tmp_path / "custom_sentences" / "en"
    folder.mkdir(parents=True)
    sentences = {"DoWhatever": {"data": [{"sentences": ["do whatever you do"]}]}}
    (folder / "whatever.yaml").write_text(yaml.safe_dump({"language": "en", "intents": sentences}))
    (tmp_path / "configuration.yaml").touch()
    hass.config.config_dir = str(tmp_path)
    await hass.services.async_call("conversation", "reload", blocking=True)
    handler = Whatever()
    intent.async_register(hass, handler)
    speaker = await speak()
    await obey(hass, rule(**match))
    said = await speaker.say("do whatever you do")
    assert handler.handled == (not is_refused)
    assert (REFUSED in said.reply) is is_refused


async def test_an_automation_that_waits_for_a_sentence_obeys_rules_on_automations(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    ran = async_mock_service(hass, "test", "ran")
    assert await async_setup_component(
        hass,
        "automation",
        {
            "automation": {
                "triggers": {"trigger": "conversation", "command": ["open sesame"]},
                "actions": {"action": "test.ran"},
            }
        },
    )
    await speaker.say("open sesame")
    assert len(ran) == 1
    await obey(hass, rule(domain=["automation"]))
    said = await speaker.say("open sesame")
    assert len(ran) == 1
    assert REFUSED in said.reply


SCRIPT = {
    "script": {
        "evening": {
            "sequence": [
                {"if": {"condition": "state", "entity_id": "light.floor_lamp", "state": "on"},
                 "then": [{"repeat": {"count": 1, "sequence": [
                     {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}]}}]},
                {"action": "light.turn_on", "target": {"entity_id": "light.reading_lamp"},
                 "data": {"brightness_pct": 90}},
            ]
        },
        "outer": {"sequence": [{"action": "script.evening"}, {"scene": "scene.nowhere"}]},
        "again": {"sequence": [{"action": "script.turn_on", "target": {"entity_id": "script.again"}}]},
    }
}  # fmt: skip


async def test_what_is_written_in_a_script_is_touched_by_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    assert await async_setup_component(hass, "script", SCRIPT)
    for name in ("evening", "outer"):
        found = await async_find_indirect_calls(hass, ToolCall(action=f"script.{name}"))
        made = {(call.action, call.targets) for call in found}
        assert ("lock.unlock", ("lock.front_door",)) in made
        assert ("light.turn_on", ("light.reading_lamp",)) in made
    # One that runs itself comes to an end here.
    assert await async_find_indirect_calls(
        hass, ToolCall(action="script.turn_on", targets=("script.again",))
    )


@pytest.mark.parametrize(
    "match",
    [
        {"domain": ["lock"]},
        {"action": ["lock.unlock"]},
        {"action": ["light.turn_on"], "parameters": {"brightness_pct": {"above": 80}}},
        {"entity": ["light.reading_lamp"]},
    ],
)
@pytest.mark.parametrize("effect", ["deny", "confirm"])
async def test_a_script_obeys_the_rules_on_what_is_written_in_it(
    hass: HomeAssistant, speak: Setup, match: dict[str, Any], effect: str
) -> None:
    speaker = await speak()
    assert await async_setup_component(hass, "script", SCRIPT)
    async_expose_entity(hass, "conversation", "script.outer", True)
    await obey(hass, rule(effect, **match))
    said = await speaker.say("turn on outer")
    assert not said.changes
    assert REFUSED in said.reply
    if effect == "confirm":
        done = await speaker.say("yes")
        assert "light.reading_lamp" in done.changes


async def test_a_scene_obeys_the_rules_on_what_it_sets(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    kept = [
        State("light.reading_lamp", "on", {"brightness": 230}),
        State("climate.bedroom", "heat", {"temperature": 23}),
        State("lock.front_door", "locked"),
    ]
    states = [{"name": "Bright", "entities": {state.entity_id: state for state in kept}}]
    await hass.data["scene"].async_setup_platform(
        "homeassistant", {"platform": "homeassistant", "states": states}
    )
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "scene.bright", True)
    found = await async_find_indirect_calls(
        hass, ToolCall(action="scene.turn_on", targets=("scene.bright",))
    )
    assert ("light.turn_on", {"brightness": 230}) in [(c.action, c.data) for c in found]
    await obey(hass, rule(domain=["light"], parameters={"brightness_pct": {"above": 80}}))
    said = await speaker.say("activate bright")
    assert not said.changes
    await obey(hass, rule(domain=["light"], parameters={"brightness_pct": {"above": 95}}))
    done = await speaker.say("activate bright")
    assert "light.reading_lamp" in done.changes


async def test_what_a_script_in_a_group_does_counts_also_where_its_members_are_judged_apart(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    assert await async_setup_component(hass, "script", SCRIPT)
    members = ["script.evening", "light.floor_lamp"]
    hass.states.async_set("group.evening", "off", {"entity_id": members})
    for entity_id in (*members, "group.evening"):
        async_expose_entity(hass, "conversation", entity_id, True)
    call = ToolCall(action="homeassistant.turn_on", targets=("group.evening",))
    for rules in (
        [rule(action=["lock.unlock"])],
        [rule("confirm", entity=["light.floor_lamp"]), rule(action=["lock.unlock"])],
    ):
        await obey(hass, *rules)
        check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
        for whole in (False, True):
            verdicts = await check.async_check(call, 1, frozenset(), whole=whole)
            refused = {t for v in verdicts if v.effect is PolicyEffect.DENY for t in v.call.targets}
            assert refused & {"script.evening", "group.evening"}, (rules, whole)


@pytest.mark.parametrize("effect", ["deny", "confirm"])
async def test_a_scene_of_which_only_its_things_are_known_may_do_anything_with_them(
    hass: HomeAssistant, house: ConfigEntry, effect: str
) -> None:
    hass.states.async_set("scene.bridge", "unknown", {"entity_id": ["lock.front_door"]})
    await obey(hass, rule(effect, action=["lock.unlock"]))
    check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
    call = ToolCall(action="scene.turn_on", targets=("scene.bridge",))
    assert [verdict.effect for verdict in await check.async_check(call, 1, frozenset())] == [effect]


@pytest.mark.parametrize(
    ("match", "is_refused"),
    [
        ({"entity": ["lock.front_door"]}, True),
        ({"domain": ["lock"]}, True),
        ({"action": ["lock.unlock"]}, True),
        ({"action": ["lock.lock"]}, False),
        ({"entity": ["light.floor_lamp"]}, False),
    ],
)
@pytest.mark.parametrize("target", ["all", "{{ 'lock.front_door' }}"])
async def test_a_script_that_works_out_which_lock_it_opens_may_open_any(
    hass: HomeAssistant, house: ConfigEntry, target: str, match: dict[str, Any], is_refused: bool
) -> None:
    step = {"action": "lock.unlock", "target": {"entity_id": target}}
    assert await async_setup_component(hass, "script", {"script": {"open": {"sequence": [step]}}})
    await obey(hass, rule(**match))
    check = PolicyCheck(hass, hass.data[DATA_POLICY], WHO)
    call = ToolCall(action="script.turn_on", targets=("script.open",))
    [verdict] = await check.async_check(call, 1, frozenset())
    assert (verdict.effect is PolicyEffect.DENY) is is_refused


async def test_the_members_of_a_group_count(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await groups(hass, cosy_corner=LAMPS)
    await obey(hass, rule(count={"above": 1}))
    said = await speaker.say("turn on the cosy corner")
    assert not said.changes


def test_the_strictest_rule_that_may_hold_decides(hass: HomeAssistant) -> None:
    who = Interaction(**{name: getattr(WHO, name) for name in WHO.__slots__})
    call = ToolCall(action="intent.X", domains=("siren",))

    def effect(*rules: Mapping[str, Any]) -> PolicyEffect:
        engine = RulePolicyEngine(read_rules({"rules": list(rules)}), RegistryLookup(hass))
        [verdict] = engine.validate(call, who)
        return verdict.effect

    anything = rule("deny", domain=["siren"])
    assert effect({**rule("allow", domain=["siren"]), "name": "a"}, anything) is PolicyEffect.ALLOW
    # That it is allowed in one place says nothing of another.
    some = {**rule("allow", domain=["siren"], area=["Attic"]), "name": "a"}
    assert effect(some, anything) is PolicyEffect.DENY
    bounded = {**rule("clamp", domain=["siren"]), "to": {"volume_level": {"max": 0.2}}}
    assert effect(bounded) is PolicyEffect.DENY
    assert effect(rule("deny", **{"not": {"domain": ["siren"]}})) is PolicyEffect.ALLOW
    assert (
        effect(rule("deny", any=[{"domain": ["light"]}, {"domain": ["siren"]}]))
        is PolicyEffect.DENY
    )
    assert (
        effect(rule("deny", all=[{"domain": ["light"]}, {"domain": ["siren"]}]))
        is PolicyEffect.ALLOW
    )
