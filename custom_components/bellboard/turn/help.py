"""What an assistant can be told, with examples of this very home."""

from .context import TurnContext
from .examples import example_sentences


def asks_for_help(context: TurnContext) -> bool:
    """Return whether the sentence asks what can be said, or who is there."""
    return context.language.help.kind_of(context.text.rstrip("?!. ")) is not None


def describe_help(context: TurnContext) -> str:
    """Return what can be said, and whether there is somebody to talk to."""
    language = context.language
    examples = example_sentences(language, context.catalog)
    told = language.say("help.examples", examples=", ".join(f"“{text}”" for text in examples))
    key = "with_model" if context.assistant.model else "without_model"
    return f"{told} {language.say(f'help.{key}')}"
