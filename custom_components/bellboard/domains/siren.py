"""Table of sirens."""

from homeassistant.components.siren import SirenEntityFeature as Feature

from .checks import IS_OFF, IS_ON, TOGGLED
from .effects import on_off
from .services import Service, has, listed, needing, number
from .switch import on_off_actions
from .table import Domain

SIREN = Domain(
    name="siren",
    not_undone="a siren that was loud is not made loud again",
    services=(
        Service(
            "turn_on",
            has(Feature.TURN_ON),
            fields={
                "tone": needing(has(Feature.TONES), listed("available_tones")),
                "volume_level": needing(has(Feature.VOLUME_SET), number(0, 1)),
                "duration": needing(has(Feature.DURATION), number(1, whole=True, unit="s")),
            },
            # Tone and volume are not in the state.
            check=IS_ON,
        ),
        Service("turn_off", has(Feature.TURN_OFF), check=IS_OFF),
        Service("toggle", has(Feature.TURN_ON | Feature.TURN_OFF), check=TOGGLED),
    ),
    actions=on_off_actions(),
    effects=on_off(),
)
"""Table of sirens."""
