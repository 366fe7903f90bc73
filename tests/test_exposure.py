"""What is not exposed to Assist is neither read nor touched, whatever a model says."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

HIDDEN_NAMES = (
    "Alarm Beacon",
    "Laser Warning Light",
    "Garage Side Door",
    "Guest Room Speaker",
    "Workshop Heater",
    "Dust Extractor",
)
HIDDEN_IDS = (
    "light.alarm_beacon",
    "light.laser_warning_light",
    "lock.garage_side_door",
    "media_player.guest_room_speaker",
    "climate.workshop_heater",
    "switch.dust_extractor",
)


def hostile(target: str) -> Any:
    """Return a model that names a target whatever it is asked, schema or not."""

    def answer(messages: list[Any], schema: dict[str, Any] | None) -> dict[str, Any]:
        if schema and "agentId" in schema["properties"]:
            return {"agentId": "light"}
        return {
            "actions": [
                {
                    "action": "turn_on",
                    "targets": [target],
                    "target": target,
                    "entity_id": target,
                    "service": "lock.unlock",
                }
            ]
        }

    return answer


@in_one_house("target", [*HIDDEN_NAMES, *HIDDEN_IDS, "all", "../light.alarm_beacon"])
async def test_a_hostile_model_reaches_nothing_hidden(speak: Setup, target: str) -> None:
    speaker = await speak(hostile(target))
    for text in (
        "dim the hallway a bit",
        "make the workshop brighter",
        "make everything brighter",
        "make the alarm beacon brighter",
    ):
        said = await speaker.say(text)
        assert not said.changes.keys() & set(HIDDEN_IDS)
        called = json.dumps([call["service_data"] for call in said.calls], default=str)
        assert not [hidden for hidden in HIDDEN_IDS if hidden in called]


@in_one_house(
    "text",
    [
        "dim the hallway a bit",
        "make everything brighter",
        "it is far too dark in here",
        "warm up the workshop to 20 degrees",
        "play some swing in the guest room and dim the workshop lights",
    ],
)
async def test_nothing_hidden_is_read_into_a_prompt(speak: Setup, text: str) -> None:
    speaker = await speak(hostile("all"))
    await speaker.say(text, area="Hallway")
    assert speaker.model
    for ask in speaker.model.requests:
        sent = json.dumps(ask.body).casefold()
        for hidden in (*HIDDEN_NAMES, *HIDDEN_IDS):
            assert hidden.casefold() not in sent


async def test_an_area_that_is_named_does_not_open_what_is_hidden_in_it(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn on the lights in the workshop")
    assert sorted(said.changes) == ["light.workbench_light", "light.workshop_ceiling"]


async def test_naming_what_is_hidden_does_nothing(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn on the laser warning light")
    assert not said.changes


async def test_exposure_that_is_withdrawn_counts_at_once(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    async_expose_entity(hass, "conversation", "light.kitchen_pendant", False)
    said = await speaker.say("turn off the kitchen lights")
    assert sorted(said.changes) == ["light.kitchen_ceiling", "light.kitchen_counter"]


async def test_exposure_that_is_withdrawn_while_a_question_is_open_counts(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the bedside lamp")
    async_expose_entity(hass, "conversation", "light.right_bedside_lamp", False)
    said = await speaker.say("the right one")
    assert not said.changes
