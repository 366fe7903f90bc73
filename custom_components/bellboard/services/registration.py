"""All actions of the integration: each module has a table of its own."""

from homeassistant.core import HomeAssistant, callback

from . import (
    agents,
    delayed,
    evaluate,
    execute,
    habits,
    learned,
    policies,
    process,
    route,
    run_task,
    tasks,
    undo,
)

_MODULES = (
    agents,
    delayed,
    evaluate,
    execute,
    habits,
    learned,
    policies,
    process,
    route,
    run_task,
    tasks,
    undo,
)


@callback
def async_register_actions(hass: HomeAssistant) -> None:
    """Register all actions."""
    for module in _MODULES:
        for action in module.ACTIONS:
            action.register(hass)
