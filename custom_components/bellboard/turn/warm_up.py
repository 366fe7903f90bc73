"""Building of indexes of the home before somebody speaks: after the start, and when the home has changed.

The first sentence then takes as long as the second (Home Assistant asks an agent to prepare only when a voice
pipeline begins).
"""

from collections.abc import Awaitable, Callable
import logging
from typing import Any

from homeassistant.core import CALLBACK_TYPE, CoreState, HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started

from ..home.catalog import CatalogSource

_LOGGER = logging.getLogger(__name__)

SETTLE_SECONDS = 1.0
"""A change of the home seldom comes alone: how long none must follow before indexes are built."""


class WarmUp:
    """Calls `prepare` in the background once Home Assistant has started, and after each change of the home."""

    def __init__(
        self,
        hass: HomeAssistant,
        catalog: CatalogSource,
        prepare: Callable[[], Awaitable[None]],
        name: str,
    ) -> None:
        """Wait for the start and for changes; `name` is the task's."""
        self._hass, self._prepare, self._name = hass, prepare, name
        self._cancel_timer: CALLBACK_TYPE | None = None
        self._job = HassJob(self._begin, f"{name} timer", cancel_on_shutdown=True)
        self._is_due = self._is_running = self._is_stopped = False
        self._listeners = [
            async_at_started(hass, self._schedule),
            catalog.async_on_stale(self._schedule),
        ]

    @callback
    def stop(self) -> None:
        """Build nothing any more; what is being built is finished."""
        self._is_stopped = True
        while self._listeners:
            self._listeners.pop()()
        self._cancel()

    @callback
    def _cancel(self) -> None:
        """Cancel what is scheduled."""
        if self._cancel_timer:
            self._cancel_timer()
            self._cancel_timer = None

    @callback
    def _schedule(self, _hass: HomeAssistant | None = None) -> None:
        """Build when no change has come for a while."""
        if self._is_running:
            self._is_due = True
        elif not self._is_stopped and self._hass.state is CoreState.running:
            self._cancel()
            self._cancel_timer = async_call_later(self._hass, SETTLE_SECONDS, self._job)

    @callback
    def _begin(self, _now: Any) -> None:
        """Build in the background."""
        self._cancel_timer = None
        self._is_running = True
        self._hass.async_create_background_task(self._async_build(), self._name)

    async def _async_build(self) -> None:
        """Build, and again where the home changed meanwhile."""
        try:
            await self._prepare()
        except Exception:
            # The first sentence builds what is missing, and says what fails.
            _LOGGER.exception("The indexes of the home could not be built")
        finally:
            self._is_running = False
        if self._is_due:
            self._is_due = False
            self._schedule()
