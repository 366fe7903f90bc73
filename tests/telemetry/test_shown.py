"""What a turn tells, in all the places that take it; and what the document says of them works."""

import asyncio
from contextlib import closing
import json
from pathlib import Path
import re
import sqlite3
from typing import Any

from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.bellboard.diagnostics import async_get_config_entry_diagnostics
from custom_components.bellboard.telemetry.sinks import EVENT_TELEMETRY, telemetry_path
from custom_components.bellboard.telemetry.trace import Stage, TelemetryEvent
from tests.conftest import Setup
from tests.routing.reading import assistant_of

from .contract import check_turn, read_payload

DOCUMENT = Path(__file__).parents[2] / "docs" / "telemetry.md"
SAID = "turn off the kitchen pendant"


def blocks(language: str) -> list[str]:
    """Return the blocks of the document in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)


async def ask(client: Any, **wanted: str) -> list[TelemetryEvent]:
    """Ask for the last events over the websocket."""
    await client.send_json_auto_id({"type": "bellboard/telemetry", **wanted})
    answer = await client.receive_json()
    assert answer["success"], answer
    return [TelemetryEvent.model_validate(found) for found in answer["result"]["events"]]


def talking(_messages: Any, schema: dict[str, Any] | None) -> Any:
    """Choose talk, and say something."""
    return {"agentId": "general"} if schema else "You like marzipan."


async def test_each_turn_is_told_in_all_places_as_it_must_be(
    hass: HomeAssistant, speak: Setup, hass_ws_client: WebSocketGenerator, tmp_path: Path
) -> None:
    hass.config.config_dir = str(tmp_path)
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(telemetry={"sqlite": True})
    sentences = [
        SAID,
        "turn on the bedside lamp",
        "the left one",
        "turn on the floor lamp and mute the kitchen speaker",
        "blah blah",
    ]
    for sentence in sentences:
        await speaker.say(sentence)
    told = [TelemetryEvent.model_validate(heard.data) for heard in fired]
    turns = [
        [event for event in told if event.interaction_id == turn]
        for turn in dict.fromkeys(event.interaction_id for event in told)
    ]
    assert len(turns) == len(sentences)
    for turn in turns:
        check_turn(turn)
    assert Stage.TOOL_EXECUTE in {event.stage for event in turns[0]}
    assert turns[1][-1].payload["waiting_for_param"]
    assert turns[2][0].payload["memory"]["waiting_for_param"]

    assert list(assistant_of(hass).telemetry.ring) == told
    client = await hass_ws_client()
    assert await ask(client) == told
    assert await ask(client, interaction_id=turns[1][0].interaction_id) == turns[1]
    assert await ask(client, session_id=str(speaker.conversation_id)) == told
    assert await ask(client, session_id="another") == []

    (entry,) = hass.config_entries.async_entries("bellboard")
    (subentry_id,) = entry.subentries
    assert await hass.config_entries.async_unload(entry.entry_id)
    with closing(sqlite3.connect(telemetry_path(hass, subentry_id))) as connection:
        kept = connection.execute(
            "SELECT timestamp, interaction_id, session_id, stage, level, payload FROM events ORDER BY id"
        ).fetchall()
        for query in blocks("sql")[1:]:
            assert connection.execute(query).description
    assert [TelemetryEvent(**dict(zip(TelemetryEvent.model_fields, (*row[:-1], json.loads(row[-1])), strict=True)))
            for row in kept] == told  # fmt: skip
    assert "pendant" not in json.dumps(
        [event.model_dump(mode="json") for event in told], default=str
    ).replace("light.kitchen_pendant", "")


@pytest.mark.parametrize("reveal", [False, True])
async def test_words_are_told_to_whoever_wants_them_but_not_in_a_bug_report(
    hass: HomeAssistant, speak: Setup, *, reveal: bool
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(
        talking, router={"confidence_threshold": 0.0}, telemetry={"reveal_text": reveal}
    )
    await speaker.say("do you remember that I adore marzipan")
    told = [TelemetryEvent.model_validate(heard.data) for heard in fired]
    check_turn(told)
    said = told[-1].payload["message"]
    assert said == ("You like marzipan." if reveal else "<18 characters>")
    assert ("marzipan" in json.dumps([event.payload for event in told])) is reveal
    (entry,) = hass.config_entries.async_entries("bellboard")
    (found,) = (await async_get_config_entry_diagnostics(hass, entry))["assistants"]
    assert "marzipan" not in json.dumps(found)
    assert found["telemetry"]["dropped"] == 0
    shown = found["telemetry"]["events"]
    assert [event["stage"] for event in shown] == [event.stage for event in told]
    assert shown[-1]["payload"]["message"] == "<18 characters>"
    assert shown[-1].keys() == {"timestamp", "interaction_id", "stage", "level", "payload"}


@pytest.mark.parametrize("reveal", [False, True])
async def test_what_a_plan_announces_is_a_length_unless_words_may_be_shown(
    hass: HomeAssistant, speak: Setup, *, reveal: bool
) -> None:
    fired = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(telemetry={"reveal_text": reveal})
    await speaker.say(SAID)
    told = [TelemetryEvent.model_validate(heard.data) for heard in fired]
    [message] = [
        event.payload["message"] for event in told if event.stage is Stage.PLAN_COMMUNICATED
    ]
    words = "One moment: Kitchen Pendant."
    assert message == (words if reveal else f"<{len(words)} characters>")


async def test_the_last_events_are_for_administrators(
    speak: Setup, hass_ws_client: WebSocketGenerator, hass_read_only_access_token: str
) -> None:
    await speak()
    client = await hass_ws_client(access_token=hass_read_only_access_token)
    await client.send_json_auto_id({"type": "bellboard/telemetry"})
    answer = await client.receive_json()
    assert (answer["success"], answer["error"]["code"]) == (False, "unauthorized")


async def test_an_assistant_that_is_removed_leaves_no_file(
    hass: HomeAssistant, speak: Setup, tmp_path: Path
) -> None:
    hass.config.config_dir = str(tmp_path)
    speaker = await speak(telemetry={"sqlite": True})
    await speaker.say(SAID)
    (entry,) = hass.config_entries.async_entries("bellboard")
    (subentry_id,) = entry.subentries
    path = telemetry_path(hass, subentry_id)
    assert hass.config_entries.async_remove_subentry(entry, subentry_id)
    await hass.async_block_till_done()
    assert not [found for found in path.parent.iterdir() if found.name.startswith(path.name)]


def test_the_event_in_the_document_is_one() -> None:
    event = TelemetryEvent.model_validate_json(blocks("json")[0])
    assert read_payload(event).as_payload() == event.payload


async def test_the_automation_in_the_document_is_one_and_runs(
    hass: HomeAssistant, speak: Setup
) -> None:
    config = parse_yaml(blocks("yaml")[0])
    assert isinstance(config, dict)
    assert await async_validate_config_item(hass, "failed", dict(config))
    assert await async_setup_component(hass, "persistent_notification", {})
    assert await async_setup_component(hass, "automation", {"automation": config})
    speaker = await speak()
    telemetry = assistant_of(hass).telemetry
    for ok in (True, False):
        await hass.async_block_till_done()
        assert "persistent_notification" not in str([call["domain"] for call in speaker.calls])
        telemetry.record(
            TelemetryEvent(
                timestamp="",
                interaction_id="turn-1",
                session_id="",
                stage=Stage.TOOL_EXECUTE,
                payload={"ok": ok, "tool": "light.turn_on"},
            )
        )
    # The turn has not answered yet: it is given on after a while, and then the automation runs.
    await asyncio.sleep(0.1)
    await hass.async_block_till_done()
    (call,) = [call for call in speaker.calls if call["domain"] == "persistent_notification"]
    assert call["service_data"]["message"] == "light.turn_on did not do what it should."


def test_the_table_in_the_document_is_the_one_that_is_written(tmp_path: Path) -> None:
    from custom_components.bellboard.telemetry.sqlite_sink import EventFile

    EventFile(tmp_path / "events.db", max_bytes=10**6, keep=0).write([])
    described = "PRAGMA table_info(events)"
    with closing(sqlite3.connect(tmp_path / "events.db")) as connection:
        written = connection.execute(described).fetchall()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(blocks("sql")[0])
        assert connection.execute(described).fetchall() == written
