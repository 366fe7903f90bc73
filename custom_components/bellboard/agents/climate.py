"""The climate agent: temperatures, modes, presets, fans, swing and humidity."""

from collections.abc import Sequence
from typing import ClassVar, override

from homeassistant.components.climate import ClimateEntityFeature as Feature
from homeassistant.const import STATE_OFF, UnitOfTemperature
from homeassistant.core import State

from ..domains.models import ToolCall
from ..home.names import words_of
from ..nlu.kinds import AT_WORK, can_be
from ..nlu.phrases import Kind
from ..plans.models import RecognizedIntent
from ..plans.planner import Action, Chosen
from .base import AgentRequest
from .models import AgentCard
from .specialist import PlanError, Specialist, by_value, describe_states, need, supporting
from .values import choice_schema, direction, mentioned, number_schema, numbers_in, step_schema
from .wording import climate_mode, set_temperatures, temperature

# Actions that choose one of an entity's own modes: the attribute that lists them and the field.
_CHOICES = {
    "set_mode": ("hvac_modes", "hvac_mode", "climate.set_hvac_mode"),
    "set_preset": ("preset_modes", "preset_mode", "climate.set_preset_mode"),
    "set_fan": ("fan_modes", "fan_mode", "climate.set_fan_mode"),
    "set_swing": ("swing_modes", "swing_mode", "climate.set_swing_mode"),
}

# The mode that does what a kind is for.
_MODE_OF = {Kind.HEATING: "heat", Kind.COOLING: "cool"}

# How far "a bit warmer" goes, in degrees of the user's unit.
_STEPS = (1, 2)


class ClimateAgent(Specialist):
    """Plans for thermostats and air conditioners."""

    card: ClassVar[AgentCard] = AgentCard(
        id="climate-agent",
        name="Climate",
        description="Heating and cooling.",
        capabilities=("temperature", "modes", "presets", "fan", "humidity"),
        examples=(
            "set the study to 21 degrees",
            "it's too cold in here",
            "put the thermostat on eco",
        ),
        domains=frozenset({"climate"}),
        intents=frozenset(
            {
                "HassTurnOn",
                "HassTurnOff",
                "HassToggle",
                "HassClimateSetTemperature",
                "HassClimateSetFanMode",
            }
        ),
    )
    domain: ClassVar[str] = "climate"
    prompt: ClassVar[str] = """\
You control the thermostats and air conditioners of a home. Turn the request into actions, as JSON.
- turn_on, turn_off
- set_temperature: degrees to reach
- change_temperature: by degrees, above 0 is warmer, below 0 is colder
- set_range: low and high degrees
- set_mode, set_preset, set_fan, set_swing: a mode by name
- set_humidity: percent
"targets" are the devices meant; "all" means all of them."""
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("19 degrees please", '{"actions":[{"action":"set_temperature","temperature":19}]}'),
        ("a bit warmer", '{"actions":[{"action":"change_temperature","by":1}]}'),
        ("switch it to heating", '{"actions":[{"action":"set_mode","hvac_mode":"heat"}]}'),
    )

    @override
    def actions(self, request: AgentRequest, states: Sequence[State]) -> list[Action]:
        text, language = request.instruction, request.language
        found: list[Action] = []
        if targets := supporting(states, Feature.TARGET_TEMPERATURE):
            low = min(float(s.attributes.get("min_temp", 7)) for s in targets)
            high = max(float(s.attributes.get("max_temp", 35)) for s in targets)
            if degrees := number_schema(text, language, low, high):
                found.append(Action("set_temperature", {"temperature": degrees}))
            by = step_schema(text, language, _STEPS, _widest_step(request))
            found.append(Action("change_temperature", {"by": by}))
        if ranges := supporting(states, Feature.TARGET_TEMPERATURE_RANGE):
            low = min(float(s.attributes.get("min_temp", 7)) for s in ranges)
            high = max(float(s.attributes.get("max_temp", 35)) for s in ranges)
            if degrees := number_schema(text, language, low, high):
                found.append(Action("set_range", {"low": degrees, "high": degrees}))
        # Who names a number or a direction does not mean a mode, unless it is named too.
        is_measure = bool(numbers_in(text, language) or direction(text, language))
        for name, (options, field, _action) in _CHOICES.items():
            offered = sorted({o for s in states for o in s.attributes.get(options) or ()})
            if choice := choice_schema(
                mentioned(text, language, offered) or ([] if is_measure else offered)
            ):
                found.append(Action(name, {field: choice}))
        is_humidity = "%" in text or bool(language.humidity.intersection(words_of(text)))
        if (
            is_humidity
            and supporting(states, Feature.TARGET_HUMIDITY)
            and (percent := number_schema(text, language, 0, 100))
        ):
            found.append(Action("set_humidity", {"humidity": percent}))
        return [*found, Action("turn_on"), Action("turn_off")]

    @override
    async def async_calls(
        self, request: AgentRequest, chosen: Chosen, states: Sequence[State]
    ) -> list[ToolCall]:
        parameters = chosen.parameters
        if choice := _CHOICES.get(chosen.name):
            options, field, action = choice
            values = {
                state.entity_id: own
                for state in states
                if (own := _own_name(state, options, parameters[field]))
            }
            need(request, [state for state in states if state.entity_id in values], states)
            return by_value(values, action, field)
        match chosen.name:
            case "set_temperature":
                return self._set_temperature(request, float(parameters["temperature"]), states)
            case "change_temperature":
                return self._change_temperature(request, float(parameters["by"]), states)
            case "set_range":
                return self._set_range(request, parameters["low"], parameters["high"], states)
            case "set_humidity":
                able = supporting(states, Feature.TARGET_HUMIDITY)
                targets = tuple(need(request, able, states))
                data = {"humidity": int(parameters["humidity"])}
                return [ToolCall(action="climate.set_humidity", targets=targets, data=data)]
            case "turn_on":
                return _turn_on(request, states)
            case "turn_off":
                return _turn_off(request, states)
            case switch:
                targets = tuple(need(request, states, states))
                return [ToolCall(action=f"climate.{switch}", targets=targets)]

    @override
    def tell(self, request: AgentRequest, what: str, states: Sequence[State]) -> str:
        language = request.language
        if what == "tell_target":
            return set_temperatures(request, states) or language.say("tell.no_temperature")
        readings = [
            language.say(
                "tell.reading",
                value=temperature(request, degrees),
                place=_place_of(request, state),
            )
            for state in states
            if isinstance(degrees := state.attributes.get("current_temperature"), int | float)
        ]
        if not readings:
            return language.say("tell.no_temperature")
        return language.say("tell.temperature", readings=language.join(readings))

    @override
    def from_intent(self, intent: RecognizedIntent) -> list[Chosen]:
        match intent.name:
            case "HassClimateSetTemperature":
                degrees = float(intent.slots["temperature"])
                return [Chosen("set_temperature", {"temperature": degrees})]
            case "HassClimateSetFanMode":
                return [Chosen("set_fan", {"fan_mode": str(intent.slots["fan_mode"])})]
            case name:
                return [
                    Chosen({"HassTurnOff": "turn_off", "HassToggle": "toggle"}.get(name, "turn_on"))
                ]

    def _set_temperature(
        self, request: AgentRequest, degrees: float, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the call that sets one target temperature."""
        able = supporting(states, Feature.TARGET_TEMPERATURE)
        need(request, able, states)
        targets = tuple(state.entity_id for state in _within(request, able, degrees))
        data = {"temperature": degrees}
        return [ToolCall(action="climate.set_temperature", targets=targets, data=data)]

    def _change_temperature(
        self, request: AgentRequest, by: float, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls that move target temperatures, each from where it is."""
        able = [
            state
            for state in supporting(states, Feature.TARGET_TEMPERATURE)
            if isinstance(state.attributes.get("temperature"), int | float)
        ]
        need(request, able, states)
        values = {
            state.entity_id: min(
                max(state.attributes["temperature"] + by, state.attributes["min_temp"]),
                state.attributes["max_temp"],
            )
            for state in able
        }
        return by_value(values, "climate.set_temperature", "temperature")

    def _set_range(
        self, request: AgentRequest, one: float, other: float, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the call that sets a range; which number is the lower does not matter."""
        low, high = sorted((float(one), float(other)))
        able = supporting(states, Feature.TARGET_TEMPERATURE_RANGE)
        need(request, able, states)
        inside = _within(request, _within(request, able, low), high)
        data = {"target_temp_low": low, "target_temp_high": high}
        targets = tuple(state.entity_id for state in inside)
        return [ToolCall(action="climate.set_temperature", targets=targets, data=data)]


def _wanted(request: AgentRequest) -> Kind | None:
    """Return whether heating or cooling is meant, None where neither or both are said."""
    kinds = request.named.of("climate", with_verbs=True) & AT_WORK.keys()
    return next(iter(kinds)) if len(kinds) == 1 else None


def _turn_on(request: AgentRequest, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that turn things on; what could do either does what was said, heat or cool."""
    need(request, states, states)
    wanted = _wanted(request)
    switched: list[str] = []
    modes: dict[str, str] = {}
    for state in states:
        if wanted and _can_heat_and_cool(state) and state.state not in AT_WORK[wanted]:
            own = [_MODE_OF[wanted], "heat_cool", "auto"]
            modes[state.entity_id] = next(m for m in own if m in state.attributes["hvac_modes"])
        else:
            switched.append(state.entity_id)
    calls = by_value(modes, "climate.set_hvac_mode", "hvac_mode")
    if switched:
        calls.append(ToolCall(action="climate.turn_on", targets=tuple(switched)))
    return calls


def _turn_off(request: AgentRequest, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that turns things off, but not what heats where cooling is to end.

    Raises:
        PlanError: all of them do the other thing.
    """
    wanted = _wanted(request)
    meant = [
        state
        for state in states
        if wanted is None
        or state.state in {STATE_OFF, *AT_WORK[wanted]}
        or not _can_heat_and_cool(state)
    ]
    if states and not meant:
        raise PlanError(
            "other_mode",
            targets=describe_states(request, states),
            mode=climate_mode(request, states[0].state),
        )
    targets = tuple(need(request, meant, states))
    return [ToolCall(action="climate.turn_off", targets=targets)]


def _can_heat_and_cool(state: State) -> bool:
    """Return whether a thing can do both."""
    return can_be(state, Kind.HEATING) and can_be(state, Kind.COOLING)


def _widest_step(request: AgentRequest) -> float:
    """Return by how many degrees one sentence may move a temperature, in the user's unit."""
    is_celsius = request.hass.config.units.temperature_unit == UnitOfTemperature.CELSIUS
    return 5 if is_celsius else 10


def _within(request: AgentRequest, states: Sequence[State], degrees: float) -> list[State]:
    """Return the thermostats that reach a temperature.

    Raises:
        PlanError: none does.
    """
    able = [
        state
        for state in states
        if state.attributes.get("min_temp", degrees)
        <= degrees
        <= state.attributes.get("max_temp", degrees)
    ]
    if not able:
        raise PlanError(
            "out_of_range",
            targets=describe_states(request, states),
            low=temperature(request, states[0].attributes["min_temp"]),
            high=temperature(request, states[0].attributes["max_temp"]),
        )
    return able


def _own_name(state: State, options: str, wanted: str) -> str | None:
    """Return what an entity itself calls one of its modes, or None where it has none like it."""
    names = [str(name) for name in state.attributes.get(options) or ()]
    if wanted in names:
        return wanted
    folded = wanted.casefold()
    return next((name for name in names if name.casefold() == folded), None)


def _place_of(request: AgentRequest, state: State) -> str:
    """Return the room a thermostat is in, or its name where that is not known."""
    entity = request.catalog.entities.get(state.entity_id)
    area = request.catalog.areas.get(entity.area_id or "") if entity else None
    return area.name if area else describe_states(request, [state])
