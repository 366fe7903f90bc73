"""What humidifiers can do."""

from collections.abc import Iterator

from homeassistant.components.humidifier import HumidifierEntityFeature as Feature
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .fields import features_of, has, listed, number
from .switching import ON_OFF, put_back_switch
from .table import Action, Attribute, Domain, Intent, Kept, Kind, Parameter, Step, setting


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for a humidifier: on, its mode, its target; off comes last."""
    if before.state == STATE_ON:
        yield from put_back_switch(before, state, changed)
    mode, humidity = before.text("mode"), before.number("humidity")
    if "mode" in changed and mode and features_of(state) & Feature.MODES:
        yield "set_mode", {"mode": mode}
    if "humidity" in changed and humidity is not None:
        yield "set_humidity", {"humidity": humidity}
    if before.state == STATE_OFF:
        yield from put_back_switch(before, state, changed)


HUMIDIFIER = Domain(
    name="humidifier",
    attributes=(
        Attribute("humidity", tolerance=1, service="set_humidity"),
        Attribute("mode", service="set_mode"),
    ),
    services=(
        *ON_OFF,
        setting(
            "set_humidity",
            None,
            "humidity",
            number("min_humidity", "max_humidity", whole=True, unit="%"),
            tolerance=1,
        ),
        setting("set_mode", has(Feature.MODES), "mode", listed("available_modes")),
    ),
    actions=(
        Action(
            "set_humidity",
            "set_humidity",
            parameters=(Parameter("humidity", field="humidity", unit="%", low=0, high=100),),
            intents=(Intent("HassHumidifierSetpoint", {"humidity": "humidity"}),),
        ),
        Action(
            "set_mode",
            "set_mode",
            parameters=(
                Parameter("mode", kind=Kind.CHOICE, field="mode", options="available_modes"),
            ),
            intents=(Intent("HassHumidifierMode", {"mode": "mode"}),),
        ),
    ),
    put_back=_put_back,
)
"""The table of humidifiers."""
