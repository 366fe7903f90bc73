"""Reads golden files, and says in which line one is wrong."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError
import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

from .models import GoldenFile

_MOST_ERRORS = 10

MOST_ENTRIES = 100_000
"""The entries of a file, each counted as often as it is referred to: a few lines can stand for billions."""

# What is wrong, in plain words, by pydantic's name for it; all else pydantic says itself.
_WORDS = {
    "dict_type": "there must be names with values here",
    "extra_forbidden": "there is no such field",
    "missing": "it is missing",
    "model_type": "there must be names with values here",
    "string_pattern_mismatch": "this is no id, such as light.desk_lamp or light.turn_on",
    "string_too_short": "it is empty",
    "string_type": "there must be text here",
    "tuple_type": "there must be a list here",
}

try:
    _Loader: type[yaml.SafeLoader | yaml.CSafeLoader] = yaml.CSafeLoader
except AttributeError:  # pragma: no cover - libyaml is in every build of PyYAML that is a wheel
    _Loader = yaml.SafeLoader


class GoldenError(ValueError):
    """A golden file cannot be used. Its text names the file, the line and the reason of each error."""


def read_file(path: Path) -> GoldenFile:
    """Read a golden file.

    Raises:
        GoldenError: it cannot be opened, or is not a golden file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise GoldenError(f"{path.name} cannot be read: {_reason(err)}") from err
    return read_text(text, path.name)


def read_text(text: str, name: str) -> GoldenFile:
    """Read a golden file's text; `name` is what it is called where something is wrong with it.

    Raises:
        GoldenError: it is not a golden file.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            raise GoldenError(f"{name} is empty")
        if _size_of(node) > MOST_ENTRIES:
            raise GoldenError(f"{name} has more than {MOST_ENTRIES} entries")
        if twice := list(_keys_given_twice(node)):
            raise GoldenError("\n".join(f"{name}, {error}" for error in twice[:_MOST_ERRORS]))
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as err:
        raise GoldenError(f"{name}, {_yaml_reason(err)}") from err
    except RecursionError as err:
        raise GoldenError(f"{name} is nested too deeply") from err
    return _validated(data, name, node)


def read_cases(cases: Any, name: str = "cases") -> GoldenFile:
    """Read cases that came without a file.

    Raises:
        GoldenError: they are no cases.
    """
    return _validated({"cases": cases}, name, None)


def _validated(data: Any, name: str, node: Node | None) -> GoldenFile:
    """Return the golden file that plain data is."""
    try:
        return GoldenFile.model_validate(data)
    except ValidationError as err:
        told = [
            f"{name}, {_told(error['loc'], _WORDS.get(error['type'], error['msg']), node, data)}"
            for error in err.errors()
        ]
        raise GoldenError("\n".join(told[:_MOST_ERRORS])) from err


def _told(place: Sequence[int | str], message: str, node: Node | None, data: Any) -> str:
    """Return where and what an error is: line, names on the way, reason."""
    line, names = _locate(place, node, data)
    message = message.removeprefix("Value error, ")
    where = f"line {line}" if line else ""
    return ", ".join(filter(None, (where, " → ".join(names)))) + f": {message}"


def _locate(
    place: Sequence[int | str], node: Node | None, data: Any
) -> tuple[int | None, list[str]]:
    """Return the line of a place in the data, and the names that lead there.

    Steps that are pydantic's own, such as the kind of a union, lead nowhere and are left out.
    """
    names: list[str] = []
    line = node.start_mark.line + 1 if node else None
    for step in place:
        inside = _item(data, step)
        if inside is None and (step != place[-1] or not isinstance(data, dict)):
            continue
        data = inside
        names.append(_name(step, data))
        mark, value = _enter(node, step)
        if mark is not None:
            line, node = mark.start_mark.line + 1, value
    return line, names


def _item(data: Any, step: int | str) -> Any:
    """Return what a step leads to in plain data; None where it leads nowhere."""
    if isinstance(data, dict):
        return data.get(step)
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return data[step]
    return None


def _name(step: int | str, data: Any) -> str:
    """Return what a step is called: a case by its id, other items by their place."""
    if isinstance(step, str):
        return step
    return str(data["id"]) if isinstance(data, dict) and "id" in data else f"{step + 1}"


def _enter(node: Node | None, step: int | str) -> tuple[Node | None, Node | None]:
    """Return the node that begins an entry of a mapping or sequence, and the one of its value."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return key, value
    elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None, None


def _size_of(node: Node) -> int:
    """Return how many entries a document has when every reference is written out."""
    sizes: dict[int, int] = {}

    def size(node: Node) -> int:
        if (known := sizes.get(id(node))) is not None:
            return known
        # What refers to itself has no end.
        sizes[id(node)] = MOST_ENTRIES
        inner = [*chain.from_iterable(node.value)] if isinstance(node, MappingNode) else node.value
        is_leaf = not isinstance(node, MappingNode | SequenceNode)
        sizes[id(node)] = 1 + (0 if is_leaf else sum(map(size, inner)))
        return sizes[id(node)]

    return size(node)


def _keys_given_twice(node: Node) -> Iterator[str]:
    """Yield what is wrong with mappings that name a key twice, which YAML lets pass in silence."""
    if isinstance(node, SequenceNode):
        for item in node.value:
            yield from _keys_given_twice(item)
    elif isinstance(node, MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key.value, str):
                if key.value in seen:
                    yield f"line {key.start_mark.line + 1}: {key.value} stands there twice"
                seen.add(key.value)
            yield from _keys_given_twice(value)


def _yaml_reason(err: yaml.YAMLError) -> str:
    """Return where and why a text is no YAML."""
    if isinstance(err, yaml.MarkedYAMLError) and err.problem_mark:
        problem = err.problem or err.context or "this is not YAML"
        return f"line {err.problem_mark.line + 1}: {problem}"
    return f"this is not YAML: {err}"


def _reason(err: OSError | UnicodeDecodeError) -> str:
    """Return why a file could not be opened."""
    if isinstance(err, OSError):
        return err.strerror or type(err).__name__
    return "it is not written in UTF-8"
