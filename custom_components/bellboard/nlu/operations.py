"""What a frame asks of entities of each domain, by the domains' tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeassistant.components.light import ATTR_MAX_COLOR_TEMP_KELVIN, ATTR_MIN_COLOR_TEMP_KELVIN
from homeassistant.const import UnitOfTemperature
from homeassistant.core import State
from homeassistant.util.unit_conversion import TemperatureConverter

from ..domains.climate_settings import swings
from ..domains.commands import ANY_CHOICE, Change, as_number, find_action, moved, option_of
from ..domains.light_values import runs_effect
from ..domains.models import Command
from ..domains.registry import table_of, tables, tables_measuring
from ..domains.table import Domain
from .frame_models import LIGHTS_OUT, Frame
from .levels import (
    LEVEL_UNIT,
    by_amount,
    counts_levels,
    is_by_fraction,
    is_by_level,
    is_end,
    own_level,
)
from .lexicon import HALT
from .ranges import NumberRange

_BY_STATE: Mapping[str, str] = {
    "on": "turn_on",
    "off": "turn_off",
    "open": "open",
    "extended": "open",
    "retracted": "close",
    "closed": "close",
    "locked": "lock",
    "unlocked": "unlock",
    "playing": "resume",
    "paused": "pause",
    "muted": "mute",
}
# What verbs that heat, dim and the like do: with a value, and without one.
_BY_VERB: Mapping[str, str] = {
    "dim": "darker",
    "brighten": "brighter",
    "light_up": "turn_on",
    LIGHTS_OUT: "turn_off",
    "raise": "up",
    "count": "up",
    "lower": "down",
    "heat": "turn_on",
    "warm": "turn_on",
    "cool": "turn_on",
}
_UP, _DOWN = (
    frozenset({"up", "brighter", "lighten", "louder", "warmer", "faster", "damper"}),
    frozenset({"down", "darker", "darken", "quieter", "cooler", "slower", "drier"}),
)
# What lets in the light of day, or keeps it out.
_LIGHT_OF_DAY: Mapping[str, str] = {"let_light_in": "open", "keep_light_out": "close"}
_REPEAT = "repeat_"
# What is said of awnings only: other covers are let down when they are rolled out.
_OF_AWNINGS: Mapping[str, str] = {"extend": "open", "retract": "close"}
STATES_OF_AWNINGS = frozenset({"extended", "retracted"})
_OPENING: Mapping[str, str] = {"open": "up", "close": "down"}
# "Open the front door", of which only the lock is known: by its name alone.
_OF_LOCKS: Mapping[str, str] = {"open": "unlock"}
# What may be done a bit or a lot.
_CHANGING = _UP | _DOWN
# Verbs that go with a value of any kind.
_VALUE_VERBS = frozenset({"", "set", "reset", "keep", "turn_on", *_BY_VERB})
# Domains of a verb or a move that says what it is for.
_DOMAINS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("light_up", LIGHTS_OUT, "dim", "brighten", "lighten", "darken", "brighter", "darker"),
        frozenset({"light"}),
    ),
    **dict.fromkeys(("heat", "warm", "cool", "warmer", "cooler"), frozenset({"climate"})),
    **dict.fromkeys(("louder", "quieter"), frozenset({"media_player"})),
    **dict.fromkeys(("faster", "slower"), frozenset({"fan"})),
    **dict.fromkeys(("damper", "drier"), frozenset({"humidifier"})),
    **dict.fromkeys(_LIGHT_OF_DAY, frozenset({"cover"})),
    **dict.fromkeys(("oscillate", "stop_oscillating"), frozenset({"fan", "climate"})),
    "follow_schedule": frozenset({"climate"}),
    **dict.fromkeys(("count", "reset"), frozenset({"counter"})),
}
_LIGHT = frozenset({"light"})
_SPECIALISTS = frozenset({"light", "media_player", "climate"})
# What is meant by turning music on and off.
_OF_MUSIC: Mapping[str, str] = {"turn_off": "pause", "turn_on": "resume"}
_SWINGING: Mapping[str, str] = {
    **dict.fromkeys(("turn_off", "stop", "stop_oscillating"), "stop_oscillating"),
    **dict.fromkeys(("turn_on", "start", "resume", "oscillate"), "oscillate"),
}
# What is meant by turning an attribute on and off, or up and down, by the attribute.
_OF_ATTRIBUTE: Mapping[str, Mapping[str, str]] = {
    "volume": {
        **dict.fromkeys(("turn_off", "stop"), "mute"),
        **dict.fromkeys(("turn_on", "start", "resume"), "unmute"),
    },
    "oscillation": _SWINGING,
    "swing": {**_SWINGING, "up": "swing_up", "down": "swing_down"},
    "effect": dict.fromkeys(("turn_off", "stop"), "stop_effect"),
    "fan": {"up": "fan_up", "down": "fan_down"},
    "tilt": {"open": "open_tilt", "close": "close_tilt", "up": "open_tilt", "down": "close_tilt"},
}
# What is meant by starting and stopping what is only on or off.
_OTHERWISE: Mapping[str, str] = {"start": "turn_on", "stop": "turn_off"}
_UNITS: Mapping[str, str] = {
    "percent": "percent",
    "degrees": "degrees",
    "celsius": "degrees",
    "fahrenheit": "degrees",
    "kelvin": "kelvin",
    "": "number",
}
_OF_TEMPERATURE = frozenset(unit for unit, kind in _UNITS.items() if kind == "degrees")
_CELSIUS: Mapping[str, str] = {
    "celsius": UnitOfTemperature.CELSIUS,
    "fahrenheit": UnitOfTemperature.FAHRENHEIT,
}
# Which way verbs that heat and cool go by a number: "warm it by two degrees".
_STEPPED: Mapping[str, str] = {"heat": "warmer", "warm": "warmer", "cool": "cooler"}
# What is to be another where it is not said, by domain: "set the heating".
_UNSAID: Mapping[str, str] = {"climate": "temperature"}
# Modes of verbs that heat and cool, where what is told to is off.
_MODES: Mapping[str, str] = {"heat": "heat", "warm": "heat", "cool": "cool", "turn_on": "on"}
# Domains of a percentage, or of on and off, where neither a noun nor an attribute says more.
SWITCHED_AT_ONCE = frozenset({"light", "switch", "fan", "media_player", "climate", "humidifier"})
"""Domains of "everything" that is turned off."""

DIM = 30
"""Percentage of brightness that lamps have which are turned on and are to be dim."""


_ENDED: Mapping[str, Callable[[State], bool]] = {
    "stop_effect": runs_effect,
    "stop_oscillating": swings,
}
"""Whether an entity does what commands end, by their kind."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What a frame asks, whatever it asks it of; `unit` is the home's unit of temperature."""

    frame: Frame
    unit: str

    @property
    def kind(self) -> str:
        """Return the command's kind without a value, "" for none."""
        frame = self.frame
        if frame.state:
            return _BY_STATE.get(frame.state, "")
        nouns = frame.what.nouns
        if nouns and all(noun.is_general and noun.kind == "player" for noun in nouns):
            # What is heard is paused, and its player stays on.
            return _OF_MUSIC.get(frame.verb, frame.move or _plain(frame.verb))
        return frame.move or _plain(frame.verb)

    def of_music(self) -> Operation:
        """Return what is asked of what plays, which is no device: to turn music off is to pause it."""
        state = {"turn_on": "playing", "turn_off": "paused"}.get(self.kind)
        if state is None or not self.is_switching:
            return self
        return replace(self, frame=replace(self.frame, verb="", state=state))

    @property
    def is_switching(self) -> bool:
        """Return whether it only turns things on or off."""
        is_whole = not self.frame.has_value and not self.frame.attribute
        return self.kind in {"turn_on", "turn_off", "toggle"} and is_whole

    @property
    def is_dimming(self) -> bool:
        """Return whether it changes how bright a light is, from where it is now."""
        frame = self.frame
        is_light = not frame.has_value and _DOMAINS.get(frame.verb or frame.move) == _LIGHT
        is_change = is_light or frame.is_step or bool(frame.factor) or is_by_fraction(frame)
        is_brightness = frame.attribute in {"", "brightness"} and frame.verb != LIGHTS_OUT
        return is_change and is_brightness

    @property
    def is_mood(self) -> bool:
        """Return whether it says only a kind of white, which is one of light only where light is spoken of."""
        frame = self.frame
        return bool(frame.kelvin) and not (frame.attribute or frame.unit)

    @property
    def sets_brightness(self) -> bool:
        """Return whether a light is to be so bright: "the light to 20 percent"."""
        frame = self.frame
        is_changed = frame.is_step or is_by_fraction(frame) or frame.color or frame.kelvin
        return frame.goal is not None and not is_changed and frame.attribute in {"", "brightness"}

    @property
    def is_dimming_to(self) -> bool:
        """Return whether something is to be made only so bright: "dim the lights to 20 percent"."""
        return self.frame.verb in {"dim", "lower"} and self.sets_brightness

    def dimly(self) -> Operation:
        """Return what is asked of lamps that were only just turned on, and are to be dim: a low level."""
        frame, is_darker = self.frame, self.kind in {"down", "darker", "darken"}
        if not is_darker or frame.has_value or frame.attribute not in {"", "brightness"}:
            return self
        return replace(self, frame=replace(frame, verb="dim", move="", level=DIM, is_to_value=True))

    @property
    def is_for_windows(self) -> bool:
        """Return whether it says that the sun is to come in, or not, and not through what."""
        return self.frame.verb in _LIGHT_OF_DAY

    @property
    def is_for_awnings(self) -> bool:
        """Return whether it is said of what is rolled out to be open: "extend", "in"."""
        return self.frame.verb in _OF_AWNINGS or self.frame.state in STATES_OF_AWNINGS

    @property
    def names_domain(self) -> bool:
        """Return whether its verb alone says what it is for: "light up"."""
        return self.frame.verb in _DOMAINS

    @property
    def is_bare(self) -> bool:
        """Return whether it goes on with what was done before, and says nothing alone: "more", "stop"."""
        frame = self.frame
        is_alone = not (frame.has_value or frame.attribute)
        return is_alone and (
            frame.verb in {"start", "stop", HALT, "count", "reset"}
            or (frame.move in {"up", "down"} and not frame.verb)
        )

    @property
    def is_unclear_alone(self) -> bool:
        """Return whether it has to be said what it is for."""
        return self.is_switching or self.is_mood or self.is_bare

    @property
    def is_vague(self) -> bool:
        """Return whether it is a number of which nothing says what is set."""
        frame = self.frame
        is_plain = frame.unit in {"", LEVEL_UNIT} and not frame.attribute
        return frame.number is not None and is_plain

    def stopping(self, states: Iterable[State]) -> set[str]:
        """Return the ids of entities that do something beside being on that it ends: an effect, swinging."""
        ended = {command.kind for command in self._commands()} & _ENDED.keys()
        if not ended:
            return set()
        return {state.entity_id for state in states if any(_ENDED[kind](state) for kind in ended)}

    def can_do(self, state: State) -> bool:
        """Return whether an entity has what it takes: a feature, a mode."""
        table = table_of(state.domain)
        actions = (table and self.of_level(state).actions(table, [state])) or ()
        rows = [row for action in actions if table and (row := table.action(action.name))]
        return bool(rows) and all(row.capable_states([state]) for row in rows)

    def of_level(self, state: State) -> Operation:
        """Return what is asked of an entity by its own levels: "half as bright", "level 3", "to the maximum"."""
        frame = own_level(self.frame, state)
        return self if frame is self.frame else replace(self, frame=frame)

    def is_own_level(self, domain: str) -> bool:
        """Return whether each entity of a domain has its own value for what is asked."""
        frame, table = self.frame, table_of(domain)
        steps = table.step_sizes if table else None
        is_moved = bool(steps and steps.attribute) and bool(frame.is_step or frame.amount)
        is_own = bool(frame.factor) or is_by_fraction(frame) or is_moved
        return is_own or counts_levels(frame, domain) or is_end(frame, domain)

    def of_white(self, state: State | None) -> Operation:
        """Return what is asked of a lamp by its own whites: candlelight is the warmest of one that has none so warm."""
        low, high = (
            as_number(state.attributes.get(name) if state else None)
            for name in (ATTR_MIN_COLOR_TEMP_KELVIN, ATTR_MAX_COLOR_TEMP_KELVIN)
        )
        if not self.frame.kelvin or low is None or high is None:
            return self
        kelvin = round(min(max(self.frame.kelvin, low), high))
        return replace(self, frame=replace(self.frame, kelvin=kelvin))

    def domains(self) -> list[str]:
        """Return the domains whose entities can be asked it."""
        return [
            table.name
            for table in tables()
            if (self.frame.options and self._chooses(table)) or self.actions(table, ())
        ]

    def lacking_domains(self) -> list[str]:
        """Return the domains whose entities have the value that is to be another, those meant first."""
        if not self.frame.attribute:
            return list(_UNSAID)
        return [table.name for table in tables_measuring(self.frame.attribute)]

    def lacking_measure(self, domain: str) -> str:
        """Return what is to be another of entities of a domain."""
        return self.frame.attribute or _UNSAID[domain]

    def _chooses(self, table: Domain) -> bool:
        """Return whether entities of a domain may have options, of the attribute that is said."""
        return any(
            parameter.options and self.frame.attribute in {*ANY_CHOICE, parameter.measures}
            for action in table.actions
            for parameter in action.parameters
        )

    def has_options(self, table: Domain, state: State) -> bool:
        """Return whether an entity has all the options that are said."""
        return all(
            option_of(table, names, self.frame.attribute, [state]) for names in self.frame.options
        )

    def implied_domains(self, *, is_all: bool) -> list[str]:
        """Return the domains meant where neither a noun nor a name says it; those of `is_all` at once."""
        said = _DOMAINS.get(self.frame.verb) or _DOMAINS.get(self.frame.move)
        found = [domain for domain in self.domains() if not said or domain in said]
        if self.is_switching and self.frame.verb not in _DOMAINS:
            # "Everything on", and "off everywhere", is light, and neither heat nor noise.
            is_everything = is_all and self.kind == "turn_off" and not self.frame.what.is_around
            return [d for d in found if d in SWITCHED_AT_ONCE] if is_everything else ["light"]
        if self.frame.attribute or self.frame.verb in _DOMAINS or self.frame.move in _DOMAINS:
            return found
        if self.frame.what.quantity == "one" and self.kind in {"up", "down"}:
            # "One more" may be anything.
            return []
        is_by_levels = self.frame.is_step and self.frame.unit == LEVEL_UNIT
        is_valued = self.frame.has_value and not is_by_levels
        if self.kind in {"up", "down", HALT, *_OTHERWISE} and not is_valued:
            # "Turn it up" and "stop" are said of what can be heard.
            return ["media_player"]
        if self.frame.unit == "percent" or self.frame.level is not None or self.frame.factor:
            return ["light"]
        if self.is_vague:
            return []
        # Of what has a specialist, else of what covers windows.
        return [each for each in found if each in _SPECIALISTS] or [
            each for each in found if each == "cover" or len(found) == 1
        ]

    def actions(self, table: Domain, states: Sequence[State]) -> list[Command] | None:
        """Return the actions for entities of a domain; None where it has none for a part of what is asked."""
        frame = by_amount(self.frame, table.name)
        if frame is not self.frame:
            return replace(self, frame=frame).actions(table, states)
        if frame.has_value and not self._takes_value(table):
            return None
        if is_by_level(frame, table.name):
            return self._by_own_level(table, states)
        is_opened = self.kind in _OPENING or find_action(table, Change("open")) is not None
        if frame.amount and not frame.has_value and (is_opened or self.kind not in _CHANGING):
            return self._opened_a_bit(table, states)
        if frame.is_step and not self._steps_in_unit(table):
            return None
        found: dict[str, Command] = {}
        for command in self._commands():
            if (action := self._action(table, command, states)) is None:
                return None
            known = found.setdefault(action.name, action)
            known.parameters.update(action.parameters)
        for names in self.frame.options if states else ():
            if (chosen := option_of(table, names, self.frame.attribute, states)) is None:
                return None
            found.setdefault(chosen.name, chosen).parameters.update(chosen.parameters)
        mode = _MODES.get(frame.verb)
        if mode and (target := found.get("set_temperature")):
            # "Cool the office to 20": it is to cool, too.
            target.parameters["hvac_mode"] = mode
        return list(found.values()) or None

    def _action(self, table: Domain, change: Change, states: Sequence[State]) -> Command | None:
        """Return the action for one change, or for what it means where there is none; None for neither."""
        of_lock = _OF_LOCKS.get(change.kind) if self.frame.what.names else None
        otherwise = _OTHERWISE.get(change.kind) or of_lock
        action = find_action(table, change)
        if action is None and otherwise and not change.attribute:
            action = find_action(table, Change(otherwise))
        return action or moved(table, change, states)

    def _by_own_level(self, table: Domain, states: Sequence[State]) -> list[Command] | None:
        """Return that there is an action, where none of the entities is known that could tell its value."""
        return [Command("", {})] if not states and self.is_own_level(table.name) else None

    def _opened_a_bit(self, table: Domain, states: Sequence[State]) -> list[Command] | None:
        """Return how far what opens is moved, None for anything else: "open it a bit" is not to do it wholly."""
        frame, kind = self.frame, self.kind
        change = Change(_OPENING.get(kind, kind), amount=frame.amount, attribute=frame.attribute)
        action = find_action(table, Change(kind)) and moved(table, change, states)
        return [action] if action else None

    def _takes_value(self, table: Domain) -> bool:
        """Return whether the verb goes with a value: "open the blinds to 30 percent", but not "lock"."""
        verb = self.frame.verb
        if verb in _VALUE_VERBS or (verb == "start" and self.frame.attribute == "effect"):
            return True
        kind = _plain(verb)
        return kind in _OPENING and find_action(table, Change(kind)) is not None

    def _steps_in_unit(self, table: Domain) -> bool:
        """Return whether a change is in the unit of what changes: two degrees are none of brightness."""
        if not self.frame.unit or table.step_sizes is None:
            return True
        name, parameter = table.step_sizes.sets
        action = table.action(name)
        measures = (
            {each.measures for each in action.parameters if each.name == parameter}
            if action
            else set()
        )
        return (measures == {"temperature"}) is (self.frame.unit in _OF_TEMPERATURE)

    def _commands(self) -> Iterator[Change]:
        """Yield the commands: each value, else a change, else what the verb or the state says."""
        frame = self.frame
        attribute = frame.attribute
        if frame.color:
            yield Change("color", frame.color)
        if frame.kelvin:
            yield Change("kelvin", frame.kelvin)
        if frame.factor:
            # Of any level; it is the entity's own that is multiplied.
            yield Change("level", 50, attribute=attribute)
        if frame.level is not None:
            yield Change("level", frame.level, attribute=attribute)
        if frame.number is not None:
            yield self._number(frame.number, attribute)
        if frame.bounds is not None:
            yield from self._range(frame.bounds)
        if frame.has_value:
            return
        kind = self.kind
        if kind in _UP | _DOWN and attribute:
            kind = "up" if kind in _UP else "down"
        own = _OF_ATTRIBUTE.get(attribute, {}).get(kind)
        # "The fan" alone is a device, and no part of one.
        is_part = attribute != "fan" or not (frame.what.is_only_place or frame.what.is_empty)
        if own and is_part:
            yield Change(own)
        elif kind.startswith(_REPEAT):
            yield Change("repeat", kind.removeprefix(_REPEAT))
        elif kind:
            yield Change(kind, amount=frame.amount, attribute=attribute)

    def _number(self, number: float, attribute: str) -> Change:
        """Return the command of a number: a step where it says which way, else the value itself."""
        frame = self.frame
        verb = frame.verb
        way = frame.move or _STEPPED.get(verb) or _BY_VERB.get(verb) or _OPENING.get(verb, "")
        if frame.is_step and way in _UP | _DOWN:
            kind = "up" if way in _UP else "down"
            return Change(kind, self._degrees(number, is_step=True), attribute=attribute)
        if frame.unit == "kelvin":
            return Change("kelvin", number)
        value = self._degrees(number, is_step=False)
        return Change(_UNITS.get(frame.unit, ""), value, attribute=attribute)

    def _range(self, bounds: NumberRange) -> Iterator[Change]:
        """Yield the commands of a range, which only a temperature has; of another attribute there is none."""
        is_temperature = self.frame.attribute in {"", "temperature"}
        attribute = "" if is_temperature else self.frame.attribute
        if bounds.unit and bounds.unit not in _OF_TEMPERATURE:
            attribute = bounds.unit
        for kind, number in (("low", bounds.low), ("high", bounds.high)):
            value = self._degrees(number, is_step=False, unit=bounds.unit)
            yield Change(kind, value, attribute=attribute)

    def _degrees(self, number: float, *, is_step: bool, unit: str = "") -> float:
        """Return a number, that of a temperature in the home's unit."""
        said = _CELSIUS.get(unit or self.frame.unit)
        if said is None or said == self.unit:
            return number
        if is_step:
            return round(TemperatureConverter.convert_interval(number, said, self.unit), 1)
        return round(TemperatureConverter.convert(number, said, self.unit) * 2) / 2


def _plain(verb: str) -> str:
    """Return the kind of command that a verb stands for, "" for one that says nothing alone."""
    known = _BY_VERB.get(verb) or _OF_AWNINGS.get(verb) or _LIGHT_OF_DAY.get(verb)
    return known or (verb if verb != "set" else "")
