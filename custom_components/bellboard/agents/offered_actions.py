"""Actions that a model may choose from, with the JSON schemas of their values, by the domain's table.

A small model is bound by the words of a request and by what the entities can take, a capable one by the
entities alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
import math
import re
from typing import Any

from homeassistant.const import UnitOfTemperature
from homeassistant.core import State
from homeassistant.util import color as color_util

from ..domains.actions import Action, Parameter, ParameterKind
from ..domains.table import Domain
from ..home.names import occurs, words_of
from ..llm.errors import BadOutputError
from ..llm.models import JsonSchema
from ..nlu.lexicon import Role, Sense
from ..nlu.loader import Language
from ..nlu.tokens import spoken_words
from .base import AgentRequest, states_of

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
# Up to this many words the spans of a request are an enum; of a longer one the model writes a span itself.
_MAX_SPAN_WORDS = 12
_HEX = re.compile(r"#?([0-9a-f]{6})", re.IGNORECASE)
FAHRENHEIT = 1.8
"""Degrees Fahrenheit for a degree Celsius."""
# In characters, of a text.
_MOST_CHARACTERS = 200

ASK, NOTHING, REFUSE, MISSING = "ask", "nothing", "refuse", "missing"
"""Actions that are always offered: to ask for a value, named by MISSING, and to do nothing."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Action that a model may choose by a name, with the JSON schema of each value.

    To a capable model it is that `action` of a table, for any of the table's devices, which have these `labels`.
    """

    name: str
    values: Mapping[str, JsonSchema] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    action: Action | None = None

    @property
    def needed(self) -> frozenset[str]:
        """Return the names of the values that it cannot be chosen without."""
        if self.action is None:
            return frozenset(self.values)
        if self.action.any_parameter and len(self.values) > 1:
            return frozenset()
        optional = {each.name for each in self.action.parameters if each.for_capable}
        return frozenset(self.values) - optional


def find_numbers(text: str, language: Language, *, percent: bool = False) -> list[float]:
    """Return the numbers in a text, in digits or in words; with `percent` also words like "half"."""
    found = [float(number.replace(",", ".")) for number in _NUMBER.findall(text)]
    indexes = (language.amounts, language.numbers) if percent else (language.numbers,)
    words = list(words_of(text))
    for index in indexes:
        for named in index.find(tuple(words)):
            found.append(float(named.meanings[0]))
            # Consumed, so that "three quarters" is not also a three.
            words[named.start : named.end] = [""] * (named.end - named.start)
    return list(dict.fromkeys(found))


def number_schema(
    text: str, language: Language, low: float, high: float, *, percent: bool = False
) -> JsonSchema | None:
    """Return the schema of the numbers from `low` to `high` that a request names; None for none."""
    fitting = [n for n in find_numbers(text, language, percent=percent) if low <= n <= high]
    return {"type": "number", "enum": [_plain(n) for n in fitting]} if fitting else None


def step_schema(text: str, language: Language, steps: Iterable[float], limit: float) -> JsonSchema:
    """Return the schema of a relative change, above 0 for up and below 0 for down.

    Its sizes are the numbers that a request names up to `limit`, else the default `steps`; its signs
    those of the directions that are named, else both.
    """
    named = [n for n in find_numbers(text, language) if 0 < n <= limit]
    sizes = named or list(steps)
    sign = find_direction(text, language)
    signs = (sign,) if sign else (1, -1)
    return {"type": "number", "enum": [_plain(sign * size) for sign in signs for size in sizes]}


def find_direction(text: str, language: Language) -> int:
    """Return the direction that a request names: 1 for up, -1 for down, 0 for none or both."""
    signs = {sign for found in language.directions.find(words_of(text)) for sign in found.meanings}
    return signs.pop() if len(signs) == 1 else 0


def find_mentioned_options(text: str, language: Language, options: Iterable[str]) -> list[str]:
    """Return the options whose names occur in a text as a span.

    An option whose name is a stop word ("off") is never found.
    """
    words = words_of(text)
    names = {option: words_of(option.replace("_", " ")) for option in options}
    return [
        option
        for option, name in names.items()
        if occurs(name, words) and not language.ignored.issuperset(name)
    ]


def choice_schema(options: list[str]) -> JsonSchema | None:
    """Return the schema of an enum of names, or None where there are none."""
    return {"type": "string", "enum": options} if options else None


def span_schema(text: str, ignored: frozenset[str]) -> JsonSchema | None:
    """Return the schema of the spans of a request; None where it has only stop words.

    Spans that begin or end with a stop word (`ignored`) are left out, so that a search query is neither
    rewritten nor padded.
    """
    words = [word.strip('.,;!?"') for word in text.split()]
    words = [word for word in words if word]
    if len(words) > _MAX_SPAN_WORDS:
        return {"type": "string", "minLength": 1, "maxLength": 100}
    spans = [
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if words[start].casefold() not in ignored and words[end - 1].casefold() not in ignored
    ]
    return choice_schema(list(dict.fromkeys(spans)))


def _plain(value: float) -> float | int:
    """Return a whole number as an integer, so that JSON has it without a fraction."""
    return int(value) if value == int(value) else value


def offer_actions(domain: Domain, request: AgentRequest, states: Sequence[State]) -> list[Offer]:
    """Return the actions that at least one of the entities can do, with the schemas of their values."""
    wrong_way = -find_direction(request.instruction, request.language)
    found: list[Offer] = []
    for action in domain.plannable_actions:
        if not is_for_small(action) or (action.direction and action.direction == wrong_way):
            continue
        able = action.capable_states(states)
        if not able or not _is_named(action, request):
            continue
        schemas = _schemas(action, request, able)
        if schemas is not None:
            found.append(Offer(action.name, schemas))
    return found


def is_for_small(action: Action) -> bool:
    """Return whether a small model is offered an action at all."""
    return action.is_offered and not action.for_capable


def plannable(table: Domain) -> list[Action]:
    """Return the actions of a domain that a capable model may choose."""
    return [action for action in table.plannable_actions if action.is_offered]


def offer_for_devices(
    request: AgentRequest,
    action: Action,
    labels: Sequence[str],
    listed: Mapping[str, Sequence[str]],
) -> Offer | None:
    """Return an action for devices by their `labels`, with the entity ids `listed`; None where none can do it."""
    ids = [each for label in labels for each in listed[label]]
    able = action.capable_states(states_of(request.hass, ids))
    values = {each.name: value_schema(each, able) for each in action.parameters}
    known = {key: schema for key, schema in values.items() if schema}
    if not able or (len(known) < len(values) and not (action.any_parameter and known)):
        return None
    return Offer(action.name, known, tuple(labels), action)


def always_offered(domain: Domain, language: Language) -> list[Offer]:
    """Return the alternatives to an action that a model may always choose: a question for a value, or nothing."""
    measures = [
        parameter.measures
        for action in domain.plannable_actions
        for parameter in action.parameters
        if parameter.measures and language.has(f"ask.{parameter.measures}")
    ]
    missing = choice_schema(list(dict.fromkeys(measures)))
    asks = [Offer(ASK, {MISSING: missing})] if missing else []
    return [*asks, Offer(NOTHING)]


def _is_named(action: Action, request: AgentRequest) -> bool:
    """Return whether a request has a word for an action's required attribute, or for percent."""
    if not action.required_words:
        return True
    needed = (Sense(Role.ATTRIBUTE, action.required_words), Sense(Role.UNIT, "percent"))
    phrases = {each for sense in needed for each in request.language.lexicon.phrases_of(sense)}
    said = ((word,) for word in spoken_words(request.instruction))
    return "%" in request.instruction or not phrases.isdisjoint(said)


def _schemas(
    action: Action, request: AgentRequest, able: Sequence[State]
) -> dict[str, JsonSchema] | None:
    """Return the schemas of an action's parameters; None where a required one has no possible value."""
    rows = [each for each in action.parameters if not each.for_capable]
    schemas = {each.name: _schema(each, request, able) for each in rows}
    for parameter in rows:
        if parameter.yields_to and schemas[parameter.yields_to]:
            schemas[parameter.name] = None
    known = {name: schema for name, schema in schemas.items() if schema}
    if len(known) == len(schemas) or (action.any_parameter and known):
        return known
    return None


def _schema(
    parameter: Parameter, request: AgentRequest, able: Sequence[State]
) -> JsonSchema | None:
    """Return the schema of a parameter: the values that the request names and some entity can take."""
    states = _able(parameter, able)
    text, language = request.instruction, request.language
    if not states:
        return None
    match parameter.kind:
        case ParameterKind.NUMBER:
            if (ends := _range_of(parameter, states)) is None:
                return None
            return number_schema(text, language, *ends, percent=parameter.fraction_words)
        case ParameterKind.STEP:
            return step_schema(text, language, parameter.step_sizes, _widest(parameter, request))
        case ParameterKind.CHOICE:
            return choice_schema(_choices(parameter, request, states))
        case ParameterKind.COLOR:
            colors = [color.meanings[0] for color in language.colors.find(words_of(text))]
            return choice_schema(colors)
        case ParameterKind.TEXT:
            return span_schema(text, language.ignored)


def _able(parameter: Parameter, states: Sequence[State]) -> list[State]:
    """Return the states of the entities that have the capability for a parameter."""
    return [s for s in states if parameter.capability is None or parameter.capability(s)]


def _range_of(parameter: Parameter, states: Sequence[State]) -> tuple[float, float] | None:
    """Return the union of the entities' ranges of a number; None where none has one."""
    able = [s for s in states if parameter.range_from is None or parameter.range_from(s)]
    ranges = [parameter.range_of(state) for state in able]
    if not ranges:
        return None
    least, most = parameter.default_range
    lows = [least if low is None else low for low, _ in ranges]
    return min(lows), max(most if high is None else high for _, high in ranges)


def _choices(parameter: Parameter, request: AgentRequest, states: Sequence[State]) -> list[str]:
    """Return the options that the request names, or all of them if `offers_all` and it names no measure."""
    if parameter.choices:
        return list(parameter.choices)
    text, language = request.instruction, request.language
    options = sorted({str(o) for s in states for o in s.attributes.get(parameter.options) or ()})
    if named := find_mentioned_options(text, language, options):
        return named
    # A number or a direction asks for another action than a mode.
    is_measure = bool(find_numbers(text, language) or find_direction(text, language))
    return options if parameter.offers_all and not is_measure else []


def _widest(parameter: Parameter, request: AgentRequest) -> float:
    """Return the largest step of one sentence, in the user's unit."""
    fahrenheit = request.hass.config.units.temperature_unit != UnitOfTemperature.CELSIUS
    return parameter.max_step * (FAHRENHEIT if parameter.unit == "°" and fahrenheit else 1)


def value_schema(parameter: Parameter, states: Sequence[State]) -> JsonSchema | None:
    """Return the schema of a value, bound by what the devices can take; None where none takes any."""
    if not (able := _able(parameter, states)):
        return None
    match parameter.kind:
        case ParameterKind.COLOR | ParameterKind.TEXT:
            return {"type": "string"}
        case ParameterKind.STEP:
            return {"type": "number", "minimum": -parameter.max_step, "maximum": parameter.max_step}
        case ParameterKind.CHOICE:
            if parameter.choices:
                return {"type": "string", "enum": sorted(parameter.choices)}
            # Which device has which of them is told in the list of devices.
            has_any = any(state.attributes.get(parameter.options) for state in able)
            return {"type": "string"} if has_any else None
        case _:
            low, high = _range_of(parameter, able) or (0, 0)
            ends = {"minimum": _plain(low), "maximum": _plain(high)}
            return {"type": "number", **ends} if low < high else None


def read_value(value: Any, schema: JsonSchema, text: str) -> Any:
    """Return a value that its schema allows, a whole number as an integer.

    Raises:
        BadOutputError: it is none of an enum, no text, or beyond a range of numbers.
    """
    is_offered = value in schema.get("enum", (value,))
    if schema["type"] == "string":
        most = schema.get("maxLength", _MOST_CHARACTERS)
        if is_offered and isinstance(value, str) and value.strip() and len(value) <= most:
            return value
    elif is_offered and isinstance(value, int | float) and not isinstance(value, bool):
        is_whole = math.isfinite(value) and value == int(value)
        fits = schema.get("minimum", value) <= value <= schema.get("maximum", value)
        if fits and (is_whole or schema["type"] == "number"):
            return int(value) if is_whole else value
    raise BadOutputError("a value that was not offered", text=text)


def read_color(value: str, text: str) -> str | list[int]:
    """Return a colour's name as Home Assistant knows it, or red, green and blue; raises `BadOutputError`."""
    if found := _HEX.fullmatch(value.strip()):
        return list(bytes.fromhex(found[1]))
    name = value.replace(" ", "").replace("_", "").lower()
    if name not in color_util.COLORS:
        raise BadOutputError("a colour that nobody knows", text=text)
    return name


def within_range(parameter: Parameter, value: Any, states: Sequence[State]) -> Any:
    """Return a number that some devices can take: the nearest to one that is beyond what all of them can."""
    schema = value_schema(parameter, states) if parameter.kind is ParameterKind.NUMBER else None
    if schema is None or schema["type"] != "number" or not isinstance(value, int | float):
        return value
    return min(max(value, schema["minimum"]), schema["maximum"])
