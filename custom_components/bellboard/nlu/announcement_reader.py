"""Announcements: read in a sentence, with the satellites and players that they are heard on.

A room without a satellite has its player.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from homeassistant.components.media_player import MediaPlayerDeviceClass
from homeassistant.const import ATTR_DEVICE_CLASS, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er

from ..domains.announcements import LOST
from ..domains.models import Command
from ..domains.music_assistant import IS_MUSIC_ASSISTANT
from ..domains.registry import table_of
from ..domains.tts import CAN_BE_SPOKEN_ON, ENGINE
from ..home.catalog import CatalogEntity
from .announcing import SATELLITE, Addressee, Announcement, Unknown, read_announcement, read_message
from .announcing_persons import Person
from .frame_models import MissingSlot, ReadCommand
from .house import HomeLexicon
from .lexicon import Role
from .reader import Reader
from .spans import Span, cover_text

PLAYER = "media_player"
"""The domain of what says something aloud where there is no satellite."""

_ENGINE, _PIPELINES = "tts", "assist_pipeline"


@dataclass(frozen=True, slots=True)
class Reached:
    """Targets of an announcement, and the names of persons whose place is unknown."""

    heard_on: tuple[CatalogEntity, ...]
    lost: tuple[str, ...] = ()

    @classmethod
    def of(cls, *entities: CatalogEntity, lost: Sequence[str] = ()) -> Reached:
        """Return the targets that entities are, each of them once."""
        return cls(tuple(dict.fromkeys(entities)), tuple(lost))

    def of_domain(self, domain: str) -> tuple[str, ...]:
        """Return the entity ids of a domain."""
        return tuple(each.entity_id for each in self.heard_on if each.domain == domain)


def find_reached(
    hass: HomeAssistant, house: HomeLexicon, found: Announcement, own: frozenset[str]
) -> Reached:
    """Return the targets of an announcement, of those entities that can make one.

    The speaker's `own` satellites are left out unless they or their room are named, and telephones unless they
    are. Players are for rooms that are named and have no satellite, and for all where there is no satellite at all.
    What is for somebody who has neither is for everybody, unless it is said where they are.
    """
    if found.satellites:
        return Reached(found.satellites)
    able = able_satellites(hass, house)
    others = [each for each in able if not _is_telephone(hass, each)]
    players = _players(hass, house, {each.area_id for each in others})
    everywhere = [each for each in others if each.entity_id not in own]
    if not able:
        everywhere = list(players)
    theirs = {each.name: _heard_by(hass, each, able, players) for each in found.persons}
    lost = [name for name, entities in theirs.items() if not entities]
    if lost and not found.places:
        return Reached.of(*everywhere, lost=lost)
    named = [each for entities in theirs.values() for each in entities]
    if found.places:
        there = _there(found, others)
        rooms = {place.id for place in found.places if not place.is_floor}
        elsewhere = [e for e in there if e.entity_id not in own or e.area_id in rooms]
        heard = [*(elsewhere or there), *_there(found, players)]
        if heard or not found.people:
            return Reached.of(*named, *heard)
    return Reached.of(*(named if named and not found.people else everywhere))


def _there(found: Announcement, entities: Iterable[CatalogEntity]) -> list[CatalogEntity]:
    """Return the entities in the places that are named."""
    rooms = {place.id for place in found.places if not place.is_floor}
    floors = {place.id for place in found.places if place.is_floor}
    return [each for each in entities if each.area_id in rooms or each.floor_id in floors]


def _heard_by(
    hass: HomeAssistant,
    addressee: Addressee,
    able: Sequence[CatalogEntity],
    players: Sequence[CatalogEntity],
) -> list[CatalogEntity]:
    """Return what somebody hears: their own satellites, else what is in the rooms called after them."""
    entities, ids = er.async_get(hass), addressee.person.satellites
    rooms = {place.id for place in addressee.rooms}
    own = [
        each
        for each in able
        if each.entity_id in ids
        or ((entry := entities.async_get(each.entity_id)) and entry.device_id in ids)
    ]
    return own or [each for each in (*able, *players) if each.area_id in rooms]


def able_satellites(hass: HomeAssistant, house: HomeLexicon) -> tuple[CatalogEntity, ...]:
    """Return the exposed satellites that can announce something."""
    table = table_of(SATELLITE)
    action = table.action("announce") if table else None
    return tuple(
        each
        for each in house.catalog.by_domain.get(SATELLITE, ())
        if action and (state := hass.states.get(each.entity_id)) and action.capable_states([state])
    )


def _is_telephone(hass: HomeAssistant, satellite: CatalogEntity) -> bool:
    """Return whether a satellite is a telephone, which would ring: Home Assistant's own broadcast spares it, too."""
    entry = er.async_get(hass).async_get(satellite.entity_id)
    return entry is not None and entry.platform == "voip"


def _players(
    hass: HomeAssistant, house: HomeLexicon, heard_in: set[str | None]
) -> tuple[CatalogEntity, ...]:
    """Return a player for each room without a satellite, of the exposed ones that announce; none without an engine.

    One that several integrations know is there more than once, and would be heard twice.
    """
    if not find_engine(hass):
        return ()
    known = [
        (each, state)
        for each in house.catalog.by_domain.get(PLAYER, ())
        if each.area_id not in heard_in and (state := hass.states.get(each.entity_id))
    ]
    able = [(each, state) for each, state in known if _can_be_spoken_on(state)]
    able.sort(key=lambda item: (not IS_MUSIC_ASSISTANT(item[1]), item[0].entity_id))
    by_room: dict[str, CatalogEntity] = {}
    for each, _ in able:
        by_room.setdefault(each.area_id or each.entity_id, each)
    return tuple(by_room.values())


def _can_be_spoken_on(state: State) -> bool:
    """Return whether a player can be used for an announcement; a television would have to be on."""
    is_television = state.attributes.get(ATTR_DEVICE_CLASS) == MediaPlayerDeviceClass.TV
    return CAN_BE_SPOKEN_ON(state) and state.state != STATE_UNAVAILABLE and not is_television


@callback
def find_engine(hass: HomeAssistant) -> str:
    """Return the entity that speaks on players: that of the preferred voice assistant, else any; "" for none."""
    engines = [
        state.entity_id
        for state in hass.states.async_all(_ENGINE)
        if state.state != STATE_UNAVAILABLE
    ]
    if len(engines) > 1 and _PIPELINES in hass.config.components:
        # Not every Home Assistant has it, and importing it takes what only voice needs.
        from homeassistant.components.assist_pipeline import async_get_pipeline  # noqa: PLC0415

        preferred = async_get_pipeline(hass).tts_engine
        return preferred if preferred in engines else engines[0]
    return engines[0] if engines else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementReader:
    """Reads announcements in a `language`; a `reader` reads what stands beside them.

    `own` are the ids of the satellites that are spoken to, `persons` those of the house whom something can be told.
    Where it `reminds` it reads instead what reminds somebody of something, which is not for now.
    """

    reader: Reader
    language: str
    own: frozenset[str] = frozenset()
    persons: Sequence[Person] = ()
    reminds: bool = False

    def read(self, text: str) -> list[ReadCommand]:
        """Return the parts of a sentence that is to announce something, alone or beside commands; [] for others."""
        if part := self._read(text):
            return part
        spans = cover_text(text, self.reader.house)
        for span, following in zip(spans, [*spans[1:], None], strict=False):
            # Of many joins in a row, what comes after the last is read.
            if not _joins(span) or (following and _joins(following)):
                continue
            if part := self._read(text[span.end :].lstrip()):
                before = text[: span.start]
                commands = self.reader.commands(before, cover_text(before, self.reader.house))
                # "I hear that she wants to tell everyone": what is before it is no command.
                return [*commands, *part] if commands else []
        return []

    def _read(self, text: str) -> list[ReadCommand]:
        """Return the parts of a text that begins as an announcement; [] for others."""
        found = self._found(text)
        if found is None:
            return []
        if found.unknown is Unknown.PERSON:
            missing = "plan.no_person" if found.stranger else "plan.no_name"
            return [ReadCommand(text, is_missing=True, missing=missing, name=found.stranger)]
        if found.unknown is Unknown.PLACE:
            return [ReadCommand(text, is_missing=True, missing="plan.announce_where")]
        if found.unknown is Unknown.MESSAGE:
            return [self._announcing(text, found)]
        reached = find_reached(self.reader.hass, self.reader.house, found, self.own)
        is_left = found.is_broadcast and not able_satellites(self.reader.hass, self.reader.house)
        if is_left and (self.reader.hass.states.async_all(SATELLITE) or not reached.heard_on):
            # Left to Home Assistant, which broadcasts to all satellites, exposed or not.
            return []
        message, rest = self._without_command(text, found.message, is_whole=found.is_whole)
        said = text[: text.rindex(message) + len(message)] if rest else text
        return [self._announcing(said, found, message), *rest]

    def read_answer(self, said: str, answer: str) -> list[ReadCommand]:
        """Return the parts of an announcement whose message is the answer to what it says; [] for other requests.

        The answer may be an announcement of its own: "tell the kids dinner is ready".
        """
        asked = self._found(said)
        if asked is None or asked.unknown is not Unknown.MESSAGE:
            return []
        whole = self._found(answer)
        if whole and whole.message:
            return self._read(answer)
        message = read_message(answer, self.reader.house)
        return [self._announcing(answer, asked, message)] if message else []

    def _found(self, text: str, *, reminds: bool = False) -> Announcement | None:
        """Return the announcement that a text is, None where it is none."""
        house, reminds = self.reader.house, reminds or self.reminds
        return read_announcement(text, house, self.persons, self.language, reminds=reminds)

    def with_message(self, text: str, message: str) -> str:
        """Return a text with a message where it is to tell somebody something, and does not say what."""
        found = self._found(text) or self._found(text, reminds=True)
        is_open = found is not None and found.unknown is Unknown.MESSAGE
        return f"{text}: {message}" if is_open else text

    def _announcing(self, text: str, found: Announcement, message: str = "") -> ReadCommand:
        """Return the part that announces a message, or lacks one, where somebody hears it."""
        reached = find_reached(self.reader.hass, self.reader.house, found, self.own)
        if not reached.heard_on:
            return self._unheard(text, found)
        satellites, players = reached.of_domain(SATELLITE), reached.of_domain(PLAYER)
        if not message:
            return ReadCommand(
                text, lacking=MissingSlot("message", SATELLITE, (*satellites, *players))
            )
        given: dict[str, object] = {"message": message}
        if reached.lost:
            given[LOST] = list(reached.lost)
        is_list = len(found.satellites) > 1
        actions = []
        if satellites:
            actions.append(
                Command("announce", given, satellites, domain=SATELLITE, is_list=is_list)
            )
        if players:
            engine = {ENGINE: find_engine(self.reader.hass)}
            actions.append(Command("announce", {**given, **engine}, players, domain=PLAYER))
        return ReadCommand(text, tuple(actions))

    def _without_command(
        self, text: str, message: str, *, is_whole: bool
    ) -> tuple[str, list[ReadCommand]]:
        """Return a message without a command after it, and the parts of that: "... and turn off the TV"."""
        begin = text.rindex(message)
        spans = [] if is_whole else cover_text(text, self.reader.house)
        for at, span in enumerate(spans[:-1]):
            if span.start > begin and span.has(Role.AND) and spans[at + 1].has(Role.VERB):
                parts = self.reader.commands(text, spans[at + 1 :])
                if parts and all(part.actions for part in parts):
                    return text[begin : span.start].rstrip(" ,;.:"), parts
        return message, []

    def _unheard(self, text: str, found: Announcement) -> ReadCommand:
        """Return the part of an announcement that no satellite is there for."""
        if not able_satellites(self.reader.hass, self.reader.house):
            return ReadCommand(text, is_missing=True, missing="plan.no_satellite")
        missing = "" if found.places else "plan.no_other_satellite"
        return ReadCommand(text, is_missing=True, places=found.places, missing=missing)


def _joins(span: Span) -> bool:
    """Return whether a span joins requests: "and", or a mark."""
    return span.is_mark or span.has(Role.AND)
