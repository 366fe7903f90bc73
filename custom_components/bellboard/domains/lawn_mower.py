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
            "start_mowing",
            has(Feature.START_MOWING),
            check=is_one_of(Doing.MOWING),
            reply=said_first_word,
        ),
        Service(
            "pause",
            has(Feature.PAUSE),
            check=is_none_of(Doing.MOWING, Doing.RETURNING),
            reply=said_first_word,
        ),
        Service(
            "dock",
            has(Feature.DOCK),
            check=is_one_of(Doing.RETURNING, Doing.DOCKED),
            reply=said_first_word,
        ),
    ),
    actions=(
        Action(
            "start",
            "start_mowing",
            intents=(Intent("HassLawnMowerStartMowing"),),
            commands=frozenset({"start"}),
        ),
        Action("stop", "pause", commands=frozenset({"stop", "halt"}), is_direct=True),
        Action("dock", "dock", intents=(Intent("HassLawnMowerDock"),)),
    ),
)
"""The table of lawn mowers."""
