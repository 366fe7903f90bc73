"""A word for blinds means no curtain where there are blinds, and the other way round."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "curtains.yaml"
_SHUTTER, _CURTAIN = "cover.study_shutter", "cover.study_curtain"
SAID = [
    ("en", "Study", "close the blinds", {_SHUTTER}),
    ("en", "Study", "open the blinds a bit", {_SHUTTER}),
    ("en", "Study", "shut the curtains", {_CURTAIN}),
    ("en", "Study", "close the curtain and the shutter", {_SHUTTER, _CURTAIN}),
    ("en", "Den", "close the blinds", {"cover.den_curtain"}),
    ("de", "Study", "mach die Rollläden zu", {_SHUTTER}),
    ("de", "Study", "mach den Vorhang zu", {_CURTAIN}),
    ("es", "Study", "baja la persiana", {_SHUTTER}),
    ("fr", "Study", "ferme les volets", {_SHUTTER}),
    ("it", "Study", "chiudi la tapparella", {_SHUTTER}),
    ("nl", "Study", "doe het rolluik dicht", {_SHUTTER}),
    ("pl", "Study", "zamknij roletę", {_SHUTTER}),
    ("pt", "Study", "fecha o estore", {_SHUTTER}),
    ("sv", "Study", "stäng jalusin", {_SHUTTER}),
]


@in_one_house(("language", "area", "text", "moved"), SAID)
async def test_what_is_said_is_moved(
    speak: Setup, language: str, area: str, text: str, moved: set[str]
) -> None:
    said = await (await speak()).say(text, language=language, area=area)
    assert {*said.changes} == moved, said.reply
