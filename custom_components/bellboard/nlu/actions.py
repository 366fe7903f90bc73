"""Actions of an operation on the entities it is for, by domain."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from homeassistant.core import HomeAssistant

from ..domains.light_values import SHOWS_COLOR, WHITE_TONES
from ..domains.models import Command
from ..domains.registry import table_of
from ..home.catalog import CatalogEntity
from .described import ResolvedTargets
from .operations import Operation


def actions_of(
    hass: HomeAssistant,
    operation: Operation,
    found: Sequence[ResolvedTargets],
    left_out: frozenset[str],
) -> list[Command]:
    """Return the actions of an operation, by domain."""
    actions: list[Command] = []
    by_domain: dict[str, list[tuple[CatalogEntity, bool]]] = {}
    for described in found:
        if described.is_of_kinds:
            actions += _actions_of_namesakes(hass, operation, described, left_out)
            continue
        for entity in described.entities:
            if entity.entity_id not in left_out:
                # Of several that may be meant, it is asked once which one.
                is_one = described.is_ambiguous
                key = entity.domain if is_one else _key(hass, operation, entity)
                by_domain.setdefault(key, []).append((entity, described.is_ambiguous))
    for key, entries in _with_unable(by_domain).items():
        states = [s for e, _ in entries if (s := hass.states.get(e.entity_id))]
        domain = key.partition(".")[0]
        table = table_of(domain)
        own = operation.of_level(states[0]) if states else operation
        for state in states if own.frame.kelvin else ():
            own = own.of_white(state)
        for action in (table and own.actions(table, states)) or ():
            targets = tuple(dict.fromkeys(entity.entity_id for entity, _ in entries))
            actions.append(
                replace(
                    action,
                    targets=targets,
                    domain=domain,
                    is_ambiguous=any(unknown for _, unknown in entries) and len(targets) > 1,
                    is_list=len(found) > 1,
                    # What is multiplied is each one's own, and none of the room.
                    is_named=any(e.is_named for e in found) or bool(operation.frame.factor),
                    is_guess=any(e.is_unsure for e in found)
                    or (action.name == "turn_on" and all(e.is_elsewhere for e in found)),
                )
            )
    return actions


def _actions_of_namesakes(
    hass: HomeAssistant, operation: Operation, found: ResolvedTargets, left_out: Collection[str]
) -> list[Command]:
    """Return the one action for one of several namesakes, for those that can do it.

    It is of no domain where those of several can, who are asked for it alike; where each would be asked something
    else ("to 30 percent") there is none.
    """
    by_domain: dict[str, list[str]] = {}
    for entity in found.entities:
        # "Dim it to 20 percent" is said of no speaker.
        is_other = operation.is_dimming_to and entity.domain != "light"
        if entity.entity_id not in left_out and not is_other:
            by_domain.setdefault(entity.domain, []).append(entity.entity_id)
    actions: list[Command] = []
    targets: list[str] = []
    for domain, entity_ids in by_domain.items():
        states = [state for each in entity_ids if (state := hass.states.get(each))]
        table = table_of(domain)
        own = (table and operation.actions(table, states)) or []
        actions += [replace(each, domain=domain) for each in own]
        targets += entity_ids if own else []
    alike = {(each.name, str(sorted(each.parameters.items()))) for each in actions}
    domains = [each.domain for each in actions]
    if len(alike) != 1 or len(domains) > len(set(domains)):
        return []
    domain = domains[0] if len(domains) == 1 else ""
    is_ambiguous = len(targets) > 1
    return [
        replace(
            actions[0],
            targets=tuple(targets),
            domain=domain,
            is_ambiguous=is_ambiguous,
            is_named=True,
        )
    ]


def _key(hass: HomeAssistant, operation: Operation, entity: CatalogEntity) -> str:
    """Return what entities have in common that get one action, their domain first."""
    if operation.is_own_level(entity.domain):
        # What is multiplied, and the levels of a fan, are each one's own.
        return entity.entity_id
    state = hass.states.get(entity.entity_id) if operation.frame.kelvin else None
    if state and (WHITE_TONES(state) or SHOWS_COLOR(state)):
        return f"{entity.domain}.{operation.of_white(state).frame.kelvin}"
    return entity.domain


def _with_unable[T](groups: dict[str, list[T]]) -> dict[str, list[T]]:
    """Return groups by domain and value with those of a domain alone beside others of it: they are left out there."""
    for key in [key for key in groups if "." not in key]:
        if other := next((each for each in groups if each.startswith(f"{key}.")), None):
            groups[other] += groups.pop(key)
    return groups
