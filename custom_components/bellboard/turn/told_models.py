"""What models are told beside a sentence: the last turns, how things were before them, and how to talk."""

from collections.abc import Sequence
import json
import logging

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template

from ..agents.listed_devices import describe_state
from ..home.catalog import Catalog
from ..llm.models import tokens_of
from ..memory.models import TaskContext, TaskMessage
from ..memory.turns import undoable
from ..nlu.tokens import normalised

_LOGGER = logging.getLogger(__name__)

# Of so many turns, about so many tokens, characters of each message, and things of each.
_TURNS, _MOST_TOKENS, _MOST_TOLD, _MOST_BEFORE = 3, 240, 120, 4
# In characters, of the last answer: the next sentence goes on with it.
_MOST_OF_LAST = 240
# In characters, of each text that a conversation began with.
_MOST_OPENING = 300


type Change = tuple[str, str]
"""A request of the last turns, and how the things were that it changed."""


def describe_history(history: Sequence[TaskMessage], changes: Sequence[Change]) -> str:
    """Return the last turns: what was said and answered, and how things were before them; "" before the first."""
    said: list[str] = []
    room = _MOST_TOKENS
    for message in reversed(history[-2 * _TURNS :]):
        most = _MOST_TOLD if said else _MOST_OF_LAST
        told = json.dumps(message.content[:most], ensure_ascii=False)
        room -= tokens_of(told)
        if room < 0:
            break
        said.insert(0, told)
    before = [
        f"(Before {json.dumps(request, ensure_ascii=False)}: {told})" for request, told in changes
    ]
    lines = [f"Before: {'; '.join(said)}", *before]
    return "\n".join(lines) if said else ""


def describe_opening(message: str, prompt: str) -> str:
    """Return what a conversation began with, a line each for a model: the message, and what its author adds.

    Both are data: others may have written what is in them. Home Assistant gives the message where nothing is added.
    """
    added = "" if normalised(prompt) == message else prompt
    # The question is at the end of a message.
    told = (("Said to the speaker before", message[-_MOST_OPENING:]), ("About this", added))
    lines = (
        f"({title}: {json.dumps(normalised(text)[:_MOST_OPENING], ensure_ascii=False)})"
        for title, text in told
        if text
    )
    return "\n".join(lines)


def read_changes(task: TaskContext, catalog: Catalog) -> tuple[Change, ...]:
    """Return the requests of the last turns that changed something, the newest last, and how that was before."""
    changes: list[Change] = []
    for record in undoable(task)[-_TURNS:]:
        states = [State(was.entity_id, was.state, was.attributes) for was in record.before]
        told = [
            f"{entity.name} {', '.join(describe_state(state))}"
            for state in states[:_MOST_BEFORE]
            if (entity := catalog.entities.get(state.entity_id))
        ]
        if told:
            changes.append((record.said[:_MOST_TOLD], "; ".join(told)))
    return tuple(changes)


def describe_before(
    changes: Sequence[Change], last: Sequence[str], named: Sequence[str] = ()
) -> str:
    """Return what an agent is told beside its instruction: what was used `last`, and how things were before.

    It is data of the home, for "as it was" and "the other one": nothing of what was said. `named` are the things and
    places that other parts of the same request are about, for "and make it cosy there".
    """
    titles = (("Used last", last), ("Spoken of", named))
    lines = [f"{title}: {'; '.join(names[:_MOST_BEFORE])}" for title, names in titles if names]
    for title, (_, told) in zip(("Before that", "Earlier"), reversed(changes), strict=False):
        lines.append(f"{title}: {told}")
    return "\n".join(lines)


def render_persona(hass: HomeAssistant, written: str) -> str:
    """Return what the assistant's owner tells every model that talks, "" where the template fails."""
    if not written:
        return ""
    variables = {"ha_name": hass.config.location_name}
    try:
        return str(Template(written, hass).async_render(variables, parse_result=False))
    except TemplateError:
        _LOGGER.warning("The template of how the assistant talks cannot be rendered")
        return ""
