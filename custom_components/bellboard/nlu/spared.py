"""Descriptions of more than one thing ("everything", "the kitchen"): what is not meant by them, and has to be named."""

from dataclasses import dataclass, replace

from homeassistant.const import STATE_ON

from ..domains.climate_settings import ACTIVE_MODES
from ..domains.registry import GUARDING
from ..home.catalog import CatalogEntity
from .described import Finder, ResolvedTargets
from .frame_models import NounPhrase
from .house import HomeLexicon
from .kinds import ENTRANCES, KINDS
from .lexicon import HALT
from .operations import Operation

_COVER, _DOOR = "cover", "door"
_GATES = ENTRANCES - {_DOOR}
# What leaves a house no more open than it was.
_SECURING = frozenset({"close", "down", "lock", "stop", "pause", HALT})


@dataclass(frozen=True, slots=True)
class Spared:
    """Keeps what opens a house, heats it or is at work out of what is found for an operation that does not name it.

    Doors, garage doors, gates and locks are opened by their own names, and by no word for more.
    """

    finder: Finder
    operation: Operation

    def meant(self, what: NounPhrase, found: ResolvedTargets) -> ResolvedTargets:
        """Return the entities found for a description, without entrances that it does not mean."""
        if what.names or what.is_such:
            return found
        if not (what.nouns or what.words):
            return found if self._secures else self._unnamed(what, found)
        are_covers = all(entity.domain == _COVER for entity in found.entities)
        is_meant = not (found.entities and are_covers and self._is_door(what))
        return found if is_meant else self._door(what, found)

    def _is_door(self, what: NounPhrase) -> bool:
        """Return whether a description says no more than "the door", also where that is a word in a name."""
        nouns = [noun for noun in self.finder.house.lexicon.nouns if noun.kind == _DOOR]
        words = {form for noun in nouns for form in noun.forms}
        return words.issuperset(what.words) and all(noun.kind == _DOOR for noun in what.nouns)

    @property
    def _secures(self) -> bool:
        """Return whether an operation only closes, locks or stops."""
        return self.operation.kind in _SECURING and not self.operation.frame.has_value

    def _unnamed(self, what: NounPhrase, found: ResolvedTargets) -> ResolvedTargets:
        """Return what "everything" and "the kitchen" mean: no entrance, but for the only thing of a place.

        Nor is it what heats, that would leave the place cold, or does a job: a washing machine.
        """
        is_all = what.is_everywhere or what.quantity == "all"
        if what.places and not is_all and len(found.entities) == 1:
            return found
        left = tuple(
            each for each in found.entities if self._is_entrance(each) or self._is_at_work(each)
        )
        kept = tuple(entity for entity in found.entities if entity not in left)
        is_ambiguous = found.is_ambiguous and len(kept) > 1
        # Where it is asked which is meant, nothing is left yet.
        left = () if is_ambiguous else left
        return replace(found, entities=kept, is_ambiguous=is_ambiguous, left=left)

    def _is_at_work(self, entity: CatalogEntity) -> bool:
        """Return whether an entity that would be turned off heats now, or is called as what does its job by itself."""
        state = self.finder.hass.states.get(entity.entity_id)
        if state is None or self.operation.kind != "turn_off":
            return False
        if entity.domain == "climate":
            return state.state in ACTIVE_MODES["heat"]
        is_spared = any(map(self.finder.house.lexicon.is_spared, entity.names))
        return entity.domain == "switch" and state.state == STATE_ON and is_spared

    def _door(self, what: NounPhrase, found: ResolvedTargets) -> ResolvedTargets:
        """Return what "the door" means, which may be a lock; a garage door or a gate only near the speaker."""
        doors, is_near = self.finder.near(what, found.entities, (_COVER, "lock"), KINDS[_DOOR])
        able = tuple(entity for entity in doors if entity.domain == _COVER)
        plain = tuple(entity for entity in able if not is_called(self.finder.house, entity, _GATES))
        if what.is_plural or what.is_everywhere:
            if all_meant := able if self._secures else plain:
                return ResolvedTargets(all_meant)
        elif len(able) == 1 and (is_near or plain) and (len(doors) == 1 or self._secures):
            return ResolvedTargets(able)
        return ResolvedTargets(able, is_ambiguous=len(able) > 1, is_unsure=True)

    def _is_entrance(self, entity: CatalogEntity) -> bool:
        """Return whether an entity guards a house, or opens it."""
        if entity.domain == _COVER:
            return is_called(self.finder.house, entity, ENTRANCES)
        return entity.domain in GUARDING


def is_called(house: HomeLexicon, entity: CatalogEntity, kinds: frozenset[str]) -> bool:
    """Return whether a cover is of some kinds, by its device class or its name."""
    if entity.device_class in kinds:
        return True
    nouns = [noun for noun in house.lexicon.nouns if noun.kind in kinds]
    return entity.device_class is None and any(house.is_called(noun, entity) for noun in nouns)
