"""What a capable model says is for later is planned in the words that were said for it, or not at all."""

from datetime import datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.test_delayed import planned
from tests.test_scheduled import NOW, at

LAMP = "light.floor_lamp"
STEP = {"action": "turn_on", "targets": ["Floor Lamp"], "color": "purple"}


@pytest.fixture(autouse=True)
async def clock(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Let it be three in the afternoon."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


async def meet(speak: Setup, *parts: tuple[str, str]) -> Any:
    """Return a speaker whose model splits what is said into some parts, and dims the floor lamp."""
    return await speak(brain(*parts, steps=[STEP]), contract="capable")


@pytest.mark.parametrize(
    ("text", "later", "hour"),
    [
        ("something dreamy for the floor lamp at half past six", "at half past six", 18.5),
        ("at nine something dreamy for the floor lamp", "at nine", 21),
    ],
)
async def test_what_only_a_model_understands_is_planned_by_what_was_said_for_when(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    text: str,
    later: str,
    hour: float,
) -> None:
    speaker = await meet(speak, ("light", f"{later}|something dreamy for the floor lamp"))
    said = await speaker.say(text, area="Living Room")
    assert not said.changes, said.reply
    due = NOW.replace(hour=0) + timedelta(hours=hour)
    [waiting] = await planned(hass)
    assert datetime.fromisoformat(waiting["due"]) == due
    assert f"{due:%H:%M}" in said.reply
    assert not await at(hass, freezer, due - timedelta(seconds=2))
    assert await at(hass, freezer, due + timedelta(seconds=1)) == {LAMP}


async def test_what_waits_for_something_is_planned(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await meet(
        speak, ("light", "when the front door opens|something dreamy for the floor lamp")
    )
    said = await speaker.say("when the front door opens something dreamy for the floor lamp")
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    assert waiting["kind"] == "waiting"


async def test_what_is_for_a_while_is_done_and_put_back(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    speaker = await meet(speak, ("light", "for ten minutes|something dreamy for the floor lamp"))
    said = await speaker.say("something dreamy for the floor lamp for ten minutes")
    assert {*said.changes} == {LAMP}
    assert "put it back" in said.reply
    assert await at(hass, freezer, NOW + timedelta(minutes=10, seconds=1)) == {LAMP}


@pytest.mark.parametrize(
    ("later", "instruction"),
    [
        ("at ten", "something dreamy for the floor lamp"),
        ("at half past six", "unlock the front door"),
        ("when the moon is blue", "something dreamy for the floor lamp"),
        (True, "something dreamy for the floor lamp"),
    ],
    ids=["another-time", "another-command", "nothing-tells-it", "no-words"],
)
async def test_what_was_not_said_is_not_planned(
    hass: HomeAssistant, speak: Setup, later: str | bool, instruction: str
) -> None:
    def answer(messages: Any, schema: Any) -> Any:
        """Answer with words that nobody said."""
        if schema and "parts" in schema["properties"]:
            part = {"agent": "light", "instruction": instruction, "later": later, "confidence": 1}
            return {"parts": [part, part], "question": ""}
        return brain(steps=[STEP])(messages, schema)

    speaker = await speak(answer, contract="capable")
    said = await speaker.say("something dreamy for the floor lamp at half past six")
    assert not said.changes
    assert await planned(hass) == []
    assert "did nothing" in said.reply


async def test_what_a_model_says_in_its_own_words_is_planned_as_it_was_said(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await meet(speak, ("light", "at half past six|make the floor lamp purple"))
    said = await speaker.say("something dreamy for the floor lamp at half past six")
    assert not said.changes
    [waiting] = await planned(hass)
    assert waiting["text"] == "something dreamy for the floor lamp"


def splits(*parts: tuple[str, str, str], steps: Any = (STEP,)) -> Any:
    """Return a model that splits what is said into parts of agents, each with an instruction and words for when."""
    made = [
        {"agent": agent, "instruction": text, "asks": False, "later": later, "confidence": 0.95}
        for agent, text, later in parts
    ]

    def answer(messages: Any, schema: Any) -> Any:
        said = messages[-1].content
        if schema and "parts" in schema["properties"]:
            own = [{**each, "later": ""} for each in made if said.endswith(each["instruction"])]
            return {"parts": own or made, "question": ""}
        return brain(steps=steps)(messages, schema)

    return answer


HEAT = {"action": "set_temperature", "targets": ["Bathroom Heating"], "temperature": 24}
COLD = {"action": "turn_off", "targets": ["Bathroom Heating"]}
SPA = "the bathroom should be a spa by quarter to eight, and it mustn't go on after half past eight"


async def test_times_in_a_models_words_are_planned_where_they_were_said(
    hass: HomeAssistant, speak: Setup
) -> None:
    parts = (
        ("climate", "make the bathroom a spa", "at 19:45"),
        ("climate", "turn off the heating in the bathroom", "at 20:30"),
    )
    steps = {"spa": [HEAT], "turn off": [COLD]}
    speaker = await speak(splits(*parts, steps=steps), contract="capable")
    said = await speaker.say(SPA)
    assert not said.changes, said.reply
    assert [each["when"] for each in await planned(hass)] == ["at 19:45", "at 20:30"]


@pytest.mark.parametrize(
    ("instruction", "later"),
    [
        ("turn off the heating in the bathroom", "at 21:30"),
        ("switch off the office heating", "at 20:30"),
        ("turn off everything", "at 20:30"),
        ("unlock the door", "at 20:30"),
        ("set the heating in the bathroom to 30 degrees", "at 20:30"),
        ("turn off the heating in the bathroom", "until at 25:30"),
    ],
)
async def test_another_time_place_or_thing_of_a_models_is_not_planned(
    hass: HomeAssistant, speak: Setup, instruction: str, later: str
) -> None:
    speaker = await speak(splits(("climate", instruction, later), steps=[COLD]), contract="capable")
    said = await speaker.say(SPA)
    assert (said.changes, await planned(hass)) == ({}, []), said.reply


async def test_what_ends_is_not_put_back_where_another_part_is_for_then(
    hass: HomeAssistant, speak: Setup
) -> None:
    parts = (
        ("climate", "a smidgen cosier in the bathroom", "for an hour"),
        ("climate", "turn off the heating in the bathroom", "in an hour"),
    )
    steps = {"cosier": [HEAT], "turn off": [COLD]}
    speaker = await speak(splits(*parts, steps=steps), contract="capable")
    said = await speaker.say(
        "a smidgen cosier in the bathroom, we're leaving in an hour, then the heating goes off"
    )
    assert said.changes, said.reply
    [waiting] = await planned(hass)
    assert waiting["text"] == "turn off the heating in the bathroom"


async def test_what_ends_once_something_happens_is_done_and_put_back(
    hass: HomeAssistant, speak: Setup
) -> None:
    part = ("climate", "a smidgen cosier in the bathroom", "until the front door is unlocked")
    speaker = await speak(splits(part, steps=[HEAT]), contract="capable")
    said = await speaker.say(
        "a smidgen cosier in the bathroom till somebody's unlocked the front door"
    )
    assert said.changes, said.reply
    [waiting] = await planned(hass)
    assert waiting["kind"] == "waiting"


@pytest.mark.parametrize(
    ("code", "reply"),
    [
        ("en", "I can't plan “{}” like that."),
        ("de", "„{}“ kann ich so nicht planen."),
        ("sv", "”{}” kan jag inte planera så."),
    ],
    ids=["en", "de", "sv"],
)
async def test_a_part_that_cannot_be_planned_is_named_beside_one_that_is(
    hass: HomeAssistant, speak: Setup, code: str, reply: str
) -> None:
    lamp = {"en": "something dreamy for", "de": "etwas Verträumtes für", "sv": "något drömskt för"}[
        code
    ]
    at = {"en": "at half past six", "de": "um 18:30", "sv": "klockan 18:30"}[code]
    left = "glow of the ninth moon"
    speaker = await meet(speak, ("light", f"{at}|{lamp} Floor Lamp"), ("light", f"{at} x|{left}"))
    said = await speaker.say(f"{at} x {lamp} Floor Lamp, {left}", language=code)
    assert not said.changes
    assert len(await planned(hass)) == 1, said.reply
    assert "18:30" in said.reply
    assert said.reply.endswith(reply.format(left))


async def test_a_script_is_told_for_how_long_itself(hass: HomeAssistant, speak: Setup) -> None:
    """What it starts cannot be put back, and a duration may be what it is to be told."""
    speaker = await meet(speak, ("home", "for ten minutes|turn on the good night scene"))
    said = await speaker.say("for ten minutes turn on the good night scene, would you kindly")
    assert (said.calls, await planned(hass)) == ([], [])
    assert speaker.model
    asked = [message.content for each in speaker.model.requests for message in each.messages]
    assert any("good night scene for ten minutes" in each for each in asked)


@pytest.mark.parametrize("contract", ["", "capable"])
@pytest.mark.parametrize(
    "text",
    [
        "give me a shout when the washing machine's done",
        "give me a shout in here when the washing machine’s done",
        "let me know in here when the washing machine is done",
    ],
)
async def test_a_whole_reminder_needs_no_model(
    hass: HomeAssistant, speak: Setup, text: str, contract: str
) -> None:
    speaker = await (meet(speak) if contract else speak())
    said = await speaker.say(text, area="Kitchen")
    assert len(await planned(hass)) == 1, said.reply
    assert not speaker.model or not speaker.model.requests
