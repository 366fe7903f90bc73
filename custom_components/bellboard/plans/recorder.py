"""Recording the actions that code of Home Assistant's would call, without calling any.

Home Assistant itself works out the calls of a scene's states and of a device's action. Run against a recorder, its own
code tells them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from homeassistant.const import STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

type RecordedCall = tuple[str, str, dict[str, Any]]
"""Domain, service and data, the targets among them."""

# What an entity is and can do, and not how it is: of this its state may have changed by the time of the call.
_LASTING = ("supported_", "min_", "max_", "available_")
_LISTS = ("_modes", "_list", "options", "entity_id", "device_class")


async def async_record_calls(
    hass: HomeAssistant,
    run: Callable[[HomeAssistant], Awaitable[None]],
    *,
    from_any_state: bool = False,
) -> list[RecordedCall]:
    """Return the calls that a function makes with the Home Assistant that it is given; none of them reaches anything.

    `from_any_state` hides the entities' states, so that no call is left out for being done already. `run` has to act
    by calling services alone.

    Raises:
        Exception: whatever the function raises.
    """
    recorder = _Recorder(hass, from_any_state=from_any_state)
    await run(cast("HomeAssistant", recorder))
    return recorder.services.calls


class _Services:
    """Service registry whose calls are recorded."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._services = hass.services
        self.calls: list[RecordedCall] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._services, name)

    async def async_call(
        self,
        domain: str,
        service: str,
        service_data: Mapping[str, Any] | None = None,
        *_: Any,
        target: Mapping[str, Any] | None = None,
        **_options: Any,
    ) -> None:
        """Record a call."""
        self.calls.append((domain, service, {**(service_data or {}), **(target or {})}))


class _States:
    """State machine whose entities have states of which nothing is known but what they can do."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._states = hass.states

    def __getattr__(self, name: str) -> Any:
        return getattr(self._states, name)

    def get(self, entity_id: str) -> State | None:
        """Return an entity's state with its lasting attributes only."""
        if (state := self._states.get(entity_id)) is None:
            return None
        lasting = {
            name: value
            for name, value in state.attributes.items()
            if name.startswith(_LASTING) or name.endswith(_LISTS)
        }
        return State(state.entity_id, STATE_UNKNOWN, lasting)


class _Recorder:
    """Home Assistant with services that record."""

    def __init__(self, hass: HomeAssistant, *, from_any_state: bool) -> None:
        self._hass = hass
        self.services = _Services(hass)
        self.states = _States(hass) if from_any_state else hass.states

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hass, name)
