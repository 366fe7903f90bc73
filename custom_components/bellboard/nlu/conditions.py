"""Conditional sentences ("if it is above 23 set it to 22"): split at the conjunction, and looked at once, now.

The condition is read as the question that it would be: comparisons, presence and negations are cut out by the
words of the section `conditions` of a language file, and the rest is what a question could be about.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.util.unit_conversion import TemperatureConverter

from ..home.catalog import Catalog, CatalogEntity
from .asked import with_state, without_outdoors
from .comparing import COMPARE, MORE, says_how_much
from .condition_results import (
    LATER,
    OPPOSITES,
    ConditionResult,
    all_result,
    any_result,
    compare,
    result_of,
    seen_in,
)
from .condition_rooms import room_of
from .condition_words import APART, ConditionalSentence, ConditionWords
from .frame_models import Frame, NounPhrase
from .frames import frames_of
from .happenings import happening
from .house import HomeLexicon
from .lexicon import Lexicon, Role
from .measures import (
    STATE_PAIRS,
    StatePair,
    is_in_percent,
    is_low_battery,
    measure_of,
    read_measure,
)
from .questions import QuestionReader
from .spans import Span, cover_text, noun_phrase

_TEMPERATURE, _HUMIDITY, _POWER = "temperature", "humidity", "power"
# Measures that a reply tells.
_TOLD = frozenset({_TEMPERATURE, _HUMIDITY, "target"})
_UNITS = {"celsius": "°C", "fahrenheit": "°F"}
_NOTICING = STATE_PAIRS[1]
_HOME = next(pair for pair in STATE_PAIRS if pair.active == "home")
_LOCKING = next(pair for pair in STATE_PAIRS if pair.passive == "locked")
# States of what plays that are told as those of a device.
_OF_MUSIC = {"on": "playing", "off": "silent", "done": "silent"}
_MOTION = frozenset({"motion", "occupancy", "presence"})
# States that are told as another.
_TOLD_AS = {"paused": "silent"}
_ASKED = frozenset({"", "is", "isnt"})
_SEVERAL = frozenset({"all", "both"})
_SOME = frozenset({"one", "any"})
_MOST_EITHER, _MOST_SHARED = 4, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionReader:
    """Reads conditions for one home, and evaluates them against the states of the entities of `readable`.

    `outdoors` are the language's words for what is outside, `rain` is what words in the names of rain sensors begin
    with, `area_id` is the speaker's area. `as_here` puts "here" in place of "in there". With `is_waiting` it is for
    what comes to be so.
    """

    hass: HomeAssistant
    house: HomeLexicon
    words: ConditionWords
    outdoors: Collection[str]
    rain: tuple[str, ...]
    readable: Catalog
    area_id: str | None = None
    is_waiting: bool = False
    as_here: Callable[[str, Lexicon], str] = lambda text, _: text

    def evaluate(self, sentence: ConditionalSentence) -> ConditionResult | None:
        """Return the result of the clause that decides now, or None where it cannot be known."""
        results = self.read(sentence)
        if failing := next((each for each in results if each and each.holds is False), None):
            return failing
        is_known = results and all(each and each.holds for each in results)
        return results[0] if is_known else None

    def read(self, sentence: ConditionalSentence) -> list[ConditionResult | None]:
        """Return the results of the clauses of a condition, None for one that is not understood."""
        here = self.as_here(sentence.condition, self.house.lexicon)
        is_there = here != sentence.condition and not self.words.presence.cut(here)[2]
        if is_there and (room := room_of(sentence.command, self.house)):
            # "In there" is the room that the command is for.
            return replace(self, area_id=room.id).read(replace(sentence, condition=here))
        return [self._evaluate(each, sentence.command) for each in self.clauses(sentence.condition)]

    def whole(self, sentence: ConditionalSentence) -> ConditionResult | None:
        """Return the result of all clauses of a condition in one, None where one is not understood."""
        read = self.read(sentence)
        results = [each for each in read if each]
        if not results or len(results) < len(read):
            return None
        return results[0] if len(results) == 1 else all_result(results)

    def is_nobody(self, text: str) -> bool:
        """Return whether a text names neither a person nor anything else."""
        text = self.words.ignored.without(text)
        if not text.strip() or self.words.presence.cut(text)[2]:
            return not text.strip()
        named = [frame.what for frame in self._frames(text)]
        return bool(named) and not (named[0].names or named[0].nouns or named[0].words)

    def clauses(self, text: str) -> Iterator[str]:
        """Yield the clauses of a condition that are joined by "and"."""
        spans, start = cover_text(text, self.house, is_command=False), 0
        joins = [span for span in spans if span.has(Role.AND) and not span.has(Role.FILLER)]
        for begin, end in [*((span.start, span.end) for span in joins), (len(text), len(text))]:
            if clause := text[start:begin].strip(APART):
                yield clause
            start = end

    def _evaluate(self, text: str, command: str) -> ConditionResult | None:
        """Return the result of one clause; "it" in it is what the command is for."""
        plain = self.words.ignored.without(text)
        # What says nothing in most sentences may be part of what begins to be so.
        said = (text, plain, self.words.changing.without(plain)) if self.is_waiting else (plain,)
        read = (self._read(each, command) for each in dict.fromkeys(said))
        return next((result for result in read if result), None) or self._either(text, command)

    def _either(self, text: str, command: str) -> ConditionResult | None:
        """Return whether one of several is so that "or" joins: "the door or the window opens", None for one clause.

        What stands with one of them only is said of the others, too.
        """
        spans, start, parts = cover_text(text, self.house, is_command=False), 0, list[str]()
        for span in spans:
            if span.has(Role.OR):
                parts.append(text[start : span.start].strip(APART))
                start = span.end
        parts.append(text[start:].strip(APART))
        if not 1 < len(parts) <= _MOST_EITHER or not all(parts):
            return None
        first, last = parts[0].split(), parts[-1].split()
        found: list[ConditionResult] = []
        for part in parts:
            ends = (f"{part} {' '.join(last[-n:])}" for n in range(1, min(len(last), _MOST_SHARED)))
            begins = (
                f"{' '.join(first[:n])} {part}" for n in range(1, min(len(first), _MOST_SHARED))
            )
            whole = [part, *(ends if part != parts[-1] else begins)]
            result = next(filter(None, (self._evaluate(each, command) for each in whole)), None)
            if result is None:
                return None
            found.append(result)
        is_of_one_place = len({each.places for each in found if each.bound}) < 2
        return any_result(found) if is_of_one_place else None

    def _read(self, text: str, command: str) -> ConditionResult | None:
        """Return the result of one clause without what says nothing in it."""
        if (result := self._comparison(text, command)) is not None:
            return result
        for evaluate in (self._compared, self._batteries, self._happening, self._presence):
            if (result := evaluate(text)) is not None:
                return result
        return self._state(text, command)

    def _comparison(self, text: str, command: str) -> ConditionResult | None:
        """Return the result of a comparison of a measure: "the office is above 25 degrees"."""
        before, after, freezes = self.words.freezing.cut(text)
        than, said, number, unit = "below", f"{before} {after}", 0.0, "celsius"
        if not freezes:
            before, after, than = self.words.comparisons.cut(text)
            found = self._number(f"{before} {after}", len(before)) if than else None
            if found is None:
                return None
            said, number, unit = found
        before, after, is_power = self.words.watts.cut(said)
        rest, is_not = self._affirmed(f"{before} {after}")
        inside = without_outdoors(rest, self.outdoors)
        is_outside = inside != " ".join(rest.split())
        for frame in self._frames(inside):
            measure = _POWER if is_power else frame.measure or frame.attribute
            measure = measure or measure_of(frame.what.names) or _measure_in(unit)
            is_compared = not unit or is_in_percent(measure) is (unit == "percent")
            if frame.state or not is_compared:
                continue
            what = self._pointed(frame.what, command) if is_power else frame.what
            things = self._measuring(what, measure, is_outside=is_outside)
            told = self._compare(things, measure, than, (number, unit))
            if told:
                is_opposite = is_not or frame.asking == "isnt"
                return ConditionResult(
                    partial(
                        self._is_so, things, measure, than, (number, unit), is_opposite=is_opposite
                    ),
                    # "It" is what draws the power, and not its sensor.
                    things=(is_power and what.names) or things,
                    watched=things,
                    places=frame.what.places,
                    reading=told[1] if measure in _TOLD else None,
                    unit="%" if is_in_percent(measure) else self._unit,
                    settled=LATER,
                    bound=(
                        measure,
                        OPPOSITES[than] if is_opposite else than,
                        self._in_own_unit(number, unit),
                    ),
                )
        return None

    def _is_so(self, *compared: Any, is_opposite: bool) -> bool | None:
        """Return whether a comparison holds, or its opposite; None where that is not known."""
        told = self._compare(*compared)
        return None if told is None else told[0] is not is_opposite

    def _compared(self, text: str) -> ConditionResult | None:
        """Return the result of a comparison of two places: "it is warmer in the office than in the hall"."""
        rest, is_not = self._affirmed(text)
        spans = self._spans(rest)
        if (question := self._questions.compared(spans)) is None:
            # "Plus" is "no more", too.
            spans, is_not = self._spans(text), False
            question = self._questions.compared(spans)
        if question is None or question.asking != COMPARE or any(map(says_how_much, spans)):
            return None
        things = self._seen([self.house.catalog.entities[e] for e in question.entity_ids])

        def test() -> bool | None:
            values = self._values(things, question.measure)
            if len(values) != 2:
                return None
            is_so = values[0] > values[1] if question.state == MORE else values[0] < values[1]
            return is_so is not is_not

        if test() is None:
            return None
        area = self.house.catalog.areas.get(things[0].area_id or "")
        places = (area,) if area and question.measure in _TOLD else ()
        return ConditionResult(test, things=things, places=places, settled=LATER)

    def _batteries(self, text: str) -> ConditionResult | None:
        """Return whether any battery is low."""
        rest, is_not = self._affirmed(text)
        frames = frames_of(self._spans(rest))
        what = next((frame.what for frame in frames if frame.asking == "batteries"), None)
        if what is None or is_not:
            return None
        things = self._seen(self._questions.batteries(what))
        return result_of(self.hass, things, is_low_battery, settled=LATER) if things else None

    def _number(self, text: str, at: int) -> tuple[str, float, str] | None:
        """Return a text without its number, the number, and its unit; one after a character comes first."""
        spans = self._spans(text)
        numbers = [
            (span.start < at, index, float(sense.value))
            for index, span in enumerate(spans)
            for sense in span.senses
            if sense.role is Role.NUMBER and not span.has(Role.NAME)
        ]
        if not numbers:
            return None
        _, index, number = min(numbers)
        end, unit = index + 1, ""
        while end < len(spans) and (found := _unit_of(spans[end])):
            unit, end = found, end + 1
        rest = f"{text[: spans[index].start]} {text[spans[end - 1].end :]}"
        return rest, number, "" if unit == "degrees" else unit

    def _measuring(
        self, what: NounPhrase, measure: str, *, is_outside: bool
    ) -> tuple[CatalogEntity, ...]:
        """Return the entities that tell a measure, those first that the room is said to be measured by."""
        if is_outside:
            found = self._questions.outdoors(self.outdoors) if measure == _TEMPERATURE else []
            sensors = [entity for entity in found if entity.domain == "sensor"]
            return self._seen(sensors or (found if len(found) == 1 else []))
        things = self._seen(self._questions.measuring(what, measure))
        areas = ar.async_get(self.hass)
        own = {
            area.temperature_entity_id
            for thing in things
            if thing.area_id and (area := areas.async_get_area(thing.area_id))
        }
        preferred = tuple(thing for thing in things if thing.entity_id in own)
        return preferred if measure == _TEMPERATURE and preferred else things

    def _compare(
        self,
        things: Sequence[CatalogEntity],
        measure: str,
        than: str,
        wanted: tuple[float, str],
    ) -> tuple[bool, float] | None:
        """Return how the readings of entities compare, and the first; None where they disagree, or there is none."""
        number = self._in_own_unit(*wanted)
        values = self._values(things, measure)
        results = {compare(value, than, number) for value in values}
        return (results.pop(), values[0]) if len(results) == 1 else None

    def _in_own_unit(self, number: float, unit: str) -> float:
        """Return a number in the house's unit."""
        if unit not in _UNITS:
            return number
        return TemperatureConverter.convert(number, _UNITS[unit], self._unit)

    def _values(self, things: Sequence[CatalogEntity], measure: str) -> list[float]:
        """Return what entities measure, of those that tell it."""
        states = (self.hass.states.get(thing.entity_id) for thing in things)
        told = (read_measure(state, measure) for state in states if state)
        return [value for value in told if value is not None]

    def _happening(self, text: str) -> ConditionResult | None:
        """Return whether it is dark, something has finished or rings, by the words for these."""
        before, after, what = self.words.happenings.cut(text)
        if not what:
            return None
        if what == "rings" and self.words.presence.cut(f"{before} {after}")[2] == "somebody":
            before, after, _ = self.words.presence.cut(f"{before} {after}")
        rest, is_not = self._affirmed(without_outdoors(f"{before} {after}", self.outdoors))
        for frame in self._frames(rest) if rest.strip() else (Frame(),):
            is_bare = not (frame.state or frame.attribute or frame.measure or frame.verb or is_not)
            told = self._questions, what, frame.what, self.readable, self.rain
            if is_bare and (found := happening(*told)):
                return found
        return None

    def _presence(self, text: str) -> ConditionResult | None:
        """Return whether somebody is in a place, by its motion, occupancy and presence sensors, or at home."""
        before, after, who = self.words.presence.cut(text)
        if not who:
            return None
        rest, is_not = self._affirmed(f"{before} {after}")
        for frame in self._frames(rest):
            what = frame.what
            is_placed = bool(what.places or (what.is_here and self.area_id))
            is_home = what.is_everywhere or frame.verb == "dock"
            is_told = frame.state or frame.attribute or not (is_placed or is_home)
            if is_told or not what.is_only_place:
                continue
            domain, shows = (
                ("binary_sensor", _NOTICING.shows) if is_placed else ("person", _HOME.shows)
            )
            seen = self._seen(self._questions.inside(what, domain))
            sensors = tuple(e for e in seen if not is_placed or e.device_class in _MOTION)
            if not sensors:
                return None
            wanted = who == "somebody" and not (is_not or frame.asking == "isnt")
            found = result_of(
                self.hass, sensors, shows, wanted=wanted, needs_all=not wanted, places=what.places
            )
            state = "somebody" if found.holds is wanted else "nobody"
            return replace(found, state=state)
        return None

    def _state(self, text: str, command: str) -> ConditionResult | None:
        """Return whether entities are in a state.

        For "the lights are on" one is enough, for "the lights are off" all must be, unless it says "all" or "any".
        """
        before, after, told = self.words.states.cut(text)
        if told and self.words.presence.cut(f"{before} {after}")[2] == "somebody":
            # "When somebody opens the door"
            before, after, _ = self.words.presence.cut(f"{before} {after}")
        rest, is_not = self._affirmed(f"{before} {after}")
        for frame in map(with_state, self._frames(rest)):
            state = told or _TOLD_AS.get(frame.state, frame.state)
            what = self._pointed(frame.what, command)
            if told and what.is_music:
                state = _OF_MUSIC.get(told, told)
                what = replace(what, is_everywhere=not (what.places or what.is_here))
            pair = next((p for p in STATE_PAIRS if state in {p.active, p.passive}), None)
            if pair is None or (told and frame.state):
                continue
            is_opposite = is_not or frame.asking == "isnt"
            is_active = (state == pair.active) is not is_opposite
            # Music of a room is all that plays there.
            all_of = replace(what, quantity="all") if what.is_music and what.places else what
            things, pair = self._in_state(all_of, pair, is_active=is_active)
            if not things:
                continue
            if _is_one_of_several(what, things):
                return None
            needs_all = what.quantity in _SEVERAL or (not is_active and what.quantity not in _SOME)
            found = result_of(
                self.hass,
                things,
                pair.shows,
                wanted=is_active,
                needs_all=needs_all,
                places=what.places,
            )
            seen = pair.active if found.holds is is_active else pair.passive
            # Of a person it is only told that it is not so.
            return replace(found, state="" if pair is _HOME else seen)
        return None

    def _in_state(
        self, what: NounPhrase, pair: StatePair, *, is_active: bool
    ) -> tuple[tuple[CatalogEntity, ...], StatePair]:
        """Return what can be in a state of a pair, and the pair: of a door with only a lock, that of locks."""
        for each in (pair, _LOCKING) if self.is_waiting and pair.active == "open" else (pair,):
            wanted = each.active if is_active else each.passive
            if things := self._seen(self._questions.shown(what, each, "is", wanted)):
                return things, each
        return (), pair

    def _affirmed(self, text: str) -> tuple[str, bool]:
        """Return a text without a negation, and whether there was one."""
        before, after, is_not = self.words.negations.cut(text)
        return (f"{before} {after}", True) if is_not else (text, False)

    def _pointed(self, what: NounPhrase, command: str) -> NounPhrase:
        """Return what is described, which is what the command is for where it is only "it"."""
        if what.refers_back:
            # The lock that is to be locked and the contact of its door have one name.
            named = self._spans(noun_phrase(command, self.house))
            what = next((frame.what for frame in frames_of(named)), what) if named else what
        elif (
            what.nouns
            and what == NounPhrase(nouns=what.nouns)
            and not (what.is_plural or what.is_music)
        ):
            what = self._commanded(what, command)
        is_anywhere = not (what.places or what.is_here or what.names)
        # "If a window is open": in any room.
        return replace(what, is_everywhere=True) if what.quantity in _SOME and is_anywhere else what

    def _commanded(self, what: NounPhrase, command: str) -> NounPhrase:
        """Return what a noun alone means: the door of "the door" that the command names, if it names one."""
        named = noun_phrase(command, self.house)
        for frame in frames_of(self._spans(named)) if named else ():
            own = replace(frame.what, nouns=what.nouns)
            kinds = {noun.kind for noun in frame.what.nouns}
            is_placed = own.places and kinds & {noun.kind for noun in what.nouns}
            if (own.names or is_placed) and self._questions.inside(
                own, *self.house.catalog.by_domain
            ):
                return own
        room = room_of(command, self.house)
        placed = replace(what, places=(room,)) if room else what
        return placed if self._questions.inside(placed, *self.house.catalog.by_domain) else what

    def _frames(self, text: str) -> Iterator[Frame]:
        """Yield the frames of a text that every word is explained in, and that says nothing to be done."""
        spans = self._spans(text)
        if not all(span.senses for span in spans):
            return
        if any(span.has(Role.OR) or span.has(Role.EXCEPT) for span in spans):
            return
        for frame in frames_of(spans):
            is_said = frame.move or frame.has_value or frame.without is not None
            is_at_home = frame.verb == "dock" and (frame.what.is_of_persons or frame.what.is_empty)
            is_plain = frame.verb in {"", "set"} or is_at_home
            if frame.asking in _ASKED and is_plain and not is_said:
                yield frame

    def _spans(self, text: str) -> list[Span]:
        """Return the spans of a text without its marks."""
        return [s for s in cover_text(text, self.house, is_command=False) if not s.is_mark]

    def _seen(self, entities: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
        """Return those of some entities that the speaker may know of."""
        return seen_in(self.readable, entities)

    @property
    def _questions(self) -> QuestionReader:
        """Return the reader of questions for the same speaker."""
        return QuestionReader(hass=self.hass, house=self.house, area_id=self.area_id)

    @property
    def _unit(self) -> str:
        """Return the home's unit of temperature."""
        return self.hass.config.units.temperature_unit


def _is_one_of_several(what: NounPhrase, things: Sequence[CatalogEntity]) -> bool:
    """Return whether one thing is named, and several of a domain are called so."""
    is_one = bool(what.names) and not what.is_plural
    return is_one and len({thing.domain for thing in things}) < len(things)


def _unit_of(span: Span) -> str:
    """Return the unit that a span may be, "" for none."""
    return next((str(sense.value) for sense in span.senses if sense.role is Role.UNIT), "")


def _measure_in(unit: str) -> str:
    """Return what is measured in a unit where nobody says what."""
    return _HUMIDITY if unit == "percent" else _TEMPERATURE
