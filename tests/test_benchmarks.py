"""What the benchmarks say is what they say it is."""

from homeassistant.core import HomeAssistant

from benchmarks.cached_prompts import TURNS
from benchmarks.sentences import MODEL_SENTENCES
from custom_components.bellboard.const import DOMAIN
from tests.capable import brain
from tests.conftest import Setup
from tests.routing.reading import choosing


async def test_the_sentences_for_a_model_are_left_to_it(hass: HomeAssistant, speak: Setup) -> None:
    await speak(choosing("light", confidence=0.9))
    tiers = {}
    for text in MODEL_SENTENCES:
        response = await hass.services.async_call(
            DOMAIN, "route", {"text": text}, blocking=True, return_response=True
        )
        assert response
        tiers[text] = response["tier"]
    assert {text: tier for text, tier in tiers.items() if tier != "model"} == {}


async def test_a_turn_is_for_a_model_or_changes_the_home(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(
        brain(("nobody", "")), contract="capable", router={"learn_decisions": False}
    )
    assert speaker.model
    for agent, room, text in TURNS:
        asked = len(speaker.model.requests)
        speaker.conversation_id = None
        said = await speaker.say(text, area=room)
        assert (len(speaker.model.requests) > asked) is bool(agent), text
        assert bool(said.changes) is not bool(agent), text
