"""The speaker: where and with what somebody speaks, and what they may read and control.

The catalog leaves out what may not be read; plans refuse what may not be controlled.
"""

from dataclasses import dataclass
from functools import cached_property

from homeassistant.auth.permissions import AbstractPermissions
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from .catalog import Catalog


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


@dataclass(frozen=True)
class Rights:
    """Permissions of a speaker: a user's, or all without a user; none if not `is_known`."""

    permissions: AbstractPermissions | None = None
    is_known: bool = True

    @cached_property
    def reads_all(self) -> bool:
        """Return whether all entities may be read."""
        if not self.is_known:
            return False
        return self.permissions is None or self.permissions.access_all_entities(POLICY_READ)

    def may_read(self, entity_id: str) -> bool:
        """Return whether an entity may be read."""
        return self.reads_all or self._may(entity_id, POLICY_READ)

    def may_control(self, entity_id: str) -> bool:
        """Return whether an entity may be controlled, by Home Assistant's own check of a service call.

        Of a group it is the group itself; its members are judged when the group calls them.
        """
        return (self.is_known and self.permissions is None) or self._may(entity_id, POLICY_CONTROL)

    def readable(self, catalog: Catalog) -> Catalog:
        """Return a catalog with only the entities that may be read."""
        if self.reads_all:
            return catalog
        return catalog.only(lambda entity: self.may_read(entity.entity_id))

    def _may(self, entity_id: str, policy: str) -> bool:
        """Return whether the user's permissions allow something with an entity."""
        return self.permissions is not None and self.permissions.check_entity(entity_id, policy)


FULL_RIGHTS = Rights()
"""Permissions without a user, as through most voice satellites."""

_NOTHING = Rights(is_known=False)


async def async_rights(hass: HomeAssistant, user_id: str | None) -> Rights:
    """Return the permissions of a user; none for one that does not exist or is not active."""
    if user_id is None:
        return FULL_RIGHTS
    user = await hass.auth.async_get_user(user_id)
    return Rights(user.permissions) if user and user.is_active else _NOTHING
