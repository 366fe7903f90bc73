"""The rules of the house are edited in the panel: checked as they are read, saved whole or not at all."""

# ruff: noqa: ASYNC240  # the files are the test's own, and small

import json
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.const import COMMON_AGENT_IDS
from custom_components.bellboard.policy.engine import PlannedAs, PolicyEffect
from custom_components.bellboard.policy.file import POLICIES_FILE
from custom_components.bellboard.policy.rules import AUTHORS, Earlier, Match, Range, TimeWindow
from tests.conftest import Setup
from tests.panel.conftest import Panel

WORDS = Path(__file__).parents[2] / "frontend/src/translations/en.json"

RULES = """# Anna's code was 135790 before, too.
pins:
  anna: "135790"
  ben: '24 68-1'   # of the safe
rules:
  - name: doors
    match: {action: [lock.unlock]}
    effect: confirm
    require: pin
"""


@pytest.fixture
async def file(config: Path, speak: Setup, panel: Panel) -> Path:
    """Return the file of a house with rules in force."""
    path = config / POLICIES_FILE
    path.write_text(RULES, "utf-8")
    await speak()
    await panel.ask("policies/reload")
    return path


async def begin(panel: Panel) -> tuple[str, str]:
    """Return the text that is edited, and its revision."""
    found = await panel.ask("policies")
    return found["text"], found["revision"]


async def test_an_edited_text_is_saved_and_in_force(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)

    found = await panel.ask(
        "policies/save", text=text.replace("name: doors", "name: no_doors"), revision=revision
    )

    assert file.read_text("utf-8") == RULES.replace("name: doors", "name: no_doors")
    assert [rule["name"] for rule in found["rules"]] == ["no_doors"]
    assert found["revision"] != revision
    assert not found["is_changed"]
    assert [each.name for each in file.parent.glob("*policies*")] == [POLICIES_FILE]


async def test_codes_are_not_shown_and_stay_as_they_are(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)
    assert "135790" not in text
    assert "68-1" not in text

    await panel.ask("policies/save", text=text, revision=revision)
    assert file.read_text("utf-8") == RULES

    text, revision = await begin(panel)
    changed = text.replace("'••••3'", '"864200"')
    await panel.ask("policies/save", text=changed, revision=revision)

    assert file.read_text("utf-8") == RULES.replace("'24 68-1'", '"864200"')


@pytest.mark.parametrize(
    "written",
    [
        'pins: {any: "135790"}\nrules: []\n',
        '{rules: [], pins: {"any": "135790"}}\n',
        'rules: []\n"pins":\n\n  any: 135790\n',
        "rules: [\npins:\n  # 135790\n  any: '135790\n",
        'pins:\r\n  any: "135790"\r\nrules: []\r\n',
    ],
)
async def test_no_code_is_shown_however_the_file_is_written(
    file: Path, panel: Panel, written: str
) -> None:
    file.write_bytes(written.encode())

    found = await panel.ask("policies")

    assert "135790" not in str(found)
    assert "••••1" in found["text"]


async def test_a_text_is_checked_by_the_schema_of_the_file(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)

    good = await panel.ask("policies/check", text=text, revision=revision)
    wrong = await panel.ask(
        "policies/check", text=text.replace("confirm", "comfirm"), revision=revision
    )
    unread = await panel.ask("policies/check", text=f"{text}  - name: [", revision=revision)
    nobody = await panel.ask(
        "policies/check", text=text.replace("••••3", "••••9"), revision=revision
    )

    assert good["error"] is None
    assert [rule["name"] for rule in good["rules"]] == ["doors"]
    assert (wrong["error"]["file"], wrong["error"]["line"]) == (POLICIES_FILE, "8")
    assert "effect" in wrong["error"]["reason"]
    assert unread["error"]["line"] == "10"
    assert nobody["error"]["line"] == "4"
    assert file.read_text("utf-8") == RULES


async def test_of_a_text_that_is_wrong_nothing_is_saved(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)

    error = await panel.refused(
        "policies/save", text=text.replace("confirm", "comfirm"), revision=revision
    )

    assert error["translation_key"] == "policies_invalid"
    assert file.read_text("utf-8") == RULES
    assert not (await panel.ask("policies"))["is_changed"]


async def test_what_somebody_else_wrote_meanwhile_is_not_lost(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)
    theirs = RULES.replace("doors", "theirs")
    file.write_text(theirs, "utf-8")

    for command in ("policies/check", "policies/save"):
        error = await panel.refused(command, text=text.replace("doors", "mine"), revision=revision)
        assert error["translation_key"] == "policies_changed"

    assert file.read_text("utf-8") == theirs


async def test_two_who_save_at_once_do_not_both(file: Path, panel: Panel) -> None:
    text, revision = await begin(panel)

    for name in ("one", "two"):
        await panel.client.send_json_auto_id(
            {
                "type": "bellboard/panel/policies/save",
                "text": text.replace("doors", name),
                "revision": revision,
            }
        )
    answers = [await panel.client.receive_json() for _ in range(2)]

    assert sorted(answer["success"] for answer in answers) == [False, True]
    saved = next(answer for answer in answers if answer["success"])
    assert f"name: {saved['result']['rules'][0]['name']}" in file.read_text("utf-8")


async def test_the_first_rules_are_written_where_there_was_no_file(
    config: Path, speak: Setup, panel: Panel
) -> None:
    await speak()
    before = await panel.ask("policies")
    assert (before["exists"], before["text"]) == (False, "")
    assert before["path"] == str(config / POLICIES_FILE)

    found = await panel.ask(
        "policies/save", text=RULES.partition("\n")[2], revision=before["revision"]
    )

    assert found["exists"]
    assert [rule["name"] for rule in found["rules"]] == ["doors"]


async def test_a_file_keeps_its_rights_its_line_ends_and_its_link(
    file: Path, panel: Panel, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    linked = elsewhere / "rules.yaml"
    linked.write_bytes(RULES.replace("\n", "\r\n").encode())
    linked.chmod(0o640)
    file.unlink()
    file.symlink_to(linked)
    text, revision = await begin(panel)

    await panel.ask(
        "policies/save",
        text=text.replace("\r\n", "\n").replace("doors", "mine"),
        revision=revision,
    )

    assert file.is_symlink()
    assert linked.read_bytes() == RULES.replace("doors", "mine").replace("\n", "\r\n").encode()
    assert linked.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "written",
    [
        "rules: !include secrets.yaml\n",
        "rules:\n  - name: x\n    match: {action: !secret door}\n    effect: confirm\n",
        "pins: !include secrets.yaml\nrules: []\n",
    ],
)
async def test_other_files_are_not_read_by_what_is_edited(
    file: Path, panel: Panel, written: str
) -> None:
    """An error would show what is in them."""
    (file.parent / "secrets.yaml").write_text("door: hunter2\n", "utf-8")
    _, revision = await begin(panel)

    found = await panel.ask("policies/check", text=written, revision=revision)

    assert found["error"]["reason"].startswith("write !")
    assert "hunter2" not in str(found)


async def test_what_the_file_reads_stays(file: Path, panel: Panel) -> None:
    (file.parent / "secrets.yaml").write_text('door: "135790"\n', "utf-8")
    (file.parent / "more.yaml").write_text("- name: x\n  match: {}\n  effect: confirm\n", "utf-8")
    file.write_text("rules: !include more.yaml\n", "utf-8")
    text, revision = await begin(panel)

    found = await panel.ask(
        "policies/save", text=f"{text}pins:\n  any: !secret door\n", revision=revision
    )

    assert found["codes"] == ["any"]
    assert [rule["name"] for rule in found["rules"]] == ["x"]
    assert "135790" not in str(found)


async def test_nothing_of_an_edited_text_reaches_the_log(
    file: Path, panel: Panel, caplog: pytest.LogCaptureFixture
) -> None:
    text, revision = await begin(panel)
    caplog.clear()

    await panel.ask("policies/check", text=f"{text}\n\t'secret words: [", revision=revision)

    assert "secret words" not in caplog.text
    assert not [each for each in caplog.records if each.levelname in {"WARNING", "ERROR"}]


async def test_agents_are_told_by_their_names(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak()

    found: dict[str, Any] = (await panel.ask("assistants"))["assistants"][0]

    assert found["agents"]["light-agent"] == "Lights"
    assert found["agents"]["home-agent"] == "Home Assistant"


def test_the_page_has_words_for_all_that_rules_are_about() -> None:
    words = json.loads(WORDS.read_text("utf-8"))
    fields = {
        field.alias or name
        for model in (Match, Earlier, TimeWindow, Range)
        for name, field in model.model_fields.items()
    }

    assert {name for name in fields if f"match.{name}" not in words} == set()
    assert {each for each in (*PlannedAs, *AUTHORS) if f"match_value.{each}" not in words} == set()
    assert {each for each in PolicyEffect if f"rule_effect.{each}" not in words} == set()


def test_the_page_has_names_for_the_agents_that_are_always_there() -> None:
    words = json.loads(WORDS.read_text("utf-8"))
    ids = COMMON_AGENT_IDS | {specialist.card.id for specialist in SPECIALISTS}

    assert {each for each in ids if f"agent.{each.replace('-', '_')}" not in words} == set()
