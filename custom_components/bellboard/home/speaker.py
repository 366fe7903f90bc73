"""Where and with what the speaker speaks: the area, the satellites and the players of the device."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er


def speaker_area(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the speaker's area: the satellite entity's own, else its device's."""
    if satellite_id and (satellite := er.async_get(hass).async_get(satellite_id)):
        if satellite.area_id:
            return satellite.area_id
        device_id = satellite.device_id or device_id
    if device_id and (device := dr.async_get(hass).async_get(device_id)):
        return dr.async_get_effective_area_id(hass, device)
    return None


def own_satellites(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> frozenset[str]:
    """Return the entity ids of the satellites that the speaker speaks to: the one, or those of its device."""
    found = _of_device(hass, device_id, "assist_satellite")
    return frozenset({*found, *([satellite_id] if satellite_id else [])})


def own_players(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> frozenset[str]:
    """Return the entity ids of the players in the device that the speaker speaks to."""
    satellite = er.async_get(hass).async_get(satellite_id) if satellite_id else None
    if satellite and satellite.device_id:
        device_id = satellite.device_id
    return _of_device(hass, device_id, "media_player")


def _of_device(hass: HomeAssistant, device_id: str | None, domain: str) -> frozenset[str]:
    """Return the entity ids of a domain in a device."""
    of_device = er.async_entries_for_device(er.async_get(hass), device_id) if device_id else []
    return frozenset(entry.entity_id for entry in of_device if entry.domain == domain)
