"""An action of the integration, as one row of a module's table."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.helpers.typing import VolSchemaType

from ..const import DOMAIN

type Handler = Callable[[ServiceCall], Coroutine[None, None, ServiceResponse] | ServiceResponse]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its name after `bellboard.`, what carries it out, and the schema of its data.

    One that is not `for_admins` is carried out with the permissions of whoever calls it.
    """

    name: str
    handler: Handler
    schema: VolSchemaType
    response: SupportsResponse = SupportsResponse.OPTIONAL
    for_admins: bool = False

    @callback
    def register(self, hass: HomeAssistant) -> None:
        """Register the action."""
        args = (DOMAIN, self.name, self.handler, self.schema, self.response)
        if self.for_admins:
            async_register_admin_service(hass, *args)
        else:
            hass.services.async_register(*args)
