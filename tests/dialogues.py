"""Thirty dialogues with the demo house: questions and their answers, and what refers to turns before.

Twenty of two turns and ten of three, as people talk, each turn with the state its task must be in and
with what must be true in the house after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from custom_components.bellboard.memory.models import TaskState

OPEN = TaskState.INPUT_REQUIRED
CANCELED = TaskState.CANCELED
FAILED = TaskState.FAILED


@dataclass(frozen=True)
class Turn:
    """One sentence, and what is right after it.

    `state` is the one of its task. `instead` where a question was open and this is no answer to it,
    so that another task takes the place of the one that asked. `house` maps each entity that may be
    other than at the start of the dialogue to what must hold of it ("state" or an attribute);
    entities of earlier turns stay as they were said there.
    """

    text: str
    state: TaskState = TaskState.COMPLETED
    instead: bool = False
    house: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Dialogue:
    """Turns in one conversation. `area` is the room whose voice panel hears them, if one does."""

    title: str
    turns: tuple[Turn, ...]
    area: str | None = None
    language: str = "en"


_ON = {"state": "on"}
_OFF = {"state": "off"}
_JAZZ = {"state": "playing", "media_artist": "Ines Halvorsen Trio"}
_KITCHEN_OFF = {
    "light.kitchen_ceiling": _OFF,
    "light.kitchen_counter": _OFF,
    "light.kitchen_pendant": _OFF,
}

TWO_TURNS = (
    Dialogue(
        "answered by name",
        (
            Turn("turn on a lamp", OPEN),
            Turn("the floor lamp", house={"light.floor_lamp": _ON}),
        ),
        area="Living Room",
    ),
    Dialogue(
        "answered by a part of the name",
        (
            Turn("dim the lamp to 40 percent", OPEN),
            Turn("the reading one please", house={"light.reading_lamp": {"brightness": 102}}),
        ),
        area="Living Room",
    ),
    Dialogue(
        "answered by its place in the question",
        (
            Turn("turn on the bedside lamp", OPEN),
            Turn("the second one", house={"light.right_bedside_lamp": _ON}),
        ),
        area="Bedroom",
    ),
    Dialogue(
        "answered by the room",
        (
            Turn("set the thermostat to 20 degrees", OPEN),
            Turn(
                "the one in the bedroom", house={"climate.bedroom_thermostat": {"temperature": 20}}
            ),
        ),
    ),
    Dialogue(
        "answered with both",
        (
            Turn("dim the bedside lamp to 50 percent", OPEN),
            Turn(
                "both",
                house={
                    "light.left_bedside_lamp": {"state": "on", "brightness": 128},
                    "light.right_bedside_lamp": {"state": "on", "brightness": 128},
                },
            ),
        ),
        area="Bedroom",
    ),
    Dialogue(
        "answered with all of them",
        (
            Turn("turn off the speaker", OPEN),
            Turn(
                "all of them",
                house={
                    "media_player.bedroom_speaker": _OFF,
                    "media_player.kitchen_speaker": _OFF,
                    "media_player.living_room_speaker": _OFF,
                    "media_player.office_speaker": _OFF,
                },
            ),
        ),
    ),
    Dialogue(
        "left with never mind",
        (
            Turn("turn on a lamp", OPEN),
            Turn("never mind", CANCELED),
        ),
        area="Living Room",
    ),
    Dialogue(
        "another request in place of an answer",
        (
            Turn("turn on a lamp", OPEN),
            Turn("turn off the kitchen lights", instead=True, house=_KITCHEN_OFF),
        ),
        area="Living Room",
    ),
    Dialogue(
        "brighter after on",
        (
            Turn("turn on the floor lamp", house={"light.floor_lamp": {"brightness": 180}}),
            Turn("make it brighter", house={"light.floor_lamp": {"brightness": 245}}),
        ),
    ),
    Dialogue(
        "off again",
        (
            Turn(
                "turn on the bathroom lights",
                house={"light.bathroom_ceiling": _ON, "light.bathroom_mirror": _ON},
            ),
            Turn(
                "turn them off again",
                house={"light.bathroom_ceiling": _OFF, "light.bathroom_mirror": _OFF},
            ),
        ),
    ),
    Dialogue(
        "and another room too",
        (
            Turn("turn off the kitchen lights", house=_KITCHEN_OFF),
            Turn("and the bedroom too", house={"light.left_bedside_lamp": _OFF}),
        ),
    ),
    Dialogue(
        "now the other one",
        (
            Turn(
                "dim the left bedside lamp to 20%",
                house={"light.left_bedside_lamp": {"brightness": 51}},
            ),
            Turn("now the other one", house={"light.right_bedside_lamp": {"brightness": 51}}),
        ),
    ),
    Dialogue(
        "music, then paused",
        (
            Turn(
                "play some jazz in the living room",
                house={"media_player.living_room_speaker": _JAZZ},
            ),
            Turn("pause it", house={"media_player.living_room_speaker": {"state": "paused"}}),
        ),
    ),
    Dialogue(
        "music, then in another room",
        (
            Turn(
                "play some jazz in the living room",
                house={"media_player.living_room_speaker": _JAZZ},
            ),
            Turn("and in the kitchen", house={"media_player.kitchen_speaker": _JAZZ}),
        ),
    ),
    Dialogue(
        "after a turn of Home Assistant's own: blinds",
        (
            Turn("open the kitchen blinds", house={"cover.kitchen_blinds": {"state": "open"}}),
            Turn(
                "close them again",
                house={"cover.kitchen_blinds": {"state": "closed", "current_position": 0}},
            ),
        ),
    ),
    Dialogue(
        "after a turn of Home Assistant's own: a lock",
        (
            Turn("unlock the front door", house={"lock.front_door": {"state": "unlocked"}}),
            Turn("lock it again", house={"lock.front_door": {"state": "locked"}}),
        ),
    ),
    Dialogue(
        "after a question to Home Assistant",
        (
            Turn("is the reading lamp on?"),
            Turn("then turn it off", house={"light.reading_lamp": _OFF}),
        ),
    ),
    Dialogue(
        "German: answered by name",
        (
            Turn("mach eine Lampe an", OPEN),
            Turn("die Stehlampe", house={"light.floor_lamp": _ON}),
        ),
        area="Living Room",
        language="de",
    ),
    Dialogue(
        "German: and the kitchen too",
        (
            Turn("mach das Licht im Büro aus", house={"light.desk_lamp": _OFF}),
            Turn("und in der Küche auch", house=_KITCHEN_OFF),
        ),
        language="de",
    ),
    Dialogue(
        "French: answered with both",
        (
            Turn("éteins une lampe", OPEN),
            Turn(
                "les deux",
                house={"light.floor_lamp": _OFF, "light.reading_lamp": _OFF},
            ),
        ),
        area="Living Room",
        language="fr",
    ),
)

THREE_TURNS = (
    Dialogue(
        "an unclear answer, then a clear one",
        (
            Turn("turn on a lamp", OPEN),
            Turn("the nice one", OPEN),
            Turn("the first one", house={"light.floor_lamp": _ON}),
        ),
        area="Living Room",
    ),
    Dialogue(
        "unclear until it is left",
        (
            Turn("turn on a lamp", OPEN),
            Turn("I don't know", OPEN),
            Turn("no idea", FAILED),
        ),
        area="Living Room",
    ),
    Dialogue(
        "the other one as an answer",
        (
            Turn("turn off the reading lamp", house={"light.reading_lamp": _OFF}),
            Turn("turn on a lamp", OPEN),
            Turn("the other one", house={"light.floor_lamp": _ON}),
        ),
        area="Living Room",
    ),
    Dialogue(
        "a question in between",
        (
            Turn("turn on the floor lamp", house={"light.floor_lamp": _ON}),
            Turn("what time is it"),
            Turn("turn it off again", house={"light.floor_lamp": _OFF}),
        ),
    ),
    Dialogue(
        "a question in place of an answer",
        (
            Turn("turn on a lamp", OPEN),
            Turn("what time is it", instead=True),
            Turn("turn on the floor lamp", house={"light.floor_lamp": _ON}),
        ),
        area="Living Room",
    ),
    Dialogue(
        "the same answer twice",
        (
            Turn("turn on a lamp", OPEN),
            Turn("the floor lamp", house={"light.floor_lamp": _ON}),
            Turn("the floor lamp"),
        ),
        area="Living Room",
    ),
    Dialogue(
        "brighter, and a bit more",
        (
            Turn(
                "set the hallway ceiling to 20%",
                house={"light.hallway_ceiling": {"brightness": 51}},
            ),
            Turn("make it brighter", house={"light.hallway_ceiling": {"brightness": 115}}),
            Turn("a bit more", house={"light.hallway_ceiling": {"brightness": 140}}),
        ),
    ),
    Dialogue(
        "warmer, and a bit more",
        (
            Turn(
                "set the bedroom thermostat to 20 degrees",
                house={"climate.bedroom_thermostat": {"temperature": 20}},
            ),
            Turn("a bit warmer", house={"climate.bedroom_thermostat": {"temperature": 21}}),
            Turn("a bit more", house={"climate.bedroom_thermostat": {"temperature": 22}}),
        ),
    ),
    Dialogue(
        "louder, then in another room",
        (
            Turn(
                "play some jazz in the living room",
                house={"media_player.living_room_speaker": {**_JAZZ, "volume_level": 0.4}},
            ),
            Turn(
                "louder", house={"media_player.living_room_speaker": {**_JAZZ, "volume_level": 0.5}}
            ),
            Turn(
                "and in the kitchen", house={"media_player.kitchen_speaker": {"volume_level": 0.4}}
            ),
        ),
    ),
    Dialogue(
        "asked for the room, then for the lamp",
        (
            Turn("turn on the lamp", OPEN),
            Turn("in the living room", OPEN),
            Turn("the first one", house={"light.floor_lamp": _ON}),
        ),
    ),
)

DIALOGUES = (*TWO_TURNS, *THREE_TURNS)
