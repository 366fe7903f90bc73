"""Localised names of states and modes, from Home Assistant's own translations."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations, async_get_translations

_CATEGORY = "entity_component"
# Domains whose modes and states occur in replies.
_DOMAINS = frozenset(
    {
        "binary_sensor",
        "climate",
        "cover",
        "fan",
        "lawn_mower",
        "light",
        "lock",
        "media_player",
        "switch",
        "vacuum",
        "valve",
        "weather",
    }
)
CAPITALISED = frozenset({"de"})
"""Languages that capitalise nouns within a sentence."""


async def async_load_modes(hass: HomeAssistant, language: str) -> None:
    """Load the translations of a language into Home Assistant's cache."""
    await async_get_translations(hass, language, _CATEGORY, _DOMAINS)


def mode_name(
    hass: HomeAssistant,
    language: str,
    domain: str,
    value: str,
    attribute: str = "",
    *,
    device_class: str = "_",
) -> str:
    """Return the translation of a state, or of an attribute's value ("eco"); the value itself without one.

    A state of some device classes has words of its own: a window's "on" is "open".
    """
    names = async_get_cached_translations(hass, language, _CATEGORY, domain)
    path = f"state_attributes.{attribute}.state" if attribute else "state"
    name = names.get(
        f"component.{domain}.{_CATEGORY}.{device_class}.{path}.{value}", value.replace("_", " ")
    )
    return name if language in CAPITALISED else name.casefold()


def kind_name(hass: HomeAssistant, language: str, domain: str, device_class: str | None) -> str:
    """Return the translation of what an entity is: that of its device class ("speaker"), else of its domain."""
    names = async_get_cached_translations(hass, language, _CATEGORY, domain)
    path = f"component.{domain}.{_CATEGORY}"
    general = names.get(f"{path}._.name", domain.replace("_", " "))
    name = names.get(f"{path}.{device_class or '_'}.name", general)
    return name if language in CAPITALISED else name.casefold()
