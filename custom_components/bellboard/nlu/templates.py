"""Recognition of whole sentences by templates of the language files, in Home Assistant's notation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from hassil.intents import Intents
from hassil.recognize import recognize_all

# No template is longer. Longer texts are not matched.
_MAX_CHARACTERS = 90
_MOST_KEPT = 32
# Lists of any words, of one word only, and of any words after that one.
_ANY, _ONE, _MORE = "any", "one", "more"


class Templates:
    """Recogniser of one language's sentences, by the kind of request ("undo that", "what is planned")."""

    def __init__(
        self,
        code: str,
        sentences: Mapping[str, Iterable[str]],
        *,
        rules: Mapping[str, str],
        skip: Sequence[str],
    ) -> None:
        """Parse sentences by kind; `skip` are words to ignore. Too slow for the event loop."""
        self._intents = Intents.from_dict(
            {
                "language": code,
                "skip_words": list(skip),
                "expansion_rules": dict(rules),
                "lists": {name: {"wildcard": True} for name in (_ANY, _ONE, _MORE)},
                "intents": {
                    kind: {"data": [{"sentences": list(texts)}]}
                    for kind, texts in sentences.items()
                },
            }
        )
        # A sentence is asked for several times a turn.
        self._kind_of = lru_cache(maxsize=_MOST_KEPT)(self._find_kind)
        # hassil builds its templates at the first use, which must not be in the event loop.
        self.kind_of("?")

    def kind_of(self, text: str) -> str | None:
        """Return the kind of a sentence whose template matches as a whole, or None."""
        return None if len(text) > _MAX_CHARACTERS else self._kind_of(text)

    def _find_kind(self, text: str) -> str | None:
        """Return the kind of a short sentence, or None."""
        found = next(iter(recognize_all(text, self._intents)), None)
        return found.intent.name if found else None

    def rest_of(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each kind of a sentence, with the words for which its template has `{any}`, `{one}` and `{more}`."""
        if len(text) > _MAX_CHARACTERS:
            return
        for found in recognize_all(text, self._intents):
            words = {name: entity.text.strip(" ,.!?") for name, entity in found.entities.items()}
            if " " not in words.get(_ONE, ""):
                yield found.intent.name, " ".join(filter(None, map(words.get, (_ANY, _ONE, _MORE))))
