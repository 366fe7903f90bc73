"""Row types of a domain's table: attributes, services with their fields, actions with parameters and intents.

A `Domain` declares once what Home Assistant's entities of one domain can do. Validation before a call,
outcome verification, undo, the values policies compare, reply texts, intent matching and the JSON schema
a model is offered are all read from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from homeassistant.core import HomeAssistant, State

from .checks import OutcomeCheck, has_value
from .fields import Bound, Capability, Field, features_of, most_severe, resolve_bound
from .models import ErrorCode, ToolCall

_NOTHING: Mapping[str, Any] = MappingProxyType({})


FRACTION = "share"
"""Unit of a number from 0 to 1 that is spoken as a percentage."""

SECOND_ROUND = "again"
"""Stands among the changed attributes when the undo steps of a first round left differences."""


class Comparison(StrEnum):
    """When an attribute counts as a difference between two snapshots of an entity.

    NEVER for a value that changes by itself. EXACTLY for one that an entity may report under another
    name once it is set again, so that a rough comparison leaves it out.
    """

    ALWAYS = "always"
    EXACTLY = "exactly"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Attribute:
    """Attribute of an entity, and the service that sets it.

    `name` is the attribute's, or STATE. `tolerance` is the largest rounding error of devices, in the
    attribute's own unit; None for an exact match. `service` sets the value with `field` of its data (by
    default the attribute's name) on entities with `feature`.

    A snapshot saves the value if `is_saved`, except `none_value` (the value that stands for none), and
    with `while_on` only while the entity is on. `comparison` says when it counts as a difference;
    `wraps_at` is the period of a circular first number (a hue's 360). With `in_scenes`, a scene that
    holds the value is checked by policies as a call of `service`.
    """

    name: str
    _: KW_ONLY
    tolerance: float | None = None
    service: str = ""
    field: str = ""
    feature: int = 0
    is_saved: bool = True
    while_on: bool = False
    in_scenes: bool = False
    none_value: str = ""
    wraps_at: float = 0
    comparison: Comparison = Comparison.ALWAYS

    def data(self, value: Any) -> dict[str, Any]:
        """Return the service data that sets a value."""
        return {self.field or self.name: value}


class ValueFormatter(Protocol):
    """Formats values for a reply, in the user's language and units."""

    def say(self, key: str) -> str:
        """Return a text of the language file."""
        ...

    def number(self, value: float) -> str:
        """Return a number with the language's decimal separator."""
        ...

    def value(self, value: Any, unit: str) -> str:
        """Return a value with its unit: "%", "°", FRACTION or nothing."""
        ...

    def percent(self, value: float) -> str:
        """Return a percentage, of a number from 0 to 100."""
        ...

    def temperature(self, value: float) -> str:
        """Return a temperature with the user's unit."""
        ...

    def color(self, name: str) -> str:
        """Return the localised name of a colour."""
        ...

    def mode(self, value: str, attribute: str) -> str:
        """Return the localised name of a mode attribute's value, or of a state where it is empty."""
        ...

    def join(self, values: Sequence[str]) -> str:
        """Return values as a list in words ("a, b and c")."""
        ...


type ReplyTranslation = tuple[str, Mapping[str, str]]
"""Translation key of a reply below the domain's replies, and its placeholders."""

type FieldRule = Callable[[Mapping[str, Any]], bool]
type ReplyBuilder = Callable[[ValueFormatter, ToolCall], ReplyTranslation]


@dataclass(frozen=True, slots=True)
class Service:
    """Service of Home Assistant that may be called for entities of a domain.

    `capability` is what an entity needs to have the service. `fields` validate its data, without the
    targets; `required` must be given, and `rule` says whether valid fields go together. `check` verifies
    the outcome in the state; without one it cannot be verified. `reply` builds the reply where the
    service's name and a single value are not enough. With `warns_if_off` the reply notes a target that
    remains off.
    """

    name: str
    capability: Capability | None = None
    fields: Mapping[str, Field] = field(default_factory=lambda: _NOTHING)
    _: KW_ONLY
    required: frozenset[str] = frozenset()
    rule: FieldRule | None = None
    check: OutcomeCheck | None = None
    reply: ReplyBuilder | None = None
    warns_if_off: bool = False

    def find_refusal(
        self, hass: HomeAssistant, state: State, data: Mapping[str, Any]
    ) -> ErrorCode | None:
        """Return why an entity of the domain refuses these data, or None for a valid call.

        INVALID, which holds for every entity, goes before UNSUPPORTED and OUT_OF_RANGE.
        """
        if not data.keys() <= self.fields.keys() or not self.required <= data.keys():
            return ErrorCode.INVALID
        code = most_severe(self.fields[name](hass, state, value) for name, value in data.items())
        if code is ErrorCode.INVALID or (self.rule and not self.rule(data)):
            return ErrorCode.INVALID
        if self.capability and not self.capability(state):
            return ErrorCode.UNSUPPORTED
        return code

    def build_reply(self, words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
        """Return the reply to a call; by default the service's name with the one value that was set."""
        if self.reply:
            return self.reply(words, call)
        values = [(self.fields.get(name), value) for name, value in call.data.items()]
        if len(values) != 1 or isinstance(values[0][1], bool):
            return self.name, {}
        field, value = values[0]
        return self.name, {"value": words.value(value, field.unit if field else "")}


def setting_service(
    name: str,
    capability: Capability | None,
    field: str,
    value: Field,
    *,
    attribute: str = "",
    tolerance: float | None = None,
    reply: ReplyBuilder | None = None,
    bool_replies: tuple[str, str] | None = None,
) -> Service:
    """Return a service that sets one field, verified by `attribute` (by default of the field's name).

    `bool_replies` are the keys of the replies to true and false.
    """
    if bool_replies is not None:
        on, off = bool_replies

        def reply(_words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
            return (on if call.data[field] else off), {}

    check = has_value(attribute or field, field, tolerance)
    required = frozenset({field})
    return Service(name, capability, {field: value}, required=required, check=check, reply=reply)


def at_most_one(*groups: frozenset[str]) -> FieldRule:
    """Return the rule that of each group at most one field is given."""
    return lambda data: all(len(group & data.keys()) <= 1 for group in groups)


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
    that do not reach the value are left out. With `fraction_words` "half" is a number.

    A STEP is added to `attribute`; `step_sizes` are offered where none is named, up to `max_step`.

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
        return {state.entity_id: plain for state in able}

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
    """Values of an action's parameters, and the climate `mode` ("heat", "cool") that the request implies."""

    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    mode: str = ""


type CallPlanner = Callable[[ActionInput, Sequence[State]], list[ToolCall]]
"""Plans the calls of an action for target states; raises ActionError where there are none."""


@dataclass(frozen=True, slots=True)
class Action:
    """Action that can be requested of the entities of a domain, planned as service calls.

    `service` is called with `data` and the `parameters`; of several services the first that an entity
    supports. `plan_calls` replaces that where one service is not enough. `capability` filters the
    targets, `prefer` picks some of several, `only_while_on` leaves out those that are off. With
    `any_parameter` some but not all parameters may be missing.

    A model is offered it if `is_offered`: `prompt_line` explains all actions of a `prompt_group`;
    `required_words` names the list of a language file without one of which it is not offered;
    `direction` is 1 for up and -1 for down.

    `intents` are recognised as it. `commands` are the follow-up commands ("stop") that stand for it; with
    `is_direct` the home agent calls the service itself, since Home Assistant has no sentence for it.
    `is_repeatable` if "again" does something more.
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
    prompt_line: str = ""
    prompt_group: str = ""
    is_offered: bool = True
    required_words: str = ""
    direction: int = 0
    intents: tuple[Intent, ...] = ()
    commands: frozenset[str] = frozenset()
    is_direct: bool = False
    is_repeatable: bool = False

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


class StateLike(Protocol):
    """Home Assistant's `State`, or anything else with a state and attributes."""

    @property
    def state(self) -> str:
        """Return the state."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the attributes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyValue:
    """Value that calls can set in several forms, normalised so that one policy rule covers them all.

    Brightness, for one, is set in percent, of 255, or as a step. `is_about` says whether a call, by its
    action and data, sets it in any form. `of` returns the resulting value for an entity, None where it is
    not known. `to` returns the action and data that set it absolutely.
    """

    name: str
    is_about: Callable[[str, Mapping[str, Any]], bool]
    of: Callable[[str, Mapping[str, Any], StateLike | None], float | None]
    to: Callable[[str, Mapping[str, Any], float], tuple[str, dict[str, Any]]]


class SavedState(Protocol):
    """State of an entity before a change, as undo reads it (`snapshot.StateSnapshot`)."""

    @property
    def state(self) -> str:
        """Return the state."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the saved attributes."""
        ...

    def number(self, name: str) -> float | None:
        """Return a numeric attribute, else None."""
        ...

    def text(self, name: str) -> str | None:
        """Return a text attribute, else None."""
        ...


type UndoStep = tuple[str, dict[str, Any]]
"""Service of the entity's own domain, and its data."""

type UndoPlanner = Callable[[SavedState, State, frozenset[str]], Iterator[UndoStep]]
"""Yields the undo steps from the saved state, the state now and the names of the changed attributes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """Table of one entity domain; the only place that declares what its entities can do.

    `prompt_noun` is what a specialist's prompt calls them ("lights"), empty for a domain without a
    specialist. In `off_states` most actions do nothing; `equivalent_states` map a state to the one it
    counts as. `entity_domain` is the domain of the targets where it is not the services' own.

    For undo, `plan_undo` yields the steps where setting the attributes again is not enough, `extra_saved`
    returns values to save beside the attributes, at the time given, and `undo_refusal` is the key of the
    text for what cannot be undone. `is_slow` if entities take so long that only the beginning is verified.

    For policies, `policy_values` normalise values that calls set in several forms, `policy_groups` are
    fields that a rule for one of them covers together, and `service_for_state` the services a scene's
    state amounts to. `step_sizes` are for relative changes.
    """

    name: str
    attributes: tuple[Attribute, ...] = ()
    services: tuple[Service, ...] = ()
    actions: tuple[Action, ...] = ()
    prompt_noun: str = ""
    off_states: frozenset[str] = frozenset()
    equivalent_states: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    service_for_state: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    plan_undo: UndoPlanner | None = None
    extra_saved: Callable[[State, datetime], Mapping[str, Any]] | None = None
    is_slow: bool = False
    undo_refusal: str = "undo.cannot"
    policy_values: tuple[PolicyValue, ...] = ()
    policy_groups: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    step_sizes: StepSizes | None = None
    entity_domain: str = ""

    @property
    def targets(self) -> str:
        """Return the domain of the target entities."""
        return self.entity_domain or self.name

    def action(self, name: str) -> Action | None:
        """Return an action by its name, or None."""
        return next((action for action in self.actions if action.name == name), None)

    def service(self, name: str) -> Service | None:
        """Return a service by its name, or None."""
        return next((service for service in self.services if service.name == name), None)

    def attribute(self, name: str) -> Attribute | None:
        """Return an attribute by its name or STATE, or None."""
        return next((each for each in self.attributes if each.name == name), None)

    @property
    def options(self) -> frozenset[str]:
        """Return the names of the attributes that list an entity's options."""
        fields = (each for service in self.services for each in service.fields.values())
        return frozenset(each.options for each in fields if each.options)

    @property
    def intents(self) -> frozenset[str]:
        """Return the names of the intents that map to an action."""
        return frozenset(intent.name for action in self.actions for intent in action.intents)

    def undo_steps(
        self, before: SavedState, state: State, changed: frozenset[str]
    ) -> Iterator[UndoStep]:
        """Yield the steps that restore an entity; by default each changed attribute is set again."""
        if self.plan_undo:
            yield from self.plan_undo(before, state, changed)
        else:
            yield from restore_attributes(self.attributes, before, state, changed)

    def plan(self, action: Action, wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
        """Return the calls that carry out an action on entities; those without the capability are left out.

        Raises:
            ActionError: no entity has the capability, or none takes the value.
        """
        if action.only_while_on:
            states = self._drop_off_states(action, states)
        if action.plan_calls:
            return action.plan_calls(wanted, states)
        able: Sequence[State] = require_any(action.capable_states(states), states)
        if action.prefer:
            able = action.prefer(able)
        data: dict[str, dict[str, Any]] = {state.entity_id: dict(action.data) for state in able}
        taking: dict[str, dict[str, Any]] = {} if action.parameters else data
        for parameter in action.parameters:
            if action.any_parameter and parameter.name not in wanted.parameters:
                continue
            values = parameter.values_for(able, wanted.parameters[parameter.name])
            if not values:
                raise NotSupportedError(states)
            for entity_id, value in values.items():
                taking.setdefault(entity_id, data[entity_id])[parameter.field] = value
        named = {state.entity_id: self._service_for(action, state) for state in able}
        return group_calls(
            self.name, [(entity_id, named[entity_id], taking[entity_id]) for entity_id in taking]
        )

    def _service_for(self, action: Action, state: State) -> str:
        """Return the first of an action's services that an entity supports, else the first of all."""
        first, *others = action.services
        for name in (first, *others):
            service = self.service(name)
            if others and service and service.capability and service.capability(state):
                return name
        return first

    def _drop_off_states(self, action: Action, states: Sequence[State]) -> Sequence[State]:
        """Return the states of the entities that are on; all where none has the capability anyway.

        Raises:
            IsOffError: all entities with the capability are off.
        """
        able = action.capable_states(states)
        awake = [state for state in states if state.state not in self.off_states]
        if able and not awake:
            raise IsOffError(able)
        return awake or states


def restore_attributes(
    rows: Sequence[Attribute], before: SavedState, state: State, changed: frozenset[str]
) -> Iterator[UndoStep]:
    """Yield the steps that set each changed attribute again, where the entity has the feature."""
    for row in rows:
        value = before.attributes.get(row.name)
        is_able = not row.feature or features_of(state) & row.feature
        if row.service and row.name in changed and value is not None and is_able:
            yield row.service, row.data(value)


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
