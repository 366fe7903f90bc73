"""Recognition of whole sentences by templates of the language files, in Home Assistant's notation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from hassil.intents import Intents
from hassil.recognize import RecognizeResult, recognize_all

from .template_index import TemplateIndex

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
        intents = Intents.from_dict(
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
        self._index = TemplateIndex(intents, ()).for_house({})
        # A sentence is asked for several times a turn.
        self._kind_of = lru_cache(maxsize=_MOST_KEPT)(self._find_kind)

    def kind_of(self, text: str) -> str | None:
        """Return the kind of a sentence whose template matches as a whole, or None."""
        return None if len(text) > _MAX_CHARACTERS else self._kind_of(text)

    def _find_kind(self, text: str) -> str | None:
        """Return the kind of a short sentence, or None."""
        found = next(self._recognized(text), None)
        return found.intent.name if found else None

    def rest_of(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each kind of a sentence, with the words for which its template has `{any}`, `{one}` and `{more}`."""
        if len(text) > _MAX_CHARACTERS:
            return
        for found in self._recognized(text):
            words = {name: entity.text.strip(" ,.!?") for name, entity in found.entities.items()}
            if " " not in words.get(_ONE, ""):
                yield found.intent.name, " ".join(filter(None, map(words.get, (_ANY, _ONE, _MORE))))

    def _recognized(self, text: str) -> Iterator[RecognizeResult]:
        """Yield what hassil recognises with the templates that can match, which are seldom any."""
        if templates := self._index.candidates(text):
            yield from recognize_all(text, self._index.intents_with(templates))
