"""Language files: what the lint of `scripts/lexicons` wants of them, and what it finds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
import runpy
import shutil
from typing import Any

from jsonschema import Draft202012Validator
import pytest
import yaml

from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.loader import FILES, available_languages, load_data
from custom_components.bellboard.nlu.spellings import spell_out

LINT: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parents[2] / "scripts" / "lib" / "lexicons.py")
)
FOLDER: Path = LINT["FOLDER"]

type Check = Callable[[str, str, str], list[str]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Return what the lint says of German after something was replaced in one of its files."""

    def replace(file: str, old: str, new: str) -> list[str]:
        for language in ("de", "en"):
            shutil.copytree(FOLDER / language, tmp_path / language)
        path = tmp_path / "de" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")
        return [str(finding) for finding in LINT["check"](tmp_path)]

    return replace


def test_nothing_is_found_in_the_languages() -> None:
    assert not [str(finding) for finding in LINT["check"]()]


@pytest.mark.parametrize("language", available_languages())
def test_a_folder_is_read_as_one_mapping(language: str) -> None:
    files = {
        name: yaml.load((FOLDER / language / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)
        for name in FILES
    }
    data = load_data(language)
    assert data.keys() == {key for found in files.values() for key in found}
    for found in files.values():
        for key, value in found.items():
            assert data[key] == value or value.items() <= data[key].items(), key


def test_the_schema_has_the_files_that_are_loaded() -> None:
    schema = LINT["json"].loads((FOLDER / "schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert tuple(schema["properties"]) == FILES
    assert loader._FOLDER == FOLDER


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("media.yaml", "fillers:", "filler:", "de/media.yaml: media.filler: unknown key"),
        ("media.yaml", "lists:", "lists: &", "de/media.yaml: no valid YAML, line"),
        ("values.yaml", "comma:", 'comma: "."\ncomma:', "values.yaml: no valid YAML, line"),
        ("verbs.yaml", "  moves:", "  motions:", "verbs.yaml: reader.moves: missing, and English has"),
        ("verbs.yaml", "up: [heller", "up: [heller, heller", 'up: stands twice in one list: "heller"'),
        ("verbs.yaml", "up: [heller", "up: heller #", "verbs.yaml: up: must be array, and is"),
        ("replies.yaml", "{first} und", "und", "join.and: has {last}, and English {first} {last}"),
        ("replies.yaml", "{first} und", "{first und", "replies.join.and: no placeholders:"),
        ("replies.yaml", "  join:", "  joined:", "replies.joined.and: unknown key, English has none"),
        ("replies.yaml", "  join:", "  joined:", "replies.join.and: missing, and English has it"),
        ("replies.yaml", "replies:", "replies2:", "de/replies.yaml: replies2: unknown key"),
        ("grammar.yaml", "\nclaims:", f"\nclaims:\n  - {'a' * 121}", "claims: regular expressions longer"),
        ("grammar.yaml", "\nclaims:", "\nclaims:\n  - '('", 'claims: no regular expression: "("'),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_file_and_key(
    check: Check, *, file: str, old: str, new: str, said: str
) -> None:
    found = check(file, old, new)
    assert [line for line in found if said in line], found
    assert all(line.startswith("lexicons/de/") and "\n" not in line for line in found)


def test_a_file_may_neither_be_missing_nor_be_another(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "en", tmp_path / "en")
    (tmp_path / "en" / "verbs.yaml").rename(tmp_path / "en" / "words.yaml")
    assert [str(finding) for finding in LINT["check"](tmp_path)] == [
        "lexicons/en/verbs.yaml: the file is missing",
        "lexicons/en/words.yaml: no file of a language is called so",
    ]


def test_exceptions_of_today_only_become_fewer(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "en", tmp_path / "en")
    key = "guards.later"
    counts = {**LINT["_load_long_patterns"]()["en/grammar.yaml"]}
    more, fewer = {**counts, key: counts[key] + 1}, {**counts, key: counts[key] - 1}
    for allowed, said in ((more, "write that into"), (fewer, "longer than 120")):
        [finding] = LINT["check"](tmp_path, {"en/grammar.yaml": allowed})
        assert said in str(finding)


MOST_SPELLINGS = 30_000
"""Phrases that one written in short may stand for: all are kept, and a small machine loads them at its first turn."""

MOST_OF_A_LANGUAGE = 100_000


@pytest.mark.parametrize("language", available_languages())
def test_what_is_written_in_short_stands_for_few_phrases(language: str) -> None:
    data = load_data(language)
    sizes = {text: _spellings(text, data["reader"].get("rules", {})) for text in _texts(data)}
    assert [text for text, size in sizes.items() if size > MOST_SPELLINGS] == []
    assert sum(sizes.values()) <= MOST_OF_A_LANGUAGE


def _spellings(text: str, rules: dict[str, str]) -> int:
    """Return for how many phrases a text stands; for none if it is written in another way, or an expression."""
    if "\\" in text:
        return 0
    with suppress(KeyError, ValueError):
        return sum(1 for _ in spell_out(text, rules))
    return 0


def _texts(tree: Any) -> Iterator[str]:
    """Yield the texts in the lists of a language's file."""
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _texts(value)
    elif isinstance(tree, list):
        for each in tree:
            yield from (each,) if isinstance(each, str) else _texts(each)
