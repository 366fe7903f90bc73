"""The light agent: on, off, brightness, colour, white and effects."""

from collections.abc import Sequence
from typing import ClassVar, override

from homeassistant.components.light import ColorMode, brightness_supported, color_supported
from homeassistant.core import State

from ..home.names import words_of
from ..plans.models import RecognizedIntent, ToolCall
from ..plans.planner import Action, Chosen
from .base import AgentRequest
from .models import AgentCard
from .specialist import PlanError, Specialist, describe_states, need
from .values import choice_schema, mentioned, number_schema, step_schema

# How far "a bit brighter" goes, in percent.
_STEPS = (10, 25, 50)


class LightAgent(Specialist):
    """Plans for lights."""

    card: ClassVar[AgentCard] = AgentCard(
        id="light-agent",
        name="Lights",
        description="Controls lamps and lights.",
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
- set_brightness: percent from 0 to 100
- change_brightness: by percent, above 0 is brighter, below 0 is darker
- set_color: a colour by name
- set_white: kelvin, 2700 is warm, 4000 is neutral, 6500 is cold
- set_effect: an effect by name
"targets" are the devices meant; "all" means all of them."""
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("switch it off please", '{"actions":[{"action":"turn_off"}]}'),
        ("dim it to 40 percent", '{"actions":[{"action":"set_brightness","percent":40}]}'),
        ("a little brighter", '{"actions":[{"action":"change_brightness","by":10}]}'),
    )

    @override
    def actions(self, request: AgentRequest, states: Sequence[State]) -> list[Action]:
        text, language = request.instruction, request.language
        found = [Action("turn_on"), Action("turn_off"), Action("toggle")]
        if _dimmable(states):
            if percent := number_schema(text, language, 0, 100, percent=True):
                found.append(Action("set_brightness", {"percent": percent}, is_named=True))
            by = step_schema(text, language, _STEPS, 100)
            found.append(Action("change_brightness", {"by": by}))
        named = [color.meanings[0] for color in language.colors.find(words_of(text))]
        if _colorful(states) and (color := choice_schema(named)):
            found.append(Action("set_color", {"color": color}, is_named=True))
        if whites := _white_tones(states):
            low = min(int(s.attributes["min_color_temp_kelvin"]) for s in whites)
            high = max(int(s.attributes["max_color_temp_kelvin"]) for s in whites)
            if kelvin := number_schema(text, language, low, high):
                found.append(Action("set_white", {"kelvin": kelvin}))
        effects = sorted({e for s in states for e in s.attributes.get("effect_list") or ()})
        if effect := choice_schema(mentioned(text, language, effects)):
            found.append(Action("set_effect", {"effect": effect}, is_named=True))
        return found

    @override
    async def async_calls(
        self, request: AgentRequest, chosen: Chosen, states: Sequence[State]
    ) -> list[ToolCall]:
        parameters = chosen.parameters
        match chosen.name:
            case "set_brightness":
                able, data = _dimmable(states), {"brightness_pct": parameters["percent"]}
            case "change_brightness":
                able, data = _dimmable(states), {"brightness_step_pct": parameters["by"]}
            case "set_color":
                able, data = _colorful(states), {"color_name": parameters["color"]}
            case "set_white":
                able, data = _reaching(request, states, parameters["kelvin"]), {}
                data["color_temp_kelvin"] = parameters["kelvin"]
            case "set_effect":
                effect = parameters["effect"]
                able = [s for s in states if effect in (s.attributes.get("effect_list") or ())]
                data = {"effect": effect}
            case switch:
                targets = tuple(need(request, states, states))
                return [ToolCall(action=f"light.{switch}", targets=targets)]
        targets = tuple(need(request, able, states))
        return [ToolCall(action="light.turn_on", targets=targets, data=data)]

    @override
    def from_intent(self, intent: RecognizedIntent) -> list[Chosen]:
        slots = intent.slots
        switches = {"HassTurnOn": "turn_on", "HassTurnOff": "turn_off", "HassToggle": "toggle"}
        if switch := switches.get(intent.name):
            return [Chosen(switch)]
        chosen: list[Chosen] = []
        if (brightness := slots.get("brightness")) is not None:
            chosen.append(Chosen("set_brightness", {"percent": int(brightness)}))
        if color := slots.get("color"):
            chosen.append(Chosen("set_color", {"color": str(color)}))
        if kelvin := slots.get("temperature"):
            chosen.append(Chosen("set_white", {"kelvin": int(kelvin)}))
        return chosen


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
