"""Availability of a connection's server: seen by the result of each call, polled while it is unavailable."""

from collections.abc import Callable
from datetime import datetime, timedelta
import inspect
import logging
from typing import Any
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_URL
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..llm.errors import (
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    RateLimitedError,
    UnreachableError,
)
from .connection import async_handle_error, async_list_models

_LOGGER = logging.getLogger(__name__)

_POLL_INTERVAL = timedelta(minutes=1)
"""How often an unavailable server is asked whether it is back."""

_SINCE = "since"
# Home Assistant shows an issue where its connection is listed, since it can be told which that is.
_CAN_NAME_ENTRY = "config_entry_id" in inspect.signature(ir.async_create_issue).parameters


class ServerWatch:
    """Tracks whether a connection's server is available, and since when it is not.

    Shown in Repairs, as the model of the connection's device, and to listeners.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry,
        unavailable_text: str,
        on_recovery: CALLBACK_TYPE,
    ) -> None:
        """Begin as the connection was left: an unavailable server stays so until it answers.

        `unavailable_text` is the device's model until then; `on_recovery` is called when the server
        answers again.
        """
        self._hass = hass
        self._entry = entry
        self._unavailable_text = unavailable_text
        self._on_recovery = on_recovery
        self._listeners: list[CALLBACK_TYPE] = []
        self._stop_timer: CALLBACK_TYPE | None = None
        self._is_stopped = False
        self._issue_id = issue_id_of(entry)
        self.unavailable_since: datetime | None = None
        issue = ir.async_get(hass).async_get_issue(DOMAIN, self._issue_id)
        # One from before a restart is remembered, but no longer active: it is to be found out anew.
        if issue and issue.active:
            since = dt_util.parse_datetime(str((issue.data or {}).get(_SINCE)))
            self.unavailable_since = since or dt_util.utcnow()

    @callback
    def async_start(self) -> None:
        """Ask the server now, and poll it while it is unavailable. Its device has to be there."""
        if not self.is_available:
            self._start_polling()
        self._notify()
        self._entry.async_create_background_task(
            self._hass, self.async_poll(), f"{DOMAIN} asks the server of {self._entry.title}"
        )

    @property
    def is_available(self) -> bool:
        """Return whether the server answered when it was last asked."""
        return self.unavailable_since is None

    def add_listener(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call `listener` when the availability changes; returns what removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def report(self, err: ModelError | None) -> None:
        """Take the result of a call to the server; None is a call that was answered.

        A refusal is an answer too. A timeout, or a call that a limit of ours held back, says nothing.
        """
        is_silent = isinstance(err, CircuitOpenError | ModelTimeoutError | RateLimitedError)
        if is_silent or self._is_stopped:
            return
        if isinstance(err, UnreachableError):
            self._set_unavailable()
        else:
            self._set_available()
        if err is not None:
            async_handle_error(self._hass, self._entry, err)

    async def async_poll(self, _now: datetime | None = None) -> None:
        """Ask the server for its models, to see whether it is there."""
        try:
            await async_list_models(self._hass, self._entry.data)
        except ModelError as err:
            if self.is_available:
                _LOGGER.warning(
                    "The model server of %s does not answer, going on without it: %s",
                    self._entry.title,
                    err,
                )
            self.report(err)
        else:
            self.report(None)

    @callback
    def async_stop(self) -> None:
        """Stop polling, and ignore the results of calls that are still under way."""
        self._is_stopped = True
        self._stop_polling()

    def _set_unavailable(self) -> None:
        """Show once that the server is unavailable, and poll it from now on.

        Nothing is logged: whoever made the call has said why it failed.
        """
        if not self.is_available:
            return
        self.unavailable_since = dt_util.utcnow()
        self._create_issue(self.unavailable_since)
        self._start_polling()
        self._notify()

    def _set_available(self) -> None:
        """Show that the server is back, if it was unavailable."""
        if self.is_available:
            return
        self.unavailable_since = None
        self._stop_polling()
        self._on_recovery()
        ir.async_delete_issue(self._hass, DOMAIN, self._issue_id)
        _LOGGER.info("The model server of %s answers again", self._entry.title)
        self._notify()

    def _start_polling(self) -> None:
        """Begin to ask the server now and then."""
        self._stop_timer = async_track_time_interval(
            self._hass, self.async_poll, _POLL_INTERVAL, cancel_on_shutdown=True
        )

    def _stop_polling(self) -> None:
        """Stop asking the server, if it is polled."""
        if self._stop_timer:
            self._stop_timer()
            self._stop_timer = None

    def _notify(self) -> None:
        """Call the listeners, and update the connection's device."""
        for listener in tuple(self._listeners):
            listener()
        devices = dr.async_get(self._hass)
        place = (DOMAIN, self._entry.entry_id)
        if device := devices.async_get_device_by_identifier(place, self._entry.entry_id):
            model = None if self.is_available else self._unavailable_text
            devices.async_update_device(device.id, model=model)

    def _create_issue(self, since: datetime) -> None:
        """Show in Repairs that the server is unavailable, and since when."""
        where: dict[str, Any] = {"config_entry_id": self._entry.entry_id} if _CAN_NAME_ENTRY else {}
        create: Callable[..., None] = ir.async_create_issue
        create(
            self._hass,
            DOMAIN,
            self._issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="server_away",
            translation_placeholders={
                "connection": self._entry.title,
                "address": urlsplit(self._entry.data[CONF_URL]).netloc,
                "since": dt_util.as_local(since).strftime("%Y-%m-%d %H:%M"),
            },
            data={_SINCE: since.isoformat()},
            **where,
        )


def issue_id_of(entry: ConfigEntry) -> str:
    """Return the id of the repair issue of an unavailable server."""
    return f"server_away_{entry.entry_id}"


async def async_unavailable_text(hass: HomeAssistant, entry: ConfigEntry) -> str:
    """Return the words, in the home's language, for a connection whose server is unavailable."""
    texts = await async_get_translations(hass, hass.config.language, "issues", {DOMAIN})
    return texts[f"component.{DOMAIN}.issues.server_away.title"].format(connection=entry.title)
