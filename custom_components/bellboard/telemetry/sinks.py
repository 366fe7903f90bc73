"""The sinks of an assistant, as its options say: event bus, memory, SQLite file, spans, standard output."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
import logging
from pathlib import Path
from typing import Final

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE, MATCH_ALL
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers.storage import STORAGE_DIR

from ..const import DOMAIN
from ..options import TelemetryOptions
from .basic_sinks import FanOutSink, GuardedSink, LateRingSink, PrintSink, RedactingSink, RingSink
from .otel import SpanSink, create_span_sink
from .redaction import Redactor
from .sqlite_sink import EventFile, SqliteSink
from .trace import Stage, TelemetryEvent, TelemetrySink

_LOGGER = logging.getLogger(__name__)

EVENT_TELEMETRY: Final = f"{DOMAIN}_telemetry"
"""The type of the event on Home Assistant's bus; its data are the event as JSON."""

_BYTES_PER_MB = 1024 * 1024

# In seconds. Events of a turn that has not answered by then are passed on.
_SLOW = 0.05


@dataclass(frozen=True, slots=True)
class BusSink:
    """Fires each event on Home Assistant's bus, for automations."""

    hass: HomeAssistant

    @property
    def is_heard(self) -> bool:
        """Return whether anything listens to the event, or to all events."""
        listeners = self.hass.bus.async_listeners()
        return bool(listeners.get(EVENT_TELEMETRY) or listeners.get(MATCH_ALL))

    @callback
    def record(self, event: TelemetryEvent) -> None:
        """Fire the event; listeners run later."""
        self.hass.bus.async_fire(EVENT_TELEMETRY, event.model_dump(mode="json"))


class Telemetry:
    """The sink of one assistant: keeps the last events, and passes each to all other sinks, redacted. It never raises.

    `ring` has the last events, redacted when somebody reads them; so are those for the event bus.
    Events are passed on when their turn has answered, so that they delay no
    answer; those of a slow turn while it goes on.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        redactor: Redactor,
        *,
        bus: BusSink | None = None,
        sinks: tuple[TelemetrySink, ...] = (),
        spans: SpanSink | None = None,
        file: SqliteSink | None = None,
    ) -> None:
        """Put sinks together; `async_close`, or Home Assistant's end, closes `spans` and `file`."""
        self._hass = hass
        self._spans = spans
        self._file = file
        self._waiting: list[TelemetryEvent] = []
        self._timer: asyncio.Handle | None = None
        self._ring = LateRingSink(redactor)
        closing = tuple(sink for sink in (spans, file) if sink)
        self._redactor = redactor
        self._bus = bus
        self._bus_sink = _guarded(redactor, (bus,) if bus else ())
        self._sink = _guarded(redactor, (*sinks, *closing))
        self._stop_listening: CALLBACK_TYPE | None = None
        if closing:
            self._stop_listening = hass.bus.async_listen_once(
                EVENT_HOMEASSISTANT_FINAL_WRITE, self._async_on_final_write
            )

    def record(self, event: TelemetryEvent) -> None:
        """Queue an event for all sinks."""
        loop = self._hass.loop
        self._waiting.append(event)
        if event.stage is Stage.RESPOND:
            self._cancel_timer()
            self._timer = loop.call_soon(self._flush)
        elif self._timer is None:
            self._timer = loop.call_later(_SLOW, self._flush)

    @callback
    def _flush(self) -> None:
        """Pass all queued events to the sinks."""
        self._cancel_timer()
        waiting, self._waiting = self._waiting, []
        heard = self._bus_sink if self._bus and waiting and self._bus.is_heard else None
        for event in waiting:
            self._ring.record(event)
            for sink in filter(None, (heard, self._sink)):
                sink.record(event)

    def _cancel_timer(self) -> None:
        """Cancel the flush that is scheduled."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    @property
    def ring(self) -> RingSink:
        """Return the last events, redacted."""
        self._flush()
        return self._ring.read()

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return those names, sorted, whose values are redacted; `ids` are those of an intent and an agent."""
        return self._redactor.redacted(names, *ids)

    @property
    def dropped(self) -> int:
        """The number of events that the file lost."""
        self._flush()
        return self._file.dropped if self._file else 0

    async def async_close(self) -> None:
        """Flush, and close the sinks."""
        if self._stop_listening:
            self._stop_listening()
            self._stop_listening = None
        await self._async_end()

    async def _async_on_final_write(self, _event: Event) -> None:
        """Close with Home Assistant."""
        self._stop_listening = None
        await self._async_end()

    async def _async_end(self) -> None:
        """Flush, and close the sinks; a second time does no harm."""
        self._flush()
        if self._spans:
            self._spans.close()
        if self._file:
            await self._hass.async_add_executor_job(self._file.close)


def _guarded(redactor: Redactor, sinks: tuple[TelemetrySink, ...]) -> GuardedSink | None:
    """Return the sink that redacts each event and passes it to some, None where there are none."""
    return GuardedSink(RedactingSink(redactor, FanOutSink(sinks))) if sinks else None


@callback
def create_sinks(hass: HomeAssistant, assistant_id: str, options: TelemetryOptions) -> Telemetry:
    """Return the sinks of an assistant. No file is touched before the first event."""
    file = None
    if options.sqlite:
        file = SqliteSink(
            telemetry_path(hass, assistant_id),
            max_bytes=options.sqlite_max_mb * _BYTES_PER_MB,
            keep=options.sqlite_keep,
        )
    return Telemetry(
        hass,
        Redactor.of(options.redacted_parameters, reveal_text=options.reveal_text),
        bus=BusSink(hass) if options.event_bus else None,
        sinks=(PrintSink(),) if options.print_events else (),
        spans=create_span_sink() if options.spans else None,
        file=file,
    )


def telemetry_path(hass: HomeAssistant, assistant_id: str) -> Path:
    """Return the path of the file that an assistant's events are kept in."""
    return Path(hass.config.path(STORAGE_DIR, f"{DOMAIN}.telemetry.{assistant_id}.db"))


async def async_remove_telemetry(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete the files of an assistant that was removed."""
    file = EventFile(telemetry_path(hass, assistant_id), max_bytes=0, keep=0)
    try:
        await hass.async_add_executor_job(file.remove)
    except OSError as err:
        _LOGGER.warning("Telemetry in %s cannot be deleted: %s", file.path, err)
