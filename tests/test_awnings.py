"""Awnings are open where they are rolled out, blinds where they are rolled up; what is made dark are lights."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest
import yaml

from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

AWNING, BLINDS = "cover.awning", {"cover.patio_blinds", "cover.study_blinds"}
HOUSE = {
    "floors": [
        {
            "name": "Ground Floor",
            "level": 0,
            "areas": [
                {
                    "name": "Patio",
                    "entities": [
                        {"id": AWNING, "name": "A1", "device_class": "awning", "position": 40},
                        {
                            "id": "cover.patio_blinds",
                            "name": "B1",
                            "device_class": "blind",
                            "position": 40,
                        },
                        {
                            "id": "light.patio",
                            "name": "L1",
                            "modes": ["brightness"],
                            "brightness": 200,
                        },
                        {"id": "switch.pump", "name": "P1", "on": True},
                    ],
                },
                {
                    "name": "Study",
                    "entities": [
                        {
                            "id": "cover.study_blinds",
                            "name": "B2",
                            "device_class": "blind",
                            "position": 40,
                        },
                        {
                            "id": "light.study",
                            "name": "L2",
                            "modes": ["brightness"],
                            "brightness": 200,
                        },
                        {"id": "switch.printer", "name": "P2", "on": True},
                    ],
                },
            ],
        }
    ]
}
OUT = [
    ("en", "crank the awning out"),
    ("en", "awning out please"),
    ("en", "unfurl the awning"),
    ("en", "let the awning all the way out"),
    ("de", "kurbel die Markise raus"),
    ("de", "die Markise bitte ausfahren"),
    ("es", "despliega el toldo"),
    ("es", "desenrolla el toldo"),
    ("fr", "déroule l'auvent"),
    ("fr", "sors l'auvent"),
    ("it", "srotola la tenda da sole"),
    ("nl", "draai het zonnescherm uit"),
    ("nl", "kun je het zonnescherm uitrollen"),
    ("pl", "rozwiń markizę"),
    ("pl", "wysuń markizę"),
    ("pt", "desenrola o toldo"),
    ("pt", "estende o toldo"),
    ("sv", "fäll ut markisen"),
    ("sv", "markisen ut"),
]
IN = [
    ("en", "reel in the awning"),
    ("en", "wind the awning in"),
    ("en", "roll up the awning"),
    ("de", "hol die Markise rein"),
    ("de", "fahr die Markise ein"),
    ("es", "recoge el toldo"),
    ("es", "enrolla el toldo"),
    ("fr", "rentre l'auvent"),
    ("it", "riavvolgi la tenda da sole"),
    ("nl", "haal het zonnescherm naar binnen"),
    ("pl", "zwiń markizę"),
    ("pt", "recolhe o toldo"),
    ("sv", "veva in markisen"),
]
UP = [
    ("en", "roll up all the blinds"),
    ("de", "mach alle Rollos auf"),
    ("es", "abre todas las persianas"),
    ("fr", "ouvre tous les volets"),
    ("it", "apri tutte le tapparelle"),
    ("nl", "doe alle jaloezieën open"),
    ("pl", "zwiń wszystkie rolety"),
    ("pt", "abre os estores da casa toda"),
    ("sv", "öppna alla persienner"),
]
DARK = [
    ("en", "make it dark in here"),
    ("en", "make everything dark"),
    ("de", "mach hier alles dunkel"),
    ("de", "alles dunkel machen"),
    ("es", "déjalo todo a oscuras"),
    ("fr", "mets tout dans le noir"),
    ("it", "fai buio qui"),
    ("nl", "maak het hier donker"),
    ("pl", "zrób tu ciemno"),
    ("pt", "deixa tudo às escuras"),
    ("sv", "gör det mörkt här"),
    ("sv", "släck allt"),
]
ON_OUT_THERE = [
    ("en", "switch the light on out on the patio", "on"),
    ("en", "turn on the light out on the patio", "on"),
    ("en", "lights out on the patio", "off"),
    ("en", "switch the light off out on the patio", "off"),
]


@pytest.fixture
async def house(hass: HomeAssistant, tmp_path: Path) -> ConfigEntry:
    """Return the entry of a house with an awning and blinds that are half open."""
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump(HOUSE))
    return await async_move_in(hass, str(path))


async def _states(speak: Setup, text: str, language: str, area: str) -> dict[str, str]:
    """Return the actions by the entities that a sentence is carried out on."""
    said = await (await speak()).say(text, language=language, area=area)
    return {
        entity_id: call["service"]
        for call in said.calls
        for entity_id in _entities(call["service_data"]["entity_id"])
    }


def _entities(said: str | list[str]) -> list[str]:
    """Return entity ids, also of one that is no list."""
    return [said] if isinstance(said, str) else said


@in_one_house(("language", "text"), OUT)
async def test_an_awning_that_is_rolled_out_is_open(speak: Setup, language: str, text: str) -> None:
    """Open the awning."""
    assert await _states(speak, text, language, "Patio") == {AWNING: "open_cover"}


@in_one_house(("language", "text"), IN)
async def test_an_awning_that_is_rolled_in_is_closed(
    speak: Setup, language: str, text: str
) -> None:
    """Close the awning."""
    assert await _states(speak, text, language, "Patio") == {AWNING: "close_cover"}


@in_one_house(("language", "text"), UP)
async def test_blinds_are_no_awnings(speak: Setup, language: str, text: str) -> None:
    """Open the blinds, and leave the awning."""
    done = await _states(speak, text, language, "Study")
    assert done == dict.fromkeys(BLINDS, "open_cover")


@in_one_house(("language", "text"), DARK)
async def test_what_is_made_dark_are_lights(speak: Setup, language: str, text: str) -> None:
    """Turn off the lights of the room, and nothing else that is on."""
    assert await _states(speak, text, language, "Patio") == {"light.patio": "turn_off"}


@in_one_house(("language", "text", "state"), ON_OUT_THERE)
async def test_out_there_is_a_place(speak: Setup, language: str, text: str, state: str) -> None:
    """Turn on what is to be on out there."""
    done = await _states(speak, text, language, "Study")
    assert done == {"light.patio": f"turn_{state}"}
