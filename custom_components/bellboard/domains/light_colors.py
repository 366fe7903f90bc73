"""Names of colours that are set by their parts: a plain colour, or a white by its colour temperature."""

from collections.abc import Mapping, Sequence
from functools import cache
import math

from homeassistant.util import color as color_util

# Hue (0 to 360) and saturation (0 to 100) of what people call so when a lamp shows it; each language has its word.
_COLORS: Mapping[str, tuple[float, float]] = {
    "red": (0, 100),
    "orange": (28, 100),
    "gold": (45, 100),
    "yellow": (58, 100),
    "green": (120, 100),
    "turquoise": (172, 75),
    "cyan": (182, 100),
    "skyblue": (200, 60),
    "lightblue": (205, 30),
    "blue": (232, 100),
    "indigo": (262, 90),
    "violet": (272, 65),
    "lavender": (250, 30),
    "purple": (292, 100),
    "magenta": (312, 100),
    "hotpink": (330, 70),
    "pink": (345, 40),
}
# In percent of saturation: below it a colour is white.
_PALE = 12
# Tones of white that a colour may be, in kelvin, and how near it has to be on the colour wheel (radius 100).
_WHITES = range(2000, 6501, 100)
_NEAR_WHITE = 12.0

type _Point = tuple[float, float]


def nearest_color(rgb: Sequence[int] | None) -> str:
    """Return the name of the colour that red, green and blue (0 to 255 each) come nearest to; "" for none."""
    if not rgb:
        return ""
    if color_util.color_RGB_to_hs(*rgb)[1] < _PALE:
        return "white"
    point = _point(*color_util.color_RGB_to_hs(*rgb))
    return min(_COLORS, key=lambda name: math.dist(point, _point(*_COLORS[name])))


def nearest_white(rgb: Sequence[int] | None) -> int | None:
    """Return the colour temperature in kelvin that red, green and blue show; None for a colour."""
    if not rgb or color_util.color_RGB_to_hs(*rgb)[1] < _PALE:
        return None
    point = _point(*color_util.color_RGB_to_hs(*rgb))
    apart = {kelvin: math.dist(point, _white_point(kelvin)) for kelvin in _WHITES}
    kelvin = min(apart, key=lambda each: apart[each])
    is_nearer = apart[kelvin] < min(math.dist(point, _point(*each)) for each in _COLORS.values())
    return kelvin if apart[kelvin] <= _NEAR_WHITE and is_nearer else None


@cache
def _white_point(kelvin: int) -> _Point:
    """Return where a tone of white is on the colour wheel."""
    return _point(*color_util.color_temperature_to_hs(kelvin))


def _point(hue: float, saturation: float) -> _Point:
    """Return where a hue (0 to 360) and a saturation (0 to 100) are on the colour wheel."""
    angle = math.radians(hue)
    return saturation * math.cos(angle), saturation * math.sin(angle)
