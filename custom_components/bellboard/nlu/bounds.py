"""Mentions of targets in an instruction, even where not all of it is understood.

A model may add meaning to an instruction, but not overrule its words: what is named is meant, and what is
excepted is not. "Turn off the air conditioner in the bathroom" has no target where the bathroom only has a radiator.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, takewhile

from homeassistant.const import STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, Place, is_in
from ..home.names import Words, folded, words_of
from .frame_models import KEEP
from .house import HomeLexicon
from .kinds import KINDS
from .lexicon import FLOOR, Lexicon, Noun, Role, Sense
from .segmentation import clauses_of
from .spans import Span, cover_text
from .tokens import MAX_COMMAND

_RELATIONS = (Role.MOVE, Role.AMOUNT, Role.FACTOR, Role.LEVEL, Role.BY)
_ACTING = (Role.VERB, Role.STATE, Role.MOVE)
_TELLING = (
    Role.STATE,
    Role.MOVE,
    Role.NUMBER,
    Role.RANGE,
    Role.LEVEL,
    Role.COLOR,
    Role.KELVIN,
    Role.OPTION,
)
_WITH_WHAT = frozenset(
    {Role.KIND, Role.NAME, Role.PLACE, Role.HERE, Role.EVERYWHERE, Role.QUANTITY, Role.PRONOUN}
)
_NAMING = frozenset({Role.KIND, Role.PRONOUN, Role.QUANTITY, Role.NAME_WORD})
_KEPT = Sense(Role.VERB, KEEP)
# Verbs that say what is to be done only together with a state or a value: "let it be ...".
_PLAIN = frozenset({Sense(Role.VERB, "set"), Sense(Role.VERB, "adjust")})
_ON_FLOOR = Sense(Role.HERE, FLOOR)
_TV, _PLAYER, _THERMOSTAT = "tv", "player", "thermostat"
# What verbs say of the kind of device: "heat the office".
_IMPLIED = {"heat": "heating", "warm": "heating", "cool": "cooling"}
# Domains whose things have nouns that are in many names and tell none of them apart.
_COLLECTIVE = frozenset({"light", "media_player", "climate"})
# Kinds of what is no device.
_INTANGIBLE = frozenset({"scene", "script", "automation"})
# In letters. Shorter words ("tv") end too many others by chance to be the second half of a compound.
_SHORTEST_SECOND_HALF = 4


@dataclass(frozen=True, slots=True)
class Mentions:
    """Entity ids that are `named` in an instruction, and those that are `excepted` from it.

    `places` are the ids of areas and floors that are named, `excepted_places` of those that are excepted,
    `mentioned_places` of those of which it is not known what is said ("but nobody looks at the kitchen");
    `kinds` those of nouns (`kinds.KINDS`). It `is_here` where the speaker's room is said, with `is_on_floor` the
    speaker's floor, `is_everywhere` where the whole home is, it `is_all` where all of something is, and
    `is_relative` where a value is said to be more or less than another. It `tells_action` where a word says what is
    to be done, and `says_verb` where a verb does at least in part ("make", "let").

    `things` are the entities with their full name in it, named or excepted, `areas` the places likewise. `nouns`
    are those for kinds of devices, `implied` the kinds that verbs say ("heat the office"). It `names_others` where
    there is a word for what is no device ("timer"). `rest` are the words that are in no full name, but not those in
    `meanings`: words of names that likely mean something else ("the children left for school").
    """

    named: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    excepted_places: frozenset[str] = frozenset()
    mentioned_places: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    is_here: bool = False
    is_on_floor: bool = False
    is_everywhere: bool = False
    is_relative: bool = False
    is_all: bool = False
    tells_action: bool = False
    says_verb: bool = False
    things: frozenset[str] = frozenset()
    areas: tuple[Place, ...] = ()
    nouns: tuple[Noun, ...] = ()
    implied: frozenset[str] = frozenset()
    names_others: bool = False
    rest: tuple[str, ...] = ()
    meanings: frozenset[str] = frozenset()

    def near(self, catalog: Catalog, area_id: str | None) -> str | None:
        """Return the id of the speaker's area, or of its floor where that is said; None where it is not known."""
        floor = catalog.floor_of(area_id) if self.is_on_floor else None
        return floor.id if floor else area_id

    @property
    def says_nothing(self) -> bool:
        """Return whether neither a thing, a place nor what is to be done is said: "40 percent", "yes please"."""
        return not (self.says_verb or self.names_something or self.named)

    @property
    def names_something(self) -> bool:
        """Return whether a device, a kind of devices, a place or something else is named."""
        return bool(self.names_kinds or self.things or self.areas)

    @property
    def names_kinds(self) -> bool:
        """Return whether there is a noun for a kind of device, or for what is none."""
        return bool(self.nouns or self.names_others)

    def kinds_of(self, domain: str, *, with_verbs: bool = False) -> frozenset[str]:
        """Return the kinds of a domain that nouns say, `with_verbs` also those that a verb implies."""
        kinds = {noun.kind for noun in self.nouns}
        of_domain = {kind for kind in kinds if domain in KINDS[kind].domains}
        if with_verbs and not of_domain - {_THERMOSTAT}:
            of_domain |= {kind for kind in self.implied if domain in KINDS[kind].domains}
        return frozenset(of_domain)

    @property
    def domains(self) -> frozenset[str]:
        """Return the domains of the kinds that nouns say."""
        return frozenset(domain for noun in self.nouns for domain in KINDS[noun.kind].domains)

    def is_foreign(self, domain: str) -> bool:
        """Return whether something is named, but nothing of a domain."""
        if any(thing.partition(".")[0] == domain for thing in self.things):
            return False
        return bool(self.names_kinds or self.things) and not self.kinds_of(domain)

    def fitting(
        self, hass: HomeAssistant, entities: Iterable[CatalogEntity], *, with_verbs: bool = False
    ) -> tuple[CatalogEntity, ...]:
        """Return the entities of a kind that is named, or that are named themselves.

        All entities of a domain of which no kind is named are returned, too.
        """
        return tuple(
            entity
            for entity in entities
            if entity.entity_id in self.things or self._fits(hass, entity, with_verbs=with_verbs)
        )

    def _fits(self, hass: HomeAssistant, entity: CatalogEntity, *, with_verbs: bool) -> bool:
        """Return whether an entity is of a kind that is named, by its capabilities or a noun in its name."""
        kinds = self.kinds_of(entity.domain, with_verbs=with_verbs)
        state = hass.states.get(entity.entity_id)
        if not kinds or any(KINDS[kind].includes(entity, state) for kind in kinds - {_PLAYER}):
            return True
        if _PLAYER in kinds and entity.device_class != _TV:
            return True
        if entity.domain in KINDS[_TV].domains and entity.device_class is None:
            # Without a device class it may be a television or a speaker.
            return True
        names = [frozenset(words_of(name)) for name in entity.names]
        return any(
            _is_called(name, noun) for noun in self.nouns if noun.kind in kinds for name in names
        )

    def keep(self, entities: Iterable[CatalogEntity]) -> list[CatalogEntity]:
        """Return the entities that may be meant: not those excepted, and where any is named only those."""
        allowed = [entity for entity in entities if not self.excepts(entity)]
        named = [entity for entity in allowed if entity.entity_id in self.named]
        return named or allowed

    def excepts(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is excepted, by its name or by where it is."""
        is_of_place = not self.excepted_places.isdisjoint({entity.area_id, entity.floor_id})
        return entity.entity_id in self.excepted or is_of_place

    def all_excepted(self, catalog: Catalog) -> frozenset[str]:
        """Return the ids of all entities that are excepted."""
        if not (self.excepted or self.excepted_places):
            return frozenset()
        return frozenset(id_ for id_, entity in catalog.entities.items() if self.excepts(entity))


NO_BOUNDS = Mentions()
"""Nothing is known of the words."""


def read_bounds(text: str, house: HomeLexicon | None, *, is_command: bool = True) -> Mentions:
    """Return the mentions of targets in an instruction; none in a command that is too long.

    In a command, what nothing can be done with (sensors) has no names. Without a `house` nothing is known.
    """
    if house is None or (is_command and len(text) > MAX_COMMAND):
        return NO_BOUNDS
    return _read(text, house, is_command=is_command)


@lru_cache(maxsize=64)
def _read(text: str, house: HomeLexicon, *, is_command: bool) -> Mentions:
    """Return what the words of a text say."""
    named: set[str] = set()
    excepted: set[str] = set()
    places: set[str] = set()
    excepted_places: set[str] = set()
    mentioned: set[str] = set()
    is_excepting = by_keeping = False
    spans = cover_text(text, house, is_command=is_command)
    senses = [sense for span in spans for sense in span.senses]
    clauses = clauses_of(spans)
    meanings = frozenset(_meanings(spans))
    for at, clause in enumerate(clauses):
        if any(span.has(Role.VERB) for span in clause):
            # "..., but leave the lamp on", "leave the lamp, all else off"; but "keep the heating low" is none.
            is_kept = any(_KEPT in span.senses for span in clause)
            leads = clause is clauses[0] and (len(clauses) == 1 or any(map(_tells, clause)))
            is_excepting = by_keeping = is_kept and not leads
        elif by_keeping and any(not span.senses for span in clause):
            # "..., no point keeping it warm, and the night light needn't burn" is no list of what is kept.
            is_excepting = by_keeping = False
        begin = _exception_in(clause, [span for before in clauses[:at] for span in before])
        (excepted if is_excepting else named).update(_ids(clause[:begin]))
        (excepted_places if is_excepting else places).update(_place_ids(clause[:begin]))
        if _is_unclear(clause[begin:]):
            mentioned.update(_place_ids(clause[begin:]))
            continue
        excepted.update(_ids(clause[begin:]))
        excepted_places.update(_place_ids(clause[begin:]))
        is_excepting = is_excepting or begin < len(clause)
    is_near = any(sense.role is Role.PLACE and sense.value.is_near for sense in senses)
    is_several = any(map(_is_all, senses)) or any(
        s.value.is_plural for s in senses if s.role is Role.KIND
    )
    return Mentions(
        frozenset(named - excepted),
        frozenset(excepted),
        frozenset(places - excepted_places),
        # "All but the lamp in the hall" excepts the lamp, and not the hall.
        frozenset() if excepted else frozenset(excepted_places - places),
        frozenset(mentioned - excepted_places - places),
        frozenset(sense.value.kind for sense in senses if sense.role is Role.KIND),
        is_here=is_near or any(span.has(Role.HERE) for span in spans),
        is_on_floor=(is_near and is_several) or any(sense == _ON_FLOOR for sense in senses),
        is_everywhere=any(span.has(Role.EVERYWHERE) for span in spans),
        is_all=any(map(_is_all, senses)),
        is_relative=any(span.has(role) for span in spans for role in _RELATIONS),
        tells_action=any(sense.role in _ACTING and sense not in _PLAIN for sense in senses),
        says_verb=any(span.has(Role.VERB) for span in spans),
        things=frozenset(_ids(spans)),
        areas=tuple(dict.fromkeys(_places(senses))),
        nouns=tuple(dict.fromkeys(_nouns(spans, house))),
        implied=frozenset(
            _IMPLIED[sense.value]
            for sense in senses
            if sense.role is Role.VERB and sense.value in _IMPLIED
        ),
        names_others=any(span.has(Role.OTHER) for span in spans),
        rest=tuple(
            word
            for span in spans
            if not (span.has(Role.NAME) or span.has(Role.PLACE))
            for word in span.words
            if word not in meanings
        ),
        meanings=meanings,
    )


def is_device_noun(noun: Noun) -> bool:
    """Return whether a noun means devices, whatever they are called, and not what they play."""
    is_content = noun.kind == _PLAYER and noun.is_general
    return noun.kind not in _INTANGIBLE and not (noun.needs_name or is_content)


def is_kind(words: Words, lexicon: Lexicon) -> bool:
    """Return whether words as a whole are a noun for a kind of device."""
    senses = lexicon.senses(words)
    return any(sense.role is Role.KIND and is_device_noun(sense.value) for sense in senses)


@lru_cache(maxsize=16)
def collective_words(lexicon: Lexicon) -> frozenset[str]:
    """Return the single words for any light, player or thermostat, which single out none of them."""
    forms = (
        form
        for noun in lexicon.nouns
        if is_device_noun(noun) and KINDS[noun.kind].domains.keys() <= _COLLECTIVE
        for form in noun.forms
    )
    words = {each for form in forms for each in (form, folded(form)) if len(words_of(form)) == 1}
    return frozenset(words) - lexicon.radios


def _nouns(spans: Sequence[Span], house: HomeLexicon) -> Iterator[Noun]:
    """Yield the nouns for kinds of devices, of which those that are verbs, too, follow an article."""
    for before, span in pairwise([None, *spans]):
        if span is None:
            continue
        is_noun = not span.has(Role.VERB) or (before is not None and before.has(Role.ARTICLE))
        senses = list(span.senses)
        if all(sense.role is Role.NAME_WORD for sense in senses):
            # "Nachttischlampe" is a word of names, and is a lamp.
            senses += house.lexicon.senses(house.halves(span.words[-1])[-1:])
        for sense in senses:
            if sense.role is not Role.KIND or not is_device_noun(sense.value):
                continue
            if is_noun or KINDS[sense.value.kind].domains.keys() <= _COLLECTIVE:
                yield sense.value


def _is_called(name: frozenset[str], noun: Noun) -> bool:
    """Return whether a noun for a kind is in a name, alone or as the second half of a compound."""
    forms = [words_of(form) for form in noun.forms]
    if any(name.issuperset(form) for form in forms):
        return True
    ends = tuple(
        form[0] for form in forms if len(form) == 1 and len(form[0]) >= _SHORTEST_SECOND_HALF
    )
    return any(word.endswith(ends) for word in name)


def _exception_in(clause: Sequence[Span], before: Sequence[Span]) -> int:
    """Return where an exception begins in a clause after others, its length for none.

    "Unlock nothing, but hall lights up" has nothing before "but" from which the lights could be excepted.
    """
    begin = next((at for at, span in enumerate(clause) if span.has(Role.EXCEPT)), len(clause))
    said = (*before, *clause[:begin])
    joins = begin < len(clause) and clause[begin].has(Role.AND)
    is_of_nothing = joins and not any(span.has_any(_WITH_WHAT) for span in said)
    return len(clause) if is_of_nothing and any(map(_tells, clause[begin:])) else begin


def _is_unclear(spans: Sequence[Span]) -> bool:
    """Return whether spans begin with a word that only joins perhaps, and words that nobody knows stand before a place.

    "But nobody looks at the kitchen" excepts nothing, "but not the kitchen" does.
    """
    if not spans or not spans[0].has(Role.AND):
        return False
    before = takewhile(lambda span: not (span.has(Role.PLACE) or span.has(Role.NAME)), spans)
    return any(not span.senses for span in before)


def _meanings(spans: Sequence[Span]) -> Iterator[str]:
    """Yield the words of names that mean something else, too, and likely do: "the children left for school".

    They follow a word that nobody knows, and no noun or further word of a name follows them.
    """
    for before, span, after in zip(spans, spans[1:], [*spans[2:], None], strict=False):
        is_name = after is not None and after.has_any(_NAMING)
        if not (is_name or before.senses) and span.has(Role.NAME_WORD) and len(span.senses) > 1:
            yield from span.words


def _tells(span: Span) -> bool:
    """Return whether a span says how something is to be."""
    return any(span.has(role) for role in _TELLING)


def _place_ids(spans: Sequence[Span]) -> set[str]:
    """Return the ids of the areas and floors that are named among spans."""
    return {place.id for span in spans for place in _places(span.senses)}


def _places(senses: Iterable[Sense]) -> Iterator[Place]:
    """Yield the places among senses; "down here" is where the speaker is."""
    for sense in senses:
        if sense.role is Role.PLACE and not sense.value.is_near:
            yield sense.value


def _ids(spans: Sequence[Span]) -> set[str]:
    """Return the entity ids of the full names among spans."""
    return {
        sense.value.entity_id for span in spans for sense in span.senses if sense.role is Role.NAME
    }


def _is_all(sense: Sense) -> bool:
    """Return whether a sense is that of "all", also with a number: "all three"."""
    return sense.role is Role.QUANTITY and str(sense.value).partition(":")[0] == "all"


class TargetScope(StrEnum):
    """Way in which the targets of an instruction were found.

    NAMED by name, PLACE by an area or floor, SPEAKER_AREA in the area of the satellite, PLAYING as the
    players that play, ONLY as the only entity of the domain, WHOLE_HOME by a word like "everywhere";
    AMBIGUOUS where nothing says which.
    """

    NAMED = "named"
    PLACE = "place"
    SPEAKER_AREA = "here"
    PLAYING = "playing"
    ONLY = "only"
    WHOLE_HOME = "everywhere"
    AMBIGUOUS = "open"


@dataclass(frozen=True, slots=True)
class TargetMatch:
    """Target entities of an instruction, the scope they were found in, and the places named.

    In the scope AMBIGUOUS `entities` are candidates, and the user has to be asked. In the scope PLACE
    they may be empty: the `places` have no entity of the domain.
    """

    scope: TargetScope
    entities: tuple[CatalogEntity, ...]
    places: tuple[Place, ...] = ()


def find_targets(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    mentions: Mentions,
    *,
    area_id: str | None = None,
    ignored: frozenset[str] = frozenset(),
) -> TargetMatch:
    """Return the targets of an instruction among the entities of a domain that are in a catalog.

    `mentions` is what its words say, `area_id` the speaker's area. `ignored` are stop words (verbs, articles)
    of the speaker's language.
    """
    every = catalog.by_domain.get(domain, ())
    entities = tuple(entity for entity in every if entity.entity_id in mentions.named)
    named = entities or catalog.distinctive(
        domain, tuple(word for word in mentions.rest if word not in ignored and not word.isdigit())
    )
    places = tuple(place for place in mentions.areas if place.id in mentions.places)
    if named or places:
        return _combine_mentions(every, named, places, by_full_name=bool(entities))
    if mentions.is_everywhere:
        return TargetMatch(TargetScope.WHOLE_HOME, every)
    if here := tuple(entity for entity in every if area_id and entity.area_id == area_id):
        return TargetMatch(TargetScope.SPEAKER_AREA, here)
    if domain == "media_player" and (playing := _filter_playing(hass, every)):
        return TargetMatch(TargetScope.PLAYING, playing)
    return TargetMatch(TargetScope.ONLY if len(every) == 1 else TargetScope.AMBIGUOUS, every)


def _combine_mentions(
    every: tuple[CatalogEntity, ...],
    named: tuple[CatalogEntity, ...],
    places: tuple[Place, ...],
    *,
    by_full_name: bool,
) -> TargetMatch:
    """Combine names and places: a place narrows the named entities in it, else it adds its own."""
    if not places:
        return TargetMatch(TargetScope.NAMED, named)
    inside = tuple(entity for entity in every if is_in(entity, places))
    if narrowed := tuple(entity for entity in named if entity in inside):
        return TargetMatch(TargetScope.NAMED, narrowed, places)
    if by_full_name:
        return TargetMatch(TargetScope.NAMED, tuple(dict.fromkeys((*named, *inside))), places)
    return TargetMatch(TargetScope.PLACE, inside, places)


def _filter_playing(
    hass: HomeAssistant, players: tuple[CatalogEntity, ...]
) -> tuple[CatalogEntity, ...]:
    """Return the players that play now."""
    return tuple(
        player
        for player in players
        if (state := hass.states.get(player.entity_id)) and state.state == STATE_PLAYING
    )
