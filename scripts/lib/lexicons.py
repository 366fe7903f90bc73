"""Checks the files of the languages against `lexicons/schema.json`, English, and today's exceptions."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
import json
from pathlib import Path
from string import Formatter
import sys
from typing import Any, override

from jsonschema import Draft202012Validator, ValidationError
import yaml

_ROOT = Path(__file__).resolve().parents[2]
FOLDER = _ROOT / "custom_components" / "bellboard" / "lexicons"
LONG_PATTERNS = Path(__file__).with_name("long_patterns.json")
"""How many regular expressions of a file and key are longer than the schema allows. A count may only become smaller."""
_ENGLISH = "en"
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a file of a language, at a dotted key ("" for the file as a whole)."""

    file: str
    key: str
    text: str

    @override
    def __str__(self) -> str:
        return ": ".join(part for part in (f"lexicons/{self.file}", self.key, self.text) if part)


class _KeysOnce(yaml.CSafeLoader):
    """Loads YAML, and refuses a key that stands twice in a mapping: only its last value would count."""

    @override
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        counts = Counter(self.construct_object(key, deep=True) for key, _ in node.value)
        if twice := [str(key) for key, count in counts.items() if count > 1]:
            problem = f"stands twice in one mapping: {', '.join(twice)}"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        return super().construct_mapping(node, deep=deep)


def check(
    folder: Path = FOLDER, long_patterns: Mapping[str, Mapping[str, int]] | None = None
) -> Iterator[Finding]:
    """Yield what is wrong with the languages in a folder; `long_patterns` are today's counts, by file and key."""
    schema = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    allowed = _load_long_patterns() if long_patterns is None else long_patterns
    languages = sorted(path.name for path in folder.iterdir() if path.is_dir())
    read: dict[str, dict[str, Any]] = {language: {} for language in languages}
    for language in languages:
        for name in schema["properties"]:
            data, problem = _read(folder / language / f"{name}.yaml")
            if problem:
                yield Finding(f"{language}/{name}.yaml", "", problem)
            else:
                read[language][name] = data
        found = {path.stem for path in (folder / language).iterdir()}
        for name in sorted(found - {*schema["properties"]}):
            yield Finding(f"{language}/{name}.yaml", "", "no file of a language is called so")
    english = read.get(_ENGLISH, {})
    for language, files in read.items():
        for name, data in files.items():
            yield from _against_schema(f"{language}/{name}.yaml", data, schema, allowed)
        # What a file that cannot be read lacks is no news.
        if language != _ENGLISH and len(files) == len(english) == len(schema["properties"]):
            yield from _against_english(language, files, english, schema)


def _load_long_patterns() -> dict[str, dict[str, int]]:
    """Return today's exceptions from the limit of regular expressions."""
    counts: dict[str, dict[str, int]] = json.loads(LONG_PATTERNS.read_text("utf-8"))
    return counts


def _read(path: Path) -> tuple[Any, str]:
    """Return the data of a file, and what is wrong with it as YAML, "" for nothing."""
    try:
        return yaml.load(path.read_text("utf-8"), _KeysOnce), ""  # noqa: S506 (a safe loader)
    except FileNotFoundError:
        return None, "the file is missing"
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return None, f"no valid YAML, line {line}: {error.problem}"
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return None, f"no valid YAML: {str(error).splitlines()[0]}"


def _against_schema(
    file: str, data: Any, schema: Mapping[str, Any], allowed: Mapping[str, Mapping[str, int]]
) -> Iterator[Finding]:
    """Yield where a file is not as the schema says."""
    part = {**schema["properties"][Path(file).stem], "$defs": schema["$defs"]}
    checker = Draft202012Validator.FORMAT_CHECKER
    long: Counter[str] = Counter()
    for error in Draft202012Validator(part, format_checker=checker).iter_errors(data):
        if error.validator == "maxLength":
            long[_key(error.absolute_path)] += 1
        else:
            for inner, text in _explain(error):
                yield Finding(file, _key([*error.absolute_path, *inner]), text)
    limits = allowed.get(file, {})
    for key in sorted({*long, *limits}):
        count, limit = long[key], limits.get(key, 0)
        if count > limit:
            longest = schema["$defs"]["pattern"]["maxLength"]
            text = (
                f"regular expressions longer than {longest} characters: {count}, allowed: {limit}"
            )
            yield Finding(file, key, text)
        elif count < limit:
            text = f"long regular expressions: only {count}, write that into {LONG_PATTERNS.name}"
            yield Finding(file, key, text)


def _explain(error: ValidationError) -> Iterator[tuple[list[str], str]]:
    """Yield what a finding of the schema means, each with the key below the error's."""
    match error.validator:
        case "additionalProperties":
            part = error.schema if isinstance(error.schema, Mapping) else {}
            known = part.get("properties", {})
            yield from (([str(key)], "unknown key") for key in error.instance if key not in known)
        case "uniqueItems":
            counts = Counter(map(str, error.instance))
            yield from (
                ([], f"stands twice in one list: {_short(text)}")
                for text, count in counts.items()
                if count > 1
            )
        case "format":
            yield [], f"no regular expression: {_short(error.instance)}"
        case "type":
            yield [], f"must be {error.validator_value}, and is {_short(error.instance)}"
        case _:
            yield [], f"{_short(error.instance)} breaks {error.validator} {error.validator_value}"


def _against_english(
    language: str,
    files: Mapping[str, Any],
    english: Mapping[str, Any],
    schema: Mapping[str, Any],
) -> Iterator[Finding]:
    """Yield the keys that English has and a language lacks, and replies that differ in keys or placeholders."""
    own, other = _merged(files), _merged(english)
    for name, part in schema["properties"].items():
        for key in _missing(part, own, other, schema["$defs"]):
            yield Finding(f"{language}/{name}.yaml", key, "missing, and English has it")
    file = f"{language}/replies.yaml"
    said, expected = _texts(files["replies"]), _texts(english["replies"])
    for key in said.keys() - expected.keys():
        yield Finding(file, key, "unknown key, English has none")
    for key, text in expected.items():
        if key not in said:
            yield Finding(file, key, "missing, and English has it")
            continue
        try:
            found, wanted = _placeholders(said[key]), _placeholders(text)
        except ValueError as error:
            yield Finding(file, key, f"no placeholders: {error}")
            continue
        if found != wanted:
            yield Finding(file, key, f"has {_braced(found)}, and English {_braced(wanted)}")


def _missing(
    part: Mapping[str, Any], own: Any, other: Any, defs: Mapping[str, Any], at: str = ""
) -> Iterator[str]:
    """Yield the keys of a schema that English has and another language lacks."""
    if "$ref" in part:
        part = defs[part["$ref"].rpartition("/")[2]]
    # An empty mapping says that the language has none of it.
    if not own or not isinstance(own, Mapping) or not isinstance(other, Mapping):
        return
    for key, inner in part.get("properties", {}).items():
        if key not in other:
            continue
        if key in own:
            yield from _missing(inner, own[key], other[key], defs, f"{at}{key}.")
        elif not inner.get("x-optional"):
            yield f"{at}{key}"


def _merged(files: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a language's files as one, like `nlu.loader.load_data`."""
    merged: dict[str, Any] = {}
    for data in files.values():
        for key, value in (data if isinstance(data, Mapping) else {}).items():
            both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
            merged[key] = {**merged[key], **value} if both else value
    return merged


def _texts(tree: Any, at: str = "") -> dict[str, str]:
    """Return nested texts by their dotted keys."""
    if not isinstance(tree, Mapping):
        return {at.removesuffix("."): str(tree)}
    return {
        key: text
        for name, each in tree.items()
        for key, text in _texts(each, f"{at}{name}.").items()
    }


def _placeholders(text: str) -> frozenset[str]:
    """Return the names of a reply's values.

    Raises:
        ValueError: a brace is open.
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def _braced(names: frozenset[str]) -> str:
    """Return placeholders as they stand in a reply."""
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "no placeholders"


def _key(path: Sequence[str | int]) -> str:
    """Return the dotted key of a place, without numbers of items."""
    return ".".join(str(part) for part in path if not isinstance(part, int))


def _short(value: Any) -> str:
    """Return a value on one line, cut where it is long."""
    text = " ".join(str(value).split())
    return f'"{text[:_LONGEST_SHOWN]}{"…" if len(text) > _LONGEST_SHOWN else ""}"'


def main(paths: Sequence[str]) -> int:
    """Print what is wrong with files, all of them where none is named; return how the process ends."""
    asked = {"/".join(Path(path).parts[-2:]) for path in paths}
    found = [finding for finding in check() if not asked or finding.file in asked]
    for finding in found:
        sys.stdout.write(f"{finding}\n")
    return min(len(found), 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
