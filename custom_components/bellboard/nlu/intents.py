"""What Home Assistant's own intents need of their targets.

The same constraints as Home Assistant's handlers use, so that a sentence means the same entities
whether its agent or ours carries it out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.const import STATE_PLAYING
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..domains.registry import GENERIC_INTENTS, find_intent_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What the targets of an intent must be, be able to do, and be doing.

    `by_name_only` where the intent's area is no place to look in: a vacuum is sent there.
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


def known_requirement(name: str) -> Requirement | None:
    """Return what one of the intents needs that stand in the tables of domains, None for others."""
    if name in GENERIC_INTENTS:
        return Requirement()
    if not (rows := find_intent_rows(name)):
        return None
    _, _, row = rows[0]
    return Requirement(
        domains=frozenset(table.name for table, _, _ in rows),
        features=row.features,
        states=row.states,
        single=row.single_target,
        playing_if_several=row.playing_if_several,
        by_name_only=row.by_name_only,
    )


@dataclass(frozen=True, slots=True)
class Matched:
    """The exposed entities an intent means.

    `is_ambiguous` where one of them is meant, and the words do not say which.
    """

    entity_ids: tuple[str, ...]
    is_ambiguous: bool = False


def match_intent(
    hass: HomeAssistant, name: str, slots: Mapping[str, Any], area_id: str | None
) -> Matched | None:
    """Return the entities an intent's slots mean, or None where they mean nothing acceptable.

    `area_id` is where the speaker is; it decides between entities of the same name.
    """
    if (requirement := requirement_of(hass, name)) is None:
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
    result = intent.async_match_targets(hass, constraints, preferences)
    if area_id and result.no_match_reason is intent.MatchFailedReason.NAME:
        # Several may have the name, none of them where the speaker is.
        return match_intent(hass, name, slots, None)
    if result.no_match_reason in _AMBIGUOUS:
        constraints = replace(constraints, allow_duplicate_names=True, single_target=False)
        candidates = intent.async_match_targets(hass, constraints, preferences).states
        playing = [state for state in candidates if state.state == STATE_PLAYING]
        if requirement.domains == _PLAYER and len(playing) == 1:
            return Matched(_entity_ids(playing))
        return Matched(_entity_ids(candidates), is_ambiguous=True)
    states = result.states if result.is_match else []
    if requirement.playing_if_several and len(states) > 1 and not entity_name:
        states = [state for state in states if state.state == STATE_PLAYING]
    if not states:
        return None
    return Matched(_entity_ids(states))


def asked_about(
    hass: HomeAssistant, domain: str | None, slots: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the exposed entities that a question for states is about; all where its words name none.

    `domain` is what it is about where the words do not say.
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
    return _entity_ids(intent.async_match_targets(hass, constraints).states)


def requirement_of(hass: HomeAssistant, name: str) -> Requirement | None:
    """Return what an intent needs of its targets, or None where that is not known."""
    if known := known_requirement(name):
        return known
    handler = handler_of(hass, name)
    if not isinstance(handler, intent.ServiceIntentHandler):
        return None
    return Requirement(
        domains=frozenset(handler.required_domains or {handler.domain}),
        features=handler.required_features,
        states=frozenset(handler.required_states) if handler.required_states else None,
    )


def handler_of(hass: HomeAssistant, name: str) -> intent.IntentHandler | None:
    """Return the handler of an intent, whoever registered it."""
    return next((each for each in intent.async_get(hass) if each.intent_type == name), None)


def domain_of_handler(handler: intent.IntentHandler) -> str:
    """Return the integration that an intent's handler is of, by where it is written."""
    parts = type(handler).__module__.split(".")
    for package in ("components", "custom_components"):
        if package in parts[:-1]:
            return parts[parts.index(package) + 1]
    return ""


def _entity_ids(states: Iterable[State]) -> tuple[str, ...]:
    """Return the entity ids of states."""
    return tuple(state.entity_id for state in states)


def _as_set(value: Any) -> set[str] | None:
    """Return a slot's value or values as a set, or None where the slot is empty."""
    if not value:
        return None
    return {value} if isinstance(value, str) else set(value)
