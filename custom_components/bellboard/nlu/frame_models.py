"""Descriptions and frames: what a clause says is to be done, and with what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Self

from ..home.catalog import CatalogEntity, Place
from .lexicon import HALT, Noun
from .ranges import NumberRange

LIGHT_VERBS = frozenset({"", "set", "keep"})


KEEP = "keep"
ADJUST = "adjust"
"""Verb that says that a value is to be another, and not which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a noun phrase says of its entities; all of it must hold of each.

    `names` are alternatives by full name, with a noun in it (`named_noun`); `words` occur in names, `nouns`
    say the kind; with `is_running` they are on. With `is_mood` the names are the scenes for a mood ("cosy"), of
    which those of the place are meant. `quantity` is "all", "both", "other", "any" or "", `count` how
    many there are. `pronoun`
    is "it", "them" or ""; it `is_everywhere` where the whole home is meant, which `is_all_things` where no word
    says a place ("everything"). It `is_such` where it is another of what was spoken of ("the one in the office").
    """

    names: tuple[CatalogEntity, ...] = ()
    words: tuple[str, ...] = ()
    nouns: tuple[Noun, ...] = ()
    places: tuple[Place, ...] = ()
    is_here: bool = False
    is_everywhere: bool = False
    is_all_things: bool = False
    quantity: str = ""
    count: int | None = None
    pronoun: str = ""
    is_plural_name: bool = False
    named_noun: Noun | None = None
    is_such: bool = False
    is_running: bool = False
    is_mood: bool = False

    @property
    def is_empty(self) -> bool:
        """Return whether it says nothing."""
        return self == Description()

    @property
    def refers_back(self) -> bool:
        """Return whether it is for what was spoken of before: for "it", or it says nothing."""
        if self.quantity == "other":
            return False
        is_only_pronoun = self == Description(
            pronoun=self.pronoun, quantity=self.quantity, count=self.count
        )
        return self.is_empty or (is_only_pronoun and bool(self.pronoun))

    @property
    def is_only_place(self) -> bool:
        """Return whether it says where, and not what."""
        return not (self.names or self.words or self.nouns or self.pronoun)

    @property
    def is_only_words(self) -> bool:
        """Return whether it says words of names, and neither a name nor a kind."""
        return bool(self.words) and not (self.names or self.nouns)

    @property
    def is_named(self) -> bool:
        """Return whether it singles something out: by a name, a word of one, or as what was spoken of."""
        points = bool(self.pronoun) or self.is_such or self.quantity == "other"
        return bool(self.names or self.words) or points

    @property
    def is_music(self) -> bool:
        """Return whether it is for what plays, and not for a device."""
        is_general = all(noun.kind == "player" and noun.is_general for noun in self.nouns)
        return bool(self.nouns) and is_general and not (self.names or self.words)

    @property
    def is_plural(self) -> bool:
        """Return whether several are meant."""
        return (
            self.is_plural_name
            or self.quantity in {"all", "both"}
            or self.count is not None
            or any(noun.is_plural for noun in self.nouns)
        ) and self.quantity != "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a clause says: a verb, a state, a move or a value, and with what (`what`, but not `without`).

    `verb` is "turn_on", "open", "set" and the like, `state` "on" or "off", `move` "up", "brighter" or the
    like by `amount` ("little", "much"). `number` is in `unit` ("percent", "degrees", "celsius",
    "fahrenheit", "kelvin", "" for none said); with `is_step` it is a change. `bounds` are two of
    them. `level` is in percent, `factor` what it is now is multiplied by. It
    `is_to` where "to" is in it, also before no number: "what is the heating set to".
    """

    verb: str = ""
    state: str = ""
    move: str = ""
    amount: str = ""
    attribute: str = ""
    number: float | None = None
    unit: str = ""
    is_step: bool = False
    bounds: NumberRange | None = None
    level: float | None = None
    factor: float | None = None
    color: str = ""
    kelvin: int | None = None
    options: tuple[frozenset[str], ...] = ()
    asking: str = ""
    measure: str = ""
    is_to: bool = False
    what: Description = field(default_factory=Description)
    without: Description | None = None

    @property
    def has_value(self) -> bool:
        """Return whether it says a value."""
        return bool(
            self.number is not None
            or self.bounds is not None
            or self.level is not None
            or self.factor
            or self.color
            or self.kelvin
            or self.options
        )

    @property
    def has_operation(self) -> bool:
        """Return whether it says what is to be done."""
        return bool(self.verb not in LIGHT_VERBS or self.state or self.move or self.has_value)

    @property
    def is_statement(self) -> bool:
        """Return whether it tells how something is: "the lamp is on"."""
        return bool(self.asking == "is" and self.state and not self.verb and not self.what.is_empty)

    def completed_by(self, before: Self) -> Self:
        """Return the frame of a later value ("and the kitchen to 30"), with what it left out from the one before."""
        if self.verb or self.state or self.attribute:
            return self
        if self.move:
            # "One degree more in the hall, and two less in the study"
            is_bare = self.number is not None and not self.unit and before.number is not None
            return replace(self, unit=before.unit) if is_bare else self
        frame = replace(self, verb=before.verb, attribute=before.attribute)
        if self.number is not None and not self.unit:
            frame = replace(
                frame,
                unit=before.unit,
                is_step=before.is_step,
                move=before.move if before.number else "",
            )
        return frame


def separated(verb: str, state: str) -> tuple[str, str]:
    """Return a verb and a state, without the one that is only a part of the other."""
    if (verb, state) == ("close", "locked"):
        # "Chiudi a chiave", "ferme à clé": what is closed with the key is locked.
        return "", state
    if verb in {HALT, "stop", "pause"} and state == "on":
        # "Halte ihn an"
        return verb, ""
    return verb, state


def likeliest[T](choices: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """Yield the combinations of choices, of each of which the first is the likeliest, the likeliest first."""
    if not all(choices):
        return
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, (0,) * len(choices))]
    while waiting:
        cost, ranks = heappop(waiting)
        yield tuple(each[rank] for each, rank in zip(choices, ranks, strict=True))
        last = max((at for at, rank in enumerate(ranks) if rank), default=0)
        for at in range(last, len(choices)):
            if ranks[at] + 1 < len(choices[at]):
                heappush(waiting, (cost + 1, (*ranks[:at], ranks[at] + 1, *ranks[at + 1 :])))
