"""What is planned is told as it will be, and can be taken back at any time, in every language."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml_dict

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import later, planned

_TABLE: dict[str, Any] = dict(load_yaml_dict(Path(__file__).with_name("planned.yaml")))
_GARAGE, _READING = "cover.garage_door", "light.reading_lamp"


def each(key: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a key, with their languages."""
    for language, given in _TABLE.items():
        for text in given[key]:
            yield language, text


@in_one_house("language", _TABLE)
async def test_what_will_be_done_is_said_with_when_and_to_what(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    assert (await speaker.say(given["plan"], language=language)).reply == given["told"]
    asked, told = given["listed"]
    assert (await speaker.say(asked, language=language)).reply == told


@in_one_house(("language", "text"), each("withdrawn"))
async def test_a_plan_is_taken_back_whatever_was_said_in_between(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    for between in (given["listed"][0], *given["between"]):
        await speaker.say(between, language=language)
    said = await speaker.say(text, language=language)
    assert said.reply == given["canceled"]
    assert not said.changes
    assert await planned(hass) == []
    assert not await later(hass, 400)


@in_one_house(("language", "text"), each("bare"))
async def test_what_was_just_told_is_taken_back_without_a_name(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    for asked in ([], [given["listed"][0]], [given["listed"][0], given["between"][0]]):
        await speaker.say(given["plan"], language=language)
        for between in asked:
            await speaker.say(between, language=language)
        assert (await speaker.say(text, language=language)).reply == given["canceled"]
        assert await planned(hass) == []


@in_one_house(("language", "text"), each("other"))
async def test_what_is_not_planned_takes_nothing_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert len(await planned(hass)) == 1
    assert _GARAGE in await later(hass, 400)


@in_one_house(("language", "text"), each("choosing"))
async def test_which_of_several_is_asked(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    await speaker.say(given["second"], language=language)
    await speaker.say(given["listed"][0], language=language)
    asked = await speaker.say(given["bare"][0], language=language)
    assert asked.result.continue_conversation
    assert "Garage Door" in asked.reply
    assert "Reading Lamp" in asked.reply
    assert len(await planned(hass)) == 2
    assert (await speaker.say(text, language=language)).reply == given["canceled"]
    [left] = await planned(hass)
    assert left["seconds_left"] > 400


@in_one_house(("language", "text"), each("both"))
async def test_all_of_several_are_taken_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    await speaker.say(given["second"], language=language)
    await speaker.say(given["listed"][0], language=language)
    await speaker.say(given["bare"][0], language=language)
    said = await speaker.say(text, language=language)
    assert "Garage Door" in said.reply
    assert "Reading Lamp" in said.reply
    assert await planned(hass) == []


@in_one_house(("language", "text"), each("dismissed"))
async def test_nothing_wanted_is_no_failure_and_corrects_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["between"][1], language=language)
    said = await speaker.say(text, language=language)
    assert said.reply == given["fine"]
    assert not said.changes
    assert not said.result.continue_conversation
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    traces = [*assistant.traces]
    assert not any(trace.is_corrected for trace in traces)
