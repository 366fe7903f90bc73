"""Whole sentences that are written as templates in the language files, as Home Assistant writes its own."""

from collections.abc import Iterable, Mapping, Sequence

from hassil.intents import Intents
from hassil.recognize import recognize_all

# No template is this long. What is longer is not even looked at.
_MAX_CHARACTERS = 90


class Templates:
    """Sentences of one language by what they ask for ("undo that", "what is planned")."""

    def __init__(
        self,
        code: str,
        sentences: Mapping[str, Iterable[str]],
        *,
        rules: Mapping[str, str],
        skip: Sequence[str],
    ) -> None:
        """Parse sentences. `skip` are words that may stand anywhere in them.

        Takes some time: never in the event loop.
        """
        self._intents = Intents.from_dict(
            {
                "language": code,
                "skip_words": list(skip),
                "expansion_rules": dict(rules),
                "intents": {
                    kind: {"data": [{"sentences": list(texts)}]}
                    for kind, texts in sentences.items()
                },
            }
        )
        # What is built at the first use had better not be built in the event loop.
        self.kind_of("?")

    def kind_of(self, text: str) -> str | None:
        """Return what a sentence asks for, from its first to its last word; None where it is no template."""
        if len(text) > _MAX_CHARACTERS:
            return None
        found = next(iter(recognize_all(text, self._intents)), None)
        return found.intent.name if found else None
