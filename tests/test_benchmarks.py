"""What the benchmarks say is what they say it is."""

from homeassistant.core import HomeAssistant

from benchmarks.sentences import MODEL_SENTENCES
from custom_components.bellboard.const import DOMAIN
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
