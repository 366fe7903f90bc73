"""All golden cases that need no model come out right; those known not to are named here."""

import asyncio
import logging
from pathlib import Path

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.evaluation.runner import Outcome
from tests.evaluation import setup_agent
from tests.harness.home import Home, async_move_in
from tests.harness.running import Golden, async_run_file, read_golden

FOLDER = Path(__file__).parent / "golden"
GOLDEN = sorted((*FOLDER.glob("*.yaml"), *FOLDER.glob("reader/*.yaml")))

# What does not work yet, and why. One that comes to work is to be taken off.
KNOWN = {
    "music/two-rooms": "two rooms for one piece of music are read as a part of what to play",
    "free_de/bedroom-ceiling": "the house knows no such German name",
    "free_de/both-bedside-lamps": "the house knows no such German name",
    "free_de/bedside-lamps-blue": "the house knows no such German name",
    "free_de/bookshelf-green": "the house knows no such German name",
    "free_de/two-colours": "the house knows no such German name",
    "free_de/fan-blind-lamps": "the house knows no such German name",
    "free_de/light-and-heating": "the place that is said first is not the place of the second command",
    "free_de/exception-first": '"upstairs" stands between the exception and what it is an exception from',
    "free_en/light-please": "a noun and courtesy are no command",
    "free_en/pause-music": '"for a moment" is held to be a time',
    "free_it/towel-rail-on": "what is said beside the command is not understood",
    "free_it/socket-in-the-kitchen": "a question mark makes it a question",
    "free_it/telly-off-infinitive": "Home Assistant has another sentence like it",
    "free_nl/koffiezetapparaat-willen": "the house knows no such Dutch name",
    "free_pl/fan-third-gear": "gears of a fan are not counted",
}


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
            if case.outcome is Outcome.FAILED:
                failed[name] = list(case.differences)
    assert {key: found for key, found in failed.items() if key not in KNOWN} == {}
    assert not asked.intersection(KNOWN) - failed.keys(), "these are right now"


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
