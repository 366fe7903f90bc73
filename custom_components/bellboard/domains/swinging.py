"""Swinging of fans and air conditioners: whether one swings, and the mode that begins or ends it."""

from homeassistant.components.climate import ATTR_SWING_MODE, ATTR_SWING_MODES, SWING_OFF, SWING_ON
from homeassistant.components.fan import ATTR_OSCILLATING
from homeassistant.core import State

# Modes in which the air is not moved to and fro, as integrations write them.
_STILL = frozenset({SWING_OFF, "stop", "stopped", "fixed"})


def swings(state: State) -> bool:
    """Return whether a fan or an air conditioner swings."""
    if ATTR_OSCILLATING in state.attributes:
        return bool(state.attributes[ATTR_OSCILLATING])
    mode = state.attributes.get(ATTR_SWING_MODE)
    return mode is not None and str(mode).casefold() not in _STILL


def swing_mode(state: State, *, on: bool) -> str | None:
    """Return the mode of an air conditioner that turns swinging on or off; None where there is none."""
    modes = [str(mode) for mode in state.attributes.get(ATTR_SWING_MODES) or ()]
    still = [mode for mode in modes if mode.casefold() in _STILL]
    if not on:
        return next(iter(still), None)
    swinging = [mode for mode in modes if mode not in still]
    return SWING_ON if SWING_ON in swinging else next(iter(swinging), None)
