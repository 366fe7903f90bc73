"""The table of a domain: its attributes, its services, its actions, and what holds for all of them.

A `Domain` declares once what Home Assistant's entities of one domain can do. Validation before a call,
outcome verification, undo, the values policies compare, reply texts, intent matching and the JSON schema
a model is offered are all read from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from homeassistant.core import State

from .actions import (
    Action,
    ActionInput,
    IsOffError,
    NotSupportedError,
    StepSizes,
    group_calls,
    require_any,
)
from .effects import Effect
from .fading import FADE, is_timed, with_fade
from .models import StateLike, ToolCall
from .services import Attribute, SavedState, Service, UndoPlanner, UndoStep, restore_attributes

_NOTHING: Mapping[str, Any] = MappingProxyType({})


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


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualLevel:
    """Level at which what is off comes on by the action `switches`, where none is said and one is usual.

    It is the one that the action `sets` was told last, in its `parameter`.
    """

    switches: str
    sets: str
    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Domain:
    """Table of one entity domain; the only place that declares what its entities can do.

    `agent_id` is the id of its specialist, empty for a domain without one, and `prompt_noun` what that
    one's prompt calls its entities ("lights"). In `off_states` most actions do nothing;
    `equivalent_states` map a state to the one it counts as. `entity_domain` is the domain of the targets
    where it is not the services' own.

    For undo, `plan_undo` yields the steps where setting the attributes again is not enough, `extra_saved`
    returns values to save beside the attributes, at the time given, and `undo_refusal` is the key of the
    text for what cannot be undone, `refusal_unseen` that for what no state shows, so that nothing seems to have been
    done; `not_undone` says in the table of abilities why.
    `is_slow` if entities take so long that only the beginning is verified.

    For policies, `effects` are what the services bring about, `policy_values` normalise values that calls set in
    several forms, `implies` returns the values that a service sets though they are not in its data, from a state, and
    `policy_groups` are fields that a rule for one of them covers together. `step_sizes` are for relative changes,
    `usual_level` is for what comes on at a level by habit.
    """

    name: str
    attributes: tuple[Attribute, ...] = ()
    services: tuple[Service, ...] = ()
    actions: tuple[Action, ...] = ()
    agent_id: str = ""
    prompt_noun: str = ""
    off_states: frozenset[str] = frozenset()
    equivalent_states: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    effects: tuple[Effect, ...] = ()
    plan_undo: UndoPlanner | None = None
    extra_saved: Callable[[State, datetime], Mapping[str, Any]] | None = None
    is_slow: bool = False
    undo_refusal: str = "undo.cannot"
    refusal_unseen: str = ""
    policy_values: tuple[PolicyValue, ...] = ()
    implies: Callable[[str, StateLike | None], Mapping[str, tuple[Any, ...]]] | None = None
    policy_groups: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    step_sizes: StepSizes | None = None
    usual_level: UsualLevel | None = None
    entity_domain: str = ""
    not_undone: str = ""

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
    def plannable_actions(self) -> list[Action]:
        """Return the actions that a specialist can plan: those whose services are in the table."""
        return [action for action in self.actions if all(map(self.service, action.services))]

    @property
    def intents(self) -> frozenset[str]:
        """Return the names of the intents that a specialist can plan."""
        return frozenset(
            intent.name for action in self.plannable_actions for intent in action.intents
        )

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

        They take the seconds of the parameter `transition`, where their service takes a time.

        Raises:
            ActionError: no entity has the capability, or none takes the value.
        """
        if action.only_while_on:
            states = self._drop_off_states(action, states)
        calls = (
            action.plan_calls(wanted, states)
            if action.plan_calls
            else self._plan_by_row(action, wanted, states)
        )
        if not (seconds := wanted.parameters.get(FADE)):
            return calls
        named = ((call, self.service(call.action.partition(".")[2])) for call in calls)
        return [with_fade(call, service, float(seconds)) for call, service in named]

    def fades(self, action: Action) -> bool:
        """Return whether an action can take its time: "slowly turn it off"."""
        return any(is_timed(self.service(name)) for name in action.services)

    def _plan_by_row(
        self, action: Action, wanted: ActionInput, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls of an action by its row alone.

        Raises:
            ActionError: no entity has the capability, or none takes the value.
        """
        able: Sequence[State] = require_any(action.capable_states(states), states)
        if action.prefer:
            able = action.prefer(able)
        own = action.more_data or (lambda _wanted, _state: {})
        data: dict[str, dict[str, Any]] = {
            state.entity_id: {**action.data, **own(wanted, state)} for state in able
        }
        taking: dict[str, dict[str, Any]] = {} if action.parameters else data
        for parameter in action.parameters:
            if action.any_parameter and parameter.name not in wanted.parameters:
                continue
            values = parameter.values_for(able, wanted.parameters[parameter.name])
            if not values:
                raise NotSupportedError(states)
            for entity_id, value in values.items():
                taking.setdefault(entity_id, data[entity_id])[parameter.field_for(value)] = value
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
