"""Sentences that ask to put back what was just changed ("undo that", "put it back as it was").

They are templates in the language files, in the notation of Home Assistant's own sentences.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hassil.intents import Intents
from hassil.recognize import recognize_all

# No template is this long. What is longer is not even looked at.
_MAX_CHARACTERS = 90


class UndoSentences:
    """The templates of one language."""

    def __init__(self, code: str, data: Mapping[str, Any], *, skip: Sequence[str]) -> None:
        """Parse the `undo` of a language file. `skip` are words that may stand anywhere in them.

        Takes some time: never in the event loop.
        """
        self._intents = Intents.from_dict(
            {
                "language": code,
                "skip_words": list(skip),
                "expansion_rules": data["rules"],
                "intents": {
                    "undo": {
                        "data": [{"sentences": [f"[<lead>] {text}" for text in data["sentences"]]}]
                    }
                },
            }
        )
        # What is built at the first use had better not be built in the event loop.
        self.matches("?")

    def matches(self, text: str) -> bool:
        """Return whether a sentence asks for it, from its first to its last word."""
        if len(text) > _MAX_CHARACTERS:
            return False
        return next(iter(recognize_all(text, self._intents)), None) is not None
