"""What is not named is asked for; a room that was named is never left; names are offered, not invented."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.bellboard.agents.climate import ClimateAgent
from custom_components.bellboard.agents.disambiguation import build_target_question
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.domains.models import Command, ErrorCode
from custom_components.bellboard.home.catalog import Catalog, CatalogEntity, Place
from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup, Speaker
from tests.servers import Message

from .conftest import Ask, called, planning

ON = {"action": "turn_on"}


def offered_targets(speaker: Speaker) -> list[str]:
    """Return the names the model could choose from in the last plan."""
    assert speaker.model
    schema = speaker.model.requests[-1].schema
    assert schema
    first = schema["properties"]["actions"]["items"]["anyOf"][0]
    targets = first["properties"].get("targets")
    return list(targets["items"]["enum"]) if targets else []


async def test_in_a_room_the_model_chooses_among_its_lights(speak: Setup) -> None:
    step = {"action": "turn_on", "targets": ["Floor Lamp", "TV Backlight"]}
    speaker = await speak(planning("light", step))
    said = await speaker.say("some cosy light for the film", area="Living Room")
    assert offered_targets(speaker) == [
        "all",
        "Floor Lamp",
        "Living Room Ceiling",
        "Reading Lamp",
        "TV Backlight",
    ]
    assert [data["entity_id"] for _, data in called(said.calls)] == [
        ["light.floor_lamp", "light.tv_backlight"]
    ]
    assert set(said.changes) == {"light.floor_lamp", "light.tv_backlight"}


async def test_what_is_named_is_not_up_to_the_model(speak: Setup) -> None:
    speaker = await speak(planning("light", {**ON, "targets": ["all"]}))
    said = await speaker.say("I could do with the floor lamp", area="Kitchen")
    assert offered_targets(speaker) == []
    assert set(said.changes) == {"light.floor_lamp"}


async def test_a_name_that_was_not_offered_does_nothing(speak: Setup) -> None:
    speaker = await speak(planning("light", {**ON, "targets": ["Alarm Beacon"]}))
    said = await speaker.say("a touch of light would be nice", area="Hallway")
    assert said.changes == {}
    assert said.calls == []
    assert said.reply == "The language model gave me an answer I can't use."


async def test_what_is_not_exposed_is_never_told_to_the_model(speak: Setup) -> None:
    speaker = await speak(planning("light", ON))
    await speaker.say("a touch of light would be nice", area="Hallway")
    assert speaker.model
    assert "Beacon" not in str([request.body for request in speaker.model.requests])


async def test_of_the_whole_house_names_are_not_listed(speak: Setup) -> None:
    speaker = await speak(planning("light", {"action": "turn_off"}))
    said = await speaker.say("every lamp in the whole house should sleep")
    assert offered_targets(speaker) == []
    assert said.reply == "Turned off 9 lights."


async def test_names_that_two_share_are_not_offered(hass: HomeAssistant, speak: Setup) -> None:
    for lamp in ("light.floor_lamp", "light.reading_lamp"):
        er.async_get(hass).async_update_entity(lamp, aliases=["Corner Lamp"])
    speaker = await speak(planning("light", ON))
    await speaker.say("some cosy light for the film", area="Living Room")
    assert offered_targets(speaker) == []


async def test_a_room_with_nothing_of_the_kind_is_named(speak: Setup) -> None:
    speaker = await speak(planning("music", {"action": "pause"}))
    said = await speaker.say("hush the laundry room", area="Kitchen")
    assert said.reply == "I found nothing like that in Laundry Room."
    assert said.changes == {}


async def test_a_home_with_nothing_of_the_kind_is_told(ask: Ask) -> None:
    answer = await ClimateAgent().async_answer(ask("warmer", catalog=Catalog(), model=object()))
    assert answer.content == "I found nothing like that in your home."


async def test_without_a_model_an_unread_instruction_is_not_guessed(ask: Ask) -> None:
    answer = await LightAgent().async_answer(ask("cosy"))
    assert answer.content == "I didn't understand what to do."
    assert not answer.success


async def test_players_that_can_do_nothing_are_told(hass: HomeAssistant, ask: Ask) -> None:
    hass.states.async_set("media_player.brick", "on", {"friendly_name": "Brick"})
    request = ask("do something with the living room tv", model=object())
    state = hass.states.get("media_player.living_room_tv")
    assert state
    hass.states.async_set(state.entity_id, "on", {**state.attributes, "supported_features": 0})
    answer = await MusicAgent().async_answer(request)
    assert answer.content == "Living Room TV can't do that."


async def test_where_many_are_possible_the_room_is_asked_for(speak: Setup) -> None:
    said = await (await speak(planning("light", ON))).say("it could be lighter, the lamp I mean")
    assert said.reply == "In which room?"
    assert said.changes == {}
    assert said.result.continue_conversation


async def test_where_few_are_possible_they_are_named(hass: HomeAssistant, speak: Setup) -> None:
    for climate in ("bathroom_heating", "kids_room_heating", "office_air_conditioner"):
        hass.states.async_remove(f"climate.{climate}")
    await hass.async_block_till_done()
    step = {"action": "change_temperature", "by": 1}
    speaker = await speak(planning("climate", step))
    said = await speaker.say("it's a bit chilly")
    assert said.reply == "The Bedroom Thermostat or the Living Room Thermostat?"
    said = await speaker.say("the bedroom")
    assert said.reply == "Set Bedroom Thermostat to 20.5 °C."


async def test_a_request_may_join_two_actions(speak: Setup) -> None:
    steps: list[dict[str, Any]] = [
        {"action": "change_brightness", "by": 10},
        {"action": "set", "color": "blue"},
    ]
    speaker = await speak(planning("light", *steps))
    said = await speaker.say("I want the floor lamp a bit brighter and blue")
    assert [data for _, data in called(said.calls)] == [
        {"brightness_step_pct": 10, "entity_id": ["light.floor_lamp"]},
        {"color_name": "blue", "entity_id": ["light.floor_lamp"]},
    ]
    assert said.reply == "Made Floor Lamp brighter and made Floor Lamp blue."


async def test_a_single_request_has_room_for_one_action_only(speak: Setup) -> None:
    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any]:
        assert schema
        if "agentId" in schema["properties"]:
            return {"agentId": "light"}
        assert schema["properties"]["actions"]["maxItems"] == 1
        return {"actions": [ON]}

    said = await (await speak(answer)).say("I could do with the floor lamp")
    assert said.reply == "Turned on Floor Lamp."


async def test_a_refused_plan_is_asked_for_again_with_what_is_wrong(speak: Setup) -> None:
    answers = [{"actions": [{"action": "explode"}]}, {"actions": [ON]}]

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any]:
        return answers.pop(0)

    speaker = await speak(answer)
    said = await speaker.say("make the floor lamp snug")
    assert said.reply == "Turned on Floor Lamp."
    assert speaker.model
    assert "explode" in speaker.model.requests[-1].messages[-2].content


@pytest.mark.parametrize(
    ("mode", "reply"),
    [
        ("unavailable", "I can't reach Floor Lamp."),
        ("fail", "Something went wrong with Floor Lamp."),
    ],
)
async def test_a_lamp_that_does_not_work_is_not_called_done(
    hass: HomeAssistant, speak: Setup, mode: str, reply: str
) -> None:
    from custom_components.demo_house.entity import Behaviour, Mode  # type: ignore[import-not-found]

    house = hass.config_entries.async_entries("demo_house")[0]
    house.runtime_data.entities["light.floor_lamp"].behaviour = Behaviour(Mode(mode))
    said = await (await speak(planning("light", ON))).say("I could do with the floor lamp")
    assert said.reply == reply
    assert said.result.response.response_type.value == "error"


async def test_a_target_that_is_gone_by_now_is_left_out(ask: Ask) -> None:
    intent = Command("HassTurnOn", {}, ("light.gone", "light.floor_lamp"))
    answer = await LightAgent().async_answer(ask("on", intent=intent))
    assert answer.content == "Turned on Floor Lamp."
    assert answer.results[0].call.targets == ("light.floor_lamp",)


async def test_only_targets_that_are_gone_is_a_failure(ask: Ask) -> None:
    intent = Command("HassTurnOn", {}, ("light.gone",))
    answer = await LightAgent().async_answer(ask("on", intent=intent))
    assert not answer.success


async def test_errors_are_classed_for_home_assistant(ask: Ask) -> None:
    intent = Command("HassTurnOn", {}, ("light.alarm_beacon",))
    answer = await LightAgent().async_answer(ask("on", intent=intent))
    assert not answer.success
    assert answer.results[0].outcomes[0].error is ErrorCode.NOT_EXPOSED
    assert answer.error_code.value == "failed_to_handle"


def catalog_of(*things: tuple[str, str | None, tuple[str, ...]]) -> Catalog:
    """Return a catalog of lights, each with its name, its room and its other names."""
    rooms = {room for _, room, _ in things if room}
    entities = [
        CatalogEntity(f"light.{number}", (name, *aliases), room, None, None)
        for number, (name, room, aliases) in enumerate(things)
    ]
    return Catalog(
        entities={entity.entity_id: entity for entity in entities},
        areas={room: Place(room, (room,), None, is_floor=False) for room in rooms},
    )


def lights(*names: str, room: str | None = None) -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Return lights of one room that have no other names."""
    return [(name, room, ()) for name in names]


@pytest.mark.parametrize(
    ("code", "things", "question"),
    [
        ("en", lights("Floor Lamp", "Reading Lamp"), "The Floor Lamp or the Reading Lamp?"),
        ("en", lights("A lamp", "B lamp", "C lamp", "D lamp"),
         "A lamp, the B lamp, the C lamp or the D lamp?"),
        # What has its own article gets none.
        ("en", lights("Emma's Lamp", "My Lamp", "Lamp 2"), "Emma's Lamp, My Lamp or Lamp 2?"),
        ("de", lights("Stehlampe", "Leselampe"), "Stehlampe oder Leselampe?"),
        ("fr", lights("Lampadaire", "Liseuse"), "Lampadaire ou Liseuse ?"),
        ("es", lights("Flexo", "Lámpara de pie"), "¿Flexo o Lámpara de pie?"),
        ("nl", lights("Leeslamp", "Staande lamp"), "Leeslamp of Staande lamp?"),
        ("pl", lights("Kinkiet", "Lampa stojąca"), "Kinkiet czy Lampa stojąca?"),
        # One name in several rooms.
        ("en", [*lights("Ceiling Light", room="Kitchen"), *lights("Ceiling light", room="Hall")],
         "The Ceiling Light in the Kitchen or the one in the Hall?"),
        ("en", [*lights("Lamp", room="Emma's Room"), *lights("Lamp", room="Hall")],
         "The Lamp in Emma's Room or the one in the Hall?"),
        ("de", [*lights("Decke", room="Küche"), *lights("Decke", room="Flur")],
         "Decke: Küche oder Flur?"),
        ("fr", [*lights("Plafonnier", room="Cuisine"), *lights("Plafonnier", room="Salon")],
         "Plafonnier : Cuisine ou Salon ?"),
        ("es", [*lights("Techo", room="Cocina"), *lights("Techo", room="Pasillo")],
         "¿Techo: Cocina o Pasillo?"),
        ("nl", [*lights("Plafond", room="Keuken"), *lights("Plafond", room="Hal")],
         "Plafond: Keuken of Hal?"),
        ("en",
         [*lights("Lamp", "Spot", room="Kitchen"), *lights("Lamp", room="Hall")],
         "The Lamp in the Kitchen, the Spot or the Lamp in the Hall?"),
        ("de",
         [*lights("Lampe", "Strahler", room="Küche"), *lights("Lampe", room="Flur")],
         "Lampe Küche, Strahler oder Lampe Flur?"),
        # One name in one room: another name, or nothing to tell them apart.
        ("en", [("Lamp", "Hall", ("Left Lamp",)), ("Lamp", "Hall", ("Lamp", "Right Lamp"))],
         "The Left Lamp or the Right Lamp?"),
        ("en", lights("Lamp", "Lamp", room="Hall"), "Which one do you mean?"),
        ("de", lights("Lampe", "Lampe"), "Welches Gerät meinst du?"),
        # Many: the room, with the rooms there are where they are few.
        ("en", [*lights("A", "B", "C", room="Kitchen"), *lights("D", room="Hall"),
                *lights("E", room="Emma's Room")],
         "In the Kitchen, the Hall or Emma's Room?"),
        ("de", [*lights("A", "B", "C", room="Küche"), *lights("D", "E", room="Flur")],
         "In welchem Zimmer: Küche oder Flur?"),
        ("fr", [*lights("A", "B", "C", room="Cuisine"), *lights("D", "E", room="Salon")],
         "Dans quelle pièce : Cuisine ou Salon ?"),
        ("es", [*lights("A", "B", "C", room="Cocina"), *lights("D", "E", room="Pasillo")],
         "¿En qué habitación: Cocina o Pasillo?"),
        ("nl", [*lights("A", "B", "C", room="Keuken"), *lights("D", "E", room="Hal")],
         "In welke kamer: Keuken of Hal?"),
        ("en", [thing for room in "ABCDE" for thing in lights("Lamp", room=room)],
         "In which room?"),
        ("en", lights("A", "B", "C", "D", "E", room="Kitchen"), "Which one do you mean?"),
        ("en", lights("A", "B", "C", "D", "E"), "Which one do you mean?"),
    ],
)  # fmt: skip
async def test_it_is_asked_as_a_person_would(
    hass: HomeAssistant,
    code: str,
    things: list[tuple[str, str | None, tuple[str, ...]]],
    question: str,
) -> None:
    catalog = catalog_of(*things)
    language = await async_get_language(hass, code)
    assert build_target_question(language, catalog, list(catalog.entities.values())) == question
