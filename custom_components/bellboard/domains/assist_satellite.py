"""Table of voice satellites, which say aloud what somebody wants to be told in other rooms."""

from enum import IntFlag

from .actions import Action, Parameter, ParameterKind
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


def _reply_announced(_words: ValueFormatter, _call: ToolCall) -> ReplyTranslation:
    """Return the reply to an announcement, which does not say again what was announced."""
    return "announce", {}


ASSIST_SATELLITE = Domain(
    name="assist_satellite",
    prompt_noun="voice satellites",
    refusal_unseen="undo.heard",
    not_undone="what was heard cannot be taken back, which is said",
    services=(
        Service(
            "announce",
            has(Feature.ANNOUNCE),
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
            capability=has(Feature.ANNOUNCE),
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
