"""What Home Assistant's own agent is about to do, as a plan: so that policies hold for it too."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..plans.models import Plan, RecognizedIntent, Respond, ToolCall
from .base import AgentRequest
from .models import HOME_AGENT_ID
from .telling import steps_of

# What only tells something, or is only talk.
_TELLING = frozenset(
    {
        "HassClimateGetTemperature",
        "HassGetCurrentDate",
        "HassGetCurrentTime",
        "HassGetState",
        "HassGetWeather",
        "HassNevermind",
        "HassRespond",
        "HassTimerStatus",
    }
)

_TIMER = "HassStartTimer"

# The action an intent is for things of a domain; "*" is for all others.
_SERVICES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "HassTurnOn": {
            "button": "press",
            "cover": "open_cover",
            "input_button": "press",
            "lock": "lock",
            "valve": "open_valve",
            "*": "turn_on",
        },
        "HassTurnOff": {
            "cover": "close_cover",
            "lock": "unlock",
            "valve": "close_valve",
            "*": "turn_off",
        },
        "HassToggle": {"*": "toggle"},
        "HassOpenCover": {"cover": "open_cover"},
        "HassCloseCover": {"cover": "close_cover"},
        "HassSetPosition": {"cover": "set_cover_position", "valve": "set_valve_position"},
        "HassStopMoving": {"cover": "stop_cover", "valve": "stop_valve"},
        "HassFanSetSpeed": {"fan": "set_percentage"},
        "HassVacuumStart": {"vacuum": "start"},
        "HassVacuumReturnToBase": {"vacuum": "return_to_base"},
        "HassLawnMowerStartMowing": {"lawn_mower": "start_mowing"},
        "HassLawnMowerDock": {"lawn_mower": "dock"},
        # What specialists are for is mostly theirs, but not where more than theirs is meant.
        "HassLightSet": {"light": "turn_on"},
        "HassClimateSetTemperature": {"climate": "set_temperature"},
        "HassClimateSetFanMode": {"climate": "set_fan_mode"},
        "HassMediaPause": {"media_player": "media_pause"},
        "HassMediaUnpause": {"media_player": "media_play"},
        "HassMediaNext": {"media_player": "media_next_track"},
        "HassMediaPrevious": {"media_player": "media_previous_track"},
        "HassSetVolume": {"media_player": "volume_set"},
        "HassSetVolumeRelative": {"media_player": "volume_up"},
        "HassMediaPlayerMute": {"media_player": "volume_mute"},
        "HassMediaPlayerUnmute": {"media_player": "volume_mute"},
        "HassMediaSearchAndPlay": {"media_player": "play_media"},
    }
)
# The values of an intent that the action has too: the action's name, and what is one of it.
_DATA: Mapping[str, Mapping[str, tuple[str, float]]] = MappingProxyType(
    {
        "HassSetPosition": {"position": ("position", 1)},
        "HassFanSetSpeed": {"percentage": ("percentage", 1)},
        "HassLightSet": {
            "brightness": ("brightness_pct", 1),
            "temperature": ("color_temp_kelvin", 1),
        },
        "HassClimateSetTemperature": {"temperature": ("temperature", 1)},
        "HassSetVolume": {"volume_level": ("volume_level", 100)},
    }
)
# What says where or which, and is in the targets.
_PLACES = frozenset({"name", "area", "floor", "domain", "device_class", "preferred_area_id"})


def home_plan(request: AgentRequest, intents: Sequence[RecognizedIntent]) -> Plan:
    """Return the plan for what Home Assistant understood, or for handing over where it is not known."""
    acting = [intent for intent in intents if intent.name not in _TELLING]
    calls = [call for intent in acting for call in _calls(request, intent)]
    return Plan(
        intent_id="+".join(dict.fromkeys(intent.name for intent in intents)),
        agent_id=HOME_AGENT_ID,
        steps=steps_of(request, calls) or (Respond(),),
    )


def _calls(request: AgentRequest, intent: RecognizedIntent) -> list[ToolCall]:
    """Return the calls an intent comes to: one for each domain, or one for nothing in particular."""
    services = _SERVICES.get(intent.name, {})
    groups: dict[str, list[str]] = {}
    for target in () if intent.is_ambiguous else intent.targets:
        domain = target.partition(".")[0]
        service = services.get(domain) or services.get("*")
        if service and request.hass.services.has_service(domain, service):
            groups.setdefault(f"{domain}.{service}", []).append(target)
    if not groups:
        return [ToolCall(action=f"intent.{intent.name}", data=_slots(intent.slots, _PLACES))]
    data = {
        name: value / one
        for slot, (name, one) in _DATA.get(intent.name, {}).items()
        if isinstance(value := intent.slots.get(slot), int | float)
    }
    return [
        ToolCall(action=action, targets=tuple(targets), data=data)
        for action, targets in groups.items()
    ]


def _slots(slots: Mapping[str, Any], without: frozenset[str]) -> dict[str, Any]:
    """Return the values of an intent that are plain."""
    return {
        name: value
        for name, value in slots.items()
        if name not in without and isinstance(value, str | int | float | bool)
    }


def is_telling(intents: Sequence[RecognizedIntent]) -> bool:
    """Return whether intents only tell something, or set a timer: what has no name in the home."""
    return all(intent.name in _TELLING or intent.name == _TIMER for intent in intents)
