"""Commands for later as the panel shows them, of everybody; each can be cancelled there."""

from typing import Any

from homeassistant.core import HomeAssistant

from ..assistant import Assistant
from ..services.lookup import all_assistants
from ..tasks.delayed import DelayedCommand
from .words import Viewer, withheld


def planned_as_json(hass: HomeAssistant, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the commands that wait, the next one first, with what each will do in the words of who gave it."""
    found = [
        _command_as_json(assistant_id, assistant, command, viewer)
        for assistant_id, assistant in all_assistants(hass).items()
        for command in assistant.delayed.waiting
    ]
    return sorted(found, key=lambda each: each["seconds_left"])


def _command_as_json(
    assistant_id: str,
    assistant: Assistant,
    command: DelayedCommand,
    viewer: Viewer,
) -> dict[str, Any]:
    """Return a command: what it will do and when, who gave it, and in which words, where these may be seen."""
    said = command.said or command.text
    sees_words = viewer.sees_words_of(assistant.options, command.user_id)
    return {
        "assistant": assistant_id,
        "id": command.id,
        "text": said if sees_words else withheld(said),
        "does": command.wish,
        "user": command.user_id,
        "due": command.due.isoformat(),
        "seconds_left": max(0, round(assistant.delayed.seconds_left(command))),
    }
