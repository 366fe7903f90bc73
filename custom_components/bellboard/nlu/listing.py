"""Items to put on a list: "add milk, eggs and butter to the shopping list".

Items are cut at the borders of words, so that each is what was said of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .phrase_lists import ListWords
from .tokens import Phrase, Token, matches, tokenise, without_first

ADD_ITEMS = "add_items"
"""Name of the intent that puts items on a list: the slot `items`, and `is_unsaid` where these are not known."""

SHOPPING, ANY = "shopping", "any"
"""What is said of a list without a name: that it is for shopping, and nothing."""


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Items that are to be put on a list; `is_unsaid` where none of them can be told from the words.

    `lists` are the ids of those that are called so; else it is SHOPPING or ANY.
    """

    items: tuple[str, ...]
    lists: tuple[str, ...] = ()
    kind: str = ""
    is_unsaid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReader:
    """Reads what is to be put on lists; `named` are their names by their ids, `polite` says nothing."""

    words: ListWords
    named: Mapping[str, Sequence[Phrase]]
    polite: Sequence[Phrase] = ()

    def read(self, text: str) -> ListRequest | None:
        """Return the items that a text puts on a list, None for a text that is no such request."""
        tokens = self._without_courtesy(list(tokenise(text)))
        rest, is_first = without_first(tokens, self.words.add)
        rest, is_last = self._without_last(rest, self.words.added)
        if not (is_first or is_last):
            return None
        rest, _ = self._without_last(rest, self.polite)
        for begin in range(len(rest)):
            if begin and (found := self._list_at_end(rest[begin:])):
                return self._request(text, rest[:begin], *found)
        if found_first := self._list_at_start(rest):
            size, lists, kind = found_first
            return self._request(text, rest[size:], lists, kind)
        return None

    def _request(
        self, text: str, said: Sequence[Token], lists: tuple[str, ...], kind: str
    ) -> ListRequest | None:
        """Return the request for the items in some tokens, None for none."""
        _, is_unsaid = without_first(said, self.words.unsaid)
        items = () if is_unsaid else tuple(self._items(text, said))
        if not (items or is_unsaid):
            return None
        return ListRequest(items, lists, kind, is_unsaid=is_unsaid)

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

    def _list_at_end(self, tokens: Sequence[Token]) -> tuple[tuple[str, ...], str] | None:
        """Return the list that tokens are, with the words that lead to it; None for anything else."""
        rest, is_led = without_first(tokens, self.words.onto)
        rest, _ = without_first(rest, self.words.own)
        found = self._list(tuple(token.word for token in rest))
        return found if is_led else None

    def _list_at_start(self, tokens: Sequence[Token]) -> tuple[int, tuple[str, ...], str] | None:
        """Return the list that tokens begin with, the longest, and how many of them it takes."""
        for end in range(len(tokens) - 1, 0, -1):
            if found := self._list_at_end(tokens[:end]):
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
