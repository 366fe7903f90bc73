"""Makes rules of what stands in a file, or says in plain words what is wrong and in which line."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from ..yaml_errors import follow, message_of
from .engine import Effect
from .fields import WEEKDAYS
from .rules import UNREADABLE, Bounds, Match, Range, Rule, TimeWindow

_CHOICES = {"effect": tuple(Effect), "weekdays": WEEKDAYS}

# How pydantic calls what is wrong with a value, and how it is said.
_WORDS = {
    "dict_type": "names with their values are to stand here",
    "finite_number": "write a number",
    "float_parsing": "write a number",
    "float_type": "write a number",
    "invalid_key": "write a text before each colon, in quotes if it is a number",
    "model_type": "names with their values are to stand here",
    "recursion_loop": "this is written within itself too often",
    "string_too_short": "a text is missing here",
    "string_type": "write a text; put it in quotes if it is one already",
    "too_short": "something is missing here",
    "tuple_type": "write a list, with a hyphen before each entry",
}


class RuleError(Exception):
    """A file of rules that cannot be used.

    `file` is empty where it is not known, `line` counts from 1, `reason` is in plain words.
    """

    def __init__(self, reason: str, line: int = 1, file: str = "") -> None:
        """Name the reason and the place."""
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        self.file = file


class _RuleFile(BaseModel):
    """A whole file."""

    model_config = ConfigDict(extra="forbid")

    rules: Annotated[
        tuple[Rule, ...],
        # With all rules commented out, nothing is left below.
        BeforeValidator(lambda value: () if value is None else value),
    ]


_KEYS = {
    field.alias or name
    for model in (_RuleFile, Rule, Match, TimeWindow, Range, Bounds)
    for name, field in model.model_fields.items()
}


def read_rules(data: object) -> tuple[Rule, ...]:
    """Return the rules in data as Home Assistant's YAML loader gives it, in order.

    Raises:
        RuleError: something in it is no rule. It names the first such place.
    """
    if data is None:
        return ()
    if not isinstance(data, Mapping):
        raise RuleError('the file begins with "rules:", and a list of rules follows', _line(data))
    try:
        rules = _RuleFile.model_validate(data).rules
    except ValidationError as err:
        first = min(err.errors(), key=lambda error: _place(data, error["loc"])[0])
        line, file = _place(data, first["loc"])
        raise RuleError(_said(first), line, file) from err
    _check_names(data, rules)
    return rules


def _check_names(data: object, rules: Sequence[Rule]) -> None:
    """Refuse names that are not the rule's own.

    Raises:
        RuleError: there is one.
    """
    names: set[str] = set()
    for number, rule in enumerate(rules):
        place = _place(data, ("rules", number, "name"))
        if rule.name == UNREADABLE:
            raise RuleError(f'"{rule.name}" is a name of Bellboard\'s own: take another', *place)
        if rule.name in names:
            raise RuleError(f'another rule has the name "{rule.name}" already', *place)
        names.add(rule.name)


def _place(data: object, path: Iterable[str | int]) -> tuple[int, str]:
    """Return the line and the file of what stands at a path in data, as near as they are known."""
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
    """Return the line in which something begins."""
    line = getattr(node, "__line__", otherwise)
    return line if isinstance(line, int) else otherwise


def _file(node: object) -> str:
    """Return the file in which something stands."""
    return str(getattr(node, "__config_file__", ""))


def _said(error: ErrorDetails) -> str:
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
            return message_of(error, _WORDS)
        case "enum" | "literal_error" if names and names[-1] in _CHOICES:
            return f"{names[-1]} is one of {', '.join(_CHOICES[names[-1]])}"
        case _:
            said = message_of(error, _WORDS)
            return f"{names[-1]}: {said}" if names else said
