"""A mistake becomes a correction that lasts: a decision, a name, or a case of the house's own file."""

import json
import os
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.bellboard.evaluation.golden_file import read_file
from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.panel.correcting import CASES_FILE
from custom_components.bellboard.policy.file import POLICIES_FILE, async_setup_policies
from tests.conftest import Setup
from tests.panel.conftest import Panel
from tests.panel.test_turns import choose
from tests.routing.reading import assistant_of

MEANT = {
    "agent_id": "light-agent",
    "action": "turn_on",
    "targets": ["light.desk_lamp"],
    "parameters": {},
}


async def test_what_was_meant_is_done_the_next_time(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    wrong = await speaker.say("sunny side up")
    assert not wrong.changes
    turn = await panel.last_turn()

    meant = {**MEANT, "action": "set", "parameters": {"percent": 80}}
    await panel.ask("correct/learn", turn_id=turn["id"], **meant)

    right = await speaker.say("Sunny side up!")
    assert [call["service_data"] for call in right.calls] == [
        {"entity_id": ["light.desk_lamp"], "brightness_pct": 80}
    ]
    learned = await panel.last_turn()
    assert learned["sources"] == ["learned"]
    assert learned["parts"][0]["reason"] == "Somebody said that this was meant."
    # Said again at once, it is still what was meant.
    assert (await speaker.say("sunny side up")).calls


@pytest.mark.parametrize("for_all", [True, False])
async def test_a_correction_is_for_all_assistants_where_that_is_wished(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator, *, for_all: bool
) -> None:
    one, other = await speak(), await speak()
    panel = Panel(await hass_ws_client(hass))
    assert one.agent_id != other.agent_id
    assert not (await one.say("sunny side up")).changes
    turn = await panel.last_turn()
    assert (await panel.ask("choices", assistant=turn["assistant"]))["others"] == 1

    kept = await panel.ask("correct/learn", turn_id=turn["id"], for_all=for_all, **MEANT)

    assert kept == {"assistants": 2 if for_all else 1}
    said = await other.say("sunny side up")
    assert bool(said.calls) is for_all


async def test_a_correction_comes_before_what_was_read_wrongly(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the reading lamp")
    assert {*said.changes} == {"light.reading_lamp"}
    turn = await panel.last_turn()

    meant = {**MEANT, "action": "turn_off", "targets": ["light.floor_lamp"]}
    await panel.ask("correct/learn", turn_id=turn["id"], **meant)
    await hass.services.async_call(
        "light", "turn_on", {"entity_id": ["light.floor_lamp", "light.reading_lamp"]}, blocking=True
    )

    assert {*(await speaker.say("turn off the reading lamp")).changes} == {"light.floor_lamp"}
    [lesson] = assistant_of(hass).lessons.all
    assert lesson.source == "correction"
    forgotten = await hass.services.async_call(
        "bellboard", "forget_learned", {}, blocking=True, return_response=True
    )
    assert forgotten == {"forgotten": 1}
    assert {*(await speaker.say("turn off the reading lamp")).changes} == {"light.reading_lamp"}


@pytest.mark.parametrize(
    ("text", "wrong", "key"),
    [
        ("turn it off", {}, "not_learnable"),
        ("turn on the desk lamp in ten minutes", {}, "not_learnable"),
        ("glow", {"action": "set", "parameters": {"kelvin": 90000}}, "impossible"),
        ("glow", {"targets": ["light.nowhere"]}, "impossible"),
        ("glow", {"action": "fly"}, "impossible"),
        ("glow", {"targets": ["light.desk_lamp", "cover.bedroom_blinds"]}, "several_kinds"),
        ("glow", {"agent_id": "nobody"}, "no_agent"),
        ("glow", {"agent_id": "home"}, "no_agent"),
        ("glow", {"agent_id": "music-agent"}, "no_agent"),
        ("glow", {"agent_id": "fallback-agent"}, "no_agent"),
    ],
)
async def test_what_cannot_be_kept_is_said(
    speak: Setup, panel: Panel, text: str, wrong: dict[str, Any], key: str
) -> None:
    speaker = await speak()
    await speaker.say(text)
    turn = await panel.last_turn()

    error = await panel.refused("correct/learn", turn_id=turn["id"], **{**MEANT, **wrong})

    assert error["translation_key"] == f"correction_{key}"
    assert (await panel.ask("health"))["connections"][0]["assistants"][0]["learned"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"agent_id": "nobody"},
        {"agent_id": "home"},
        {"targets": ["light.desk_lamp", "cover.bedroom_blinds"]},
        {"action": "fly"},
    ],
)
async def test_a_correction_that_is_refused_keeps_the_one_before(
    speak: Setup, panel: Panel, wrong: dict[str, Any]
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up")
    turn = await panel.last_turn()
    await panel.ask("correct/learn", turn_id=turn["id"], **{**MEANT, "action": "turn_off"})

    error = await panel.refused("correct/learn", turn_id=turn["id"], **{**MEANT, **wrong})

    # In words of the house's language, and not by a key.
    assert "correction_" not in error["message"]
    assert {*(await speaker.say("sunny side up")).changes} == {"light.desk_lamp"}


async def test_a_name_is_known_from_then_on(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    assert not (await speaker.say("turn off the moonbeam")).changes
    turn = await panel.last_turn()

    await panel.ask(
        "correct/alias", turn_id=turn["id"], entity_id="light.desk_lamp", alias=" moonbeam "
    )
    await hass.async_block_till_done()

    assert {*(await speaker.say("turn off the moonbeam")).changes} == {"light.desk_lamp"}
    entry = er.async_get(hass).async_get("light.desk_lamp")
    assert entry
    assert "moonbeam" in entry.aliases
    assert "Schreibtischlampe" in entry.aliases
    assert {*(await speaker.say("turn on the desk lamp")).changes} == {"light.desk_lamp"}


async def test_a_name_for_what_has_none_is_refused(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    await speaker.say("glow")
    turn = await panel.last_turn()

    error = await panel.refused(
        "correct/alias", turn_id=turn["id"], entity_id="light.nowhere", alias="moon"
    )

    assert error["translation_key"] == "correction_no_alias"


RESERVED = {
    "en": ("yes", "No!", "all", "both", "the other one", "undo that", "all lights", "turn on", "2468", "24 68",
           "twenty four sixty eight", "the second one", "what is planned?", "louder", "never mind", "stop"),
    "de": ("ja", "alle", "alle Lampen", "mach das rückgängig", "beide", "vier zwei", "lauter", "vergiss es"),
    "fr": ("oui", "tous", "toutes les lampes", "annule", "les deux", "l'autre"),
    "es": ("sí", "todas las luces", "deshaz eso", "ambas"), "it": ("sì", "tutte le luci", "annulla"),
    "nl": ("ja", "alle lampen", "maak dat ongedaan"), "pl": ("tak", "wszystkie lampy", "cofnij to"),
    "pt": ("sim", "todas as luzes", "desfaz isso"), "sv": ("ja", "alla lampor", "ångra det", "båda"),
}  # fmt: skip
"""What means something by itself, in each language."""


async def test_an_answer_a_command_or_a_number_is_nobodys_name(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    """In the language of the turn and in that of the house."""
    assert sorted(RESERVED) == available_languages()
    speaker = await speak()
    entry = er.async_get(hass).async_get("light.desk_lamp")
    assert entry
    before = entry.aliases
    for language, names in RESERVED.items():
        await speaker.say("glow", language=language)
        turn = await panel.last_turn()
        for alias in (*names, *RESERVED["en"]):
            error = await panel.refused(
                "correct/alias", turn_id=turn["id"], entity_id="light.desk_lamp", alias=alias
            )
            assert error["translation_key"] == "correction_alias_reserved", alias
    entry = er.async_get(hass).async_get("light.desk_lamp")
    assert entry
    assert entry.aliases == before
    # What is said by itself still means what it did.
    await speaker.say("turn on the floor lamp")
    assert {*(await speaker.say("undo that")).changes} == {"light.floor_lamp"}


async def test_a_code_and_a_number_like_one_are_refused_alike(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path
) -> None:
    speaker = await speak()
    codes = {"pins": {"any": "2468", "anna": "918273"}, "rules": []}
    (config / POLICIES_FILE).write_text(json.dumps(codes), "utf-8")
    await async_setup_policies(hass)
    await speaker.say("glow")
    turn = await panel.last_turn()

    async def refused(alias: str) -> dict[str, Any]:
        return await panel.refused(
            "correct/alias", turn_id=turn["id"], entity_id="light.desk_lamp", alias=alias
        )

    [code, other, within, elsewhere, one, another] = [
        await refused(alias)
        for alias in (
            "2468", "1357", "lamp 2468", "lamp 1357", "two four six eight", "one three five seven",
        )
    ]  # fmt: skip
    assert code["translation_key"] == "correction_alias_reserved"
    assert code == other == within == elsewhere == one == another


async def test_a_case_is_added_and_can_be_run(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up", area="Office")
    turn = await panel.last_turn()

    kept = await panel.ask("correct/case", turn_id=turn["id"], meant=MEANT)
    again = await panel.ask("correct/case", turn_id=turn["id"], meant=None)

    assert kept["file"] == CASES_FILE
    assert kept["case"] != again["case"]
    [first, second] = read_file(config / CASES_FILE).cases
    assert (first.say, first.area, first.language) == ("sunny side up", "Office", "en")
    assert first.expect
    assert first.expect.calls
    assert first.expect.calls[0].entities == ("light.desk_lamp",)
    assert second.expect
    assert second.expect.unchanged
    assistant = await panel.assistant()
    listed = await panel.ask("evaluation", assistant=assistant)
    assert [case["outcome"] for case in listed["cases"]] == [None, None]
    report = await run(panel, assistant)
    assert (report["passed"], report["failed"]) == (1, 1)


async def test_six_cases_at_once_are_all_kept(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up")
    turn = await panel.last_turn()

    for _ in range(6):
        await panel.client.send_json_auto_id(
            {"type": "bellboard/panel/correct/case", "turn_id": turn["id"], "meant": MEANT}
        )
    answers = [await panel.client.receive_json() for _ in range(6)]

    assert all(answer["success"] for answer in answers), answers
    told = {answer["result"]["case"] for answer in answers}
    assert {case.id for case in read_file(config / CASES_FILE).cases} == told
    assert len(told) == 6


async def test_a_file_that_cannot_be_replaced_stays_as_it_was(
    speak: Setup, panel: Panel, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up")
    turn = await panel.last_turn()
    await panel.ask("correct/case", turn_id=turn["id"], meant=MEANT)
    before = (config / CASES_FILE).read_bytes()

    def full(*_paths: str) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "rename", full)
        error = await panel.refused("correct/case", turn_id=turn["id"])

    assert error["translation_key"] == "golden_file_wrong"
    assert "No space left on device" in error["message"]
    assert (config / CASES_FILE).read_bytes() == before
    assert os.listdir(config) == [CASES_FILE]  # noqa: PTH208 -- two names at most
    await panel.ask("correct/case", turn_id=turn["id"])
    assert len(read_file(config / CASES_FILE).cases) == 2


async def test_a_file_of_cases_stays_a_link_and_as_private_as_it_was(
    speak: Setup, panel: Panel, config: Path
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up")
    turn = await panel.last_turn()
    (config / "golden").mkdir()
    (config / CASES_FILE).symlink_to(config / "golden" / "ours.yaml")
    await panel.ask("correct/case", turn_id=turn["id"], meant=MEANT)
    ours = config / "golden" / "ours.yaml"
    ours.chmod(0o600)
    await panel.ask("correct/case", turn_id=turn["id"], meant=MEANT)
    assert (config / CASES_FILE).is_symlink()
    assert ours.stat().st_mode & 0o777 == 0o600
    assert len(read_file(ours).cases) == 2


@pytest.mark.parametrize("path", ["cases\0.yaml", "../outside.yaml", "secrets.yaml"])
async def test_a_path_that_leads_elsewhere_is_refused_in_words(
    speak: Setup, panel: Panel, path: str
) -> None:
    await speak()
    assistant = await panel.assistant()
    shown = await panel.ask("evaluation", assistant=assistant, path=path)
    assert "is no YAML file in Home Assistant's configuration folder" in shown["error"]
    assert not shown["cases"]
    error = await panel.refused("evaluation/run", assistant=assistant, path=path)
    assert error["translation_key"] == "golden_file_elsewhere"


async def run(panel: Panel, assistant: str) -> dict[str, Any]:
    """Run the house's own cases, and return the report."""
    await panel.send("evaluation/run", assistant=assistant)
    total = (await panel.next_event())["total"]
    cases = [(await panel.next_event())["case"] for _ in range(total)]
    report: dict[str, Any] = (await panel.next_event())["report"]
    assert [case["id"] for case in cases] == [case["id"] for case in report["cases"]]
    return report


async def test_a_corrected_mistake_passes_in_the_next_run_and_is_told_to_be_better(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path
) -> None:
    speaker = await speak()
    await speaker.say("sunny side up")
    turn = await panel.last_turn()
    await panel.ask("correct/case", turn_id=turn["id"], meant=MEANT)
    assistant = await panel.assistant()
    before = await run(panel, assistant)
    assert before["failed"] == 1

    await panel.ask("correct/learn", turn_id=turn["id"], **MEANT)
    after = await run(panel, assistant)

    assert after["passed"] == 1
    assert len(after["earlier"]["better"]) == 1
    listed = await panel.ask("evaluation", assistant=assistant)
    assert [case["outcome"] for case in listed["cases"]] == ["passed"]


async def test_the_files_own_words_stay_where_a_case_is_added(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path
) -> None:
    written = (
        "# Ours.\nlanguage: en\ncases:\n"
        "  - id: one  # the first\n    say: lights off\n    expect: {unchanged: true}\n"
    )
    (config / CASES_FILE).write_text(written, "utf-8")
    speaker = await speak()
    await speaker.say("glow")

    await panel.ask("correct/case", turn_id=(await panel.last_turn())["id"])

    text = (config / CASES_FILE).read_text("utf-8")
    assert text.startswith(written.rstrip())
    assert len(read_file(config / CASES_FILE).cases) == 2


@pytest.mark.parametrize("text", ["cases: [", "cases:\n  - id: one\n", "- a list\n"])
async def test_a_file_that_is_none_is_left_alone(
    hass: HomeAssistant, speak: Setup, panel: Panel, config: Path, text: str
) -> None:
    (config / CASES_FILE).write_text(text, "utf-8")
    speaker = await speak()
    await speaker.say("glow")

    error = await panel.refused("correct/case", turn_id=(await panel.last_turn())["id"])

    assert error["translation_key"] == "golden_file_wrong"
    assert (config / CASES_FILE).read_text("utf-8") == text


async def test_a_turn_is_marked_and_what_was_learnt_of_it_forgotten(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak(choose("light-agent", action="turn_off", targets=["Kitchen Pendant"]))
    await speaker.say("let the thing above the stove shimmer")
    turn = await panel.last_turn()
    assert not turn["is_corrected"]

    await panel.ask("correct/mark", turn_id=turn["id"])

    assert (await panel.last_turn())["is_corrected"]
    assert assistant_of(hass).lessons.all == ()


async def test_what_can_be_chosen_is_what_may_be_touched(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak()

    found = await panel.ask("choices", assistant=await panel.assistant())

    devices = {device["entity_id"] for device in found["devices"]}
    assert "light.desk_lamp" in devices
    assert "light.alarm_beacon" not in devices
    assert not any(device.startswith("sensor.") for device in devices)
    assert found["domains"]["light"]["agent_id"] == "light-agent"
    assert found["domains"]["cover"]["agent_id"] == "home-agent"
    actions = {action["name"]: action for action in found["domains"]["light"]["actions"]}
    assert [p["name"] for p in actions["set"]["parameters"]] == [
        "percent",
        "color",
        "kelvin",
        "effect",
    ]
    assert {agent["id"] for agent in found["agents"]} >= {"light-agent", "home-agent"}
