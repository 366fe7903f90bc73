"""What is only turned on or pressed, and shows when it last was: scenes, buttons, scripts."""

from .checks import TOGGLED
from .light import TRANSITION
from .table import Action, Attribute, Domain, Intent, Service


def _button(name: str) -> Domain:
    """Return the table of what is pressed. Its state is when it last was."""
    return Domain(
        name=name,
        services=(Service("press", check=TOGGLED),),
        actions=(Action("press", "press", intents=(Intent("HassTurnOn"),)),),
    )


SCENE = Domain(name="scene", services=(Service("turn_on", fields=TRANSITION, check=TOGGLED),))
"""The table of scenes. The state of one is when it was last turned on."""

BUTTON, INPUT_BUTTON = _button("button"), _button("input_button")

SCRIPT = Domain(name="script", attributes=(Attribute("last_triggered"),))
"""The table of scripts: nothing can be put back that one did, but that it ran is known."""
