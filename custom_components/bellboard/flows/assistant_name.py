"""What assistants are called: after their model, and each in its own way."""

from itertools import chain, count

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant, callback

from ..connections.connection import assistants_of
from ..const import DOMAIN
from .model_choice import short_name

DEFAULT_NAME = "Bellboard"
"""What an assistant without a model of its own is called."""


@callback
def new_name(hass: HomeAssistant, model: str) -> str:
    """Return a name that no assistant has yet, after the model it uses; "" is without one."""
    name = f"{DEFAULT_NAME} {short_name(model)}" if model else DEFAULT_NAME
    taken = _names(hass, None)
    names = chain([name], (f"{name} {number}" for number in count(2)))
    return next(name for name in names if name.casefold() not in taken)


@callback
def is_taken(hass: HomeAssistant, name: str, assistant: ConfigSubentry | None) -> bool:
    """Return whether another assistant is called so, whatever the case of its letters."""
    return name.strip().casefold() in _names(hass, assistant)


def _names(hass: HomeAssistant, but: ConfigSubentry | None) -> frozenset[str]:
    """Return the names of all assistants, but that of one."""
    return frozenset(
        assistant.title.casefold()
        for entry in hass.config_entries.async_entries(DOMAIN)
        for assistant in assistants_of(entry)
        if but is None or assistant.subentry_id != but.subentry_id
    )
