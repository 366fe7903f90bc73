"""Commands for later as the panel shows them, of everybody; each can be cancelled there."""

from typing import Any

from homeassistant.core import HomeAssistant

from ..agents.base import ReplyContext
from ..agents.planned_wording import describe_planned
from ..assistant import Assistant
from ..memory.delayed import DelayedCommand
from ..nlu.loader import async_get_language
from ..services.lookup import all_assistants
from .words import Viewer, withheld


async def async_planned_as_json(
    hass: HomeAssistant, viewer: Viewer, language: str
) -> list[dict[str, Any]]:
    """Return the commands that wait, the next one first, with what each will do in the viewer's language."""
    spoken = await async_get_language(hass, language)
    found = []
    for assistant_id, assistant in all_assistants(hass).items():
        catalog = await assistant.catalog.async_get()
        words = ReplyContext(hass=hass, language=spoken, catalog=catalog)
        found += [
            _command_as_json(assistant_id, assistant, command, viewer, words)
            for command in assistant.delayed.waiting
        ]
    return sorted(found, key=lambda each: each["seconds_left"])


def _command_as_json(
    assistant_id: str,
    assistant: Assistant,
    command: DelayedCommand,
    viewer: Viewer,
    words: ReplyContext,
) -> dict[str, Any]:
    """Return a command: what it will do and when, who gave it, and in which words, where these may be seen."""
    said = command.said or command.text
    sees_words = viewer.sees_words_of(assistant.options, command.user_id)
    return {
        "assistant": assistant_id,
        "id": command.id,
        "text": said if sees_words else withheld(said),
        "does": describe_planned(words, command.calls),
        "user": command.user_id,
        "due": command.due.isoformat(),
        "seconds_left": max(0, round(assistant.delayed.seconds_left(command))),
    }
