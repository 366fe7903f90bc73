"""Names that were misheard: "sideboard lamb" for "Sideboard Lamp", guessed by letters and by sound."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
import re

from gazetteer_matcher.fuzzy import ChoiceBatch

from ..home.catalog import CatalogEntity, Place
from ..home.names import NameIndex, folded
from .house import HomeLexicon
from .spans import Span
from .tokens import spoken_words, tokenise

# Likeness from 0 to 1 of letters: of a guess, of what sounds the same, and by how much a guess has to be
# likelier than the next name.
_LIKE, _LIKE_IN_SOUND, _MARGIN = 0.8, 0.65, 0.12
# In words.
_LONGEST = 4
# Of neighbouring words that are looked at: a sentence with more that nothing explains is no command.
_MOST_WINDOWS = 60
_SHORTEST = 4
# Letters that are heard alike, and those that are not heard.
_SOUNDS = (
    (re.compile(r"c(?=[eiy])"), "s"),
    (re.compile(r"ph"), "f"),
    (re.compile(r"(?<=n)[dt](?=s)"), ""),
    (re.compile(r"r(?![aeiouy])"), ""),
    (re.compile(r"(?<=\w)[aeiouyhw]"), ""),
    (re.compile(r"[aeiou]"), "a"),
    (re.compile(r"[bpfv]"), "b"),
    (re.compile(r"[ckgqx]"), "k"),
    (re.compile(r"[sz]"), "s"),
    (re.compile(r"[dt]"), "t"),
    (re.compile(r"[mn]"), "n"),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile(r"\s"), ""),
)


class NearNames:
    """Finds the names of one home that words of a text may stand for."""

    def __init__(self, house: HomeLexicon) -> None:
        """Index the names of entities that can be acted on, and of places."""
        self._meant: dict[str, set[str]] = {}
        for thing in _named(house):
            for name in thing.names:
                phrase = " ".join(map(folded, spoken_words(name)))
                if len(phrase) >= _SHORTEST:
                    self._meant.setdefault(phrase, set()).add(_id_of(thing))
        lengths = [len(phrase.split()) for phrase in self._meant]
        self._names = ChoiceBatch(self._meant, token_lengths=lengths)

    def find(self, text: str, spans: Sequence[Span]) -> list[str]:
        """Return likely originals of a misheard text, the best first; [] where no name is near, or several are."""
        found: dict[str, float] = {}
        nearest: dict[str, tuple[str, float] | None] = {}
        for window in islice(_windows(spans), _MOST_WINDOWS):
            said = " ".join(folded(word) for span in window for word in span.words)
            if said not in nearest:
                nearest[said] = self._nearest(said)
            if near := nearest[said]:
                name, score = near
                mended = text[: window[0].start] + name + text[window[-1].end :]
                found[mended] = max(score, found.get(mended, 0.0))
        return sorted(found, key=lambda mended: -found[mended])

    def _nearest(self, said: str) -> tuple[str, float] | None:
        """Return the name that some words are nearest to and how near it is; what sounds the same is nearer."""
        if len(said) < _SHORTEST:
            return None
        words = len(said.split())
        matches = self._names.extract(
            said, cutoff=_LIKE_IN_SOUND, limit=8, query_tokens=words, extra_tokens=1
        )
        sound = _sound(said)
        same = [match for match in matches if _sound(match.choice) == sound]
        if same and len({frozenset(self._meant[match.choice]) for match in same}) == 1:
            return same[0].choice, 1 + same[0].score
        if not matches or matches[0].score < _LIKE:
            return None
        best = matches[0]
        others = [m for m in matches[1:] if self._meant[m.choice] != self._meant[best.choice]]
        is_clear = not others or best.score - others[0].score >= _MARGIN
        return (best.choice, best.score) if is_clear else None


def read_positions(text: str, positions: NameIndex[int]) -> dict[str, str]:
    """Return a text with a position in it as the number of a name, by text: "second lamp" is "lamp 2"."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    found: dict[str, str] = {}
    for match in positions.find(tuple(token.word for token in tokens)):
        first, last = tokens[match.start], tokens[match.end - 1]
        number, before = str(match.meanings[0]), text[: first.start]
        if first is not last:
            # "Lamp number two"
            found[f"{before}{number}{text[last.end :]}"] = number
        for at in tokens[match.end : match.end + _LONGEST]:
            moved = f"{text[last.end : at.end].lstrip()} {number}"
            found[f"{before}{moved}{text[at.end :]}"] = number
    return found


def _named(house: HomeLexicon) -> Iterator[CatalogEntity | Place]:
    """Yield what has a name in a home and can be spoken of in a command."""
    catalog = house.catalog
    yield from filter(house.can_act, catalog.entities.values())
    yield from (*catalog.areas.values(), *catalog.floors.values())


def _id_of(thing: CatalogEntity | Place) -> str:
    """Return the id of an entity or a place."""
    return thing.entity_id if isinstance(thing, CatalogEntity) else thing.id


def _windows(spans: Sequence[Span]) -> Iterable[Sequence[Span]]:
    """Yield neighbouring spans of a few words, with one that nothing explains."""
    for start in range(len(spans)):
        for end in range(start + 1, min(start + _LONGEST, len(spans)) + 1):
            window = spans[start:end]
            if any(span.is_mark for span in window):
                break
            if any(not span.senses for span in window):
                yield window


def _sound(text: str) -> str:
    """Return how words sound, roughly: by their consonants, and what each begins with."""
    code = text
    for pattern, sound in _SOUNDS:
        code = pattern.sub(sound, code)
    return code
