"""The light agent: on, off, brightness, colour, white and effects."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, override

from homeassistant.components.light import ColorMode, brightness_supported, color_supported
from homeassistant.const import STATE_ON
from homeassistant.core import State

from ..domains.models import ToolCall
from ..home.names import words_of
from ..llm.models import JsonSchema
from ..plans.models import RecognizedIntent
from ..plans.planner import Action, Chosen
from .base import AgentRequest
from .models import AgentCard
from .specialist import PlanError, Specialist, describe_states, is_off, need
from .values import choice_schema, mentioned, number_schema, step_schema

# How far "a bit brighter" goes, in percent.
_STEPS = (10, 25, 50)
# As dark as a light gets that is dimmed, in percent.
_DIMMEST = 1
# The values a light can be set to: the field of the action, and the slot of a recognised intent.
_FIELDS = {
    "percent": "brightness_pct",
    "color": "color_name",
    "kelvin": "color_temp_kelvin",
    "effect": "effect",
}
_SLOTS = {"brightness": "percent", "color": "color", "temperature": "kelvin"}


class LightAgent(Specialist):
    """Plans for lights."""

    card: ClassVar[AgentCard] = AgentCard(
        id="light-agent",
        name="Lights",
        description="Lamps and lights.",
        capabilities=("on and off", "brightness", "colour", "white tone", "effects"),
        examples=(
            "switch the lamp off",
            "make it brighter in the study",
            "dim the hallway to 30 percent",
        ),
        domains=frozenset({"light"}),
        intents=frozenset({"HassTurnOn", "HassTurnOff", "HassToggle", "HassLightSet"}),
    )
    domain: ClassVar[str] = "light"
    prompt: ClassVar[str] = """\
You control the lights of a home. Turn the request into actions, as JSON.
- turn_on, turn_off, toggle
- set: to a percent from 0 to 100, a color, an effect, or a white tone in kelvin
- change_brightness: by percent, above 0 is brighter, below 0 is darker
"targets" are the devices meant; "all" means all of them."""
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("switch it off please", '{"actions":[{"action":"turn_off"}]}'),
        ("dim it to 40 percent", '{"actions":[{"action":"set","percent":40}]}'),
        ("a little brighter", '{"actions":[{"action":"change_brightness","by":10}]}'),
    )

    @override
    def actions(self, request: AgentRequest, states: Sequence[State]) -> list[Action]:
        found = [Action("turn_on"), Action("turn_off"), Action("toggle")]
        if values := _named_values(request, states):
            found.append(Action("set", values))
        if _dimmable(states):
            by = step_schema(request.instruction, request.language, _STEPS, 100)
            found.append(Action("change_brightness", {"by": by}))
        return found

    @override
    async def async_calls(
        self, request: AgentRequest, chosen: Chosen, states: Sequence[State]
    ) -> list[ToolCall]:
        match chosen.name:
            case "set":
                return _set(request, chosen.parameters, states)
            case "change_brightness":
                return _change(request, chosen.parameters["by"], states)
            case "lighten" if not _lit(states):
                targets = tuple(need(request, states, states))
                return [ToolCall(action="light.turn_on", targets=targets)]
            case "lighten":
                return _change(request, _STEPS[1], _lit(states))
            case "darken":
                return _change(request, -_STEPS[1], states)
            case switch:
                targets = tuple(need(request, states, states))
                return [ToolCall(action=f"light.{switch}", targets=targets)]

    @override
    def tell(self, request: AgentRequest, what: str, states: Sequence[State]) -> str:
        if not (lit := _lit(states)):
            return request.language.say("tell.lights_off")
        return request.language.say("tell.lights_on", targets=describe_states(request, lit))

    @override
    def from_intent(self, intent: RecognizedIntent) -> list[Chosen]:
        slots = intent.slots
        switches = {"HassTurnOn": "turn_on", "HassTurnOff": "turn_off", "HassToggle": "toggle"}
        if switch := switches.get(intent.name):
            return [Chosen(switch)]
        named = {
            value: slots[slot] for slot, value in _SLOTS.items() if slots.get(slot) is not None
        }
        return [Chosen("set", named)]


def _lit(states: Sequence[State]) -> list[State]:
    """Return the lights that are on."""
    return [state for state in states if state.state == STATE_ON]


def _change(request: AgentRequest, by: float, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that make lights brighter or darker by percentage points.

    What is dimmed stays on, at 1 % at the least, and what is off stays dark.

    Raises:
        PlanError: none of them can be dimmed, or none is on.
    """
    able = [
        state for state in states if state.entity_id in need(request, _dimmable(states), states)
    ]
    if by < 0 and not (able := _lit(able)):
        raise is_off(request, _dimmable(states))
    lowest = [state.entity_id for state in able if by < 0 and _percent(state) + by < _DIMMEST]
    moved = [state.entity_id for state in able if state.entity_id not in lowest]
    data = ((moved, {"brightness_step_pct": round(by)}), (lowest, {"brightness_pct": _DIMMEST}))
    return [
        ToolCall(action="light.turn_on", targets=tuple(targets), data=values)
        for targets, values in data
        if targets
    ]


def _percent(state: State) -> float:
    """Return how bright a light is, in percent; as bright as can be where it does not tell."""
    brightness = state.attributes.get("brightness")
    return float(brightness) / 2.55 if isinstance(brightness, int | float) else 100.0


def _named_values(request: AgentRequest, states: Sequence[State]) -> dict[str, JsonSchema]:
    """Return the schemas of the values a request names that some light can take.

    A request that names several ("blue at 40 percent") means all of them.
    """
    text, language = request.instruction, request.language
    whites = _white_tones(states)
    colors = [color.meanings[0] for color in language.colors.find(words_of(text))]
    effects = sorted({e for s in states for e in s.attributes.get("effect_list") or ()})
    schemas: dict[str, JsonSchema | None] = {
        "percent": number_schema(text, language, 0, 100, percent=True)
        if _dimmable(states)
        else None,
        "color": choice_schema(colors) if _colorful(states) else None,
        "kelvin": number_schema(
            text,
            language,
            min(int(s.attributes["min_color_temp_kelvin"]) for s in whites),
            max(int(s.attributes["max_color_temp_kelvin"]) for s in whites),
        )
        if whites
        else None,
        "effect": choice_schema(mentioned(text, language, effects)),
    }
    if schemas["kelvin"]:
        # Home Assistant takes a colour or a white tone, and "white at 3000 kelvin" is a tone.
        schemas["color"] = None
    return {name: schema for name, schema in schemas.items() if schema}


def _set(
    request: AgentRequest, values: Mapping[str, Any], states: Sequence[State]
) -> list[ToolCall]:
    """Return the calls that set lights to values, each light to those it can take.

    Raises:
        PlanError: no light can take one of the values.
    """
    data: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        for entity_id in need(request, _able(request, name, value, states), states):
            data.setdefault(entity_id, {})[_FIELDS[name]] = value
    groups: dict[str, list[str]] = {}
    for entity_id, fields in data.items():
        groups.setdefault(repr(fields), []).append(entity_id)
    return [
        ToolCall(action="light.turn_on", targets=tuple(targets), data=data[targets[0]])
        for targets in groups.values()
    ]


def _able(request: AgentRequest, name: str, value: Any, states: Sequence[State]) -> list[State]:
    """Return the lights that can take a value.

    Raises:
        PlanError: a white tone is out of the range of all of them.
    """
    match name:
        case "percent":
            return _dimmable(states)
        case "color":
            return _colorful(states)
        case "kelvin":
            return _reaching(request, states, float(value))
        case _:
            return [s for s in states if value in (s.attributes.get("effect_list") or ())]


def _modes(state: State) -> set[str]:
    """Return the colour modes a light supports."""
    return set(state.attributes.get("supported_color_modes") or ())


def _dimmable(states: Sequence[State]) -> list[State]:
    """Return the lights that can be dimmed."""
    return [state for state in states if brightness_supported(_modes(state))]


def _colorful(states: Sequence[State]) -> list[State]:
    """Return the lights that show colours."""
    return [state for state in states if color_supported(_modes(state))]


def _white_tones(states: Sequence[State]) -> list[State]:
    """Return the lights whose white can be warm or cold and that tell their range."""
    return [
        state
        for state in states
        if ColorMode.COLOR_TEMP in _modes(state) and "min_color_temp_kelvin" in state.attributes
    ]


def _reaching(request: AgentRequest, states: Sequence[State], kelvin: float) -> list[State]:
    """Return the lights that reach a white tone.

    Lights that show colours render any white tone that is asked of them.

    Raises:
        PlanError: some light has white tones, but none reaches this one.
    """
    whites = _white_tones(states)
    able = [
        state
        for state in whites
        if state.attributes["min_color_temp_kelvin"]
        <= kelvin
        <= state.attributes["max_color_temp_kelvin"]
    ]
    able += [state for state in _colorful(states) if state not in whites]
    if whites and not able:
        raise PlanError(
            "out_of_range",
            targets=describe_states(request, whites),
            low=f"{whites[0].attributes['min_color_temp_kelvin']} K",
            high=f"{whites[0].attributes['max_color_temp_kelvin']} K",
        )
    return able
