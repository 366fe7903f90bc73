"""Lexicon of one home: names of entities and places, words in names, and the entities' options."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from homeassistant.core import HomeAssistant

from ..domains.registry import table_of
from ..home.catalog import Catalog, CatalogEntity, Place
from .kinds import KINDS
from .lexicon import Lexicon, Noun, Role, Sense
from .tokens import Phrase, spoken_words

# Words of a name that are also written as one.
_COMPOUND = 2
_SCENE = "scene"
# Roles of words for one thing that are no number after a noun: "a", "eine", "another".
_BEFORE_NOUNS = frozenset({Role.QUANTITY, Role.ARTICLE, Role.BY, Role.STATE})
# In digits; no name is told by so many.
_LONG_NUMBER = 3
# Keys of the words for floors in the language files.
_FLOORS, _APART, _NEAR = ("upper", "ground"), "apart", "near"
# In letters, of the halves of a compound.
_SHORTEST_FIRST, _SHORTEST_SECOND = 3, 4


class HomeLexicon:
    """Index of a home's words for one language; it is made anew when the catalog changes."""

    def __init__(self, catalog: Catalog, lexicon: Lexicon, names: Lexicon | None = None) -> None:
        """Read the names of places; entities are added one by one, which takes its time.

        `names` is the lexicon of another language in which things may be called ("Floor Lamp").
        """
        self.catalog = catalog
        self.lexicon = lexicon
        self._foreign: dict[str, frozenset[str]] = {}
        for noun in names.nouns if names else ():
            if _may_be_foreign(noun):
                known = self._foreign.get(noun.kind, frozenset())
                self._foreign[noun.kind] = known | noun.forms
        self._signs: dict[str, frozenset[Phrase]] = {}
        for noun in (*lexicon.nouns, *(names.nouns if names else ())):
            if noun.sort:
                self._signs[noun.sort] = self._signs.get(noun.sort, frozenset()) | noun.signs
        self._named_moods = [each.moods for each in (lexicon, names) if each]
        self.longest = 0
        self.words: dict[str, frozenset[str]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._called_by_noun: dict[Noun, frozenset[str]] = {}
        self._links = lexicon.links
        forms = {form for noun in lexicon.nouns for form in noun.forms if " " not in form}
        self._seconds = tuple(
            sorted(
                (form for form in forms if len(form) >= _SHORTEST_SECOND),
                key=lambda f: (-len(f), f),
            )
        )
        self._numbers: dict[str, tuple[Phrase, ...]] = {}
        self._senses: dict[Phrase, list[Sense]] = {}
        self._stems: dict[Phrase, list[Sense]] = {}
        places: set[str] = set()
        of_places: set[str] = set()
        for place in (*catalog.areas.values(), *catalog.floors.values()):
            for name in place.names:
                phrase = spoken_words(name)
                self._add_name(phrase, Sense(Role.PLACE, place))
                places.update(phrase if len(phrase) == 1 else ())
                of_places.update(phrase)
        self._add_rooms()
        self._floor_words = {
            key: [
                phrase for each in (lexicon, names) if each for phrase in each.floors.get(key, ())
            ]
            for key in (*_FLOORS, _APART)
        }
        self._add_floors()
        self._places, self._of_places = frozenset(places), frozenset(of_places)

    def add(self, hass: HomeAssistant, entity: CatalogEntity) -> None:
        """Index an entity by its names, by the words in them, and by its options."""
        self.add_names(entity)
        if entity.domain == _SCENE:
            for phrase in self._mood_phrases(entity):
                self._add(phrase, Sense(Role.MOOD, entity))
        for option in _options(hass, entity):
            for phrase in self._with_numbers(spoken_words(option.replace("_", " "))):
                # "HDMI two" is "HDMI 2"
                self._add(phrase, Sense(Role.OPTION, option))

    def add_names(self, entity: CatalogEntity) -> None:
        """Index an entity by its names and by the words in them."""
        words: set[str] = set()
        for name in entity.names:
            phrase = spoken_words(name)
            self._add_name(phrase, Sense(Role.NAME, entity))
            words.update(part for word in phrase for part in self._parts(word))
        words.update(spoken_words(entity.brand))
        self._called[entity.entity_id] = frozenset(
            part
            for name in entity.names
            for word in spoken_words(name)
            for part in (word, *self.halves(word)[-1:])
        )
        self.words[entity.entity_id] = frozenset(words) | {
            self.lexicon.stem(word) for word in words
        }
        for word in words:
            # "Lamp of the desk": "of" and "the" are in many names, and mean none.
            if not (self.lexicon.is_small(word) or word in self.lexicon.rooms):
                self._add((word,), Sense(Role.NAME_WORD))

    def _mood_phrases(self, scene: CatalogEntity) -> Iterator[Phrase]:
        """Yield what people say for the moods that a scene's names are of: "film" for "Movie Night"."""
        names = [spoken_words(name) for name in scene.names]
        found = {
            mood
            for moods in self._named_moods
            for mood, phrases in moods.items()
            if any(_has_phrase(name, phrase) for name in names for phrase in phrases)
        }
        for mood in sorted(found):
            yield from self.lexicon.moods.get(mood, ())

    def _parts(self, word: str) -> Iterator[str]:
        """Yield a word of a name with its halves: those of a noun, or of a place ("Küchendecke")."""
        yield word
        yield from self.halves(word)
        for place in self._places if self._links else ():
            if len(place) < _SHORTEST_FIRST or not word.startswith(place):
                continue
            rest = word.removeprefix(place)
            for link in self._links:
                if rest.startswith(link) and len(rest) - len(link) >= _SHORTEST_SECOND:
                    yield rest.removeprefix(link)

    def _add_floors(self) -> None:
        """Index floors by the words for up and down, which mean no place that is itself called so."""
        places = (*self.catalog.areas.values(), *self.catalog.floors.values())
        own = {
            self._bare(spoken_words(name)): {each for each in places if name in each.names}
            for place in places
            for name in place.names
        }
        near = frozenset(self.lexicon.floors.get(_NEAR, ()))
        for key in _FLOORS:
            floor = self._floor(key)
            for phrase in self.lexicon.floors.get(key, ()):
                if floor and own.get(self._bare(phrase), {floor}) == {floor}:
                    said = replace(floor, is_near=phrase in near)
                    self._add(phrase, Sense(Role.PLACE, said))
                elif phrase in near and self._bare(phrase) not in own:
                    self._add(phrase, Sense(Role.HERE))

    def _floor(self, key: str) -> Place | None:
        """Return the floor that "upstairs" or "downstairs" means; None for none, or for one unknown of several.

        Of several of one level it is the one that is called so. What is apart from the house by its name,
        as a garden is, is no floor of it unless it is called so.
        """
        phrases = [self._bare(phrase) for phrase in self._floor_words[key]]
        apart = {word for phrase in self._floor_words[_APART] for word in phrase}
        floors = [*self.catalog.floors.values()]
        inside = [each for each in floors if not _begins_with(each, apart)]
        highest = max((each.level for each in inside if each.level is not None), default=0)
        level = highest if key == "upper" else 0
        called = [
            each
            for each in floors
            if each.level in {level, None}
            and any(
                _has_phrase(self._bare(spoken_words(name)), phrase)
                for name in each.names
                for phrase in phrases
            )
        ]
        if not called and (highest > 0 or key == "ground"):
            called = [each for each in inside if each.level == level]
        return called[0] if len(called) == 1 else None

    def _bare(self, phrase: Phrase) -> Phrase:
        """Return the stems of a phrase without its function words: "im Erdgeschoss" is "Erdgeschoss"."""
        told = [word for word in phrase if not self.lexicon.is_small(word)]
        return tuple(map(self.lexicon.stem, told or phrase))

    def _add_rooms(self) -> None:
        """Index rooms called by a compound also without its second half, and the other way round.

        "Bad" is "Badezimmer" where one of them is the name, but "Spiel" is no "Spielzimmer". A room of several words
        may have another word for a room in it: "cuarto de los niños" is "habitación de los niños".
        """
        for phrase, senses in [*self._senses.items()]:
            for at, word in enumerate(phrase if len(phrase) > 1 else ()):
                for other in self.lexicon.rooms if word in self.lexicon.rooms else ():
                    said = (*phrase[:at], other, *phrase[at + 1 :])
                    if not (self.lexicon.senses(said) or self._senses.get(said)):
                        for sense in senses:
                            self._add(said, sense)
        named = [(phrase[0], senses) for phrase, senses in self._senses.items() if len(phrase) == 1]
        for name, senses in named if self._links else ():
            for other in self._short_and_long(name):
                if not (self.lexicon.senses((other,)) or self._senses.get((other,))):
                    for sense in senses:
                        self._add((other,), sense)

    def _short_and_long(self, name: str) -> Iterator[str]:
        """Yield a room's name without the word for a room that it ends with, or with such a word after it."""
        for room in sorted(self.lexicon.rooms, key=len, reverse=True):
            if name.endswith(room):
                first = name.removesuffix(room)
                if len(first) >= _SHORTEST_FIRST:
                    yield from (f"{first}{other}" for other in self.lexicon.rooms - {room})
                for link in self._links:
                    if first.endswith(link) and len(first) - len(link) >= _SHORTEST_FIRST:
                        yield first.removesuffix(link)
                return
        for room in self.lexicon.rooms:
            yield from (f"{name}{link}{room}" for link in self._links)

    def _add_name(self, phrase: Phrase, sense: Sense) -> None:
        """Add a name, also without the article that it begins with: "le haut" is in "les lampes du haut"."""
        for spoken in self._with_numbers(phrase):
            self._add(spoken, sense)
        if len(phrase) == _COMPOUND and not self._links:
            # "Nightlight"
            self._add(("".join(phrase),), sense)
        for number in filter(str.isdecimal, phrase[1:]):
            for word in phrase:
                if len(word) >= _SHORTEST_SECOND and not self.lexicon.senses((word,)):
                    # "Shelf two" is "Shelf Light 2"
                    for spoken in self._with_numbers((word, number)):
                        self._add(spoken, sense)
        first = self.lexicon.senses(phrase[:1])
        if len(phrase) > 1 and any(each.role is Role.ARTICLE for each in first):
            self._add(phrase[1:], sense)

    def _with_numbers(self, phrase: Phrase) -> list[Phrase]:
        """Return a name as it is, and with each whole number in it in words, or in digits: "Lamp 2" is "lamp two"."""
        found: list[Phrase] = [()]
        for word in phrase:
            forms = self._forms_of_number(word) if len(phrase) > 1 else ()
            found = [(*begun, *form) for begun in found for form in ((word,), *forms)]
        return found

    def _forms_of_number(self, word: str) -> tuple[Phrase, ...]:
        """Return the other ways to write a number below 100 in a name, () for what is none."""
        if word not in self._numbers:
            numbers = [s.value for s in self.lexicon.senses((word,)) if s.role is Role.NUMBER]
            digits = ((str(int(each)),) for each in numbers if float(each).is_integer())
            in_words = word.isdecimal() and len(word) < _LONG_NUMBER
            found = self.lexicon.phrases_of(Sense(Role.NUMBER, float(word))) if in_words else ()
            # "A couple of" is no two.
            several = len(word) > 1
            spoken = (p for p in found if self._names_number(p) and (several or len(p) == 1))
            self._numbers[word] = (*digits, *spoken)
        return self._numbers[word]

    def _names_number(self, phrase: Phrase) -> bool:
        """Return whether words are a number also after a noun, as "one" is, and neither "a" nor "another"."""
        roles = {sense.role for sense in self.lexicon.senses(phrase)}
        return Role.PRONOUN in roles or roles.isdisjoint(_BEFORE_NOUNS)

    def _add(self, phrase: Phrase, sense: Sense) -> None:
        """Add a sense of a phrase, also under the stems of its words."""
        self.longest = max(self.longest, len(phrase))
        for index, key in (
            (self._senses, phrase),
            (self._stems, tuple(map(self.lexicon.stem, phrase))),
        ):
            if key and sense not in (known := index.setdefault(key, [])):
                known.append(sense)

    def senses(self, phrase: Phrase) -> list[Sense]:
        """Return the senses of a phrase in this home, of an inflected one by its stems."""
        found = self._senses.get(phrase, [])
        if any(sense.role is not Role.NAME_WORD for sense in found):
            return found
        if len(phrase) == 1 and self.lexicon.is_small(phrase[0]):
            # "Bara" ("only") is no form of "barn".
            return found
        # A word as it is in a name ("w kuchni") may be another form of a place ("Kuchnia").
        stems = self._stems.get(tuple(map(self.lexicon.stem, phrase)), [])
        return [*found, *(sense for sense in stems if sense not in found)]

    def are_of_places(self, words: Iterable[str]) -> bool:
        """Return whether words are only parts of the names of places."""
        return self._of_places.issuperset(words)

    def is_several(self, word: str) -> bool:
        """Return whether a word is the plural of one in names ("mirrors")."""
        return any(
            (word.removesuffix(ending),) in self._senses
            for ending in self.lexicon.plural_endings
            if word.endswith(ending)
        )

    @staticmethod
    def can_act(entity: CatalogEntity) -> bool:
        """Return whether anything can be done with an entity."""
        table = table_of(entity.domain)
        return table is not None and bool(table.actions)

    def knows(self, word: str) -> bool:
        """Return whether a word alone has a sense in the language or in this home."""
        return bool(self.lexicon.senses((word,)) or self.senses((word,)))

    def halves(self, word: str) -> tuple[str, ...]:
        """Return the halves of a compound whose second half is a noun for a kind ("Steh", "lampe"), or ()."""
        for second in self._seconds if self._links else ():
            first = word.removesuffix(second)
            if first == word or len(first) < _SHORTEST_FIRST:
                continue
            bare = [first.removesuffix(link) for link in self._links if first.endswith(link)]
            # "Küche" before "küch", which is only its stem.
            exact = (
                half for half in bare if (half,) in self._senses or self.lexicon.senses((half,))
            )
            half = next(exact, None) or next(filter(self.knows, bare), first)
            # "The back door" ("achterdeur") is not any door.
            return () if self.lexicon.is_small(half) else (half, second)
        return ()

    def called(self, noun: Noun) -> frozenset[str]:
        """Return the ids of the entities whose names have a form of a noun of the lexicon, found once for each noun."""
        if noun not in self._called_by_noun:
            known = self.catalog.entities.values()
            found = frozenset(each.entity_id for each in known if self.is_called(noun, each))
            self._called_by_noun[noun] = found
        return self._called_by_noun[noun]

    def is_called(self, noun: Noun, entity: CatalogEntity) -> bool:
        """Return whether an entity's name has a form of a noun, also as the second half of a compound."""
        own = self._called[entity.entity_id]
        if not own.isdisjoint(noun.forms):
            return True
        is_foreign = _may_be_foreign(noun) and noun.kind in self._foreign
        if is_foreign and not own.isdisjoint(self._foreign[noun.kind]):
            return True
        if any(" " in form and set(form.split()) <= own for form in noun.forms):
            return True
        if self._is_of_sort(noun, own):
            return True
        return bool(self._links) and any(
            word.endswith(form)
            for form in noun.forms
            if len(form) >= _SHORTEST_SECOND
            for word in own
        )

    def _is_of_sort(self, noun: Noun, own: frozenset[str]) -> bool:
        """Return whether the words of a name have a sign of a noun's sort in them: "Kitchen Ceiling", "Küchendecke"."""
        signs = self._signs.get(noun.sort, frozenset())
        if any(own.issuperset(sign) for sign in signs):
            return True
        ends = tuple(
            w for sign in signs if len(sign) == 1 for w in sign if len(w) > _SHORTEST_SECOND
        )
        return bool(self._links and ends) and any(word.endswith(ends) for word in own)


def _begins_with(place: Place, words: Iterable[str]) -> bool:
    """Return whether a word of a place's names begins with any of some words ("Gartenhaus")."""
    begin = tuple(words)
    return any(word.startswith(begin) for name in place.names for word in spoken_words(name))


def _may_be_foreign(noun: Noun) -> bool:
    """Return whether things of another language's names are called by a noun: a lamp, or what heats or cools."""
    return not noun.needs_name and bool(not noun.is_general or KINDS[noun.kind].mode)


def _has_phrase(name: Phrase, phrase: Phrase) -> bool:
    """Return whether the words of a phrase stand one after the other in a name."""
    size = len(phrase)
    return any(name[at : at + size] == phrase for at in range(len(name) - size + 1))


def _options(hass: HomeAssistant, entity: CatalogEntity) -> Iterator[str]:
    """Yield what an entity offers to choose from: modes, effects, sources."""
    state, table = hass.states.get(entity.entity_id), table_of(entity.domain)
    if state is None or table is None:
        return
    for attribute in table.options:
        yield from (str(option) for option in state.attributes.get(attribute) or ())
