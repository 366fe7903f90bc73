"""What older releases wrote is read, and what a newer one wrote is told and stays as it is.

The files in upgrades/ are what those releases wrote: an entry of each minor version with its stores, and rules.
"""

from dataclasses import dataclass
import json
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.translation import async_get_translations
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.connections.versions import MINOR_VERSION
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.memory.habits import PlayerHabit
from custom_components.bellboard.policy.parsing import load_file
from custom_components.bellboard.services.action import entity_id_of
from tests.conftest import Speaker
from tests.test_delayed import planned

WRITTEN = Path(__file__).parent / "upgrades"
SOON_AFTER = "2026-11-27T00:25:00+00:00"
"""Some minutes after the stores were written."""

type Storage = dict[str, Any]


@dataclass
class Upgraded:
    """A connection that another release wrote, as this one has it."""

    hass: HomeAssistant
    entry: ConfigEntry
    stores: Storage

    @property
    def assistant_id(self) -> str:
        """Return the id of its assistant."""
        return next(
            each.subentry_id
            for each in self.entry.subentries.values()
            if each.subentry_type == "conversation"
        )

    @property
    def assistant(self) -> Assistant:
        """Return its assistant."""
        found: Assistant = self.entry.runtime_data.assistants[self.assistant_id]
        return found

    def speaker(self) -> Speaker:
        """Return somebody who goes on with the conversation that was kept, if there is one."""
        tasks = self.stores.get(f"bellboard.tasks.{self.assistant_id}", {"data": {"tasks": []}})
        kept = [task["sessionId"] for task in tasks["data"]["tasks"]]
        entity_id = entity_id_of(self.hass, self.assistant_id)
        return Speaker(self.hass, entity_id, conversation_id=kept[0] if kept else None)


def written_by(name: str) -> Any:
    """Return what a release wrote."""
    return json.loads((WRITTEN / f"{name}.json").read_text("utf-8"))


async def set_up(hass: HomeAssistant, storage: Storage, written: Any) -> Upgraded:
    """Set up what a release wrote."""
    told = written["entry"]
    storage |= json.loads(json.dumps(written["stores"]))
    entry = MockConfigEntry(
        domain=DOMAIN,
        title=told["title"],
        data=told["data"],
        version=told["version"],
        minor_version=told["minor_version"],
        subentries_data=[{"unique_id": None, **each} for each in told["subentries"]],
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return Upgraded(hass, entry, written["stores"])


def told(hass: HomeAssistant) -> dict[str, ir.IssueEntry]:
    """Return our repair issues by their kind."""
    issues = ir.async_get(hass).issues.values()
    return {str(each.translation_key): each for each in issues if each.domain == DOMAIN}


@pytest.fixture
def soon_after(freezer: FrozenDateTimeFactory) -> None:
    """Let it be soon after the stores were written."""
    freezer.move_to(SOON_AFTER)


@pytest.mark.usefixtures("soon_after", "house")
@pytest.mark.parametrize("name", ["minor_1", "minor_2", "minor_3"])
async def test_an_entry_of_an_older_release_goes_on(
    hass: HomeAssistant, hass_storage: Storage, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    written = written_by(name)
    upgraded = await set_up(hass, hass_storage, written)

    assert upgraded.entry.state is ConfigEntryState.LOADED
    assert upgraded.entry.minor_version == MINOR_VERSION
    assert upgraded.assistant.options.router.confidence_threshold == 0.6
    speaker = upgraded.speaker()
    if written["stores"]:
        # Nobody knows any longer who was asked, so nobody can answer.
        assert not (await speaker.say("the left one")).changes
    assert (await speaker.say("turn off the desk lamp")).reply == "Turned off Desk Lamp."
    assert told(hass) == {}
    assert "set aside" not in caplog.text


@pytest.mark.usefixtures("soon_after", "house")
async def test_what_an_older_release_kept_is_there(
    hass: HomeAssistant, hass_storage: Storage
) -> None:
    upgraded = await set_up(hass, hass_storage, written_by("minor_3"))
    options = upgraded.assistant.options

    assert (options.router.max_attempts, options.timeout) == (1, 12)
    assert (options.memory.task_context_ttl, options.telemetry.panel_words) == (48, "all")
    assert [each["text"] for each in await planned(hass)] == ["turn off the reading lamp"]
    assert "corner-agent" in {agent.card.id for agent in upgraded.assistant.registry}
    [habit] = upgraded.assistant.habits.all
    assert isinstance(habit, PlayerHabit)
    assert habit.player == "media_player.office_speaker"

    assert await hass.config_entries.async_unload(upgraded.entry.entry_id)
    kept = hass_storage[f"bellboard.learned.{upgraded.assistant_id}"]["data"]["lessons"]
    assert [each["sentence"] for each in kept] == ["sunny side up"]


@pytest.mark.usefixtures("soon_after", "house")
async def test_what_somebody_meant_is_still_meant(
    hass: HomeAssistant, hass_storage: Storage
) -> None:
    written = written_by("minor_3")
    # It was learned before there was another agent.
    written["entry"]["subentries"].pop()
    upgraded = await set_up(hass, hass_storage, written)

    said = await Speaker(hass, upgraded.speaker().agent_id).say("sunny side up")

    assert said.reply == "Set Desk Lamp to 80%."
    lamp = hass.states.get("light.desk_lamp")
    assert lamp
    assert lamp.attributes["brightness"] == 204


def test_rules_of_an_older_release_are_read() -> None:
    file = load_file(WRITTEN / "policies.yaml")
    assert [rule.name for rule in file.rules][:2] == ["no_doors_at_night", "ask_before_doors"]
    assert len(file.rules) == 7


NEWER = {
    "confidence_threshold": 0.4,
    "sings": True,
    "contract": "enormous",
    "router": {"max_attempts": 2, "oracle": "delphi", "confidence_threshold": 7},
}
"""Settings of a release to come: two that are not known, and two values that are none here."""


@pytest.mark.usefixtures("house")
async def test_what_is_lost_by_a_downgrade_is_told(
    hass: HomeAssistant, hass_storage: Storage
) -> None:
    written = written_by("minor_1")
    written["entry"]["minor_version"] = MINOR_VERSION + 1
    written["entry"]["subentries"][0]["data"] = NEWER

    upgraded = await set_up(hass, hass_storage, written)

    assert (await upgraded.speaker().say("turn off the desk lamp")).reply == "Turned off Desk Lamp."
    options = upgraded.assistant.options
    assert (options.router.max_attempts, options.contract) == (2, "auto")
    issue = told(hass)["newer_settings"]
    assert issue.translation_placeholders == {
        "connection": "Without a model",
        "settings": "- Bellboard: confidence_threshold\n- Bellboard: contract\n- Bellboard: router"
        ".confidence_threshold\n- Bellboard: router.oracle\n- Bellboard: sings",
    }
    [subentry] = upgraded.entry.subentries.values()
    assert subentry.data == NEWER
    assert upgraded.entry.minor_version == MINOR_VERSION + 1


@pytest.mark.usefixtures("soon_after", "house")
async def test_files_of_a_release_to_come_stay_as_they_are(
    hass: HomeAssistant, hass_storage: Storage
) -> None:
    written = written_by("minor_3")
    for store in written["stores"].values():
        store["version"] = 2
    hass_storage["bellboard.codes"] = {"version": 2, "key": "bellboard.codes", "data": ["?"]}

    upgraded = await set_up(hass, hass_storage, written)
    speaker = Speaker(hass, upgraded.speaker().agent_id)
    await speaker.say("turn off the desk lamp")
    await speaker.say("turn off the desk lamp in 20 minutes")
    assert [each["text"] for each in await planned(hass)] == ["turn off the desk lamp"]
    assert "newer_file" in told(hass)
    assert await hass.config_entries.async_unload(upgraded.entry.entry_id)
    await hass.async_block_till_done()

    assert {name: hass_storage[name] for name in written["stores"]} == written["stores"]
    assert hass_storage["bellboard.codes"]["data"] == ["?"]

    # After an update all of it is there again.
    for name in written["stores"]:
        hass_storage[name]["version"] = 1
    assert await hass.config_entries.async_setup(upgraded.entry.entry_id)
    await hass.async_block_till_done()
    assert [each["text"] for each in await planned(hass)] == ["turn off the reading lamp"]
    assert "newer_file" not in told(hass)


async def test_what_is_told_of_other_versions_has_words(hass: HomeAssistant) -> None:
    words = await async_get_translations(hass, "de", "issues", [DOMAIN])
    for issue in ("newer_settings", "newer_file"):
        assert words[f"component.{DOMAIN}.issues.{issue}.description"]
