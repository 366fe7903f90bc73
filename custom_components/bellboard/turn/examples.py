"""Sentences that can be said in this very home."""

from ..home.catalog import Catalog
from ..nlu.loader import Language

# What an example is given for: its words, and the domain of the thing it names.
_EXAMPLES = (
    ("light", "light"),
    ("climate", "climate"),
    ("media_player", "media_player"),
    ("cover", "cover"),
)
_QUESTION = "question"


def example_sentences(language: Language, catalog: Catalog) -> list[str]:
    """Return a sentence for the first thing of each kind there is, and a question at last."""
    found = ((key, catalog.by_domain.get(domain, ())) for key, domain in _EXAMPLES)
    commands = [
        language.say(f"help.say.{key}", name=things[0].name) for key, things in found if things
    ]
    return [*commands, language.say(f"help.say.{_QUESTION}")]
