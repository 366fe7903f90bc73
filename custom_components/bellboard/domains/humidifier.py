"""Table of humidifiers."""

from collections.abc import Iterator

from homeassistant.components.humidifier import HumidifierEntityFeature as Feature
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .actions import Action, Intent, StepSizes, choice, percentage
from .effects import on_off
from .services import (
    Attribute,
    SavedState,
    UndoStep,
    features_of,
    has,
    listed,
    number,
    setting_service,
)
from .switch import ON_OFF, on_off_actions, undo_switch
from .table import Domain


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a humidifier: on, its mode, its target humidity, and off last."""
    if before.state == STATE_ON:
        yield from undo_switch(before, state, changed)
    mode, humidity = before.text("mode"), before.number("humidity")
    if "mode" in changed and mode and features_of(state) & Feature.MODES:
        yield "set_mode", {"mode": mode}
    if "humidity" in changed and humidity is not None:
        yield "set_humidity", {"humidity": humidity}
    if before.state == STATE_OFF:
        yield from undo_switch(before, state, changed)


HUMIDIFIER = Domain(
    name="humidifier",
    attributes=(
        Attribute("humidity", tolerance=1, service="set_humidity"),
        Attribute("mode", service="set_mode"),
    ),
    services=(
        *ON_OFF,
        setting_service(
            "set_humidity",
            None,
            "humidity",
            number("min_humidity", "max_humidity", whole=True, unit="%"),
            tolerance=1,
        ),
        setting_service("set_mode", has(Feature.MODES), "mode", listed("available_modes")),
    ),
    actions=(
        *on_off_actions(),
        Action(
            "set_humidity",
            "set_humidity",
            parameters=(percentage("humidity", "humidity", measures="humidity"),),
            intents=(Intent("HassHumidifierSetpoint", {"humidity": "humidity"}),),
        ),
        Action(
            "set_mode",
            "set_mode",
            parameters=(choice("mode", "mode", "available_modes", measures="mode"),),
            intents=(Intent("HassHumidifierMode", {"mode": "mode"}),),
        ),
    ),
    step_sizes=StepSizes(
        sizes={"little": 5, "": 10, "much": 20},
        words=("damper", "drier"),
        sets=("set_humidity", "humidity"),
        attribute="humidity",
    ),
    plan_undo=_undo_steps,
    effects=on_off(),
)
"""Table of humidifiers."""
