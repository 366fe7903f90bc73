"""Whose words an administrator sees in the panel, as an assistant's options say."""

from dataclasses import dataclass
from typing import Any

from ..options import AssistantOptions
from ..telemetry.redaction import STRICT
from ..telemetry.trace import TurnTrace


@dataclass(frozen=True, slots=True)
class Viewer:
    """Administrator who looks at turns, by the id of their user."""

    user_id: str

    def sees_words(self, options: AssistantOptions, trace: TurnTrace) -> bool:
        """Return whether they may see what was said in a turn."""
        return self.sees_words_of(options, trace.speaker.user_id)

    def sees_words_of(self, options: AssistantOptions, user_id: str | None) -> bool:
        """Return whether they may see what somebody said, by the id of that user."""
        match options.telemetry.panel_words:
            case "all":
                return True
            case "own":
                return user_id == self.user_id
            case _:
                return False


def withheld(text: str) -> str:
    """Return what stands in place of a text that may not be seen: its length."""
    return f"<{len(text)} characters>" if text else ""


def without_words(value: Any) -> Any:
    """Return JSON without what somebody said or wrote; texts become their length."""
    return STRICT.redact({"value": value})["value"]
