"""Table of vacuum cleaners."""

from homeassistant.components.vacuum import VacuumActivity as Doing, VacuumEntityFeature as Feature

from .actions import Action, Intent, choice
from .checks import is_none_of, is_one_of
from .effects import Effect, always
from .open_close import reply_with_verb
from .services import Attribute, Service, has, listed, setting_service
from .table import Domain

_UNSEEN = "it only makes a sound"
_GOES = (Doing.CLEANING, Doing.RETURNING)

VACUUM = Domain(
    name="vacuum",
    not_undone="what was cleaned stays clean, and where it was is not known",
    effects=(
        Effect(
            dict.fromkeys(("start", "clean_spot", "clean_area"), always), {"send_command": always}
        ),
        Effect({"return_to_base": always}, {"send_command": always}),
    ),
    attributes=(Attribute("fan_speed", service="set_fan_speed", feature=Feature.FAN_SPEED),),
    services=(
        Service(
            "start", has(Feature.START), check=is_one_of(Doing.CLEANING), reply=reply_with_verb
        ),
        Service(
            "return_to_base",
            has(Feature.RETURN_HOME),
            check=is_one_of(Doing.RETURNING, Doing.DOCKED),
            reply=reply_with_verb,
        ),
        Service("stop", has(Feature.STOP), check=is_none_of(*_GOES), reply=reply_with_verb),
        Service("pause", has(Feature.PAUSE), check=is_none_of(*_GOES), reply=reply_with_verb),
        Service("locate", has(Feature.LOCATE), reply=reply_with_verb, unseen=_UNSEEN),
        Service(
            "clean_spot",
            has(Feature.CLEAN_SPOT),
            check=is_one_of(Doing.CLEANING),
            reply=reply_with_verb,
        ),
        setting_service(
            "set_fan_speed", has(Feature.FAN_SPEED), "fan_speed", listed("fan_speed_list")
        ),
    ),
    actions=(
        Action(
            "start",
            "start",
            intents=(Intent("HassVacuumStart"),),
            commands=frozenset({"start", "clean", "resume", "turn_on"}),
        ),
        Action(
            "stop",
            ("stop", "pause"),
            commands=frozenset({"stop", "halt", "stop_cleaning"}),
            is_direct=True,
        ),
        Action("pause", ("pause", "stop"), commands=frozenset({"pause"}), is_direct=True),
        Action(
            "return",
            "return_to_base",
            intents=(Intent("HassVacuumReturnToBase"),),
            commands=frozenset({"dock", "turn_off"}),
        ),
        *(
            Action(name, name, capability=has(feature), commands=frozenset({name}))
            for name, feature in (("locate", Feature.LOCATE), ("clean_spot", Feature.CLEAN_SPOT))
        ),
        Action(
            "set_fan_speed",
            "set_fan_speed",
            capability=has(Feature.FAN_SPEED),
            parameters=(choice("speed", "fan_speed", "fan_speed_list"),),
        ),
        Action(
            "clean_area",
            "clean_area",
            intents=(
                Intent("HassVacuumCleanArea", features=Feature.CLEAN_AREA, by_name_only=True),
            ),
        ),
    ),
)
"""Table of vacuum cleaners."""
