"""Words for what happened. Built from outcomes, never from what was planned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.const import STATE_OFF
from homeassistant.core import State

from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import service_of
from ..domains.services import FRACTION
from ..home.catalog import CatalogEntity
from ..nlu.modes import mode_name
from ..plans.models import ToolResult
from .base import ReplyContext

# More targets than this are counted instead of listed.
_MAX_LISTED = 3


def describe_targets(request: ReplyContext, entities: Sequence[CatalogEntity]) -> str:
    """Return entities as they are spoken: by name, or counted where they are many."""
    if len(entities) > _MAX_LISTED:
        domains = {entity.domain for entity in entities}
        key = f"count.{domains.pop()}" if len(domains) == 1 else "count.other"
        if not request.language.has(key):
            key = "count.other"
        return request.language.say(key, count=len(entities))
    return request.language.join(entity.name for entity in entities)


def describe_results(
    request: ReplyContext, results: Iterable[ToolResult]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a fragment for each thing that was done, and one for each that was not.

    What a policy changed about a call is said with what was done; what it says against a call is
    said in its own words.
    """
    done: list[str] = []
    failed: list[str] = []
    for result in results:
        if result.done:
            told = _describe_call(request, result.call, result.done)
            notes = [_as_part(result.note)] if result.note else []
            notes += _still_off(request, result.call, result.done)
            done.append(f"{told} ({', '.join(notes)})" if notes else told)
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


def _describe_failure(
    request: ReplyContext, call: ToolCall, code: ErrorCode, detail: str, targets: Sequence[str]
) -> str:
    """Return the fragment that says what was not done for targets, and why."""
    if detail:
        return _as_part(detail)
    if code is ErrorCode.NO_ANSWER and _are_off(request, call, targets):
        return request.language.say("failed.is_off", targets=names_of(request, targets))
    if names := names_of(request, targets):
        return request.language.say(f"failed.{code}", targets=names)
    return request.language.say("failed.unnamed")


def _are_off(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> bool:
    """Return whether targets show nothing of a call because they are off, and stay so."""
    switches = call.action.endswith((".turn_on", ".toggle"))
    return not switches and all(request.hass.states.is_state(each, STATE_OFF) for each in targets)


def _still_off(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> list[str]:
    """Return the note that what has a new target is off, so that nothing will come of it now."""
    service = service_of(call.action)
    if service is None or not service.warns_if_off:
        return []
    off = [each for each in targets if request.hass.states.is_state(each, STATE_OFF)]
    note = request.language.say("still_off")
    if not off:
        return []
    return [note if len(off) == len(targets) else f"{names_of(request, off)}: {note}"]


def _as_part(text: str) -> str:
    """Return a text that somebody wrote as a sentence, as a part of one."""
    return text.strip().rstrip(".")


def names_of(request: ReplyContext, entity_ids: Sequence[str]) -> str:
    """Return the names of entities; one that is not in the catalog has none that may be said."""
    entities = request.catalog.entities
    return describe_targets(request, [entities[e] for e in entity_ids if e in entities])


def _describe_call(request: ReplyContext, call: ToolCall, targets: Sequence[str]) -> str:
    """Return the fragment that says a call was done for targets."""
    domain, _, name = call.action.partition(".")
    service = service_of(call.action)
    words = SpokenValues(request, domain)
    key, values = service.build_reply(words, call) if service else (name, {})
    # What has no words of its own has those for anything.
    general = "done.any.set" if values.get("value") else "done.any.plain"
    known = (f"done.{domain}.{key}", f"done.any.{key}", general)
    spoken = {"value": "", **values, "targets": names_of(request, targets)}
    return request.language.say(next(filter(request.language.has, known)), **spoken)


@dataclass(frozen=True, slots=True)
class SpokenValues:
    """How the values of a domain are spoken to whoever made a request (`domains.table.Words`)."""

    request: ReplyContext
    domain: str

    def say(self, key: str) -> str:
        """Return a text of the language file."""
        return self.request.language.say(key)

    def number(self, value: float) -> str:
        """Return a number."""
        return self.request.language.number(value)

    def value(self, value: Any, unit: str) -> str:
        """Return a value with its unit: "%", "°", SHARE or nothing."""
        if not isinstance(value, int | float):
            return str(value)
        if unit == FRACTION:
            return self.percent(value * 100)
        return {"%": self.percent, "°": self.temperature}.get(unit, self.number)(value)

    def percent(self, value: float) -> str:
        """Return a percentage."""
        return self.request.language.say("percent", value=self.number(value))

    def temperature(self, value: float) -> str:
        """Return a temperature with the user's unit."""
        return temperature(self.request, value)

    def color(self, name: str) -> str:
        """Return what a colour is called."""
        return self.request.language.color(name)

    def mode(self, value: str, attribute: str) -> str:
        """Return what a value of a mode attribute is called, as Home Assistant does."""
        code = self.request.language.code
        return mode_name(self.request.hass, code, self.domain, value, attribute)

    def join(self, values: Sequence[str]) -> str:
        """Return values as a list."""
        return self.request.language.join(values)


def climate_mode(request: ReplyContext, mode: str) -> str:
    """Return what the mode of a thermostat is called."""
    return SpokenValues(request, "climate").mode(mode, "")


def temperature(request: ReplyContext, value: float) -> str:
    """Return a temperature in the user's unit, as it is spoken."""
    return f"{request.language.number(value)} {request.hass.config.units.temperature_unit}"


def set_temperatures(request: ReplyContext, states: Iterable[State]) -> str:
    """Return the sentence that says what thermostats are set to; nothing where none is set."""
    return request.language.sentence(
        request.language.say(
            "tell.target",
            value=temperature(request, degrees),
            targets=names_of(request, [state.entity_id]),
        )
        for state in states
        if isinstance(degrees := state.attributes.get("temperature"), int | float)
    )
