"""Where an assistant's events go, as its options say."""

import asyncio
from collections.abc import Iterable
import logging
from pathlib import Path

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers.storage import STORAGE_DIR

from ..const import DOMAIN
from ..options import TelemetryOptions
from .bus import BusSink
from .events import Stage, TelemetryEvent, TelemetrySink
from .fan_out import FanOutSink, GuardedSink, RedactingSink
from .otel import SpanSink, create_span_sink
from .redaction import Redactor
from .ring import RingSink
from .sqlite_file import EventFile
from .sqlite_sink import SqliteSink

_LOGGER = logging.getLogger(__name__)

_BYTES_PER_MB = 1024 * 1024

# In seconds. What a turn tells is given on after this time, if it has not answered by then.
_SLOW = 0.05


class Telemetry:
    """The sinks of one assistant. It is a sink itself, and never fails.

    `ring` has the last events. Everything, the ring too, is given only what the options show. Events
    are given on when their turn has answered, so that nobody waits for an answer because of them,
    and those of a slow turn while it goes on.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        redactor: Redactor,
        *,
        sinks: tuple[TelemetrySink, ...] = (),
        spans: SpanSink | None = None,
        file: SqliteSink | None = None,
    ) -> None:
        """Put sinks together; those that end are ended by `async_close`, or with Home Assistant."""
        self._hass = hass
        self._spans = spans
        self._file = file
        self._waiting: list[TelemetryEvent] = []
        self._timer: asyncio.Handle | None = None
        self._ring = RingSink()
        closing = tuple(sink for sink in (spans, file) if sink)
        every = FanOutSink((self._ring, *sinks, *closing))
        self._redactor = redactor
        self._sink = GuardedSink(RedactingSink(redactor, every))
        self._stop_listening: CALLBACK_TYPE | None = None
        if closing:
            self._stop_listening = hass.bus.async_listen_once(
                EVENT_HOMEASSISTANT_FINAL_WRITE, self._async_on_final_write
            )

    def record(self, event: TelemetryEvent) -> None:
        """Give an event to all sinks, in order and soon."""
        loop = self._hass.loop
        self._waiting.append(event)
        if event.stage is Stage.RESPOND:
            self._stop_waiting()
            self._timer = loop.call_soon(self._give_on)
        elif self._timer is None:
            self._timer = loop.call_later(_SLOW, self._give_on)

    @callback
    def _give_on(self) -> None:
        """Give all events that wait to the sinks."""
        self._stop_waiting()
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            self._sink.record(event)

    def _stop_waiting(self) -> None:
        """Give nothing on later: it is given now, or at another time."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    @property
    def ring(self) -> RingSink:
        """Return the last events."""
        self._give_on()
        return self._ring

    def redacted(self, names: Iterable[str]) -> list[str]:
        """Return those names of parameters, sorted, whose values no sink is told."""
        return self._redactor.redacted(names)

    @property
    def dropped(self) -> int:
        """The events that were not written to the file and will not be."""
        self._give_on()
        return self._file.dropped if self._file else 0

    async def async_close(self) -> None:
        """Write what waits to be written, and end."""
        if self._stop_listening:
            self._stop_listening()
            self._stop_listening = None
        await self._async_end()

    async def _async_on_final_write(self, _event: Event) -> None:
        """End with Home Assistant."""
        self._stop_listening = None
        await self._async_end()

    async def _async_end(self) -> None:
        """End the sinks; those that are ended already stay so."""
        self._give_on()
        if self._spans:
            self._spans.close()
        if self._file:
            await self._hass.async_add_executor_job(self._file.close)


@callback
def create_sinks(hass: HomeAssistant, assistant_id: str, options: TelemetryOptions) -> Telemetry:
    """Return the sinks of an assistant. No file is touched before the first event."""
    sinks: tuple[TelemetrySink, ...] = (BusSink(hass),) if options.event_bus else ()
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
        sinks=sinks,
        spans=create_span_sink() if options.spans else None,
        file=file,
    )


def telemetry_path(hass: HomeAssistant, assistant_id: str) -> Path:
    """Return the path of the file that an assistant's events are kept in."""
    return Path(hass.config.path(STORAGE_DIR, f"{DOMAIN}.telemetry.{assistant_id}.db"))


async def async_remove_telemetry(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete what was kept of the events of an assistant that is no more."""
    file = EventFile(telemetry_path(hass, assistant_id), max_bytes=0, keep=0)
    try:
        await hass.async_add_executor_job(file.remove)
    except OSError as err:
        _LOGGER.warning("Telemetry in %s cannot be deleted: %s", file.path, err)
