"""What Home Assistant finds nothing for goes to a capable model, and what is said of the home without one is true."""

from typing import Any

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
