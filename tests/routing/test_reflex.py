"""What Home Assistant understands is routed without a model, and only to what may be controlled."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.nlu import recognition
from custom_components.bellboard.routing.models import Assignment, Source
from custom_components.bellboard.routing.reading import ReadingRouter
from custom_components.bellboard.routing.reflex import ReflexRouter
from custom_components.bellboard.routing.router import RoutedPart
from tests.asked_house import put
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.servers import Message

from .conftest import CARDS, RequestFor, Writer


async def route(
    hass: HomeAssistant, request_for: RequestFor, text: str, **options: object
) -> list[RoutedPart]:
    return await router_of(hass).async_route(request_for(text, **options), [RoutedPart(text)])


def router_of(hass: HomeAssistant) -> ReflexRouter:
    reader = ReadingRouter(hass, CatalogSource(hass))
    return ReflexRouter(hass, reader)


def agents(parts: list[RoutedPart]) -> list[tuple[str, str | None]]:
    return [(part.text, part.assignment.agent_id if part.assignment else None) for part in parts]


@in_one_house(
    ("text", "agent", "targets"),
    [
        ("turn on the tall lamp", "light-agent", ("light.floor_lamp",)),
        (
            "set the bedroom thermostat to 20 degrees",
            "climate-agent",
            ("climate.bedroom_thermostat",),
        ),
        ("mute the kitchen speaker", "music-agent", ("media_player.kitchen_speaker",)),
        # What no specialist declares, and targets that are not a specialist's, go to Home Assistant.
        ("what time is it", "home-agent", ()),
        ("turn on the coffee machine", "home-agent", ("switch.coffee_machine",)),
        ("set a timer for 5 minutes", "home-agent", ()),
    ],
)
async def test_what_is_recognized_goes_to_who_can_do_it(
    hass: HomeAssistant,
    house: ConfigEntry,
    request_for: RequestFor,
    *,
    text: str,
    agent: str,
    targets: tuple[str, ...],
) -> None:
    [part] = await route(hass, request_for, text)
    assert part.assignment
    assert part.assignment.agent_id == agent
    assert (part.assignment.source, part.assignment.confidence) == (Source.REFLEX, 1.0)
    assert part.assignment.instruction == text
    assert part.assignment.intent
    assert part.assignment.intent.targets == targets


async def test_nothing_is_carried_out_by_routing(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    await route(hass, request_for, "turn on the floor lamp")
    await hass.async_block_till_done()
    assert hass.states.is_state("light.floor_lamp", "off")


async def test_what_is_not_exposed_is_not_a_target(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    assert agents(await route(hass, request_for, "turn on the alarm beacon")) == [
        ("turn on the alarm beacon", None)
    ]
    async_expose_entity(hass, "conversation", "light.hallway_ceiling", False)
    [part] = await route(hass, request_for, "turn on the lights in the hallway")
    assert part.assignment
    assert part.assignment.intent
    assert part.assignment.intent.targets == ("light.mirror_light",)


async def test_a_room_without_such_things_is_left_to_home_assistant(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    [part] = await route(hass, request_for, "pause the music in the office")
    assert part.assignment is None or part.assignment.agent_id == "home-agent"


async def test_an_agent_out_of_scope_is_not_given_its_intents(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    cards = [card for card in CARDS if card.id != "light-agent"]
    [part] = await route(hass, request_for, "turn on the floor lamp", cards=cards)
    assert part.assignment
    assert part.assignment.agent_id == "home-agent"


async def test_what_is_not_understood_stays_open(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    assert agents(await route(hass, request_for, "make it cosy")) == [("make it cosy", None)]


async def test_what_is_assigned_already_stays_so(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    taken = RoutedPart(
        "turn on the floor lamp",
        Assignment(agent_id="x", instruction="y", confidence=1, source=Source.PENDING),
    )
    assert await router_of(hass).async_route(request_for("z"), [taken]) == [taken]


@pytest.mark.parametrize("area", [None, "Office"])
async def test_free_text_never_swallows_a_second_request(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor, area: str | None
) -> None:
    place = ar.async_get(hass).async_get_area_by_name(area) if area else None
    text = "play jazz in the office and turn off the desk lamp"
    parts = await route(hass, request_for, text, area_id=place.id if place else None)
    assert agents(parts) == [
        ("play jazz in the office", "music-agent"),
        ("turn off the desk lamp", "light-agent"),
    ]
    assert parts[0].assignment
    assert parts[0].assignment.intent
    assert parts[0].assignment.intent.parameters["search_query"] == "jazz"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("please lock the front door", "lock.front_door"),
        ("is the front door closed?", "binary_sensor.front_door"),
    ],
)
async def test_of_several_things_of_one_name_the_one_that_can_be_meant_is_found(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor, text: str, target: str
) -> None:
    put(hass, "binary_sensor.front_door", "Front Door", "off", "Hallway", device_class="door")
    [part] = await route(hass, request_for, text)
    assert part.assignment
    assert part.assignment.intent
    assert part.assignment.intent.targets == (target,)


async def test_a_list_item_with_and_in_it_stays_whole(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "add salt and pepper to my shopping list"
    assert agents(await route(hass, request_for, text)) == [(text, "home-agent")]


async def test_a_band_with_and_in_its_name_stays_whole(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "play Simon and Garfunkel in the office"
    [part] = await route(hass, request_for, text)
    assert part.assignment
    assert part.assignment.intent
    assert part.assignment.intent.parameters["search_query"] == "Simon and Garfunkel"


async def test_two_requests_are_read_one_by_one(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    parts = await route(hass, request_for, "turn on the floor lamp and give me a break")
    assert agents(parts) == [("turn on the floor lamp", "light-agent"), ("give me a break", None)]


async def test_two_requests_nobody_understands_are_one_for_home_assistant_or_two_for_a_model(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "make it cosy and give me a break"
    assert agents(await route(hass, request_for, text)) == [(text, None)]
    with_model = await route(hass, request_for, text, model=Writer("{}"))
    assert agents(with_model) == [("make it cosy", None), ("give me a break", None)]


async def test_without_home_assistants_agent_everything_stays_open(
    hass: HomeAssistant, request_for: RequestFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "async_get_agent", lambda _hass: None)
    text = "what time is it"
    assert agents(await route(hass, request_for, text)) == [(text, None)]


async def test_each_agent_is_told_its_own_part_only(speak: Setup) -> None:
    def answer(messages: list[Message], schema: dict[str, object] | None) -> dict[str, object]:
        return {"actions": [{"action": "change_brightness", "by": 10}]}

    speaker = await speak(answer)
    said = await speaker.say("turn on the floor lamp and make the reading lamp shine brighter")
    assert said.reply == "Turned on Floor Lamp and made Reading Lamp brighter."
    assert speaker.model
    assert [request.messages[-1].content for request in speaker.model.requests] == [
        "make the reading lamp shine brighter"
    ]
