"""Requests about lists: "add milk and eggs to the shopping list", "what's on my list?", "is milk on it?".

Items are cut at the borders of words, so that each is what was said of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .phrase_lists import ListWords
from .tokens import Phrase, Token, matches, tokenise, without_first

LIST_REQUEST = "list"
"""Name of the intent of a `ListRequest`: the slots `wish`, `items`, and `is_unsaid` where these are not known."""

SHOPPING, ANY = "shopping", "any"
"""What is said of a list without a name: that it is for shopping, and nothing."""


class ListWish(StrEnum):
    """What is wanted of a list: items put there, ticked off or taken away, all taken away, read, or looked for."""

    ADD = "add"
    COMPLETE = "complete"
    REMOVE = "remove"
    CLEAR = "clear"
    READ = "read"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A wish for a list with its items; `is_unsaid` where none of them can be told from the words.

    `lists` are the ids of those that are called so; else `kind` is SHOPPING or ANY, or "" where no list is spoken of.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReader:
    """Reads requests about lists; `named` are their names by their ids, `polite` says nothing."""

    words: ListWords
    named: Mapping[str, Sequence[Phrase]]
    polite: Sequence[Phrase] = ()

    def read(self, text: str) -> ListRequest | None:
        """Return what a text wants of a list, None for a text that is no such request."""
        tokens = self._without_courtesy(list(tokenise(text)))
        for wish, verbs in ((ListWish.READ, self.words.read), (ListWish.CLEAR, self.words.clear)):
            rest, is_said = without_first(tokens, verbs)
            if is_said and (found := self._only_list(rest)):
                return ListRequest(wish, (), *found)
        return (
            self._acting(text, tokens, ListWish.REMOVE)
            or self._acting(text, tokens, ListWish.COMPLETE)
            or self._acting(text, tokens, ListWish.ADD)
            or self._checking(text, tokens)
        )

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
        if not (is_last or (is_first and not is_add)):
            return None
        rest, _ = self._without_last(rest, self.polite)
        for begin in range(len(rest)):
            if found := self._list_at_end(rest[begin:], leads):
                if begin == 0 and not (is_first and wish is ListWish.ADD):
                    return None
                said, _ = self._without_last(rest[:begin], ends)
                return self._request(text, wish, said, found)
        if found_first := self._list_at_start(rest, leads):
            size, lists, kind = found_first
            return self._request(text, wish, rest[size:], (lists, kind))
        # "Mark the milk as done"
        is_done = wish is ListWish.COMPLETE and is_first and is_last
        return self._request(text, wish, rest, ((), "")) if is_done else None

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

    def _request(
        self,
        text: str,
        wish: ListWish,
        said: Sequence[Token],
        found: tuple[tuple[str, ...], str],
    ) -> ListRequest | None:
        """Return the request for the items in some tokens, None for none where it is nothing without them."""
        _, is_unsaid = without_first(said, self.words.unsaid)
        items = () if is_unsaid else tuple(self._items(text, said))
        if is_unsaid and wish is not ListWish.ADD:
            return None
        is_lacking = not (items or is_unsaid)
        if is_lacking and (said or wish is not ListWish.ADD):
            return None
        return ListRequest(wish, items, *found, is_unsaid=is_unsaid)

    def _items(self, text: str, said: Sequence[Token]) -> list[str]:
        """Return the items that marks and words join, each as it was said, without its article."""
        items: list[list[Token]] = [[]]
        at = 0
        while at < len(said):
            rest, joins = without_first(said[at:], self.words.joining)
            if said[at].is_mark or joins:
                items.append([])
                at = len(said) - len(rest) if joins else at + 1
            else:
                items[-1].append(said[at])
                at += 1
        found = []
        for item in items:
            named, _ = without_first(item, self.words.article)
            if kept := named or item:
                found.append(text[kept[0].start : kept[-1].end])
        return list(dict.fromkeys(found))

    def _only_list(self, tokens: list[Token]) -> tuple[tuple[str, ...], str] | None:
        """Return the list that tokens are, with or without words that lead to it; None for anything else."""
        rest, _ = without_first(tokens, (*self.words.onto, *self.words.out_of))
        rest, _ = without_first(rest, self.words.own)
        bare, _ = self._without_last(rest, self.words.added)
        return self._list(_words(rest)) or self._list(_words(bare))

    def _list_at_end(
        self, tokens: Sequence[Token], leads: Sequence[Phrase]
    ) -> tuple[tuple[str, ...], str] | None:
        """Return the list that tokens are, with the words that lead to it; None for anything else."""
        rest, is_led = without_first(tokens, leads)
        rest, _ = without_first(rest, self.words.own)
        return self._list(_words(rest)) if is_led else None

    def _list_at_start(
        self, tokens: Sequence[Token], leads: Sequence[Phrase]
    ) -> tuple[int, tuple[str, ...], str] | None:
        """Return the list that tokens begin with, the longest, and how many of them it takes."""
        for end in range(len(tokens) - 1, 0, -1):
            if found := self._list_at_end(tokens[:end], leads):
                return end, *found
        return None

    def _list(self, said: Phrase) -> tuple[tuple[str, ...], str] | None:
        """Return the lists that are called by some words, or what kind of list these are; None for neither."""
        named = tuple(
            entity_id
            for entity_id, names in self.named.items()
            if any(said in self._called(name) for name in names)
        )
        if named:
            return named, ""
        if said in self.words.shopping:
            return (), SHOPPING
        return ((), ANY) if said in self.words.list else None

    def _called(self, name: Phrase) -> set[Phrase]:
        """Return what a list of some name is called: by the name, with the noun behind it or before it."""
        nouns, joins = self.words.list, (*self.words.of, ())
        before = {(*noun, *of, *name) for noun in nouns for of in joins}
        return {name, *((*name, *noun) for noun in nouns), *before}

    def _without_courtesy(self, tokens: list[Token]) -> list[Token]:
        """Return tokens without what is polite at their beginning and the marks at their end."""
        while tokens and tokens[-1].is_mark:
            tokens.pop()
        rest, is_polite = without_first(tokens, self.polite)
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


def _words(tokens: Sequence[Token]) -> Phrase:
    """Return the words of tokens."""
    return tuple(token.word for token in tokens)
