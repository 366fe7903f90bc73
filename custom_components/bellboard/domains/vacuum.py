"""What vacuum cleaners can do."""

from homeassistant.components.vacuum import VacuumActivity as Doing, VacuumEntityFeature as Feature

from .checks import is_none_of, is_one_of
from .fields import has
from .openings import said_first_word
from .table import Action, Domain, Intent, Service

_GOES = (Doing.CLEANING, Doing.RETURNING)

VACUUM = Domain(
    name="vacuum",
    services=(
        Service(
            name="start",
            able=has(Feature.START),
            check=is_one_of(Doing.CLEANING),
            reply=said_first_word,
        ),
        Service(
            name="return_to_base",
            able=has(Feature.RETURN_HOME),
            check=is_one_of(Doing.RETURNING, Doing.DOCKED),
            reply=said_first_word,
        ),
        Service(
            name="stop", able=has(Feature.STOP), check=is_none_of(*_GOES), reply=said_first_word
        ),
        Service(
            name="pause", able=has(Feature.PAUSE), check=is_none_of(*_GOES), reply=said_first_word
        ),
    ),
    actions=(
        Action(
            name="start",
            service="start",
            intents=(Intent(name="HassVacuumStart"),),
            commands=frozenset({"start"}),
        ),
        Action(
            name="stop",
            service=("stop", "pause"),
            commands=frozenset({"stop", "halt"}),
            is_direct=True,
        ),
        Action(
            name="return",
            service="return_to_base",
            intents=(Intent(name="HassVacuumReturnToBase"),),
        ),
        Action(
            name="clean_area",
            service="clean_area",
            intents=(
                Intent(name="HassVacuumCleanArea", features=Feature.CLEAN_AREA, by_name_only=True),
            ),
        ),
    ),
)
"""The table of vacuum cleaners."""
