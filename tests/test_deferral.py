"""What is for later is not done now, whoever might: names, words, a model; what can be kept is kept."""

import asyncio
import logging

import pytest

from tests.adversarial import NOTHING
from tests.conftest import Setup
from tests.test_guard import eager

# Beside those of the adversarial sentences; each is a command that all tiers would understand without
# the words for when.
LATER = (
    *NOTHING["later"],
    "kitchen lights to half at eight o'clock",
    "make the floor lamp a bit brighter tonight",
    "make it warmer in the bedroom tomorrow morning",
    "play some jazz when the guests arrive",
    "it will be too dark in here later",
    "pause the kitchen speaker until I come back",
    "set the bedroom thermostat to 21 degrees at half past six",
    "brighten the floor lamp during breakfast",
)
# What Home Assistant keeps by itself, or what only says what something is for.
NOW = (
    ("set a timer for 12 minutes", "Kitchen"),
    ("set a 12 minute timer for pizza", "Kitchen"),
    ("turn off the desk lamp in ten minutes", "Kitchen"),
    ("add call mom tomorrow to the shopping list", "Kitchen"),
    ("play sunday breakfast in the living room", None),
    ("turn on the night light", None),
    ("dim the reading lamp to 50 percent for the movie", None),
    ("play jazz for dinner", "Living Room"),
)


@pytest.mark.parametrize("with_model", [False, True], ids=["without", "with"])
async def test_what_is_for_later_is_not_done_now(
    speak: Setup, caplog: pytest.LogCaptureFixture, *, with_model: bool
) -> None:
    caplog.set_level(logging.ERROR)
    asyncio.get_running_loop().set_debug(False)
    speaker = await speak(eager) if with_model else await speak()
    wrong = {}
    for text in LATER:
        speaker.conversation_id = None
        said = await speaker.say(text, area="Living Room")
        # To look for a title that nobody has is no harm.
        if said.changes or any(call["service"] != "search_media" for call in said.calls):
            wrong[text] = (said.reply, sorted(said.changes))
    assert wrong == {}


async def test_what_can_be_kept_or_is_for_now_is_not_held_back(speak: Setup) -> None:
    speaker = await speak()
    for text, area in NOW:
        speaker.conversation_id = None
        said = await speaker.say(text, area=area)
        assert "now or in some minutes" not in said.reply, text


async def test_an_answer_for_later_is_not_carried_out_now(speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the lamp", area="Living Room")
    assert asked.result.continue_conversation
    said = await speaker.say("the floor lamp, but only tonight", area="Living Room")
    assert not said.calls
