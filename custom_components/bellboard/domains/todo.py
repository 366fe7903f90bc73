"""What is done with lists, by Home Assistant's own agent alone: known so that policies hold for it."""

from .table import Action, Domain, Intent

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
"""The table of to-do lists."""
