"""Loads the lexicon of a language from the `reader` section of its files."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .lexicon import AROUND, FLOOR, PLURAL, THINGS, Lexicon, Noun, Role, Sense
from .moment_words import MomentWords
from .phrase_lists import AnnouncingWords, DelayWords, FadingWords, MediaWords, PlaybackWords
from .spellings import spell_out
from .tokens import Phrase, spoken_words

# Quantifiers that may have a number in them.
_COUNTING = frozenset({"the", "all"})
# Sections of a language file whose entries are lists of phrases by value.
_BY_VALUE: Mapping[str, Role] = {
    "verbs": Role.VERB,
    "states": Role.STATE,
    "moves": Role.MOVE,
    "amounts": Role.AMOUNT,
    "attributes": Role.ATTRIBUTE,
    "units": Role.UNIT,
    "modes": Role.OPTION,
    "quantities": Role.QUANTITY,
    "pronouns": Role.PRONOUN,
    "asking": Role.ASKING,
    "measures": Role.MEASURE,
}
# Sections that are lists of phrases.
_PLAIN: Mapping[str, Role] = {
    "to": Role.TO,
    "by": Role.BY,
    "half_more": Role.HALF,
    "here": Role.HERE,
    "everywhere": Role.EVERYWHERE,
    "except": Role.EXCEPT,
    "and": Role.AND,
    "articles": Role.ARTICLE,
    "links": Role.LINK,
    "fillers": Role.FILLER,
    "correcting": Role.CORRECTING,
    "others": Role.OTHER,
    "or": Role.OR,
    "running": Role.RUNNING,
}


def load_lexicon(
    data: Mapping[str, Any],
    *,
    numbers: Iterable[tuple[str, float]],
    colors: Iterable[tuple[str, str]],
    levels: Iterable[tuple[str, float]],
    everywhere: Iterable[str],
    media: MediaWords | None = None,
    playback: PlaybackWords | None = None,
    fading: FadingWords | None = None,
    announcing: AnnouncingWords | None = None,
    delays: DelayWords | None = None,
    moments: MomentWords | None = None,
) -> Lexicon:
    """Return the lexicon of the `reader` section of a language file.

    `numbers`, `colors` and `levels` (percentages like "half") are words with their values, `everywhere`
    words for the whole home. Phrases of the section may be written in short, with its `rules`; a level of
    it without a value is none.
    """
    own = data.get("levels", {})
    senses = [
        *_read(data),
        *((text, Sense(Role.NUMBER, number)) for text, number in numbers),
        *((text, Sense(Role.EVERYWHERE)) for text in everywhere),
        *((text, Sense(Role.COLOR, color)) for text, color in colors),
        *((text, Sense(Role.LEVEL, float(level))) for text, level in levels if text not in own),
    ]
    enclitics = {
        str(word): Sense(Role.PRONOUN, value) if value else Sense(Role.FILLER)
        for value, words in data.get("enclitics", {}).items()
        for word in words
    }
    kinds_of_everywhere = {
        spoken_words(phrase): value
        for key, value in (("everything", THINGS), ("around", AROUND))
        for text in data.get(key, ())
        for phrase in spell_out(text, data.get("rules", {}))
    }
    senses += [
        (phrase, Sense(Role.HERE, FLOOR))
        for text in data.get("floors", {}).get("own", ())
        for phrase in spell_out(text, data.get("rules", {}))
    ]
    counts = dict(numbers)
    senses = [(text, _with_count(spoken_words(text), sense, counts)) for text, sense in senses]
    senses = [
        (text, Sense(Role.EVERYWHERE, kinds_of_everywhere.get(spoken_words(text))))
        if sense.role is Role.EVERYWHERE
        else (text, sense)
        for text, sense in senses
    ]
    return Lexicon(
        senses,
        media=media,
        playback=playback,
        fading=fading,
        announcing=announcing,
        delays=delays,
        moments=moments,
        endings=data.get("endings", ()),
        alternations=data.get("alternations"),
        links=data.get("compounds", ()),
        enclitics=enclitics,
        plural_endings=data.get("plural_endings", ()),
        floors={
            key: [phrase for text in texts for phrase in spell_out(text, data.get("rules", {}))]
            for key, texts in data.get("floors", {}).items()
        },
        **{
            key: [
                phrase
                for text in data.get(key, ())
                for phrase in spell_out(text, data.get("rules", {}))
            ]
            for key in ("asides", "going", "reasons", "thanks", "wishing")
        },
        remarks=data.get("remarks"),
        reporting=data.get("reporting", ()),
        also=data.get("also", ()),
        rooms=data.get("rooms", ()),
        spared=data.get("spared", ()),
        compared=data.get("compared"),
        greetings=data.get("greetings", ()),
        radios=data.get("radios", ()),
        ranges=data.get("ranges"),
        moods=data.get("moods"),
        purposes=data.get("purposes", ()),
        asks_by_tone=data.get("asks_by_tone", False),
        fully=data.get("fully", ()),
        only=data.get("only", ()),
        there_is=data.get("there_is", ()),
    )


def _with_count(words: Phrase, sense: Sense, numbers: Mapping[str, float]) -> Sense:
    """Return the sense of a quantifier with the number in it: "the three", "tutte e tre"."""
    if sense.role is not Role.QUANTITY or sense.value not in _COUNTING:
        return sense
    counts = [round(numbers[word]) for word in words if numbers.get(word, 0) > 1]
    return Sense(Role.QUANTITY, f"{sense.value}:{counts[0]}") if counts else sense


def _read(data: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    """Yield the phrases of a section with their senses, in the order of preference."""
    rules = data.get("rules", {})
    for text, sense in _written(data):
        yield from ((phrase, sense) for phrase in spell_out(text, rules))
    for kind, nouns in data["kinds"].items():
        yield from _nouns(kind, nouns)


def _written(data: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    """Yield the phrases of a section as they are written, with their senses."""
    for key, role in _BY_VALUE.items():
        for value, phrases in data.get(key, {}).items():
            yield from ((str(text), Sense(role, str(value))) for text in phrases)
    for kelvin, phrases in data.get("whites", {}).items():
        yield from ((text, Sense(Role.KELVIN, int(kelvin))) for text in phrases)
    for key, role in (
        ("numbers", Role.NUMBER),
        ("levels", Role.LEVEL),
        ("factors", Role.FACTOR),
    ):
        for text, value in data.get(key, {}).items():
            if value is not None:
                yield text, Sense(role, float(value))
    for key, role in _PLAIN.items():
        yield from ((text, Sense(role)) for text in data.get(key, ()))
    yield from ((text, Sense(Role.ARTICLE, PLURAL)) for text in data.get("plural_articles", ()))


def _nouns(kind: str, nouns: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    """Yield the nouns of a kind: singular and plural forms, of general nouns and of names."""
    called = frozenset(nouns.get("called", ()))
    sorts = {name: frozenset(phrases) for name, phrases in nouns.get("sorts", {}).items()}
    for key in ("general", "named"):
        for one, many in nouns.get(key, {}).items():
            ones, several = _forms(one), _forms(many)
            forms = frozenset((*ones, *several))
            both = set(ones) & set(several)
            for text in dict.fromkeys((*ones, *several)):
                is_plural = None if text in both else text in several
                needs_name = not called.isdisjoint(ones)
                sort = next((each for each, own in sorts.items() if not own.isdisjoint(ones)), "")
                signs = frozenset(map(spoken_words, sorts.get(sort, ())))
                noun = Noun(kind, is_plural, key == "general", forms, needs_name, sort, signs)
                yield text, Sense(Role.KIND, noun)


def _forms(value: Any) -> tuple[str, ...]:
    """Return the forms of a noun, which are separated by bars where there are several cases."""
    return tuple(form.strip() for form in str(value).split("|"))
