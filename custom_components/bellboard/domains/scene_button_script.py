"""Tables of scene, button, input_button and script, whose states are the time of their last activation."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.service import async_get_cached_service_description

from .actions import Action, Intent
from .checks import TOGGLED
from .effects import on_off
from .fading import TRANSITION
from .services import Attribute, Service, reply_started
from .table import Domain


def _button(name: str) -> Domain:
    """Return the table of a button domain; the state of a button is the time of its last press."""
    return Domain(
        name=name,
        not_undone="what a press started is not known",
        services=(Service("press", check=TOGGLED, reply=reply_started),),
        actions=(
            Action(
                "press",
                "press",
                intents=(Intent("HassTurnOn"),),
                commands=frozenset({"press", "turn_on"}),
            ),
        ),
    )


SCENE = Domain(
    name="scene",
    not_undone="the devices of a scene are put back one by one where it is Home Assistant's own",
    services=(Service("turn_on", fields=TRANSITION, check=TOGGLED, reply=reply_started),),
    actions=(Action("turn_on", "turn_on", commands=frozenset({"turn_on", "start"})),),
)
"""Table of scenes; the state of a scene is the time of its last activation."""

BUTTON, INPUT_BUTTON = _button("button"), _button("input_button")


def _required_fields(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return what a script must be told before it can run, as its author calls it."""
    entry = er.async_get(hass).async_get(entity_id)
    name = entry.unique_id if entry else entity_id.partition(".")[2]
    described = async_get_cached_service_description(hass, "script", name) or {}
    return [
        str(field.get("name") or key.replace("_", " "))
        for key, field in described.get("fields", {}).items()
        if field.get("required")
    ]


SCRIPT = Domain(
    name="script",
    not_undone="what a script did is not known",
    effects=on_off(),
    attributes=(Attribute("last_triggered"),),
    services=(
        Service(
            "turn_on",
            unseen="a script may run for long, or be done at once",
            lacks=_required_fields,
        ),
    ),
    actions=(Action("turn_on", "turn_on", commands=frozenset({"turn_on", "start"})),),
)
"""Table of scripts: what one did cannot be undone, but `last_triggered` tells that it ran."""
