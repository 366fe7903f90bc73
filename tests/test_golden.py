"""All golden cases that need no model come out right; those known not to are named here."""

import asyncio
from functools import cache
import logging
from pathlib import Path

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.evaluation.runner import CaseOutcome
from tests.evaluation import setup_agent
from tests.harness.home import Home, async_move_in
from tests.harness.running import Golden, async_run_file, read_golden

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parent / "golden"
GOLDEN = sorted((*FOLDER.glob("*.yaml"), *FOLDER.glob("reader/*.yaml")))

# What does not work yet, and why. One that comes to work is to be taken off.
KNOWN = {
    "music/two-rooms": "two rooms for one piece of music are read as a part of what to play",
    "free_de/bookshelf-green": "the house knows no such German name",
    "free_de/two-colours": "the house knows no such German name",
    "free_de/light-and-heating": "the place that is said first is not the place of the second command",
    "free_de/exception-first": '"upstairs" stands between the exception and what it is an exception from',
    "free_en/light-please": "a noun and courtesy are no command",
    "free_en/pause-music": '"for a moment" is held to be a time',
    "free_it/socket-in-the-kitchen": "a question mark makes it a question",
    "free_it/telly-off-infinitive": "Home Assistant has another sentence like it",
    "free_nl/koffiezetapparaat-willen": "the house knows no such Dutch name",
    "free_pl/fan-third-gear": "gears of a fan are not counted",
    "free_sv/timer": "Home Assistant's Swedish knows another verb for timers",
    "plain_de/fensterbank-aus": "what is no longer needed is taken for a negation",
    "plain_de/m-wohnzimmer-40": "the first half of a compound does not share the second",
    "plain_de/m-liste-pause": "the reader knows no lists",
    "plain_en/floor-lamp-have": "a question mark makes it a question",
    "plain_es/es-many-06": "the reader knows no lists",
    "plain_fr/fr-one-29": "a question mark makes it a question",
    "plain_fr/fr-many-07": "the reader knows no lists",
    "plain_fr/fr-many-11": "for whom it is done is not understood",
    "plain_fr/fr-many-13": "the second value is for the room and not for the lamp",
    "plain_fr/fr-talk-04": '"there" is not what was spoken of',
    "plain_it/it-one-coffee": "a reason that is wholly understood waits for a command",
    "plain_it/it-talk-shutters-back": "a complaint before a command is one of its own",
    "plain_nl/d-airco-lager": "what it is set to is told as what it is",
    "plain_pl/pl-one-bathroom-light": "a noun alone is no command",
    "plain_pt/pt-one-hall": "a noun and a place are no command",
    "plain_pt/pt-talk-blinds-back": "a complaint before a command is one of its own",
    "talk_en/exc-blinds": "what was excepted before cannot be added",
    "talk_en/exc-upstairs": '"only" is not understood',
    "talk_en/ans-speaker": "a speaker that is on already does not change",
    "talk_en/list-mixed": "one of several cannot be taken back",
    "talk_en/list-rooms": "one of several cannot be taken back",
    "talk_en/kind-lock": "a question about what was spoken of is not read",
    "talk_en/all-laundry": "it turns all of it back on, and not what was on",
    "talk_en/mode-towel": "a complaint before a command is one of its own",
    "talk_en/mish-lamb": "a misheard name is asked about",
    "talk_en/mish-reeding": "a misheard name is asked about",
    "talk_en/mish-side-board": "a misheard name is asked about",
    "talk_en/mish-pendent": "a misheard name is asked about",
    "talk_en/mish-blines": "a misheard name is asked about",
    "talk_en/fill-blinds": "hesitations cut the sentence",
    "talk_en/fill-heating": "hesitations cut the sentence",
}


@cache
def by_house() -> dict[str, list[Golden]]:
    """Return the golden files by the house they are for: the demo house, or the path of another."""
    houses: dict[str, list[Golden]] = {}
    for golden in read_golden(GOLDEN):
        houses.setdefault(golden.house, []).append(golden)
    return houses


@pytest.mark.parametrize("where", by_house(), ids=lambda where: Path(where).stem)
async def test_what_needs_no_model_comes_out_right(
    hass: HomeAssistant, where: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In one core for all of a house, because a core's first sentences take longest."""
    # A part of the time would go into log lines and where each task came from.
    caplog.set_level(logging.ERROR)
    asyncio.get_running_loop().set_debug(False)
    house = await async_move_in(hass, where)
    agent_id = await setup_agent(hass, {})
    # A folder of its own for the policies, which are read from the configuration.
    hass.config.config_dir = str(tmp_path)
    home = Home(hass, house, agent_id)
    asked: set[str] = set()
    failed: dict[str, list[str]] = {}
    for golden in by_house()[where]:
        for case in await async_run_file(home, golden, golden.file.cases, has_model=False):
            asked.add(name := f"{golden.name}/{case.id}")
            if case.outcome is CaseOutcome.FAILED:
                replies = [f"said: {turn.reply!r}" for turn in case.turns]
                failed[name] = [*case.differences, *replies]
    assert {key: found for key, found in failed.items() if key not in KNOWN} == {}
    assert sorted(asked.intersection(KNOWN) - failed.keys()) == [], "these are right now"


def test_there_are_as_many_cases_as_are_wanted() -> None:
    files = read_golden(GOLDEN)
    cases = [case for golden in files for case in golden.file.cases]
    assert len(cases) >= 150
    assert len([case for case in cases if case.turns]) >= 30
    asked = [case for case in cases if not case.needs]
    assert len(asked) >= 200
    agents = {case.agent_id for case in cases}
    assert agents >= {
        "light-agent",
        "music-agent",
        "climate-agent",
        "home-agent",
        "general-agent",
        "fallback-agent",
    }
    assert {golden.file.language for golden in files} >= {"en", "de", "fr", "es", "nl"}
