"""Words for what happened. Built from outcomes, never from what was planned."""

from collections.abc import Iterable, Sequence

from homeassistant.const import STATE_OFF
from homeassistant.core import State

from ..domains.models import ErrorCode, ToolCall
from ..home.catalog import CatalogEntity
from ..nlu.modes import mode_name
from ..plans.models import ToolResult
from .base import AgentRequest

# More targets than this are counted instead of listed.
_MAX_LISTED = 3
_SETS_TARGET = "climate.set_temperature"


def describe_targets(request: AgentRequest, entities: Sequence[CatalogEntity]) -> str:
    """Return entities as they are spoken: by name, or counted where they are many."""
    if len(entities) > _MAX_LISTED:
        domains = {entity.domain for entity in entities}
        key = f"count.{domains.pop()}" if len(domains) == 1 else "count.other"
        if not request.language.has(key):
            key = "count.other"
        return request.language.say(key, count=len(entities))
    return request.language.join(entity.name for entity in entities)


def describe_results(
    request: AgentRequest, results: Iterable[ToolResult]
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
    request: AgentRequest, call: ToolCall, code: ErrorCode, detail: str, targets: Sequence[str]
) -> str:
    """Return the fragment that says what was not done for targets, and why."""
    if detail:
        return _as_part(detail)
    if code is ErrorCode.NO_ANSWER and _are_off(request, call, targets):
        return request.language.say("failed.is_off", targets=names_of(request, targets))
    if names := names_of(request, targets):
        return request.language.say(f"failed.{code}", targets=names)
    return request.language.say("failed.unnamed")


def _are_off(request: AgentRequest, call: ToolCall, targets: Sequence[str]) -> bool:
    """Return whether targets show nothing of a call because they are off, and stay so."""
    switches = call.action.endswith((".turn_on", ".toggle"))
    return not switches and all(request.hass.states.is_state(each, STATE_OFF) for each in targets)


def _still_off(request: AgentRequest, call: ToolCall, targets: Sequence[str]) -> list[str]:
    """Return the note that what has a new target is off, so that nothing will come of it now."""
    if call.action != _SETS_TARGET:
        return []
    off = [each for each in targets if request.hass.states.is_state(each, STATE_OFF)]
    note = request.language.say("still_off")
    if not off:
        return []
    return [note if len(off) == len(targets) else f"{names_of(request, off)}: {note}"]


def _as_part(text: str) -> str:
    """Return a text that somebody wrote as a sentence, as a part of one."""
    return text.strip().rstrip(".")


def names_of(request: AgentRequest, entity_ids: Sequence[str]) -> str:
    """Return the names of entities; one that is not in the catalog has none that may be said."""
    entities = request.catalog.entities
    return describe_targets(request, [entities[e] for e in entity_ids if e in entities])


def _describe_call(request: AgentRequest, call: ToolCall, targets: Sequence[str]) -> str:
    """Return the fragment that says a call was done for targets."""
    domain, _, service = call.action.partition(".")
    key, value = _DETAIL.get(domain, _plain)(request, service, call)
    if domain in _OF_HOME:
        domain = "home"
    values = {"targets": names_of(request, targets), "value": value}
    if "target_temp_low" in call.data:
        values["low"] = temperature(request, call.data["target_temp_low"])
        values["high"] = temperature(request, call.data["target_temp_high"])
    return request.language.say(f"done.{domain}.{key}", **values)


def _plain(_request: AgentRequest, service: str, _call: ToolCall) -> tuple[str, str]:
    """Return the key for a call that has nothing to say beyond its name."""
    return service, ""


def _light(request: AgentRequest, service: str, call: ToolCall) -> tuple[str, str]:
    """Return the key and value for what was done to lights."""
    data, language = call.data, request.language
    if step := data.get("brightness_step_pct"):
        return ("brighter" if step > 0 else "darker"), ""
    values: dict[str, str] = {}
    if (percent := data.get("brightness_pct")) is not None:
        values["brightness"] = language.say("percent", value=language.number(percent))
    if color := data.get("color_name"):
        values["color"] = language.color(str(color))
    if kelvin := data.get("color_temp_kelvin"):
        values["kelvin"] = language.number(kelvin)
    if effect := data.get("effect"):
        values["effect"] = str(effect)
    if len(values) > 1:
        return "set", language.join(values.values())
    return next(iter(values.items()), (service, ""))


def _media(request: AgentRequest, service: str, call: ToolCall) -> tuple[str, str]:
    """Return the key and value for what was done to players."""
    data = call.data
    if service == "volume_set":
        percent = request.language.number(data["volume_level"] * 100)
        return service, request.language.say("percent", value=percent)
    if service == "volume_mute":
        return ("mute" if data["is_volume_muted"] else "unmute"), ""
    if service == "shuffle_set":
        return ("shuffle_on" if data["shuffle"] else "shuffle_off"), ""
    if service == "play_media":
        return service, call.label
    if repeat := data.get("repeat"):
        return service, request.language.say(f"repeat.{repeat}")
    return service, str(data.get("source") or "")


def _climate(request: AgentRequest, service: str, call: ToolCall) -> tuple[str, str]:
    """Return the key and value for what was done to thermostats."""
    data = call.data
    if service == "set_temperature":
        if "target_temp_low" in data:
            return "set_range", ""
        return service, temperature(request, data["temperature"])
    if named := _MODES.get(service):
        attribute, field = named
        return service, _mode(request, str(data[field]), attribute)
    return service, str(next(iter(data.values()), ""))


# The actions that choose a mode: the attribute it is a value of, none for the state, and the field.
_MODES = {
    "set_hvac_mode": ("", "hvac_mode"),
    "set_preset_mode": ("preset_mode", "preset_mode"),
    "set_fan_mode": ("fan_mode", "fan_mode"),
    "set_swing_mode": ("swing_mode", "swing_mode"),
}


def climate_mode(request: AgentRequest, mode: str) -> str:
    """Return what the mode of a thermostat is called."""
    return _mode(request, mode, "")


def _mode(request: AgentRequest, value: str, attribute: str) -> str:
    """Return what a mode is called, as Home Assistant does."""
    return mode_name(request.hass, request.language.code, "climate", value, attribute)


def _home(request: AgentRequest, service: str, call: ToolCall) -> tuple[str, str]:
    """Return the key and value for what was done to things that no specialist is for."""
    if (percent := call.data.get("percentage")) is not None:
        return "speed", request.language.say("percent", value=request.language.number(percent))
    return service.partition("_")[0], ""


_OF_HOME = frozenset({"cover", "valve", "fan", "vacuum", "lawn_mower"})
_DETAIL = {
    "light": _light,
    "media_player": _media,
    "climate": _climate,
    **dict.fromkeys(_OF_HOME, _home),
}


def temperature(request: AgentRequest, value: float) -> str:
    """Return a temperature in the user's unit, as it is spoken."""
    return f"{request.language.number(value)} {request.hass.config.units.temperature_unit}"


def set_temperatures(request: AgentRequest, states: Iterable[State]) -> str:
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
