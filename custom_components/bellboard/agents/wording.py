"""Reply texts for the outcomes of tool calls, in the user's language; never for what was only planned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
import json
from typing import Any

from homeassistant.const import STATE_OFF
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ..domains.fading import FADE, can_fade
from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_lacking, service_of, table_of
from ..domains.services import FRACTION
from ..home.catalog import CatalogEntity
from ..memory.delayed import Alert, DelayedCommand
from ..nlu.loader import Language
from ..nlu.modes import mode_name
from ..plans.models import ToolResult
from ..when import DAY, Once
from .base import ReplyContext

# More targets than this are counted instead of listed; more that were so before are not spoken of beside others.
_MAX_LISTED, _MAX_BESIDE = 5, 3
MOST_TOLD = 8
"""More things than this are counted where it is asked which they are."""

# What a target was already, by the key of the reply to a call; else the value or "like that".
_UNCHANGED = {
    "turn_on": "on",
    "turn_off": "off",
    "open": "open",
    "close": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "media_play": "playing",
}
# Replies whose value is another target, or has its unit in the text.
_WITHOUT_VALUE = {"join", "kelvin", "set_humidity"}


def describe_targets(
    request: ReplyContext, entities: Sequence[CatalogEntity], most: int = _MAX_LISTED
) -> str:
    """Return the spoken names of entities as a list, or their number where they are more than `most`.

    Of several kinds each is named or counted by itself: "9 lights, Kitchen Speaker and Desk Fan".
    """
    if len(entities) <= most:
        return request.language.join(entity.name for entity in entities)
    kinds: dict[str, list[CatalogEntity]] = {}
    for entity in entities:
        key = f"count.{entity.domain}"
        kinds.setdefault(key if request.language.has(key) else "count.other", []).append(entity)
    if len(kinds) == 1:
        return request.language.say(*kinds, count=len(entities))
    least = max(1, most // len(kinds))
    told: list[str] = []
    for key, those in kinds.items():
        if len(those) <= least:
            told += [each.name for each in those]
        else:
            told.append(request.language.say(key, count=len(those)))
    return request.language.join(told)


def describe_states(request: ReplyContext, states: Sequence[State]) -> str:
    """Return the spoken names of the entities of some states, for which is asked."""
    entities: list[CatalogEntity] = [
        entity for s in states if (entity := request.catalog.entities.get(s.entity_id))
    ]
    return describe_targets(request, entities, MOST_TOLD)


def describe_results(
    request: ReplyContext, results: Iterable[ToolResult]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fragments of sentences for what was done and for what failed.

    The note of a policy that clamped a value follows what was done; a denial has the policy's own reason. A few
    targets that were so before are named beside those that changed.
    """
    done: list[str] = []
    failed: list[str] = []
    for result in results:
        notes = [_as_fragment(result.note)] if result.note else []
        same = result.unchanged
        if result.changed:
            told = _describe_call(request, result.call, result.changed)
            if same and len(same) <= _MAX_BESIDE:
                notes.append(_describe_unchanged(request, result.call, same))
            notes += _note_off(request, result.call, result.done)
            done.append(_with_notes(told, notes))
        reasons: dict[tuple[ErrorCode, str], list[str]] = {}
        for outcome in result.outcomes:
            if outcome.error:
                reason = outcome.error, outcome.detail
                reasons.setdefault(reason, []).append(outcome.entity_id)
        failed += [
            _describe_failure(request, result.call, code, detail, targets)
            for (code, detail), targets in reasons.items()
        ]
    return tuple(dict.fromkeys(done)), tuple(dict.fromkeys(failed))


def describe_unchanged(request: ReplyContext, results: Sequence[ToolResult]) -> tuple[str, ...]:
    """Return a sentence for each call that changed nothing, since all its targets were so before.

    Beside what changed, those of many targets are left out.
    """
    told: list[str] = []
    is_all = not any(result.changed for result in results)
    for result in results:
        same = () if result.changed else result.unchanged
        if same and (is_all or len(same) <= _MAX_BESIDE):
            notes = [_as_fragment(result.note)] if result.note else []
            notes += _note_off(request, result.call, same)
            fragment = _with_notes(_describe_unchanged(request, result.call, same), notes)
            told.append(request.language.sentence([fragment]))
    return tuple(dict.fromkeys(told))


def _with_notes(told: str, notes: Sequence[str]) -> str:
    """Return a fragment with its notes in brackets."""
    return f"{told} ({', '.join(notes)})" if notes else told


def _describe_unchanged(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> str:
    """Return the fragment for targets that were already what a call asks for."""
    domain = call.action.partition(".")[0]
    service = service_of(call.action)
    words = LocalizedValues(request, domain)
    key, values = service.build_reply(words, call) if service else ("", {})
    value = values.get("value", "")
    kind = _UNCHANGED.get(key) or ("value" if value and key not in _WITHOUT_VALUE else "other")
    number = "one" if len(targets) == 1 else "many"
    if len(targets) > _MAX_LISTED and request.language.has(f"already.{kind}.all"):
        number = "all"
    names = describe_names(request, targets)
    return request.language.say(f"already.{kind}.{number}", targets=names, value=value)


def _describe_failure(
    request: ReplyContext, call: ToolCall, code: ErrorCode, detail: str, targets: Sequence[str]
) -> str:
    """Return the fragment for targets that failed with an error code, or with its `detail`."""
    if detail:
        return _as_fragment(detail)
    if code is ErrorCode.NO_ANSWER and _are_off(request, call, targets):
        return request.language.say("failed.is_off", targets=describe_names(request, targets))
    if names := describe_names(request, targets):
        if lacking := find_lacking(request.hass, call) if code is ErrorCode.INVALID else []:
            fields = request.language.join(lacking)
            return request.language.say("failed.lacks", targets=names, fields=fields)
        return request.language.say(f"failed.{code}", targets=names)
    is_forbidden = code is ErrorCode.NOT_ALLOWED
    return request.language.say("failed.not_allowed_unnamed" if is_forbidden else "failed.unnamed")


def _are_off(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> bool:
    """Return whether all targets are off, after a call that does not turn them on."""
    switches = call.action.endswith((".turn_on", ".toggle"))
    return not switches and all(request.hass.states.is_state(each, STATE_OFF) for each in targets)


def _note_off(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> list[str]:
    """Return the note on targets that remain off after a call that leaves them off."""
    service = service_of(call.action)
    if service is None or not service.leaves_off(call.data):
        return []
    off = [each for each in targets if request.hass.states.is_state(each, STATE_OFF)]
    note = request.language.say("still_off")
    if not off:
        return []
    return [note if len(off) == len(targets) else f"{describe_names(request, off)}: {note}"]


def _as_fragment(text: str) -> str:
    """Return a whole sentence as a fragment of one."""
    return text.strip().rstrip(".")


def describe_names(
    request: ReplyContext, entity_ids: Sequence[str], most: int = _MAX_LISTED
) -> str:
    """Return the spoken names of entities, without those that are not in the catalog."""
    entities = request.catalog.entities
    return describe_targets(request, [entities[e] for e in entity_ids if e in entities], most)


def describe_wish(request: ReplyContext, call: ToolCall) -> str:
    """Return the effect of a call on its targets in the infinitive: "set Heating to 18 °C"."""
    return _describe_call(request, call, call.targets, "do")


def _describe_call(
    request: ReplyContext, call: ToolCall, targets: Sequence[str], key_of: str = "done"
) -> str:
    """Return the fragment for a call that was done for targets, or another form of it (`key_of`)."""
    domain, _, name = call.action.partition(".")
    service = service_of(call.action)
    words = LocalizedValues(request, domain)
    key, values = service.build_reply(words, call) if service else (name, {})
    # A service without a reply of its own has the generic one.
    general = f"{key_of}.any.set" if values.get("value") else f"{key_of}.any.plain"
    table = table_of(domain)
    kind = table.targets if table else domain
    known = (f"{key_of}.{kind}.{key}", f"{key_of}.any.{key}", general)
    spoken = {"value": "", "targets": describe_names(request, targets), **values}
    told = request.language.say(next(filter(request.language.has, known)), **spoken)
    return _with_fade(request, told, call, targets)


def _with_fade(request: ReplyContext, told: str, call: ToolCall, targets: Sequence[str]) -> str:
    """Return what was done with how long it takes, or that it is done at once where nothing can fade."""
    if not (seconds := call.data.get(FADE)):
        return told
    states = [state for each in targets if (state := request.hass.states.get(each))]
    if not can_fade(states):
        return request.language.say("fade.at_once", done=told)
    return request.language.say("fade.over", done=told, time=request.language.duration(seconds))


@dataclass(frozen=True, slots=True)
class LocalizedValues:
    """Formats the values of a domain in the language and units of a request (`domains.services.ValueFormatter`)."""

    request: ReplyContext
    domain: str

    def say(self, key: str) -> str:
        """Return a text of the language file."""
        return self.request.language.say(key)

    def number(self, value: float) -> str:
        """Return a number with the language's decimal separator."""
        return self.request.language.number(value)

    def value(self, value: Any, unit: str) -> str:
        """Return a value with its unit: "%", "°", FRACTION or nothing."""
        if not isinstance(value, int | float):
            return str(value)
        if unit == FRACTION:
            return self.percent(value * 100)
        return {"%": self.percent, "°": self.temperature}.get(unit, self.number)(value)

    def percent(self, value: float) -> str:
        """Return a percentage, of a number from 0 to 100."""
        return self.request.language.say("percent", value=self.number(value))

    def temperature(self, value: float) -> str:
        """Return a temperature with the user's unit."""
        return format_temperature(self.request, value)

    def event(self, begin: date, end: date) -> str:
        """Return when something in a calendar is: on whole days, or from one time to another."""
        return self.request.language.event(begin, end, dt_util.now().date())

    def color(self, name: str) -> str:
        """Return the localised name of a colour."""
        return self.request.language.color(name)

    def mode(self, value: str, attribute: str) -> str:
        """Return Home Assistant's translation of a mode attribute's value, or of a state where it is empty."""
        code = self.request.language.code
        return mode_name(self.request.hass, code, self.domain, value, attribute)

    def join(self, values: Sequence[str]) -> str:
        """Return values as a list in words."""
        return self.request.language.join(values)


def format_climate_mode(request: ReplyContext, mode: str) -> str:
    """Return Home Assistant's translation of an HVAC mode."""
    return LocalizedValues(request, "climate").mode(mode, "")


def format_temperature(request: ReplyContext, value: float) -> str:
    """Return a temperature with the user's unit."""
    return f"{request.language.number(value)} {request.hass.config.units.temperature_unit}"


def describe_setpoints(request: ReplyContext, states: Iterable[State]) -> str:
    """Return the sentence with the target temperatures of thermostats; "" where none has one."""
    return request.language.sentence(
        request.language.say(
            "tell.target",
            value=format_temperature(request, degrees),
            targets=describe_names(request, [state.entity_id]),
        )
        for state in states
        if isinstance(degrees := state.attributes.get("temperature"), int | float)
    )


# More than so many actions are not told one by one.
_MOST = 4


def describe_planned(request: ReplyContext, calls: Iterable[ToolCall]) -> str:
    """Return the effects of calls in the infinitive ("open Garage Door"); "" where these are too many to tell.

    Calls that do the same are told as one. They may have been stored, and are not trusted.
    """
    wishes: dict[str, None] = {}
    for call in _merged(calls):
        if not is_known(call) or not request.catalog.entities.keys() & {*call.targets}:
            return ""
        try:
            wishes[describe_wish(request, call)] = None
        except KeyError, TypeError, ValueError:
            return ""
    return request.language.join(wishes) if len(wishes) <= _MOST else ""


def is_known(call: ToolCall) -> bool:
    """Return whether it is known what a call is for and with which values, and not only to an agent of others."""
    service = service_of(call.action)
    return bool(call.targets) and (service is None or service.required <= call.data.keys())


def tell_planned(request: ReplyContext, command: DelayedCommand) -> str:
    """Return the sentence that something will be done, and when: its calls, else the words it was given in."""
    language = request.language
    when = language.schedule(command.schedule, dt_util.now())
    if command.message:
        key = f"delayed.{command.alert or Alert.REMIND}"
        return capitalised(language.say(key, when=when, message=command.message))
    if actions := describe_planned(request, command.calls):
        # Who sets a heater that is off does not see that it stays off.
        notes = (note for call in command.calls for note in _note_off(request, call, call.targets))
        actions = _with_notes(actions, [*dict.fromkeys(notes)])
        return capitalised(language.say("delayed.set", actions=actions, when=when))
    words = command.said or command.text
    return capitalised(language.say("delayed.plain", command=words, when=when))


def tell_waiting(language: Language, command: DelayedCommand) -> list[str]:
    """Return for how long it is waited for what happens once, [] where somebody said that."""
    trigger = command.trigger
    if trigger is None or trigger.repeats or trigger.until:
        return []
    return [language.say("delayed.waiting", time=language.duration(DAY))]


def describe_alert(language: Language, command: DelayedCommand) -> str:
    """Return what somebody will be told, for a list of what is planned; "" for what is to be done."""
    match command.alert if command.message else None:
        case Alert.WAKE:
            return language.say("delayed.alarm")
        case Alert.TELL:
            return language.say("delayed.telling")
        case Alert.REMIND:
            return language.say("delayed.reminding", message=command.message)
    return command.message


def tell_alert(language: Language, command: DelayedCommand, now: datetime) -> str:
    """Return what is said when a command is due that only tells something; `now` is local to the house."""
    match command.alert:
        case Alert.WAKE:
            time = language.say("when.clock", hour=f"{now.hour:02}", minute=f"{now.minute:02}")
            return language.say("delayed.waking", time=time)
        case Alert.TELL:
            return language.say("delayed.happened", message=command.message)
    return language.say("delayed.reminder", message=command.message)


def describe_when(language: Language, command: DelayedCommand) -> str:
    """Return when a command is for, in words that stay true as time passes: by the clock, and not in how long."""
    schedule = command.planned
    if isinstance(schedule.start, Once) and schedule.start.seconds:
        schedule = schedule.model_copy(update={"start": Once(at=command.at)})
    return language.schedule(schedule, dt_util.now())


def capitalised(text: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def _merged(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Return calls with the targets of those in one that differ in nothing else."""
    merged: dict[str, ToolCall] = {}
    for call in calls:
        key = json.dumps([call.action, call.label, call.data], sort_keys=True, default=str)
        known = merged.get(key)
        targets = dict.fromkeys((*(known.targets if known else ()), *call.targets))
        merged[key] = call.model_copy(update={"targets": tuple(targets)})
    return list(merged.values())
