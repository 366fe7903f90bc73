"""Reads the file of rules, with the lines that things stand in."""

from pathlib import Path
import re

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.yaml import Secrets, load_yaml
import yaml

from ..yaml_errors import keys_written_twice, syntax_error
from .reading import RuleError, read_rules
from .rules import Rule

# How the loader names the place of a tag it cannot follow.
_PLACE = re.compile(r", line (\d+), column \d+: (.+)", re.DOTALL)


def load_rules(path: Path, secrets: Secrets | None = None) -> tuple[Rule, ...] | None:
    """Return the rules in a file, or None where there is no such file.

    It blocks: it is not for the event loop. `!include` and `!secret` mean what they mean elsewhere
    in Home Assistant; the secrets are those given.

    Raises:
        RuleError: the file cannot be read, or something in it is no rule.
    """
    try:
        data = load_yaml(path, secrets)
        for file in {str(path), *_files(data)}:
            _check_keys(Path(file))
    except FileNotFoundError:
        return None
    except RuleError:
        raise
    except Exception as err:
        # Whatever the parser stumbles over, a file that cannot be read must not count as no rules.
        raise _unreadable(path, err) from err
    try:
        return read_rules(data)
    except RuleError as err:
        raise RuleError(err.reason, err.line, err.file or str(path)) from err


def _unreadable(path: Path, err: Exception) -> RuleError:
    """Return what is wrong with a file that is no YAML, or that cannot be opened."""
    cause: BaseException | None = err
    while cause:
        if isinstance(cause, yaml.YAMLError) and (found := syntax_error(cause)):
            line, file, reason = found
            return RuleError(
                f"this is no YAML: {reason or 'this is no YAML'}", line, file or str(path)
            )
        if isinstance(cause, yaml.reader.ReaderError | UnicodeDecodeError):
            return RuleError("the file holds characters that no text has", 1, str(path))
        if isinstance(cause, RecursionError):
            return RuleError("too much is written within each other", 1, str(path))
        cause = cause.__cause__
    reason = str(err) if isinstance(err, HomeAssistantError | ValueError) else type(err).__name__
    line = 0
    if place := _PLACE.search(reason):
        line, reason = int(place[1]), place[2]
    line = line or _line_of_tag(path, reason)
    return RuleError(f"the file cannot be read: {reason}", line, str(path))


def _line_of_tag(path: Path, reason: str) -> int:
    """Return the line of the tag (`!secret door`) that a reason is about; the first if of none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError, UnicodeDecodeError:
        return 1
    for number, line in enumerate(lines, 1):
        if "!" in line and line.split()[-1] in reason:
            return number
    return 1


def _files(data: object) -> set[str]:
    """Return the files that data was read from."""
    files: set[str] = set()
    waiting, seen = [data], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if file := getattr(node, "__config_file__", ""):
            files.add(file)
        if isinstance(node, dict):
            waiting += (*node.keys(), *node.values())
        elif isinstance(node, list):
            waiting += node
    return files


def _check_keys(path: Path) -> None:
    """Refuse a key that is written twice in one place: of a condition only the last would hold.

    Raises:
        RuleError: there is one.
    """
    with path.open(encoding="utf-8") as text:
        root = yaml.compose(text, yaml.SafeLoader)
    for line, key in keys_written_twice(root):
        raise RuleError(f'"{key}" stands here twice', line, str(path))
