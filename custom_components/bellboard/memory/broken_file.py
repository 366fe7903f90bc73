"""Moves or copies a storage file that cannot be read, before it is written anew."""

from functools import partial
from pathlib import Path
import shutil

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util


async def async_set_aside(hass: HomeAssistant, path: Path, *, whole: bool) -> Path:
    """Set a file aside under another name and return its path there: the `whole` file, or a copy.

    Raises:
        OSError: it can neither be moved nor copied.
    """
    aside = path.with_name(f"{path.name}.corrupt.{dt_util.utcnow().isoformat()}")
    move = path.rename if whole else partial(shutil.copy2, path)
    await hass.async_add_executor_job(move, aside)
    return aside
