"""Errors of a YAML file that people write, with their places: pydantic's, the parser's, and keys written twice."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic_core import ErrorDetails
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode


def follow(data: Any, path: Iterable[int | str]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each step of pydantic's path to an error: what it is taken in, its key or index, its value.

    Steps that are not in the data, such as the tag of a union, lead nowhere and are left out.
    """
    for step in path:
        if isinstance(data, Mapping):
            leads = step in data
        else:
            leads = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if leads:
            outer, data = data, data[step]
            yield outer, step, data


def message_of(error: ErrorDetails, words: Mapping[str, str]) -> str:
    """Return the message of an error: in `words`, by pydantic's name for the kind of error, else as it is raised."""
    return words.get(error["type"], error["msg"]).removeprefix("Value error, ")


def syntax_error(err: yaml.YAMLError) -> tuple[int, str, str] | None:
    """Return the line, the file and the parser's reason why a text is no YAML; None where it names no line."""
    if not isinstance(err, yaml.MarkedYAMLError):
        return None
    mark = err.problem_mark or err.context_mark
    return (mark.line + 1, mark.name or "", err.problem or err.context or "") if mark else None


def keys_written_twice(root: Node | None) -> list[tuple[int, str]]:
    """Return each key that stands twice in one mapping, after its line, in the order of the text.

    YAML lets them pass in silence, and only the last of them counts.
    """
    twice: list[tuple[int, str]] = []
    waiting = [root]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            # An anchor may be referred to from inside itself.
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            waiting += node.value
        elif isinstance(node, MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                waiting += (key, value)
                if isinstance(key, ScalarNode):
                    if key.value in keys:
                        twice.append((key.start_mark.line + 1, key.value))
                    keys.add(key.value)
    return sorted(twice)
