"""Table of to-do lists: items are added, ticked off and removed by what they are called."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.todo import TodoItemStatus, TodoListEntityFeature as Feature
from homeassistant.components.todo.const import DATA_COMPONENT as TODO_LISTS
from homeassistant.core import HomeAssistant, State

from .actions import Action, Intent, Parameter, ParameterKind
from .checks import STATE, OutcomeCheck
from .services import Service, as_number, has, one_of, text
from .table import Domain

_ITEM = {"item": text}
_DONE = "completed"


def _has_grown(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a list has more open items than before."""
    now, then = as_number(state.state), as_number(before.state) if before else None
    return now is not None and (then is None or now > then)


def _names_item(action: str, service: str, intent: str, **data: str) -> Action:
    """Return an action on one item of a list."""
    return Action(
        action,
        service,
        data=data,
        parameters=(Parameter("item", kind=ParameterKind.TEXT, field="item"),),
        intents=(Intent(intent, {"item": "item"}),),
    )


TODO = Domain(
    name="todo",
    not_undone="a list keeps no earlier items",
    services=(
        Service(
            "add_item",
            has(Feature.CREATE_TODO_ITEM),
            fields=_ITEM,
            required=frozenset(_ITEM),
            check=OutcomeCheck(_has_grown, (STATE,)),
        ),
        # Without a check: an item may be ticked off already.
        Service(
            "update_item",
            has(Feature.UPDATE_TODO_ITEM),
            fields={**_ITEM, "status": one_of(_DONE, "needs_action")},
            unseen="a list shows how many items are open, not which",
            required=frozenset(_ITEM),
            reply=lambda _words, call: ("update_item", {"value": str(call.data["item"])}),
        ),
        Service(
            "remove_item",
            has(Feature.DELETE_TODO_ITEM),
            fields=_ITEM,
            unseen="a list shows how many items are open, not which",
            required=frozenset(_ITEM),
        ),
    ),
    actions=(
        _names_item("add", "add_item", "HassListAddItem"),
        _names_item("complete", "update_item", "HassListCompleteItem", status=_DONE),
        _names_item("remove", "remove_item", "HassListRemoveItem"),
    ),
)
"""Table of to-do lists."""


def open_items(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return the items of a to-do list that are not completed, in its order; [] for any other entity."""
    component = hass.data.get(TODO_LISTS) if entity_id.startswith("todo.") else None
    entity = component.get_entity(entity_id) if component else None
    return [
        item.summary
        for item in ((entity.todo_items or ()) if entity else ())
        if item.summary and item.status != TodoItemStatus.COMPLETED
    ]
