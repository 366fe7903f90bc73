"""The one light that stays on where the others were put out: "only the counter stays on", "now that one to half"."""

from collections.abc import Sequence

from homeassistant.const import STATE_ON
from homeassistant.core import HomeAssistant

from ..home.catalog import CatalogEntity, members_of
from .frame_models import KEEP
from .house import HomeLexicon
from .lexicon import Role, Sense
from .spans import Span, cover_text

# So many that were put out are no "it".
_SEVERAL = 2
_MANY = Sense(Role.PRONOUN, "them")
# What is turned on is what was put out; "put" and "pon" may set it, too.
_TURNING_ON = frozenset({Sense(Role.VERB, "turn_on"), Sense(Role.STATE, "on")})
_SETTING = Sense(Role.VERB, "set")
# What tells that something stays: "except", "leave", "the others", "only".
_KEPT, _OTHER = Sense(Role.VERB, KEEP), Sense(Role.QUANTITY, "other")


def left_on(
    hass: HomeAssistant, house: HomeLexicon, text: str, out: Sequence[str], said: str
) -> tuple[str, ...]:
    """Return the entity id of the one light that is on beside those put `out`, where a text may be for it; else ().

    `said` is what put them out: where it says that something stays, that is meant, else only by a word for one thing.
    """
    known = house.catalog.entities
    lights = [each for id_ in out if (each := known.get(id_)) and each.domain == "light"]
    spans = cover_text(text, house)
    if not lights or any(_MANY in span.senses or _turns_on(span) for span in spans):
        return ()
    is_one = len(lights) >= _SEVERAL and any(span.has(Role.PRONOUN) for span in spans)
    if not (is_one or _says_left(cover_text(said, house), house)):
        return ()
    rooms = {light.area_id for light in lights if light.area_id}
    near = [each for each in house.catalog.by_domain["light"] if each.area_id in rooms]
    on = [each.entity_id for each in near if each.entity_id not in out and _is_lit(hass, each)]
    return tuple(on) if len(on) == 1 else ()


def _is_lit(hass: HomeAssistant, light: CatalogEntity) -> bool:
    """Return whether a light is on that is no group of others."""
    return hass.states.is_state(light.entity_id, STATE_ON) and not members_of(hass, light.entity_id)


def _turns_on(span: Span) -> bool:
    """Return whether a span says no more than that something is to be on."""
    return not _TURNING_ON.isdisjoint(span.senses) and _SETTING not in span.senses


def _says_left(spans: Sequence[Span], house: HomeLexicon) -> bool:
    """Return whether spans say that something stays as it is, or that no more than something does."""
    return any(
        span.has(Role.EXCEPT)
        or _KEPT in span.senses
        or _OTHER in span.senses
        or span.words in house.lexicon.only
        for span in spans
    )
