"""Creates the store of an assistant's conversations by its options, with repair issues if that fails."""

from collections.abc import Callable
from datetime import timedelta
import logging
from pathlib import Path
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.requirements import RequirementsNotFound

from ..const import DOMAIN
from ..options import MemoryOptions
from .conversations import Conversations
from .ha_store import HomeAssistantTaskStore, async_remove_tasks
from .models import TaskStore
from .redis_store import async_create_redis_store

_LOGGER = logging.getLogger(__name__)

ISSUE_BROKEN = "tasks_broken"
ISSUE_REDIS = "redis_unavailable"
ISSUE_NO_REDIS = "redis_unusable"
ISSUE_IN_CLEAR = "redis_in_clear"

_ON_THIS_MACHINE = frozenset({"", "localhost", "127.0.0.1", "::1"})


async def async_open_conversations(
    hass: HomeAssistant, subentry: ConfigSubentry, options: MemoryOptions
) -> Conversations:
    """Return an assistant's conversations, with those that were under way taken up.

    Whatever is wrong with the place they are kept in, the assistant works: a repair issue tells.
    """
    opened: list[Conversations] = []

    @callback
    def async_on_back() -> None:
        # What was under way could not be read while the store was away.
        for conversations in opened:
            hass.async_create_task(conversations.async_start(), "bellboard takes conversations up")

    store = await _async_store(hass, subentry, options, async_on_back)
    conversations = Conversations(store, subentry.subentry_id)
    await conversations.async_start()
    opened.append(conversations)
    return conversations


async def async_remove_conversations(hass: HomeAssistant, subentry_id: str) -> None:
    """Delete what Home Assistant kept for an assistant that is no more, and what was told about it.

    What is in Redis may be another's too, and expires.
    """
    await async_remove_tasks(hass, subentry_id)
    for domain, issue_id in list(ir.async_get(hass).issues):
        # All that is told of conversations has the id of their assistant in its own.
        if domain == DOMAIN and subentry_id in issue_id:
            ir.async_delete_issue(hass, DOMAIN, issue_id)


async def _async_store(
    hass: HomeAssistant,
    subentry: ConfigSubentry,
    options: MemoryOptions,
    async_on_back: Callable[[], None],
) -> TaskStore:
    """Return the store that the options name; Home Assistant's own where Redis cannot be used.

    `async_on_back` is called when Redis can be reached again after it could not.
    """
    ttl = timedelta(hours=options.task_context_ttl)
    issue_id = f"{ISSUE_REDIS}_{subentry.subentry_id}"

    @callback
    def async_on_broken(path: str) -> None:
        _create_issue(hass, f"{ISSUE_BROKEN}_{Path(path).name}", ISSUE_BROKEN, subentry, path=path)

    @callback
    def async_on_unavailable(reason: str) -> None:
        _create_issue(hass, issue_id, ISSUE_REDIS, subentry, reason=reason)

    @callback
    def async_on_available() -> None:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
        async_on_back()

    ir.async_delete_issue(hass, DOMAIN, issue_id)
    clear_id = f"{ISSUE_IN_CLEAR}_{subentry.subentry_id}"
    if has_readable_password(options.redis_url):
        _create_issue(hass, clear_id, ISSUE_IN_CLEAR, subentry)
    else:
        ir.async_delete_issue(hass, DOMAIN, clear_id)
    if options.redis_url:
        try:
            return await async_create_redis_store(
                hass,
                options.redis_url,
                ttl,
                on_unavailable=async_on_unavailable,
                on_available=async_on_available,
            )
        except (RequirementsNotFound, ValueError) as err:
            # Neither is written with the address, which may hold a password.
            _LOGGER.warning("Redis cannot be used: %s", type(err).__name__)
            _create_issue(hass, issue_id, ISSUE_NO_REDIS, subentry)
    return HomeAssistantTaskStore(hass, subentry.subentry_id, ttl, async_on_broken)


def has_readable_password(redis_url: str) -> bool:
    """Return whether a password goes over the network in the clear."""
    parts = urlsplit(redis_url)
    is_away = (parts.hostname or "") not in _ON_THIS_MACHINE
    return parts.scheme == "redis" and bool(parts.password) and is_away


@callback
def _create_issue(
    hass: HomeAssistant, issue_id: str, key: str, subentry: ConfigSubentry, **placeholders: str
) -> None:
    """Tell the user what they can do about a place that fails."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=key,
        translation_placeholders={"assistant": subentry.title, **placeholders},
    )
