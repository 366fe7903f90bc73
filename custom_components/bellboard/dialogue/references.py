"""Resolves sentences that refer to the turns before them, without a model.

"Turn it off again", "a bit more", "and the bedroom too", "no, the other one". Only what is plain is
taken up: one thing that can be meant, and one thing that can be done with it. All else goes the way
of every other sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

from ..domains.models import Command
from ..domains.registry import domain_of
from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import words_of
from ..memory.turns import RememberedPart, RememberedTurn
from ..nlu.kinds import ENTRANCES
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.references import ReferringSentence
from .operations import action_for, is_about_spoken, moved_from, repeat_action
from .rewording import replace_name, word_request

MAX_AGE = 600
"""How long what was said can be referred to, in seconds."""

_REPEATING = {"again", "more", "less", "too_much"}
_PLURAL = {"them", "both"}
_MOVING = {"up", "down"}
# Where these are, any of them is meant; of other things only those of the same class, so that a
# garage door is not opened along with the blinds.
_ALIKE = {"light", "media_player", "climate"}


@dataclass(frozen=True, slots=True)
class Reference:
    """The meaning of a sentence that refers to the last turns.

    Either `agent_id` carries out `actions` on `targets`, or `text` is what the sentence says in full,
    to be understood like any other; `targets` are then the entity ids it is about. Where it cannot be
    done with them, `is_refused`: it is not done with anything else. Where it `is_correction`, what was done
    before is undone first: "no, the other one".
    """

    agent_id: str | None = None
    actions: tuple[Command, ...] = ()
    targets: tuple[str, ...] = ()
    text: str = ""
    is_refused: bool = False
    is_correction: bool = False


def resolve(
    text: str,
    turns: Sequence[RememberedTurn],
    catalog: Catalog,
    language: Language,
    *,
    specialists: Mapping[str, str],
    doers: Mapping[tuple[str, str], str] = MappingProxyType({}),
    area_id: str | None = None,
    now: datetime | None = None,
    level_of: Callable[[str], float | None] = lambda _: None,
) -> Reference | None:
    """Return what a sentence refers to in the last turns, or None where that is not plain.

    `turns` are the remembered ones, the newest last; `specialists` the ids of the agents that carry
    out actions, by entity domain, `doers` of those that carry out only some, by domain and action;
    `area_id` is where the speaker is; `level_of` tells how fast a fan turns, in percent.
    """
    turn = _last(turns, now or datetime.now(UTC))
    sentence = language.references.recognize(text) if turn else None
    if turn is None or sentence is None or not _is_for_now(text, sentence, language):
        return None
    if not sentence.what and _names_something(text, catalog):
        return None
    resolver = _Resolver(catalog, language, specialists, doers, area_id, turns, turn, level_of)
    found = resolver.resolve(sentence) or resolver.refused(sentence)
    is_correction = sentence.kind == "other" and read_tags(text, language).is_correction
    return replace(found, is_correction=is_correction) if found else None


def recent_targets(turns: Sequence[RememberedTurn], now: datetime | None = None) -> tuple[str, ...]:
    """Return the entity ids that "it" or "them" may stand for: those of the last turn."""
    turn = _last(turns, now or datetime.now(UTC))
    return tuple(target for part in turn.parts for target in part.targets) if turn else ()


def acted_on_before(
    turns: Sequence[RememberedTurn], now: datetime | None = None
) -> tuple[str, ...]:
    """Return the entity ids that the last turn without a question acted on.

    To an open question "the other one" is the one that was not: the turn that asked is remembered
    as well, but acted on nothing.
    """
    done = [turn for turn in turns if not any(part.candidates for part in turn.parts)]
    return recent_targets(done, now)


def _last(turns: Sequence[RememberedTurn], now: datetime) -> RememberedTurn | None:
    """Return the turn that is referred to: the newest that was about something, if it is not old.

    What was not understood is mostly said again in other words, about the same thing.
    """
    turn = next((turn for turn in reversed(turns) if turn.parts), None)
    return turn if turn and turn.age(now) <= MAX_AGE else None


def _is_for_now(text: str, sentence: ReferringSentence, language: Language) -> bool:
    """Return whether a sentence is to be carried out at once.

    A "not" or an "if" in the templates ("not so bright", in French "pas si fort") is known to be
    neither a negation nor a condition; one in words of the speaker's own may be.
    """
    reading = read_tags(text, language)
    is_not_now = bool(reading.guards) if sentence.what else reading.is_later
    return not (is_not_now or read_tags(sentence.what, language).begins_like_question)


def _names_something(text: str, catalog: Catalog) -> bool:
    """Return whether a thing or a place of the home is called like a part of a sentence."""
    return any(catalog.all_names.find(words_of(text)))


@dataclass(frozen=True, slots=True)
class _Resolver:
    """Resolves one sentence after one turn."""

    catalog: Catalog
    language: Language
    specialists: Mapping[str, str]
    doers: Mapping[tuple[str, str], str]
    area_id: str | None
    turns: Sequence[RememberedTurn]
    turn: RememberedTurn
    level_of: Callable[[str], float | None]

    def refused(self, sentence: ReferringSentence) -> Reference | None:
        """Return that the entities of the last turn cannot do it; None where that is not known."""
        part = self._only_part()
        targets = self._present(part)
        if part is None or not is_about_spoken(sentence) or not domain_of(targets):
            return None
        return Reference(targets=targets, is_refused=True)

    def resolve(self, sentence: ReferringSentence) -> Reference | None:
        """Return the meaning, by the kind of sentence."""
        match sentence.kind:
            case "also" | "here":
                return self._elsewhere(sentence)
            case "other":
                return self._other(sentence)
            case kind if kind in _REPEATING:
                return self._repeat(sentence)
            case _:
                return self._command(sentence)

    def _command(self, sentence: ReferringSentence) -> Reference | None:
        """Return a command to the entities of the last turn: "turn it off", "brighter"."""
        possible = [
            (action, targets)
            for part in self.turn.parts
            if (targets := self._meant(part, sentence.which))
            and (action := self._action(targets, sentence))
        ]
        actions = {str(action): action for action, _ in possible}
        domains = {domain_of(targets) for _, targets in possible}
        if len(actions) != 1 or len(domains) != 1:
            return None
        if len(possible) > 1 and sentence.which not in _PLURAL:
            return None
        targets = tuple(dict.fromkeys(target for _, found in possible for target in found))
        return self._reference(tuple(actions.values()), targets)

    def _action(self, targets: tuple[str, ...], sentence: ReferringSentence) -> Command | None:
        """Return the action that a command stands for with these entities."""
        domain = domain_of(targets)
        if sentence.kind in _MOVING and any(map(self._is_entrance, targets)):
            # What is turned down is loud or bright, and no door.
            return None
        if action := action_for(domain, sentence):
            return action
        if len(targets) != 1 or (level := self.level_of(targets[0])) is None:
            return None
        return moved_from(domain, sentence, level)

    def _is_entrance(self, entity_id: str) -> bool:
        """Return whether an entity is a door, a garage door or a gate."""
        entity = self.catalog.entities.get(entity_id)
        return entity is not None and entity.domain == "cover" and entity.device_class in ENTRANCES

    def _doer(self, domain: str, actions: Sequence[Command]) -> str | None:
        """Return the agent that carries out actions with entities of a domain, if one does."""
        if agent_id := self.specialists.get(domain):
            return agent_id
        return self.doers.get((domain, actions[0].name)) if len(actions) == 1 else None

    def _repeat(self, sentence: ReferringSentence) -> Reference | None:
        """Return the last action once more, back, or a bit further."""
        part = self._only_part()
        targets = self._present(part)
        if part is None or len(part.actions) != 1:
            return None
        action = repeat_action(domain_of(targets), part.actions[0], sentence)
        return self._reference((action,), targets) if action else None

    def _other(self, sentence: ReferringSentence) -> Reference | None:
        """Return the last actions for the other one of two, or for all the others."""
        part = self._only_part()
        if part is None or not part.actions:
            return None
        return self._reference(part.actions, self._others(part, sentence.which))

    def _elsewhere(self, sentence: ReferringSentence) -> Reference | None:
        """Return the last actions for the entities in another place, or for another entity."""
        part = self._only_part()
        domain = domain_of(self._present(part))
        if part is None or not domain:
            return None
        found = (
            self._here() if sentence.kind == "here" else self._named(sentence.what, domain, part)
        )
        if part.asked:
            return self._asked_elsewhere(domain, found)
        targets: list[str] = []
        for thing in found:
            inside = self._inside(thing, domain, part) if isinstance(thing, Place) else (thing,)
            if not inside:
                return None
            targets += [entity.entity_id for entity in inside]
        return self._reference(part.actions, tuple(dict.fromkeys(targets)))

    def _asked_elsewhere(
        self, domain: str, found: Sequence[CatalogEntity | Place]
    ) -> Reference | None:
        """Return the last question about another place or entity."""
        said = words_of(self.turn.said)
        old = [name.meanings for name in self.catalog.named(domain).find(said)]
        if len(found) != 1 or len(old) != 1:
            return None
        text = replace_name(self.turn.said, old[0], found[0])
        return Reference(text=text) if text else None

    def _here(self) -> tuple[Place, ...]:
        """Return the place of the speaker, if it is known."""
        place = self.catalog.areas.get(self.area_id) if self.area_id else None
        return (place,) if place else ()

    def _named(
        self, what: str, domain: str, part: RememberedPart
    ) -> tuple[CatalogEntity | Place, ...]:
        """Return the entities and places that words name, or none where they say anything else."""
        words = words_of(what)
        found: list[CatalogEntity | Place] = []
        rest: list[str] = []
        end = 0
        for name in self.catalog.named(domain).find(words):
            if len(name.meanings) > 1:
                return ()
            found += name.meanings
            rest += words[end : name.start]
            end = name.end
        rest += words[end:]
        return tuple(found) if self._familiar(domain).issuperset(rest) else ()

    def _familiar(self, domain: str) -> frozenset[str]:
        """Return the words that change nothing about an action with entities of a domain."""
        references = self.language.references
        said = frozenset(words_of(self.turn.said)) - self.language.verbs
        return references.small | references.things.get(domain, frozenset()) | said

    def _inside(self, place: Place, domain: str, part: RememberedPart) -> Sequence[CatalogEntity]:
        """Return the entities in a place that are of the same kind as those of a part."""
        every = [
            entity
            for entity in self.catalog.by_domain.get(domain, ())
            if place.id == (entity.floor_id if place.is_floor else entity.area_id)
        ]
        classes = {self.catalog.entities[t].device_class for t in self._present(part)}
        alike = [entity for entity in every if entity.device_class in classes]
        return alike or (every if domain in _ALIKE else ())

    def _meant(self, part: RememberedPart, which: str) -> tuple[str, ...]:
        """Return the entity ids that "it", "both" or "the other one" stand for."""
        match which:
            case "other" | "others":
                return self._others(part, which)
            case "both":
                targets = self._present(part)
                offered = self._offered(targets)
                return next((pair for pair in (targets, offered) if len(pair) == 2), ())
            case _:
                return self._present(part)

    def _others(self, part: RememberedPart, which: str) -> tuple[str, ...]:
        """Return what else could have been meant: all of it, or the one there is.

        What a question offered, or else what is of the same kind in the same room. Of several the
        one that has a word of its name in common: the reading lamp, after the floor lamp.
        """
        targets = self._present(part)
        entities = [self.catalog.entities[target] for target in targets]
        areas = {entity.area_id for entity in entities}
        offered = self._offered(targets)
        others = [self.catalog.entities[e] for e in offered if e not in targets]
        if not offered and len(areas) == 1 and (area := areas.pop()):
            near = self._inside(self.catalog.areas[area], domain_of(targets), part)
            others = [entity for entity in near if entity not in entities]
        if which == "other" and len(others) > 1:
            own = self._own_words(entities)
            others = [entity for entity in others if own & self._own_words([entity])]
        if which == "other" and len(others) > 1:
            return ()
        return tuple(entity.entity_id for entity in others)

    def _own_words(self, entities: Sequence[CatalogEntity]) -> frozenset[str]:
        """Return the words of the names of things, without those of the places they are in."""
        places = [self.catalog.areas.get(entity.area_id or "") for entity in entities]
        common = {word for p in places if p for name in p.names for word in words_of(name)}
        words: set[str] = {word for entity in entities for word in words_of(entity.name)}
        return frozenset(words - common)

    def _offered(self, targets: Sequence[str]) -> tuple[str, ...]:
        """Return what the question offered that was answered with targets, if there was one."""
        for turn in reversed(self.turns):
            for part in turn.parts:
                if targets and set(targets) <= set(part.candidates):
                    return tuple(e for e in part.candidates if e in self.catalog.entities)
        return ()

    def _only_part(self) -> RememberedPart | None:
        """Return the part of the turn, or None where there are several."""
        return self.turn.parts[0] if len(self.turn.parts) == 1 else None

    def _present(self, part: RememberedPart | None) -> tuple[str, ...]:
        """Return the entity ids a part was about, as far as they may be spoken of now."""
        return tuple(t for t in part.targets if t in self.catalog.entities) if part else ()

    def _reference(
        self, actions: tuple[Command, ...], targets: tuple[str, ...]
    ) -> Reference | None:
        """Return who does actions with things, or how Home Assistant is asked for it."""
        domain = domain_of(targets)
        if not actions or not domain:
            return None
        if agent_id := self._doer(domain, actions):
            return Reference(agent_id, actions, targets)
        if len(actions) > 1:
            return None
        text = word_request(actions[0], targets, self.catalog, self.language)
        return Reference(targets=targets, text=text) if text else None
