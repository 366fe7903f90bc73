"""Questions about the home, read word by word: whether, which, how many, how much."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant, State

from ..home.catalog import CatalogEntity
from .asked import (
    REACHED,
    adds_to_question,
    asking_whether,
    asks,
    asks_for_title,
    asks_how_far,
    asks_how_warm,
    asks_level,
    asks_more,
    domains_told,
    in_room_of,
    of_any,
    only_asks,
    says_done,
    says_is,
    says_nothing,
    with_state,
    without_choice,
    without_denial,
    without_end,
    without_outdoors,
)
from .clauses import shared
from .comparing import read_comparison
from .described import Finder
from .frame_models import Frame, NounPhrase
from .frames import TARGET, frames_of
from .house import HomeLexicon
from .lexicon import Role, holds_any
from .measures import (
    LEVELS,
    MEASURED,
    STATE_PAIRS,
    StatePair,
    is_told,
    pair_of,
    without_other_sensors,
)
from .operations import SWITCHED_AT_ONCE
from .spans import Span, cover_text
from .tokens import spoken_words, tokenise

# What is asked of a place is told by its sensors first.
_OF_PLACES = frozenset({"temperature", "humidity", "carbon_dioxide", "aqi"})
_LOCKING = next(pair for pair in STATE_PAIRS if pair.passive == "locked")
_WHOLE_QUESTIONS = frozenset({"present", "when", "batteries", "doing"})
# What "is it running" asks of a robot.
_RUNNING = {"on": "cleaning", "off": "resting"}
# Words that ask as others do.
_AS = {"what": "which", "where": "which", "who": "which", "isnt": "is", "tell": "is"}
# What does something.
_BUSY = ("vacuum", "lawn_mower", "media_player")
# What people call sensors outside in any language.
_OUTDOORS = frozenset({"outside", "outdoor", "outdoors"})
OUTSIDE = "outside"
"""What is asked with how warm it is outside."""


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """Question that was understood: what is asked of entities (`asking`).

    `asking` is "is", "which", "how_many", "state" (on or off), "since", "low" (batteries), "value",
    "playing" (a title), OUTSIDE, or that of a `RoomComparison`, of which the `state` is MORE or LESS.
    `entity_ids` are those it is about, `state` is the state asked for ("open"), `measure` the value ("brightness").
    With `needs_all` the answer is only yes if it holds of all of them.
    """

    asking: str
    entity_ids: tuple[str, ...]
    state: str = ""
    measure: str = ""
    needs_all: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReader:
    """Reads questions for one home, for a speaker in `area_id`; `spoken` is what "it" means."""

    hass: HomeAssistant
    house: HomeLexicon
    area_id: str | None = None
    spoken: tuple[CatalogEntity, ...] = ()

    def read(self, text: str, *, is_asked: bool = True) -> ReadQuestion | None:
        """Return the question that a text is, or None where a word of it is not understood.

        Unless it `is_asked` for sure, it has to begin like one: "tell me which lights are on".
        """
        spans = self._spans(text)
        if compared := self.compared(spans, is_asked=is_asked):
            return compared
        spans = without_end(spans)
        if not spans or not all(span.senses for span in spans):
            return None
        spans, is_either = without_choice(spans)
        spans, is_denied = without_denial(spans)
        if any(span.has(Role.AND) or span.has(Role.EXCEPT) for span in spans):
            return None
        leads = (span for span in spans if not (says_nothing(span) or span.has(Role.LINK)))
        first = next(leads, spans[0])
        by_tone = not (is_asked or asks(first) or any(map(asks_more, spans)))
        if by_tone and not (self.house.lexicon.asks_by_tone and says_is(spans)):
            return None
        frames = (
            f for f in frames_of(spans) if not f.verb or f.asking != "when" or says_done(spans)
        )
        is_any = any(holds_any(span.words, self.house.lexicon.there_is) for span in spans)
        found = (
            self._question(of_any(frame) if is_any else frame)
            for frame in (map(asking_whether, frames) if is_asked else frames)
            if only_asks(frame) and not (by_tone and frame.verb)
        )
        question = next((question for question in found if question), None)
        is_fully = any(holds_any(span.words, self.house.lexicon.fully) for span in spans)
        question = self._fully(question) if question and is_fully else question
        if question and is_denied:
            return _opposite(question)
        if question and is_either and question.asking == "is":
            return replace(question, asking="state", needs_all=False)
        return question

    def _fully(self, question: ReadQuestion) -> ReadQuestion:
        """Return a question for what is open all the way: whether it is, is how far."""
        if question.state != "open":
            return question
        if question.asking != "is":
            return replace(question, state="fully open")
        of_id = self.house.catalog.entities.__getitem__
        told = self._telling([*map(of_id, question.entity_ids)], "position")
        return ReadQuestion("value", _ids(told), measure="position") if told else question

    def read_plain(self, text: str) -> ReadQuestion | None:
        """Return the question of a text that has the words of no command: it compares, or says how something is."""
        # As a command has them, which is read next.
        spans = [span for span in cover_text(text, self.house) if not span.is_mark]
        if any(span.has(Role.AND) and not span.has(Role.FILLER) for span in spans):
            return None
        is_either = any(span.has(Role.OR) or asks(span) for span in spans)
        compared = self.compared(spans, is_asked=False) if is_either else None
        is_told = self.house.lexicon.asks_by_tone and says_is(spans)
        return compared or (self.read(text, is_asked=False) if is_told else None)

    def read_outside(self, text: str, outdoors: Collection[str]) -> ReadQuestion | None:
        """Return the question how warm it is outside, or about what is named and said to be there; None for another.

        `outdoors` are the words for outside.
        """
        rest = without_outdoors(text, outdoors)
        if rest == " ".join(text.split()):
            return None
        spans = self._spans(rest)
        if not spans or not all(span.senses for span in spans):
            return None
        frames = [frame for frame in frames_of(spans) if only_asks(frame)]
        if any(map(asks_how_warm, frames)):
            return ReadQuestion(OUTSIDE, _ids(self.outdoors(outdoors)), measure="temperature")
        if not any(map(asks, spans)) or len(tokenise(rest)) == len(tokenise(text)):
            return None
        named = (f for f in frames if f.what.names and not (f.what.nouns or f.what.places))
        return next(filter(None, map(self._question, named)), None)

    def outdoors(self, outdoors: Collection[str]) -> list[CatalogEntity]:
        """Return the sources of the outdoor temperature: sensors that are called so or stand there, and the weather."""
        catalog = self.house.catalog
        found = []
        for entity in catalog.by_domain.get("sensor", ()):
            area = catalog.areas.get(entity.area_id or "")
            names = (*entity.names, *(area.names if area else ()))
            said = " ".join(" ".join(names).split())
            is_outside = without_outdoors(said, {*outdoors, *_OUTDOORS}) != said
            if is_outside and is_told(self._state(entity), "temperature"):
                found.append(entity)
        return [*found, *catalog.by_domain.get("weather", ())]

    def read_more(self, said: str, text: str) -> ReadQuestion | None:
        """Return the question before (`said`) for what the next sentence names: "and the bathroom?"."""
        spans = self._spans(text)
        asked = self._spans(said)
        if not spans or not all(span.senses for span in (*spans, *asked)):
            return None
        said_now = frames_of(spans)
        if any(frame.verb and frame.has_operation for frame in said_now[:1]):
            # "Lock the front door" is no lock that is asked about.
            return None
        frames = [frame for frame in said_now if adds_to_question(frame)]
        if any(frame.what.is_such for frame in frames):
            # "The one on the terrace" is not the lamp that is called so.
            frames = [frame for frame in frames if not frame.what.names]
        for old in map(asking_whether, frames_of(asked)):
            for new in frames if only_asks(old) else ():
                [what] = shared([replace(new.what, is_such=True)], [old.what])
                is_of_thing = bool(old.what.names or old.what.nouns or old.what.words)
                is_noun_lost = what.is_only_place and is_of_thing
                asking = new.asking or old.asking
                question = self._question(replace(old, what=what, asking=asking))
                if question and not is_noun_lost:
                    return question
        return next(filter(None, (self._reading(frame.what) for frame in frames)), None)

    def _reading(self, what: NounPhrase) -> ReadQuestion | None:
        """Return the question what sensors that are named tell."""
        measure = str(next((e.device_class for e in what.names if e.domain == "sensor"), ""))
        told = self._telling(what.names, measure) if measure in MEASURED else ()
        return ReadQuestion("value", _ids(told), measure=measure) if told else None

    def _question(self, frame: Frame) -> ReadQuestion | None:
        """Return the question of a frame, or None where there is nothing that it could be about."""
        frame = with_state(frame)
        if asks_for_title(frame):
            return self._playing(frame.what)
        if frame.asking in _WHOLE_QUESTIONS and not (frame.asking == "doing" and frame.measure):
            return self._whole_question(frame)
        measure = frame.measure or (
            frame.attribute if frame.asking in {"what", "how", "tell"} else ""
        )
        if told := self._told(frame):
            return told
        if not frame.state and asks_level(frame, measure):
            return self._level(frame.what)
        if asks_how_far(frame) and (question := self._level(frame.what)):
            return question
        if frame.attribute in {"mode", "preset"} and frame.asking in {"which", "what", "how"}:
            return self._mode(frame.what)
        if measure == TARGET and not frame.state:
            return self._target(frame.what)
        if measure and not frame.state:
            entities = self.measuring(frame.what, measure)
            return ReadQuestion("value", _ids(entities), measure=measure) if entities else None
        asking = _AS.get(frame.asking, frame.asking)
        is_of_part = bool(frame.attribute) and frame.what.is_only_place
        if not frame.state or measure or asking not in {"is", "which", "how_many"} or is_of_part:
            return None
        asks_title = frame.state == "playing" and frame.asking not in {"where", "is", "isnt"}
        if asks_title and any(noun.is_general for noun in frame.what.nouns):
            # "Which song is playing?"
            return None
        return self._shows(frame, asking)

    def _shows(self, frame: Frame, asking: str) -> ReadQuestion | None:
        """Return the question whether, which or how many are in the state of a frame."""
        state, entities = self._in_state(frame, asking)
        pair = pair_of(state)
        if pair is None:
            return None
        if entities:
            needs_all = frame.what.quantity in {"all", "both"} or (
                state == pair.passive and asking == "is" and frame.what.quantity != "one"
            )
            return ReadQuestion(asking, _ids(entities), state=state, needs_all=needs_all)
        if asking == "is" and pair.active == "open" and frame.what.names:
            # A door of which only the lock is known tells whether that is locked.
            lock = self.shown(frame.what, _LOCKING, asking, frame.state)
            return ReadQuestion("state", _ids(lock)) if lock else None
        return None

    def _in_state(self, frame: Frame, asking: str) -> tuple[str, tuple[CatalogEntity, ...]]:
        """Return the state asked for, and what it is asked of: a robot that is asked about and on cleans."""
        running = "" if frame.what.is_only_place else _RUNNING.get(frame.state, "")
        for state in (frame.state, running):
            pair = pair_of(state)
            if pair and (found := self.shown(frame.what, pair, asking, state)):
                return state, found
        return frame.state, ()

    def _whole_question(self, frame: Frame) -> ReadQuestion | None:
        """Return the question of words that say all: who is at home, which batteries are low, since when."""
        if frame.asking == "when":
            return self._since(frame)
        if frame.asking == "doing":
            domains = self.house.catalog.by_domain if frame.what.names else _BUSY
            found = self._finder.find(frame.what, domains) if not frame.what.is_only_place else None
            is_known = found and (frame.what.names or not found.is_ambiguous)
            known = _ids(found.entities) if found and is_known else ()
            return ReadQuestion("state", known) if known else None
        if frame.asking == "batteries":
            batteries = self.batteries(frame.what)
            return ReadQuestion("low", _ids(batteries)) if batteries else None
        persons = _ids(self.house.catalog.by_domain.get("person", ()))
        return ReadQuestion("which", persons, state="home") if persons else None

    def _told(self, frame: Frame) -> ReadQuestion | None:
        """Return the question where persons are, or what helpers are set to; None for any other."""
        found = self._finder.find(frame.what, domains) if (domains := domains_told(frame)) else None
        ids = _ids(found.entities) if found and not found.is_ambiguous else ()
        return ReadQuestion("state", ids) if ids else None

    def compared(self, spans: Sequence[Span], *, is_asked: bool = True) -> ReadQuestion | None:
        """Return the question which of two rooms is warmer, or which of all is warmest; None for another."""
        said = read_comparison(spans, self.house.lexicon, is_asked=is_asked)
        if said is None:
            return None
        if not said.places:
            every = NounPhrase(is_everywhere=True, quantity="all")
            sensors = self._sensing(every, said.measure, of_home=True)
            return ReadQuestion(said.asking, _ids(sensors), said.more, said.measure)
        telling = self.measuring if said.places[0].names else self._sensing
        found = [telling(each, said.measure)[:1] for each in said.places]
        # Where one of them is not measured, nobody knows, and nothing is made warmer for it.
        ids = _ids([sensor for each in found for sensor in each]) if all(found) else ()
        return ReadQuestion(said.asking, ids, said.more, said.measure)

    def _since(self, frame: Frame) -> ReadQuestion | None:
        """Return the question since when devices are in a state: "when was the door last opened"."""
        state = frame.state or REACHED.get(frame.verb, "")
        pair = pair_of(state)
        if pair is None or frame.what.is_only_place:
            return None
        # A door with a lock of its name is open since it was unlocked, as far as anybody can tell.
        found = self.shown(frame.what, pair, "is", state) or next(
            (each for other in STATE_PAIRS if (each := self.shown(frame.what, other, "is", state))),
            (),
        )
        return ReadQuestion("since", _ids(found), state=state) if found else None

    def batteries(self, what: NounPhrase) -> tuple[CatalogEntity, ...]:
        """Return the sensors of batteries, in a place if one is said."""
        found = self._finder.find(
            replace(what, quantity="all", is_everywhere=not (what.places or what.is_here)),
            ("sensor", "binary_sensor"),
        )
        return tuple(e for e in (found.entities if found else ()) if e.device_class == "battery")

    def _playing(self, what: NounPhrase) -> ReadQuestion | None:
        """Return the question what plays: where it is said, else here if something does, else in the whole home."""
        what = replace(what, nouns=(), pronoun="", is_here=what.is_here and not what.is_everywhere)
        found = self._finder.find(what, ("media_player",))
        is_said = what.names or what.words or what.places or what.is_here
        states = map(self._state, found.entities if found else ())
        if not is_said and not any(state and state.state == "playing" for state in states):
            found = self._finder.find(replace(what, is_everywhere=True), ("media_player",))
        return ReadQuestion("playing", _ids(found.entities)) if found else None

    def _level(self, what: NounPhrase) -> ReadQuestion | None:
        """Return the question how high a device is set, or None where none or several could be meant."""
        found = self._finder.find(what, LEVELS)
        if found is None or found.is_ambiguous:
            return None
        domains = {entity.domain for entity in found.entities}
        if len(domains) != 1:
            return None
        measure = LEVELS[domains.pop()]
        telling = self._telling(found.entities, measure)
        return ReadQuestion("value", _ids(telling), measure=measure) if telling else None

    def _mode(self, what: NounPhrase) -> ReadQuestion | None:
        """Return the question in which mode something heats or cools, None where it is not clear what."""
        found = self._finder.find(what, ("climate",))
        known = found.entities if found and not found.is_ambiguous else ()
        return ReadQuestion("state", _ids(known)) if known else None

    def _target(self, what: NounPhrase) -> ReadQuestion | None:
        """Return the question for the temperature that devices are to reach; None where it is not clear which."""
        found = self._finder.find(replace(what, pronoun=""), MEASURED[TARGET])
        if found is None or found.is_ambiguous:
            return None
        telling = self._telling(found.entities, TARGET)
        return ReadQuestion("value", _ids(telling), measure=TARGET) if telling else None

    def shown(
        self, what: NounPhrase, pair: StatePair, asking: str, state: str
    ) -> tuple[CatalogEntity, ...]:
        """Return the entities that a question for a state is about; () where that is not clear."""
        if what.pronoun or (what.is_empty and self.spoken):
            is_it = (what.refers_back or what.is_empty) and not (what.places or what.is_here)
            return tuple(e for e in self.spoken if is_it and e.domain in pair.domains)
        if what.is_only_place:
            is_told = asking == "is" or state == pair.active
            return self._all_that_may_be(what, pair, asking) if is_told else ()
        if (asking != "is" or what.quantity == "one") and not (what.places or what.is_here):
            # "Which lights are on?" and "is any window open?" are asked of the whole home.
            what = replace(what, is_everywhere=True)
        found = self._finder.find(what, pair.domains)
        # Of things of one name each may be in the state: a lock's contact, a window's motor.
        is_one = asking == "is" and what.quantity != "one" and not what.names
        if found is None or (found.is_ambiguous and is_one and not found.are_lights_of_room):
            return ()
        return without_other_sensors(found.entities)

    def inside(self, what: NounPhrase, *domains: str) -> tuple[CatalogEntity, ...]:
        """Return all entities of some domains in the place described."""
        found = self._finder.find(replace(what, quantity="all"), domains)
        return found.entities if found else ()

    def _all_that_may_be(
        self, what: NounPhrase, pair: StatePair, asking: str
    ) -> tuple[CatalogEntity, ...]:
        """Return all in a place that can be in a state: "is everything off", "is anything open"; else ()."""
        if pair.active == "playing":
            return ()
        is_all = what.is_everywhere or what.quantity in {"all", "one"}
        # "Is it still on in the hall?" is asked of the light.
        is_of_one = asking == "is" and bool(what.places or what.is_here)
        is_lit = is_of_one and pair.active == "on"
        if not (is_all or is_lit or (is_of_one and pair.active == "open") or asking == "which"):
            return ()
        domains = SWITCHED_AT_ONCE if pair.active == "on" else pair.domains
        domains = frozenset({"light"}) if is_lit and not is_all else domains
        if not (what.places or what.is_here):
            what = replace(what, is_everywhere=True)
        found = self._finder.find(replace(what, quantity="all"), domains)
        every = without_other_sensors(found.entities) if found else ()
        # A speaker that plays nothing is on only for who asks about it.
        return tuple(e for e in every if not ((s := self._state(e)) and s.state == "idle"))

    def measuring(self, what: NounPhrase, measure: str) -> tuple[CatalogEntity, ...]:
        """Return the entities that tell a measure: those named, or the sensors of a place."""
        domains = MEASURED.get(measure)
        if domains is None:
            return ()
        if measure in _OF_PLACES and not (what.names or what.nouns):
            # "How warm is it": "it" is the place.
            return self._sensing(replace(what, pronoun=""), measure)
        if what.pronoun:
            return ()
        found = self._finder.find(what, (*domains, "sensor"))
        telling = self._telling(found.entities if found else (), measure)
        if found is None or not telling:
            return self._telling(self.called(what, "sensor"), measure)
        return () if found.is_ambiguous else telling

    def _telling(
        self, entities: Sequence[CatalogEntity], measure: str
    ) -> tuple[CatalogEntity, ...]:
        """Return those of some entities that tell a measure now."""
        return tuple(each for each in entities if is_told(self._state(each), measure))

    def called(self, what: NounPhrase, *domains: str) -> tuple[CatalogEntity, ...]:
        """Return the entities of some domains that are called after a device: "Washing Machine Power"."""
        by_domain = self.house.catalog.by_domain
        found = self._finder.find(what, tuple(by_domain))
        named = {spoken_words(name) for e in (found.entities if found else ()) for name in e.names}
        return tuple(
            each
            for domain in domains
            for each in by_domain.get(domain, ())
            if any(set(words) <= set(spoken_words(name)) for words in named for name in each.names)
        )

    def _sensing(
        self, what: NounPhrase, measure: str, *, of_home: bool = False
    ) -> tuple[CatalogEntity, ...]:
        """Return the sensors of a measure in a place, else the thermostats there; of all rooms with `of_home`."""
        if (room := in_room_of(what, self.house.catalog) if what.words else what) is None:
            return ()
        what = room
        found = self._finder.find(what, ("sensor", *MEASURED[measure]))
        entities = found.entities if found else ()
        telling = [e for e in entities if (state := self._state(e)) and is_told(state, measure)]
        sensors = tuple(entity for entity in telling if entity.domain == "sensor")
        if of_home:
            sensed = {entity.area_id for entity in sensors}
            others = (entity for entity in telling if entity.area_id not in sensed)
            return tuple(entity for entity in (*sensors, *others) if entity.area_id)
        near = sensors or tuple(entity for entity in telling if entity.domain != "weather")
        is_somewhere = what.places or what.is_here or {e.area_id for e in near} == {self.area_id}
        return near if is_somewhere or len(near) == 1 else ()

    def _spans(self, text: str) -> list[Span]:
        """Return the spans of a question, without marks."""
        spans = cover_text(text, self.house, is_command=False)
        return [span for span in spans if not span.is_mark]

    @property
    def _finder(self) -> Finder:
        """Return what finds entities by their description."""
        return Finder(hass=self.hass, house=self.house, area_id=self.area_id)

    def _state(self, entity: CatalogEntity) -> State | None:
        """Return the state of an entity, None where it is gone."""
        return self.hass.states.get(entity.entity_id)


def _ids(entities: Sequence[CatalogEntity]) -> tuple[str, ...]:
    """Return the entity ids of entities."""
    return tuple(entity.entity_id for entity in entities)


def _opposite(question: ReadQuestion) -> ReadQuestion | None:
    """Return the question for the other state of a pair; None for a question that is for no state of several."""
    pair = pair_of(question.state) if question.asking in {"which", "how_many"} else None
    state = pair.passive if pair and question.state == pair.active else pair and pair.active
    return replace(question, state=state) if state else None


def holds(question: ReadQuestion, states: Sequence[State]) -> list[State]:
    """Return the states of the entities that are in the state asked for."""
    pair = next(p for p in STATE_PAIRS if question.state in {p.active, p.passive})
    wanted = question.state == pair.active
    return [state for state in states if pair.shows(state) is wanted]
