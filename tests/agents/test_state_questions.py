"""Questions about states are answered by what is so, and by nothing else."""

import pytest

from tests.capable import brain
from tests.conftest import Setup


async def test_outside_is_no_room(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("what's the temperature outside", area="Living Room")
    assert said.reply == "It is 12.5 °C."


async def test_no_is_no_answer_about_what_is_not_there(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("is the door at the side of the garage locked")
    assert not said.reply.startswith("No")
    both = await speaker.say(
        "are they both locked, the front door and the one at the side of the garage"
    )
    assert "No" not in both.reply


@pytest.mark.parametrize("action", ["turn_off", "set_temperature"])
async def test_no_question_is_acted_on_by_a_small_model(speak: Setup, action: str) -> None:
    step = {"action": action, "temperature": 24}

    def answer(messages: object, schema: object) -> object:
        properties = schema["properties"] if isinstance(schema, dict) else {}
        if "agentId" in properties:
            return {"agentId": "climate"}
        return {"actions": [step]} if properties else "It is."

    speaker = await speak(answer)
    said = await speaker.say("is it warmer in the office than in the kitchen")
    assert not said.calls
    assert not said.changes


async def test_answers_stand_in_the_order_of_what_was_said(speak: Setup) -> None:
    steps = [{"action": "turn_off", "targets": ["Left Bedside Lamp", "Night Light"]}]
    parts = ("light", "turn off the lights that are on upstairs")
    speaker = await speak(brain(parts, steps=steps), contract="capable")
    said = await speaker.say("how many lights upstairs are on, and make them go to sleep")
    assert said.reply == "2. Turned off Left Bedside Lamp and Night Light."
