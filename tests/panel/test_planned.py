"""What is planned is shown to an administrator, whoever planned it, and can be cancelled there."""

from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.bellboard.nlu.loader import available_languages
from tests.conftest import Setup
from tests.panel.conftest import Panel
from tests.test_delayed import later, planned

SAID = "open the garage door"


async def test_all_that_is_planned_is_shown_in_the_viewers_language(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    assert (await panel.ask("planned"))["planned"] == []
    await speaker.say("turn off the reading lamp in 10 minutes")
    anna = MockUser(id="anna").add_to_hass(hass)
    anna.mock_policy({"entities": True})
    speaker.conversation_id = None
    await speaker.say(f"{SAID} in 5 minutes", context=Context(user_id=anna.id))

    first, second = (await panel.ask("planned", language="en"))["planned"]

    assert (first["does"], first["text"], first["user"]) == ("open Garage Door", SAID, anna.id)
    assert 290 < first["seconds_left"] <= 300
    assert second["does"] == "turn off Reading Lamp"
    told = {
        language: (await panel.ask("planned", language=language))["planned"][0]["does"]
        for language in available_languages()
    }
    assert told["de"] == "Garage Door öffnen"
    assert told["pl"] == "otworzyć: Garage Door"
    assert [*told.values()].count(told["en"]) == 1


async def test_what_is_cancelled_in_the_panel_is_not_done(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    await speaker.say(f"{SAID} in 5 minutes")
    [found] = (await panel.ask("planned"))["planned"]
    wanted = {"assistant": found["assistant"], "planned_id": found["id"]}

    assert await panel.ask("planned/cancel", **wanted) == {"canceled": True}

    assert await panel.ask("planned/cancel", **wanted) == {"canceled": False}
    assert await planned(hass) == []
    assert not await later(hass, 400)


async def test_words_of_others_are_withheld_where_the_options_say_so(
    speak: Setup, panel: Panel
) -> None:
    speaker = await speak(telemetry={"panel_words": "own"})
    await speaker.say(f"{SAID} in 5 minutes")

    [found] = (await panel.ask("planned"))["planned"]

    assert found["text"] == f"<{len(SAID)} characters>"
    assert found["does"] == "open Garage Door"
