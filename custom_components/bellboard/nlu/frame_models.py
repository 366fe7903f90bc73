"""Descriptions and frames (what a clause says is to be done, and with what), and the commands read from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Self

from ..domains.models import Command
from ..home.catalog import CatalogEntity, Place
from .kinds import KINDS
from .lexicon import HALT, Noun
from .ranges import NumberRange

LIGHTS_OUT = "lights_out"
"""Verb that turns lights off, and of other things only what is named."""
PUTTING_OUT = frozenset({"turn_off", LIGHTS_OUT})
"""Verbs beside which another that keeps something says what is left out: "turn off everything leave the kitchen"."""
LIGHT_VERBS = frozenset({"", "set", "keep"})

# Domains of what can be closed.
_CLOSING = frozenset({"cover", "valve", "lock"})
_DARK = "dark"
# What "out" may be the state of.
_OUT = frozenset({"off", "extended"})
_SCENE, _FAN, _CLIMATE = "scene", "fan", "climate"
_STARTED = frozenset({_SCENE, "script", "button", "input_button"})
_SETTING_SCENES = frozenset({*LIGHT_VERBS, "turn_on", "start"})
# Verbs that go with a move, those of them that go up, and what "more" is beside them.
_MORE = {
    **dict.fromkeys(("raise", "lower", "dim", "brighten", "close"), ""),
    **dict.fromkeys(("heat", "warm"), "warmer"),
    "cool": "cooler",
}
_MOVING = frozenset({"", "set", "keep", "turn_on", "start", "open", "extend", "retract", *_MORE})
VALUED_VERBS = _MOVING - {"start"}
"""Verbs that may say a value to be set."""
_UPWARDS = frozenset({"raise", "brighten", "open", "heat", "warm"})
SWITCHING = frozenset({"turn_on", "turn_off", LIGHTS_OUT, "toggle"})
"""Verbs with which a bare number counts things, or is a part of a name."""
# A lower percentage is more likely a number in a name.
_LEAST_LEVEL = 10

KEEP = "keep"
ADJUST = "adjust"
"""Verb that says that a value is to be another, and not which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NounPhrase:
    """Constraints of a noun phrase on its entities; all of them must hold for each.

    `names` are alternatives by full name, with a noun in it (`named_noun`); `words` occur in names, `nouns`
    say the kind; with `is_running` they are on. With `is_mood` the names are the scenes for a mood ("cosy"), of
    which those of the place are meant. `quantity` is "all", "both", "other", "any" or "", `count` how
    many there are. `pronoun`
    is "it", "them" or ""; it `is_everywhere` where the whole home is meant, which `is_all_things` where no word
    says a place ("everything"), and and `is_around` where
    no more than "everywhere". It `is_such` where it is another of what was spoken of ("the one in the office").
    What `is_here` and `is_on_floor` is on the speaker's floor.
    """

    names: tuple[CatalogEntity, ...] = ()
    words: tuple[str, ...] = ()
    nouns: tuple[Noun, ...] = ()
    places: tuple[Place, ...] = ()
    is_here: bool = False
    is_on_floor: bool = False
    is_everywhere: bool = False
    is_all_things: bool = False
    is_around: bool = False
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
        return self == _NOTHING

    @property
    def refers_back(self) -> bool:
        """Return whether it is for what was spoken of before: for "it", or it says nothing."""
        if not self.pronoun or self.quantity == "other":
            return self.is_empty
        return self == NounPhrase(pronoun=self.pronoun, quantity=self.quantity, count=self.count)

    @property
    def has_place(self) -> bool:
        """Return whether it says where."""
        return bool(self.places or self.is_here or self.is_everywhere)

    def placed_like(self, other: NounPhrase) -> NounPhrase:
        """Return it with the places and the "here" of another one."""
        return replace(
            self, places=other.places, is_here=other.is_here, is_on_floor=other.is_on_floor
        )

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
    def is_of_persons(self) -> bool:
        """Return whether it names persons, and nothing else."""
        return bool(self.names) and all(each.domain == "person" for each in self.names)

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


_NOTHING = NounPhrase()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Meaning of a clause: a verb, a state, a move or a value, and its targets (`what`, but not `without`).

    `verb` is "turn_on", "open", "set" and the like, `state` "on" or "off", `move` "up", "brighter" or the
    like by `amount` ("little", "much"). `number` is in `unit` ("percent", "degrees", "celsius",
    "fahrenheit", "kelvin", "" for none said); with `is_step` it is a change. `bounds` are two of
    them. `level` is in percent, `factor` what it is now is multiplied by. It
    `is_to` where "to" is in it, also before no number ("what is the heating set to"); `is_to_value` before one.
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
    is_to_value: bool = False
    what: NounPhrase = field(default_factory=NounPhrase)
    without: NounPhrase | None = None

    @property
    def goal(self) -> float | None:
        """Return the percentage that something is to be set to, None where none is said."""
        return self.number if self.number is not None else self.level

    @property
    def is_mere_option(self) -> bool:
        """Return whether it says only a mode or the like, and not that something is to be set to it."""
        is_said = self.verb or self.attribute or self.is_to
        return bool(self.options) and not is_said

    @property
    def is_called_by_number(self) -> bool:
        """Return whether a small number may be part of a name that is not there: "turn on light three"."""
        is_bare = not (self.unit or self.is_to or self.is_step or self.attribute or self.move)
        is_small = self.number is not None and self.number < _LEAST_LEVEL
        is_switched = self.verb in SWITCHING or bool(self.state)
        return is_small and is_bare and is_switched

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
    """Return a verb and a state, without the one that is only a part of the other; raises `InconsistentError`."""
    if state == _DARK:
        # "Make it dark", but "it is dark" only complains.
        if verb != "set":
            raise InconsistentError
        return LIGHTS_OUT, ""
    if (verb, state) == ("close", "locked"):
        # "Chiudi a chiave", "ferme à clé": what is closed with the key is locked.
        return "", state
    if verb in {HALT, "stop", "pause"} and state == "on":
        # "Halte ihn an"
        return verb, ""
    if verb == "send":
        # "Send the vacuum out": with nothing else it is not said where.
        if state not in _OUT:
            raise InconsistentError
        return "start", ""
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


def with_fan_as_part(frame: Frame) -> Frame:
    """Return a frame in which a fan is a part of what heats or cools: "the fan of the air conditioner"."""
    what = frame.what
    fans = [noun for noun in what.nouns if noun.kind == _FAN]
    others = tuple(noun for noun in what.nouns if noun.kind != _FAN)
    is_of_climate = any(KINDS[noun.kind].domains.keys() == {_CLIMATE} for noun in others) or (
        bool(what.names) and all(entity.domain == _CLIMATE for entity in what.names)
    )
    if not (fans and is_of_climate) or frame.attribute not in {"", "speed", _FAN}:
        return frame
    return replace(frame, attribute=_FAN, what=replace(what, nouns=others))


def shut_down(frame: Frame) -> Frame:
    """Return a frame in which what is shut down is closed where it can be, and is else turned off."""
    what = frame.what
    if (frame.verb, frame.move) != ("close", "down") or not (what.nouns or what.names):
        return frame
    closes = all(KINDS[noun.kind].domains.keys() <= _CLOSING for noun in what.nouns) and all(
        entity.domain in _CLOSING for entity in what.names
    )
    return replace(frame, verb="close" if closes else "turn_off", move="")


def is_of_scene(frame: Frame) -> bool:
    """Return whether a clause names a scene, or a mood, and nothing that is to be done but to turn it on.

    Scripts and buttons are started by their names alike, if that is more than a word: "feed the cat".
    """
    is_told = frame.has_value or frame.state or frame.move or frame.attribute or frame.asking
    is_scene = bool(frame.what.names) and all(map(_starts_by_name, frame.what.names))
    others = [noun for noun in frame.what.nouns if noun.kind not in _STARTED]
    # "Make them go to sleep" is for lamps, "make it cosy" for the room.
    is_of_several = frame.what.pronoun == "them"
    return is_scene and not (is_told or others or is_of_several) and frame.verb in _SETTING_SCENES


def _starts_by_name(entity: CatalogEntity) -> bool:
    """Return whether a name alone says that something is to be started."""
    return entity.domain == _SCENE or (entity.domain in _STARTED and " " in entity.name)


class InconsistentError(Exception):
    """Spans with these senses are no clause."""


def directed(verb: str, move: str) -> str:
    """Return a move beside a verb, "" where it is only "more" of what the verb says ("lower it more").

    Raises:
        InconsistentError: they do not go together.
    """
    if not move:
        return ""
    if verb not in _MOVING or (move == "down" and verb in _UPWARDS):
        raise InconsistentError
    return _MORE.get(verb, move) if move == "up" else move


def has_direction(frames: Sequence[Frame]) -> bool:
    """Return whether a clause says which way something is to go."""
    return any(frame.move or frame.verb in {"raise", "lower"} for frame in frames[:1])


def moving_first(frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames of a clause, those first that say a way of their own: "... and the music up in the hall"."""
    return sorted(frames, key=lambda frame: not frame.move)


@dataclass(frozen=True, slots=True)
class MissingSlot:
    """Value that is not said: what it measures ("volume"), and whose it is, entities of a domain."""

    measure: str
    domain: str
    targets: tuple[str, ...] = ()

    @property
    def is_music(self) -> bool:
        """Return whether it is what is to be played."""
        return self.measure == "query"


@dataclass(frozen=True, slots=True)
class ReadCommand:
    """Part of a sentence, word for word, and what it comes to.

    Without `actions` it was not understood, unless something in it is not there: `is_missing`, in `places`;
    or a value is not said, which it is `lacking`. `missing` is the key of the reply that says what is not there,
    `name` what that was called. `closed` are the names of what would open the house, and was not named.
    """

    text: str
    actions: tuple[Command, ...] = ()
    is_missing: bool = False
    places: tuple[Place, ...] = ()
    is_kept: bool = False
    has_exception: bool = False
    lacking: MissingSlot | None = None
    missing: str = ""
    name: str = ""
    closed: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Return whether it comes to actions, to none, or to what is to be played."""
        asks = self.lacking is not None and self.lacking.is_music
        return bool(self.actions) or self.is_kept or asks

    @property
    def is_read(self) -> bool:
        """Return whether it is known what the part comes to."""
        return (
            bool(self.actions or self.lacking)
            or self.is_missing
            or self.is_kept
            or bool(self.closed)
        )
