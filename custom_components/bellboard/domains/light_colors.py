"""Names of colours that are set by their parts."""

from collections.abc import Mapping, Sequence

from homeassistant.util import color as color_util

# In percent of saturation; and hues of plain colours, in degrees.
_PALE = 15
_PLAIN_COLORS: Mapping[str, float] = {
    "red": 0,
    "orange": 30,
    "yellow": 58,
    "green": 120,
    "turquoise": 174,
    "blue": 235,
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
    return min(
        _PLAIN_COLORS,
        key=lambda name: min(abs(hue - _PLAIN_COLORS[name]), 360 - abs(hue - _PLAIN_COLORS[name])),
    )
