"""All actions of the integration: each module has a table of its own."""

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, callback

from ..policy.file import async_load_policies, placeholders
from ..policy.parsing import PolicyFileError
from . import agents, delayed, evaluate, execute, kept, process, repeated, route, run_task, undo
from .action import ServiceAction, refusal


async def _async_reload_policies(call: ServiceCall) -> ServiceResponse:
    """Read the file of policies again; return how many rules there are.

    Raises:
        ServiceValidationError: the file cannot be used, and the policies stay as they were.
    """
    try:
        return {"rules": await async_load_policies(call.hass)}
    except PolicyFileError as err:
        raise refusal("policies_invalid", **placeholders(call.hass, err)) from err


_ACTIONS = (
    *(
        action
        for module in (
            agents,
            delayed,
            evaluate,
            execute,
            kept,
            process,
            repeated,
            route,
            run_task,
            undo,
        )
        for action in module.ACTIONS
    ),
    ServiceAction("reload_policies", _async_reload_policies, {}, for_admins=True),
)


@callback
def async_register_actions(hass: HomeAssistant) -> None:
    """Register all actions."""
    for action in _ACTIONS:
        action.register(hass)
