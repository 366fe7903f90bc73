"""What a person may see of the home: what they may not read does not exist for them."""

from dataclasses import dataclass
from functools import cached_property

from homeassistant.auth.permissions import AbstractPermissions
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant

from .catalog import Catalog


@dataclass(frozen=True)
class Rights:
    """The rights of whoever speaks: those of a user, all where nobody is known, else none."""

    permissions: AbstractPermissions | None = None
    is_known: bool = True

    @cached_property
    def reads_all(self) -> bool:
        """Return whether everything may be read."""
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
        """Return a catalog with what may be read only."""
        if self.reads_all:
            return catalog
        entities = {id_: e for id_, e in catalog.entities.items() if self.may_read(id_)}
        return Catalog(catalog.version, entities, catalog.areas, catalog.floors)


EVERYTHING = Rights()
"""The rights where nobody in particular speaks, as through most voice satellites."""

_NOTHING = Rights(is_known=False)


async def async_rights(hass: HomeAssistant, user_id: str | None) -> Rights:
    """Return the rights of a user; of one that is not there or not active any more, none."""
    if user_id is None:
        return EVERYTHING
    user = await hass.auth.async_get_user(user_id)
    return Rights(user.permissions) if user and user.is_active else _NOTHING
