"""Free text after "announce" and "tell the kids": what is to be said aloud, and where.

The words before the message are read one by one: a verb, who or where it is for, and what joins the message to
them. The message itself is nobody's to read: whatever stands in it, it is said as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..home.catalog import CatalogEntity, Place
from .announcing_persons import Person, persons_called, read_stranger
from .house import HomeLexicon
from .lexicon import Role, Sense
from .phrase_lists import AnnouncingWords
from .tokens import Phrase, Token, spoken_words, tokenise, without_first, without_marks

SATELLITE = "assist_satellite"
"""The domain of what says something aloud."""

_SMALL = frozenset({Role.ARTICLE, Role.LINK, Role.TO, Role.FILLER})
# What says that a place is meant, and not spoken of.
_LEADING = frozenset({Role.LINK, Role.TO})
_OF_PLACES = frozenset({Role.KIND, Role.ATTRIBUTE, Role.MEASURE, Role.OTHER})
_TOLD = Sense(Role.ASKING, "tell")
_QUOTES = "\"'\u201c\u201d\u201e\u201a\u2018\u2019«»"


class Unknown(StrEnum):
    """Missing part of an announcement: its message, its place, or a person's identity."""

    MESSAGE = "message"
    PLACE = "place"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Addressee:
    """A person of the house whom something is to be told, as they were called, with the rooms called after them."""

    person: Person
    name: str
    rooms: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """Announcement and its listeners: everyone, where neither places, satellites nor persons are said.

    `message` is "" where something is `unknown`; `stranger` is the name of whom nobody knows, if one was said. It
    `is_whole` where nothing after it can be another request. `begin` is where it begins in the text, `people` those
    it is for ("the kids"), if they were said so. It `is_broadcast` where Home Assistant has an intent for it: for
    everybody, and with a verb of its own.
    """

    message: str
    begin: int = 0
    places: tuple[Place, ...] = ()
    satellites: tuple[CatalogEntity, ...] = ()
    people: str = ""
    is_whole: bool = False
    is_broadcast: bool = False
    persons: tuple[Addressee, ...] = ()
    unknown: Unknown | None = None
    stranger: str = ""


@dataclass(slots=True)
class _Recipients:
    """Who or where is named, while the words are read."""

    places: list[Place] = field(default_factory=list)
    satellites: list[CatalogEntity] = field(default_factory=list)
    persons: list[Addressee] = field(default_factory=list)
    people: str = ""
    is_everyone: bool = False
    belongs: Phrase = ()

    @property
    def is_empty(self) -> bool:
        """Return whether nobody is named."""
        return not (
            self.places or self.satellites or self.persons or self.people or self.is_everyone
        )


def read_announcement(
    text: str,
    house: HomeLexicon,
    persons: Sequence[Person] = (),
    language: str = "",
    *,
    reminds: bool = False,
) -> Announcement | None:
    """Return the announcement that a text asks for, None where it asks for none.

    `persons` are those of the house. Where it `reminds`, it is to remind somebody of something, which is not for now.
    """
    words = house.lexicon.announcing
    tokens = list(tokenise(text))
    if not words.announce or not tokens:
        return None
    return _Reading(text, house, words, persons, language, reminds).read(tokens)


def read_message(text: str, house: HomeLexicon) -> str:
    """Return the message in a text that holds nothing else: without "that", else word for word."""
    reading = _Reading(text, house, house.lexicon.announcing)
    message, _, _ = reading.joined(list(tokenise(text)))
    return text[message[0].start :].strip().strip(_QUOTES).strip() if message else ""


_MOST_RECIPIENTS = 5


@dataclass(frozen=True, slots=True)
class _Reading:
    """One text that may be an announcement."""

    text: str
    house: HomeLexicon
    words: AnnouncingWords
    persons: Sequence[Person] = ()
    language: str = ""
    reminds: bool = False

    def read(self, tokens: list[Token]) -> Announcement | None:
        """Return the announcement that tokens are, None where they are none."""
        to = _Recipients()
        begun, rest, kind = self._verb(tokens)
        if not kind:
            # Where it is for may be said first, before an infinitive.
            found = self._recipient(tokens, to, is_first=True, needs_link=False)
            begun, rest, kind = self._verb(found or [])
        if not kind:
            return None
        needs_nobody = kind == "announce"
        rest = self._recipients(rest, to, needs_link=needs_nobody)
        name = read_stranger(self.text, begun, self.house, self.language) if to.is_empty else None
        if name is not None:
            return Announcement("", unknown=Unknown.PERSON, stranger=name)
        if (to.is_empty and not needs_nobody) or (kind == "let" and not to.belongs):
            return None
        rest = self._without_something(rest, to)
        if not rest and kind == "let" and self.house.lexicon.senses(to.belongs):
            # "Leave everything on" is no message to everybody that is still to be said.
            return None
        if without_first(without_marks(rest)[0], self.words.waits)[1]:
            # "Let Anna know when the machine is done" says when.
            return None
        message, is_joined, is_whole = self.joined(rest)
        if message and not is_joined and self._is_other(message, may_end=needs_nobody):
            # "Announce on the radio that ...": nobody knows where that is.
            return Announcement("", unknown=Unknown.PLACE) if needs_nobody else None
        return Announcement(
            self._said(message) if message else "",
            message[0].start if message else len(self.text),
            tuple(to.places),
            tuple(to.satellites),
            to.people,
            is_whole,
            needs_nobody and not (to.places or to.satellites or to.persons or to.people),
            () if to.is_everyone else tuple(to.persons),
            None if message else Unknown.MESSAGE,
        )

    def _without_something(self, tokens: list[Token], to: _Recipients) -> list[Token]:
        """Return no tokens where these say no message, and the tokens as they are where they do.

        "Something" is none, whether it is said before whom it is for, who are noted, or after them.
        """
        after, is_something = without_first(tokens, self.words.something)
        if is_something:
            also = _Recipients()
            left = self._recipients(after, also, needs_link=True)
            if self._is_silent(left):
                to.places += also.places
                to.satellites += also.satellites
                to.persons += also.persons
                to.people = to.people or also.people
                return []
        return [] if self._is_silent(tokens) else tokens

    def _is_silent(self, tokens: Sequence[Token]) -> bool:
        """Return whether tokens say nothing: marks and what is only polite at most."""
        rest, is_polite = without_marks(tokens)[0], True
        while rest and is_polite:
            after, is_polite = without_first(rest, self.words.polite)
            rest = without_marks(after)[0]
        return not rest

    def _verb(self, tokens: Sequence[Token]) -> tuple[list[Token], list[Token], str]:
        """Return the tokens from the verb that they begin with, those after it, and its list; "" for none."""
        words = self.words
        told = {"announce": words.announce, "tell": words.tell, "let": words.let}
        kinds = {"remind": words.remind} if self.reminds else told
        rest = without_marks(tokens)[0]
        while rest:
            for kind, phrases in kinds.items():
                after, is_verb = without_first(rest, phrases)
                if is_verb and self._asks(rest, len(rest) - len(after)):
                    return [], [], ""
                if is_verb:
                    return rest, after, kind
            size = self._small(rest, frozenset({Role.FILLER}))
            if not size:
                break
            rest = without_marks(rest[size:])[0]
        return [], [], ""

    def _asks(self, tokens: Sequence[Token], size: int) -> bool:
        """Return whether tokens ask to be told something, in more words than those of the verb: "tell me"."""
        words = tuple(token.word for token in tokens)
        longer = range(size + 1, min(_LONGEST, len(words)) + 1)
        return any(_TOLD in self.house.lexicon.senses(words[:end]) for end in longer)

    def _recipients(self, tokens: list[Token], to: _Recipients, *, needs_link: bool) -> list[Token]:
        """Return the tokens after those that say for whom a message is, which are noted."""
        is_first = to.is_empty
        for _ in range(_MOST_RECIPIENTS):
            tokens = self._after_verb(tokens, to)
            found = self._recipient(tokens, to, is_first=is_first, needs_link=needs_link)
            if found is None:
                break
            tokens, is_first = found, False
        return self._after_verb(tokens, to)

    def _after_verb(self, tokens: list[Token], to: _Recipients) -> list[Token]:
        """Return tokens without what belongs to the verb, which is noted."""
        rest, is_there = without_first(tokens, self.words.after)
        if is_there:
            to.belongs = tuple(token.word for token in tokens[: len(tokens) - len(rest)])
        return rest

    def _recipient(
        self, tokens: list[Token], to: _Recipients, *, is_first: bool, needs_link: bool
    ) -> list[Token] | None:
        """Return the tokens after a recipient that they begin with, which is noted; None where they have none.

        One that nothing leads to ("in", "to") may be what the message is about: "tell the kids the kitchen is a mess".
        """
        rest, is_led = tokens, False
        while rest and not without_first(rest, (*self.words.that, *self.words.whole))[1]:
            for size in range(min(self.house.longest + 1, len(rest), _LONGEST), 0, -1):
                after = rest[size:]
                if self._is_part_of_name(rest, size):
                    continue
                is_said = is_led or (is_first and not needs_link)
                # Where nothing follows, it is no message either: "make an announcement upstairs".
                is_plain = is_said or self._is_joined(after) or self._is_silent(after)
                # "The kitchen lights" is no place.
                is_place = is_plain and not self._is_of_thing(after)
                if self._note(rest[:size], to, is_place=is_place):
                    return after
                if is_plain and self._note_persons(rest[:size], to):
                    return after
            is_led = is_led or self._has(rest[:1], _LEADING | {Role.AND})
            size = self._small(rest, _SMALL | (frozenset() if is_first else {Role.AND}))
            if not size:
                return None
            rest = rest[size:]
        return None

    def _is_part_of_name(self, tokens: Sequence[Token], size: int) -> bool:
        """Return whether the first tokens end within a longer name: "the kids" of "the kids room"."""
        return any(
            sense.role in {Role.PLACE, Role.NAME}
            for begin in range(size)
            for end in range(size + 1, min(begin + self.house.longest, len(tokens)) + 1)
            for sense in self.house.senses(tuple(t.word for t in tokens[begin:end]))
        )

    def _note(self, tokens: Sequence[Token], to: _Recipients, *, is_place: bool) -> bool:
        """Note whom tokens name, and return whether they name anybody."""
        phrase = tuple(token.word for token in tokens)
        if phrase in self.words.everyone:
            to.is_everyone = True
            return True
        senses = [*self.house.senses(phrase), *self.house.lexicon.senses(phrase)]
        if any(sense.role is Role.EVERYWHERE for sense in senses):
            to.is_everyone = True
            return True
        if phrase in self.words.people:
            if rooms := self._rooms_of(phrase[-1]):
                to.places.extend(rooms)
            to.people = " ".join(phrase)
            return True
        if not is_place:
            return False
        places = [sense.value for sense in senses if sense.role is Role.PLACE]
        named = [s.value for s in senses if s.role is Role.NAME and s.value.domain == SATELLITE]
        to.places.extend(places)
        to.satellites.extend(named)
        return bool(places or named)

    def _note_persons(self, tokens: Sequence[Token], to: _Recipients) -> bool:
        """Note the persons of the house who are called so, and return whether anybody is."""
        phrase = tuple(token.word for token in tokens)
        called = persons_called(phrase, self.persons, self.house)
        rooms = tuple(self._rooms_of(phrase[0])) if called else ()
        for person in called:
            first, *others = person.name.split()
            is_short = bool(others) and len(phrase) == 1
            to.persons.append(Addressee(person, first if is_short else person.name, rooms))
        return bool(called)

    def _is_of_thing(self, tokens: Sequence[Token]) -> bool:
        """Return whether tokens begin with what the words before may belong to: a device, or a value of it."""
        return self._has(tokens[:1], _OF_PLACES)

    def _rooms_of(self, word: str) -> list[Place]:
        """Return the rooms that are called after somebody: "Kids Room", "Kinderzimmer", "chambre des enfants"."""
        lexicon = self.house.lexicon
        stem = lexicon.stem(word)
        compounds = {
            f"{form}{link}{room}"
            for form in (word, stem)
            for link in lexicon.links
            for room in lexicon.rooms
        }
        return [
            area
            for area in self.house.catalog.areas.values()
            if any(
                part == word or lexicon.stem(part) == stem or part in compounds
                for name in area.names
                for part in spoken_words(name)
            )
        ]

    def joined(self, tokens: list[Token]) -> tuple[list[Token], bool, bool]:
        """Return the tokens of the message, whether something joins it, and whether it is what somebody shall do."""
        rest, is_marked = without_marks(tokens)
        after, is_that = without_first(rest, self.words.that)
        if is_that:
            return without_marks(after)[0], True, False
        if without_first(rest, self.words.whole)[1]:
            return rest, True, False
        after, is_to = without_first(rest, self.words.to)
        return (after if is_to else rest), is_marked or is_to, is_to

    def _is_joined(self, tokens: Sequence[Token]) -> bool:
        """Return whether a message is joined to what is before these tokens, by a word or a mark."""
        rest, is_marked = without_marks(without_first(tokens, self.words.after)[0])
        return is_marked or without_first(rest, (*self.words.that, *self.words.whole))[1]

    def _is_other(self, tokens: Sequence[Token], *, may_end: bool) -> bool:
        """Return whether tokens say first where or when, in words that are not known, and then the message.

        What `may_end` there may have no message: "make an announcement in the shed".
        """
        if not self._has(tokens[:1], _LEADING):
            return False
        joining = (*self.words.that, *self.words.whole, *self.words.to)
        is_short = sum(not token.is_mark for token in tokens) <= _MOST_OF_PLACE
        return (may_end and is_short) or any(
            without_first(tokens[at:], joining)[1] for at in range(1, len(tokens))
        )

    def _said(self, tokens: Sequence[Token]) -> str:
        """Return the message word for word, without quotation marks around it."""
        end = len(self.text)
        said = self.text[tokens[0].start : end].rstrip(" ,;.:")
        if not self._begins_with_verb():
            # "Can you tell the kids it is late?" is what is asked, and not what is told.
            said = said.rstrip("? ")
        return said.strip(_QUOTES).strip()

    def _begins_with_verb(self) -> bool:
        """Return whether the text begins with its verb, and not with courtesy."""
        verbs = (*self.words.announce, *self.words.tell, *self.words.let)
        return without_first(tokenise(self.text), verbs)[1]

    def _small(self, tokens: Sequence[Token], roles: frozenset[Role]) -> int:
        """Return the number of tokens at the beginning that are only small words; 0 for none."""
        for size in range(min(_LONGEST, len(tokens)), 0, -1):
            if self._has(tokens[:size], roles):
                return size
        return 0

    def _has(self, tokens: Sequence[Token], roles: frozenset[Role]) -> bool:
        """Return whether tokens together have one of some roles."""
        phrase = tuple(token.word for token in tokens)
        return any(sense.role in roles for sense in self.house.lexicon.senses(phrase))


_LONGEST = 6
# "In the shed".
_MOST_OF_PLACE = 3
