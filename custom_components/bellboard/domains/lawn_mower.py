"""What lawn mowers can do."""

from homeassistant.components.lawn_mower import (
    LawnMowerActivity as Doing,
    LawnMowerEntityFeature as Feature,
)

from .checks import is_none_of, is_one_of
from .fields import has
from .openings import said_first_word
from .table import Action, Domain, Intent, Service

LAWN_MOWER = Domain(
    name="lawn_mower",
    services=(
        Service(
            name="start_mowing",
            able=has(Feature.START_MOWING),
            check=is_one_of(Doing.MOWING),
            reply=said_first_word,
        ),
        Service(
            name="pause",
            able=has(Feature.PAUSE),
            check=is_none_of(Doing.MOWING, Doing.RETURNING),
            reply=said_first_word,
        ),
        Service(
            name="dock",
            able=has(Feature.DOCK),
            check=is_one_of(Doing.RETURNING, Doing.DOCKED),
            reply=said_first_word,
        ),
    ),
    actions=(
        Action(
            name="start",
            service="start_mowing",
            intents=(Intent(name="HassLawnMowerStartMowing"),),
            commands=frozenset({"start"}),
        ),
        Action(name="stop", service="pause", commands=frozenset({"stop", "halt"}), is_direct=True),
        Action(name="dock", service="dock", intents=(Intent(name="HassLawnMowerDock"),)),
    ),
)
"""The table of lawn mowers."""
