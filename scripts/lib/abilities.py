"""Writes docs/abilities.md: what Bellboard can do with each kind of device, made from the domains' tables."""

from collections.abc import Iterator
from pathlib import Path

from custom_components.bellboard.domains.actions import Action
from custom_components.bellboard.domains.registry import tables
from custom_components.bellboard.domains.services import Service
from custom_components.bellboard.domains.table import Domain

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "abilities.md"

_HEAD = """\
# What can be done with which device

Made from the tables in `domains/` by `scripts/abilities`; a test keeps it current. The first table of a domain lists
Home Assistant's actions that may be called, with what their fields take, what a device must be able to do, and how its
state shows that it was done. The second lists what can be asked for: with which values, in which of Home Assistant's
intents it is recognised, and whether a model is offered it. Values in `code` are told by the device itself.
"""


def render() -> str:
    """Return the whole document."""
    return "\n".join((_HEAD, *(line for table in tables() for line in _domain(table))))


def _domain(table: Domain) -> Iterator[str]:
    """Yield the lines about one domain."""
    if not table.services and not table.actions:
        return
    yield f"## {table.name}\n"
    if table.services:
        yield "| action | fields | needs | seen by |"
        yield "|---|---|---|---|"
        yield from (_service(table, service) for service in table.services)
        yield ""
    if table.actions:
        yield "| what is asked | values | intents | offered to a model |"
        yield "|---|---|---|---|"
        yield from (_action(table, action) for action in table.actions)
        yield ""
    if kept := [row.name for row in table.attributes if row.is_saved]:
        yield f"Kept for undo: {', '.join(f'`{name}`' for name in kept)}.\n"


def _service(table: Domain, service: Service) -> str:
    """Return the row of a service."""
    fields = [
        f"{name}{'' if name in service.required else '?'}: {field.description}"
        + (f" ({field.capability.description})" if field.capability else "")
        for name, field in service.fields.items()
    ]
    able = service.capability.description if service.capability else ""
    seen = service.check.description if service.check else "cannot be seen"
    return _row(f"{table.name}.{service.name}", "; ".join(fields), able, seen)


def _action(table: Domain, action: Action) -> str:
    """Return the row of an action."""
    values = ", ".join(
        f"{each.name}{f' ({each.unit})' if each.unit else ''}" for each in action.parameters
    )
    intents = ", ".join(dict.fromkeys(intent.name for intent in action.intents))
    is_planned = bool(table.agent_id) and action in table.plannable_actions
    offered = "yes" if is_planned and action.is_offered else ""
    return _row(action.name, values, intents, offered)


def _row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    DOCUMENT.write_text(render(), encoding="utf-8")
