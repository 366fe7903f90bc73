"""The shopping list."""

from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Put up the house's lists."""
    household = entry.runtime_data
    async_add_entities(HouseTodoList(household, item) for item in household.house.items("todo"))


class HouseTodoList(HouseEntity, TodoListEntity):
    """A list kept in memory. Option: items, what is on it at the start."""

    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def __init__(self, household: Household, item: Item) -> None:
        """Write down what is on the list at the start."""
        super().__init__(household, item)
        self._attr_todo_items = [_entry(str(name)) for name in item.options.get("items", ())]

    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Write something down."""
        self.async_perform(partial(self._add, item.summary or ""))

    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Tick something off, or rename it."""
        self.async_perform(partial(self._replace, item))

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Cross things out."""
        self.async_perform(partial(self._remove, uids))

    @property
    def _entries(self) -> list[TodoItem]:
        return self.todo_items or []

    def _add(self, summary: str) -> None:
        self._attr_todo_items = [*self._entries, _entry(summary)]

    def _replace(self, item: TodoItem) -> None:
        self._attr_todo_items = [
            item if entry.uid == item.uid else entry for entry in self._entries
        ]

    def _remove(self, uids: list[str]) -> None:
        self._attr_todo_items = [entry for entry in self._entries if entry.uid not in uids]


def _entry(summary: str) -> TodoItem:
    return TodoItem(summary=summary, uid=uuid4().hex, status=TodoItemStatus.NEEDS_ACTION)
