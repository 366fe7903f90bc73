"""Words of questions: which begin one, deny a state, offer another, or only say outside; and what frames ask."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..home.catalog import Catalog
from .frame_models import ADJUST, Frame, NounPhrase
from .lexicon import Role
from .measures import pair_of
from .spans import Span
from .tokens import spoken_words, tokenise

# Verbs for what a robot does, as states of it.
_DOING = {"clean": "cleaning", "mow": "cleaning", "dock": "docked"}
REACHED = {
    "open": "open",
    "close": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "turn_on": "on",
    "turn_off": "off",
}
"""States that verbs end in: "when was it opened"."""
# What is set to a number or a choice, and what asks for that.
_SETTINGS = ("counter", "input_number", "input_select", "number", "select")
_ASKS_SETTING = frozenset({"what", "which", "how", "how_many"})
_WHOSE = ("s", "'s")
_LEAST_OF_COMPOUND = 3
"""Letters of the word for outside that another begins with: "utetemperatur"."""
# What may stand after "or".
_CHOICES = (Role.STATE, Role.FILLER, Role.EXCEPT, Role.ASKING)


def without_choice(spans: Sequence[Span]) -> tuple[list[Span], bool]:
    """Return spans without what else may be, and whether that is another state: "locked or unlocked"."""
    at = next((at for at, span in enumerate(spans) if at and span.has(Role.OR)), len(spans))
    others = spans[at + 1 :]
    if not others or not all(any(map(span.has, _CHOICES)) for span in others):
        return list(spans), False
    return list(spans[:at]), any(span.has(Role.STATE) for span in others)


def without_end(spans: Sequence[Span]) -> list[Span]:
    """Return spans without an end that says nothing: "is Anna in", "it is closed, or?"."""
    if len(spans) < 2:
        return list(spans)
    # "Which speaker is it playing on"
    is_said = any(span.has(Role.STATE) for span in spans[:-1])
    is_link = asks(spans[0]) and (
        {s.role for s in spans[-1].senses} == {Role.LINK} or (is_said and spans[-1].has(Role.LINK))
    )
    return list(spans[:-1] if is_link or spans[-1].has(Role.OR) else spans)


def without_denial(spans: Sequence[Span]) -> tuple[list[Span], bool]:
    """Return spans without what denies a state of several, and whether it does: "which are not locked"."""
    asks_which = any(asked_of(span) & {"which", "what", "how_many"} for span in spans)
    at = next((at for at, span in enumerate(spans) if at and _denies(spans, at)), None)
    if at is None or not asks_which:
        return list(spans), False
    return [*spans[:at], *spans[at + 1 :]], True


def _denies(spans: Sequence[Span], at: int) -> bool:
    """Return whether a span says "is not", or "not" right before a state."""
    following = next((span for span in spans[at + 1 :] if not says_nothing(span)), None)
    is_not = spans[at].has(Role.EXCEPT) and following is not None and following.has(Role.STATE)
    return is_not or "isnt" in asked_of(spans[at])


def asked_of(span: Span) -> set[str]:
    """Return what a span may ask."""
    return {str(sense.value) for sense in span.senses if sense.role is Role.ASKING}


def without_outdoors(text: str, outdoors: Collection[str]) -> str:
    """Return a text without the words for what is outside, also those that a compound begins with."""
    kept: list[str] = []
    end = 0
    for token in tokenise(text):
        said = text[token.start : token.end]
        ends = (
            end
            for end in range(len(said), _LEAST_OF_COMPOUND - 1, -1)
            if said[:end].casefold() in outdoors
        )
        cut = next(ends, len(said) if said.casefold() in outdoors else 0)
        # "L'umidità" is two tokens and stays one word.
        kept.append(f"{text[end : token.start]}{said[cut:]}")
        end = token.end
    return " ".join("".join(kept).split())


def in_room_of(what: NounPhrase, catalog: Catalog) -> NounPhrase | None:
    """Return a description by the name of somebody as one of the room that is called after them; None for no such.

    "At Lily's" is in Lily's room: in the only one with that word in its name, as it is or as whose it is.
    """
    if len(what.words) > 1:
        return None
    [word] = what.words
    called = {word, *(f"{word}{end}" for end in _WHOSE)}
    found = [
        area
        for area in catalog.areas.values()
        if any(called.intersection(spoken_words(name)) for name in area.names)
    ]
    return replace(what, words=(), places=(found[0],)) if len(found) == 1 else None


def says_nothing(span: Span) -> bool:
    """Return whether a span may be courtesy."""
    return span.has(Role.FILLER) and not (span.has(Role.ASKING) or span.has(Role.MEASURE))


def asks(span: Span) -> bool:
    """Return whether a span may begin a question."""
    return span.has(Role.ASKING) or span.has(Role.MEASURE)


def asks_more(span: Span) -> bool:
    """Return whether a span asks wherever it stands, and does not only say how something is: "how much"."""
    asked = asked_of(span)
    return span.has(Role.MEASURE) or (
        bool(asked) and asked <= {"doing", "how", "how_many", "when", "where", "tell"}
    )


def says_done(spans: Sequence[Span]) -> bool:
    """Return whether a word for a time has "is" or "was" beside it, so that a verb says what was done."""
    return any(
        "is" in asked_of(span) or ("when" in asked_of(span) and len(span.words) > 1)
        for span in spans
    )


def says_is(spans: Sequence[Span]) -> bool:
    """Return whether spans say that something is in a state: "the door is open"."""
    said = {asked for span in spans for asked in asked_of(span)}
    is_state = any(span.has(Role.STATE) for span in spans)
    is_doing = not said.isdisjoint({"is_on", "is_playing"})
    return "is_wished" not in said and (is_doing or ("is" in said and is_state))


def asks_for_title(frame: Frame) -> bool:
    """Return whether a frame asks what is playing, and not what a device does."""
    if frame.asking == "playing":
        return True
    what = frame.what
    is_for_music = what.is_only_place or all(noun.kind == "player" for noun in what.nouns)
    return (
        (frame.asking in {"what", "which"} or (frame.asking == "is" and what.is_only_place))
        and frame.state == "playing"
        and is_for_music
        and not what.words
    )


def domains_told(frame: Frame) -> tuple[str, ...]:
    """Return the domains whose states are told as they are, for a question without a state: "where is Anna"."""
    what = frame.what
    if frame.state or not (what.names or what.words or what.nouns):
        return ()
    is_setting = frame.asking in _ASKS_SETTING and frame.verb in {"", "set", ADJUST}
    if is_setting and not any(e.domain == "person" for e in what.names):
        return _SETTINGS
    is_where = frame.asking in {"where", "what"} and not (frame.measure or frame.attribute)
    return ("person",) if what.names and is_where else ()


def asking_whether(frame: Frame) -> Frame:
    """Return a frame that says only a state of something as the question whether it is: "kitchen window open?"."""
    is_bare = frame.state and not (frame.asking or frame.measure or frame.verb)
    return replace(frame, asking="is") if is_bare and not frame.what.is_empty else frame


def of_any(frame: Frame) -> Frame:
    """Return a frame that asks whether there is what is in a state as one for any such thing in the home."""
    pair = pair_of(frame.state)
    is_of_any = frame.asking == "is" and pair and pair.active == frame.state
    is_said = frame.what.quantity or frame.what.count or frame.what.names or frame.what.is_empty
    return (
        replace(frame, what=replace(frame.what, quantity="one"))
        if is_of_any and not is_said
        else frame
    )


def with_state(frame: Frame) -> Frame:
    """Return a frame with the state that a question without one is for: "is Anna in", "is there music"."""
    what = frame.what
    if frame.verb in _DOING and frame.asking != "when":
        # "A casa" is where persons are, and robots go.
        is_home = frame.verb == "dock" and what.is_of_persons
        return replace(frame, verb="", state="home" if is_home else _DOING[frame.verb])
    if frame.amount == "little" and frame.asking and not (frame.move or what.quantity):
        # "Was" and "något" are "something" in a question.
        what = replace(what, quantity="one")
        frame = replace(frame, amount="", what=what)
    music = tuple(noun for noun in what.nouns if noun.kind == "player" and noun.is_general)
    if frame.asking in {"where", "which"} and {noun.kind for noun in what.nouns} == {"player"}:
        # "On which speaker is the music playing"
        what = replace(what, nouns=music or what.nouns)
        if frame.state == "on" and (frame.is_to or what.quantity == "one"):
            return replace(frame, state="playing", what=what)
    if frame.state == "done":
        return replace(frame, state="off")
    if frame.asking == "playing" and frame.state == "paused":
        # "Is anything paused"
        return replace(frame, asking="is", what=replace(what, quantity="one"))
    if frame.measure or frame.attribute or frame.verb:
        return frame
    if frame.asking in {"is", "isnt", "where", "which"} and what.is_music:
        # Asked without a place, it is asked of the whole home.
        what = what if what.places or what.is_here else replace(what, quantity="one")
        return replace(frame, state="playing", what=what) if frame.state in {"", "on"} else frame
    if frame.state or frame.asking not in {"", "is", "isnt", "who"}:
        return frame
    nouns = {(noun.kind, noun.is_general) for noun in what.nouns} if frame.asking else set()
    if nouns == {("light", True)} and not (what.names or what.words):
        return replace(frame, state="on")
    is_about = what.is_everywhere or what.is_here
    is_of_all = frame.asking == "who" and what.is_only_place and is_about
    if not what.places and (is_of_all or (what.is_of_persons and (frame.asking or is_about))):
        at_home = replace(what, is_here=False, is_everywhere=is_of_all, is_all_things=False)
        return replace(frame, state="home", what=at_home)
    return frame


def asks_how_far(frame: Frame) -> bool:
    """Return whether a frame asks how far something is open."""
    is_of_one = frame.asking in {"how", "how_many"} and not frame.what.is_plural
    is_how_far = frame.measure == "position" or frame.unit == "percent" or is_of_one
    return frame.state in {"open", "closed"} and is_how_far


def asks_how_warm(frame: Frame) -> bool:
    """Return whether a frame asks how warm it is, and of nothing that it names."""
    is_measure = frame.measure == "temperature"
    is_attribute = frame.attribute == "temperature" and frame.asking in {"what", "how", "tell"}
    what = frame.what
    is_of_it = what.is_only_place and not (what.places or what.is_here)
    return (is_measure or is_attribute) and (is_of_it or what.refers_back)


def only_asks(frame: Frame) -> bool:
    """Return whether a frame asks, and says nothing that is to be done."""
    return bool(
        (frame.asking or frame.measure)
        and (frame.verb in {"", "set", *_DOING} or frame.asking == "when")
        and not frame.move
        and not frame.has_value
        and frame.without is None
    )


def asks_level(frame: Frame, measure: str) -> bool:
    """Return whether a question is how high a device is set: "what temperature is the heating set to"."""
    if not (frame.what.names or frame.what.nouns):
        return False
    is_set = frame.verb == "set" or frame.is_to
    if measure:
        return is_set and measure == "temperature"
    return frame.asking in {"how", "how_many"} or (is_set and frame.asking == "what")


def adds_to_question(frame: Frame) -> bool:
    """Return whether a frame only names another thing that a question is for: "and the hall", "and which doors"."""
    asks_which = frame.asking in {"", "which", "what"} and not (
        frame.asking and not frame.what.nouns
    )
    says_more = frame.has_operation or frame.measure or frame.without or not asks_which
    return not (says_more or frame.what.is_empty or frame.what.refers_back)
