"""Learned decisions in Home Assistant's storage: one file for each assistant."""

import logging
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store

from ..const import DOMAIN
from ..tasks.broken_file import async_set_aside
from .lessons import Lesson, Lessons

_LOGGER = logging.getLogger(__name__)

STORAGE_VERSION = 1

# In seconds. What changed is written this long afterwards.
_DELAY = 10


def _file(hass: HomeAssistant, assistant_id: str) -> Store[dict[str, Any]]:
    """Return the file of an assistant."""
    return Store(
        hass,
        STORAGE_VERSION,
        f"{DOMAIN}.learned.{assistant_id}",
        private=True,
        atomic_writes=True,
        serialize_in_event_loop=False,
    )


async def async_remove_lessons(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete the file of an assistant that was removed."""
    await _file(hass, assistant_id).async_remove()


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
        super().__init__(self._async_note_change)
        self._hass = hass
        self._file = _file(hass, assistant_id)
        self._is_changed = self._is_closed = False

    async def async_load(self) -> None:
        """Read the file."""
        try:
            data = await self._file.async_load()
            items = data["lessons"] if data else []
            if not isinstance(items, list):
                raise TypeError("lessons are no list")  # noqa: TRY301 -- unreadable as all else
        except Exception as err:  # noqa: BLE001 -- a file may be wrong in any way, and is then unreadable
            await self._async_set_aside(type(err).__name__, whole=True)
            return
        lessons, broken = await self._hass.async_add_executor_job(read_lessons, items)
        self.replace(lessons)
        if broken:
            await self._async_set_aside(f"{broken} of {len(items)}", whole=False)
            self._async_note_change()

    async def async_close(self) -> None:
        """Write what is not written yet, and end."""
        self._is_closed = True
        if self._is_changed:
            try:
                await self._file.async_save(self._data())
            except OSError as err:
                # Home Assistant tells of a file that cannot be written, but not of a missing folder.
                _LOGGER.warning("What was learnt cannot be written: %s", err)

    @callback
    def _async_note_change(self) -> None:
        """Schedule a write."""
        if not self._is_closed and not self._is_changed:
            self._is_changed = True
            self._file.async_delay_save(self._data, _DELAY)

    def _data(self) -> dict[str, Any]:
        """Return the file's content. Runs in another thread.

        The mark goes first: a change from here on asks for another write.
        """
        self._is_changed = False
        return {"lessons": [lesson.as_json() for lesson in self.all]}

    async def _async_set_aside(self, reason: str, *, whole: bool) -> None:
        """Keep a copy of a file that holds what cannot be read."""
        path = Path(self._file.path)
        try:
            aside = await async_set_aside(self._hass, path, whole=whole)
        except OSError as failure:
            _LOGGER.warning("What was learnt cannot be read, nor set aside: %s", failure)
            return
        _LOGGER.warning(
            "What was learnt and cannot be read was set aside as %s (%s)", aside, reason
        )


def read_lessons(items: list[Any]) -> tuple[list[Lesson], int]:
    """Return the learned decisions in JSON objects, and how many objects are invalid."""
    lessons: list[Lesson] = []
    for item in items:
        try:
            lessons.append(Lesson.model_validate(item))
        except ValueError, TypeError, RecursionError:
            continue
    return lessons, len(items) - len(lessons)
