"""Table of lawn mowers."""

from homeassistant.components.lawn_mower import (
    LawnMowerActivity as Doing,
    LawnMowerEntityFeature as Feature,
)

from .actions import Action, Intent
from .checks import is_none_of, is_one_of
from .open_close import reply_with_verb
from .services import Service, has
from .table import Domain

LAWN_MOWER = Domain(
    name="lawn_mower",
    not_undone="what was mown stays mown",
    services=(
        Service(
            "start_mowing",
            has(Feature.START_MOWING),
            check=is_one_of(Doing.MOWING),
            reply=reply_with_verb,
        ),
        Service(
            "pause",
            has(Feature.PAUSE),
            check=is_none_of(Doing.MOWING, Doing.RETURNING),
            reply=reply_with_verb,
        ),
        Service(
            "dock",
            has(Feature.DOCK),
            check=is_one_of(Doing.RETURNING, Doing.DOCKED),
            reply=reply_with_verb,
        ),
    ),
    actions=(
        Action(
            "start",
            "start_mowing",
            intents=(Intent("HassLawnMowerStartMowing"),),
            commands=frozenset({"start", "mow", "turn_on"}),
        ),
        Action("stop", "pause", commands=frozenset({"stop", "halt", "pause"}), is_direct=True),
        Action(
            "dock",
            "dock",
            intents=(Intent("HassLawnMowerDock"),),
            commands=frozenset({"dock", "turn_off"}),
        ),
    ),
)
"""Table of lawn mowers."""
