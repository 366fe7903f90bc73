"""Words for announcements: the `announcing` section of a language's file."""

from collections.abc import Mapping
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
    out, `whole` joins it and belongs to it, `to` joins what somebody shall do. `something` stands for a message that
    is still to be said, and what is `polite` is none.

    After `addressing` stands the name of a person, whose cases have endings with `inflects_names`. Words that are
    `unnamed` are nobody's, and `somebody` are verbs with a pronoun for whom. Where a message needs nothing that
    joins it, a `statement` is known by its verb, by one of the `subjects` that begin it, or by both in one
    (`contracted`).
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
    something: tuple[Phrase, ...] = ()
    polite: tuple[Phrase, ...] = ()
    addressing: tuple[Phrase, ...] = ()
    unnamed: tuple[Phrase, ...] = ()
    somebody: tuple[Phrase, ...] = ()
    statement: tuple[Phrase, ...] = ()
    subjects: tuple[Phrase, ...] = ()
    contracted: tuple[Phrase, ...] = ()
    inflects_names: bool = False


def load_announcing_words(data: Mapping[str, Any]) -> AnnouncingWords:
    """Return the words of a language from the `announcing` section of its file."""
    found: dict[str, Any] = {
        each.name: load_phrases(
            phrase for text in data.get(each.name, ()) for phrase in spell_out(text, {})
        )
        for each in fields(AnnouncingWords)
        if each.name != "inflects_names"
    }
    return AnnouncingWords(**found, inflects_names=bool(data.get("inflects_names")))
