"""A list in Home Assistant's storage: one file for each assistant, written at once or some time after a change.

What cannot be read is set aside, and what is wrong in a file is left out.
"""

from collections.abc import Callable, Iterable, Sequence
import logging
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store

from ..const import DOMAIN
from ..json_model import JsonModel
from .broken_file import async_set_aside

_LOGGER = logging.getLogger(__name__)

STORAGE_VERSION = 1

# In seconds. What changed is written this long afterwards.
_DELAY = 10


def _store(hass: HomeAssistant, name: str, assistant_id: str) -> Store[dict[str, Any]]:
    """Return the file of an assistant."""
    return Store(
        hass,
        STORAGE_VERSION,
        f"{DOMAIN}.{name}.{assistant_id}",
        private=True,
        atomic_writes=True,
        serialize_in_event_loop=False,
    )


async def async_remove_list(hass: HomeAssistant, name: str, assistant_id: str) -> None:
    """Delete the file of an assistant that was removed."""
    await _store(hass, name, assistant_id).async_remove()


def read_items[T](items: Iterable[Any], read: Callable[[Any], T]) -> tuple[list[T], int]:
    """Return the items in JSON objects, and how many objects are none."""
    found: list[T] = []
    broken = 0
    for item in items:
        try:
            found.append(read(item))
        except ValueError, TypeError, RecursionError:
            broken += 1
    return found, broken


class ListFile[T: JsonModel]:
    """The list that an assistant keeps in its file `bellboard.<name>.<id>`, under the key `key`.

    `read` makes an item of a JSON object and raises ValueError where it is none; `items` returns what is to be
    written. `told` is what the log calls the list ("What was learnt").
    """

    def __init__(
        self,
        hass: HomeAssistant,
        assistant_id: str,
        *,
        name: str,
        key: str,
        told: str,
        read: Callable[[Any], T],
        items: Callable[[], Sequence[T]],
    ) -> None:
        """Begin with a file that is not read yet."""
        self._hass = hass
        self._store = _store(hass, name, assistant_id)
        self._key, self._told, self._read, self._items = key, told, read, items
        self._is_changed = self._is_closed = False

    async def async_load(self) -> list[T]:
        """Return what is in the file; nothing where there is none, or it cannot be read."""
        try:
            data = await self._store.async_load()
            items = data[self._key] if data else []
            if not isinstance(items, list):
                raise TypeError("what is kept is no list")  # noqa: TRY301 -- unreadable as all else
        except Exception as err:  # noqa: BLE001 -- a file may be wrong in any way, and is then unreadable
            await self._async_set_aside(type(err).__name__, whole=True)
            return []
        found, broken = await self._hass.async_add_executor_job(read_items, items, self._read)
        if broken:
            await self._async_set_aside(f"{broken} of {len(items)}", whole=False)
            self.async_note_change()
        return found

    @callback
    def async_note_change(self) -> None:
        """Schedule a write."""
        if not self._is_closed and not self._is_changed:
            self._is_changed = True
            self._store.async_delay_save(self._data, _DELAY)

    async def async_save(self) -> None:
        """Write the list now. When this returns it outlives the process, or the log says that it was not written."""
        try:
            await self._store.async_save(self._data())
        except OSError as err:
            # Home Assistant tells of a file that cannot be written, but not of a missing folder.
            _LOGGER.warning("%s cannot be written: %s", self._told, err)

    async def async_close(self) -> None:
        """Write what is not written yet, and end."""
        self._is_closed = True
        if self._is_changed:
            await self.async_save()

    def _data(self) -> dict[str, Any]:
        """Return the file's content. May run in another thread.

        The mark goes first: a change from here on asks for another write.
        """
        self._is_changed = False
        return {self._key: [item.as_json() for item in self._items()]}

    async def _async_set_aside(self, reason: str, *, whole: bool) -> None:
        """Keep a copy of a file that holds what cannot be read."""
        path = Path(self._store.path)
        try:
            aside = await async_set_aside(self._hass, path, whole=whole)
        except OSError as failure:
            _LOGGER.warning("%s cannot be read, nor set aside: %s", self._told, failure)
            return
        _LOGGER.warning("%s and cannot be read was set aside as %s (%s)", self._told, aside, reason)
