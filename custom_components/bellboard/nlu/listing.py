"""Requests about lists: "add milk and eggs to the shopping list", "what's on my list?", "is milk on it?".

Items are cut at the borders of words, so that each is what was said of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import product

from .lexicon import Lexicon, Role, holds_any
from .phrase_lists import ListWords
from .tokens import Phrase, Token, matches, spoken_words, tokenise, without_first

LIST_REQUEST = "list"
"""Name of the intent of a `ListRequest`: the slots `wish`, `items`, and `is_unsaid` where these are not known."""

SHOPPING, TASKS, ANY, OTHER = "shopping", "tasks", "any", "other"
"""Kinds of a list without a known name: for shopping, for what is to be done, any, and one that is not there."""

type _Found = tuple[tuple[str, ...], str]
# Words of the name of a list that is not there, beside its noun.
_MOST_OF_NAME = 2
# How often words that say nothing are taken from a request that is none with them.
_MOST_FILLERS = 6
# Share of the letters of a verb that its other forms have.
_ALIKE = 0.5
# What is said of devices and timers, and not of items.
_OF_HOME = frozenset({Role.KIND, Role.STATE, Role.OTHER})
# A noun of fewer letters ends words that are no compounds with it.
_SHORTEST_NOUN = 4


class ListWish(StrEnum):
    """Wish for a list: items put there, ticked off or taken, all taken, read, looked for; or which lists there are."""

    ADD = "add"
    COMPLETE = "complete"
    REMOVE = "remove"
    CLEAR = "clear"
    READ = "read"
    CHECK = "check"
    WHICH = "which"


_OF_ITEMS = (ListWish.ADD, ListWish.COMPLETE, ListWish.REMOVE)


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A wish for a list with its items; `is_unsaid` where they cannot be told from the words.

    `lists` are the ids of those that are called so; else `kind` says which, "" where no list is spoken of.
    """

    wish: ListWish
    items: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    kind: str = ""
    is_unsaid: bool = False

    @property
    def lacks_items(self) -> bool:
        """Return whether it is not said what is to be put on the list."""
        return self.wish is ListWish.ADD and not (self.items or self.is_unsaid)


@dataclass(frozen=True, kw_only=True)
class ListReader:
    """Reads requests about lists; `named` are their names by their ids, `held` their open items.

    `polite` says nothing, `before` is the last request about a list: then "it" is what that was for.
    """

    words: ListWords
    lexicon: Lexicon
    named: Mapping[str, Sequence[Phrase]]
    held: Mapping[str, Sequence[str]]
    polite: Sequence[Phrase] = ()
    before: ListRequest | None = None

    def read(self, text: str, *, most: int = _MOST_FILLERS) -> ListRequest | None:
        """Return what a text wants of a list, None for a text that is no such request.

        Up to `most` times it is read again without words that say nothing.
        """
        said = list(tokenise(text))
        tokens = self._without_courtesy(said)
        # "Ich muss was auf die Liste schreiben" asks for nothing.
        is_wanted = without_first(said, self.words.wanting)[1]
        found = (
            (None if is_wanted else self._asking(tokens))
            or self._acting(text, tokens, ListWish.REMOVE)
            or self._acting(text, tokens, ListWish.COMPLETE)
            or self._acting(text, tokens, ListWish.ADD)
            or (self._asking(tokens) if is_wanted else None)
            or self._checking(text, tokens)
            or self._ticking(tokens)
        )
        if found or not (tokens and most):
            return found
        # "Can you", "then", "again"
        begin, end = self.lexicon.filler_at(_words(tokens)), len(tokens)
        end -= bool(not begin and self.lexicon.filler_at(_words(tokens[-1:])))
        is_less = end - begin < len(tokens) and begin < end
        rest = text[tokens[begin].start : tokens[end - 1].end] if is_less else ""
        return self.read(rest, most=most - 1) if rest else None

    def read_more(
        self, said: str, text: str, spoken: tuple[str, ...], *, adds: bool
    ) -> ListRequest | None:
        """Return what a text wants of the list that `said` was about: "and yoghurt, too", "what is left on it?".

        `spoken` are the ids of the lists that were spoken of otherwise. With `adds` the text may only name items.
        """
        before = self.read(said) or ListRequest(ListWish.ADD, (), spoken)
        if not (before.lists or before.kind):
            return None
        tokens = self._without_courtesy(list(tokenise(text)))
        is_more = self.lexicon.adds
        while tokens and (tokens[0].is_mark or is_more((tokens[0].word,))):
            tokens = tokens[1:]
        if found := replace(self, before=before).read(text[tokens[0].start :] if tokens else ""):
            return found
        while tokens and (tokens[-1].is_mark or is_more((tokens[-1].word,))):
            tokens.pop()
        if not (adds and tokens):
            return None
        wish = before.wish if before.wish in _OF_ITEMS else ListWish.ADD
        return self._request(text, wish, tokens, (before.lists, before.kind))

    def read_answer(self, said: str, answer: str) -> ListRequest | None:
        """Return a request with the items that an answer says, None where the request lacked none."""
        asked = self.read(said)
        if asked is None or not asked.lacks_items:
            return None
        if (whole := self.read(answer)) and not whole.lacks_items:
            return whole
        tokens = self._without_courtesy(list(tokenise(answer)))
        return self._request(answer, ListWish.ADD, tokens, (asked.lists, asked.kind))

    def _acting(self, text: str, tokens: list[Token], wish: ListWish) -> ListRequest | None:
        """Return what a text that begins or ends with a verb wants done with items, None for another text."""
        words = self.words
        verbs, ends, leads = {
            ListWish.ADD: (words.add, words.added, words.onto),
            ListWish.REMOVE: (words.remove, words.removed, words.out_of),
            ListWish.COMPLETE: (words.complete, words.completed, (*words.out_of, *words.onto)),
        }[wish]
        rest, is_first = without_first(tokens, verbs)
        rest, is_last = self._without_last(rest, ends)
        # "Segna il latte" writes it down, "segna il latte come fatto" ticks it off.
        is_add = wish is ListWish.COMPLETE and without_first(tokens, words.add)[1]
        if wish is ListWish.ADD and not (is_first or is_last):
            # "Apples have to go on the list"
            at = self._last_list(rest, leads)
            is_last = bool(at and self._without_last(rest[: at[0]], words.needed)[1])
        if not (is_last or (is_first and not is_add)):
            return None
        rest, _ = self._without_last(rest, self.polite)
        if found_last := self._last_list(rest, leads):
            begin, found = found_last
            if begin == 0 and not (is_first and wish is ListWish.ADD):
                return None
            said, _ = self._without_last(rest[:begin], (*ends, *self.words.needed))
            return self._request(text, wish, said, found)
        if found_first := self._list_at_start(rest, leads):
            size, lists, kind = found_first
            return self._request(text, wish, rest[size:], (lists, kind))
        if wish is ListWish.ADD and is_first:
            # "Note something to do"
            for phrase, found in self._by_purpose.items():
                said, is_meant = self._without_last(rest, (phrase,))
                if is_meant and self._is_vague(said):
                    return ListRequest(wish, (), *found)
        if self.before and is_first:
            said, _ = self._without_last(rest, leads)
            return self._of_before(text, wish, tokens, said)
        # "Mark the milk as done"
        is_done = wish is ListWish.COMPLETE and is_first and is_last
        return self._request(text, wish, rest, ((), "")) if is_done else None

    def _of_before(
        self, text: str, wish: ListWish, tokens: Sequence[Token], said: Sequence[Token]
    ) -> ListRequest | None:
        """Return what is wanted of the list that was spoken of, None for what may be no item: "put the kettle on"."""
        lists = (self.before.lists, self.before.kind) if self.before else ((), "")
        found = self._request(text, wish, said, lists)
        is_held = any(self._tells(said, item) for items in self.held.values() for item in items)
        is_them = _words(said) in self.words.them
        is_own = wish is ListWish.ADD and not self._acts(tokens[0])
        return found if is_own or is_held or is_them else None

    def _checking(self, text: str, tokens: list[Token]) -> ListRequest | None:
        """Return the question whether items are on a list, None for another text."""
        rest, is_first = without_first(tokens, self.words.asked)
        for begin in range(1, len(rest)):
            after, is_asked = (
                (rest[begin:], True) if is_first else without_first(rest[begin:], self.words.asked)
            )
            if not is_asked or not (is_first or "?" in text):
                continue
            if found := self._list_at_end(after, self.words.onto):
                # "Est-ce que le sel est sur ..."
                said, _ = self._without_last(rest[:begin], self.words.asked)
                return self._request(text, ListWish.CHECK, said, found)
        return None

    def _asking(self, tokens: list[Token]) -> ListRequest | None:
        """Return the request to empty or read a list, or to say which there are; None for any other."""
        words = self.words
        around: Sequence[Phrase] = (*words.onto, *words.out_of, *words.own, *words.added)
        for wish, verbs in ((ListWish.CLEAR, words.clear), (ListWish.READ, words.read)):
            rest, is_first = without_first(tokens, verbs)
            rest, is_last = (rest, True) if is_first else self._without_last(rest, verbs)
            if not is_last:
                continue
            if wish is ListWish.CLEAR:
                found = self._list_among(rest, self._called, around)
            else:
                around = sorted((*around, *words.around), key=len, reverse=True)
                every = dict.fromkeys(words.lists, ((), ANY))
                if self._list_among(rest, every, around):
                    return ListRequest(ListWish.WHICH, kind=ANY)
                found = self._list_among(rest, {**self._by_purpose, **self._called}, around)
            if found:
                return ListRequest(wish, (), *found)
        return None

    def _list_among(
        self, tokens: Sequence[Token], lists: Mapping[Phrase, _Found], around: Sequence[Phrase]
    ) -> _Found | None:
        """Return the one of some lists that tokens name, None for several or where they say more than that."""
        found: list[_Found] = []
        rest = list(tokens)
        while rest:
            longest = min(len(rest), max(map(len, lists), default=0))
            sizes = (n for n in range(longest, 0, -1) if _words(rest[:n]) in lists)
            if size := next(sizes, 0):
                found.append(lists[_words(rest[:size])])
                rest = rest[size:]
                continue
            after, is_around = without_first(rest, around)
            if not (is_around or rest[0].is_mark or self.lexicon.is_small(rest[0].word)):
                return None
            rest = after if is_around else rest[1:]
        # "What do we need to buy from the list?"
        found.sort(key=lambda each: (not each[0], each[1] == ANY))
        is_one = len({each for each in found if each[0]}) < _MOST_OF_NAME
        return found[0] if found and is_one else None

    def _ticking(self, tokens: list[Token]) -> ListRequest | None:
        """Return that an open item is done, with whatever tells so: "I watered the plants, tick it off"."""
        said = [token for token in tokens if not self.lexicon.is_small(token.word)]
        rest: list[Token] = []
        ticks, is_done = _without_small(self.words.tick, self.lexicon), False
        while said:
            after, is_tick = without_first(said, ticks)
            is_done |= is_tick
            rest, said = (rest, after) if is_tick else ([*rest, said[0]], said[1:])
        is_due = holds_any(tuple(token.word for token in tokens), self.words.due)
        if not is_done or is_due or any(self._acts(token) for token in rest):
            return None
        found = [
            (entity_id, item)
            for entity_id, items in self.held.items()
            for item in items
            if self._tells(rest, item)
        ]
        around = {*self.words.around, *self.words.list, *self.words.onto}
        if self.before and all(token.is_mark or (token.word,) in around for token in rest):
            found = [(each, item) for each in self.before.lists for item in self.held.get(each, ())]
            found = [each for each in found if each[1] in self.before.items] or found
        if len(found) != 1:
            return None
        ((entity_id, item),) = found
        return ListRequest(ListWish.COMPLETE, (item,), (entity_id,))

    def _acts(self, token: Token) -> bool:
        """Return whether a word may be the verb of a command, or deny something."""
        roles = {sense.role for sense in self.lexicon.senses((token.word,))}
        # "I have", as in "have the lamp on"
        roles = set() if (token.word,) in self.words.around else roles
        return not roles.isdisjoint({Role.VERB, Role.EXCEPT})

    def _tells(self, rest: Sequence[Token], item: str) -> bool:
        """Return whether words name an item: all of its words, one of several perhaps in another form ("watered")."""
        stem, is_small = self.lexicon.stem, self.lexicon.is_small
        said = [stem(token.word) for token in rest]
        wanted = [stem(word) for word in spoken_words(item) if not is_small(word)]
        missing = [word for word in wanted if word not in said]
        if not missing or not wanted[1:]:
            return bool(wanted) and not missing
        is_alike = any(_likeness(missing[0], word) >= _ALIKE for word in said)
        return len(missing) == 1 and is_alike

    def _request(
        self, text: str, wish: ListWish, said: Sequence[Token], found: _Found
    ) -> ListRequest | None:
        """Return the request for the items in some tokens, None for none where it is nothing without them."""
        words = _words(said)
        if self.before and words in self.words.them:
            items = self.before.items
            return ListRequest(wish, items, *found) if items else None
        if wish is ListWish.ADD and self._is_vague(said):
            said = ()
        _, is_unsaid = without_first(said, self.words.unsaid)
        items = () if is_unsaid else tuple(self._items(text, said))
        # "Milk, no eggs" may mean either.
        is_unsaid |= any(self._corrects(tokenise(item)) for item in items[1:])
        is_unsaid |= wish is ListWish.ADD and self._are_commands(items)
        if is_unsaid and wish is not ListWish.ADD:
            return None
        is_lacking = not (items or is_unsaid)
        if is_lacking and (said or wish is not ListWish.ADD):
            return None
        return ListRequest(wish, items, *found, is_unsaid=is_unsaid)

    def _are_commands(self, items: Sequence[str]) -> bool:
        """Return whether what stands before a verb is for something else: "set a timer and note tomatoes"."""
        said = [list(tokenise(item)) for item in items]
        begun = [at for at, item in enumerate(said) if without_first(item, self.words.add)[1]]
        is_other = (
            not {sense.role for sense in self.lexicon.senses((token.word,))}.isdisjoint(_OF_HOME)
            for item in said[: begun[-1] if begun else 0]
            for token in item
        )
        return any(is_other)

    def _is_vague(self, said: Sequence[Token]) -> bool:
        """Return whether words are no item: "something", "there"."""
        rest, is_more = [*said], bool(said)
        while is_more and _words(rest) not in self.words.something:
            rest, is_more = without_first(rest, self.words.article)
        return bool(said) and (not rest or _words(rest) in self.words.something)

    def _items(self, text: str, said: Sequence[Token]) -> list[str]:
        """Return the items that marks and words join, each as it was said, without its article."""
        items: list[list[Token]] = [[]]
        at = 0
        while at < len(said):
            rest, corrects = without_first(said[at:], self.words.corrected)
            if corrects and (items[-1] or items[1:]):
                # "Milk, no wait, eggs", "milk, no, sorry, eggs"
                while items and (not items[-1] or self._corrects(items[-1])):
                    items.pop()
                items, at = [*items[:-1], []], len(said) - len(rest)
                continue
            rest, joins = without_first(said[at:], self.words.joining)
            if said[at].is_mark or joins:
                items.append([])
                at = len(said) - len(rest) if joins else at + 1
            else:
                items[-1].append(said[at])
                at += 1
        found = []
        for item in map(self._without_also, items):
            kept, named = item, without_first(item, self.words.article)[0]
            while named and len(named) < len(kept):
                kept, named = named, without_first(named, self.words.article)[0]
            while kept[1:] and self.lexicon.filler_at((kept[-1].word,)):
                kept = kept[:-1]
            if kept:
                found.append(text[kept[0].start : kept[-1].end])
        return list(dict.fromkeys(found))

    def _corrects(self, item: Sequence[Token]) -> bool:
        """Return whether an item begins like a correction or a negation, or is one."""
        senses = self.lexicon.senses(_words(item[:1]))
        is_denied = any(sense.role is Role.EXCEPT for sense in senses)
        return is_denied or self.lexicon.corrects((*_words(item), ""))

    def _without_also(self, item: list[Token]) -> list[Token]:
        """Return an item without "too" at its beginning or its end."""
        adds = self.lexicon.adds
        while item[1:] and adds((item[0].word,)):
            item = item[1:]
        while item[1:] and adds((item[-1].word,)):
            item = item[:-1]
        return item

    def _last_list(
        self, tokens: Sequence[Token], leads: Sequence[Phrase]
    ) -> tuple[int, _Found] | None:
        """Return the list that tokens end with, and where it begins; last of all one that is not there."""
        for begin in range(len(tokens)):
            if found := self._list_at_end(tokens[begin:], leads):
                return begin, found
        for begin in range(1, len(tokens)):
            rest, is_led = without_first(tokens[begin:], leads)
            rest, _ = without_first(rest, self.words.own)
            if is_led and self._is_other(_words(rest)):
                return begin, ((), OTHER)
        return None

    def _is_other(self, said: Phrase) -> bool:
        """Return whether words name a list that is not there: "holiday list", "Packliste", "lista de viaje"."""
        nouns = {noun[0] for noun in self.words.list if not noun[1:]}
        if not said or said in self.lexicon.media.kinds.get("playlist", ()):
            return False
        if not said[1:]:
            longer = (noun for noun in nouns if len(noun) >= _SHORTEST_NOUN and noun != said[0])
            return any(said[0].endswith(noun) for noun in longer)
        rest = [token for token in said[1:] if not self.lexicon.is_small(token)]
        name = rest if said[0] in nouns else said[:-1] if said[-1] in nouns else ()
        return 0 < len(name) <= _MOST_OF_NAME

    def _list_at_end(self, tokens: Sequence[Token], leads: Sequence[Phrase]) -> _Found | None:
        """Return the list that tokens are, with the words that lead to it; None for anything else."""
        rest, is_led = without_first(tokens, leads)
        rest, _ = without_first(rest, self.words.own)
        return self._called.get(_words(rest)) if is_led else None

    def _list_at_start(
        self, tokens: Sequence[Token], leads: Sequence[Phrase]
    ) -> tuple[int, tuple[str, ...], str] | None:
        """Return the list that tokens begin with, the longest, and how many of them it takes."""
        for end in range(len(tokens) - 1, 0, -1):
            if found := self._list_at_end(tokens[:end], leads):
                return end, *found
        return None

    @cached_property
    def _by_purpose(self) -> Mapping[Phrase, _Found]:
        """Return the kinds of lists by what is done with their items: "to do", "to buy"."""
        words = self.words
        kinds = {**dict.fromkeys(words.doing, TASKS), **dict.fromkeys(words.buying, SHOPPING)}
        return {phrase: ((), kind) for phrase, kind in kinds.items()}

    @cached_property
    def _called(self) -> Mapping[Phrase, _Found]:
        """Return the lists by what they are called: by a name, also with the noun behind it or before it."""
        words = self.words
        joins = (*words.of, ())
        found: dict[Phrase, _Found] = {
            **dict.fromkeys(words.list, ((), ANY)),
            **dict.fromkeys(words.tasks, ((), TASKS)),
            **dict.fromkeys(words.shopping, ((), SHOPPING)),
        }
        if self.before:
            found.update(dict.fromkeys(words.thereon, (self.before.lists, self.before.kind)))
        named: dict[Phrase, tuple[str, ...]] = {}
        for entity_id, names in self.named.items():
            for name in names:
                before = {(*noun, *of, *name) for noun in words.list for of in joins}
                for phrase in {name, *((*name, *noun) for noun in words.list), *before}:
                    named[phrase] = tuple(dict.fromkeys((*named.get(phrase, ()), entity_id)))
        return {**found, **{phrase: (ids, "") for phrase, ids in named.items()}}

    def _without_courtesy(self, tokens: list[Token]) -> list[Token]:
        """Return tokens without what is polite at their beginning and the marks at their end."""
        while tokens and tokens[-1].is_mark:
            tokens.pop()
        rest, is_polite = without_first(tokens, (*self.polite, *self.words.wanting))
        return self._without_courtesy(rest) if is_polite else tokens

    def _without_last(
        self, tokens: list[Token], phrases: Sequence[Phrase]
    ) -> tuple[list[Token], bool]:
        """Return tokens without the longest of some phrases at their end, and whether there was one."""
        for phrase in phrases:
            if len(tokens) > len(phrase) and matches(tokens[-len(phrase) :], phrase):
                kept = tokens[: -len(phrase)]
                return kept[:-1] if kept[-1].is_mark else kept, True
        return tokens, False


def _likeness(word: str, other: str) -> float:
    """Return how much of two verbs is the same, without the prefix of participles: "gießen" and "gegossen"."""
    forms = product((word, word.removeprefix("ge")), (other, other.removeprefix("ge")))
    alike = (SequenceMatcher(None, *each).ratio() for each in forms if each[0][:1] == each[1][:1])
    return max(alike, default=0.0)


@lru_cache(maxsize=16)
def _without_small(phrases: Sequence[Phrase], lexicon: Lexicon) -> list[Phrase]:
    """Return phrases without the small words in them, the longest first."""
    found = (tuple(w for w in phrase if not lexicon.is_small(w)) for phrase in phrases)
    return sorted({phrase for phrase in found if phrase}, key=len, reverse=True)


def _words(tokens: Sequence[Token]) -> Phrase:
    """Return the words of tokens."""
    return tuple(token.word for token in tokens)
