"""A Home Assistant action of the integration, declared as one row of its module's `ACTIONS`."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.helpers.typing import VolDictType, VolSchemaType
import voluptuous as vol

from ..const import DOMAIN

type Handler = Callable[[ServiceCall], Coroutine[None, None, ServiceResponse] | ServiceResponse]


@dataclass(frozen=True, slots=True)
class ServiceAction:
    """An action: its name after `bellboard.`, its handler, and the schema of its data.

    Only administrators may call one that is `for_admins`; another acts with its caller's permissions.
    """

    name: str
    handler: Handler
    schema: VolDictType | VolSchemaType
    response: SupportsResponse = SupportsResponse.OPTIONAL
    for_admins: bool = False

    @callback
    def register(self, hass: HomeAssistant) -> None:
        """Register the action."""
        schema = vol.Schema(self.schema) if isinstance(self.schema, Mapping) else self.schema
        args = (DOMAIN, self.name, self.handler, schema, self.response)
        if self.for_admins:
            async_register_admin_service(hass, *args)
        else:
            hass.services.async_register(*args)
