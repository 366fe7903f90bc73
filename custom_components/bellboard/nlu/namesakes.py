"""Actions for one of several things of one name that are of different domains: a lamp and a speaker."""

from collections.abc import Collection
from dataclasses import replace

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..domains.registry import table_of
from .described import ResolvedTargets
from .operations import Operation

_LIGHT = "light"


def actions_of_namesakes(
    hass: HomeAssistant, operation: Operation, found: ResolvedTargets, left_out: Collection[str]
) -> list[Command]:
    """Return the one action for one of several namesakes, for those that can do it.

    It is of no domain where those of several can, who are asked for it alike; where each would be asked something
    else ("to 30 percent") there is none.
    """
    by_domain: dict[str, list[str]] = {}
    for entity in found.entities:
        # "Dim it to 20 percent" is said of no speaker.
        is_other = operation.is_dimming_to and entity.domain != _LIGHT
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
