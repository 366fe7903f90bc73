"""Table of voice satellites, which say aloud what somebody wants to be told in other rooms."""

from collections.abc import Sequence
from enum import IntFlag

from homeassistant.core import State

from .actions import Action, ActionInput, Parameter, ParameterKind, group_calls, require_any
from .fields import has, text
from .models import ToolCall
from .services import ReplyTranslation, Service, ValueFormatter
from .table import Domain


class Feature(IntFlag):
    """Features of a satellite, by Home Assistant's own values.

    Its component is not imported for them: it brings the whole voice pipeline, which a house without satellites
    has no use for.
    """

    ANNOUNCE = 1


_SEPARATOR = ", "
_CAN_ANNOUNCE = has(Feature.ANNOUNCE)


def _plan_announcement(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that announces a message; it is labelled with those of whom nobody knows where they are.

    Raises:
        NotSupportedError: no satellite can announce anything.
    """
    able: Sequence[State] = require_any([s for s in states if _CAN_ANNOUNCE(s)], states)
    data = {"message": wanted.parameters["message"]}
    calls = group_calls("assist_satellite", [(state.entity_id, "announce", data) for state in able])
    lost = _SEPARATOR.join(map(str, wanted.parameters.get("lost", ())))
    return [call.model_copy(update={"label": lost}) for call in calls]


def _reply_announced(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to an announcement, which does not say again what was announced.

    It says why everybody heard what was for somebody.
    """
    if not call.label:
        return "announce", {}
    return "announce_to_find", {"value": words.join(call.label.split(_SEPARATOR))}


ASSIST_SATELLITE = Domain(
    name="assist_satellite",
    prompt_noun="voice satellites",
    refusal_unseen="undo.heard",
    not_undone="what was heard cannot be taken back, which is said",
    services=(
        Service(
            "announce",
            _CAN_ANNOUNCE,
            fields={"message": text},
            required=frozenset({"message"}),
            is_each_alone=True,
            unseen="Home Assistant reports when it was played, and a satellite that could not",
            reply=_reply_announced,
        ),
    ),
    actions=(
        Action(
            "announce",
            "announce",
            prompt_line="message is what to say aloud, in the user's own words",
            capability=_CAN_ANNOUNCE,
            plan_calls=_plan_announcement,
            parameters=(
                Parameter(
                    "message",
                    kind=ParameterKind.TEXT,
                    field="message",
                    hint="what to say aloud, word for word as the user said it",
                    is_verbatim=True,
                ),
            ),
            is_repeatable=True,
        ),
    ),
)
"""Table of voice satellites."""
