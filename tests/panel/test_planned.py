"""What is planned is shown to an administrator, whoever planned it, and can be cancelled there."""

from datetime import timedelta

from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.when import Once, Repeated, Schedule, SunEvent, SunTime, Trigger
from tests.conftest import Setup
from tests.panel.conftest import Panel
from tests.test_delayed import later, planned
from tests.test_planned_calendar import plan

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


DOOR = "lock.front_door"


async def plan_all(hass: HomeAssistant) -> dict[str, str]:
    """Let something wait in each way in which it can; return its kind by the ids."""
    door = Trigger(text="secret words", entity_ids=(DOOR,))
    sunset = SunTime(event=SunEvent.SUNSET)
    kinds = {
        "once": Schedule(start=Once(at=dt_util.utcnow() + timedelta(hours=1), seconds=3600)),
        "waiting": Schedule(start=door),
        "repeating": Schedule(start=Repeated(sun=sunset, weekdays=(5, 6))),
        "whenever": Schedule(start=door.model_copy(update={"repeats": True})),
    }
    return {(await plan(hass, each)).id: kind for kind, each in kinds.items()}


async def test_once_waiting_and_repeating_are_told_apart_and_in_words(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak(telemetry={"panel_words": "all"})
    ids = await plan_all(hass)

    found = {ids[e["id"]]: e for e in (await panel.ask("planned", language="en"))["planned"]}

    assert {name: each["kind"] for name, each in found.items()} == {
        "once": "once",
        "waiting": "waiting",
        "repeating": "repeating",
        "whenever": "repeating",
    }
    # In how long it was to be is no longer true a minute later.
    assert "hour" not in found["once"]["when"]
    assert found["once"]["when"]
    assert found["repeating"]["when"] == "at weekends at sunset"
    assert found["waiting"]["when"] == "when secret words"
    assert found["whenever"]["when"] == "whenever secret words"
    assert found["waiting"]["watched"] == found["whenever"]["watched"] == ["Front Door"]
    assert (found["once"]["watched"], found["repeating"]["watched"]) == ([], [])
    german = (await panel.ask("planned", language="de"))["planned"]
    assert "at weekends at sunset" not in {each["when"] for each in german}

    for each in found.values():
        wanted = {"assistant": each["assistant"], "planned_id": each["id"]}
        assert await panel.ask("planned/cancel", **wanted) == {"canceled": True}
    assert (await panel.ask("planned"))["planned"] == []


async def test_words_for_what_is_waited_for_are_withheld_too(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak(telemetry={"panel_words": "none"})
    await plan_all(hass)

    found = (await panel.ask("planned", language="en"))["planned"]

    assert "secret" not in str(found)
    waiting = [each for each in found if each["watched"]]
    assert [each["when"] for each in waiting] == ["", ""]
    assert [each["watched"] for each in waiting] == [["Front Door"]] * 2


async def test_the_actions_return_and_cancel_all_of_it(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    ids = await plan_all(hass)

    found = {ids[each["id"]]: each for each in await planned(hass)}

    assert {name: each["kind"] for name, each in found.items()} == {
        "once": "once",
        "waiting": "waiting",
        "repeating": "repeating",
        "whenever": "repeating",
    }
    assert all(each["when"] for each in found.values())
    is_due = {name: each["due"] is not None for name, each in found.items()}
    assert is_due == {"once": True, "waiting": True, "repeating": False, "whenever": False}
    of_one = {"id": next(iter(ids))}
    await hass.services.async_call("bellboard", "cancel_delayed", of_one, blocking=True)
    assert {ids[each["id"]] for each in await planned(hass)} == {"waiting", "repeating", "whenever"}
    await hass.services.async_call("bellboard", "cancel_delayed", {}, blocking=True)
    assert await planned(hass) == []
