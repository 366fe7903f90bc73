"""Beside a command that is understood: what nobody understands is told, and what only tells something is no command."""

from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Berlin"))
LAMP = "light.floor_lamp"

OTHERS = {
    "en": ("turn on the Floor Lamp at five", "walk the dog"),
    "de": ("Schalte um fünf Floor Lamp ein", "striegle das Pony"),
    "nl": ("Doe om vijf uur Floor Lamp aan", "roskam de pony"),
    "sv": ("Tänd Floor Lamp klockan fem", "rykta ponnyn"),
    "fr": ("Allume Floor Lamp à cinq heures", "brosse le poney"),
    "es": ("Enciende Floor Lamp a las cinco", "cepilla el poni"),
    "it": ("Accendi Floor Lamp alle cinque", "spazzola il pony"),
    "pl": ("Włącz Floor Lamp o piątej", "wyczesz kucyka"),
    "pt": ("Acende Floor Lamp às cinco", "escova o pónei"),
}
AND = {
    "en": "and",
    "de": "und",
    "nl": "en",
    "sv": "och",
    "fr": "et",
    "es": "y",
    "it": "e",
    "pl": "i",
    "pt": "e",
}
TOLD = {
    "en": "I fancy a long soak",
    "de": "wir zocken dann endlich Rommé",
    "nl": "we rummikubben dan eindelijk",
    "sv": "vi spelar äntligen rommé",
    "fr": "nous jouons enfin au rami",
    "es": "así jugamos por fin al chinchón",
    "it": "così giochiamo finalmente a scopone",
    "pl": "wtedy zagramy wreszcie w remika",
    "pt": "nós jogamos finalmente à sueca",
}


@pytest.fixture(autouse=True)
async def _afternoon(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@in_one_house(
    ("language", "joined"),
    [(language, joined) for language in OTHERS for joined in (f" {AND[language]} ", ", ")],
)
async def test_a_request_that_nobody_understands_is_told_beside_what_is_planned(
    hass: HomeAssistant, speak: Setup, language: str, joined: str
) -> None:
    command, other = OTHERS[language]
    speaker = await speak()
    said = await speaker.say(f"{command}{joined}{other}", language=language)
    assert not said.changes, "a number of its time is no value for now"
    assert other in said.reply
    [plan] = await planned(hass)
    assert "17:00" in plan["when"]
    assert other not in plan["text"]


@in_one_house("language", OTHERS)
async def test_what_somebody_tells_after_a_command_is_no_request(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker = await speak()
    said = await speaker.say(f"{OTHERS[language][0]}, {TOLD[language]}", language=language)
    assert not said.changes
    assert TOLD[language].rpartition(" ")[2] not in said.reply
    [plan] = await planned(hass)
    assert "17:00" in plan["when"]


@in_one_house(
    "behind",
    [
        "unless the dog barks",
        "but not if the dog barks",
        "but leave the fan alone if it snores",
        "except the zebra",
        "and only if the zebra snores",
        "no forget it",
        "just kidding",
        "and not the zebra",
    ],
)
async def test_what_restricts_a_command_is_never_left_out(
    hass: HomeAssistant, speak: Setup, behind: str
) -> None:
    speaker = await speak()
    said = await speaker.say(f"turn on the floor lamp at five, {behind}")
    assert not said.changes
    assert not await planned(hass), said.reply


async def test_now_too_what_is_not_understood_behind_a_mark_is_told(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn on the floor lamp, walk the dog")
    assert LAMP in said.changes
    assert "walk the dog" in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "put Bedroom Fan on for ten minutes, it's far too hot in here"),
        ("de", "mach Bedroom Fan für zehn Minuten an, es ist viel zu warm hier"),
        ("fr", "allume Bedroom Fan pendant dix minutes, il fait trop chaud ici"),
        ("it", "accendi Bedroom Fan per dieci minuti, fa troppo caldo qui"),
        ("nl", "zet Bedroom Fan tien minuten aan, het is hier veel te warm"),
        ("pl", "włącz Bedroom Fan na dziesięć minut, jest tu za gorąco"),
        ("sv", "sätt på Bedroom Fan i tio minuter, det är för varmt här"),
    ],
)
async def test_what_somebody_complains_of_behind_a_command_is_why(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert set(said.changes) == {"fan.bedroom_fan"}, said.reply


@in_one_house(
    ("language", "first", "more"),
    [
        ("en", "turn off the Floor Lamp at nine in the evening", "give us another half hour"),
        ("de", "schalte um neun Uhr abends Floor Lamp aus", "gib uns noch eine halbe Stunde"),
        ("fr", "éteins Floor Lamp à vingt et une heures", "non, encore une demi-heure"),
        ("pl", "wyłącz Floor Lamp o dwudziestej pierwszej", "daj nam jeszcze pół godziny"),
    ],
)
async def test_more_time_is_added_to_the_time_of_what_is_planned(
    hass: HomeAssistant, speak: Setup, language: str, first: str, more: str
) -> None:
    speaker = await speak()
    await speaker.say(first, language=language)
    said = await speaker.say(more, language=language)
    [plan] = await planned(hass)
    assert "21:30" in plan["when"], said.reply
