"""Names of colours that are set by their parts."""

from collections.abc import Mapping, Sequence

from homeassistant.util import color as color_util

# In percent of saturation; and hues of plain colours, in degrees.
_PALE, _SOFT = 15, 60
_PLAIN_COLORS: Mapping[str, float] = {
    "red": 0,
    "orange": 30,
    "yellow": 58,
    "green": 120,
    "turquoise": 174,
    "blue": 220,
    "purple": 285,
    "pink": 330,
}


def nearest_color(rgb: Sequence[int] | None) -> str:
    """Return the name of the plain colour that red, green and blue come nearest to, "" for none."""
    if not rgb:
        return ""
    hue, saturation = color_util.color_RGB_to_hs(*rgb)
    if saturation < _PALE:
        return "white"
    nearest = min(_PLAIN_COLORS, key=lambda name: _apart(hue, _PLAIN_COLORS[name]))
    return "pink" if nearest == "red" and saturation < _SOFT else nearest


def _apart(hue: float, other: float) -> float:
    """Return how far two hues are apart, in degrees."""
    return min(abs(hue - other), 360 - abs(hue - other))
