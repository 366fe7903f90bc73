"""Table of voice satellites, which say aloud what somebody wants to be told in other rooms."""

from collections.abc import Sequence
from enum import IntFlag

from homeassistant.core import State

from .actions import Action, ActionInput, require_any
from .announcements import MESSAGE, SPOKEN, announcement_calls, reply_announced
from .models import ToolCall
from .services import Service, has
from .table import Domain


class Feature(IntFlag):
    """Features of a satellite, by Home Assistant's own values.

    Its component is not imported for them: it brings the whole voice pipeline, which a house without satellites
    has no use for.
    """

    ANNOUNCE = 1


_CAN_ANNOUNCE = has(Feature.ANNOUNCE)


def _plan_announcement(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that announces a message.

    Raises:
        NotSupportedError: no satellite can announce anything.
    """
    able: Sequence[State] = require_any([s for s in states if _CAN_ANNOUNCE(s)], states)
    return announcement_calls("assist_satellite", "announce", wanted, able)


ASSIST_SATELLITE = Domain(
    name="assist_satellite",
    prompt_noun="voice satellites",
    refusal_unseen="undo.heard",
    not_undone="what was heard cannot be taken back, which is said",
    services=(
        Service(
            "announce",
            _CAN_ANNOUNCE,
            fields={"message": SPOKEN},
            required=frozenset({"message"}),
            is_each_alone=True,
            is_momentary=True,
            unseen="Home Assistant reports when it was played, and a satellite that could not",
            reply=reply_announced,
        ),
    ),
    actions=(
        Action(
            "announce",
            "announce",
            prompt_line="message is what to say aloud, in the user's own words",
            capability=_CAN_ANNOUNCE,
            plan_calls=_plan_announcement,
            parameters=(MESSAGE,),
            is_repeatable=True,
        ),
    ),
)
"""Table of voice satellites."""
