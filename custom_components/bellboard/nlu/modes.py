"""What the modes of a device are called, in Home Assistant's own words for them."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations, async_get_translations

_CATEGORY = "entity_component"
# What has modes that are spoken of.
_DOMAINS = frozenset({"climate"})
CAPITALISED = frozenset({"de"})
"""The languages that write what is called by a name with a capital within a sentence as well."""


async def async_load_modes(hass: HomeAssistant, language: str) -> None:
    """Read what modes are called in a language, off the event loop and once."""
    await async_get_translations(hass, language, _CATEGORY, _DOMAINS)


def mode_name(
    hass: HomeAssistant, language: str, domain: str, value: str, attribute: str = ""
) -> str:
    """Return what a state is called, or a value of an attribute ("eco"); the value where it has no name."""
    names = async_get_cached_translations(hass, language, _CATEGORY, domain)
    path = f"state_attributes.{attribute}.state" if attribute else "state"
    name = names.get(f"component.{domain}.{_CATEGORY}._.{path}.{value}", value.replace("_", " "))
    return name if language in CAPITALISED else name.casefold()
