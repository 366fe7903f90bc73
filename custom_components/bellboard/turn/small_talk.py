"""Sentences that only thank, want nothing, or ask what can be said."""

from collections.abc import Sequence

from ..agents.base import AgentResult
from ..home.catalog import Catalog
from ..home.names import words_of
from ..memory.models import TaskContext
from ..nlu.loader import Language
from ..routing.models import Assignment, Source
from ..routing.router import reply_directly
from .context import TurnContext

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


def answer_small_talk(context: TurnContext) -> Assignment | None:
    """Return the answered part for a sentence that asks for help, only thanks or wants nothing; None for another."""
    language, text = context.language, context.text
    if language.help.kind_of(text.rstrip("?!. ")) is not None:
        told, reason, topic = _describe_help(context), "It asks what can be said.", "help"
    elif context.reading.is_thanks:
        told, reason, topic = language.say("help.welcome"), "It only thanks.", "thanks"
    elif language.answers.dismisses(words_of(text)):
        told, reason, topic = (
            language.say("again.canceled" if context.before_last else "nothing.wanted"),
            "It says that nothing is wanted.",
            "nothing",
        )
    else:
        return None
    return reply_directly(text, told, reason, Source.REFLEX, topic=topic)


def _describe_help(context: TurnContext) -> str:
    """Return what can be said, and whether there is somebody to talk to."""
    language = context.language
    examples = example_sentences(language, context.catalog)
    told = language.say("help.examples", examples=", ".join(f"“{text}”" for text in examples))
    key = "with_model" if context.assistant.model else "without_model"
    return f"{told} {language.say(f'help.{key}')}"


def with_hint(
    context: TurnContext, text: str, answers: Sequence[AgentResult], task: TaskContext
) -> str:
    """Return a reply with what can be said instead, where nobody understood anything and there is no model to ask.

    It is not said twice in a conversation, nor where the owner wrote what is said then.
    """
    assistant, hint = context.assistant, context.language.say("help.instead")
    if assistant.model or assistant.options.aggregation.default_fallback_message:
        return text
    is_known = any(message.content.endswith(hint) for message in task.history)
    if is_known or not answers or not all(map(_is_lost, answers)):
        return text
    return f"{text if text.endswith(('.', '!', '?')) else f'{text}.'} {hint}"


def _is_lost(answer: AgentResult) -> bool:
    """Return whether an answer says that nothing was understood, and names no word that was not."""
    return answer.unknown or answer.declined == "plan.not_understood"
