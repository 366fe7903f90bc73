"""Sentences that only thank, want nothing, or ask what can be said."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from homeassistant.core import HomeAssistant

from ..agents.base import AgentResult
from ..domains.actions import ActionError, ActionInput
from ..domains.registry import table_of
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..memory.models import TaskContext
from ..nlu.loader import Language
from ..routing.models import Assignment, Source
from ..routing.router import reply_directly
from .context import TurnContext

# What an example is given for: the domain of the thing it names, and the action that it asks for.
_EXAMPLES: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("light", "turn_on", {}),
    ("climate", "set_temperature", {"temperature": 21}),
    ("media_player", "pause", {}),
    ("cover", "close", {}),
)
_QUESTION = "question"


def example_sentences(hass: HomeAssistant, language: Language, catalog: Catalog) -> list[str]:
    """Return a sentence for the first thing of each kind that can do what it asks for, and a question at last."""
    commands = [
        language.say(f"help.say.{domain}", name=entity.name)
        for domain, action, values in _EXAMPLES
        if (entity := _first_able(hass, catalog.by_domain.get(domain, ()), action, values))
    ]
    return [*commands, language.say(f"help.say.{_QUESTION}")]


def _first_able(
    hass: HomeAssistant, entities: Sequence[CatalogEntity], name: str, values: Mapping[str, Any]
) -> CatalogEntity | None:
    """Return the first of the entities of a domain that an action can be planned for; None for none."""
    for entity in entities:
        state, table = hass.states.get(entity.entity_id), table_of(entity.domain)
        action = table.action(name) if table else None
        if state is None or table is None or action is None:
            continue
        with suppress(ActionError):
            if table.plan(action, ActionInput(parameters=values), [state]):
                return entity
    return None


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
    examples = example_sentences(context.assistant.hass, language, context.catalog)
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
    # A dry run that is told may have said it already.
    is_known = is_known or text.endswith(hint)
    if is_known or not answers or not all(map(_is_lost, answers)):
        return text
    return f"{text if text.endswith(('.', '!', '?')) else f'{text}.'} {hint}"


def _is_lost(answer: AgentResult) -> bool:
    """Return whether an answer says that nothing was understood, and names no word that was not."""
    return answer.unknown or answer.declined == "plan.not_understood"
