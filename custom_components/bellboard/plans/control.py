"""Which targets of a call its user may not control, before anything is done or promised for later.

Home Assistant checks this when a service is called, but neither its intents for lists and timers do, nor is anything
called by a command for later when it is given.
"""

from homeassistant.core import HomeAssistant, callback

from ..domains.models import ErrorCode, ToolCall
from ..home.rights import Rights
from .models import Outcome, ToolResult


@callback
def find_uncontrollable(hass: HomeAssistant, rights: Rights, call: ToolCall) -> tuple[str, ...]:
    """Return the targets of a call that the user may not control.

    Of a call without targets that has `domains` it is not known which of their entities it reaches. Home Assistant
    refuses a call that names any target the user may not control: so does this where there is such an entity, and
    returns "" for it. A domain without entities, such as that of timers, needs no right.
    """
    if call.targets:
        return tuple(target for target in call.targets if not rights.may_control(target))
    reached = (each for domain in call.domains for each in hass.states.async_entity_ids(domain))
    return () if all(map(rights.may_control, reached)) else ("",)


def refuse_targets(call: ToolCall, refused: tuple[str, ...]) -> tuple[ToolCall, ToolResult]:
    """Return a call without refused targets, and the result of the call for these: NOT_ALLOWED."""
    left = tuple(target for target in call.targets if target not in refused)
    outcomes = tuple(Outcome(target, ErrorCode.NOT_ALLOWED) for target in dict.fromkeys(refused))
    own = tuple(target for target in call.targets if target in refused)
    return (
        call.model_copy(update={"targets": left}),
        ToolResult(call.model_copy(update={"targets": own}), outcomes),
    )
