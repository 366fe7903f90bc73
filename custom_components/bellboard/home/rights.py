"""Read permissions of the speaker: entities that may not be read are left out of the catalog."""

from dataclasses import dataclass
from functools import cached_property

from homeassistant.auth.permissions import AbstractPermissions
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant

from .catalog import Catalog


@dataclass(frozen=True)
class Rights:
    """Read permissions of a speaker: a user's, or all without a user; none if not `is_known`."""

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
        if self.reads_all:
            return True
        found = self.permissions
        return found is not None and found.check_entity(entity_id, POLICY_READ)

    def readable(self, catalog: Catalog) -> Catalog:
        """Return a catalog with only the entities that may be read."""
        if self.reads_all:
            return catalog
        return catalog.only(lambda entity: self.may_read(entity.entity_id))


FULL_RIGHTS = Rights()
"""Permissions without a user, as through most voice satellites."""

_NOTHING = Rights(is_known=False)


async def async_rights(hass: HomeAssistant, user_id: str | None) -> Rights:
    """Return the permissions of a user; none for one that does not exist or is not active."""
    if user_id is None:
        return FULL_RIGHTS
    user = await hass.auth.async_get_user(user_id)
    return Rights(user.permissions) if user and user.is_active else _NOTHING
