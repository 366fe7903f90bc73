"""Rows for what can be asked of an entity: actions with their parameters, and the intents that stand for them.

An action is planned for the states of entities: those that are capable get a service call each, grouped by
value. Planning raises an ActionError that says why there is none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from homeassistant.core import State

from .models import ToolCall
from .services import Bound, Capability, resolve_bound

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class ParameterKind(StrEnum):
    """Type of a parameter, which decides how its value is extracted from a request.

    STEP is a signed change, CHOICE one of some options, TEXT a span of the request.
    """

    NUMBER = "number"
    STEP = "step"
    CHOICE = "choice"
    COLOR = "color"
    TEXT = "text"


class ActionError(Exception):
    """An action cannot be planned for any of its target entities; `states` are theirs."""

    def __init__(self, states: Sequence[State]) -> None:
        """Store the states of the targets."""
        super().__init__(type(self).__name__)
        self.states = states


class NotSupportedError(ActionError):
    """No target has the capability."""


class IsOffError(ActionError):
    """The capable targets are off, and the action does not turn them on."""


class OutOfRangeError(ActionError):
    """The value is outside every target's range, from `low` to `high` in the parameter's `unit`."""

    def __init__(self, states: Sequence[State], low: float, high: float, unit: str) -> None:
        """Store the states of the targets and their range."""
        super().__init__(states)
        self.low, self.high, self.unit = low, high, unit


class OtherModeError(ActionError):
    """The targets run in another mode than the one to be turned off; `mode` is the one they run in."""

    def __init__(self, states: Sequence[State], mode: str) -> None:
        """Store the states of the targets and their mode."""
        super().__init__(states)
        self.mode = mode


@dataclass(frozen=True, slots=True)
class Parameter:
    """Slot of an action, in the unit a person says it, and the service field it becomes.

    `name` is the parameter's in a plan, `field` the service's. `unit` is "%", "°" or "K"; the service gets
    the value divided by `divisor`, rounded to `digits`, after `cast`. `capability` is what an entity needs
    to take it. `commands` are the follow-up commands ("louder", "30 percent") that set it.

    A NUMBER lies between `low` and `high`, or in `default_range` where the entity's attributes do not say;
    `range_from` are the entities whose attributes do. With `must_reach`, or by `filter_reaching`, targets
    that do not reach the value are left out. With `fraction_words` "half" is a number. `measures` names what
    is set ("brightness", "volume"), as people call it. `least` is the entity's attribute with the lowest value
    above 0 that it can have.

    A STEP is added to `attribute`; `step_sizes` are offered where none is named, up to `max_step`.

    A COLOR is a name, or a list of red, green and blue from 0 to 255 for the field `rgb_field`.

    A TEXT is explained to a model by `hint`; with `for_capable` only a capable one is asked for a parameter,
    which it may leave out. One that `is_verbatim` has only what the person said, word for word.

    A CHOICE is one of `choices`, or of the entity's attribute `options`; with `offers_all` a model is
    offered all of them even if the request names none. It is not offered if `yields_to` is named.
    """

    name: str
    _: KW_ONLY
    kind: ParameterKind = ParameterKind.NUMBER
    field: str = ""
    unit: str = ""
    divisor: float = 1
    digits: int | None = None
    low: Bound = None
    high: Bound = None
    default_range: tuple[float, float] = (0, 0)
    must_reach: bool = False
    options: str = ""
    choices: tuple[str, ...] = ()
    offers_all: bool = False
    fraction_words: bool = False
    attribute: str = ""
    step_sizes: tuple[float, ...] = ()
    max_step: float = 100
    capability: Capability | None = None
    filter_reaching: Callable[[Sequence[State], float], Sequence[State]] | None = None
    yields_to: str = ""
    range_from: Capability | None = None
    cast: Callable[[Any], Any] | None = None
    commands: tuple[str, ...] = ()
    measures: str = ""
    rgb_field: str = ""
    hint: str = ""
    for_capable: bool = False
    is_verbatim: bool = False
    least: str = ""

    def field_for(self, value: Any) -> str:
        """Return the service field that a value becomes: a colour has one by name and one by its parts."""
        return self.rgb_field if self.rgb_field and isinstance(value, list) else self.field

    def values_for(self, states: Sequence[State], value: Any) -> dict[str, Any]:
        """Return the service field's value by entity id, for the entities that can take it.

        Raises:
            OutOfRangeError: no entity with the capability reaches the value.
        """
        able = [state for state in states if self.capability is None or self.capability(state)]
        if self.options:
            own = {state.entity_id: _own_name(state, self.options, value) for state in able}
            return {entity_id: name for entity_id, name in own.items() if name is not None}
        if self.kind is ParameterKind.STEP:
            return self._moved(able, float(value))
        if self.filter_reaching:
            able = list(self.filter_reaching(able, float(value)))
        elif self.must_reach and able:
            able = self._within(able, float(value))
        plain = float(value) / self.divisor if self.divisor != 1 else value
        if self.kind is ParameterKind.NUMBER and self.cast:
            plain = self.cast(plain)
        return {state.entity_id: self._at_least(state, plain) for state in able}

    def _at_least(self, state: State, value: Any) -> Any:
        """Return a value above 0 as the lowest that an entity can have, where that is higher: a fan's first speed."""
        least = state.attributes.get(self.least) if self.least else None
        is_below = isinstance(least, int | float) and isinstance(value, int | float)
        return int(least) if least and is_below and 0 < value < int(least) else value

    def _moved(self, states: Sequence[State], by: float) -> dict[str, Any]:
        """Return the attribute after a step, clamped to the range, by entity id; unknown ones are left out."""
        found: dict[str, Any] = {}
        for state in states:
            now = state.attributes.get(self.attribute)
            if not isinstance(now, int | float):
                continue
            value = now + by / self.divisor
            if (low := resolve_bound(state, self.low)) is not None:
                value = max(value, low)
            if (high := resolve_bound(state, self.high)) is not None:
                value = min(value, high)
            found[state.entity_id] = value if self.digits is None else round(value, self.digits)
        return found

    def _within(self, states: Sequence[State], value: float) -> list[State]:
        """Return the entities with a value in their own range.

        Raises:
            OutOfRangeError: there are none.
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
        """Return the entity's own lower and upper limit; None for one that it does not report."""
        return resolve_bound(state, self.low), resolve_bound(state, self.high)


def percentage(
    name: str,
    field: str,
    *,
    measures: str,
    divisor: float = 1,
    capability: Capability | None = None,
    least: str = "",
) -> Parameter:
    """Return a percentage to set outright, also by the short commands about what was spoken of.

    `divisor` is what the service's value is a part of: 100 where it goes from 0 to 1. `least` is the attribute with
    the lowest value above 0.
    """
    return Parameter(
        name,
        field=field,
        unit="%",
        divisor=divisor,
        low=0,
        high=100,
        fraction_words=True,
        capability=capability,
        commands=("percent", "level", "number"),
        measures=measures,
        least=least,
    )


def choice(
    name: str, field: str, options: str, *, measures: str = "", offers_all: bool = False
) -> Parameter:
    """Return one of what an entity lists in its attribute `options`."""
    return Parameter(
        name,
        kind=ParameterKind.CHOICE,
        field=field,
        options=options,
        measures=measures,
        offers_all=offers_all,
    )


def _own_name(state: State, options: str, wanted: str) -> str | None:
    """Return an option in the entity's own spelling, ignoring case; None where it has no such option."""
    names = [str(name) for name in state.attributes.get(options) or ()]
    if wanted in names:
        return wanted
    folded = wanted.casefold()
    return next((name for name in names if name.casefold() == folded), None)


@dataclass(frozen=True, slots=True)
class Intent:
    """Intent of Home Assistant that maps to an action.

    `slots` map slot names to parameters. `slot_values` restrict it to values of a slot, or with "!" before
    the slot's name to other values. The rest are Home Assistant's constraints on targets: `features` (any
    bit), `states`, `single_target`, of several only the playing ones (`playing_if_several`), and matching
    `by_name_only`, where the area slot is a destination.
    """

    name: str
    slots: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    _: KW_ONLY
    slot_values: Mapping[str, frozenset[str]] = field(default_factory=lambda: _NOTHING)
    features: int | None = None
    states: frozenset[str] | None = None
    single_target: bool = False
    playing_if_several: bool = False
    by_name_only: bool = False

    def matches(self, slots: Mapping[str, Any]) -> bool:
        """Return whether an intent with these slots maps to the action."""
        for name, values in self.slot_values.items():
            if name.startswith("!"):
                if str(slots.get(name[1:])) in values:
                    return False
            elif str(slots.get(name)) not in values:
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInput:
    """Values of an action's parameters, and the climate `mode` ("heat", "cool") that the request implies.

    `others` are the states of all entities of the domain that may be read, for an action that sees them.
    """

    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    mode: str = ""
    others: Sequence[State] = ()


type CallPlanner = Callable[[ActionInput, Sequence[State]], list[ToolCall]]
"""Plans the calls of an action for target states; raises ActionError where there are none."""


@dataclass(frozen=True, slots=True)
class Action:
    """Action that can be requested of the entities of a domain, planned as service calls.

    `service` is called with `data`, the `parameters` and an entity's own `more_data`; of several services the
    first that an entity supports. `plan_calls` replaces that where one service is not enough. `capability` filters
    the targets, `prefer` picks some of several, `only_while_on` leaves out those that are off. With
    `any_parameter` some but not all parameters may be missing.

    A model is offered it if `is_offered`, with `for_capable` only a capable one: `prompt_line` explains all
    actions of a `prompt_group`; `required_words` is the attribute without a word for which it is
    not offered; `direction` is 1 for up and -1 for down.

    `intents` are recognised as it. `commands` are the follow-up commands ("stop") that stand for it; with
    `is_direct` the home agent calls the service itself, since Home Assistant has no sentence for it.
    `is_repeatable` if "again" does something more. With `sees_others` it is planned by the domain's other
    entities, too (`ActionInput.others`). With `takes_usual` it is for the target that was used last in the room, where
    nothing says which of several is meant.
    """

    name: str
    service: str | tuple[str, ...] = ""
    _: KW_ONLY
    data: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    parameters: tuple[Parameter, ...] = ()
    any_parameter: bool = False
    capability: Capability | None = None
    prefer: Callable[[Sequence[State]], Sequence[State]] | None = None
    only_while_on: bool = False
    plan_calls: CallPlanner | None = None
    more_data: Callable[[ActionInput, State], Mapping[str, Any]] | None = None
    prompt_line: str = ""
    prompt_group: str = ""
    is_offered: bool = True
    for_capable: bool = False
    required_words: str = ""
    direction: int = 0
    intents: tuple[Intent, ...] = ()
    commands: frozenset[str] = frozenset()
    is_direct: bool = False
    is_repeatable: bool = False
    sees_others: bool = False
    takes_usual: bool = False

    @property
    def services(self) -> tuple[str, ...]:
        """Return the names of the services that it may call, the preferred first."""
        return (self.service,) if isinstance(self.service, str) else self.service

    def capable_states(self, states: Sequence[State]) -> list[State]:
        """Return the states of the entities with its capability."""
        return [state for state in states if self.capability is None or self.capability(state)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSizes:
    """Relative changes of a domain ("a bit brighter"): the action, and its step `sizes`.

    `sizes` has the step for the amounts "little", "much" and "" (unspecified), in the parameter's unit. `up`
    and `down` are actions without a size, `words` the domain's own follow-up commands ("brighter",
    "darker"). `sets` is the action and parameter that set the same value absolutely; where that is used
    for a step, it is counted from `attribute` and not below `lowest`. No step exceeds `max_step`; only
    with `allows_fractions` is it below 1.
    """

    sets: tuple[str, str]
    action: str = ""
    sizes: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    up: str = ""
    down: str = ""
    words: tuple[str, str] | None = None
    attribute: str = ""
    lowest: float = 0
    max_step: float | None = None
    allows_fractions: bool = False

    def changes(self, action: str) -> bool:
        """Return whether an action moves or sets the value."""
        return action in {self.action, self.up, self.down, self.sets[0]}


def require_any(able: Sequence[State], states: Sequence[State]) -> Sequence[State]:
    """Return the states of the capable entities, of those in `states`.

    Raises:
        NotSupportedError: there are none.
    """
    if not able:
        raise NotSupportedError(states)
    return able


def group_calls(domain: str, each: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[ToolCall]:
    """Return calls with equal service and data merged into one for all their entities.

    `each` holds entity id, service and data.
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
