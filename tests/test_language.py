"""Every language says the same things, and listens for words that can be heard."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
import threading
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml_dict
import pytest

from custom_components.bellboard.agents.offered_actions import (
    find_direction,
    find_numbers,
    number_schema,
)
from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.llm.errors import ModelError
from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.loader import (
    Language,
    async_get_language,
    available_languages,
    load_data,
)
from custom_components.bellboard.nlu.spellings import spell_out
from custom_components.bellboard.routing.parts import split_requests

FOLDER = Path(loader.__file__).parents[1] / "lexicons"
LANGUAGES = available_languages()
WORD_LISTS = ("verbs", "ignored", "questions")
COLORS = {
    "red", "orange", "yellow", "green", "turquoise", "cyan", "blue", "purple", "violet", "pink",
    "magenta", "gold", "white",
}  # fmt: skip


@cache
def read(code: str) -> dict[str, Any]:
    """Return the merged data of a language's folder."""
    return load_data(code)


def replies(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return the replies of a file by their keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        flat |= (
            replies(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
        )
    return flat


def placeholders(text: str) -> set[str]:
    """Return the names of a reply's values."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def heard_words(data: dict[str, Any]) -> list[str]:
    """Return all single words that are listened for."""
    words = [word for name in WORD_LISTS for word in data[name]]
    return words + [word for found in data["vocabulary"].values() for word in found]


def heard_phrases(data: dict[str, Any]) -> list[str]:
    """Return all words and phrases that are listened for as a whole."""
    colors = [
        word for words in data["colors"].values() for text in words for word in spell_out(text, {})
    ]
    return [*data["up"], *data["down"], *data["amounts"], *colors]


def test_the_languages_are_there() -> None:
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_dir()) == LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_file_has_all_that_english_has(code: str) -> None:
    data, english = read(code), read("en")
    assert data.keys() == english.keys()
    assert data["vocabulary"].keys() == english["vocabulary"].keys()
    assert data["guards"].keys() == english["guards"].keys()
    # Shades have words in some languages only.
    assert data["colors"].keys() >= COLORS
    assert set(data["amounts"].values()) == set(english["amounts"].values())
    said, expected = replies(data["replies"]), replies(english["replies"])
    assert said.keys() == expected.keys()
    for key, text in said.items():
        assert placeholders(text) == placeholders(expected[key]), key
        assert text == text.strip() != "", key
    for name in (*WORD_LISTS, "joins", "up", "down"):
        assert data[name], name


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_can_be_heard(code: str) -> None:
    """A word that is compared must look as heard words do: folded, and one word where one is compared."""
    data = read(code)
    for word in heard_words(data):
        assert isinstance(word, str), f"{word!r} is not text: YAML needs quotes around it"
        assert len(words_of(word)) == 1, word
        assert words_of(word) == (word.casefold(),), word
    for phrase in heard_phrases(data):
        assert isinstance(phrase, str)
        assert words_of(phrase), phrase
    assert not {*data["up"]} & {*data["down"]}
    for words in (data["verbs"], *data["vocabulary"].values(), data["up"], data["down"]):
        assert len(words) == len(set(words)), "a word is there twice"


@pytest.mark.parametrize("code", LANGUAGES)
async def test_every_reply_can_be_said(hass: HomeAssistant, code: str) -> None:
    language = await async_get_language(hass, code)
    for key, text in replies(read(code)["replies"]).items():
        values = {name: f"<{name}>" for name in placeholders(text)}
        said = language.say(key, **values)
        assert all(value in said for value in values.values())
        assert "{" not in said
        assert language.has(key)
    kinds = {ModelError.kind} | {error.kind for error in ModelError.__subclasses__()}
    assert all(language.has(f"model.{kind}") for kind in kinds), "every failure has its words"


@pytest.mark.parametrize(
    ("code", "listed", "either", "sentence"),
    [
        ("de", "a, b und c", "a oder b", "Bett eingeschaltet."),
        ("en", "a, b and c", "a or b", "Bett eingeschaltet."),
        ("es", "a, b y c", "a o b", "Bett eingeschaltet."),
        ("fr", "a, b et c", "a ou b", "Bett eingeschaltet."),
        ("nl", "a, b en c", "a of b", "Bett eingeschaltet."),
        ("pl", "a, b i c", "a czy b", "Bett eingeschaltet."),
    ],
)
async def test_parts_become_a_sentence(
    hass: HomeAssistant, *, code: str, listed: str, either: str, sentence: str
) -> None:
    language = await async_get_language(hass, code)
    assert language.join(["a", "b", "c"]) == listed
    assert language.join(["a", "b"], "or") == either
    assert language.join(["a"]) == "a"
    assert language.join([]) == language.sentence([]) == ""
    assert language.sentence(["bett eingeschaltet"]) == sentence


@pytest.mark.parametrize(
    ("code", "half"),
    [
        ("de", "21,5"),
        ("en", "21.5"),
        ("es", "21,5"),
        ("fr", "21,5"),
        ("nl", "21,5"),
        ("pl", "21,5"),
    ],
)
async def test_numbers_are_written_as_people_do(hass: HomeAssistant, code: str, half: str) -> None:
    language = await async_get_language(hass, code)
    assert [language.number(value) for value in (21.5, 21.0, 0, 100)] == [half, "21", "0", "100"]


@pytest.mark.parametrize(
    ("code", "said", "number"),
    [
        ("de", "stell die Heizung auf zweiundzwanzig Grad", 22),
        ("de", "einundzwanzig Grad, bitte", 21),
        ("de", "dimm das Licht auf dreißig Prozent", 30),
        ("en", "set the heating to twenty-two degrees", 22),
        ("en", "set the heating to twenty two degrees", 22),
        ("en", "the volume to one hundred", 100),
        ("es", "pon la calefacción a veintidós grados", 22),
        ("es", "pon la calefacción a veintiún grados", 21),
        ("es", "baja la luz al treinta y cinco por ciento", 35),
        ("fr", "règle le chauffage à vingt-deux degrés", 22),
        ("fr", "mets le chauffage à vingt et un degrés", 21),
        ("fr", "la lumière à quatre-vingts pour cent", 80),
        ("fr", "la lumière à soixante-quinze pour cent", 75),
        ("nl", "zet de verwarming op tweeëntwintig graden", 22),
        ("nl", "dim het licht tot vijftig procent", 50),
        ("pl", "ustaw ogrzewanie na dwadzieścia dwa stopnie", 22),
        ("pl", "zmniejsz do trzydziestu procent", 30),
    ],
)
async def test_numbers_in_words_are_found(
    hass: HomeAssistant, code: str, said: str, number: int
) -> None:
    assert find_numbers(said, await async_get_language(hass, code)) == [number] or (
        # "pour cent" also holds the word for a hundred.
        code == "fr" and find_numbers(said, await async_get_language(hass, code))[0] == number
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "dimm das Licht auf die Hälfte"),
        ("en", "dim the light to half"),
        ("es", "baja la luz a la mitad"),
        ("fr", "baisse la lumière de moitié"),
        ("nl", "dim het licht tot de helft"),
        ("pl", "przyciemnij światło do połowy"),
    ],
)
async def test_half_is_fifty_percent(hass: HomeAssistant, code: str, said: str) -> None:
    schema = number_schema(said, await async_get_language(hass, code), 0, 100, percent=True)
    assert schema == {"type": "number", "enum": [50]}


@pytest.mark.parametrize(
    ("code", "said", "sign"),
    [
        ("de", "etwas heller", 1),
        ("de", "mach es leiser", -1),
        ("en", "a bit louder", 1),
        ("en", "make it cooler", -1),
        ("en", "as it is", 0),
        ("es", "sube la luz", 1),
        ("es", "más oscuro", -1),
        ("es", "un poco menos oscuro", 1),
        ("es", "más alto", 1),
        ("es", "más bajo", -1),
        ("fr", "plus clair", 1),
        ("fr", "plus sombre", -1),
        ("fr", "un peu moins fort", -1),
        ("fr", "plus fort et moins chaud", 0),
        ("nl", "iets harder", 1),
        ("nl", "wat donkerder", -1),
        ("pl", "trochę głośniej", 1),
        ("pl", "zrób ciemniej", -1),
        ("pl", "w dół", -1),
    ],
)
async def test_more_and_less_are_told_apart(
    hass: HomeAssistant, code: str, said: str, sign: int
) -> None:
    assert find_direction(said, await async_get_language(hass, code)) == sign


@pytest.mark.parametrize(
    ("code", "said", "parts"),
    [
        ("de", "mach das Licht an und spiel Jazz", ["mach das Licht an", "spiel Jazz"]),
        ("de", "mach das Licht und den Fernseher an", ["mach das Licht und den Fernseher an"]),
        ("en", "turn on the lamp, then play jazz", ["turn on the lamp", "play jazz"]),
        ("es", "apaga la luz y pon música", ["apaga la luz", "pon música"]),
        ("es", "enciende la luz y la tele", ["enciende la luz y la tele"]),
        ("es", "sube a treinta y cinco", ["sube a treinta y cinco"]),
        ("fr", "éteins la lumière et mets du jazz", ["éteins la lumière", "mets du jazz"]),
        ("fr", "allume la lampe et la télé", ["allume la lampe et la télé"]),
        ("nl", "doe het licht uit en speel jazz", ["doe het licht uit", "speel jazz"]),
        ("nl", "zet de lamp en de tv aan", ["zet de lamp en de tv aan"]),
        ("pl", "zgaś światło i zagraj jazz", ["zgaś światło", "zagraj jazz"]),
        ("pl", "włącz lampę i telewizor", ["włącz lampę i telewizor"]),
    ],
)
async def test_a_request_ends_where_the_next_begins(
    hass: HomeAssistant, code: str, said: str, parts: list[str]
) -> None:
    assert split_requests(said, await async_get_language(hass, code)) == parts


def guarded(language: Language, said: str) -> str | None:
    """Return why a sentence must not be carried out now."""
    return next((why for why, pattern in language.guards.items() if pattern.search(said)), None)


@pytest.mark.parametrize(
    ("code", "said", "reason"),
    [
        ("de", "mach das Licht in zehn Minuten aus", "later"),
        ("de", "mach um acht Uhr das Licht an", "later"),
        ("de", "mach das Licht nicht aus", "negation"),
        ("de", "mach das Licht aus, wenn niemand da ist", "condition"),
        ("de", "mach jedes Licht in der Küche an", None),
        ("de", "dreh die Heizung auf 21 Grad", None),
        ("es", "apaga la luz en diez minutos", "later"),
        ("es", "enciende la luz a las ocho", "later"),
        ("es", "no apagues la luz", "negation"),
        ("es", "apaga la luz si no hay nadie", "condition"),
        ("es", "baja la luz a la mitad", None),
        ("es", "enciende cada luz de la cocina", None),
        ("es", "pon la calefacción a 21 grados", None),
        ("fr", "éteins la lumière dans dix minutes", "later"),
        ("fr", "allume la lampe à huit heures", "later"),
        ("fr", "n'éteins pas la lumière", "negation"),
        ("fr", "éteins pas la lumière", "negation"),
        ("fr", "éteins la lumière si personne n'est là", "condition"),
        ("fr", "allume chaque lampe, s'il te plaît", None),
        ("fr", "règle le chauffage à 21 degrés", None),
        ("nl", "doe het licht over tien minuten uit", "later"),
        ("nl", "zet om acht uur het licht aan", "later"),
        ("nl", "doe het licht niet uit", "negation"),
        ("nl", "doe het licht uit als er niemand is", "condition"),
        ("nl", "doe elke lamp in de keuken aan", None),
        ("nl", "zet de verwarming op 21 graden", None),
        ("pl", "zgaś światło za dziesięć minut", "later"),
        ("pl", "włącz światło o ósmej", "later"),
        ("pl", "włącz światło o 20:15", "later"),
        ("pl", "zgaś światło, gdy wyjdę", "later"),
        ("pl", "nie gaś światła", "negation"),
        ("pl", "zgaś światło, jeśli nikogo nie ma", "negation"),
        ("pl", "zgaś światło, jeśli jest jasno", "condition"),
        ("pl", "zapal każdą lampę w kuchni", None),
        ("pl", "podnieś temperaturę o 2", None),
        ("pl", "ustaw nawiew na średni", None),
        ("pl", "nic nie słyszę", None),
    ],
)
async def test_what_is_not_for_now_is_noticed(
    hass: HomeAssistant, code: str, said: str, reason: str | None
) -> None:
    assert guarded(await async_get_language(hass, code), said) == reason


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("de", "de"), ("de-AT", "de"), ("de-CH", "de"), ("en-GB", "en"), ("es-419", "es"),
        ("es-MX", "es"), ("fr-CA", "fr"), ("nl-BE", "nl"), ("pt-BR", "pt"), ("xx", "en"), ("*", "en"),
        ("", "en"),
    ],
)  # fmt: skip
async def test_the_nearest_language_is_taken(hass: HomeAssistant, asked: str, found: str) -> None:
    assert (await async_get_language(hass, asked)).code == found


async def test_a_language_is_read_once_and_off_the_loop(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    read_file = load_yaml_dict

    def noting(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return read_file(*args)

    monkeypatch.setattr(loader, "load_yaml_dict", noting)
    # Other tests have read it already.
    loader._load.cache_clear()
    first = await async_get_language(hass, "de")
    read_files = len(threads)
    assert read_files
    assert threading.current_thread().name not in threads
    assert await async_get_language(hass, "de") is first
    assert len(threads) == read_files
