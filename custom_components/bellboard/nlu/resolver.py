"""Resolves descriptions to the entities that an operation is for: by name, kind, place, and what they are doing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from homeassistant.components.vacuum import VacuumActivity
from homeassistant.const import STATE_OFF, STATE_ON, STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..domains.registry import GUARDING, GUARDING_OR_REACHING, table_of, tables
from ..home.catalog import CatalogEntity, Place
from .clauses import Group
from .described import Finder, ResolvedTargets
from .frame_models import KEEP, Frame, NounPhrase
from .house import HomeLexicon
from .implicit_targets import active_players, leading_players, play_together, without_televisions
from .kinds import ENTRANCES
from .lexicon import HALT, Noun
from .measures import read_measure
from .operations import Operation
from .spared import Spared, is_called

# What covers windows, whatever it is called: "let some light in".
_COVERINGS = Noun("blind", is_plural=None, is_general=True, forms=frozenset())
# What ends something, or secures the house, and so does no harm where more is meant by it.
_ENDING = frozenset({"lock", "pause", "stop", HALT})
_RESUMING = frozenset({"resume", "start"})
# What is asked of the sound, which each of the players that play together has for itself; they share the rest.
_OF_SOUND = frozenset({"up", "down", "louder", "quieter", "mute", "unmute"})
_OF_PLAYING = _OF_SOUND | {"pause", "stop", "next", "previous"}
# What a vacuum cleaner does that is asked to go on, or to end its work.
_BEFORE: Mapping[str, VacuumActivity] = {
    **dict.fromkeys(
        ("halt", "stop", "stop_cleaning", "pause", "dock", "turn_off"), VacuumActivity.CLEANING
    ),
    "resume": VacuumActivity.PAUSED,
}
_AWNINGS = frozenset({"awning"})
# What may change anything else.
_REACHING = GUARDING_OR_REACHING - GUARDING

_SEVERAL = frozenset({"all", "both"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolver:
    """Finds what operations are for, for a speaker in `area_id`; `spoken` is what was spoken of before.

    With `is_on_device` it is said to a device in the house, whether or not it is known in which room.
    `turned_on` are the entity ids of what the sentence turns on before.
    """

    hass: HomeAssistant
    house: HomeLexicon
    area_id: str | None = None
    is_on_device: bool = False
    spoken: tuple[CatalogEntity, ...] = ()
    turned_on: frozenset[str] = frozenset()

    def audible_first(self, frames: Sequence[Frame]) -> list[Frame]:
        """Return the frames of a clause, those first that are of the sound where something plays here: "più forte"."""
        if not all(frame.what.is_empty for frame in frames):
            return list(frames)
        players = self.house.catalog.by_domain.get("media_player", ())
        if not self._playing(ResolvedTargets(tuple(filter(self._is_near, players)))).entities:
            return list(frames)
        return sorted(frames, key=lambda frame: frame.move not in _OF_SOUND - {"up", "down"})

    def _is_near(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is in the speaker's area."""
        return bool(self.area_id) and entity.area_id == self.area_id

    def targets_of(self, group: Group) -> list[NounPhrase]:
        """Return the targets of an operation; those with a place as an exception are of the whole home.

        "Everything but the kitchen" is everywhere, and so are the lights of whoever is in no room.
        """
        if not any(each.places or each.is_here for each in group.without):
            return [*map(self._where_said, group.targets)]
        return [
            replace(
                what,
                is_all_things=False,
                is_everywhere=what.is_everywhere
                or (bool(what.nouns) and not (self.area_id or what.places)),
            )
            for what in group.targets
        ]

    def _where_said(self, what: NounPhrase) -> NounPhrase:
        """Return a description of what is "down here" with where the speaker is: with the floor where all are meant."""
        area = self.house.catalog.areas.get(self.area_id or "")
        if area is None or not any(place.is_near for place in what.places):
            return what
        is_of_floor = what.is_plural or what.quantity in _SEVERAL
        floor = self.house.catalog.floor_of(self.area_id) if is_of_floor else None
        return replace(what, places=(floor or area,))

    def beside(self, targets: Sequence[NounPhrase], near: tuple[Place, ...]) -> list[NounPhrase]:
        """Return descriptions of kinds without a place with that of the operation before, where it has such: "too"."""
        domains = [table.name for table in tables()]

        def placed(what: NounPhrase) -> NounPhrase:
            if not what.nouns or what.names or what.words or what.has_place or what.pronoun:
                return what
            there = replace(what, places=near)
            found = self._finder.find(there, domains)
            return there if found and found.entities else what

        return [placed(what) for what in targets]

    def places_of(self, what: NounPhrase) -> tuple[Place, ...]:
        """Return the places of a description, the speaker's area where it is "in here"."""
        area = self.house.catalog.areas.get(self.area_id or "") if what.is_here else None
        return what.places or ((area,) if area else ())

    @property
    def _finder(self) -> Finder:
        """Return what finds entities by their description."""
        return Finder(hass=self.hass, house=self.house, area_id=self.area_id)

    def resolve(
        self, operation: Operation, what: NounPhrase, near: tuple[Place, ...] = ()
    ) -> ResolvedTargets | None:
        """Return the entities that an operation is for, by what they are and what they are doing.

        `near` are the places of the operation before, where several could be meant. None where it is not
        clear; without entities nothing is there.
        """
        is_all_music = what.is_music and what.is_plural and operation.kind in _ENDING
        if is_all_music and not (what.places or what.is_here):
            # "Pause everything that's playing", wherever it is
            what = replace(what, is_everywhere=True)
        found = self._find(operation, what)
        if found and is_all_music:
            found = self._playing(found)
        if found is None or (operation.is_for_awnings and not self._are_awnings(found)):
            return None
        if not (what.refers_back and self.spoken):
            found = Spared(self._finder, operation).meant(what, found)
        if found.is_all_of_home and not self._may_be_all(operation, found):
            found = replace(found, is_ambiguous=True)
        found = self._doing(operation, found)
        if found.is_ambiguous and near:
            found = self._find(operation, replace(what, places=near)) or found
        if found.is_ambiguous and self._is_too_vague(operation, what, found):
            return None
        found = self._heard(operation, what, found)
        is_any = any(noun.is_general for noun in what.nouns) or len(found.entities) > 1
        if operation.kind == "pause" and is_any:
            # Where nothing plays, whoever else is asked says so.
            found = self._playing(found)
            return found if found.entities else None
        running = tuple(filter(self._is_running, found.entities))
        # "Keep the hallway on at five percent": what is off stays off.
        is_kept = operation.frame.verb == KEEP and running and not what.names
        if what.is_running or is_kept:
            found = replace(found, entities=running)
        if what.names:
            return found
        is_light = all(each.domain == "light" for each in found.entities)
        is_any_light = is_light and all(noun.is_general for noun in what.nouns)
        if operation.sets_brightness and is_any_light and not found.is_ambiguous:
            # Of "the lamp" it is asked which one, and "the lamps here" are those that are called so.
            return self._brighter(operation, what, found)
        return self._lit(found) if operation.is_dimming and is_light else found

    def _are_awnings(self, found: ResolvedTargets) -> bool:
        """Return whether all of some entities are awnings."""
        return all(is_called(self.house, each, _AWNINGS) for each in found.entities)

    def _may_be_all(self, operation: Operation, found: ResolvedTargets) -> bool:
        """Return whether "the lights" are all of the home: for what ends something, and lights that are turned off.

        Who speaks to a device is in some room, and means that of it.
        """
        if operation.kind in _ENDING:
            return True
        are_lights = all(entity.domain == "light" for entity in found.entities)
        is_off = operation.is_switching and operation.kind == "turn_off"
        return is_off and are_lights and not (self.is_on_device or self.area_id)

    def _doing(self, operation: Operation, found: ResolvedTargets) -> ResolvedTargets:
        """Return those of some entities that do what is to be stopped ("stop the effect"); all where none does."""
        known = (self.hass.states.get(entity.entity_id) for entity in found.entities)
        stopping = operation.stopping(state for state in known if state)
        doing = tuple(entity for entity in found.entities if entity.entity_id in stopping)
        if not doing:
            return found
        return replace(found, entities=doing, is_ambiguous=found.is_ambiguous and len(doing) > 1)

    def _is_running(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is not off."""
        return not self.hass.states.is_state(entity.entity_id, STATE_OFF)

    @staticmethod
    def _is_too_vague(operation: Operation, what: NounPhrase, found: ResolvedTargets) -> bool:
        """Return whether it makes no sense to ask which of several things is meant."""
        # A mere number is for a thing that is named, or for what is said to be set.
        is_mere_number = operation.is_vague and what.is_only_words
        # Of namesakes it is asked which one.
        return is_mere_number or (found.is_of_kinds and not what.names)

    def left_out(
        self, operation: Operation, group: Group, found: Sequence[ResolvedTargets]
    ) -> frozenset[str] | None:
        """Return the entity ids of the exceptions; None where it is not clear what they are.

        Of several that could be meant it is the one among those `found`: "everything but the speaker".
        """
        pool = [e for described in found for e in (*described.entities, *described.left)]
        left: set[str] = set()
        for what in group.without:
            if what.is_everywhere and what.is_only_place and not what.places:
                return frozenset(entity.entity_id for entity in pool)
            if (own := self._excepted(operation, what, pool)) is None:
                return None
            left |= {entity.entity_id for entity in own}
        return frozenset(left)

    def _excepted(
        self, operation: Operation, what: NounPhrase, pool: Sequence[CatalogEntity]
    ) -> Sequence[CatalogEntity] | None:
        """Return what is excepted from some entities, () where it is of another kind; None where it is not clear."""
        if own := self._finder.among(what, pool):
            is_one = not (what.is_plural or what.has_place)
            is_general = all(noun.is_general for noun in what.nouns) and not what.words
            return None if len(own) > 1 and is_one and not is_general else own
        if (described := self._find(operation, what)) is None:
            return None
        if what.words and what.is_here and not described.entities:
            # Nothing here is called so: it is not known what is left out.
            return None
        domains = {entity.domain for entity in described.entities}
        pooled = {entity.domain for entity in pool}
        # What a scene or a script reaches is looked at when it is to be called.
        is_near = bool(domains & pooled or pooled & _REACHING)
        return None if is_near and described.is_ambiguous else ()

    def _find(self, operation: Operation, what: NounPhrase) -> ResolvedTargets | None:
        """Return the entities that an operation is for; None where it cannot be for what is described."""
        if what.quantity == "other" or (what.is_such and not what.nouns):
            # What is other, and what "the one" is, depends on what was spoken of.
            return self._such(operation, what) if what.is_such and self.spoken else None
        if what.refers_back and self.spoken:
            return self._spoken_of(operation)
        if what.quantity == "one" and (operation.frame.has_value or operation.frame.move):
            # "A warm light", "some red light" is none of several lamps.
            what = replace(what, quantity="")
        if what.names or what.nouns or what.words:
            if not (domains := operation.domains()):
                # "Open it a bit" is known, but nothing can do it.
                return None
            found = self._finder.find(what, domains)
            if found is None or what.names or what.is_plural or what.is_everywhere:
                return found
            return self.prefer_active(operation, found)
        if what.pronoun and not what.has_place:
            # "Make it warmer": what is meant is where the speaker is.
            what = replace(what, pronoun="")
            # "Send him home" is for nobody's heating.
            is_mere_option = operation.frame.options and not operation.frame.attribute
            is_switched = operation.is_switching and not operation.names_domain
            if is_switched or is_mere_option or not what.is_empty:
                return None
        if what.is_empty and not operation.names_domain and operation.is_unclear_alone:
            return None
        return self._implied(operation, what)

    def _implied(self, operation: Operation, what: NounPhrase) -> ResolvedTargets | None:
        """Return what an operation is for that says no name and no kind; None where that is not clear."""
        is_all = what.quantity == "all" or what.is_everywhere
        is_loudness = operation.kind in {"up", "down"} and not operation.frame.attribute
        if (what.is_all_things or (is_all and not what.is_everywhere)) and self.area_id:
            # "Everything" that is said in a room is the room's.
            what = replace(what, is_here=not what.places)
        if operation.is_for_windows:
            what = replace(what, nouns=(_COVERINGS,))
        domains = operation.implied_domains(is_all=is_all)
        if operation.frame.attribute == "fan" and not what.places and self._has_fan:
            # "The fan" in a room that has one is no part of an air conditioner elsewhere.
            domains = [domain for domain in domains if domain == "fan"]
        found = self._finder.find(what, domains) if domains else None
        if found and operation.frame.options:
            found = self._choosing(operation, found)
        is_of_sound = domains == ["media_player"] and is_loudness
        is_moved = operation.kind in {"up", "down"} and not operation.frame.attribute
        is_unclear = operation.frame.amount or is_of_sound or is_moved
        if is_all and not operation.names_domain and is_unclear:
            # "Everything a bit lower", "turn everything down" may be for light, sound and blinds.
            return None
        if is_all and operation.frame.is_mere_option:
            # "Baja todo" lowers everything, and chooses no mode that is called "bajo".
            return None
        if found is None or is_all:
            return found
        found = self.prefer_active(operation, self._able(operation, found))
        # "Turn up the bedroom", where nothing is heard
        return None if is_loudness and self._is_silent(found) else found

    @property
    def _has_fan(self) -> bool:
        """Return whether a fan is in the speaker's area, and no air conditioner."""
        of = self.house.catalog.by_domain
        fans, others = (any(map(self._is_near, of.get(d, ()))) for d in ("fan", "climate"))
        return fans and not others

    def _able(self, operation: Operation, found: ResolvedTargets) -> ResolvedTargets:
        """Return those of several entities that can do it; all where none can, which is then said."""
        able = tuple(
            entity
            for entity in found.entities
            if (state := self.hass.states.get(entity.entity_id)) and operation.can_do(state)
        )
        if not able:
            return found
        return replace(found, entities=able, is_ambiguous=found.is_ambiguous and len(able) > 1)

    def _is_silent(self, found: ResolvedTargets) -> bool:
        """Return whether all entities are players, and none of them is at work."""
        return all(
            entity.domain == "media_player" for entity in found.entities
        ) and not active_players(self.hass, found.entities)

    def _choosing(self, operation: Operation, found: ResolvedTargets) -> ResolvedTargets | None:
        """Return those of some entities that have the options that are said; None where none has."""
        having = tuple(
            entity
            for entity in found.entities
            if (table := table_of(entity.domain))
            and (state := self.hass.states.get(entity.entity_id))
            and operation.has_options(table, state)
        )
        is_ambiguous = found.is_ambiguous and len(having) > 1
        return replace(found, entities=having, is_ambiguous=is_ambiguous) if having else None

    def _such(self, operation: Operation, what: NounPhrase) -> ResolvedTargets | None:
        """Return others like what was spoken of: "the one in the office"."""
        domains = {entity.domain for entity in self.spoken} & set(operation.domains())
        found = self._finder.find(replace(what, is_such=False), domains) if domains else None
        if found and found.is_ambiguous:
            # "The ceiling one" of those that were spoken of
            near = tuple(entity for entity in found.entities if entity in self.spoken)
            return ResolvedTargets(near) if len(near) == 1 else found
        return found

    def _spoken_of(self, operation: Operation) -> ResolvedTargets | None:
        """Return what was spoken of before, those that can be asked it; None where none can."""
        domains = operation.domains()
        found = tuple(entity for entity in self.spoken if entity.domain in domains)
        if operation.kind in {"up", "down"} and any(e.device_class in ENTRANCES for e in found):
            # What is turned down is loud or bright, and no door.
            return None
        return ResolvedTargets(found) if found else None

    def is_there(self, what: NounPhrase) -> bool:
        """Return whether there is what is described, though it cannot be asked this."""
        found = self._finder.find(what, [table.name for table in tables()])
        return found is None or bool(found.entities)

    def prefer_active(self, operation: Operation, found: ResolvedTargets) -> ResolvedTargets:
        """Prefer playing players and running vacuum cleaners among several; other entities stay as they are.

        Where players play together each has its own volume, and the one that leads them the rest.
        """
        domains = {entity.domain for entity in found.entities}
        if found.is_ambiguous and domains == {"vacuum"} and operation.kind in _BEFORE:
            is_state, doing = self.hass.states.is_state, _BEFORE[operation.kind]
            meant = tuple(each for each in found.entities if is_state(each.entity_id, doing))
            return ResolvedTargets(meant, is_ambiguous=len(meant) > 1) if meant else found
        if not (found.is_ambiguous and domains == {"media_player"}) or operation.is_switching:
            return found
        resumes = operation.kind in _RESUMING
        active = without_televisions(active_players(self.hass, found.entities, resumes=resumes))
        if not active:
            return found
        if _is_of_sound(operation) and play_together(self.hass, active):
            return ResolvedTargets(active)
        leading = leading_players(self.hass, active)
        return ResolvedTargets(leading, is_ambiguous=len(leading) > 1)

    def _heard(
        self, operation: Operation, what: NounPhrase, found: ResolvedTargets
    ) -> ResolvedTargets:
        """Return the one player that plays in the home, where none does of those that "the music" would mean here."""
        is_here = what.places or what.is_here or what.is_plural or what.names or what.words
        # "Louder" is for the player of the room, "pause" for what plays.
        is_bare = what.is_empty and not self.spoken and operation.kind not in _OF_SOUND
        is_music = what.is_music or is_bare
        are_players = all(entity.domain == "media_player" for entity in found.entities)
        if is_here or not (is_music and are_players) or operation.kind not in _OF_PLAYING:
            return found
        if active_players(self.hass, found.entities):
            return found
        every = ResolvedTargets(self.house.catalog.by_domain.get("media_player", ()))
        playing = leading_players(self.hass, self._playing(every).entities)
        return ResolvedTargets(playing) if len(playing) == 1 else found

    def _playing(self, found: ResolvedTargets) -> ResolvedTargets:
        """Return the players that play, and of other entities all."""
        is_state = self.hass.states.is_state
        playing = tuple(
            entity
            for entity in found.entities
            if entity.domain != "media_player" or is_state(entity.entity_id, STATE_PLAYING)
        )
        return replace(found, entities=playing)

    def _lit(self, found: ResolvedTargets) -> ResolvedTargets:
        """Return what is to be dimmed or brightened: of the lights of a place those that are on, if any is."""
        is_on = self.hass.states.is_state
        lit = tuple(
            each
            for each in found.entities
            if each.entity_id in self.turned_on or is_on(each.entity_id, STATE_ON)
        )
        return replace(found, entities=lit) if lit else found

    def _brighter(
        self, operation: Operation, what: NounPhrase, found: ResolvedTargets
    ) -> ResolvedTargets:
        """Return what is to be set to a level: of the lights that are on those that are to be dimmed to it.

        Those that are only to be turned on, before, are dimmed, too. "The light" that is only set to less is what is
        on, all of it.
        """
        lit = self._lit(found)
        goal = operation.frame.goal or 0.0
        brighter = tuple(
            each
            for each in lit.entities
            if (state := self.hass.states.get(each.entity_id)) is None
            or state.state != STATE_ON
            or (level := read_measure(state, "brightness")) is None
            or level > goal
        )
        if operation.is_dimming_to:
            return replace(lit, entities=brighter) if brighter else lit
        is_the_light = bool(what.nouns) and not (what.is_plural or what.quantity)
        return lit if brighter and is_the_light and not what.is_everywhere else found


def _is_of_sound(operation: Operation) -> bool:
    """Return whether an operation is for how loud players are."""
    frame = operation.frame
    is_number = frame.has_value and not frame.options
    return operation.kind in _OF_SOUND or bool(frame.attribute) or is_number
