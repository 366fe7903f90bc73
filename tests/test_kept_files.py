"""What Bellboard keeps on a disk: what cannot be read is set aside item by item, and the rest is used."""

import json
from pathlib import Path
import re
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.evaluation import history
from tests.conftest import Setup
from tests.evaluation import the_entry
from tests.panel.conftest import Panel, panel
from tests.test_delayed import LAMP, later, planned
from tests.test_task_storage import hass_config_dir, hass_storage

# Fixtures: a real disk, and the page.
__all__ = ["hass_config_dir", "hass_storage", "panel"]

GOLDEN = (
    'cases: [{"id": "lamp", "say": "turn on the floor lamp", "expect": {"agents": "light-agent"}}]'
)


def file_of(hass: HomeAssistant, name: str) -> Path:
    """Return the path of a file of the only assistant."""
    (subentry_id,) = the_entry(hass).subentries
    return Path(hass.config.path(f".storage/bellboard.{name}.{subentry_id}"))


def set_aside(file: Path) -> list[Path]:
    """Return what was set aside of a file."""
    return sorted(file.parent.glob(f"{file.name}.corrupt.*"))


def change(file: Path, key: str, *items: Any) -> None:
    """Add items to a list that was kept."""
    content = json.loads(file.read_bytes())
    content["data"][key] += items
    file.write_text(json.dumps(content), encoding="utf-8")


async def test_one_command_for_later_that_is_none_costs_no_other(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 2 seconds")
    await speaker.say("turn off the reading lamp in 10 minutes")
    entry, file = the_entry(hass), file_of(hass, "delayed")
    assert await hass.config_entries.async_unload(entry.entry_id)
    change(file, "commands", {"text": "x"}, 7, None, {"due": "never"})
    broken = file.read_bytes()

    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()

    assert [each["text"] for each in await planned(hass)] == [
        "turn on the floor lamp",
        "turn off the reading lamp",
    ]
    [aside] = set_aside(file)
    assert aside.read_bytes() == broken
    assert LAMP in await later(hass, 3)


@pytest.mark.parametrize("content", ["[]", '{"version": 1, "key": "x", "data": {"commands": 7}}'])
async def test_a_file_of_commands_for_later_that_is_none_is_set_aside(
    hass: HomeAssistant, speak: Setup, content: str
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 10 minutes")
    entry, file = the_entry(hass), file_of(hass, "delayed")
    assert await hass.config_entries.async_unload(entry.entry_id)
    file.write_text(content, encoding="utf-8")
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert await planned(hass) == []
    [aside] = set_aside(file)
    assert aside.read_text("utf-8") == content
    await speaker.say("turn off the reading lamp in 10 minutes")
    assert len(await planned(hass)) == 1


async def evaluated(panel: Panel, assistant: str) -> dict[str, Any]:
    """Run the golden file, and return the report."""
    await panel.send("evaluation/run", assistant=assistant, path="golden.yaml")
    while "report" not in (event := await panel.next_event()):
        pass
    report: dict[str, Any] = event["report"]
    return report


@pytest.mark.parametrize(
    ("items", "is_known"),
    [
        ([1, 2], True),
        ([{"source": "other.yaml", "at": "now", "cases": [1]}], True),
        (None, False),
    ],
)
async def test_a_history_of_evaluations_that_is_none_keeps_nobody_from_running_one(
    hass: HomeAssistant, speak: Setup, panel: Panel, items: list[Any] | None, is_known: bool
) -> None:
    await speak()
    (Path(hass.config.config_dir) / "golden.yaml").write_text(GOLDEN, encoding="utf-8")
    assistant = await panel.assistant()
    assert (await evaluated(panel, assistant))["earlier"] is None
    file = file_of(hass, "evaluations")
    # As after a restart.
    hass.data.pop(history._DATA_HISTORY)
    if items is None:
        file.write_text('{"version": 1, "key": "x", "data": {"runs": 7}}', encoding="utf-8")
    else:
        change(file, "runs", *items)

    shown = await panel.ask("evaluation", assistant=assistant, path="golden.yaml")
    assert (shown["run_at"] is not None) is is_known
    assert [case["outcome"] for case in shown["cases"]] == ["passed" if is_known else None]
    assert len(set_aside(file)) == 1
    assert ((await evaluated(panel, assistant))["earlier"] is not None) is is_known
    assert (await panel.ask("evaluation", assistant=assistant, path="golden.yaml"))["run_at"]


async def test_an_assistant_that_is_removed_leaves_no_history(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak()
    (Path(hass.config.config_dir) / "golden.yaml").write_text(GOLDEN, encoding="utf-8")
    await evaluated(panel, await panel.assistant())
    entry, file = the_entry(hass), file_of(hass, "evaluations")
    assert file.exists()
    (subentry_id,) = entry.subentries
    assert hass.config_entries.async_remove_subentry(entry, subentry_id)
    await hass.async_block_till_done()
    assert not file.exists()


async def test_what_is_planned_is_on_the_disk_when_it_is_told(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    for number in range(1, 4):
        await speaker.say(f"turn on the floor lamp in {number} minutes")
        kept = json.loads(file_of(hass, "delayed").read_bytes())["data"]["commands"]
        assert [each["delay"] for each in kept] == [60.0 * each for each in range(1, number + 1)]
        assert all(re.match(r"20\d\d-", each["due"]) for each in kept)
