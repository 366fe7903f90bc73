"""Colours in the person's own words: a reply names these, and not the values that a model made of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from homeassistant.util import color as color_util

from ..domains.models import ToolCall
from ..nlu.lexicon import Role
from ..nlu.spans import Span, cover_text
from .base import AgentRequest

# In degrees of hue: what a colour may be apart from the one that was said, and the hues of warm and of cold white.
_NEAR, _WARM, _COLD = 50.0, 30.0, 215.0
# In kelvin: from here on white is what people call white, and looks blue beside warm white.
_WHITE, _BLUISH = 3500, 5000


def with_said_color(request: AgentRequest, call: ToolCall) -> ToolCall:
    """Return a call that sets lights to a colour, labelled as the person named it; any other as it is.

    A colour that is far from all that were said is none of them, and a white tone only comes near to one.
    """
    kelvin = call.data.get("color_temp_kelvin")
    rgb = call.data.get("rgb_color") or color_util.COLORS.get(str(call.data.get("color_name")))
    if request.house is None or not (kelvin or rgb):
        return call
    text = request.spoken or request.instruction
    spans = cover_text(text, request.house, is_command=False)
    if kelvin and _is_said(spans, kelvin):
        return call
    said = dict(_said(text, spans))
    apart = {word: _apart(hue, rgb, kelvin) for word, hue in said.items()}
    word = min(apart, key=lambda each: apart[each], default="")
    if not word or apart[word] > _NEAR:
        return call
    label = request.language.color(word)
    if kelvin and said[word] is not None:
        label = request.language.say("nearly", value=label)
    return call.model_copy(update={"label": label})


def _is_said(spans: Sequence[Span], kelvin: float) -> bool:
    """Return whether a white tone was said, as a number or in words that are no part of a colour."""
    return any(
        sense.value == kelvin
        for span, after in pairwise([*spans, None])
        for sense in (span.senses if span else ())
        if sense.role is Role.NUMBER
        or (sense.role is Role.KELVIN and not (after and after.has(Role.COLOR)))
    )


def _said(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, float | None]]:
    """Yield the colours in a text with their hues, None for white; that of a noun ("the orange lamp") is none.

    A word that no lexicon has may be one of the names that models and Home Assistant know.
    """
    for before, span, after in zip([None, *spans], spans, [*spans[1:], None], strict=False):
        word = text[span.start : span.end].casefold()
        names = [str(each.value) for each in span.senses if each.role is Role.COLOR]
        rgb = color_util.COLORS.get(names[0] if names else "" if span.senses else word)
        if rgb is None or (after and (after.names_some or after.names_any)):
            continue
        is_warm = before is not None and before.has(Role.KELVIN)
        start = before.start if before and is_warm else span.start
        yield text[start : span.end].casefold(), _hue(rgb)


def _hue(rgb: Sequence[int]) -> float | None:
    """Return the hue of a colour in degrees, None for white and grey."""
    hue, saturation = color_util.color_RGB_to_hs(*rgb)
    return hue if saturation >= 1 else None


def _apart(said: float | None, rgb: Sequence[int] | None, kelvin: float | None) -> float:
    """Return how far the colour or the white tone of a call is from a hue that was said, in degrees of hue."""
    if rgb:
        shown = _hue(rgb)
    elif said is None:
        return 0 if kelvin and kelvin >= _WHITE else 360
    else:
        shown = _COLD if kelvin and kelvin >= _BLUISH else _WARM
    if said is None or shown is None:
        return 0 if said is shown else 360
    turn = abs(said - shown) % 360
    return min(turn, 360 - turn)
