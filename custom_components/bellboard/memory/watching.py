"""Waits for what begins to be so: a trigger's condition is looked at when one of its entities changes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HassJob,
    HomeAssistant,
    callback,
)
from homeassistant.helpers.event import async_call_later, async_track_state_change_event
from homeassistant.helpers.sun import get_astral_event_date
from homeassistant.util import dt as dt_util

from ..when import Trigger

# Domains whose state is the time of what happened last.
_EVENTS = ("button.", "event.", "input_button.")

type Evaluate = Callable[[], Mapping[str, bool]]
"""Tells whether a condition holds: of each thing by its id, or of no certain one (""). What is unknown is left out."""


@dataclass(frozen=True, slots=True)
class Fired:
    """What was waited for has begun: of which thing ("" for no certain one).

    It `is_missed` where nobody saw it begin: it was so when Home Assistant had started again, and not before.
    """

    entity_id: str = ""
    is_missed: bool = False


@callback
def async_watch(
    hass: HomeAssistant,
    trigger: Trigger,
    evaluate: Evaluate,
    on_fire: Callable[[Fired], None],
    *,
    is_restart: bool = False,
) -> CALLBACK_TYPE:
    """Call a function when a trigger's condition begins to hold, once or each time; return what stops it.

    It has to hold for the trigger's `hold` without a break, after it did not hold for as long. What holds at first
    does not begin, unless it had begun when the trigger was made and only not held for as long; with `is_restart` that
    counts, too, which did not hold then. What is unknown or unavailable is as it was before. Who waits stops it where
    the trigger's time is over.
    """
    watch = _Watch(hass, trigger, evaluate, on_fire, is_restart=is_restart)
    watch.async_start()
    return watch.async_stop


class _Watch:
    """Watches the entities of one trigger."""

    def __init__(
        self,
        hass: HomeAssistant,
        trigger: Trigger,
        evaluate: Evaluate,
        on_fire: Callable[[Fired], None],
        *,
        is_restart: bool,
    ) -> None:
        """Take what is watched; nothing is listened to yet."""
        self._hass, self._trigger, self._evaluate = hass, trigger, evaluate
        self._on_fire, self._is_restart = on_fire, is_restart
        self._settled: dict[str, bool] = {}
        self._begun = dict(trigger.begun)
        self._unseen: set[str] = set()
        self._pending: dict[str, CALLBACK_TYPE] = {}
        self._stops: list[CALLBACK_TYPE] = []

    @callback
    def async_start(self) -> None:
        """Listen to the entities, and note what holds now."""
        self._stops = [
            async_track_state_change_event(
                self._hass, self._trigger.entity_ids, self._async_changed
            )
        ]
        self._async_look()

    @callback
    def async_stop(self) -> None:
        """Stop listening; nothing is called any more."""
        while self._stops:
            self._stops.pop()()
        for key in [*self._pending]:
            self._async_forget(key)

    @callback
    def _async_changed(self, event: Event[EventStateChangedData]) -> None:
        """Look at what holds, after a state has changed."""
        if _has_happened(event.data):
            self._settled[event.data["entity_id"]] = False
            self._unseen.discard(event.data["entity_id"])
        self._async_look()

    @callback
    def _async_look(self) -> None:
        """Let what has changed settle, and forget what has changed back or is not known any more."""
        now = self._evaluate()
        for key in self._pending.keys() - now.keys():
            self._async_forget(key)
        for key, holds in now.items():
            if key not in self._settled:
                is_held = key in self._trigger.held if self._is_restart else holds
                self._settled[key] = is_held and key not in self._begun
                if key not in self._begun:
                    self._unseen.add(key)
            if holds is self._settled[key]:
                self._unseen.discard(key)
                self._begun.pop(key, None)
                self._async_forget(key)
            elif key not in self._pending:
                self._async_let_settle(key, holds=holds)
            if not self._stops:
                return

    @callback
    def _async_let_settle(self, key: str, *, holds: bool) -> None:
        """Count a change once it has been so for the trigger's time."""

        @callback
        def async_settle(_now: datetime | None = None) -> None:
            self._async_forget(key)
            self._settled[key] = holds
            fired = Fired(key, key in self._unseen)
            self._unseen.discard(key)
            if holds and self._is_time():
                if not self._trigger.repeats:
                    self.async_stop()
                self._on_fire(fired)

        seconds = self._trigger.hold
        begun = self._begun.pop(key, None)
        if begun and not self._is_restart:
            seconds -= (dt_util.utcnow() - begun).total_seconds()
        if seconds <= 0:
            async_settle()
            return
        job = HassJob(async_settle, cancel_on_shutdown=True)
        self._pending[key] = async_call_later(self._hass, seconds, job)

    def _is_time(self) -> bool:
        """Return whether what begins now counts: in the hours that it is waited for."""
        window = self._trigger.window
        return window is None or window.has(
            dt_util.now(), partial(get_astral_event_date, self._hass)
        )

    @callback
    def _async_forget(self, key: str) -> None:
        """Forget a change that has not settled."""
        if stop := self._pending.pop(key, None):
            stop()


def _has_happened(data: EventStateChangedData) -> bool:
    """Return whether an entity that only tells when something happened last does so of something new."""
    old, new = data["old_state"], data["new_state"]
    is_event = data["entity_id"].startswith(_EVENTS)
    is_known = old is not None and STATE_UNAVAILABLE not in {old.state, new and new.state}
    return bool(is_event and is_known and new and old and new.state != old.state)
