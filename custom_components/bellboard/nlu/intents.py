"""Target matching for Home Assistant's intents, with the constraints of its own intent handlers.

So a sentence has the same targets whether Home Assistant's agent or a specialist carries it out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.const import ATTR_DEVICE_CLASS, STATE_PLAYING
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..domains.player_groups import without_followers
from ..domains.registry import GENERIC_INTENTS, find_intent_rows
from .target_index import async_match_targets


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRequirement:
    """Constraints on the targets of an intent: domains, features (any bit), states, number.

    `by_name_only` if the area slot is a destination ("vacuum the kitchen") and no constraint.
    """

    domains: frozenset[str] | None = None
    features: int | None = None
    states: frozenset[str] | None = None
    single: bool = False
    playing_if_several: bool = False
    by_name_only: bool = False


_PLAYER = frozenset({"media_player"})
_AMBIGUOUS = {
    intent.MatchFailedReason.DUPLICATE_NAME,
    intent.MatchFailedReason.MULTIPLE_TARGETS,
}


def find_table_requirement(name: str) -> TargetRequirement | None:
    """Return the requirement of an intent from the domain tables, None for one that is not in them."""
    if name in GENERIC_INTENTS:
        return TargetRequirement()
    if not (rows := find_intent_rows(name)):
        return None
    _, _, row = rows[0]
    return TargetRequirement(
        domains=frozenset(table.name for table, _, _ in rows),
        features=row.features,
        states=row.states,
        single=row.single_target,
        playing_if_several=row.playing_if_several,
        by_name_only=row.by_name_only,
    )


@dataclass(frozen=True, slots=True)
class IntentTargets:
    """Exposed target entities of an intent; `is_ambiguous` if it is for one unknown of them."""

    entity_ids: tuple[str, ...]
    is_ambiguous: bool = False


def match_intent(
    hass: HomeAssistant, name: str, slots: Mapping[str, Any], area_id: str | None
) -> IntentTargets | None:
    """Return the targets of an intent's slots, or None where nothing matches.

    `area_id` is the speaker's area, which is preferred among entities of one name.
    """
    if (requirement := find_requirement(hass, name)) is None:
        return None
    entity_name = slots.get("name")
    if requirement.by_name_only:
        slots = {"name": entity_name}
    constraints = intent.MatchTargetsConstraints(
        name=None if entity_name == "all" else entity_name,
        area_name=slots.get("area"),
        floor_name=slots.get("floor"),
        domains=_as_set(slots.get("domain")) or requirement.domains,
        device_classes=_as_set(slots.get("device_class")),
        features=requirement.features,
        states=requirement.states,
        assistant=CONVERSATION_DOMAIN,
        single_target=requirement.single,
    )
    if not constraints.has_constraints:
        return None
    preferences = intent.MatchTargetsPreferences(area_id=area_id)
    result = async_match_targets(hass, constraints, preferences)
    if area_id and result.no_match_reason is intent.MatchFailedReason.NAME:
        # Several may have the name, none of them in the speaker's area.
        return match_intent(hass, name, slots, None)
    if result.no_match_reason in _AMBIGUOUS:
        constraints = replace(constraints, allow_duplicate_names=True, single_target=False)
        candidates = async_match_targets(hass, constraints, preferences).states
        if requirement.single and not entity_name:
            candidates = _without_televisions(candidates)
        if len(candidates) == 1:
            return IntentTargets(_entity_ids(candidates))
        playing = [state for state in candidates if state.state == STATE_PLAYING]
        leading = without_followers(playing)
        if requirement.domains == _PLAYER and len(leading) == 1:
            return IntentTargets(_entity_ids(leading))
        return IntentTargets(_entity_ids(candidates), is_ambiguous=True)
    states = result.states if result.is_match else []
    if requirement.playing_if_several and len(states) > 1 and not entity_name:
        states = [state for state in states if state.state == STATE_PLAYING]
    if not states:
        return None
    return IntentTargets(_entity_ids(states))


def find_queried_entities(
    hass: HomeAssistant, domain: str | None, slots: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the exposed entities that a state query's slots match; all without constraints.

    `domain` applies where the slots have none.
    """
    constraints = intent.MatchTargetsConstraints(
        name=slots.get("name"),
        area_name=slots.get("area"),
        floor_name=slots.get("floor"),
        domains=_as_set(slots.get("domain")) or _as_set(domain),
        device_classes=_as_set(slots.get("device_class")),
        assistant=CONVERSATION_DOMAIN,
        allow_duplicate_names=True,
    )
    return _entity_ids(async_match_targets(hass, constraints).states)


def find_requirement(hass: HomeAssistant, name: str) -> TargetRequirement | None:
    """Return the requirement of an intent, from the tables or its handler; None where neither has one."""
    if known := find_table_requirement(name):
        return known
    handler = find_intent_handler(hass, name)
    if not isinstance(handler, intent.ServiceIntentHandler):
        return None
    return TargetRequirement(
        domains=frozenset(handler.required_domains or {handler.domain}),
        features=handler.required_features,
        states=frozenset(handler.required_states) if handler.required_states else None,
    )


def find_intent_handler(hass: HomeAssistant, name: str) -> intent.IntentHandler | None:
    """Return the registered handler of an intent, or None."""
    return next((each for each in intent.async_get(hass) if each.intent_type == name), None)


def integration_of(handler: intent.IntentHandler) -> str:
    """Return the integration of an intent's handler, by its module; "" for none."""
    parts = type(handler).__module__.split(".")
    for package in ("components", "custom_components"):
        if package in parts[:-1]:
            return parts[parts.index(package) + 1]
    return ""


def _without_televisions(states: list[State]) -> list[State]:
    """Return the states of what is no television, all where there is nothing else."""
    others = [state for state in states if state.attributes.get(ATTR_DEVICE_CLASS) != "tv"]
    return others or states


def _entity_ids(states: Iterable[State]) -> tuple[str, ...]:
    """Return the entity ids of states."""
    return tuple(state.entity_id for state in states)


def _as_set(value: Any) -> set[str] | None:
    """Return a slot's value or values as a set, or None where the slot is empty."""
    if not value:
        return None
    return {value} if isinstance(value, str) else set(value)
