"""A bare "stop" beside what only tells why: "no stop, the phone is ringing" pauses what plays."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from .clauses import is_filler
from .frame_models import ReadCommand
from .house import HomeLexicon
from .implicit_targets import active_players, leading_players
from .lexicon import HALT, Role, Sense
from .segmentation import names_thing
from .spans import Span, cover_text

_STOPPING = frozenset(Sense(Role.VERB, verb) for verb in (HALT, "stop", "pause"))
# What may stand before it: "no", "oh no".
_BEFORE = frozenset({Role.CORRECTING, Role.EXCEPT, Role.ASKING})
_PAUSE = "pause"


def read_halt(
    hass: HomeAssistant, house: HomeLexicon, area_id: str | None, text: str
) -> list[ReadCommand]:
    """Return that what plays near the speaker is paused, or the only one that plays; [] where a text says otherwise."""
    if not _stops_alone(cover_text(text, house), house):
        return []
    every = house.catalog.by_domain.get("media_player", ())
    playing = [
        e for e in active_players(hass, every) if hass.states.is_state(e.entity_id, "playing")
    ]
    near = [each for each in playing if area_id and each.area_id == area_id]
    meant = leading_players(hass, near or playing)
    if not meant or (len(meant) > 1 and not near):
        return []
    targets = tuple(each.entity_id for each in meant)
    return [ReadCommand(text, (Command(_PAUSE, {}, targets, domain="media_player"),))]


def _stops_alone(spans: Sequence[Span], house: HomeLexicon) -> bool:
    """Return whether spans say "no stop", or "stop" and then something that is none of the home's.

    That follows a mark, or tells how somebody or something is.
    """
    said = [span for span in spans if not is_filler(span)]
    begin = next((at for at, span in enumerate(said) if not _is_before(span)), len(said))
    if begin == len(said) or _STOPPING.isdisjoint(said[begin].senses):
        return False
    rest = said[begin + 1 :]
    if not (begin or rest):
        # "Stop" alone is for what was done last, too.
        return False
    if any(names_thing(span) or _acts(span) for span in rest):
        return False
    words = tuple(word for span in rest for word in span.words)
    tells = any(house.lexicon.is_copula(span.words) for span in rest)
    is_reason = house.lexicon.opens_aside(words) or house.lexicon.reason_at(words) > 0
    return not rest or rest[0].is_mark or tells or is_reason


def _is_before(span: Span) -> bool:
    """Return whether a span may stand before a bare "stop"."""
    return span.is_mark or (span.has_any(_BEFORE) and not span.has(Role.VERB))


def _acts(span: Span) -> bool:
    """Return whether a span is a verb of what is to be done, or to what."""
    return span.has_any({Role.VERB, Role.MOVE, Role.NUMBER, Role.LEVEL})
