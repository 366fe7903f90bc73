"""Writes docs/abilities.md: what Bellboard can do with each kind of device, made from the domains' tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from custom_components.bellboard.domains.actions import Action
from custom_components.bellboard.domains.effects import Effect
from custom_components.bellboard.domains.registry import tables
from custom_components.bellboard.domains.services import Service
from custom_components.bellboard.domains.table import Domain

_ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = _ROOT / "docs" / "abilities.md"
TEST = "tests/domains/test_sentences_of_abilities.py::test_each_ability_is_read"
PLANNED = "tests/domains/test_feature_flags.py"
_SENTENCES: dict[str, Any] = yaml.safe_load(
    (_ROOT / "tests" / "domains" / "abilities.yaml").read_text(encoding="utf-8")
)
_WITH_FLAGS = frozenset({"light", "media_player", "climate"})

_HEAD = f"""\
# What can be done with which device

Made from the tables in `domains/` by `scripts/abilities`; a test keeps it current. The first table of a domain lists
Home Assistant's actions that may be called, with what their fields take, what a device must be able to do, and how its
state shows that it was done. The second lists what can be asked for: with which values and a sentence that is read
without a model, in which of Home Assistant's intents it is recognised, which models are offered it, how it is verified,
what undoing puts back, and the test. Values in `code` are told by the device itself. Actions that can end in the same
state are equal for policies; those in brackets end so by the way, and a rule on them is not about the others.

"read" is `{TEST}`, which says each of the sentences; "flags" is `{PLANNED}`, which tries the actions of
lights, players and thermostats with their features in all combinations, or very many.
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
        yield "| what is asked | values | read without a model | intents | models | verified | undone | test |"
        yield "|---|---|---|---|---|---|---|---|"
        yield from (_action(table, action) for action in table.actions)
        yield ""
    if equal := [effect for effect in table.effects if len(effect.by) + len(effect.also) > 1]:
        yield f"Equal for policies: {'; '.join(map(_effect, equal))}.\n"


def _effect(effect: Effect) -> str:
    """Return the actions with an effect."""
    also = ", ".join(effect.also)
    return f"{', '.join(effect.by)}{f' ({also})' if also else ''}"


def _service(table: Domain, service: Service) -> str:
    """Return the row of a service."""
    fields = [
        f"{name}{'' if name in service.required else '?'}: {field.description}"
        + (f" ({field.capability.description})" if field.capability else "")
        for name, field in service.fields.items()
    ]
    able = service.capability.description if service.capability else "nothing"
    return _row(f"{table.name}.{service.name}", "; ".join(fields) or "none", able, _seen(service))


def _seen(service: Service) -> str:
    """Return how the outcome of a service shows, or why it does not."""
    return service.check.description if service.check else f"not seen: {service.unseen}"


def _action(table: Domain, action: Action) -> str:
    """Return the row of an action."""
    values = ", ".join(
        f"{each.name}{f' ({each.unit})' if each.unit else ''}" for each in action.parameters
    )
    intents = ", ".join(dict.fromkeys(intent.name for intent in action.intents))
    said = _SENTENCES[f"{table.name}.{action.name}"]
    is_read = isinstance(said, str)
    tests = [*(["read"] if is_read else []), *(["flags"] if table.name in _WITH_FLAGS else [])]
    services = [service for name in action.services if (service := table.service(name))]
    seen = dict.fromkeys(_seen(service) for service in services)
    return _row(
        action.name,
        values or "none",
        f'"{said}"' if is_read else said["none"],
        intents or "none of Home Assistant's",
        _models(table, action),
        "; ".join(seen) or "by Home Assistant",
        _undone(table),
        ", ".join(tests) or "see the sentence's column",
    )


def _models(table: Domain, action: Action) -> str:
    """Return which models are offered an action, or why none is."""
    if action not in table.plannable_actions:
        return "none: Home Assistant does it itself"
    if not action.is_offered:
        return "none: the reader's own, another action says the same"
    return "small and capable" if table.agent_id and not action.for_capable else "capable"


def _undone(table: Domain) -> str:
    """Return what undoing puts back, or why it does not."""
    kept = [f"`{row.name}`" for row in table.attributes if row.is_saved]
    if table.not_undone:
        return table.not_undone
    return f"on and off, {', '.join(kept)}" if kept else "on and off"


def _row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    DOCUMENT.write_text(render(), encoding="utf-8")
