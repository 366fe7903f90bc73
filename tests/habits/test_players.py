"""Which of several players is meant: named, in the room, playing, used last there, the satellite's own, else asked."""

from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from tests.capable import brain
from tests.conftest import voice_panel
from tests.plans.conftest import Misbehave, misbehave
from tests.test_policy_reach import REFUSED, obey, rule
from tests.test_services import assistant_of

from .conftest import DESK, DOOR, SHELF, WINDOW, Settle, playing

__all__ = ["misbehave"]

JAZZ = "play some jazz"
ASKED = "The Shelf Speaker or the Window Speaker?"


async def test_it_is_asked_once_and_the_answer_is_the_habit(settle: Settle) -> None:
    house = await settle()
    said = await house.begin(JAZZ)
    assert said.reply == ASKED
    assert house.habits == set()
    assert playing(await house.say("the shelf speaker")) == [SHELF]
    assert house.habits == {("parlour", SHELF)}
    said = await house.begin(JAZZ)
    assert playing(said) == [SHELF]
    assert said.reply == "Playing Jazz on Shelf Speaker."


async def test_the_order_is_named_then_playing_then_used_last(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    # What is named is meant, and is the habit from then on.
    assert playing(await house.begin("play some jazz on the window speaker")) == [WINDOW]
    assert playing(await house.begin(JAZZ)) == [WINDOW]
    # What plays is meant before what was used last, whoever let it play.
    await house.silence()
    await house.put_on(SHELF)
    assert playing(await house.say(JAZZ)) == [SHELF]
    assert house.habits == {("parlour", SHELF)}


async def test_a_part_of_a_name_is_asked_about_all_the_same(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker")
    assert playing(await house.begin("resume the music")) == [WINDOW]
    said = await house.begin("resume the Bose")
    assert said.reply == ASKED
    assert playing(said) == []


async def test_music_that_goes_on_goes_on_where_it_was_heard(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker")
    assert playing(await house.begin("start the music")) == [WINDOW]
    await house.begin("play some jazz on the shelf speaker")
    assert playing(await house.begin("resume the music")) == [SHELF]


async def test_a_habit_is_for_music_only(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker")
    for text in ("turn on the speaker", "set the volume of the speaker to 20 percent"):
        said = await house.begin(text)
        assert said.reply == ASKED, text
        assert not said.changes, text
    # Nor does anything but music make one.
    for text in (
        "turn on the shelf speaker",
        "set the volume of the shelf speaker to 20 percent",
        "mute the shelf speaker",
        "switch the television to game console",
    ):
        await house.begin(text)
        assert house.habits == {("parlour", WINDOW)}, text


async def test_a_room_knows_nothing_of_another(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker")
    said = await house.begin(JAZZ, "Library")
    assert said.reply == "The Desk Speaker or the Door Speaker?"
    assert playing(await house.say("the second one", "Library")) == [DOOR]
    assert house.habits == {("parlour", WINDOW), ("library", DOOR)}
    assert playing(await house.begin(JAZZ)) == [WINDOW]
    assert playing(await house.begin(JAZZ, "Library")) == [DOOR]
    # What is named in another room is used there, and is none of this one.
    await house.begin("play some jazz on the desk speaker")
    assert house.habits == {("parlour", WINDOW), ("library", DESK)}
    assert playing(await house.begin("play some jazz in the library")) == [DESK]
    assert playing(await house.begin(JAZZ)) == [WINDOW]


async def test_a_speaker_in_no_room_has_a_habit_of_the_whole_home(settle: Settle) -> None:
    house = await settle()
    said = await house.begin(JAZZ, None)
    assert said.reply == "In the Library, the Garage or the Parlour?"
    assert playing(await house.say("the desk speaker", None)) == [DESK]
    assert house.habits == {(None, DESK), ("library", DESK)}
    assert playing(await house.begin(JAZZ, None)) == [DESK]
    # What is used in a room is none of the home.
    await house.begin("play some jazz on the window speaker", "Parlour")
    assert playing(await house.begin(JAZZ, None)) == [DESK]


async def test_a_player_that_is_gone_hidden_or_away_is_no_habit(
    hass: HomeAssistant, settle: Settle, misbehave: Misbehave
) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker", "Parlour")
    misbehave(WINDOW, "unavailable")
    said = await house.begin(JAZZ)
    assert said.reply == ASKED
    misbehave(WINDOW, "normal")
    assert playing(await house.begin(JAZZ)) == [WINDOW]
    async_expose_entity(hass, "conversation", WINDOW, should_expose=False)
    # Only one is left in the room.
    assert playing(await house.begin(JAZZ)) == [SHELF]
    async_expose_entity(hass, "conversation", WINDOW, should_expose=True)
    assert playing(await house.begin(JAZZ)) == [SHELF]
    er.async_get(hass).async_remove(SHELF)
    await hass.async_block_till_done()
    assert playing(await house.begin(JAZZ)) == [WINDOW]


async def test_a_player_that_stands_elsewhere_now_is_no_habit(
    hass: HomeAssistant, settle: Settle
) -> None:
    house = await settle()
    await house.begin("play some jazz on the window speaker")
    for player, area_id in ((WINDOW, "library"), (DESK, "parlour")):
        entry = er.async_get(hass).async_get(player)
        assert entry
        dr.async_get(hass).async_update_device(str(entry.device_id), area_id=area_id)
    said = await house.begin(JAZZ)
    assert said.reply == "The Shelf Speaker or the Desk Speaker?"


async def test_the_satellite_has_a_player_of_its_own(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    panel = voice_panel(hass, "Parlour")
    er.async_get(hass).async_update_entity(WINDOW, device_id=panel)
    assert playing(await house.begin(JAZZ)) == [WINDOW]
    # What was used last goes before it.
    await house.begin("play some jazz on the shelf speaker")
    assert playing(await house.begin(JAZZ)) == [SHELF]
    await house.act("clear_habits")
    # One that is hidden is none, and of two it is not known which.
    async_expose_entity(hass, "conversation", WINDOW, should_expose=False)
    assert playing(await house.begin(JAZZ)) == [SHELF]
    await house.act("clear_habits")
    async_expose_entity(hass, "conversation", WINDOW, should_expose=True)
    er.async_get(hass).async_update_entity(SHELF, device_id=panel)
    said = await house.begin(JAZZ)
    assert playing(said) == []
    assert said.result.continue_conversation


async def test_with_the_option_off_it_is_asked_each_time(settle: Settle) -> None:
    house = await settle(habits={"last_player": False})
    for _ in range(2):
        assert (await house.begin(JAZZ)).reply == ASKED
        await house.say("the shelf speaker")
    assert house.habits == set()


async def test_a_television_is_no_habit_beside_a_speaker(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    await house.begin("switch the television to television")
    assert playing(await house.begin(JAZZ)) == [SHELF]


async def test_what_plays_everywhere_chose_no_player(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    before = house.habits
    said = await house.begin("play some jazz everywhere", None)
    assert said.changes
    assert house.habits == before


async def test_only_what_the_home_showed_counts(settle: Settle, misbehave: Misbehave) -> None:
    house = await settle()
    misbehave(SHELF, "ignore")
    said = await house.begin("play some jazz on the shelf speaker")
    assert said.reply == "Shelf Speaker did not respond."
    await house.begin("play something that nobody ever recorded on the window speaker")
    assert house.habits == set()


async def test_a_dry_run_uses_habits_and_notes_none(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker", "Parlour")
    await house.silence()
    before = house.habits
    device = voice_panel(house.hass, "Parlour")
    named = "play some jazz on the window speaker"
    await house.act("process", text=named, dry_run=True, device_id=device)
    tried = await house.act("process", text=JAZZ, dry_run=True, device_id=device)
    assert house.habits == before
    [call] = tried["calls"]
    assert call["data"]["entity_id"] == [SHELF]
    assert (call["assumed"], call["habit"]) == (True, "player")


async def test_what_an_automation_hands_to_an_agent_is_nobodys_habit(settle: Settle) -> None:
    plan = {"actions": [{"action": "play", "query": "jazz"}]}
    house = await settle(lambda *_: plan)
    task = {
        "conversation_id": "alarm",
        "topic": "/control/agents/music-agent/input",
        "instruction": "play some jazz on the shelf speaker",
        "input": {},
        "version": "1.0",
    }
    await house.act("run_task", task=task)
    assert [call["data"]["entity_id"] for call in house.calls] == [[SHELF]]
    assert house.habits == set()


async def test_undoing_takes_the_habit_back(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    await house.begin("play some jazz on the window speaker")
    await house.say("undo that")
    assert house.habits == {("parlour", SHELF)}
    # What was taken from habit and is undone was not meant: it is asked again.
    assert playing(await house.begin(JAZZ)) == [SHELF]
    await house.act("undo")
    assert house.habits == set()
    assert (await house.begin(JAZZ)).reply == ASKED
    # A question between them changes nothing of what is undone.
    await house.say("the window speaker")
    await house.say("what time is it")
    await house.say("undo that")
    assert house.habits == set()


async def test_a_correction_is_the_habit_from_then_on(settle: Settle) -> None:
    house = await settle()
    for text in (
        "no, the window speaker",
        "no, on the window speaker",
        "I meant the window speaker",
        "no, the other one",
    ):
        await house.begin("play some jazz on the shelf speaker")
        assert playing(await house.begin(JAZZ)) == [SHELF], text
        said = await house.say(text)
        assert playing(said) == [WINDOW], text
        assert "Put Shelf Speaker back as before" in said.reply, text
        assert house.habits == {("parlour", WINDOW)}, text
    # What is no player corrects nothing of it.
    await house.begin(JAZZ)
    assert playing(await house.say("no, the reading lamp")) == []


async def test_the_trace_says_what_a_habit_chose(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    [call] = house.calls
    assert not {"assumed", "habit"} & call.keys()
    await house.begin(JAZZ)
    [call] = house.calls
    assert (call["assumed"], call["habit"]) == (True, "player")


async def test_a_rule_about_what_is_assumed_sees_it(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    await obey(hass, rule(assumed=True))
    said = await house.begin(JAZZ)
    assert not said.changes
    assert REFUSED.rstrip(".") in said.reply
    assert playing(await house.begin("play some jazz on the window speaker")) == [WINDOW]
    await obey(hass, rule("confirm", assumed=True))
    asked = await house.begin(JAZZ)
    assert playing(asked) == []
    assert asked.result.continue_conversation
    assert playing(await house.say("yes")) == [WINDOW]
    [call] = house.calls
    assert call["habit"] == "player"


async def test_what_is_for_later_is_on_the_usual_player(
    hass: HomeAssistant, settle: Settle, freezer: FrozenDateTimeFactory
) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    said = await house.begin("play some jazz in 10 minutes")
    assert "Shelf Speaker" in said.reply
    await house.act("clear_habits")
    freezer.tick(601)
    async_fire_time_changed(hass, dt_util.utcnow())
    await hass.async_block_till_done(wait_background_tasks=True)
    state = hass.states.get(SHELF)
    assert state
    assert state.state == "playing"
    # It was asked for in this room, and happened.
    assert house.habits == {("parlour", SHELF)}


@pytest.mark.parametrize(
    ("language", "named", "text"),
    [
        ("de", "spiel Jazz auf dem Shelf Speaker", "spiel Jazz"),
        ("fr", "joue du jazz sur Shelf Speaker", "joue du jazz"),
        ("es", "pon jazz en Shelf Speaker", "pon jazz"),
        ("it", "metti del jazz su Shelf Speaker", "metti del jazz"),
        ("nl", "speel jazz op Shelf Speaker", "speel jazz"),
        ("pl", "zagraj jazz na Shelf Speaker", "zagraj jazz"),
        ("pt", "toca jazz na Shelf Speaker", "toca jazz"),
    ],
)
async def test_it_is_so_in_each_language(
    settle: Settle, language: str, named: str, text: str
) -> None:
    house = await settle()
    assert playing(await house.begin(named, language=language)) == [SHELF]
    assert playing(await house.begin(text, language=language)) == [SHELF]


async def test_a_small_model_need_not_know_which_player(settle: Settle) -> None:
    def choose(_messages: list[Any], schema: dict[str, Any] | None) -> Any:
        assert schema
        if "agentId" in schema["properties"]:
            return {"agentId": "music"}
        return {"actions": [{"action": "play", "query": "jazz", "targets": ["all"]}]}

    house = await settle(choose)
    await house.begin("play some jazz on the window speaker")
    said = await house.begin("I fancy a bit of jazz now")
    assert list(assistant_of(house.hass).traces)[-1].agents[0]["source"] != "reader"
    assert playing(said) == [WINDOW]
    await house.begin("play some jazz on the desk speaker", None)
    assert playing(await house.begin("I fancy a bit of jazz now", None)) == [DESK]
    # What plays is meant before it.
    await house.silence()
    await house.put_on(SHELF)
    assert playing(await house.say("I fancy a bit of jazz now")) == [SHELF]


async def test_a_capable_model_is_told_which_player_is_usual(settle: Settle) -> None:
    step = {"action": "play", "targets": ["Desk Speaker"], "query": "jazz", "instead": "jazz"}
    house = await settle(brain(("music", "soft jazz"), steps=[step]), contract="capable")
    text = "something soft, jazz perhaps"
    asked = await house.begin(text, None)
    assert playing(asked) == [], "which player it is, nobody said"
    assert asked.result.continue_conversation
    await house.begin("play some jazz on the desk speaker", None)
    said = await house.begin(text, None)
    assert playing(said) == [DESK]
    [call] = house.calls
    assert (call["assumed"], call["habit"]) == (True, "player")
    assert house.speaker.model
    told = house.speaker.model.requests[-1].messages[-1].content
    assert told.count("used last there") == 1
