"""What an assistant can be told, with examples of this very home."""

from collections.abc import Iterator

from .current_turn import Turn
from .home.catalog import CatalogEntity

# What an example is given for: its words, and the domain of the thing it names.
_EXAMPLES = (
    ("light", "light"),
    ("climate", "climate"),
    ("media_player", "media_player"),
    ("cover", "cover"),
)
_QUESTION = "question"


def is_asked_for_help(turn: Turn) -> bool:
    """Return whether the sentence asks what can be said, or who is there."""
    return turn.language.help.kind_of(turn.user_input.text.rstrip("?!. ")) is not None


def helping(turn: Turn) -> str:
    """Return what can be said, and whether there is somebody to talk to."""
    language = turn.language
    examples = [*_examples(turn), language.say(f"help.say.{_QUESTION}")]
    told = language.say("help.examples", examples=", ".join(f"“{text}”" for text in examples))
    key = "with_model" if turn.assistant.model else "without_model"
    return f"{told} {language.say(f'help.{key}')}"


def _examples(turn: Turn) -> Iterator[str]:
    """Yield examples, each with the first thing of its domain."""
    for key, domain in _EXAMPLES:
        found: tuple[CatalogEntity, ...] = turn.catalog.by_domain.get(domain, ())
        if found:
            yield turn.language.say(f"help.say.{key}", name=found[0].name)
