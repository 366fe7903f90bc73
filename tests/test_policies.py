"""The policies of the house: read from their file, kept when it breaks, and closed when in doubt."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
import logging
from pathlib import Path
import re
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    issue_registry as ir,
    label_registry as lr,
)
from homeassistant.util.yaml import Secrets
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.policy.engine import (
    Interaction,
    NullPolicyEngine,
    PolicyEffect,
    Verdict,
)
from custom_components.bellboard.policy.file import (
    DATA_POLICY,
    ISSUE_BROKEN,
    POLICIES_FILE,
    async_setup_policies,
)
from custom_components.bellboard.policy.parsing import PolicyFileError, load_file
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from custom_components.bellboard.services.registration import async_register_actions
from custom_components.bellboard.when import Once, Schedule
from tests.conftest import Setup

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
EXAMPLE = (EXAMPLES / POLICIES_FILE).read_text("utf-8")
DENY_LIGHTS = """
rules:
  - name: no_lights
    match:
      domain: light
    effect: deny
    reason: No lights.
"""
BROKEN = "rules:\n  - name: x\n    match:\n      domian: light\n    effect: allow\n"
WHO = Interaction(
    id="1",
    session_id="s",
    text="",
    language="en",
    at=datetime(2026, 11, 25, 12),  # noqa: DTZ001 -- local time, as a rule sees it
)
LAMP = ToolCall(action="light.turn_on", targets=("light.a",))


@dataclass(frozen=True)
class Folder:
    """A configuration folder with policies in it, or without."""

    path: Path

    def write(self, text: str, name: str = POLICIES_FILE) -> None:
        """Write a file, the policies or what belongs to them."""
        (self.path / name).write_text(text, "utf-8")

    def remove(self) -> None:
        """Delete the policies."""
        (self.path / POLICIES_FILE).unlink()


@pytest.fixture
def policies(hass: HomeAssistant, tmp_path: Path) -> Folder:
    """Return the configuration folder of a home, with no policies in it yet and the actions there."""
    async_register_actions(hass)
    hass.config.config_dir = str(tmp_path)
    return Folder(tmp_path)


def ask(hass: HomeAssistant, call: ToolCall = LAMP, **interaction: Any) -> list[Verdict]:
    """Return what the policies in force say to a call."""
    return list(hass.data[DATA_POLICY].validate(call, replace(WHO, **interaction)))


def effects(hass: HomeAssistant, call: ToolCall = LAMP, **interaction: Any) -> dict[str, str]:
    """Return what becomes of each target."""
    return {
        target: verdict.effect.value
        for verdict in ask(hass, call, **interaction)
        for target in verdict.call.targets
    }


async def reload(hass: HomeAssistant, context: Context | None = None) -> Any:
    return await hass.services.async_call(
        DOMAIN,
        "reload_policies",
        blocking=True,
        return_response=True,
        context=context or Context(),
    )


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, ISSUE_BROKEN)


async def test_without_a_file_everything_is_allowed(hass: HomeAssistant, policies: Folder) -> None:
    await async_setup_policies(hass)
    assert isinstance(hass.data[DATA_POLICY], NullPolicyEngine)
    assert effects(hass) == {"light.a": "allow"}
    assert issue(hass) is None


async def test_the_file_is_read_at_the_start_and_when_told_to(
    hass: HomeAssistant, policies: Folder
) -> None:
    policies.write(DENY_LIGHTS)
    await async_setup_policies(hass)
    [verdict] = ask(hass)
    assert (verdict.effect, verdict.rule, verdict.reason) == (
        PolicyEffect.DENY, "no_lights", "No lights.",
    )  # fmt: skip
    policies.write(DENY_LIGHTS.replace("deny", "confirm"))
    assert effects(hass) == {"light.a": "deny"}
    assert await reload(hass) == {"rules": 1}
    assert effects(hass) == {"light.a": "confirm"}
    policies.remove()
    assert await reload(hass) == {"rules": 0}
    assert effects(hass) == {"light.a": "allow"}


async def test_what_broke_is_told_and_the_old_rules_hold(
    hass: HomeAssistant, policies: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    policies.write(DENY_LIGHTS)
    await async_setup_policies(hass)
    policies.write(BROKEN)
    with pytest.raises(ServiceValidationError) as raised:
        await reload(hass)
    place = {
        "file": POLICIES_FILE,
        "line": "4",
        "reason": '"domian" is not known here: is it "domain"?',
    }
    assert raised.value.translation_key == "policies_invalid"
    assert raised.value.translation_placeholders == place
    assert (found := issue(hass))
    assert found.translation_key == ISSUE_BROKEN
    assert found.translation_placeholders == place
    assert found.severity is ir.IssueSeverity.ERROR
    assert f"{POLICIES_FILE}, line 4" in caplog.text
    assert effects(hass) == {"light.a": "deny"}
    policies.write("rules: []")
    await reload(hass)
    assert issue(hass) is None
    assert effects(hass) == {"light.a": "allow"}


async def test_while_no_rules_could_be_read_everything_wants_a_yes(
    hass: HomeAssistant, policies: Folder
) -> None:
    policies.write(BROKEN)
    await async_setup_policies(hass)
    assert issue(hass)
    for call in (LAMP, ToolCall(action="intent.HassStartTimer")):
        [verdict] = ask(hass, call)
        assert verdict.effect is PolicyEffect.CONFIRM
        assert verdict.rule == ISSUE_BROKEN
        assert verdict.call == call
    agreed = hass.data[DATA_POLICY].validate(LAMP, WHO, confirmed=frozenset({ISSUE_BROKEN}))
    assert [verdict.effect for verdict in agreed] == [PolicyEffect.ALLOW]
    with pytest.raises(ServiceValidationError):
        await reload(hass)
    assert effects(hass) == {"light.a": "confirm"}
    policies.write(DENY_LIGHTS)
    await reload(hass)
    assert issue(hass) is None
    assert effects(hass) == {"light.a": "deny"}


async def test_only_administrators_reload(
    hass: HomeAssistant, policies: Folder, hass_read_only_user: MockUser
) -> None:
    await async_setup_policies(hass)
    with pytest.raises(Unauthorized):
        await reload(hass, Context(user_id=hass_read_only_user.id))


async def test_secrets_and_includes_are_followed(hass: HomeAssistant, policies: Folder) -> None:
    policies.write("guest: Guest\n", "secrets.yaml")
    policies.write(
        "- name: guest\n  match:\n    user: !secret guest\n  effect: confirm\n", "more.yaml"
    )
    policies.write("rules: !include more.yaml\n")
    guest = await hass.auth.async_create_user("Guest")
    await async_setup_policies(hass)
    assert effects(hass, user_id=guest.id) == {"light.a": "confirm"}
    assert effects(hass) == {"light.a": "allow"}
    policies.write("\n- name: guest\n  match: {}\n  effect: alow\n", "more.yaml")
    with pytest.raises(ServiceValidationError):
        await reload(hass)
    assert (found := issue(hass))
    assert found.translation_placeholders
    assert found.translation_placeholders["file"] == "more.yaml"
    assert found.translation_placeholders["line"] == "4"


@pytest.mark.parametrize(
    ("written", "line", "reason"),
    [
        (b"rules:\n  - {name: x", 2, "this is no YAML"),
        (b"rules:\n  - name: x\n    ? [a]\n    : 5\n", 3, "this is no YAML"),
        (b"rules: &a\n  - *a\n", 1, "this is no YAML"),
        (
            b"rules:\n  - name: x\n    match: {}\n    match: {domain: light}\n",
            4,
            "stands here twice",
        ),
        (b"rules:\n\n  - name: !secret none\n", 3, "Secret none not defined"),
        (b"rules:\n\n  - name: !env_var NONE_OF_THIS\n", 3, "NONE_OF_THIS"),
        (b"rules:\n  - !include none.yaml\n", 2, "Unable to read file"),
        (b"rules: 2026-99-99\n", 1, "month must be"),
        (b"\x00", 1, "characters that no text has"),
        (b"rules: \xff\xfe\n", 1, "characters that no text has"),
        (b"[" * 1200, 1, "too much is written within each other"),
        (b"rules: !!binary x\n", 1, ""),
    ],
    ids=range(12),
)
def test_what_is_no_yaml_is_an_error_with_its_line(
    tmp_path: Path, written: bytes, line: int, reason: str
) -> None:
    path = tmp_path / POLICIES_FILE
    path.write_bytes(written)
    with pytest.raises(PolicyFileError) as raised:
        load_file(path, Secrets(tmp_path))
    assert raised.value.line == line
    assert reason in raised.value.reason
    assert raised.value.file == str(path)


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="cannot be read"):
        load_file(tmp_path)


def test_what_stands_in_two_places_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / POLICIES_FILE
    path.write_text(
        "rules:\n"
        "  - {name: a, match: &m {domain: light}, effect: confirm}\n"
        "  - {name: b, match: *m, effect: confirm}\n"
    )
    rules = load_file(path).rules
    assert rules
    assert rules[0].match == rules[1].match


@pytest.fixture
def home(hass: HomeAssistant) -> dict[str, str]:
    """Set up an upper floor with a study and a device in it, and return ids by their names."""
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    floor = fr.async_get(hass).async_create("Upper Floor", aliases={"Upstairs"})
    labels = {
        name: lr.async_get(hass).async_create(name).label_id
        for name in ("Of Entity", "Of Device", "Of Area")
    }
    area = ar.async_get(hass).async_create(
        "Study", aliases={"Office"}, floor_id=floor.floor_id, labels={labels["Of Area"]}
    )
    devices, entities = dr.async_get(hass), er.async_get(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("x", "1")}, name="Panel"
    )
    devices.async_update_device(device.id, area_id=area.id, labels={labels["Of Device"]})
    lamp = entities.async_get_or_create("light", "x", "1", suggested_object_id="a")
    entities.async_update_entity(lamp.entity_id, device_id=device.id, labels={labels["Of Entity"]})
    voice = entities.async_get_or_create(
        "assist_satellite", "x", "2", suggested_object_id="voice", device_id=device.id
    )
    entities.async_get_or_create("light", "x", "3", suggested_object_id="bare")
    return {"area": area.id, "floor": floor.floor_id, "device": device.id, "voice": voice.entity_id}


async def reads(hass: HomeAssistant, policies: Folder, match: str) -> None:
    """Put one rule in force, which denies what is about a match."""
    policies.write(f"rules:\n  - {{name: it, match: {match}, effect: deny, reason: No.}}\n")
    await async_setup_policies(hass)


@pytest.mark.parametrize(
    "match",
    [
        "{area: study}", "{area: OFFICE}", "{floor: upper_floor}", "{floor: upper floor}",
        "{floor: upstairs}", "{label: of_entity}", "{label: Of Device}", "{label: of area}",
    ],
)  # fmt: skip
async def test_things_are_known_by_where_they_are_and_their_labels(
    hass: HomeAssistant, policies: Folder, home: dict[str, str], match: str
) -> None:
    await reads(hass, policies, match)
    call = LAMP.model_copy(update={"targets": ("light.a", "light.bare", "light.none")})
    assert effects(hass, call) == {
        "light.a": "deny",
        "light.bare": "allow",
        "light.none": "allow",
    }


async def test_things_are_known_by_their_device_class(
    hass: HomeAssistant, policies: Folder
) -> None:
    entities = er.async_get(hass)
    for name, own in (("gate", "gate"), ("blind", "blind"), ("up_and_over", "shutter")):
        entities.async_get_or_create(
            "cover", "x", name, suggested_object_id=name, original_device_class=own
        )
    # The class that somebody chose for it counts, and where no registry has it that of its state.
    entities.async_update_entity("cover.up_and_over", device_class="garage")
    hass.states.async_set("cover.by_hand", "closed", {"device_class": "garage"})
    await reads(hass, policies, "{device_class: [garage, Gate]}")
    names = ("gate", "blind", "up_and_over", "by_hand", "none")
    call = ToolCall(action="cover.open_cover", targets=tuple(f"cover.{name}" for name in names))
    assert effects(hass, call) == {
        "cover.gate": "deny",
        "cover.blind": "allow",
        "cover.up_and_over": "deny",
        "cover.by_hand": "deny",
        "cover.none": "allow",
    }
    hass.states.async_set("cover.by_hand", "closed", {"device_class": "blind"})
    assert effects(hass, call)["cover.by_hand"] == "allow"


async def test_what_changes_in_the_home_is_known_at_once(
    hass: HomeAssistant, policies: Folder, home: dict[str, str]
) -> None:
    await reads(hass, policies, "{any: [{area: Nursery}, {label: Precious}]}")
    assert effects(hass) == {"light.a": "allow"}
    ar.async_get(hass).async_update(home["area"], name="Nursery")
    assert effects(hass) == {"light.a": "deny"}
    other = ar.async_get(hass).async_create("Attic")
    dr.async_get(hass).async_update_device(home["device"], area_id=other.id)
    assert effects(hass) == {"light.a": "allow"}
    label = lr.async_get(hass).async_create("Precious")
    er.async_get(hass).async_update_entity("light.a", labels={label.label_id})
    assert effects(hass) == {"light.a": "deny"}
    assert effects(hass) == {"light.a": "deny"}
    lr.async_get(hass).async_delete(label.label_id)
    assert effects(hass) == {"light.a": "allow"}


@pytest.mark.parametrize(
    ("match", "spoken"),
    [
        ("{satellite: assist_satellite.voice}", {"satellite_id": "voice"}),
        ("{satellite: DEVICE}", {"satellite_id": "voice"}),
        ("{satellite: DEVICE}", {"device_id": "device"}),
        ("{satellite: any}", {"device_id": "device"}),
        ("{device: panel}", {"device_id": "device"}),
        ("{device: any}", {"device_id": "device"}),
        ("{spoken_in: office}", {"area_id": "area"}),
    ],
)
async def test_who_asks_is_known_by_what_hears_it(
    hass: HomeAssistant, policies: Folder, home: dict[str, str], match: str, spoken: dict[str, str]
) -> None:
    await reads(hass, policies, match.replace("DEVICE", home["device"]))
    by: dict[str, Any] = {key: home[name] for key, name in spoken.items()}
    assert effects(hass, **by) == {"light.a": "deny"}
    assert effects(hass) == {"light.a": "allow"}
    assert effects(hass, satellite_id="assist_satellite.other", area_id="x") == {
        "light.a": "deny" if "any" in match and "satellite" in match else "allow"
    }


async def test_a_device_is_known_by_the_name_it_was_given(
    hass: HomeAssistant, policies: Folder, home: dict[str, str]
) -> None:
    await reads(hass, policies, "{device: Children's Tablet}")
    assert effects(hass, device_id=home["device"]) == {"light.a": "allow"}
    dr.async_get(hass).async_update_device(home["device"], name_by_user="Children's Tablet")
    assert effects(hass, device_id=home["device"]) == {"light.a": "deny"}
    assert effects(hass, device_id="gone") == {"light.a": "allow"}


async def test_a_user_is_known_by_name_and_id_as_soon_as_there_is_one(
    hass: HomeAssistant, policies: Folder, hass_admin_user: User
) -> None:
    await reads(hass, policies, "{any: [{user: Little Anna}, {user: ID}]}".replace(
        "ID", hass_admin_user.id
    ))  # fmt: skip
    assert effects(hass, user_id=hass_admin_user.id) == {"light.a": "deny"}
    anna = await hass.auth.async_create_user("little anna")
    await hass.async_block_till_done()
    assert effects(hass, user_id=anna.id) == {"light.a": "deny"}
    await hass.auth.async_update_user(anna, name="Anna")
    await hass.async_block_till_done()
    assert effects(hass, user_id=anna.id) == {"light.a": "allow"}
    assert effects(hass) == {"light.a": "allow"}


async def test_names_that_nothing_has_are_only_noted(
    hass: HomeAssistant, policies: Folder, home: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hass.states.async_set("light.a", "on")
    await reads(
        hass,
        policies,
        "{area: [Study, Attic], floor: upstairs, label: [of_area, none], user: [any, nobody],"
        ' entity: [light.a, "light.z*", light.z], not: {area: Moon}}',
    )
    noted = [r.getMessage() for r in caplog.records if r.getMessage().startswith("Rule it")]
    assert noted == [
        f"Rule it: there is no {what} now"
        for what in ("area Attic", "label none", "user nobody", "entity light.z", "area Moon")
    ]
    assert issue(hass) is None


def test_what_the_document_shows_are_rules(tmp_path: Path) -> None:
    text = (EXAMPLES.parent / "policies.md").read_text("utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    whole = [block for block in shown if block.startswith("rules:")]
    assert len(whole) == 8
    for block in whole:
        path = tmp_path / POLICIES_FILE
        path.write_text(block, "utf-8")
        assert load_file(path).rules


async def test_the_example_is_right(hass: HomeAssistant, policies: Folder) -> None:
    policies.write(EXAMPLE)
    await async_setup_policies(hass)
    assert issue(hass) is None
    assert isinstance(engine := hass.data[DATA_POLICY], RulePolicyEngine)
    assert len(engine.rules) == 9
    night = datetime(2026, 11, 25, 23)  # noqa: DTZ001
    unlock = ToolCall(action="lock.unlock", targets=("lock.front",))
    assert effects(hass, unlock, at=night) == {"lock.front": "deny"}
    hall = ar.async_get(hass).async_create("Hall").id
    assert effects(hass, unlock, at=night, area_id=hall) == {"lock.front": "confirm"}
    assert effects(hass, unlock) == {"lock.front": "confirm"}
    noon = datetime(2026, 11, 25, 12, tzinfo=UTC)
    planned = Schedule(start=Once.after(3600, noon))
    assert effects(hass, unlock, at=noon, schedule=planned) == {"lock.front": "deny"}
    lock = ToolCall(action="lock.lock", targets=("lock.front",))
    assert effects(hass, lock, at=noon, schedule=planned) == {"lock.front": "allow"}
    for assumed, effect in ((True, "confirm"), (False, "allow")):
        close = ToolCall(action="cover.close_cover", targets=("cover.a",), assumed=assumed)
        assert effects(hass, close) == {"cover.a": effect}
    warm = ToolCall(
        action="climate.set_temperature", targets=("climate.a",), data={"temperature": 30}
    )
    assert ask(hass, warm)[0].call.data == {"temperature": 23}
    loud = ToolCall(
        action="media_player.volume_set", targets=("media_player.a",), data={"volume_level": 0.8}
    )
    assert effects(hass, loud) == {"media_player.a": "allow"}
    assert ask(hass, loud, at=night)[0].call.data == {"volume_level": 0.4}
    assert effects(hass, LAMP, count=11) == {"light.a": "confirm"}


async def test_why_a_yes_is_wanted_is_said_where_no_rules_could_be_read(
    hass: HomeAssistant, policies: Folder, speak: Setup
) -> None:
    speaker = await speak()
    policies.write(BROKEN)
    await async_setup_policies(hass)
    said = await speaker.say("turn on the floor lamp")
    assert said.reply.startswith("The house rules can't be read at the moment.")
    assert said.calls == []


async def test_what_is_said_is_held_to_the_rules(
    hass: HomeAssistant, policies: Folder, speak: Setup
) -> None:
    speaker = await speak()
    policies.write(
        """
rules:
  - {name: hush, match: {entity: light.floor_lamp}, effect: deny, reason: That lamp is broken.}
  - name: dim
    match: {domain: light}
    effect: clamp
    to: {brightness_pct: {max: 30}}
    reason: Thirty percent is enough.
  - {name: ask, match: {action: light.turn_off}, effect: confirm, reason: It gets dark.}
"""
    )
    await async_setup_policies(hass)
    said = await speaker.say("turn on the floor lamp")
    assert "That lamp is broken." in said.reply
    assert said.calls == []
    said = await speaker.say("set the kitchen pendant to 80 percent")
    assert "Thirty percent is enough" in said.reply
    assert [call["service_data"]["brightness_pct"] for call in said.calls] == [30]
    said = await speaker.say("turn off the kitchen pendant")
    assert said.reply.startswith("It gets dark.")
    assert said.calls == []
    said = await speaker.say("yes")
    assert [call["service"] for call in said.calls] == ["turn_off"]


NIGHT = datetime(2026, 11, 25, 23)  # noqa: DTZ001 -- local time, as a rule sees it


async def test_the_doors_of_the_document_are_shut_at_night_and_asked_about_by_day(
    hass: HomeAssistant, policies: Folder
) -> None:
    policies.write(_shown("no_doors_at_night"))
    await async_setup_policies(hass)
    hass.states.async_set(
        "cover.garage_door", "closed", {"current_position": 0, "device_class": "garage"}
    )
    opening = [
        ToolCall(action="lock.unlock", targets=("lock.front",)),
        ToolCall(action="lock.open", targets=("lock.front",)),
        ToolCall(action="cover.open_cover", targets=("cover.garage_door",)),
        ToolCall(action="cover.toggle", targets=("cover.garage_door",)),
        ToolCall(
            action="cover.set_cover_position",
            targets=("cover.garage_door",),
            data={"position": 30},
        ),
    ]
    for call in opening:
        assert set(effects(hass, call).values()) == {"confirm"}, call.action
        assert set(effects(hass, call, at=NIGHT).values()) == {"deny"}, call.action
    shut = ToolCall(action="cover.close_cover", targets=("cover.garage_door",))
    assert effects(hass, shut) == {"cover.garage_door": "allow"}


async def test_the_quiet_evening_of_the_document_has_a_room_that_may_be_loud(
    hass: HomeAssistant, policies: Folder
) -> None:
    policies.write(_shown("quiet_evenings"))
    await async_setup_policies(hass)
    party = ar.async_get(hass).async_create("Party Room").id
    entry = er.async_get(hass).async_get_or_create("media_player", "x", "1", object_id_base="party")
    er.async_get(hass).async_update_entity(entry.entity_id, area_id=party)
    for player in (entry.entity_id, "media_player.other"):
        hass.states.async_set(player, "playing", {"volume_level": 0.35})
    for action, data in (("volume_set", {"volume_level": 0.8}), ("volume_up", {})):
        call = ToolCall(
            action=f"media_player.{action}",
            targets=(entry.entity_id, "media_player.other"),
            data=data,
        )
        found = {t: v for v in ask(hass, call, at=NIGHT) for t in v.call.targets}
        assert found[entry.entity_id].effect is PolicyEffect.ALLOW
        assert found["media_player.other"].effect is PolicyEffect.CLAMP
        assert found["media_player.other"].call.data == {"volume_level": 0.4}


async def test_the_rule_of_the_readme_asks_before_it_opens_the_house_and_not_for_blinds(
    hass: HomeAssistant, policies: Folder
) -> None:
    policies.write(_shown("ask_before_doors", "../README.md"))
    await async_setup_policies(hass)
    for name, own in (("up_and_over", "garage"), ("drive", "gate"), ("kitchen", "blind")):
        hass.states.async_set(f"cover.{name}", "closed", {"device_class": own})
    covers = ("cover.up_and_over", "cover.drive", "cover.kitchen")
    for action in ("cover.open_cover", "cover.toggle"):
        asked = effects(hass, ToolCall(action=action, targets=covers))
        assert list(asked.values()) == ["confirm", "confirm", "allow"], action
    for action, effect in (("unlock", "confirm"), ("open", "confirm"), ("lock", "allow")):
        call = ToolCall(action=f"lock.{action}", targets=("lock.front",))
        assert effects(hass, call) == {"lock.front": effect}


def _shown(name: str, document: str = "policies.md") -> str:
    """Return the example of a document that has a rule of this name."""
    text = (EXAMPLES.parent / document).read_text("utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    return str(next(block for block in shown if name in block and block.startswith("rules:")))
