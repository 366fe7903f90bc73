"""An answer to an open question with a request behind it: both are done, and nothing is asked again."""

from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.bellboard.llm.models import JsonSchema, Message
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_capable_guard import targets
from tests.test_confirm import Rule, of_domain

DOOR, LIGHT = "cover.garage_door", "light.garage_light"
BOTH = [
    ("en", "open Garage Door", "yes please, and switch off Garage Light"),
    ("en", "open Garage Door", "sure. And turn off Garage Light"),
    ("de", "öffne Garage Door", "ja bitte, und mach Garage Light aus"),
    ("es", "abre Garage Door", "sí, y apaga Garage Light"),
    ("fr", "ouvre Garage Door", "oui, et éteins Garage Light"),
    ("it", "apri Garage Door", "sì, e spegni Garage Light"),
    ("nl", "open Garage Door", "ja, en zet Garage Light uit"),
    ("pl", "otwórz Garage Door", "tak, i wyłącz Garage Light"),
    ("pt", "abre Garage Door", "sim, e apaga Garage Light"),
    ("sv", "öppna Garage Door", "ja, och släck Garage Light"),
]


@in_one_house(("language", "asked", "text"), BOTH)
async def test_what_is_asked_for_beside_a_yes_is_done_too(
    hass: HomeAssistant, speak: Setup, language: str, asked: str, text: str
) -> None:
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("cover"))
    question = await speaker.say(asked, language=language)
    assert question.result.continue_conversation
    said = await speaker.say(text, language=language, area="Garage")
    assert not said.result.continue_conversation, said.reply
    assert targets(said.calls) == {DOOR, LIGHT}, said.reply


@in_one_house(
    "text",
    [
        "no, and turn off Garage Light",
        "yes, turn off Garage Light",
        "turn off Garage Light",
        "maybe, and turn off Garage Light",
    ],
)
async def test_without_a_yes_nothing_is_opened(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("cover"))
    await speaker.say("open Garage Door")
    said = await speaker.say(text, area="Garage")
    assert not [call for call in said.calls if call["domain"] == "cover"]


async def test_what_else_is_asked_for_still_needs_a_yes_of_its_own(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("cover", "lock"))
    await speaker.say("open Garage Door")
    said = await speaker.say("yes, and unlock Front Door")
    assert [call["domain"] for call in said.calls] == ["cover"]
    assert said.result.continue_conversation, said.reply
    then = await speaker.say("yes")
    assert [call["domain"] for call in then.calls] == ["lock"]


async def test_a_capable_model_is_asked_what_stands_beside_a_yes(
    speak: Setup,
) -> None:
    steps = {
        "let me": [{"action": "cover.open", "targets": ["Garage Door"]}],
        "switch": [{"action": "turn_off", "targets": ["Garage Light"]}],
    }

    def model(messages: list[Message], schema: JsonSchema | None) -> Any:
        said = messages[-1].content.splitlines()[-1]
        part = ("home", "let me out") if "out" in said else ("light", "switch off Garage Light")
        return brain(part, steps=steps)(messages, schema)

    speaker = await speak(model, contract="capable")
    asked = await speaker.say("I am off on the bike, let me out", area="Garage")
    assert asked.result.continue_conversation, asked.reply
    assert not asked.calls
    said = await speaker.say("yes go on, and make the light dark behind me", area="Garage")
    assert targets(said.calls) == {DOOR, LIGHT}, said.reply
    assert not said.result.continue_conversation, said.reply


async def test_a_choice_has_a_request_behind_it(speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the bedside lamp", area="Bedroom")
    assert asked.result.continue_conversation, asked.reply
    said = await speaker.say("the left one, and then open the blinds", area="Bedroom")
    found = targets(said.calls)
    assert found == {"light.left_bedside_lamp", "cover.bedroom_blinds"}
