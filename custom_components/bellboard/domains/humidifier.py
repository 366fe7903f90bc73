"""What humidifiers can do."""

from collections.abc import Iterator

from homeassistant.components.humidifier import HumidifierEntityFeature as Feature
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .checks import has_value
from .fields import features_of, has, listed, number
from .switching import ON_OFF, put_back_switch
from .table import Action, Attribute, Domain, Intent, Kept, Kind, Parameter, Service, Step


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
        Attribute(name="humidity", tolerance=1, service="set_humidity"),
        Attribute(name="mode", service="set_mode"),
    ),
    services=(
        *ON_OFF,
        Service(
            name="set_humidity",
            fields={"humidity": number("min_humidity", "max_humidity", whole=True, unit="%")},
            required=frozenset({"humidity"}),
            check=has_value("humidity", tolerance=1),
        ),
        Service(
            name="set_mode",
            able=has(Feature.MODES),
            fields={"mode": listed("available_modes")},
            required=frozenset({"mode"}),
            check=has_value("mode"),
        ),
    ),
    actions=(
        Action(
            name="set_humidity",
            service="set_humidity",
            parameters=(Parameter(name="humidity", field="humidity", unit="%", low=0, high=100),),
            intents=(Intent(name="HassHumidifierSetpoint", slots={"humidity": "humidity"}),),
        ),
        Action(
            name="set_mode",
            service="set_mode",
            parameters=(
                Parameter(name="mode", kind=Kind.CHOICE, field="mode", options="available_modes"),
            ),
            intents=(Intent(name="HassHumidifierMode", slots={"mode": "mode"}),),
        ),
    ),
    put_back=_put_back,
)
"""The table of humidifiers."""
