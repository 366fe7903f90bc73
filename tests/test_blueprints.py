"""The blueprints and examples are what Home Assistant takes, and do what they say."""

from datetime import timedelta
from pathlib import Path
import re
import shutil
from typing import Any

from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA
from homeassistant.components.automation.helpers import async_get_blueprints
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import load_yaml_dict
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed, async_mock_service

from custom_components.bellboard.policy.file import async_setup_policies
from tests.conftest import Setup
from tests.servers import Call
from tests.test_model_tools import using

ROOT = Path(__file__).parent.parent
BLUEPRINTS = sorted((ROOT / "blueprints").rglob("*.yaml"))
SCRIPTS = ROOT / "docs/examples/scripts.yaml"
NIGHT_RULE = """
rules:
  - {name: shut, match: {entity: lock.front_door}, effect: deny, reason: Doors stay shut.}
"""


async def async_use(hass: HomeAssistant, folder: Path, name: str, **inputs: Any) -> str:
    """Set an automation up that uses a blueprint, as somebody does who imported it, and return its entity."""
    hass.config.config_dir = str(folder)
    shutil.copytree(ROOT / "blueprints", folder / "blueprints", dirs_exist_ok=True)
    used = {"path": f"bellboard/{name}.yaml", "input": inputs}
    automation = {"alias": name, "id": name, "use_blueprint": used}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.async_block_till_done()
    state = hass.states.get(f"automation.{name}")
    assert state
    assert state.state == "on"
    return state.entity_id


@pytest.mark.parametrize("path", BLUEPRINTS, ids=lambda path: path.stem)
def test_a_blueprint_is_one_of_home_assistants(path: Path) -> None:
    blueprint = Blueprint(
        load_yaml_dict(path), expected_domain="automation", schema=AUTOMATION_BLUEPRINT_SCHEMA
    )
    assert blueprint.validate() is None
    assert blueprint.metadata["source_url"].endswith(f"/blob/main/{path.relative_to(ROOT)}")
    # Whoever imports it reads what each input is.
    assert all(given["name"] and given["selector"] for given in blueprint.inputs.values())


async def test_home_assistant_finds_them_in_a_configuration(
    hass: HomeAssistant, tmp_path: Path
) -> None:
    hass.config.config_dir = str(tmp_path)
    shutil.copytree(ROOT / "blueprints", tmp_path / "blueprints")
    assert await async_setup_component(hass, "automation", {})
    found = await async_get_blueprints(hass).async_get_blueprints()
    ours = {path: each for path, each in found.items() if path.startswith("bellboard/")}
    assert len(ours) == len(BLUEPRINTS) == 3
    assert all(isinstance(each, Blueprint) for each in ours.values()), ours


async def test_the_summary_says_all_answers_in_one_message(
    hass: HomeAssistant, speak: Setup, tmp_path: Path
) -> None:
    speaker = await speak()
    said = async_mock_service(hass, "assist_satellite", "announce")
    entity_id = await async_use(
        hass,
        tmp_path,
        "daily_summary",
        assistant=speaker.agent_id,
        satellites=["assist_satellite.hall"],
        at="00:00:00",
    )
    midnight = dt_util.start_of_local_day(dt_util.now() + timedelta(days=1))
    async_fire_time_changed(hass, midnight + timedelta(seconds=1))
    await hass.async_block_till_done(wait_background_tasks=True)
    # It would wait for the next midnight.
    await hass.services.async_call(
        "automation", "turn_off", {"entity_id": entity_id}, blocking=True
    )
    [call] = said
    assert re.fullmatch(
        r"Good evening\. Is anything open\? Yes: Bedroom Window.*\. Which lights are on\? .*Desk Lamp.*\."
        r" Is the front door locked\? Yes\.",
        call.data["message"],
    )
    assert call.data["entity_id"] == ["assist_satellite.hall"]


@pytest.mark.parametrize(("begins", "told"), [(-1, True), (1, False)])
async def test_the_watch_tells_which_action_a_rule_stopped(
    hass: HomeAssistant, speak: Setup, tmp_path: Path, begins: int, *, told: bool
) -> None:
    speaker = await speak()
    async_expose_entity(hass, "conversation", "lock.front_door", should_expose=True)
    (tmp_path / "bellboard_policies.yaml").write_text(NIGHT_RULE, "utf-8")
    notified = async_mock_service(hass, "persistent_notification", "create")
    after, before = (
        (dt_util.now() + timedelta(hours=hours)).strftime("%H:%M:%S")
        for hours in (begins, begins + 2)
    )
    await async_use(hass, tmp_path, "night_watch", after=after, before=before)
    await async_setup_policies(hass)
    await speaker.say("turn on the floor lamp")
    said = await speaker.say("unlock the front door")
    await hass.async_block_till_done()
    assert "Doors stay shut" in said.reply
    assert [call.data["message"] for call in notified] == (["lock.unlock: deny"] if told else [])


async def test_the_script_is_a_tool_with_its_fields(hass: HomeAssistant, speak: Setup) -> None:
    sent: list[ServiceCall] = async_mock_service(hass, "notify", "send_message")
    assert await async_setup_component(hass, "script", {"script": load_yaml_dict(SCRIPTS)})
    async_expose_entity(hass, "conversation", "script.send_to_phone", should_expose=True)
    late = {"person": "Anna", "message": "I'm ten minutes late."}
    call = Call("script__send_to_phone", late)
    speaker = await speak(using(call, says="She knows.", asks=False), contract="capable")
    said = await speaker.say("my dear Anna ought to hear that I'm ten minutes late")
    assert "She knows." in said.reply
    assert [call.data for call in sent] == [
        {"entity_id": ["notify.annas_phone"], "message": late["message"]}
    ]
