"""Policies in the words of their file: the YAML, its schema, and each mistake with its line."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
import re
from typing import Annotated, Self

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.yaml import Secrets, parse_yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
import yaml
from yaml.nodes import Node

from ..home.names import letters_of
from ..yaml_errors import follow, keys_written_twice, message_of, syntax_error
from .codes import Codes
from .engine import PlannedAs, PolicyEffect
from .rules import (
    AUTHORS,
    UNREADABLE,
    WEEKDAYS,
    Earlier,
    Match,
    Range,
    Rule,
    Several,
    Text,
    TimeWindow,
    ValueBounds,
)

# How Home Assistant's loader names the place of a tag it cannot resolve.
_PLACE = re.compile(r", line (\d+), column \d+: (.+)", re.DOTALL)

_CHOICES = {
    "effect": tuple(PolicyEffect),
    "planned": tuple(PlannedAs),
    "weekdays": WEEKDAYS,
    "by": AUTHORS,
    "require": ("pin",),
}

# Of a code.
_DIGITS = range(4, 13)

# How pydantic calls what is wrong with a value, and how it is said.
_MESSAGES = {
    "dict_type": "names with their values are to stand here",
    "finite_number": "write a number",
    "float_parsing": "write a number",
    "float_type": "write a number",
    "int_type": "write a whole number",
    "invalid_key": "write a text before each colon, in quotes if it is a number",
    "model_type": "names with their values are to stand here",
    "recursion_loop": "this is written within itself too often",
    "string_too_short": "a text is missing here",
    "string_type": "write a text; put it in quotes if it is one already",
    "too_short": "something is missing here",
    "tuple_type": "write a list, with a hyphen before each entry",
}


class PolicyFileError(Exception):
    """The policies file cannot be used.

    `file` is empty where it is not known, `line` counts from 1, `reason` is in plain words.
    """

    def __init__(self, reason: str, line: int = 1, file: str = "") -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        self.file = file


def _code(value: object) -> object:
    """Check that a value can be a code. What it is stands in no error."""
    if not isinstance(value, str):
        raise ValueError("put the code in quotes")  # noqa: TRY004
    digits = letters_of(value)
    if not digits.isdecimal() or len(digits) not in _DIGITS:
        raise ValueError("a code must be digits: 4 to 12 of them, and no words")
    return value


class PolicyFile(BaseModel):
    """The schema of the file: rules, codes by whose they are, and the satellites of persons."""

    # What is wrong may be a code.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    rules: Annotated[
        tuple[Rule, ...],
        # With all rules commented out, nothing is left below.
        BeforeValidator(lambda value: () if value is None else value),
    ]
    pins: dict[Text, Annotated[SecretStr, BeforeValidator(_code)]] = Field(default_factory=dict)
    persons: dict[Text, Several[Text]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_codes(self) -> Self:
        """Refuse a rule that wants a code where there is none."""
        if not self.pins and (rule := next((r for r in self.rules if r.require), None)):
            raise ValueError(f'the rule "{rule.name}" wants a code: write one below pins')
        return self

    @property
    def codes(self) -> Codes:
        """Return the codes, hashed."""
        return Codes({who: code.get_secret_value() for who, code in self.pins.items()})


_KEYS = {
    field.alias or name
    for model in (PolicyFile, Rule, Match, Earlier, TimeWindow, Range, ValueBounds)
    for name, field in model.model_fields.items()
}


def load_file(path: Path, secrets: Secrets | None = None) -> PolicyFile:
    """Return the policies in a file, none where there is no such file.

    It blocks: it is not for the event loop. `!include` and `!secret` mean what they mean elsewhere
    in Home Assistant; the secrets are those given.

    Raises:
        PolicyFileError: the file cannot be read, or something in it is no rule.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return PolicyFile(rules=())
    except Exception as err:
        # A file that cannot be read must not count as no rules.
        raise unreadable(path, err) from err
    return load_text(text, path, secrets)


class _NamedText(StringIO):
    """A text with the name of the file that it is or will be in, which errors and `!include` go by."""

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text)
        self.name = str(path)


def compose_text(text: str, path: Path) -> Node | None:
    """Return the YAML nodes of a text, as they are written.

    Raises:
        PolicyFileError: it is no YAML.
    """
    try:
        return yaml.compose(_NamedText(text, path), yaml.SafeLoader)
    except Exception as err:
        # Whatever the parser stumbles over.
        raise unreadable(path, err, text) from err


def load_text(text: str, path: Path, secrets: Secrets | None = None) -> PolicyFile:
    """Return the policies in the text of a file, or in one that is to be its text; see `load_file`.

    Raises:
        PolicyFileError: something in it is no rule.
    """
    try:
        data = parse_yaml(_NamedText(text, path), secrets)
        _check_keys(text)
        for file in _files(data) - {str(path)}:
            _check_keys(Path(file).read_text("utf-8"), file)
    except PolicyFileError as err:
        raise PolicyFileError(err.reason, err.line, err.file or str(path)) from err
    except Exception as err:
        raise unreadable(path, err, text) from err
    try:
        return read_file(data)
    except PolicyFileError as err:
        raise PolicyFileError(err.reason, err.line, err.file or str(path)) from err


def unreadable(path: Path, err: Exception, text: str = "") -> PolicyFileError:
    """Return the error of a file that is no YAML, or that cannot be opened; `text` is what it holds."""
    cause: BaseException | None = err
    while cause:
        if isinstance(cause, yaml.YAMLError) and (found := syntax_error(cause)):
            line, file, reason = found
            return PolicyFileError(
                f"this is no YAML: {reason or 'this is no YAML'}", line, file or str(path)
            )
        if isinstance(cause, yaml.reader.ReaderError | UnicodeDecodeError):
            return PolicyFileError("the file holds characters that no text has", 1, str(path))
        if isinstance(cause, RecursionError):
            return PolicyFileError("too much is written within each other", 1, str(path))
        cause = cause.__cause__
    reason = str(err) if isinstance(err, HomeAssistantError | ValueError) else type(err).__name__
    line = 0
    if place := _PLACE.search(reason):
        line, reason = int(place[1]), place[2]
    line = line or _line_of_tag(text, reason)
    return PolicyFileError(f"the file cannot be read: {reason}", line, str(path))


def _line_of_tag(text: str, reason: str) -> int:
    """Return the line of the tag (`!secret door`) that a reason names; the first if it names none."""
    for number, line in enumerate(text.splitlines(), 1):
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


def _check_keys(text: str, file: str = "") -> None:
    """Refuse a key that is written twice in one mapping: of a condition only the last would hold.

    Raises:
        PolicyFileError: there is one.
    """
    for line, key in keys_written_twice(yaml.compose(text, yaml.SafeLoader)):
        raise PolicyFileError(f'"{key}" stands here twice', line, file)


def read_rules(data: object) -> tuple[Rule, ...]:
    """Return the rules in data as Home Assistant's YAML loader gives it, in order.

    Raises:
        PolicyFileError: something in it is wrong. It names the first such place.
    """
    return read_file(data).rules


def read_file(data: object) -> PolicyFile:
    """Return the policies in data of Home Assistant's YAML loader.

    Raises:
        PolicyFileError: something in it is wrong. It names the first such place.
    """
    if data is None:
        return PolicyFile(rules=())
    if not isinstance(data, Mapping):
        raise PolicyFileError(
            'the file begins with "rules:", and a list of rules follows', _line(data)
        )
    try:
        file = PolicyFile.model_validate(data)
    except ValidationError as err:
        first = min(err.errors(), key=lambda error: _place(data, error["loc"])[0])
        line, where = _place(data, first["loc"])
        raise PolicyFileError(_message(first), line, where) from err
    _check_names(data, file.rules)
    return file


def _check_names(data: object, rules: Sequence[Rule]) -> None:
    """Refuse two rules of one name, and the name of the rule for an unreadable file.

    Raises:
        PolicyFileError: there is one.
    """
    names: set[str] = set()
    for number, rule in enumerate(rules):
        place = _place(data, ("rules", number, "name"))
        if rule.name.startswith(UNREADABLE):
            raise PolicyFileError(
                f'"{rule.name}" is a name of Bellboard\'s own: take another', *place
            )
        if rule.name in names:
            raise PolicyFileError(f'another rule has the name "{rule.name}" already', *place)
        names.add(rule.name)


def _place(data: object, path: Iterable[str | int]) -> tuple[int, str]:
    """Return the line and the file of a path of keys and indexes in the data, as near as they are known."""
    line, file = _line(data), _file(data)
    for outer, step, value in follow(data, path):
        # Of a value only texts, lists and mappings know their line, of a key nearly all.
        if isinstance(outer, Mapping):
            key = next(key for key in outer if key == step)
            line, file = _line(key, _line(value, line)), _file(key) or _file(value) or file
        else:
            line, file = _line(value, _line(outer, line)), _file(value) or file
    return line, file


def _line(node: object, otherwise: int = 1) -> int:
    """Return the line that the loader noted of a value."""
    line = getattr(node, "__line__", otherwise)
    return line if isinstance(line, int) else otherwise


def _file(node: object) -> str:
    """Return the file that the loader noted of a value."""
    return str(getattr(node, "__config_file__", ""))


def _message(error: ErrorDetails) -> str:
    """Return what is wrong, in words for whoever wrote it."""
    names = [step for step in error["loc"] if isinstance(step, str) and step in _KEYS]
    last = error["loc"][-1] if error["loc"] else ""
    match error["type"]:
        case "extra_forbidden":
            near = get_close_matches(str(last), _KEYS, n=1)
            return f'"{last}" is not known here' + (f': is it "{near[0]}"?' if near else "")
        case "missing":
            return f'"{last}" is missing'
        case "value_error":
            return message_of(error, _MESSAGES)
        case "enum" | "literal_error" if names and names[-1] in _CHOICES:
            return f"{names[-1]} is one of {', '.join(_CHOICES[names[-1]])}"
        case _:
            message = message_of(error, _MESSAGES)
            return f"{names[-1]}: {message}" if names else message
