"""What an assistant can be told, with examples of this very home."""

from .context import Turn
from .examples import example_sentences


def is_asked_for_help(turn: Turn) -> bool:
    """Return whether the sentence asks what can be said, or who is there."""
    return turn.language.help.kind_of(turn.user_input.text.rstrip("?!. ")) is not None


def helping(turn: Turn) -> str:
    """Return what can be said, and whether there is somebody to talk to."""
    language = turn.language
    examples = example_sentences(language, turn.catalog)
    told = language.say("help.examples", examples=", ".join(f"“{text}”" for text in examples))
    key = "with_model" if turn.assistant.model else "without_model"
    return f"{told} {language.say(f'help.{key}')}"
