"""What is said in the measurements: made from a home's own names, or to be decided by the model."""

from collections.abc import Iterator
from itertools import cycle, islice

from .homes import Home

MODEL_SENTENCES = (
    "it is a little dreary in here",
    "my feet are getting cold",
    "I am in the mood for some saxophone",
    "the baby is asleep, no noise please",
    "I cannot see my book",
    "who invented the radio",
    "it feels like a sauna in here",
    "somebody left the garage wide open",
    "something cheerful for the party would be nice",
    "my eyes hurt, that is far too much",
    "how far away is the moon",
    "I would like it cosy for dinner",
    "that tune is too wild for breakfast",
    "winter has come early this year",
    "I wonder why the sky is blue",
    "the sun blinds me at my desk",
    "some piano would help me to concentrate",
    "an empty place needs no warmth",
    "I am off to bed",
    "could we have a romantic mood",
    "grandma can never hear the news",
    "why do cats purr",
    "the air is thick as soup",
    "the cinema evening may begin",
)
"""Sentences that Home Assistant does not understand and whose words do not give the agent away."""


def reflex_sentences(home: Home) -> Iterator[str]:
    """Yield sentences Home Assistant understands by itself, without end and none twice in a row."""
    for switch, room in zip(cycle(("on", "off")), cycle(home.rooms), strict=False):
        # Each light of the room in turn, then all of them.
        for light in islice(room.lights, 4):
            yield f"turn {switch} {light}"
        yield f"turn {switch} the lights in the {room.name}"


def planned_sentences(home: Home) -> Iterator[str]:
    """Yield sentences a model plans, without end; some are routed by words and some by the model."""
    patterns = (
        "make the {room} a little brighter",
        "dim the lamps in the {room} for our guests",
        "it is a little dreary in the {room}",
        "that is far too much for me in the {room}",
    )
    for pattern, room in zip(cycle(patterns), cycle(home.rooms), strict=False):
        yield pattern.format(room=room.name)


def routed_sentences(home: Home) -> Iterator[str]:
    """Yield sentences, without end and each different, whose agent the model chooses."""
    for number, room in enumerate(cycle(home.rooms)):
        yield f"number {number}, it is a little dreary in the {room.name}"


def mixed_sentences(home: Home) -> Iterator[str]:
    """Yield what a day brings, without end: mostly plain commands, the rest for the model."""
    reflex, planned = reflex_sentences(home), planned_sentences(home)
    while True:
        yield from islice(reflex, 3)
        yield from islice(planned, 2)


def place_sentences(home: Home) -> list[str]:
    """Return one sentence for each room that a specialist needs the model for."""
    return [f"a bit brighter and redder in the {room.name}, to 40 percent" for room in home.rooms]
