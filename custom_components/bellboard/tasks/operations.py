"""What a short command means for each kind of device, as an action that its agent knows.

"Turn it up" is brightness, volume, temperature or a blind, depending on what it is about. Actions
of domains without an agent of our own are named here and put into words for Home Assistant.
"""

from collections.abc import Iterable, Mapping
import math
from typing import Any

from ..nlu.references import Heard
from ..plans.models import PlannedAction

# How far a step goes: in percent of brightness, in percentage points of volume, in degrees.
_BRIGHTNESS = {"little": 10, "": 25, "much": 50}
_VOLUME = {"much": 20}
_DEGREES = {"little": 1, "": 1, "much": 2}

# The direction of a step, by what is said, and the only domain it is about, if it says so.
_STEPS: Mapping[str, tuple[int, str | None]] = {
    "up": (1, None),
    "down": (-1, None),
    "brighter": (1, "light"),
    "darker": (-1, "light"),
    "louder": (1, "media_player"),
    "quieter": (-1, "media_player"),
    "warmer": (1, "climate"),
    "cooler": (-1, "climate"),
}
_SWITCHES = {kind: kind for kind in ("turn_on", "turn_off", "toggle")}
_ON_OFF = {"turn_on": "turn_on", "turn_off": "turn_off", "stop": "turn_off", "start": "turn_on"}
_HALT = {"stop": "stop", "halt": "stop"}
# What is said and the action it stands for, by domain. What is not there cannot be done.
_PLAIN: Mapping[str, Mapping[str, str]] = {
    "light": _SWITCHES,
    "media_player": {
        **_SWITCHES,
        "pause": "pause",
        "resume": "resume",
        "start": "resume",
        "stop": "stop",
        "next": "next",
        "mute": "mute",
        "unmute": "unmute",
    },
    "climate": {**_SWITCHES, "stop": "turn_off"},
    "cover": {"open": "open", "close": "close", "up": "open", "down": "close", **_HALT},
    "valve": {"open": "open", "close": "close", **_HALT},
    "lock": {"lock": "lock", "unlock": "unlock"},
    "vacuum": {"start": "start", **_HALT},
    "lawn_mower": {"start": "start", **_HALT},
    "switch": _ON_OFF,
    "fan": {**_ON_OFF, "halt": "turn_off"},
    "input_boolean": _ON_OFF,
}
# Values that can be set, by domain and by how they are said: the action and its parameter.
_VALUES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "light": {
        "percent": ("set", "percent"),
        "level": ("set", "percent"),
        "number": ("set", "percent"),
        "color": ("set", "color"),
        "kelvin": ("set", "kelvin"),
    },
    "media_player": dict.fromkeys(("percent", "level", "number"), ("set_volume", "percent")),
    "climate": dict.fromkeys(("degrees", "number"), ("set_temperature", "temperature")),
    "cover": dict.fromkeys(("percent", "level", "number"), ("set_position", "value")),
    "valve": dict.fromkeys(("percent", "level", "number"), ("set_position", "value")),
    "fan": dict.fromkeys(("percent", "level", "number"), ("set_speed", "value")),
}
# Actions that do something more when they are done again.
_REPEATABLE = {"next", "previous", "toggle"}
_OPENING = {"cover", "valve"}
# How far a fan goes up or down, in percent, and its lowest speed.
_SPEED = {"little": 10, "": 25, "much": 50}
_SLOWEST = 1
_WIDEST_DEGREES = 5


def domain_of(entity_ids: Iterable[str]) -> str:
    """Return the one domain of entities, or nothing where there are none or several."""
    domains = {entity_id.partition(".")[0] for entity_id in entity_ids}
    return domains.pop() if len(domains) == 1 else ""


def action_for(domain: str, heard: Heard) -> PlannedAction | None:
    """Return the action a command stands for where it is about things of a domain, or None."""
    if name := _PLAIN.get(domain, {}).get(heard.kind):
        return PlannedAction(name=name)
    if value := _VALUES.get(domain, {}).get(heard.kind):
        name, parameter = value
        return PlannedAction(name=name, parameters={parameter: _plain(heard.value)})
    sign, only = _STEPS.get(heard.kind, (0, None))
    if not sign or only not in {None, domain}:
        return None
    return _step(domain, sign, heard.amount, heard.value)


def speed_for(heard: Heard, percentage: float) -> PlannedAction | None:
    """Return the speed a fan gets that is to turn faster or slower, from its `percentage` now.

    A fan that is told to turn slower does not stop.
    """
    sign, only = _STEPS.get(heard.kind, (0, None))
    if not sign or only:
        return None
    speed = percentage + sign * (_number(heard.value) or _SPEED[heard.amount])
    value = int(min(max(speed, _SLOWEST), 100))
    return PlannedAction(name="set_speed", parameters={"value": value})


def is_about_spoken(heard: Heard) -> bool:
    """Return whether a command is about what was spoken of and about nothing else: "turn it up"."""
    return heard.which == "it" and heard.kind in {"up", "down", "stop"}


def repeated(domain: str, action: PlannedAction, heard: Heard) -> PlannedAction | None:
    """Return the action that goes on from the last one, or None where it cannot be gone on with.

    "More" and "again" go on in the same direction, "less" goes down, "too much" goes back a bit.
    After a value that was set they are steps from there.
    """
    by = _moved(domain, action)
    if by is None:
        is_again = heard.kind == "again" and action.name in _REPEATABLE
        return action if is_again else None
    match heard.kind:
        case "again" if by:
            return action
        case "more" if by and not heard.amount:
            return action
        case "more":
            return _step(domain, -1 if by < 0 else 1, heard.amount or "little", None)
        case "less":
            return _step(domain, -1, heard.amount or "little", None)
        case "too_much":
            return _back(domain, by)
        case _:
            return None


def action_of_intent(name: str, slots: Mapping[str, Any], domain: str) -> PlannedAction | None:
    """Return what Home Assistant did for an intent with things of a domain, or None.

    Where it has an intent of the same name for different things, "on" is open or locked.
    """
    match name:
        case "HassTurnOn" | "HassOpenCover" if domain in _OPENING:
            return PlannedAction(name="open")
        case "HassTurnOff" | "HassCloseCover" if domain in _OPENING:
            return PlannedAction(name="close")
        case "HassTurnOn" if domain in _PLAIN:
            return PlannedAction(name="lock" if domain == "lock" else "turn_on")
        case "HassTurnOff" if domain in _PLAIN:
            return PlannedAction(name="unlock" if domain == "lock" else "turn_off")
        case "HassVacuumStart":
            return PlannedAction(name="start")
        case "HassSetPosition" if (value := _number(slots.get("position"))) is not None:
            return PlannedAction(name="set_position", parameters={"value": _plain(value)})
        case "HassFanSetSpeed" if (value := _number(slots.get("percentage"))) is not None:
            return PlannedAction(name="set_speed", parameters={"value": _plain(value)})
        case _:
            return None


def _step(domain: str, sign: int, amount: str, value: float | str | None) -> PlannedAction | None:
    """Return the action that moves things of a domain up or down, by `value` where it is given."""
    size = _number(value)
    match domain:
        case "light":
            by = sign * (size or _BRIGHTNESS[amount])
            return PlannedAction(name="change_brightness", parameters={"by": _plain(by)})
        case "media_player" if points := size or _VOLUME.get(amount):
            return PlannedAction(name="change_volume", parameters={"by": _plain(sign * points)})
        case "media_player":
            return PlannedAction(name="volume_up" if sign > 0 else "volume_down")
        case "climate" if (degrees := size or _DEGREES[amount]) <= _WIDEST_DEGREES:
            by = sign * degrees
            return PlannedAction(name="change_temperature", parameters={"by": _plain(by)})
        case _:
            return None


def _moved(domain: str, action: PlannedAction) -> float | None:
    """Return how far an action moved things: 0 where it set a value, None where it did neither."""
    parameters = action.parameters
    match domain, action.name:
        case ("light", "change_brightness") | ("media_player", "change_volume"):
            return _number(parameters.get("by"))
        case "climate", "change_temperature":
            return _number(parameters.get("by"))
        case "media_player", "volume_up":
            return 1
        case "media_player", "volume_down":
            return -1
        case "light", "set" if set(parameters) == {"percent"}:
            return 0
        case ("media_player", "set_volume") | ("climate", "set_temperature"):
            return 0
        case _:
            return None


def _back(domain: str, by: float) -> PlannedAction | None:
    """Return the action that takes back half of a step, or a little of a value that was set."""
    sign = 1 if by < 0 else -1
    half = abs(by) / 2
    if domain == "climate":
        return _step(domain, sign, "little", half or None)
    return _step(domain, sign, "little", float(math.ceil(half)) if half > 1 else None)


def _number(value: Any) -> float | None:
    """Return a number that can be counted with, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def _plain(value: float | str | None) -> float | str | None:
    """Return a whole number as an integer; brightness and the like take nothing else."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
