"""Actions that a model may choose from, and a specialist's prompt, built from the domain's table.

Values are offered as JSON schemas bound by the request and by what the entities can take.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
import re

from homeassistant.const import UnitOfTemperature
from homeassistant.core import State

from ..domains.actions import Action, Parameter, ParameterKind
from ..domains.table import Domain
from ..home.names import occurs, words_of
from ..llm.models import JsonSchema
from ..nlu.loader import Language
from ..plans.planner import ASK, MISSING, NOTHING, OfferedAction
from .base import AgentRequest

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
# Up to this many words the spans of a request are an enum; of a longer one the model writes a span itself.
_MAX_SPAN_WORDS = 12


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


_PROMPT = """\
You control the {article} of a home. Turn the request into actions, as JSON.
{lines}
- ask: where a value that it needs is not said; - nothing: where nothing of this is wanted
"targets" are the devices meant; "all" means all of them."""
# Degrees Fahrenheit for a degree Celsius, roughly.
_PER_DEGREE = 2


def build_prompt(domain: Domain) -> str:
    """Return the fixed system prompt of a specialist: the domain, and a line for each group of actions."""
    return _PROMPT.format(article=domain.prompt_noun, lines="\n".join(_lines(domain)))


def _lines(domain: Domain) -> Iterator[str]:
    """Yield the prompt's line for each group of actions."""
    offered = [action for action in domain.plannable_actions if is_for_small(action)]
    for _, group in groupby(offered, key=lambda action: action.prompt_group or action.name):
        actions = list(group)
        names, line = ", ".join(action.name for action in actions), actions[0].prompt_line
        yield f"- {names}: {line}" if line else f"- {names}"


def offer_actions(
    domain: Domain, request: AgentRequest, states: Sequence[State]
) -> list[OfferedAction]:
    """Return the actions that at least one of the entities can do, with the schemas of their values."""
    wrong_way = -find_direction(request.instruction, request.language)
    found: list[OfferedAction] = []
    for action in domain.plannable_actions:
        if not is_for_small(action) or (action.direction and action.direction == wrong_way):
            continue
        able = action.capable_states(states)
        if not able or not _is_named(action, request):
            continue
        schemas = _schemas(action, request, able)
        if schemas is not None:
            found.append(OfferedAction(action.name, schemas))
    return found


def is_for_small(action: Action) -> bool:
    """Return whether a small model is offered an action at all."""
    return action.is_offered and not action.for_capable


def always_offered(domain: Domain, language: Language) -> list[OfferedAction]:
    """Return what a model may do instead of anything else: ask for a value that can be asked for, or nothing."""
    measures = [
        parameter.measures
        for action in domain.plannable_actions
        for parameter in action.parameters
        if parameter.measures and language.has(f"ask.{parameter.measures}")
    ]
    missing = choice_schema(list(dict.fromkeys(measures)))
    asks = [OfferedAction(ASK, {MISSING: missing})] if missing else []
    return [*asks, OfferedAction(NOTHING)]


def _is_named(action: Action, request: AgentRequest) -> bool:
    """Return whether a request has one of an action's required words, or a percent sign for them."""
    if not action.required_words:
        return True
    words: frozenset[str] = getattr(request.language, action.required_words)
    return "%" in request.instruction or bool(words.intersection(words_of(request.instruction)))


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
    states = [
        state for state in able if parameter.capability is None or parameter.capability(state)
    ]
    text, language = request.instruction, request.language
    if not states:
        return None
    match parameter.kind:
        case ParameterKind.NUMBER:
            return _number(parameter, request, states)
        case ParameterKind.STEP:
            return step_schema(text, language, parameter.step_sizes, _widest(parameter, request))
        case ParameterKind.CHOICE:
            return choice_schema(_choices(parameter, request, states))
        case ParameterKind.COLOR:
            colors = [color.meanings[0] for color in language.colors.find(words_of(text))]
            return choice_schema(colors)
        case ParameterKind.TEXT:
            return span_schema(text, language.ignored)


def _number(
    parameter: Parameter, request: AgentRequest, states: Sequence[State]
) -> JsonSchema | None:
    """Return the schema of a number, in the union of the entities' ranges."""
    if parameter.range_from:
        states = [state for state in states if parameter.range_from(state)]
    ranges = [parameter.range_of(state) for state in states]
    if not ranges:
        return None
    least, most = parameter.default_range
    return number_schema(
        request.instruction,
        request.language,
        min(least if low is None else low for low, _ in ranges),
        max(most if high is None else high for _, high in ranges),
        percent=parameter.fraction_words,
    )


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
    return parameter.max_step * (_PER_DEGREE if parameter.unit == "°" and fahrenheit else 1)
