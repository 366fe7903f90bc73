"""Learned tier: sentences that a model decided about before, rightly, need no model again.

A decision holds only while the sentence still means the same entities of the home.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
import hashlib
import json

from homeassistant.core import HomeAssistant
from homeassistant.util.dt import utcnow

from ..home.catalog import Catalog
from ..home.names import words_of
from ..memory.lessons import MAX_CHARACTERS, LearnedDecision, LearnedDecisions, SentenceKey
from ..nlu.answers import Sign
from ..nlu.bounds import find_targets, read_bounds
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.spans import cover_text
from .models import Source
from .parts import split_requests
from .reading import ReadingRouter
from .router import RoutedPart, RoutingRequest

# What a sentence says that is about something it does not name.
_POINTING = frozenset({Sign.ONE, Sign.OTHER})


def sentence_key(text: str, language: Language, area_id: str | None) -> SentenceKey:
    """Return the key of a sentence: without punctuation, capitals and polite words."""
    plain = read_tags(text, language).plain_words
    return SentenceKey(" ".join(plain), language.code, area_id)


def can_be_learnt(text: str, language: Language) -> bool:
    """Return whether a sentence always means the same in an area: one command for now, without references."""
    reading = read_tags(text, language)
    if len(text) > MAX_CHARACTERS or reading.guards or reading.has_steps:
        return False
    if reading.is_question or reading.refers:
        return False
    words = words_of(text)
    # Each word also by itself: longer phrases such as "make that" are taken for something else.
    looked_at = (words, *((word,) for word in words))
    signs = {
        sign
        for some in looked_at
        for found in language.answers.signs.find(some)
        for sign in found.meanings
    }
    return not signs & _POINTING and len(split_requests(text, language)) == 1


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that a sentence can mean of the home.

    `fingerprint` changes as soon as something else is meant: by its name, its place, or because it
    plays. `possible` are the entity ids of one domain that it can mean, `named` those of any domain by
    each name in it.
    """

    fingerprint: str
    possible: frozenset[str]
    named: tuple[frozenset[str], ...]

    def holds(self, targets: Collection[str]) -> bool:
        """Return whether these entity ids can be all that is meant, and each name is one of theirs."""
        return self.possible.issuperset(targets) and all(
            not one.isdisjoint(targets) for one in self.named
        )


def meaning_of(
    hass: HomeAssistant,
    catalog: Catalog,
    house: HomeLexicon,
    language: Language,
    text: str,
    *,
    domain: str,
    area_id: str | None,
    agents: Iterable[str],
) -> Meaning:
    """Return the possible meaning of a sentence among the entities of a domain.

    `area_id` is where it is said, `agents` are the ids of those that could answer.
    """
    matched = find_targets(
        hass,
        catalog,
        domain,
        read_bounds(text, house),
        area_id=area_id,
        ignored=language.ignored,
    )
    named = _named(catalog, house, text)
    meant = [
        matched.scope.value,
        [[e.entity_id, e.names, e.area_id, e.floor_id] for e in matched.entities],
        [[place.id, place.is_floor] for place in matched.places],
        [sorted(one) for one in named],
        sorted(agents),
    ]
    digest = hashlib.sha256(json.dumps(meant).encode()).hexdigest()
    return Meaning(digest[:32], frozenset(entity.entity_id for entity in matched.entities), named)


def _named(catalog: Catalog, house: HomeLexicon, text: str) -> tuple[frozenset[str], ...]:
    """Return the entity ids of each name in a text; names of places are left out."""
    found = (
        frozenset(sense.value.entity_id for sense in span.senses if sense.role is Role.NAME)
        for span in cover_text(text, house, is_command=False)
        if not span.has(Role.PLACE)
    )
    return tuple(known for ids in found if (known := ids & catalog.entities.keys()))


@dataclass(frozen=True, slots=True)
class LearnedRouter:
    """Assigns sentences whose decision was confirmed, with the actions that were right before.

    With `only_corrections` those that a person corrected: what readers make of these is known to be wrong.
    """

    hass: HomeAssistant
    reader: ReadingRouter
    lessons: LearnedDecisions
    only_corrections: bool = False

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> Sequence[RoutedPart]:
        """Assign a sentence that is one open part, if a learned decision holds."""
        is_wanted = self.only_corrections or request.options.learn_decisions
        if not is_wanted or request.is_trial or len(parts) != 1:
            return parts
        if self.only_corrections and not self.lessons.has_corrections:
            return parts
        [part] = parts
        if (
            part.assignment
            or part.is_for_model
            or part.text.strip() != request.user_input.text.strip()
        ):
            return parts
        lesson = await self._async_lesson(request, part.text)
        if lesson is None:
            return parts
        reason = (
            "Somebody said that this was meant."
            if lesson.is_correction
            else f"The model decided so before, and it was right {lesson.confirmed} times."
        )
        return [part.assigned(lesson.agent_id, Source.LEARNED, reason, known=lesson.actions)]

    async def _async_lesson(self, request: RoutingRequest, text: str) -> LearnedDecision | None:
        """Return the learned decision about a sentence, if it holds here and now."""
        spoken = sentence_key(text, request.language, request.area_id)
        lesson = self.lessons.get(spoken)
        if lesson is None or not lesson.is_in_use:
            return None
        if self.only_corrections and not lesson.is_correction:
            return None
        if not lesson.is_correction and self.lessons.was_just_said(spoken, utcnow()):
            return None
        cards = {card.id: card for card in request.known_cards}
        card = cards.get(lesson.agent_id)
        if card is None or not (card.reaches_all or lesson.domain in card.domains):
            return None
        if not can_be_learnt(text, request.language):
            return None
        house = await self.reader.async_house(request.language)
        meaning = meaning_of(
            self.hass,
            house.catalog,
            house,
            request.language,
            text,
            domain=lesson.domain,
            area_id=request.area_id,
            agents=cards,
        )
        return lesson if meaning.fingerprint == lesson.fingerprint else None
