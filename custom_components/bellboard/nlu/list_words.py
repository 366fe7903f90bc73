"""Words for lists: the `lists` section of a language's file."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .media_words import Phrase, load_phrases


@dataclass(frozen=True, slots=True)
class ListWords:
    """Words of a language for what is put on lists.

    `add` are the verbs, `added` what may stand at the end for them, `onto` and `own` what stands before a list
    ("on my"), `list` the noun for any list, `of` what joins it with a name, `shopping` the names of a shopping list.
    `and` joins items, `article` are the words before one that do not belong to it. What is `unsaid` begins words
    for items that only somebody who knows more can tell ("all that goes into a cake").
    """

    add: tuple[Phrase, ...] = ()
    added: tuple[Phrase, ...] = ()
    onto: tuple[Phrase, ...] = ()
    own: tuple[Phrase, ...] = ()
    list: tuple[Phrase, ...] = ()
    of: tuple[Phrase, ...] = ()
    shopping: tuple[Phrase, ...] = ()
    joining: tuple[Phrase, ...] = ()
    article: tuple[Phrase, ...] = ()
    unsaid: tuple[Phrase, ...] = ()


def load_list_words(data: Mapping[str, Any]) -> ListWords:
    """Return the words of a language from the `lists` section of its file."""
    return ListWords(
        **{each.name: load_phrases(data.get(each.name, ())) for each in fields(ListWords)}
    )
