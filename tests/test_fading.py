"""What is said to take its time takes it: lights and scenes fade, and what cannot is told or left alone."""

from homeassistant.core import HomeAssistant, State
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.domains.fading import with_fade
from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.domains.registry import service_of
from tests.conftest import Setup
from tests.one_house import in_one_house

KITCHEN = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}
DESK = {"light.desk_lamp"}
PLAIN = "light.sideboard_lamp"
# Language, what is said, the targets, the seconds.
SAID = [
    ("en", "slowly turn off the kitchen lights", KITCHEN, 10),
    ("en", "turn off the kitchen lights gradually, please", KITCHEN, 10),
    ("en", "dim the desk lamp to 20 percent over ten seconds", DESK, 10),
    ("en", "over the next 2 minutes make the desk lamp darker", DESK, 120),
    ("en", "turn on the desk lamp over half a minute", DESK, 30),
    ("en", "turn on the desk lamp over twenty five seconds", DESK, 25),
    ("en", "turn on the desk lamp over a minute", DESK, 60),
    ("de", "mach das Licht in der Küche langsam aus", KITCHEN, 10),
    ("de", "dimme die Desk Lamp über zehn Sekunden hinweg auf 20 Prozent", DESK, 10),
    ("de", "schalte die Desk Lamp über eine halbe Minute aus", DESK, 30),
    ("es", "apaga lentamente la Desk Lamp", DESK, 10),
    ("es", "enciende la Desk Lamp a lo largo de dos minutos", DESK, 120),
    ("fr", "éteins doucement la Desk Lamp", DESK, 10),
    ("fr", "allume la Desk Lamp sur trente secondes", DESK, 30),
    ("it", "spegni lentamente la Desk Lamp", DESK, 10),
    ("it", "accendi la Desk Lamp nell'arco di un minuto", DESK, 60),
    ("nl", "doe de Desk Lamp langzaam uit", DESK, 10),
    ("nl", "zet de Desk Lamp verspreid over 20 seconden op 50 procent", DESK, 20),
    ("pl", "wyłącz powoli Desk Lamp", DESK, 10),
    ("pl", "włącz Desk Lamp w ciągu dwudziestu sekund", DESK, 20),
    ("pt", "desliga devagar a Desk Lamp", DESK, 10),
    ("pt", "acende a Desk Lamp ao longo de 15 segundos", DESK, 15),
]


ON_BEFORE = ("off", "aus", "dim", "darker", "apaga", "éteins", "spegni", "uit", "wyłącz", "desliga")


async def switch(hass: HomeAssistant, lights: set[str], *, on: bool) -> None:
    """Turn lights on or off, as somebody at their switches would."""
    name = "turn_on" if on else "turn_off"
    await hass.services.async_call("light", name, {"entity_id": sorted(lights)}, blocking=True)


def named(hass: HomeAssistant, entity_id: str) -> State:
    """Return the state of an entity that is there."""
    state = hass.states.get(entity_id)
    assert state
    return state


@in_one_house(["spoken", "targets", "seconds"], [((a, b), c, d) for a, b, c, d in SAID])
async def test_a_light_takes_the_time_that_is_said(
    hass: HomeAssistant, speak: Setup, spoken: tuple[str, str], targets: set[str], seconds: float
) -> None:
    language, text = spoken
    speaker = await speak()
    await switch(hass, targets, on=any(word in text for word in ON_BEFORE))

    said = await speaker.say(text, language=language)

    assert [call["service_data"].get("transition") for call in said.calls] == [seconds]
    assert {*said.calls[0]["service_data"]["entity_id"]} == targets
    assert targets <= {*said.changes}


@in_one_house(
    ["text", "reply"],
    [
        ("slowly turn off the desk lamp", "Turned off Desk Lamp over 10 seconds."),
        ("turn off the desk lamp over two minutes", "Turned off Desk Lamp over 2 minutes."),
        ("activate movie night over five seconds", "Started Movie Night over 5 seconds."),
    ],
)
async def test_how_long_it_takes_is_said(
    hass: HomeAssistant, speak: Setup, text: str, reply: str
) -> None:
    speaker = await speak()
    await switch(hass, DESK, on=True)

    assert (await speaker.say(text)).reply == reply


async def test_a_light_that_cannot_fade_changes_at_once_and_that_is_said(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await switch(hass, {PLAIN}, on=True)

    said = await speaker.say(f"slowly turn off {named(hass, PLAIN).name}")

    assert hass.states.is_state(PLAIN, "off")
    assert said.reply.endswith("at once, since that can't change slowly.")


@in_one_house("text", ["slowly open the kitchen blinds", "lock the front door over ten seconds"])
async def test_what_takes_no_time_is_not_done_as_if_it_did(speak: Setup, text: str) -> None:
    speaker = await speak()

    said = await speaker.say(text)

    assert not said.calls
    assert not said.changes


async def test_a_slow_change_is_undone(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await switch(hass, DESK, on=True)
    before = named(hass, "light.desk_lamp").attributes["brightness"]
    await speaker.say("dim the desk lamp to 20 percent over ten seconds")

    await speaker.say("undo")

    assert named(hass, "light.desk_lamp").attributes["brightness"] == pytest.approx(before, abs=2)


async def test_what_fades_beside_what_does_not_takes_its_time_alone(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await switch(hass, DESK, on=True)

    said = await speaker.say("turn off the desk lamp slowly and close the kitchen blinds")

    times = {call["service"]: call["service_data"].get("transition") for call in said.calls}
    assert times == {"turn_off": 10, "close_cover": None}


@given(st.floats(0.1, 1e6), st.booleans())
def test_no_fade_is_longer_than_a_bulb_can_count(seconds: float, is_flash: bool) -> None:
    data = {"flash": "short"} if is_flash else {}
    call = with_fade(
        ToolCall(action="light.turn_on", data=data), service_of("light.turn_on"), seconds
    )

    assert call.data.get("transition", 0) <= 6553
    assert ("transition" in call.data) is not is_flash


@in_one_house(
    ("language", "text", "answer"),
    [
        ("en", "activate movie night", "Started Movie Night."),
        ("de", "aktiviere Movie Night", "Movie Night gestartet."),
        ("fr", "active Movie Night", "J'ai démarré Movie Night."),
    ],
)
async def test_a_scene_is_told_by_its_name(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.reply == answer
    assert "scene.movie_night" in said.changes
