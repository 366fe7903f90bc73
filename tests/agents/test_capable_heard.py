"""What Home Assistant finds nothing for goes to a capable model, and what is said of the home without one is true."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

# Windows that are only sensors, in a language: what is said, and what is told of it without a model.
SENSED = [
    ("en", None, "open the bathroom window", "Bathroom Window can't do that."),
    ("en", "Bedroom", "could you close the window", "Bedroom Window can't do that."),
    ("de", None, "Öffne das Fenster im Bathroom", "Das geht damit nicht: Bathroom Window."),
    ("fr", None, "ouvre la fenêtre de Bathroom", "Ce n'est pas possible avec Bathroom Window."),
]


@in_one_house(("language", "area", "text", "told"), SENSED)
async def test_a_window_that_is_only_sensed_is_not_denied(
    speak: Setup, language: str, area: str | None, text: str, told: str
) -> None:
    said = await (await speak()).say(text, language=language, area=area)
    assert (said.reply, said.changes) == (told, {})


async def test_where_there_is_no_window_that_is_said(speak: Setup) -> None:
    said = await (await speak()).say("open the window in the garage")
    assert "can't do that" not in said.reply
    assert said.changes == {}


async def test_what_home_assistant_finds_nothing_for_is_for_the_model(speak: Setup) -> None:
    why = "I can see that window, but I cannot move it."
    speaker = await speak(
        brain(("home", "open the bathroom window"), nothing=why), contract="capable"
    )
    said = await speaker.say("would you mind opening the bathroom window, it is steamy")
    assert (said.reply, said.changes) == (why, {})


LAMP_ON = {"action": "turn_on", "targets": ["Reading Lamp"]}


async def test_an_offer_is_no_claim(speak: Setup) -> None:
    asked = "There is no disco ball here, shall I put the rainbow on in the Office instead?"
    speaker = await speak(brain(("light", "start the disco ball"), ask=asked), contract="capable")
    said = await speaker.say("could we have the disco ball going", area="Kitchen")
    assert (said.reply, said.changes) == (asked, {})
    assert said.result.continue_conversation


async def test_what_is_asked_after_a_claim_is_not_spoken(speak: Setup) -> None:
    asked = "I put the lamp on, shall I put the rest on, too?"
    speaker = await speak(brain(("light", "light for the stamps"), ask=asked), contract="capable")
    said = await speaker.say("some light for my stamps please, dear house", area="Kitchen")
    assert "I put" not in said.reply


async def test_a_place_named_by_half_is_meant_beside_that_of_another_part(speak: Setup) -> None:
    dim = {"action": "set", "targets": ["Hallway Ceiling"], "percent": 15, "color": None}
    speaker = await speak(
        brain(
            ("light", "bathroom mirror on"),
            ("light", "the hall somewhat dimmer"),
            steps={
                "bathroom": [{"action": "turn_on", "targets": ["Bathroom Mirror"]}],
                "hall": [dim],
            },
        ),
        contract="capable",
    )
    said = await speaker.say("bathroom mirror on for shaving, the hall somewhat dimmer")
    assert set(said.changes) == {"light.bathroom_mirror", "light.hallway_ceiling"}, said.reply


async def test_a_question_comes_after_what_was_done(speak: Setup) -> None:
    open_blinds = {"action": "cover.open", "targets": ["Living Room Blinds"]}
    speaker = await speak(
        brain(
            ("home", "fresh views"),
            ("light", "reading lamp for the crossword"),
            steps={"views": [open_blinds], "reading": [LAMP_ON | {"action": "turn_off"}]},
        ),
        contract="capable",
    )
    said = await speaker.say("fresh views, and no reading lamp, whatever", area="Living Room")
    assert set(said.changes) == {"light.reading_lamp"}, said.reply
    assert said.reply.startswith("Turned off Reading Lamp.")
    assert said.reply.endswith("?")
    assert said.result.continue_conversation


async def test_blinds_that_were_set_just_now_are_gone_on_with(speak: Setup) -> None:
    def answer(messages: Any, schema: Any) -> Any:
        level = {"action": "set_position", "targets": ["Bedroom Blinds"], "value": 30}
        return brain(("home", "a tad less glare than that"), steps=[level])(messages, schema)

    speaker = await speak(answer, contract="capable")
    await speaker.say("set the bedroom blinds to 45%", area="Bedroom")
    said = await speaker.say("oof, my eyes, a tad less glare than that", area="Bedroom")
    assert set(said.changes) == {"cover.bedroom_blinds"}, said.reply


async def test_a_garage_that_was_shut_just_now_needs_a_yes(speak: Setup) -> None:
    step = {"action": "cover.open", "targets": ["Garage Door"]}
    speaker = await speak(brain(("home", "some more draught"), steps=[step]), contract="capable")
    await speaker.say("close the garage door")
    said = await speaker.say("phew, some more draught in that place")
    assert said.calls == [], said.reply


# In a language: what asks, and has the fan started if it is so; what only asks.
IF_SO = [
    ("en", "is it damp in the bathroom, and if it is, start the extractor", True),
    ("en", "Is it stuffy in the bathroom? If so, start the extractor in there.", True),
    ("de", "ist es im Bathroom feucht, und wenn ja, schalte Bathroom Extractor ein", True),
    ("fr", "est-ce humide dans Bathroom, et si oui, allume Bathroom Extractor", True),
    ("es", "¿está húmedo Bathroom? Si es así, enciende Bathroom Extractor", True),
    ("en", "is it damp in the bathroom, and if it is, start the extractor or not?", False),
    ("en", "is it damp in the bathroom if I start the extractor, say", False),
    ("en", "what happens if it is damp in the bathroom, start to end", False),
]


@in_one_house(("language", "text", "acts"), IF_SO)
async def test_what_is_to_be_done_if_it_is_so_is_no_mere_question(
    speak: Setup, language: str, text: str, acts: bool
) -> None:
    steps = [{"action": "turn_on", "targets": ["Bathroom Extractor"]}]
    speaker = await speak(brain(("home", text), steps=steps, told="It may be."), contract="capable")
    said = await speaker.say(text, language=language)
    assert set(said.changes) == ({"fan.bathroom_extractor"} if acts else set()), said.reply


# What a model says to a worry, and whether it may: advice is no report of the home.
SAID = [
    ("Keep the door shut and ask through it who is there.", True),
    ("Leave the windows closed, and see whether the smell is gone by noon.", True),
    ("Leave the door shut and ring the firm on its own line to learn whose van it is.", True),
    ("Keep in mind that the front door is open.", False),
    ("Lock up, the front door is open.", False),
    ("Leave it, the kitchen is at 31 degrees.", False),
    ("The front door is shut and all is well.", False),
]


@in_one_house(("told", "may"), SAID)
async def test_advice_is_no_report_of_the_home(speak: Setup, told: str, may: bool) -> None:
    speaker = await speak(brain(("general", "a salesman rings"), talk=told), contract="capable")
    said = await speaker.say("a salesman rings and seems sweet, hm, what do you reckon")
    assert (said.reply == told) is may, said.reply


async def test_what_else_was_said_may_tell_which_is_meant(speak: Setup) -> None:
    why = "The towel radiator goes to 28 degrees at most."
    speaker = await speak(
        brain(("climate", "the radiator to forty"), nothing=why), contract="capable"
    )
    said = await speaker.say("set the radiator to forty, I need my bathrobe hot")
    assert (said.reply, said.changes) == (why, {})


async def test_where_nothing_else_was_said_it_is_asked_which_is_meant(speak: Setup) -> None:
    speaker = await speak(brain(("climate", "the radiator"), nothing="No."), contract="capable")
    said = await speaker.say("set the radiator to 20, please")
    assert said.reply.startswith("The Bathroom Heating or ")
    assert speaker.model
    assert not speaker.model.requests


async def test_an_answer_follows_what_was_said_as_a_sentence_of_its_own(speak: Setup) -> None:
    def answer(messages: Any, schema: Any) -> Any:
        asked = "" if "the sofa one" in messages[-1].content else "Which lamp?"
        return brain(
            ("light", "mood for stamps!"), steps=[LAMP_ON] if not asked else [], ask=asked
        )(messages, schema)

    speaker = await speak(answer, contract="capable")
    await speaker.say("I am in the mood for stamps!", area="Living Room")
    await speaker.say("oh, the sofa one", area="Living Room")
    assert speaker.model
    shown = "\n".join(m.content for r in speaker.model.requests for m in r.messages)
    assert "stamps! oh, the sofa one" in shown
    assert "stamps!:" not in shown


@pytest.mark.parametrize(
    ("members", "is_asked"),
    [
        (("light.floor_lamp", "light.reading_lamp"), False),
        (("light.floor_lamp", "cover.living_room_blinds"), True),
        (("light.floor_lamp", "light.desk_lamp"), True),
        (("light.floor_lamp", "lock.front_door"), True),
    ],
)
async def test_a_scene_that_only_sets_lamps_of_the_room_needs_no_yes(
    hass: HomeAssistant, speak: Setup, members: tuple[str, ...], is_asked: bool
) -> None:
    rooms = {area.name: area.id for area in ar.async_get(hass).areas.values()}
    entities = er.async_get(hass)
    entities.async_get_or_create("scene", "test", "dusk", suggested_object_id="dusk")
    entities.async_update_entity("scene.dusk", area_id=rooms["Living Room"], name="Dusk")
    hass.states.async_set(
        "scene.dusk", "unknown", {"entity_id": [*members], "friendly_name": "Dusk"}
    )
    async_expose_entity(hass, "conversation", "scene.dusk", True)
    steps = [{"action": "turn_on", "targets": ["Dusk"]}]
    speaker = await speak(brain(("home", "cinema feeling"), steps=steps), contract="capable")
    said = await speaker.say("get me some of that cinema feeling", area="Living Room")
    assert said.result.continue_conversation is is_asked, said.reply
    assert bool(said.calls) is not is_asked
