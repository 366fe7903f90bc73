"""The action `bellboard.reload_policies`: read the file of policies again."""

from homeassistant.core import ServiceCall, ServiceResponse

from ..policy.file import PolicyFileError, async_load_policies, placeholders
from .action import ServiceAction
from .lookup import refusal


async def _async_reload_policies(call: ServiceCall) -> ServiceResponse:
    """Load the file; return how many rules there are.

    Raises:
        ServiceValidationError: the file cannot be used, and the policies stay as they were.
    """
    try:
        return {"rules": await async_load_policies(call.hass)}
    except PolicyFileError as err:
        raise refusal("policies_invalid", **placeholders(call.hass, err)) from err


ACTIONS = (ServiceAction("reload_policies", _async_reload_policies, {}, for_admins=True),)
