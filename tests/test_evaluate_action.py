"""The action that says golden sentences to an assistant in the house people live in."""

from datetime import datetime
import json
from pathlib import Path
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockUser
import voluptuous as vol

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.evaluation.history import (
    _DATA_HISTORY,
    MOST_RUNS,
    EvaluationHistory,
)
from custom_components.bellboard.services import evaluate as action
from tests.conftest import Setup, snapshot, voice_panel

LAMP = {
    "id": "lamp",
    "say": "turn on the floor lamp",
    "expect": {
        "agents": ["light-agent"],
        "calls": [{"action": "light.turn_on", "entities": ["light.floor_lamp"]}],
        "changed": {"light.floor_lamp": "on"},
        "state": "completed",
    },
}
WRONG = {"id": "wrong", "say": "turn off the desk lamp", "expect": {"agents": ["music-agent"]}}
HERE = {
    "id": "here",
    "say": "turn off the lights",
    "area": "Office",
    "expect": {"calls": [{"action": "light.turn_off", "entities": ["light.desk_lamp"]}]},
}
ON = {"action": "light.turn_on", "entities": ["light.left_bedside_lamp"]}
OFF = {"action": "light.turn_off", "entities": ["light.left_bedside_lamp"]}
TALK = {
    "id": "talk",
    "turns": [
        {
            "say": "turn on the bedside lamp",
            "expect": {"state": "input-required", "reply": "or the right", "calls": []},
        },
        {"say": "the left one", "expect": {"agents": "light-agent", "calls": [ON]}},
        {"say": "turn it off again", "expect": {"calls": [OFF], "state": "completed"}},
    ],
}
GIVEN = {
    "id": "given",
    "say": "hello",
    "given": [{"action": "light.turn_on", "entity_id": "light.floor_lamp"}],
    "expect": {"state": "completed"},
}
MODEL = {"id": "model", "say": "who wrote Faust", "needs": "model", "expect": {"calls": []}}


async def evaluate(hass: HomeAssistant, **data: Any) -> dict[str, Any]:
    """Call the action."""
    context = data.pop("context", None) or Context()
    response = await hass.services.async_call(
        DOMAIN, "evaluate", data, blocking=True, context=context, return_response=True
    )
    assert response
    return dict(response)


@pytest.fixture
async def agent_id(speak: Setup) -> str:
    """Return an assistant to evaluate."""
    speaker = await speak()
    return speaker.agent_id


@pytest.fixture
def folder(hass: HomeAssistant, agent_id: str, tmp_path: Path) -> Path:
    """Return a configuration folder with nothing in it."""
    config = tmp_path / "config"
    config.mkdir()
    hass.config.config_dir = str(config)
    return config


async def test_cases_are_judged_and_nothing_is_carried_out(
    hass: HomeAssistant, agent_id: str
) -> None:
    start = snapshot(hass)
    result = await evaluate(hass, cases=[LAMP, WRONG, TALK, GIVEN, MODEL], assistant=agent_id)
    assert snapshot(hass) == start
    assert (result["passed"], result["failed"], result["skipped"]) == (2, 1, 2)
    lamp, wrong, talk, given, model = result["cases"]
    assert lamp["outcome"] == "passed"
    [turn] = lamp["turns"]
    assert turn["agents"] == ["light-agent"]
    assert turn["ms"] > 0
    assert wrong["differences"] == ["light-agent answered, not music-agent"]
    # What is said goes on from what the sentences before would have come to.
    assert (talk["outcome"], talk["differences"]) == ("passed", [])
    assert [turn["state"] for turn in talk["turns"]] == ["input-required", "completed", "completed"]
    assert "changed first" in given["reason"]
    assert "language model" in model["reason"]


async def test_a_conversation_that_goes_wrong_says_where(
    hass: HomeAssistant, agent_id: str
) -> None:
    wrong = {
        **TALK,
        "turns": [*TALK["turns"][:2], {"say": "never mind", "expect": {"calls": [OFF]}}],
    }
    result = await evaluate(hass, cases=[wrong], assistant=agent_id)
    [case] = result["cases"]
    assert case["differences"][0].startswith("'never mind': light.turn_off for")


async def test_the_stages_of_a_dry_run_are_compared(hass: HomeAssistant, agent_id: str) -> None:
    def case(name: str, **expected: Any) -> dict[str, Any]:
        return {"id": name, "say": "turn on the floor lamp", "expect": {"stages": [expected]}}

    right = {"stage": "plan_created", "level": "info", "payload": {"agent_id": "light-agent"}}
    wrong = {"stage": "intent_classified", "level": "warn", "payload": {"unknown_intent": True}}
    cases = [case("right", **right), case("wrong", **wrong), case("dry", stage="tool_execute")]
    result = await evaluate(hass, cases=cases, assistant=agent_id)
    assert {each["id"]: each["differences"] for each in result["cases"]} == {
        "right": [],
        "wrong": [
            (
                "the trace has no intent_classified (warn) with unknown_intent: true, "
                "but intent_classified (info)"
            )
        ],
        "dry": [],
    }


async def test_it_is_reported_by_agent_and_by_latency(hass: HomeAssistant, agent_id: str) -> None:
    result = await evaluate(hass, cases=[LAMP, WRONG, TALK], assistant=agent_id)
    assert {
        name: (found["passed"], found["failed"]) for name, found in result["by_agent"].items()
    } == {
        "light-agent": (2, 0),
        "music-agent": (0, 1),
    }
    latency = result["latency"]
    assert 0 < latency["p50_ms"] <= latency["p95_ms"]
    assert result["by_agent"]["light-agent"]["p95_ms"] <= latency["p95_ms"]


async def test_it_is_compared_with_the_run_before(
    hass: HomeAssistant, agent_id: str, folder: Path, hass_storage: dict[str, Any]
) -> None:
    def write(expected: dict[str, str], *others: str) -> None:
        cases = [
            {"id": name, "say": "turn on the floor lamp", "expect": {"agents": agent}}
            for name, agent in expected.items()
        ]
        (folder / "golden.yaml").write_text(json.dumps({"cases": cases}), encoding="utf-8")

    light, music = "light-agent", "music-agent"
    write({"same": light, "mended": music, "broken": light, "otherwise": music, "gone": light})
    first = await evaluate(hass, path="golden.yaml", assistant=agent_id)
    assert first["earlier"] is None
    # The history outlives a restart.
    assert any(name.startswith("bellboard.evaluations.") for name in hass_storage)
    hass.data.pop(_DATA_HISTORY)
    write(
        {"same": light, "mended": light, "broken": music, "otherwise": "home-agent", "new": light}
    )
    second = await evaluate(hass, path="golden.yaml", assistant=agent_id)
    at = second["earlier"].pop("at")
    assert datetime.fromisoformat(at).tzinfo
    assert second["earlier"] == {
        "better": ["mended"],
        "worse": ["broken"],
        "otherwise": ["otherwise"],
        "new": ["new"],
        "gone": ["gone"],
    }
    # Other cases have a history of their own.
    assert (await evaluate(hass, cases=[LAMP], assistant=agent_id))["earlier"] is None


async def test_of_many_files_the_last_runs_are_kept(hass: HomeAssistant) -> None:
    history = EvaluationHistory(hass, "assistant")
    for number in range(MOST_RUNS + 5):
        await history.async_keep(f"{number}.yaml", [])
    assert await history.async_last("4.yaml") == ("", {})
    assert (await history.async_last("5.yaml"))[0]


async def test_a_model_is_asked_where_there_is_one(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(
        lambda _messages, schema: {"agentId": "general-agent"} if schema else "A friend."
    )
    result = await evaluate(hass, cases=[MODEL])
    assert result["passed"] == 1
    assert speaker.model
    assert speaker.model.requests


@pytest.mark.usefixtures("agent_id")
async def test_a_room_is_found_by_its_name(hass: HomeAssistant) -> None:
    lights = {"action": "light.turn_off", "entities": ["light.desk_lamp", "light.bookshelf_lights"]}
    here = {**HERE, "expect": {"calls": [lights]}}
    attic = {**HERE, "id": "attic", "area": "Attic"}
    result = await evaluate(hass, cases=[here, attic])
    assert [case["outcome"] for case in result["cases"]] == ["passed", "failed"]
    assert "'turn off the lights' could not be said" in result["cases"][1]["differences"][0]


@pytest.mark.usefixtures("agent_id")
async def test_what_listens_in_a_room_is_preferred(hass: HomeAssistant) -> None:
    office = ar.async_get(hass).async_get_area_by_name("Office")
    assert office
    panel = voice_panel(hass, "Office")
    devices = dr.async_entries_for_area(dr.async_get(hass), office.id)
    other = next(device for device in devices if device.id != panel)
    for device_id in (other.id, panel):
        satellite = er.async_get(hass).async_get_or_create(
            "assist_satellite", "test", device_id, device_id=device_id
        )
        assert action.device_in(hass, "Office") == device_id
        assert action.device_in(hass, office.id) == device_id
        er.async_get(hass).async_remove(satellite.entity_id)


GOLDEN = "cases:\n  - {id: a, say: turn on the floor lamp, expect: {agents: light-agent}}\n"


@pytest.mark.parametrize("path", ["golden.yaml", "deeper/golden.yml"])
async def test_a_file_of_the_configuration_is_read(
    hass: HomeAssistant, folder: Path, path: str
) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text(GOLDEN, encoding="utf-8")
    assert (await evaluate(hass, path=path))["passed"] == 1


@pytest.mark.parametrize(
    "path",
    [
        "../outside.yaml",
        "/etc/passwd",
        "linked.yaml",
        "notes.txt",
        "",
        "..",
        "x/../../outside.yaml",
        "golden\0.yaml",
        "golden.yaml\0/../../etc/passwd",
        "\ud800.yaml",
    ],
)
async def test_no_other_file_is_read(hass: HomeAssistant, folder: Path, path: str) -> None:
    outside = folder.parent / "outside.yaml"
    outside.write_text(GOLDEN, encoding="utf-8")
    (folder / "linked.yaml").symlink_to(outside)
    (folder / "notes.txt").write_text(GOLDEN, encoding="utf-8")
    with pytest.raises((ServiceValidationError, vol.Invalid)) as raised:
        await evaluate(hass, path=path)
    if isinstance(raised.value, ServiceValidationError):
        assert raised.value.translation_key == "golden_file_elsewhere"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOLDEN.replace("light-agent", "[1]"), "golden.yaml, line 2"),
        ("cases: []", "there are no cases"),
        (None, "cannot be read"),
        ("# " + "x" * action.MOST_BYTES, "larger than 2 MB"),
    ],
)
async def test_a_wrong_file_is_told_with_its_line(
    hass: HomeAssistant, folder: Path, text: str | None, told: str
) -> None:
    if text is not None:
        (folder / "golden.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ServiceValidationError) as raised:
        await evaluate(hass, path="golden.yaml")
    assert raised.value.translation_key == "golden_file_wrong"
    assert raised.value.translation_placeholders
    assert told in raised.value.translation_placeholders["reason"]


@pytest.mark.usefixtures("agent_id")
@pytest.mark.parametrize(
    "data", [{}, {"path": "a.yaml", "cases": [LAMP]}, {"cases": "none"}, {"path": ""}]
)
async def test_what_makes_no_sense_is_refused(hass: HomeAssistant, data: dict[str, Any]) -> None:
    with pytest.raises(vol.Invalid):
        await evaluate(hass, **data)


@pytest.mark.usefixtures("agent_id")
async def test_the_language_is_the_cases_then_the_files(hass: HomeAssistant) -> None:
    german = {
        "id": "german",
        "say": "mach die Stehlampe an",
        "expect": {"calls": [{"action": "light.turn_on", "entities": ["light.floor_lamp"]}]},
    }
    assert (await evaluate(hass, cases=[german], language="de"))["passed"] == 1
    assert (await evaluate(hass, cases=[german | {"language": "de"}, LAMP]))["passed"] == 2


@pytest.mark.usefixtures("agent_id")
async def test_only_administrators_may(hass: HomeAssistant, hass_read_only_user: MockUser) -> None:
    with pytest.raises(Unauthorized):
        await evaluate(hass, cases=[LAMP], context=Context(user_id=hass_read_only_user.id))
