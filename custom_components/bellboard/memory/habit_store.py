"""Habits in Home Assistant's storage: one file for each assistant."""

from homeassistant.core import HomeAssistant

from .habits import Habit, Habits, read_habit
from .list_file import ListFile, async_remove_list

_NAME = "habits"


async def async_remove_habits(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete the file of an assistant that was removed."""
    await async_remove_list(hass, _NAME, assistant_id)


async def async_open_habits(hass: HomeAssistant, assistant_id: str) -> StoredHabits:
    """Return an assistant's habits.

    A file that cannot be read is set aside, and what is wrong in one left out.
    """
    habits = StoredHabits(hass, assistant_id)
    await habits.async_load()
    return habits


class StoredHabits(Habits):
    """The habits of one assistant, kept in a file. It holds ids, levels and times, and nothing that was said."""

    def __init__(self, hass: HomeAssistant, assistant_id: str) -> None:
        """Begin with none; nothing is read yet."""
        self._file: ListFile[Habit] = ListFile(
            hass,
            assistant_id,
            name=_NAME,
            key="habits",
            told="What is used by habit",
            read=read_habit,
            items=lambda: self.all,
        )
        super().__init__(self._file.async_note_change)

    async def async_load(self) -> None:
        """Read the file."""
        self.replace(await self._file.async_load())

    async def async_close(self) -> None:
        """Write what is not written yet, and end."""
        await self._file.async_close()
