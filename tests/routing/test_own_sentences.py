"""Plain sentences that Home Assistant has none for, with what near is meant where nothing is named."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house

KITCHEN = "media_player.kitchen_speaker"


@in_one_house(
    ("text", "area", "targets"),
    [
        # What plays, wherever it is, and what is in the room before it.
        ("pause the music", None, {KITCHEN}),
        ("louder", "Bedroom", {"media_player.bedroom_speaker"}),
        ("it's too cold in here", "Bedroom", {"climate.bedroom_thermostat"}),
        ("20 degrees in the bedroom", None, {"climate.bedroom_thermostat"}),
        ("a bit brighter please", "Office", {"light.desk_lamp"}),
        (
            "turn on the floor lamp and the mirror light",
            None,
            {"light.floor_lamp", "light.mirror_light"},
        ),
        # Not the whole room: of its players the one that plays.
        ("pause the music in the kitchen", None, {KITCHEN}),
    ],
)
async def test_what_is_near_is_meant(
    speak: Setup, text: str, area: str | None, targets: set[str]
) -> None:
    said = await (await speak()).say(text, area=area)
    reached = {
        target for call in said.calls for target in call["service_data"].get("entity_id", ())
    }
    assert reached == targets, said.reply


@in_one_house(
    ("text", "area", "part"),
    [
        ("what's playing", "Kitchen", "Kitchen Speaker"),
        ("how warm is it upstairs", None, "°C"),
        # Where nothing plays it is told what plays elsewhere.
        ("what's playing", "Office", "Kitchen Speaker"),
    ],
)
async def test_a_question_is_told_and_changes_nothing(
    speak: Setup, text: str, area: str | None, part: str
) -> None:
    said = await (await speak()).say(text, area=area)
    assert part in said.reply
    assert not said.changes
    assert not said.result.continue_conversation


@pytest.mark.parametrize("text", ["set the fan to hurricane", "make the desk lamp sing"])
async def test_what_makes_no_sense_is_not_half_done(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, text: str
) -> None:
    said = await (await speak()).say(text, area="Office")
    assert not said.changes
