"""Table of to-do lists: their intents, done by Home Assistant's own agent, as actions that policies check."""

from .actions import Action, Intent
from .table import Domain

TODO = Domain(
    name="todo",
    actions=tuple(
        Action(name, service, intents=(Intent(intent),))
        for name, service, intent in (
            ("add", "add_item", "HassListAddItem"),
            ("complete", "update_item", "HassListCompleteItem"),
            ("remove", "remove_item", "HassListRemoveItem"),
        )
    ),
)
"""Table of to-do lists."""
