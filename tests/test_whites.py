"""A white that is said by its name is the nearest that each lamp has; one in kelvin is taken at its word."""

from custom_components.bellboard.nlu.loader import available_languages
from tests.conftest import Setup
from tests.one_house import in_one_house

# The demo house's desk lamp is white from 2700 K on.
CANDLELIGHT = {
    "de": "stell die Desk Lamp auf Kerzenlicht",
    "en": "set the desk lamp to candlelight",
    "es": "pon la Desk Lamp en luz de vela",
    "fr": "mets la Desk Lamp en lumière de bougie",
    "it": "metti la Desk Lamp a lume di candela",
    "nl": "zet de Desk Lamp op kaarslicht",
    "pl": "ustaw Desk Lamp na światło świec",
    "pt": "põe a Desk Lamp em luz de vela",
    "sv": "ställ Desk Lamp på stearinljus",
}


@in_one_house("language", available_languages())
async def test_a_white_beyond_a_lamp_is_its_nearest_and_told(speak: Setup, language: str) -> None:
    speaker = await speak()

    said = await speaker.say(CANDLELIGHT[language], language=language)

    assert [call["service_data"]["color_temp_kelvin"] for call in said.calls] == [2700]
    assert "2700 K" in said.reply


async def test_each_lamp_of_a_room_has_its_own_nearest_white(speak: Setup) -> None:
    speaker = await speak()

    said = await speaker.say("candlelight in the kitchen")

    set_to = {
        call["service_data"]["entity_id"][0]: call["service_data"]["color_temp_kelvin"]
        for call in said.calls
    }
    assert set_to == {"light.kitchen_ceiling": 2200, "light.kitchen_pendant": 2000}
    assert "can't" not in said.reply


async def test_a_number_of_kelvin_that_a_lamp_has_not_is_refused_with_its_range(
    speak: Setup,
) -> None:
    speaker = await speak()

    said = await speaker.say("set the kitchen pendant to 1500 kelvin")

    assert not said.calls
    assert said.reply == "I can set Kitchen Pendant between 2000 K and 6500 K."
