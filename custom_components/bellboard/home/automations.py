"""Home Assistant automations of repeating commands: built, written to automations.yaml, found and removed.

An automation holds when something is done, and the id of the command; what is done is kept by the assistant, and
judged each time. It is written under the lock of Home Assistant's own editor, and loaded by the same action.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum
from functools import partial
import inspect
import math
from pathlib import Path
from typing import Any

from homeassistant.components.automation import DOMAIN as AUTOMATION
from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config import AUTOMATION_CONFIG_PATH
from homeassistant.const import (
    CONF_ID,
    SERVICE_RELOAD,
    STATE_OFF,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    WEEKDAYS,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, label_registry as lr
from homeassistant.util.file import WriteError, write_utf8_file_atomic
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import dump, load_yaml, parse_yaml
import voluptuous as vol

from ..const import DOMAIN
from ..when import DAY, Repeated, Schedule, SunEvent, SunTime, Trigger, Window

LABEL = "Bellboard"
"""The name of the label of automations written here."""

RUN_ACTION = "run_planned"
"""The action `bellboard.run_planned`, which an automation calls with the id of a command."""

_PREFIX = f"{DOMAIN}_"
_EDITOR_PATH = "/api/config/automation/config/{config_key}"
_DATA_LOCK: HassKey[asyncio.Lock] = HassKey(f"{DOMAIN}_automations")
_HOUR, _MINUTE = 3600, 60
_NOON = time(12)
_LEAST_STEP = 10
"""In seconds: Home Assistant does not look at the time more often than that for one automation."""
_UNSEEN = [STATE_UNAVAILABLE, STATE_UNKNOWN]

type Automation = dict[str, Any]


class AutomationProblem(StrEnum):
    """Reason for which no automation was written or removed; the key of its translation."""

    IMPOSSIBLE = "automation_impossible"
    INVALID = "automation_invalid"
    NOT_LOADED = "automations_not_loaded"
    UNREADABLE = "automations_unreadable"
    UNWRITABLE = "automations_unwritable"


class AutomationError(HomeAssistantError):
    """No automation was written or removed, and the file is as it was."""

    def __init__(self, problem: AutomationProblem, detail: str = "") -> None:
        """Keep the reason; `detail` is in the words of Home Assistant."""
        self.problem = problem
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=problem.value,
            translation_placeholders={"file": AUTOMATION_CONFIG_PATH, "detail": detail},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTest:
    """Test of the states of entities: one of `states`, or a number `above` or `below` which it is.

    The number is the state, or the `attribute`. With `needs_all` it has to hold for all of the entities.
    """

    entity_ids: tuple[str, ...]
    states: tuple[str, ...] = ()
    above: float | None = None
    below: float | None = None
    attribute: str | None = None
    needs_all: bool = False


def automation_id(command_id: str) -> str:
    """Return the id of the automation of a command."""
    return f"{_PREFIX}{command_id}"


def build_automation(
    schedule: Schedule,
    command_id: str,
    *,
    alias: str,
    description: str,
    now: datetime,
    test: StateTest | None = None,
) -> Automation:
    """Return the automation that runs a command by its id whenever a schedule says so.

    `alias` and `description` are words for whoever sees it; `now` is the local time, for what is done once a day
    without a time. `test` is what a trigger waits for.

    Raises:
        AutomationError: no automation has such a schedule: it does not repeat, or the trigger is no plain test.
    """
    match schedule.start:
        case Repeated() as repeated:
            triggers, conditions = _triggers_of_times(repeated, now)
        case Trigger(repeats=True) as trigger if test and test.entity_ids:
            triggers, conditions = _triggers_of_states(test, trigger.hold)
            conditions += _within(trigger.window) if trigger.window else []
        case _:
            raise AutomationError(AutomationProblem.IMPOSSIBLE)
    return {
        CONF_ID: automation_id(command_id),
        "alias": f"{LABEL}: {alias}",
        "description": description,
        "triggers": triggers,
        "conditions": conditions,
        "actions": [{"action": f"{DOMAIN}.{RUN_ACTION}", "data": {CONF_ID: command_id}}],
        # Two windows that open at the same time are two reasons.
        "mode": "queued",
    }


type _Parts = tuple[list[Automation], list[Automation]]


def _triggers_of_times(repeated: Repeated, now: datetime) -> _Parts:
    """Return the triggers and conditions of what is done again and again by the time."""
    weekdays = [WEEKDAYS[day] for day in sorted(set(repeated.weekdays))]
    conditions: list[Automation] = []
    clock, seconds = repeated.clock, round(repeated.every or 0)
    if seconds >= DAY:
        clock, seconds = now.time(), 0
    if clock is not None:
        trigger: Automation = {"trigger": "time", "at": _clock_text(clock)}
        return [trigger | ({"weekday": weekdays} if weekdays else {})], conditions
    if repeated.sun is not None:
        trigger = _sun_trigger(repeated.sun)
    elif seconds:
        trigger, conditions = _pattern(seconds)
    else:
        raise AutomationError(AutomationProblem.IMPOSSIBLE)
    if weekdays:
        conditions.append({"condition": "time", "weekday": weekdays})
    return [trigger], conditions


def _clock_text(clock: time) -> str:
    """Return a time of day as automations have it."""
    return clock.replace(microsecond=0, tzinfo=None).isoformat("seconds")


def _sun_trigger(sun: SunTime) -> Automation:
    """Return the trigger of a time by the sun."""
    trigger: Automation = {"trigger": "sun", "event": sun.event.value}
    if round(sun.offset):
        trigger["offset"] = _offset(sun)
    return trigger


def _offset(sun: SunTime) -> str:
    """Return how long before or after what the sun does a time is, as automations have it."""
    sign = "-" if sun.offset < 0 else ""
    return f"{sign}{_duration(abs(round(sun.offset)))}"


def _pattern(seconds: int) -> tuple[Automation, list[Automation]]:
    """Return the trigger of what is done every so many seconds, and the condition where the clock has no such steps."""
    minutes, hours = seconds // _MINUTE, seconds // _HOUR
    if seconds % _HOUR == 0 and 24 % hours == 0:
        return {"trigger": "time_pattern", "hours": f"/{hours}"}, []
    if seconds % _MINUTE == 0 and 60 % minutes == 0:
        return {"trigger": "time_pattern", "minutes": f"/{minutes}"}, []
    if seconds % _MINUTE == 0:
        unit, step = "minutes", math.gcd(minutes, 60)
    elif (step := math.gcd(seconds, _MINUTE)) >= _LEAST_STEP:
        unit = "seconds"
    else:
        raise AutomationError(AutomationProblem.IMPOSSIBLE)
    template = f"{{{{ now().timestamp() | int % {seconds} == 0 }}}}"
    condition: Automation = {"condition": "template", "value_template": template}
    return {"trigger": "time_pattern", unit: f"/{step}"}, [condition]


def _triggers_of_states(test: StateTest, hold: float) -> _Parts:
    """Return the trigger of a test that begins to hold, and the condition that it does so for all entities."""
    watched: Automation = {"entity_id": list(test.entity_ids)}
    if test.attribute:
        watched["attribute"] = test.attribute
    held = {"for": _duration(round(hold))} if round(hold) else {}
    if test.states:
        states = test.states[0] if len(test.states) == 1 else list(test.states)
        kind, known = "state", {"state": states}
        seen: Automation = {"not_from": [*_UNSEEN, *test.states], "to": states}
    else:
        bounds = {"above": test.above, "below": test.below}
        kind, seen = "numeric_state", {k: v for k, v in bounds.items() if v is not None}
        known = seen
    is_one = len(test.entity_ids) == 1 or not test.needs_all
    condition: list[Automation] = [] if is_one else [{"condition": kind, **watched, **known}]
    return [{"trigger": kind, **watched, **seen, **held}], condition


def _within(window: Window) -> list[Automation]:
    """Return the conditions that the hours of a window are."""
    begin, end = window.begin, window.end
    if isinstance(begin, time) and isinstance(end, time):
        return [{"condition": "time", "after": _clock_text(begin), "before": _clock_text(end)}]
    edges = [_beside(begin, "after"), _beside(end, "before")]
    is_over_midnight = not _is_early(begin) and _is_early(end)
    return [{"condition": "or", "conditions": edges}] if is_over_midnight else edges


def _beside(edge: time | SunTime, side: str) -> Automation:
    """Return the condition that it is on one side of an edge, on its day."""
    if isinstance(edge, time):
        return {"condition": "time", side: _clock_text(edge)}
    offset = {f"{side}_offset": _offset(edge)} if round(edge.offset) else {}
    return {"condition": "sun", side: edge.event.value, **offset}


def _is_early(edge: time | SunTime) -> bool:
    """Return whether an edge is in the first half of a day."""
    return edge.event is SunEvent.SUNRISE if isinstance(edge, SunTime) else edge < _NOON


def _duration(seconds: int) -> str:
    """Return a duration in seconds as automations have it."""
    return f"{seconds // _HOUR:02d}:{seconds % _HOUR // _MINUTE:02d}:{seconds % _MINUTE:02d}"


async def async_write_automation(hass: HomeAssistant, automation: Automation) -> str:
    """Write an automation to automations.yaml, load it, and label it as ours; return its entity id.

    It is in place of one with the same id. It is not exposed to Assist.

    Raises:
        AutomationError: it is not valid, the file cannot be read or written, or Home Assistant does not load it.
    """
    id_ = automation[CONF_ID]
    if not hass.services.has_service(AUTOMATION, SERVICE_RELOAD):
        raise AutomationError(AutomationProblem.NOT_LOADED)
    try:
        # What is valid may be changed by the check.
        await async_validate_config_item(hass, id_, {**automation})
    except (vol.Invalid, HomeAssistantError) as err:
        raise AutomationError(AutomationProblem.INVALID, str(err)) from err
    path = Path(hass.config.path(AUTOMATION_CONFIG_PATH))
    async with _lock(hass):
        was_there = await hass.async_add_executor_job(_write, path, automation)
    await hass.services.async_call(AUTOMATION, SERVICE_RELOAD, {CONF_ID: id_}, blocking=True)
    if (entity_id := _loaded(hass, id_)) is None:
        async with _lock(hass):
            await hass.async_add_executor_job(partial(_remove, path, {id_}, is_new=not was_there))
        raise AutomationError(AutomationProblem.NOT_LOADED)
    labels = lr.async_get(hass)
    label = labels.async_get_label_by_name(LABEL) or labels.async_create(
        LABEL, icon="mdi:bell-ring"
    )
    entities = er.async_get(hass)
    known = entities.entities[entity_id].labels
    entities.async_update_entity(entity_id, labels=known | {label.label_id})
    async_expose_entity(hass, "conversation", entity_id, False)
    return entity_id


async def async_remove_automations(hass: HomeAssistant, command_ids: Collection[str]) -> None:
    """Remove the automations of commands, as Home Assistant's own editor does; those that are not there are left.

    Raises:
        AutomationError: the file cannot be read or written.
    """
    ids = {automation_id(each) for each in command_ids}
    path = Path(hass.config.path(AUTOMATION_CONFIG_PATH))
    async with _lock(hass):
        await hass.async_add_executor_job(_remove, path, ids)
    entities = er.async_get(hass)
    for entity_id in find_automations(hass, command_ids).values():
        entities.async_remove(entity_id)


@callback
def find_automations(hass: HomeAssistant, command_ids: Collection[str]) -> dict[str, str]:
    """Return the entity ids of the automations of commands, by the commands' ids; without those deleted."""
    entities = er.async_get(hass)
    found = {
        each: entities.async_get_entity_id(AUTOMATION, AUTOMATION, automation_id(each))
        for each in command_ids
    }
    return {command_id: entity_id for command_id, entity_id in found.items() if entity_id}


@callback
def is_turned_off(hass: HomeAssistant, command_id: str) -> bool:
    """Return whether somebody turned the automation of a command off."""
    return any(
        hass.states.is_state(entity_id, STATE_OFF)
        for entity_id in find_automations(hass, (command_id,)).values()
    )


@callback
def is_deleted(hass: HomeAssistant, command_id: str) -> bool:
    """Return whether somebody deleted the automation of a command."""
    key = (AUTOMATION, AUTOMATION, automation_id(command_id))
    return key in er.async_get(hass).deleted_entities


@callback
def _loaded(hass: HomeAssistant, id_: str) -> str | None:
    """Return the entity id of an automation that Home Assistant has loaded, None for any other."""
    entity_id = er.async_get(hass).async_get_entity_id(AUTOMATION, AUTOMATION, id_)
    state = hass.states.get(entity_id) if entity_id else None
    return entity_id if state and state.state != STATE_UNAVAILABLE else None


@callback
def _lock(hass: HomeAssistant) -> asyncio.Lock:
    """Return the lock that Home Assistant's editor of automations holds while it changes the file.

    It is that of its view, which only the view's handlers know. Where there is no editor it is our own.
    """
    http = getattr(hass, "http", None)
    for resource in http.app.router.resources() if http else ():
        if resource.canonical != _EDITOR_PATH:
            continue
        for route in resource:
            view = inspect.getclosurevars(route.handler).nonlocals.get("view")
            if isinstance(lock := getattr(view, "mutation_lock", None), asyncio.Lock):
                return lock
    return hass.data.setdefault(_DATA_LOCK, asyncio.Lock())


def _write(path: Path, automation: Automation) -> bool:
    """Put an automation into the file; return whether there was a file. Runs in the executor."""
    text, items = _read(path)
    id_ = automation[CONF_ID]
    if any(_id_of(item) == id_ for item in items):
        text, items = _without(text, items, {id_})
    wanted = [*items, automation]
    kept = text if items else _comments(text)
    joined = f"{kept}\n" if kept and not kept.endswith("\n") else kept
    was_there = path.exists()
    _replace(path, _as_text(f"{joined}{dump([automation])}", wanted))
    return was_there


def _remove(path: Path, ids: Collection[str], *, is_new: bool = False) -> None:
    """Take automations out of the file; one that `is_new` goes with the last. Runs in the executor."""
    text, items = _read(path)
    if not any(_id_of(item) in ids for item in items):
        return
    text, left = _without(text, items, ids)
    if is_new and not left:
        path.unlink(missing_ok=True)
    else:
        _replace(path, text)


def _read(path: Path) -> tuple[str, list[Any]]:
    """Return the file's text and the automations in it; nothing where there is no file.

    Raises:
        AutomationError: it cannot be read, or is no list.
    """
    try:
        items = load_yaml(path) or []
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return "", []
    except (HomeAssistantError, OSError) as err:
        raise AutomationError(AutomationProblem.UNREADABLE, str(err)) from err
    if not isinstance(items, list):
        raise AutomationError(AutomationProblem.UNREADABLE)
    return text, items


def _replace(path: Path, text: str) -> None:
    """Write the file whole, or leave it as it was."""
    try:
        write_utf8_file_atomic(str(path), text)
    except WriteError as err:
        raise AutomationError(AutomationProblem.UNWRITABLE, str(err)) from err


def _without(text: str, items: Sequence[Any], ids: Collection[str]) -> tuple[str, list[Any]]:
    """Return the file's text and automations without those of some ids."""
    left = [item for item in items if _id_of(item) not in ids]
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith("- ")]
    if len(starts) != len(items):
        return _as_text("", left), left
    for item, start, end in reversed([*zip(items, starts, [*starts[1:], len(lines)], strict=True)]):
        if _id_of(item) in ids:
            last = max(n for n in range(start, end) if not _is_apart(lines[n]))
            del lines[start : last + 1]
    return _as_text("".join(lines) or dump([]), left), left


def _as_text(text: str, items: list[Any]) -> str:
    """Return a text that has these automations: the given one, which has its comments, or one made of them."""
    try:
        if (parse_yaml(text) or []) == items:
            return text
    except HomeAssistantError:
        # Such as one that includes other files.
        pass
    return dump(items)


def _comments(text: str) -> str:
    """Return the comments of a file that has no automations."""
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))


def _is_apart(line: str) -> bool:
    """Return whether a line is empty, or a comment that is no part of an automation."""
    return not line.strip() or line.startswith("#")


def _id_of(item: object) -> object:
    """Return the id of an automation in the file, None where it has none."""
    return item.get(CONF_ID) if isinstance(item, Mapping) else None
