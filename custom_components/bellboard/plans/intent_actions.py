"""Maps Home Assistant's intents to the actions of a domain."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..domains.models import Command
from ..domains.registry import GENERIC_INTENTS, find_intent_rows, read_parameters, table_of


def domain_of(entity_ids: Iterable[str]) -> str:
    """Return the one domain of entities, or nothing where there are none or several."""
    domains = {entity_id.partition(".")[0] for entity_id in entity_ids}
    return domains.pop() if len(domains) == 1 else ""


def action_of_intent(name: str, slots: Mapping[str, Any], domain: str) -> Command | None:
    """Return the action of one of Home Assistant's intents with entities of a domain, or None.

    Where it has an intent of the same name for different things, "on" is open or locked.
    """
    for table, action, row in find_intent_rows(name):
        if table.name == domain and row.matches(slots):
            parameters = read_parameters(action, row, slots)
            return Command(name=action.name, parameters=parameters)
    is_known = table_of(domain) is not None and name in GENERIC_INTENTS
    return Command(name=GENERIC_INTENTS[name]) if is_known else None
