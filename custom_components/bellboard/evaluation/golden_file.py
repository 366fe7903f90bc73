"""Reads golden files; an error names its line."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

from ..yaml_errors import follow, keys_written_twice, message_of, syntax_error
from .models import GoldenFile

_MOST_ERRORS = 10

MOST_ENTRIES = 100_000
"""The entries of a file, each counted as often as it is referred to: a few lines can stand for billions."""

# Messages by pydantic's type of error; for others pydantic's own are good enough.
_MESSAGES = {
    "dict_type": "there must be names with values here",
    "extra_forbidden": "there is no such field",
    "missing": "it is missing",
    "model_type": "there must be names with values here",
    "string_pattern_mismatch": "this is no id, such as light.desk_lamp or light.turn_on",
    "string_too_short": "it is empty",
    "too_short": "nothing is expected here",
    "string_type": "there must be text here",
    "tuple_type": "there must be a list here",
}

try:
    _Loader: type[yaml.SafeLoader | yaml.CSafeLoader] = yaml.CSafeLoader
except AttributeError:  # pragma: no cover - libyaml is in every build of PyYAML that is a wheel
    _Loader = yaml.SafeLoader


class GoldenFileError(ValueError):
    """A golden file cannot be used. Its text names the file, the line and the reason of each error."""


def read_file(path: Path) -> GoldenFile:
    """Read a golden file.

    Raises:
        GoldenFileError: it cannot be opened, or is not a golden file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise GoldenFileError(f"{path.name} cannot be read: {_reason(err)}") from err
    return read_text(text, path.name)


def read_text(text: str, name: str) -> GoldenFile:
    """Read a golden file's text; `name` is the file's name in errors.

    Raises:
        GoldenFileError: it is not a golden file.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            raise GoldenFileError(f"{name} is empty")
        if _size_of(node) > MOST_ENTRIES:
            raise GoldenFileError(f"{name} has more than {MOST_ENTRIES} entries")
        if twice := keys_written_twice(node)[:_MOST_ERRORS]:
            told = (f"{name}, line {line}: {key} stands there twice" for line, key in twice)
            raise GoldenFileError("\n".join(told))
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as err:
        raise GoldenFileError(f"{name}, {_yaml_reason(err)}") from err
    except RecursionError as err:
        raise GoldenFileError(f"{name} is nested too deeply") from err
    return _validated(data, name, node)


def read_cases(cases: Any, name: str = "cases") -> GoldenFile:
    """Read cases that came without a file.

    Raises:
        GoldenFileError: they are no cases.
    """
    return _validated({"cases": cases}, name, None)


def _validated(data: Any, name: str, node: Node | None) -> GoldenFile:
    """Validate plain data as a golden file."""
    try:
        return GoldenFile.model_validate(data)
    except ValidationError as err:
        found = err.errors()[:_MOST_ERRORS]
        raise GoldenFileError(
            "\n".join(f"{name}, {_describe(e, node, data)}" for e in found)
        ) from err


def _describe(error: ErrorDetails, node: Node | None, data: Any) -> str:
    """Return an error in words: line, names on the path, reason."""
    line, names = _locate(error["loc"], node, data)
    where = [f"line {line}"] if line else []
    if names:
        where.append(" → ".join(names))
    return f"{', '.join(where)}: {message_of(error, _MESSAGES)}"


def _locate(
    path: Sequence[int | str], node: Node | None, data: Any
) -> tuple[int | None, list[str]]:
    """Return the line of a path in the data, and the names on it."""
    names: list[str] = []
    line = node.start_mark.line + 1 if node else None
    inner, last = data, None
    for _, last, inner in follow(data, path):
        names.append(_name(last, inner))
        mark, value = _enter(node, last)
        if mark is not None:
            line, node = mark.start_mark.line + 1, value
    if path and path[-1] != last and isinstance(inner, dict):
        # A field that is missing has a name, too.
        names.append(str(path[-1]))
    return line, names


def _name(step: int | str, value: Any) -> str:
    """Return what a step is called: a case by its id, other items by their place."""
    if isinstance(step, str):
        return step
    return str(value["id"]) if isinstance(value, dict) and "id" in value else f"{step + 1}"


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
    """Return how many entries a document has when every alias is expanded."""
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


def _yaml_reason(err: yaml.YAMLError) -> str:
    """Return where and why a text is no YAML."""
    if found := syntax_error(err):
        line, _, reason = found
        return f"line {line}: {reason or 'this is not YAML'}"
    return f"this is not YAML: {err}"


def _reason(err: OSError | UnicodeDecodeError) -> str:
    """Return why a file could not be opened."""
    if isinstance(err, OSError):
        return err.strerror or type(err).__name__
    return "it is not written in UTF-8"
