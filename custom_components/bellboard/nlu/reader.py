"""The compositional reader: a sentence, word by word, as actions on entities, without a model.

Tokens are covered by spans of what the language and the home know; clauses become frames; frames take from
their neighbours what they leave out; and each comes to actions on the entities that it describes. A clause
with a word that nothing explains comes to nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from homeassistant.core import HomeAssistant

from ..domains.fading import FADE
from ..domains.models import Command
from ..home.catalog import CatalogEntity, Place
from .actions import actions_of
from .clauses import Group, group_clauses, places_first
from .described import Finder, ResolvedTargets
from .frame_models import (
    ADJUST,
    KEEP,
    Frame,
    MissingSlot,
    NounPhrase,
    ReadCommand,
    has_direction,
    likeliest,
    moving_first,
)
from .frames import frames_of
from .house import HomeLexicon
from .implicit_targets import active_players, find_implicit_targets, group_of, without_televisions
from .juxtaposed import cut_clauses
from .left_going import with_state
from .lexicon import Role, holds_any
from .media import ADD
from .operations import STATES_OF_AWNINGS, Operation
from .play import PLAY, Played, read_play
from .playback import GROUP, MOVE, UNGROUP, PlaybackRequest, read_playback
from .reasons import without_complaints, without_purposes, without_reasons
from .resolver import Resolver
from .segmentation import asked_after, clauses_of, drop_address, drop_statements, understood_before
from .spans import Span, cover_text
from .times import fade, read_fade
from .tokens import MAX_REQUESTS, spoken_words

# More combinations of the frames of a sentence are not tried.
_MOST_READINGS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads sentences for one home, for a speaker in `area_id`; `unit` is the home's unit of temperature.

    `spoken` is what "it" means. With `is_on_device` a device in the house hears the speaker; its area may be unknown.
    With `brings_about` what is to be left on or off is made so: "leave the lamp on".
    """

    hass: HomeAssistant
    house: HomeLexicon
    unit: str
    area_id: str | None = None
    is_on_device: bool = False
    spoken: tuple[CatalogEntity, ...] = ()
    brings_about: bool = False

    def read(self, text: str, *, plays: bool = True) -> list[ReadCommand]:
        """Return the parts of a sentence in order; [] where it is no command that is understood in any part.

        Without `plays` no words of it are to be played.
        """
        without, seconds = read_fade(text, self.house.lexicon)
        if seconds and (found := self._fading(without, seconds, plays=plays)):
            return found
        spans = self._covered(text)
        found = self._read(text, spans, plays=plays) or self._read(
            text, self._covered(text, is_wordwise=True), plays=False
        )
        if all(part.is_settled or part.lacking for part in found) and found:
            return found
        for cut in cut_clauses(spans) if all(s.senses or s.is_mark for s in spans) else ():
            parts = self.commands(text, cut)
            if parts and all(map(_is_plain, parts)):
                return parts
        return found

    def _covered(self, text: str, *, is_wordwise: bool = False) -> Sequence[Span]:
        """Return the spans of a text; what something is left doing is how it is."""
        spans = cover_text(text, self.house, is_wordwise=is_wordwise)
        return with_state(text, spans, self.house.lexicon)

    def _fading(self, text: str, seconds: float, *, plays: bool) -> list[ReadCommand]:
        """Return the parts of a text whose actions take some seconds; [] where none of them can."""
        parts = [
            replace(part, actions=tuple(fade(action, seconds) for action in part.actions))
            for part in self.read(text, plays=plays)
        ]
        can_fade = any(FADE in action.parameters for part in parts for action in part.actions)
        return parts if can_fade else []

    def _read(self, text: str, covered: Sequence[Span], *, plays: bool) -> list[ReadCommand]:
        """Return the parts of a sentence that is covered by spans."""
        spans = drop_address(covered, self.house.lexicon)
        lexicon = self.house.lexicon
        asked = read_playback(text, spans, lexicon.playback, lexicon.media) if plays else None
        known = self.commands(text, spans) if asked and asked.query else []
        if known and all(part.actions for part in known):
            # "Put the heating on 21" puts nothing in a queue.
            return known
        if asked and (part := self._asked_of_players(text, asked)):
            return [part]
        played = read_play(text, spans, lexicon.media) if plays else None
        if played is None:
            return self.commands(text, spans)
        # "The radio" that is put on the television may be what it shows.
        is_unsure = played.is_unsure or (
            not played.query and any(span.has(Role.OPTION) for span in spans)
        )
        return (self.commands(text, spans) if is_unsure else []) or self.played(text, spans, played)

    def refer(self, text: str) -> list[ReadCommand]:
        """Return the commands of a sentence without a target of its own, for the entities spoken of before.

        [] where it names what it is for.
        """
        spans = self._covered(text)
        clauses = drop_statements(text, clauses_of(spans), self.house.lexicon)
        if not clauses or not all(span.senses for clause in clauses for span in clause):
            return []
        choices, cannot = [frames_of(clause, len(spans)) for clause in clauses], False
        for frames in islice(likeliest(choices), _MOST_READINGS):
            groups = [self._of_lock(group) for group in group_clauses(text, clauses, frames)]
            asked = [group for group in groups if not group.is_told] or groups
            targets = [what for group in asked for what in group.targets]
            if len(asked) != 1 or not all(what.refers_back or what.is_such for what in targets):
                continue
            part = self.part(text, asked[0])
            if part.actions:
                return [part]
            cannot = cannot or self._is_only_for_spoken(asked[0])
        if not cannot:
            return []
        names = ", ".join(entity.name for entity in self.spoken)
        return [ReadCommand(text, is_missing=True, missing="plan.cannot", name=names)]

    def _of_lock(self, group: Group) -> Group:
        """Return an operation that locks where locks were spoken of: "close it again"."""
        is_lock = {entity.domain for entity in self.spoken} == {"lock"}
        if not is_lock or Operation(group.frame, self.unit).kind != "close":
            return group
        return replace(group, frame=replace(group.frame, verb="lock", state=""))

    def _is_only_for_spoken(self, group: Group) -> bool:
        """Return whether "it" is to be turned down or stopped, which is nothing else's where it cannot be."""
        is_moved = Operation(group.frame, self.unit).kind in {"up", "down", "stop"}
        is_it = all(what.pronoun for what in group.targets)
        return is_moved and is_it and len({entity.domain for entity in self.spoken}) == 1

    def played(self, text: str, spans: Sequence[Span], played: Played) -> list[ReadCommand]:
        """Return the request to play, and the spans after it."""
        frame = Frame(verb="resume" if not played.query else PLAY)
        described = self._players(played.what, Operation(frame, self.unit))
        end = spans[played.end - 1].end
        said = text[spans[0].start : end].strip(" ,;.!")
        rest = self.commands(text, spans[played.end + 1 :]) if played.end < len(spans) else []
        if described is None or (played.end < len(spans) and not rest):
            return []
        if not played.query and described.entities and not self._is_at_work(described):
            targets = tuple(entity.entity_id for entity in described.entities)
            return [ReadCommand(said, lacking=MissingSlot("query", "media_player", targets)), *rest]
        given = {"query": played.query, "said": played.said}
        parameters: dict[str, object] = {name: text for name, text in given.items() if text}
        together = played.what.is_everywhere or len(played.what.places) > 1
        if played.query and together:
            parameters["together"] = True
        action = Command(
            frame.verb,
            parameters,
            tuple(entity.entity_id for entity in described.entities),
            domain="media_player",
            is_ambiguous=described.is_ambiguous and not together,
            is_named=described.is_named,
        )
        part = (
            ReadCommand(said, (action,))
            if described.entities
            else ReadCommand(said, is_missing=True, places=played.what.places)
        )
        return [part, *rest]

    def _asked_of_players(self, text: str, asked: PlaybackRequest) -> ReadCommand | None:
        """Return what is asked of what plays; None where nothing plays that it could be asked of."""
        if asked.action == GROUP and asked.what.is_empty:
            return None
        operation = Operation(Frame(verb=PLAY), self.unit)
        described = self._players(asked.what, operation)
        for what in asked.others:
            more = self._players(what, operation)
            if described is None or more is None:
                return None
            entities = dict.fromkeys((*described.entities, *more.entities))
            described = ResolvedTargets(tuple(entities))
        if described is None or (asked.action == MOVE and not self._plays_beside(described)):
            return None
        known = self.house.catalog.entities
        if asked.action == UNGROUP and not (asked.what.names or asked.what.places):
            # "Lautsprecher" are one or more.
            every = self.house.catalog.by_domain.get("media_player", ())
            described = ResolvedTargets(group_of(self.hass, described.entities, every))
        if asked.action in {MOVE, GROUP, UNGROUP}:
            able = without_televisions(described.entities)
            described = replace(described, entities=able)
        values = {"seconds": asked.by, "query": asked.query, "enqueue": asked.query and ADD}
        action = Command(
            asked.action,
            {name: value for name, value in values.items() if value},
            tuple(entity.entity_id for entity in described.entities if entity.entity_id in known),
            domain="media_player",
            is_ambiguous=described.is_ambiguous,
            is_named=described.is_named,
        )
        if not described.entities:
            return ReadCommand(text, is_missing=True, places=asked.what.places)
        return ReadCommand(text, (action,))

    def _plays_beside(self, found: ResolvedTargets) -> bool:
        """Return whether something plays on any other player than some."""
        every = self.house.catalog.by_domain.get("media_player", ())
        return self._is_at_work(
            ResolvedTargets(tuple(player for player in every if player not in found.entities))
        )

    def _is_at_work(self, found: ResolvedTargets) -> bool:
        """Return whether any of some players knows what to play: it plays, is paused, or would go on."""
        return bool(active_players(self.hass, found.entities, resumes=True))

    def _players(self, what: NounPhrase, operation: Operation) -> ResolvedTargets | None:
        """Return the players that are meant: those described, else those at work, in the room, or any one."""
        if not what.is_empty:
            finder = Finder(hass=self.hass, house=self.house, area_id=self.area_id)
            if (found := finder.find(what, ("media_player",))) is None:
                return None
            if operation.kind == PLAY and not what.is_named:
                # Music is for the speaker of a room, and not for the television beside it.
                found = replace(found, entities=without_televisions(found.entities))
            return replace(self._resolver.prefer_active(operation, found), is_named=what.is_named)
        meant = find_implicit_targets(
            self.hass,
            self.house.catalog,
            "media_player",
            self.area_id,
            resumes=operation.kind == "resume",
            for_music=operation.kind == PLAY,
        )
        if meant is None:
            return ResolvedTargets(())
        return ResolvedTargets(meant.entities, is_ambiguous=len(meant.entities) > 1)

    def commands(self, text: str, spans: Sequence[Span]) -> list[ReadCommand]:
        """Return the parts of spans that are commands; [] where they are not understood."""
        clauses = drop_statements(text, clauses_of(spans), self.house.lexicon)
        if known := understood_before(text, clauses):
            # "Turn on the lamp and order a pizza": what comes after is told to be not understood.
            end = clauses[known][0].start
            read = self.commands(text[:end], [span for span in spans if span.end <= end])
            return [*read, ReadCommand(text[end:].strip(" ,;.!"))] if read else []
        if asked := asked_after(clauses):
            # "Turn off the lamp, and is the front door locked": the question is left to whoever answers it.
            end = clauses[asked][0].start
            read = self.commands(text[:end], [span for span in spans if span.end <= end])
            return [*read, ReadCommand(text[end:].strip(" ,;.!"))] if read else []
        frames = [
            frames_of(clause, len(spans)) if all(s.senses or s.is_mark for s in clause) else []
            for clause in clauses
        ]
        if not clauses or not all(frames):
            return []
        frames = [
            moving_first(own)
            if at and has_direction(frames[at - 1])
            else self._resolver.audible_first(own)
            for at, own in enumerate(frames)
        ]
        frames = [
            places_first(clauses[at], own) if _has_verb(frames[:at]) else own
            for at, own in enumerate(frames)
        ]
        best: list[ReadCommand] = []
        # What a room has to be asked for is meant only where nothing else can be: "più forte" is louder, too.
        unclear: list[ReadCommand] = []
        for chosen in islice(likeliest(frames), _MOST_READINGS):
            parts = self._parts(text, clauses, chosen)
            if parts and all(part.is_settled for part in parts):
                if not _is_open(parts, chosen):
                    return parts
                unclear = unclear or parts
            if parts and _worth(parts) > _worth(best):
                best = parts
        return unclear or (best if all(part.is_read for part in best) else [])

    def _parts(
        self, text: str, clauses: Sequence[Sequence[Span]], frames: Sequence[Frame]
    ) -> list[ReadCommand]:
        """Return what frames come to, or [] where they are no commands."""
        parts: list[ReadCommand] = []
        near: tuple[Place, ...] = ()
        groups = group_clauses(text, clauses, frames, self.house.lexicon.only)
        before: Group | None = None
        # "I'm cold, turn on the heating": why something is wanted is no wish of its own.
        wished = [group for group in groups if not group.is_told] or groups
        wished = without_purposes(text, wished, self.house.lexicon)
        wished = without_complaints(text, wished, self.house.lexicon)
        if len(wished) > MAX_REQUESTS:
            return []
        for group in wished:
            said = text[group.start : group.end].strip(" ,;.!")
            turned_on = frozenset(
                target
                for part in parts
                for action in part.actions
                if (action.domain, action.name) == ("light", "turn_on")
                for target in action.targets
            )
            if before is None or before.targets != group.targets:
                turned_on = frozenset()
            before = group
            if near and self.house.lexicon.adds(spoken_words(said)):
                group.targets = self._resolver.beside(group.targets, near)
            parts.append(self.part(said, group, near, turned_on))
            near = self._places_of(group) or near
        return without_reasons(parts, wished)

    def _places_of(self, group: Group) -> tuple[Place, ...]:
        """Return the places that an operation says, or that of the thing it names."""
        what = group.targets[-1] if group.targets else NounPhrase()
        areas = {entity.area_id for entity in what.names}
        place = self.house.catalog.areas.get(areas.pop() or "") if len(areas) == 1 else None
        return what.places or ((place,) if place else ())

    def part(
        self,
        text: str,
        group: Group,
        near: tuple[Place, ...] = (),
        turned_on: frozenset[str] = frozenset(),
    ) -> ReadCommand:
        """Return the command of an operation with its targets; `near` are the places of the one before.

        `turned_on` are the entity ids of what the sentence turns on before.
        """
        frame = group.frame
        is_kept = frame.verb == KEEP and not (frame.has_value or frame.move)
        if is_kept and self.brings_about and frame.state:
            frame = replace(frame, verb="set", asking="")
        elif self._says_nothing_to_do(group):
            return ReadCommand(text)
        elif is_kept:
            # Also with a state: "leave the lamp on" turns none on. "Leave only the lamp on" is more than that.
            is_more = bool(frame.state) and holds_any(
                spoken_words(text)[1:], self.house.lexicon.only
            )
            return ReadCommand(text, is_kept=not is_more)
        operation = Operation(frame, self.unit)
        if frame.verb == ADJUST:
            return ReadCommand(text, lacking=self._lacking(operation, group))
        if turned_on:
            operation = operation.dimly()
        music = operation.of_music()
        resolver = replace(self._resolver, turned_on=turned_on)
        found: list[ResolvedTargets] = []
        playing: list[ResolvedTargets] = []
        closed: tuple[CatalogEntity, ...] = ()
        for what in self._resolver.targets_of(group):
            is_music = what.is_music and music is not operation
            described = resolver.resolve(music if is_music else operation, what, near)
            if described is None:
                return ReadCommand(text)
            closed += described.left
            if not described.entities and described.left:
                continue
            if not described.entities:
                is_known = bool(what.nouns or what.names) and not what.words
                is_there = not is_known or self._resolver.is_there(what)
                places = () if is_there else self._resolver.places_of(what)
                return ReadCommand(text, is_missing=not is_there, places=places)
            if self._lacks_music(operation, what, described):
                targets = tuple(entity.entity_id for entity in described.entities)
                return ReadCommand(text, lacking=MissingSlot("query", "media_player", targets))
            described = replace(described, is_named=what.is_named or bool(self.spoken))
            (playing if is_music else found).append(described)
        left_out = self._resolver.left_out(operation, group, [*found, *playing])
        if left_out is None:
            return ReadCommand(text)
        actions = actions_of(self.hass, operation, found, left_out)
        actions += actions_of(self.hass, music, playing, left_out)
        return ReadCommand(
            text,
            tuple(actions),
            # "All lamps in the office but the desk lamp", where there is no other
            is_kept=not actions and bool(left_out),
            has_exception=bool(group.without),
            closed=tuple(entity.name for entity in closed if entity.entity_id not in left_out),
        )

    def _lacks_music(self, operation: Operation, what: NounPhrase, found: ResolvedTargets) -> bool:
        """Return whether players are to go on or be turned on that would play nothing: "the radio", on a speaker.

        A device that is called so, or that plays by itself once it is on, is turned on.
        """
        if operation.kind == "resume" and what.is_only_place:
            # "Play something", where nothing was paused
            are_players = all(entity.domain == "media_player" for entity in found.entities)
            return are_players and not self._is_at_work(found)
        is_radio = bool(what.nouns) and all(
            noun.kind == "player" and not self.house.lexicon.radios.isdisjoint(noun.forms)
            for noun in what.nouns
        )
        if not is_radio or what.names or what.words or not operation.is_switching:
            return False
        if operation.kind != "turn_on" or self._is_at_work(found):
            return False
        states = [self.hass.states.get(entity.entity_id) for entity in found.entities]
        return all(state and not state.attributes.get("source_list") for state in states)

    def _says_nothing_to_do(self, group: Group) -> bool:
        """Return whether an operation is none: "the door is open", but not "the music is too loud"."""
        frame = group.frame
        is_out = frame.state in STATES_OF_AWNINGS and not frame.verb
        if is_out and all(what.is_only_place and not what.is_empty for what in group.targets):
            # "Out on the terrace" says where.
            return True
        if frame.is_called_by_number:
            return True
        is_too_much = frame.move or frame.verb in {"lighten", "darken"}
        if frame.asking and not (frame.asking == "is" and is_too_much):
            return True
        # "Away" alone may tell where somebody is.
        is_only_option = frame.options and not (frame.verb or frame.attribute or self.spoken)
        return bool(is_only_option) and all(what.is_empty for what in group.targets)

    @property
    def _resolver(self) -> Resolver:
        """Return what finds the entities that an operation is for."""
        return Resolver(
            hass=self.hass,
            house=self.house,
            area_id=self.area_id,
            is_on_device=self.is_on_device,
            spoken=self.spoken,
        )

    def _lacking(self, operation: Operation, group: Group) -> MissingSlot | None:
        """Return the value that is to be another, and whose it is; None where it is not clear what is meant."""
        if len(group.targets) != 1 or group.without:
            return None
        what = replace(group.targets[0], pronoun="")
        finder = Finder(hass=self.hass, house=self.house, area_id=self.area_id)
        found = finder.find(what, operation.lacking_domains())
        if found is None or not found.entities:
            return None
        domain = found.entities[0].domain
        targets = tuple(e.entity_id for e in found.entities if e.domain == domain)
        return MissingSlot(operation.lacking_measure(domain), domain, targets)


def _has_verb(clauses: Sequence[Sequence[Frame]]) -> bool:
    """Return whether the last of some clauses that likeliest is an operation is one by its verb, and not by a state."""
    frames = (own[0] for own in reversed(clauses) if own[0].has_operation)
    frame = next(frames, Frame())
    return bool(frame.verb) and not frame.state


def _is_plain(part: ReadCommand) -> bool:
    """Return whether a part comes to actions of which nothing has to be asked."""
    return bool(part.actions) and not any(action.is_open for action in part.actions)


def _is_open(parts: Sequence[ReadCommand], frames: Sequence[Frame]) -> bool:
    """Return whether nothing is named, and several things may be meant."""
    is_ambiguous = any(action.is_ambiguous for part in parts for action in part.actions)
    return is_ambiguous and all(frame.what.is_empty for frame in frames)


def _worth(parts: Sequence[ReadCommand]) -> int:
    """Return how many parts are known."""
    return sum(part.is_read for part in parts)
