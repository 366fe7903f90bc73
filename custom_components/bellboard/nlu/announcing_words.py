"""Words for announcements: the `announcing` section of a language's file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from .media_words import Phrase, load_phrases
from .spellings import spell_out


@dataclass(frozen=True, slots=True)
class AnnouncingWords:
    """Words of a language for announcements.

    `announce` are verbs that need no more than a message, `tell` those that need somebody, `let` those that need
    what belongs to them and stands after that ("let everyone know"), which is `after`. `everyone` and `people` are
    those who may be told; `people` have a room where one is called after them. `that` joins a message and is left
    out, `whole` joins it and belongs to it, `to` joins what somebody shall do.
    """

    announce: tuple[Phrase, ...] = ()
    tell: tuple[Phrase, ...] = ()
    let: tuple[Phrase, ...] = ()
    after: tuple[Phrase, ...] = ()
    everyone: tuple[Phrase, ...] = ()
    people: tuple[Phrase, ...] = ()
    that: tuple[Phrase, ...] = ()
    whole: tuple[Phrase, ...] = ()
    to: tuple[Phrase, ...] = ()


def load_announcing_words(data: Mapping[str, Sequence[str]]) -> AnnouncingWords:
    """Return the words of a language from the `announcing` section of its file."""
    found: dict[str, Any] = {
        each.name: load_phrases(
            phrase for text in data.get(each.name, ()) for phrase in spell_out(text, {})
        )
        for each in fields(AnnouncingWords)
    }
    return AnnouncingWords(**found)
