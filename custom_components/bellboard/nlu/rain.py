"""Whether it rains: by rain sensors, else by the intensity of the rain, else by the weather."""

from collections.abc import Sequence

from homeassistant.const import ATTR_DEVICE_CLASS, STATE_ON
from homeassistant.core import HomeAssistant, State

from ..home.catalog import Catalog, CatalogEntity
from .measures import UNKNOWN_STATES
from .tokens import spoken_words

_DOMAINS = ("binary_sensor", "sensor", "weather")
"""Whose entities may tell it, those first that are believed first."""
_INTENSITY = "precipitation_intensity"
# Of these, what is called after rain tells whether it rains.
_WET = frozenset({"moisture", None})
_RAINY = frozenset({"hail", "lightning-rainy", "pouring", "rainy", "snowy-rainy"})
"""Weather in which it rains, as Home Assistant calls it."""


def find_rain_sources(
    hass: HomeAssistant, catalog: Catalog, rain: tuple[str, ...]
) -> Sequence[CatalogEntity]:
    """Return the entities that tell whether it rains: of the first kind that does by now, else of the first there is.

    `rain` is what words in the names of rain sensors begin with.
    """
    kinds = [
        [each for each in catalog.by_domain.get(domain, ()) if _may_tell(hass, each, rain)]
        for domain in _DOMAINS
    ]
    found = [kind for kind in kinds if kind]
    told = (kind for kind in found if any(_is_known(hass, each) for each in kind))
    return next(told, None) or next(iter(found), [])


def is_raining(state: State) -> bool | None:
    """Return whether it rains by the state of one of the sources, None where it does not tell."""
    if state.state in UNKNOWN_STATES:
        return None
    if state.domain == "weather":
        return state.state in _RAINY
    if state.domain == "binary_sensor":
        return state.state == STATE_ON
    try:
        return float(state.state) > 0
    except ValueError:
        return None


def _is_known(hass: HomeAssistant, entity: CatalogEntity) -> bool:
    """Return whether an entity tells by now whether it rains."""
    state = hass.states.get(entity.entity_id)
    return state is not None and is_raining(state) is not None


def _may_tell(hass: HomeAssistant, entity: CatalogEntity, rain: tuple[str, ...]) -> bool:
    """Return whether an entity is about rain: a sensor that is called so, or of its intensity; or the weather."""
    if (state := hass.states.get(entity.entity_id)) is None:
        return False
    kind = state.attributes.get(ATTR_DEVICE_CLASS)
    if entity.domain == "binary_sensor":
        words = (word for name in entity.names for word in spoken_words(name))
        return kind in _WET and any(word.startswith(rain) for word in words)
    return entity.domain == "weather" or kind == _INTENSITY
