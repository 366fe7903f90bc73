"""A capable model reads little: the prompts of the demo house keep to a number of tokens, four characters each."""

import json

from homeassistant.core import HomeAssistant
import pytest

from tests.capable import brain
from tests.conftest import Setup, Speaker
from tests.servers.scripted import Ask


def tokens(ask: Ask, *, with_schema: bool = True) -> int:
    """Return about how many tokens a request to a model takes."""
    read = sum(len(message.content) for message in ask.messages)
    written = json.dumps(ask.schema, separators=(",", ":")) if with_schema and ask.schema else ""
    return (read + len(written)) // 4


def asked(speaker: Speaker, key: str) -> Ask:
    """Return the last request whose schema has a property."""
    assert speaker.model
    asks = speaker.model.requests
    return next(a for a in reversed(asks) if a.schema and key in a.schema["properties"])


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("light", "something dreamy in the living room"),
        ("music", "something for the soul in the living room"),
        ("climate", "something like a sauna in the bathroom"),
        ("home", "something airy in the bathroom"),
    ],
)
async def test_a_specialist_keeps_to_its_budget(speak: Setup, agent: str, said: str) -> None:
    speaker = await speak(brain((agent, said), nothing="No."), contract="capable")
    await speaker.say(said, area="Living Room")
    ask = asked(speaker, "steps")
    assert tokens(ask) <= 900


async def test_the_router_sees_each_room_and_keeps_to_its_budget(speak: Setup) -> None:
    said = "something for the soul"
    speaker = await speak(brain(("general", said)), contract="capable")
    await speaker.say(said, area="Living Room")
    ask = asked(speaker, "parts")
    assert tokens(ask, with_schema=False) <= 450


async def test_talk_without_tools_keeps_to_its_budget(speak: Setup) -> None:
    said = "who was Linnaeus, all told"
    speaker = await speak(brain(("general", said)), contract="capable", tools={"llm_hass_api": []})
    await speaker.say(said, area="Living Room")
    assert speaker.model
    assert tokens(speaker.model.requests[-1]) <= 300


async def test_a_state_changes_nothing_of_what_is_read_first(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = "something dreamy in the living room"
    speaker = await speak(brain(("light", said), nothing="No."), contract="capable")
    await speaker.say(said, area="Living Room")
    before = asked(speaker, "steps")
    lamp = {"entity_id": "light.reading_lamp"}
    await hass.services.async_call("light", "turn_off", lamp, blocking=True)
    await speaker.say(said, area="Living Room")
    after = asked(speaker, "steps")
    first, second = (each.messages[1].content.partition("\nNow: ") for each in (before, after))
    assert (before.messages[0], before.schema) == (after.messages[0], after.schema)
    assert first[0] == second[0]
    assert "Reading Lamp: on" in first[2]
    assert "Reading Lamp: on" not in second[2]


async def test_what_changed_last_stands_last(hass: HomeAssistant, speak: Setup) -> None:
    said = "something dreamy in the living room"
    speaker = await speak(brain(("light", said), nothing="No."), contract="capable")
    for lamp, level in (("kitchen_counter", 20), ("reading_lamp", 30)):
        data = {"entity_id": f"light.{lamp}", "brightness_pct": level}
        await hass.services.async_call("light", "turn_on", data, blocking=True)
    await speaker.say(said, area="Living Room")
    now = asked(speaker, "steps").messages[1].content.partition("\nNow: ")[2].partition("\n")[0]
    last = "Kitchen Counter: on, 20%; Reading Lamp: on, 30%; the rest: off"
    assert now.endswith(last)


async def test_what_one_command_changed_stands_in_the_same_order_each_time(speak: Setup) -> None:
    """Home Assistant calls the targets of one command in the order of a set, another in each process."""
    said = "something dreamy in the living room"
    speaker = await speak(brain(("light", said), nothing="No."), contract="capable")
    await speaker.say("turn on the desk lamp")
    await speaker.say("set all lights on the ground floor to 35%")
    await speaker.say(said, area="Living Room")
    now = asked(speaker, "steps").messages[1].content.partition("\nNow: ")[2].partition("\n")[0]
    told = now.split("; ")
    moved = [each.partition(":")[0] for each in told if "35%" in each and "the rest" not in each]
    assert len(moved) > 4
    assert moved == sorted(moved)
    assert [each.partition(":")[0] for each in told if "the rest" not in each][
        -len(moved) :
    ] == moved


async def test_what_was_only_added_stands_by_kind_and_name(speak: Setup) -> None:
    said = "something airy in the bathroom"
    speaker = await speak(brain(("home", said), nothing="No."), contract="capable")
    await speaker.say(said)
    now = asked(speaker, "steps").messages[1].content.partition("\nNow: ")[2].partition("\n")[0]
    places = [now.index(each) for each in ("Garage Door", "Kitchen Blinds", "Front Door", "Dusty")]
    assert places == sorted(places)


async def test_a_name_stands_once_in_a_schema(speak: Setup) -> None:
    said = "something airy in the bathroom"
    speaker = await speak(brain(("home", said), nothing="No."), contract="capable")
    await speaker.say(said)
    schema = asked(speaker, "steps").schema
    written = json.dumps(schema)
    for name in ("Bathroom Extractor", "Bedroom Blinds", "Front Door", "turn_on", "set_position"):
        assert written.count(f'"{name}"') == 1
    assert "anyOf" not in written


async def test_what_a_lamp_can_do_is_told_beside_its_name(speak: Setup) -> None:
    said = "something dreamy in the living room"
    speaker = await speak(brain(("light", said), nothing="No."), contract="capable")
    await speaker.say(said)
    listed = asked(speaker, "steps").messages[1].content.partition("\nNow: ")[0]
    told = {each.partition(": ")[0]: each for each in listed.replace("\n", "; ").split("; ")}
    assert "Garage: Garage Light: on/off" in told["Garage"]
    assert "Reading Lamp (Leselampe)" in told
    assert told["Kitchen"].endswith("(Küchendecke): kelvin")
    assert told["Night Light (Nachtlicht)"].endswith("color, effect off/stars/rainbow")


async def test_thermostats_are_offered_what_any_of_them_can(speak: Setup) -> None:
    said = "something like a sauna in the bathroom"
    speaker = await speak(brain(("climate", said), nothing="No."), contract="capable")
    await speaker.say(said)
    ask = asked(speaker, "steps")
    assert ask.schema
    degrees = ask.schema["properties"]["steps"]["items"]["properties"]["temperature"]
    assert (degrees["minimum"], degrees["maximum"]) == (5, 32)
    listed = ask.messages[1].content
    assert "preset_mode comfort/eco/boost" in listed
    assert listed.count("swing_mode off/vertical") == 1
    assert listed.count("humidity, ") == 1


async def test_a_window_is_open_and_not_on(speak: Setup) -> None:
    said = "if a window is open somewhere, be kind to the bedroom heating"
    speaker = await speak(brain(("climate", said), nothing="No."), contract="capable")
    await speaker.say(said)
    content = asked(speaker, "steps").messages[1].content
    assert "Bedroom Window open" in content.partition("Measured: ")[2]
