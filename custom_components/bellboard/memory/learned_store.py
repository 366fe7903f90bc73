"""Learned decisions in Home Assistant's storage: one file for each assistant."""

from typing import Any

from homeassistant.core import HomeAssistant

from .lessons import Lesson, Lessons
from .list_file import ListFile, async_remove_list, read_items

_NAME = "learned"


async def async_remove_lessons(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete the file of an assistant that was removed."""
    await async_remove_list(hass, _NAME, assistant_id)


async def async_open_lessons(hass: HomeAssistant, assistant_id: str) -> StoredLessons:
    """Return an assistant's learned decisions.

    A file that cannot be read is set aside, and what is wrong in one left out.
    """
    lessons = StoredLessons(hass, assistant_id)
    await lessons.async_load()
    return lessons


class StoredLessons(Lessons):
    """The learned decisions of one assistant, kept in a file."""

    def __init__(self, hass: HomeAssistant, assistant_id: str) -> None:
        """Begin with none; nothing is read yet."""
        self._file = ListFile(
            hass,
            assistant_id,
            name=_NAME,
            key="lessons",
            told="What was learnt",
            read=Lesson.model_validate,
            items=lambda: self.all,
        )
        super().__init__(self._file.async_note_change)

    async def async_load(self) -> None:
        """Read the file."""
        self.replace(await self._file.async_load())

    async def async_close(self) -> None:
        """Write what is not written yet, and end."""
        await self._file.async_close()


def read_lessons(items: list[Any]) -> tuple[list[Lesson], int]:
    """Return the learned decisions in JSON objects, and how many objects are invalid."""
    return read_items(items, Lesson.model_validate)
