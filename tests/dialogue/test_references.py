"""What plainly refers to the last turns is taken up without a model, and nothing else is."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.util.yaml import load_yaml_dict
import pytest

from custom_components.bellboard.dialogue.references import (
    MAX_AGE,
    acted_on_before,
    last_command,
    recent_targets,
)
from custom_components.bellboard.json_model import timestamp
from custom_components.bellboard.memory.turns import RememberedTurn
from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.nlu.reading import read_tags
from tests.conftest import Setup, Speaker
from tests.memory.remembering import (
    LAMP,
    LEFT,
    MORE_NAMES,
    READING,
    RIGHT,
    SPEAKER,
    TURNS,
    home,
    language,
    part,
    turn,
)
from tests.one_house import in_one_house

CASES: list[Mapping[str, Any]] = load_yaml_dict(str(Path(__file__).with_name("references.yaml")))[
    "cases"
]


def name_more(hass: HomeAssistant) -> None:
    """Let things be called as those say who speak other languages."""
    for thing, names in MORE_NAMES.items():
        if "." in thing:
            entry = er.async_get(hass).async_get(thing)
            assert entry
            aliases = [*entry.aliases, *(name for name in names if name not in entry.aliases)]
            er.async_get(hass).async_update_entity(thing, aliases=aliases)
        else:
            area = ar.async_get(hass).async_get_area_by_name(thing)
            assert area
            ar.async_get(hass).async_update(area.id, aliases={*area.aliases, *names})


def just_now(name: str) -> tuple[RememberedTurn, ...]:
    """Return turns of the table as if they had been taken now; what is written in it grows old while tests run."""
    return tuple(t.model_copy(update={"at": timestamp()}) for t in TURNS[name])


def calls_of(speaker: Speaker) -> list[str]:
    """Return the actions that were called: names, entities and data, without those of Home Assistant's own."""
    found = []
    for call in speaker.calls:
        data = dict(call["service_data"])
        targets = data.pop("entity_id", [])
        targets = [targets] if isinstance(targets, str) else sorted(targets)
        values = (f"{name}={value}" for name, value in sorted(data.items()))
        if call["domain"] != "homeassistant":
            name = f"{call['domain']}.{call['service']}"
            found.append(" ".join((name, ",".join(targets), *values)))
    return sorted(found)


@in_one_house("code", available_languages())
async def test_what_is_plain_is_taken_up(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """What is not plain is left to others, who are none here that take a guess."""
    name_more(hass)
    speaker = await speak()
    entry = hass.config_entries.async_entries("demo_house")[0]
    wrong = []
    for case in CASES:
        if case["language"] != code:
            continue
        turns = just_now(case["after"])
        monkeypatch.setattr(
            "custom_components.bellboard.turn.context.load_turns", lambda _, found=turns: found
        )
        if "lamp" in case["after"]:
            lit = {"entity_id": LAMP, "brightness_pct": 50}
            await hass.services.async_call("light", "turn_on", lit, blocking=True)
        speaker.conversation_id = None
        said = await speaker.say(case["say"], language=code)
        if calls_of(speaker) != case["calls"]:
            wrong.append((case, calls_of(speaker), said.reply))
        entry.runtime_data.async_restore()
        await hass.async_block_till_done()
    assert not wrong


def test_what_was_said_long_ago_is_forgotten() -> None:
    turns = TURNS["lamp on"]
    now = datetime.fromisoformat(turns[0].at)
    for seconds, expected in ((0, True), (MAX_AGE - 5, True), (MAX_AGE + 5, False), (86400, False)):
        then = now + timedelta(seconds=seconds)
        assert bool(last_command(turns, home(), then).actions) is expected
        assert bool(recent_targets(turns, then)) is expected


@pytest.mark.parametrize("at", ["", "yesterday", "0", "9999-99-99", "2020-01-01T00:00:00"])
def test_a_turn_without_a_time_is_old(at: str) -> None:
    turns = [turn(*TURNS["lamp on"][0].parts, at=at)]
    assert not last_command(turns, home(), datetime.now(UTC)).entities


def test_what_is_not_exposed_any_more_is_left_alone() -> None:
    kept = [turn(part("light", None, LAMP, "light.alarm_beacon", "light.gone"))]
    assert [entity.entity_id for entity in last_command(kept, home()).entities] == [LAMP]


def test_the_others_are_those_a_question_offered_or_those_of_the_room() -> None:
    now = datetime.now(UTC)
    last = last_command(just_now("left after a question"), home(), now)
    assert [entity.entity_id for entity in last.other] == [RIGHT]
    assert {entity.entity_id for entity in last.pair} == {LEFT, RIGHT}
    last = last_command(just_now("lamp on"), home(), now)
    assert [entity.entity_id for entity in last.other] == [READING]
    assert {entity.entity_id for entity in last.others} == {
        "light.living_room_ceiling",
        READING,
        "light.tv_backlight",
    }


def test_it_stands_for_what_the_last_turn_was_about() -> None:
    assert recent_targets(just_now("light and music")) == (LAMP, SPEAKER)
    assert recent_targets(just_now("talk after lamp")) == (LAMP,)
    assert recent_targets(just_now("nothing")) == ()


def test_a_question_leaves_what_was_acted_on_before_it() -> None:
    asked, lit = just_now("asked which"), just_now("lamp on")
    assert recent_targets([*lit, *asked]) == ()
    assert acted_on_before([*lit, *asked]) == (LAMP,)
    assert acted_on_before(asked) == ()


@pytest.mark.parametrize(
    ("code", "sentence", "expected"),
    [
        ("en", "make it cosy", True),
        ("en", "make the lamp cosy", False),
        ("en", "it is too dark in here", False),
        ("de", "mach sie gemütlich", True),
        ("de", "mach das Licht gemütlich", False),
        ("fr", "rends-la plus chaleureuse", True),
        ("fr", "allume la lampe", False),
        ("es", "ponla más acogedora", True),
        ("es", "enciende la lámpara", False),
        ("nl", "maak het gezellig", True),
        ("nl", "maak het licht gezellig", False),
        ("nl", "zet ze wat gezelliger", True),
    ],
)
def test_a_request_about_it_is_known_as_one(code: str, sentence: str, *, expected: bool) -> None:
    assert read_tags(sentence, language(code)).has_object is expected


@in_one_house(
    ("language", "on", "off", "text"),
    [
        ("it", "accendi", "spegni", "e quella rimasta accesa mettila al 20 percento"),
        ("es", "enciende", "apaga", "pon la que queda encendida al 20 por ciento"),
        ("pt", "acende", "apaga", "põe a que ficou acesa a 20 por cento"),
    ],
)
async def test_the_one_that_is_left_on_is_no_other(
    speak: Setup, language: str, on: str, off: str, text: str
) -> None:
    speaker = await speak()
    for said in (f"{on} Floor Lamp", f"{off} Reading Lamp"):
        await speaker.say(said, language=language, area="Living Room")
    done = await speaker.say(text, language=language, area="Living Room")
    assert {*done.changes} == {"light.floor_lamp"}, done.reply


async def test_one_that_is_left_of_many_is_not_all_of_them(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("spegni tutte le luci tranne Floor Lamp", language="it")
    assert not (await speaker.say("abbassa quella rimasta al 20 percento", language="it")).changes


def test_the_tables_hold_only_turns_that_can_be_kept() -> None:
    for turns in TURNS.values():
        for entry in turns:
            assert RememberedTurn.model_validate(entry.as_json()) == entry
