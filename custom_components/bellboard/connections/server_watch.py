"""Whether a connection's server answers: noticed with each call, looked for while it is away."""

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
from .connection import async_list_models, async_note_error

_LOGGER = logging.getLogger(__name__)

_EVERY = timedelta(minutes=1)
"""How often it is looked for a server that is away."""

_SINCE = "since"
# Home Assistant shows an issue where its connection is listed, since it can be told which that is.
_CAN_NAME_ENTRY = "config_entry_id" in inspect.signature(ir.async_create_issue).parameters


class ServerWatch:
    """Knows whether a connection's server answers, and since when it does not."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry, away_text: str, on_back: CALLBACK_TYPE
    ) -> None:
        """Begin as the connection was left: what was away is away until it answers.

        `away_text` says so where the connection's device is listed; `on_back` is called when the
        server answers again.
        """
        self._hass = hass
        self._entry = entry
        self._away_text = away_text
        self._on_back = on_back
        self._listeners: list[CALLBACK_TYPE] = []
        self._stop: CALLBACK_TYPE | None = None
        self._has_ended = False
        self._issue_id = issue_id_of(entry)
        self.away_since: datetime | None = None
        issue = ir.async_get(hass).async_get_issue(DOMAIN, self._issue_id)
        # One from before a restart is remembered, but no longer active: it is to be found out anew.
        if issue and issue.active:
            since = dt_util.parse_datetime(str((issue.data or {}).get(_SINCE)))
            self.away_since = since or dt_util.utcnow()

    @callback
    def async_begin(self) -> None:
        """Look for the server now, and go on while it is away. Its device has to be there."""
        if not self.answers:
            self._look()
        self._tell()
        self._entry.async_create_background_task(
            self._hass, self.async_ask(), f"{DOMAIN} greets {self._entry.title}"
        )

    @property
    def answers(self) -> bool:
        """Return whether the server answered when it was last asked."""
        return self.away_since is None

    def add_listener(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call `listener` when the server goes away or is back; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def note(self, err: ModelError | None) -> None:
        """Note how a call to the server ended; None is a call that was answered.

        A refusal is an answer too. What came too late, or was not asked because of a limit of ours,
        says nothing.
        """
        is_silent = isinstance(err, CircuitOpenError | ModelTimeoutError | RateLimitedError)
        if is_silent or self._has_ended:
            return
        if isinstance(err, UnreachableError):
            self._note_away()
        else:
            self._note_back()
        if err is not None:
            async_note_error(self._hass, self._entry, err)

    async def async_ask(self, _now: datetime | None = None) -> None:
        """Ask the server for its models, to see whether it is there."""
        try:
            await async_list_models(self._hass, self._entry.data)
        except ModelError as err:
            if self.answers:
                _LOGGER.warning(
                    "The model server of %s does not answer, going on without it: %s",
                    self._entry.title,
                    err,
                )
            self.note(err)
        else:
            self.note(None)

    @callback
    def async_end(self) -> None:
        """Look no longer, and hear no more of calls that are still under way."""
        self._has_ended = True
        self._look_no_longer()

    def _note_away(self) -> None:
        """Tell once that the server is away, and look for it from now on.

        Nothing is logged: whoever made the call has said why it failed.
        """
        if not self.answers:
            return
        self.away_since = dt_util.utcnow()
        self._create_issue(self.away_since)
        self._look()
        self._tell()

    def _note_back(self) -> None:
        """Tell that the server is back, if it was away."""
        if self.answers:
            return
        self.away_since = None
        self._look_no_longer()
        self._on_back()
        ir.async_delete_issue(self._hass, DOMAIN, self._issue_id)
        _LOGGER.info("The model server of %s answers again", self._entry.title)
        self._tell()

    def _look(self) -> None:
        """Begin to look for the server now and then."""
        self._stop = async_track_time_interval(
            self._hass, self.async_ask, _EVERY, cancel_on_shutdown=True
        )

    def _look_no_longer(self) -> None:
        """Stop to look for the server, if it was looked for."""
        if self._stop:
            self._stop()
            self._stop = None

    def _tell(self) -> None:
        """Tell the listeners, and whoever looks at the list of devices."""
        for listener in tuple(self._listeners):
            listener()
        devices = dr.async_get(self._hass)
        place = (DOMAIN, self._entry.entry_id)
        if device := devices.async_get_device_by_identifier(place, self._entry.entry_id):
            model = None if self.answers else self._away_text
            devices.async_update_device(device.id, model=model)

    def _create_issue(self, since: datetime) -> None:
        """Show in Repairs that the server is away, and since when."""
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
    """Return the id of the issue that tells that a connection's server is away."""
    return f"server_away_{entry.entry_id}"


async def async_away_text(hass: HomeAssistant, entry: ConfigEntry) -> str:
    """Return the words, in the home's language, that a connection's server is away."""
    texts = await async_get_translations(hass, hass.config.language, "issues", {DOMAIN})
    return texts[f"component.{DOMAIN}.issues.server_away.title"].format(connection=entry.title)
