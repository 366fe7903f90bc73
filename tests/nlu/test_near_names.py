"""Names that may be misheard: guessed only where one name is clearly the nearest."""

from homeassistant.core import HomeAssistant

from custom_components.bellboard.nlu.near_names import NearNames
from custom_components.bellboard.nlu.spans import cover
from custom_components.bellboard.nlu.tokens import tokenise
from tests.one_house import in_one_house

from .conftest import MakeHouse

HEARD = {
    "turn on the sideboard lamb": "turn on the sideboard lamp",
    "dim the hallway seeling": "dim the hallway ceiling",
    "open the bed room blines": "open the bedroom blinds",
    "kitchen pendent to 20 percent": "kitchen pendant to 20 percent",
}
# Other things than there are.
OTHER = (
    "turn on the corner lamp",
    "stop the sewing machine",
    "turn off everything on the third floor",
    "close the attic blinds",
    "turn on the disco ball",
    "unlock the back door",
)


async def _guesses(hass: HomeAssistant, make_house: MakeHouse, text: str) -> list[str]:
    house = await make_house("en")
    return NearNames(house).find(text, cover(tokenise(text), house))


@in_one_house(("heard", "meant"), HEARD.items())
async def test_a_misheard_name_is_guessed(
    hass: HomeAssistant, make_house: MakeHouse, heard: str, meant: str
) -> None:
    assert meant in await _guesses(hass, make_house, heard)


@in_one_house("text", OTHER)
async def test_other_names_are_not_guessed(
    hass: HomeAssistant, make_house: MakeHouse, text: str
) -> None:
    assert await _guesses(hass, make_house, text) == []


async def test_what_is_understood_is_not_guessed(
    hass: HomeAssistant, make_house: MakeHouse
) -> None:
    assert await _guesses(hass, make_house, "turn on the floor lamp") == []
