"""The rows of which a domain's table is made: what a device shows, what it takes, what is asked of it.

A `Domain` says once what Home Assistant's entities of one domain can do. The checks before a call, its
verification, undoing, the values that policies compare, the replies, the intents that are recognised,
and what a model is offered are all read from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from homeassistant.core import HomeAssistant, State

from .checks import Check, has_value
from .fields import Able, Bound, Field, bound, features_of, worst
from .models import ErrorCode, ToolCall

_NOTHING: Mapping[str, Any] = MappingProxyType({})


SHARE = "share"
"""The unit of a number from 0 to 1 that is spoken as a percentage."""

AGAIN = "again"
"""Stands among what is other where the steps of a first time were not enough to undo."""


class Compared(StrEnum):
    """When a value tells two states of an entity apart: never where it goes on by itself.

    EXACTLY where an entity may give it another name when it is set again.
    """

    ALWAYS = "always"
    EXACTLY = "exactly"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value that an entity shows, and with it the service that sets it.

    `name` is the attribute's, or STATE. `tolerance` is how far a device may be from what it was asked
    for, in the attribute's own unit: devices round. None where it must be the same. It is kept for undo
    unless `is_kept` is off; with `while_on` it says nothing of what is off. `service` sets it, with `field`
    of its data, which is called like the attribute where it is not given. `feature` is what an entity
    needs for that. Where a scene keeps the value, `in_scenes`, policies are asked about that service. `none` is
    the value that says that there is none. Where the first number goes round, `circle` is where it begins
    anew. `compared` says when it tells two states apart.
    """

    name: str
    _: KW_ONLY
    tolerance: float | None = None
    service: str = ""
    field: str = ""
    feature: int = 0
    is_kept: bool = True
    while_on: bool = False
    in_scenes: bool = False
    none: str = ""
    circle: float = 0
    compared: Compared = Compared.ALWAYS

    def data(self, value: Any) -> dict[str, Any]:
        """Return the data with which the service sets a value."""
        return {self.field or self.name: value}


class Words(Protocol):
    """How values are spoken, in the user's language and units."""

    def say(self, key: str) -> str:
        """Return a text of the language file."""
        ...

    def number(self, value: float) -> str:
        """Return a number."""
        ...

    def value(self, value: Any, unit: str) -> str:
        """Return a value with its unit: "%", "°", SHARE or nothing."""
        ...

    def percent(self, value: float) -> str:
        """Return a percentage."""
        ...

    def temperature(self, value: float) -> str:
        """Return a temperature with the user's unit."""
        ...

    def color(self, name: str) -> str:
        """Return what a colour is called."""
        ...

    def mode(self, value: str, attribute: str) -> str:
        """Return what a value of a mode attribute is called; the state's without an attribute."""
        ...

    def join(self, values: Sequence[str]) -> str:
        """Return values as a list."""
        ...


type Spoken = tuple[str, Mapping[str, str]]
"""The key of a reply below the domain's replies, and the values that stand in it."""

type Rule = Callable[[Mapping[str, Any]], bool]
type Reply = Callable[[Words, ToolCall], Spoken]


@dataclass(frozen=True, slots=True)
class Service:
    """A service of Home Assistant that may be called for entities of a domain.

    `fields` are all fields it takes, without its targets; `required` those it needs. `able` says whether
    an entity has the service at all, `rule` whether the fields, each of them right, go together.
    `check` sees in the state what came of it; without one it cannot be seen. `reply` says what was done where
    its name and the one value set are not enough.
    With `notes_off` it is said where a target stays off all the same.
    """

    name: str
    able: Able | None = None
    fields: Mapping[str, Field] = field(default_factory=lambda: _NOTHING)
    _: KW_ONLY
    required: frozenset[str] = frozenset()
    rule: Rule | None = None
    check: Check | None = None
    reply: Reply | None = None
    notes_off: bool = False

    def refusal(
        self, hass: HomeAssistant, state: State, data: Mapping[str, Any]
    ) -> ErrorCode | None:
        """Return why the service cannot be called with these data for an entity of its domain, if so.

        INVALID where nobody could carry it out, before UNSUPPORTED and OUT_OF_RANGE, which are
        about this entity.
        """
        if not data.keys() <= self.fields.keys() or not self.required <= data.keys():
            return ErrorCode.INVALID
        code = worst(self.fields[name](hass, state, value) for name, value in data.items())
        if code is ErrorCode.INVALID or (self.rule and not self.rule(data)):
            return ErrorCode.INVALID
        if self.able and not self.able(state):
            return ErrorCode.UNSUPPORTED
        return code

    def said(self, words: Words, call: ToolCall) -> Spoken:
        """Return the reply to a call: its own, or the service's name and the one value that was set."""
        if self.reply:
            return self.reply(words, call)
        values = [(self.fields.get(name), value) for name, value in call.data.items()]
        if len(values) != 1 or isinstance(values[0][1], bool):
            return self.name, {}
        field, value = values[0]
        return self.name, {"value": words.value(value, field.unit if field else "")}


def setting(
    name: str,
    able: Able | None,
    field: str,
    takes: Field,
    *,
    attribute: str = "",
    tolerance: float | None = None,
    reply: Reply | None = None,
    said: tuple[str, str] | None = None,
) -> Service:
    """Return a service that sets one value, which `attribute` shows; it is called like the field otherwise.

    `said` are the keys of the replies to true and false.
    """
    if said is not None:
        on, off = said

        def reply(_words: Words, call: ToolCall) -> Spoken:
            return (on if call.data[field] else off), {}

    check = has_value(attribute or field, field, tolerance)
    required = frozenset({field})
    return Service(name, able, {field: takes}, required=required, check=check, reply=reply)


def at_most_one(*groups: frozenset[str]) -> Rule:
    """Return the rule that no two fields of a group are given together."""
    return lambda data: all(len(group & data.keys()) <= 1 for group in groups)


class Kind(StrEnum):
    """What sort of value a parameter is, which decides how it is read in a request's words."""

    NUMBER = "number"
    STEP = "step"
    CHOICE = "choice"
    COLOR = "color"
    TEXT = "text"


class PlanProblemError(Exception):
    """An action cannot be planned for entities. `states` are those it was meant for."""

    def __init__(self, states: Sequence[State]) -> None:
        """Keep the states."""
        super().__init__(type(self).__name__)
        self.states = states


class CannotError(PlanProblemError):
    """None of the entities is able to do it."""


class IsOffError(PlanProblemError):
    """Those that are able are off, and stay so."""


class OutOfRangeError(PlanProblemError):
    """None of the entities reaches a value; `low` and `high` are the ends, in the parameter's `unit`."""

    def __init__(self, states: Sequence[State], low: float, high: float, unit: str) -> None:
        """Keep the states and their range."""
        super().__init__(states)
        self.low, self.high, self.unit = low, high, unit


class OtherModeError(PlanProblemError):
    """The entities do something else than what is to be turned off; `mode` is what they do."""

    def __init__(self, states: Sequence[State], mode: str) -> None:
        """Keep the states and their mode."""
        super().__init__(states)
        self.mode = mode


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that an action takes, as a person says it, and the field of the service it becomes.

    `name` is what the plan calls it, `unit` how it is measured ("%", "°", "K"), `divisor` what the number
    said is divided by for the service, `cast` makes of it what the service takes. `low` and `high` bound a
    number, as numbers or as the attributes that tell them, and `ends` where an entity does not; with
    `is_reached` an entity whose range is narrower does not get it. `options` is the attribute that lists
    what may be chosen, `choices` are the same for all entities; with `offers_all` a model is offered each,
    though none is named. `fractions` are words like "half". A STEP moves `attribute` from where it is;
    `steps` are its usual sizes, `widest` the most that one sentence moves it. `takes` says which entities
    take the value at all, `reaching` which reach it where their range does not say so; `is_told_by` which
    tell their range. It is not offered `not_with` another one that was named. `commands` are the short
    commands that set it.
    """

    name: str
    _: KW_ONLY
    kind: Kind = Kind.NUMBER
    field: str = ""
    unit: str = ""
    divisor: float = 1
    digits: int | None = None
    low: Bound = None
    high: Bound = None
    ends: tuple[float, float] = (0, 0)
    is_reached: bool = False
    options: str = ""
    choices: tuple[str, ...] = ()
    offers_all: bool = False
    fractions: bool = False
    attribute: str = ""
    steps: tuple[float, ...] = ()
    widest: float = 100
    takes: Able | None = None
    reaching: Callable[[Sequence[State], float], Sequence[State]] | None = None
    not_with: str = ""
    is_told_by: Able | None = None
    cast: Callable[[Any], Any] | None = None
    commands: tuple[str, ...] = ()

    def takers(self, states: Sequence[State], value: Any) -> dict[str, Any]:
        """Return the service's value for each entity that takes what is asked for, by entity id.

        Raises:
            OutOfRangeError: those that could take a value do not reach it.
        """
        able = [state for state in states if self.takes is None or self.takes(state)]
        if self.options:
            own = {state.entity_id: _own_name(state, self.options, value) for state in able}
            return {entity_id: name for entity_id, name in own.items() if name is not None}
        if self.kind is Kind.STEP:
            return self._moved(able, float(value))
        if self.reaching:
            able = list(self.reaching(able, float(value)))
        elif self.is_reached and able:
            able = self._within(able, float(value))
        plain = float(value) / self.divisor if self.divisor != 1 else value
        if self.kind is Kind.NUMBER and self.cast:
            plain = self.cast(plain)
        return {state.entity_id: plain for state in able}

    def _moved(self, states: Sequence[State], by: float) -> dict[str, Any]:
        """Return where each entity gets that tells where it is, within its bounds."""
        found: dict[str, Any] = {}
        for state in states:
            now = state.attributes.get(self.attribute)
            if not isinstance(now, int | float):
                continue
            value = now + by / self.divisor
            if (low := bound(state, self.low)) is not None:
                value = max(value, low)
            if (high := bound(state, self.high)) is not None:
                value = min(value, high)
            found[state.entity_id] = value if self.digits is None else round(value, self.digits)
        return found

    def _within(self, states: Sequence[State], value: float) -> list[State]:
        """Return the entities whose own range holds a value.

        Raises:
            OutOfRangeError: none does.
        """
        ranges = {state.entity_id: self.range_of(state) for state in states}
        able = [
            state
            for state in states
            if (ends := ranges[state.entity_id])
            and (ends[0] is None or ends[0] <= value)
            and (ends[1] is None or value <= ends[1])
        ]
        if not able:
            low, high = ranges[states[0].entity_id]
            raise OutOfRangeError(
                states, value if low is None else low, value if high is None else high, self.unit
            )
        return able

    def range_of(self, state: State) -> tuple[float | None, float | None]:
        """Return the ends of what an entity takes; None where it does not tell one."""
        return bound(state, self.low), bound(state, self.high)


def _own_name(state: State, options: str, wanted: str) -> str | None:
    """Return what an entity itself calls one of its options, or None where it has none like it."""
    names = [str(name) for name in state.attributes.get(options) or ()]
    if wanted in names:
        return wanted
    folded = wanted.casefold()
    return next((name for name in names if name.casefold() == folded), None)


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent of Home Assistant that stands for an action.

    `slots` are its slots with the parameters they become. `when` are the values a slot must have, or
    must not have where it is put with a "!" before its name. `features` (any bit) and `states` are what
    Home Assistant needs of the targets, `single` that there is one, `playing_if_several` that of several
    those are meant that play, `by_name_only` that the intent's area is no place to look in.
    """

    name: str
    slots: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    _: KW_ONLY
    when: Mapping[str, frozenset[str]] = field(default_factory=lambda: _NOTHING)
    features: int | None = None
    states: frozenset[str] | None = None
    single: bool = False
    playing_if_several: bool = False
    by_name_only: bool = False

    def stands_for(self, slots: Mapping[str, Any]) -> bool:
        """Return whether slots have the values that the intent is this action with."""
        for name, values in self.when.items():
            if name.startswith("!"):
                if str(slots.get(name[1:])) in values:
                    return False
            elif str(slots.get(name)) not in values:
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an action is asked with: the values, and "heat" or "cool" where the words say what for."""

    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    mode: str = ""


type Calls = Callable[[Wanted, Sequence[State]], list[ToolCall]]
"""Returns the calls of an action for entities; raises PlanProblemError where there can be none."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be asked of the entities of a domain.

    `service` is what is called, with `data` and the `parameters`; of several services the first that an
    entity has. `able` says which entities can, `whom` which of several are meant. With `any_value` any
    of the parameters may be missing, but not all. What makes no difference to what is off is
    `only_while_on`. `calls` plans what one service cannot say. `line` is what a model is told after the
    names of the actions of one `group`; with `is_offered` off it is not offered to one. `only_named` is
    the set of words in the language file without which it is not meant, `direction` which way it goes: 1
    is up, -1 down. `commands` are the short
    commands about what was spoken of that stand for it; with `is_direct` the home agent does it without
    a sentence for Home Assistant. `is_repeatable` where it does something more when done again.
    """

    name: str
    service: str | tuple[str, ...] = ""
    _: KW_ONLY
    data: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    parameters: tuple[Parameter, ...] = ()
    any_value: bool = False
    able: Able | None = None
    whom: Callable[[Sequence[State]], Sequence[State]] | None = None
    only_while_on: bool = False
    calls: Calls | None = None
    line: str = ""
    group: str = ""
    is_offered: bool = True
    only_named: str = ""
    direction: int = 0
    intents: tuple[Intent, ...] = ()
    commands: frozenset[str] = frozenset()
    is_direct: bool = False
    is_repeatable: bool = False

    @property
    def services(self) -> tuple[str, ...]:
        """Return the names of the services it may call."""
        return (self.service,) if isinstance(self.service, str) else self.service

    def able_of(self, states: Sequence[State]) -> list[State]:
        """Return those of some entities that can do it."""
        return [state for state in states if self.able is None or self.able(state)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How far "a bit more" goes: which action moves things, by how much for "little", "much" and neither.

    `up` and `down` are the actions for a step whose size is not said, `words` the commands that only
    things of this domain can be told ("brighter", "darker"). `sets` is the action with the parameter that
    sets the same value outright, and `attribute` what shows it, where a step is counted from there;
    `lowest` is then the least it gets. Nothing moves further than `widest` at once; only with `is_fine`
    by a part of one.
    """

    sets: tuple[str, str]
    action: str = ""
    sizes: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    up: str = ""
    down: str = ""
    words: tuple[str, str] | None = None
    attribute: str = ""
    lowest: float = 0
    widest: float | None = None
    is_fine: bool = False


class Shown(Protocol):
    """What is known of an entity, as Home Assistant has it."""

    @property
    def state(self) -> str:
        """Return the state itself."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return what else is known of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A value that a call can ask for in several ways, so that a policy's rule for it holds for each.

    `is_about` says whether a call, by its action and data, asks for it in one of its ways. `of` returns what
    the call comes to for an entity, None where that is not known. `to` returns the action and data that
    ask for a value outright.
    """

    name: str
    is_about: Callable[[str, Mapping[str, Any]], bool]
    of: Callable[[str, Mapping[str, Any], Shown | None], float | None]
    to: Callable[[str, Mapping[str, Any], float], tuple[str, dict[str, Any]]]


class Kept(Protocol):
    """How an entity was, as undoing knows it."""

    @property
    def state(self) -> str:
        """Return the state."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the values that were kept."""
        ...

    def number(self, name: str) -> float | None:
        """Return an attribute that is a number."""
        ...

    def text(self, name: str) -> str | None:
        """Return an attribute that is a text."""
        ...


type Step = tuple[str, dict[str, Any]]
"""A service of the entity's own domain, and its data."""

type PutBack = Callable[[Kept, State, frozenset[str]], Iterator[Step]]
"""Yields the steps for an entity that was so, is so now, and is other in these attributes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What the entities of one domain can do. The only place where that is written.

    `article` is what a specialist's prompt calls them ("the lights"); nothing where none is for them.
    `off` are the states in which nothing of it works, `alike` states that are as good as others. `brings`
    are the services that bring a state that a scene keeps. `put_back` yields the steps that undo, where it is
    more than setting values again;
    `more_kept` returns what is kept for it that is no plain attribute, by the time given. `is_slow` where
    things are long on their way, so that only their going there is seen. `undo_refusal` is the text why
    something is not put back. `levels` and `together` are for policies: values that can be asked for in
    several ways, and fields that a rule for one of them is about together. `steps` are for what is moved
    by degrees. `entity_domain` is whose entities the services are called for, where that is another.
    """

    name: str
    attributes: tuple[Attribute, ...] = ()
    services: tuple[Service, ...] = ()
    actions: tuple[Action, ...] = ()
    article: str = ""
    off: frozenset[str] = frozenset()
    alike: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    brings: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    put_back: PutBack | None = None
    more_kept: Callable[[State, datetime], Mapping[str, Any]] | None = None
    is_slow: bool = False
    undo_refusal: str = "undo.cannot"
    levels: tuple[Level, ...] = ()
    together: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    steps: Steps | None = None
    entity_domain: str = ""

    @property
    def targets(self) -> str:
        """Return the domain of the entities that the services are called for."""
        return self.entity_domain or self.name

    def action(self, name: str) -> Action | None:
        """Return an action by its name."""
        return next((action for action in self.actions if action.name == name), None)

    def service(self, name: str) -> Service | None:
        """Return a service by its name."""
        return next((service for service in self.services if service.name == name), None)

    def attribute(self, name: str) -> Attribute | None:
        """Return an attribute by its name, or STATE."""
        return next((each for each in self.attributes if each.name == name), None)

    @property
    def options(self) -> frozenset[str]:
        """Return the attributes in which an entity lists what may be chosen of it."""
        fields = (each for service in self.services for each in service.fields.values())
        return frozenset(each.options for each in fields if each.options)

    @property
    def intents(self) -> frozenset[str]:
        """Return the names of the intents that stand for an action."""
        return frozenset(intent.name for action in self.actions for intent in action.intents)

    def put_values_back(
        self, before: Kept, state: State, changed: frozenset[str]
    ) -> Iterator[Step]:
        """Yield the steps that set each value again that is other, where the entity is able to."""
        yield from values_back(self.attributes, before, state, changed)

    def plan(self, action: Action, wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
        """Return the calls that carry out an action on entities; those that lack the ability are left out.

        Raises:
            PlanProblemError: none of the entities can do it, or not with this value.
        """
        if action.only_while_on:
            states = self._awake(action, states)
        if action.calls:
            return action.calls(wanted, states)
        able: Sequence[State] = need(action.able_of(states), states)
        if action.whom:
            able = action.whom(able)
        data: dict[str, dict[str, Any]] = {state.entity_id: dict(action.data) for state in able}
        taking: dict[str, dict[str, Any]] = {} if action.parameters else data
        for parameter in action.parameters:
            if action.any_value and parameter.name not in wanted.parameters:
                continue
            takers = parameter.takers(able, wanted.parameters[parameter.name])
            if not takers:
                raise CannotError(states)
            for entity_id, value in takers.items():
                taking.setdefault(entity_id, data[entity_id])[parameter.field] = value
        named = {state.entity_id: self._service_for(action, state) for state in able}
        return grouped(
            self.name, [(entity_id, named[entity_id], taking[entity_id]) for entity_id in taking]
        )

    def _service_for(self, action: Action, state: State) -> str:
        """Return the first of an action's services that an entity has; the first of all where none is."""
        first, *others = action.services
        for name in (first, *others):
            service = self.service(name)
            if others and service and service.able and service.able(state):
                return name
        return first

    def _awake(self, action: Action, states: Sequence[State]) -> Sequence[State]:
        """Return the entities that are on; all where none of them is able to do it anyway.

        Raises:
            IsOffError: those that could do it are off.
        """
        able = action.able_of(states)
        awake = [state for state in states if state.state not in self.off]
        if able and not awake:
            raise IsOffError(able)
        return awake or states


def values_back(
    rows: Sequence[Attribute], before: Kept, state: State, changed: frozenset[str]
) -> Iterator[Step]:
    """Yield the steps that set each value again that is other, where the entity is able to."""
    for row in rows:
        value = before.attributes.get(row.name)
        is_able = not row.feature or features_of(state) & row.feature
        if row.service and row.name in changed and value is not None and is_able:
            yield row.service, row.data(value)


def need(able: Sequence[State], states: Sequence[State]) -> Sequence[State]:
    """Return the entities that are able.

    Raises:
        CannotError: none of them is.
    """
    if not able:
        raise CannotError(states)
    return able


def grouped(domain: str, each: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[ToolCall]:
    """Return one call for each service and data, for all entities that get it.

    `each` has an entity id, its service, and its data.
    """
    groups: dict[str, list[str]] = {}
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for entity_id, service, data in each:
        key = repr((service, data))
        groups.setdefault(key, []).append(entity_id)
        calls[key] = service, data
    return [
        ToolCall(action=f"{domain}.{calls[key][0]}", targets=tuple(ids), data=dict(calls[key][1]))
        for key, ids in groups.items()
    ]
