"""Questions about the home that no rule reads, answered by a capable model from the states it is shown.

A small model never talks about the home: it would invent it.
"""

from collections.abc import Iterator
import re

from homeassistant.core import State
from homeassistant.helpers import intent

from ..home.catalog import CatalogEntity
from ..home.names import words_of
from ..llm.models import Message, object_schema, tokens_of
from ..plans.models import Plan, Respond
from .base import AgentRequest, AgentResult
from .listed_devices import describe_state, items_of, room_of

# Of more entities those are shown that the question seems to be about; in tokens, of all of them.
_MOST_ENTITIES, _MOST_TOKENS = 80, 760
_MAX_TOKENS, _MAX_ANSWER = 200, 400
# What tells nothing of a home.
_SILENT = frozenset(
    {"scene", "script", "button", "input_button", "event", "tag", "update", "conversation"}
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_DEGREES = re.compile(r"(\d{1,4}(?:\.\d{1,3})?) ?°")

_PROMPT = """\
Answer the question about a home from the states that are listed, and from nothing else. One or two short \
spoken sentences, in the language of the question, without markup. Count and compare yourself. If the states \
do not tell, "known" is false."""
ANSWER_SCHEMA = object_schema(
    {"known": {"type": "boolean"}, "answer": {"type": "string", "maxLength": _MAX_ANSWER}}
)


async def async_tell_by_model(request: AgentRequest, agent_id: str) -> AgentResult:
    """Answer a question from the states of the home, or say that it is not known here.

    Raises:
        ModelError: the model could not be asked.
    """
    plan = Plan(intent_id=f"{agent_id}/tell", agent_id=agent_id, steps=(Respond(),))
    execution = await request.runner.async_run(plan)
    execution.mark_responded()
    rooms = _told_by_room(request)
    if request.model is None or not rooms:
        return _not_known(request)
    shown = "\n".join(f"{room}: {'; '.join(told)}" for room, told in rooms.items())
    count = sum(map(len, rooms.values()))
    area = request.catalog.areas.get(request.area_id or "")
    # What changes least comes first, so that a server has read most of it before.
    asked = ["States:", shown]
    if area:
        asked.append(f"Speaker's room: {area.name}")
    if request.memory:
        asked.append(request.memory)
    asked.append(f"Question: {request.instruction}")
    completion = await request.model.complete(
        [
            Message(role="system", content=_PROMPT),
            Message(role="user", content="\n".join(asked)),
        ],
        schema=ANSWER_SCHEMA,
        schema_name="answer",
        temperature=0.0,
        max_tokens=_MAX_TOKENS,
        timeout=request.timeout,
    )
    data = completion.data or {}
    answer = " ".join(str(data.get("answer") or "").split())[:_MAX_ANSWER]
    if (
        data.get("known") is not True
        or not answer
        or not _is_borne_out(answer, request, shown, count)
    ):
        return _not_known(request)
    return AgentResult(success=True, content=answer, plan=plan)


def _not_known(request: AgentRequest) -> AgentResult:
    """Return the answer that this is not known here."""
    return AgentResult(
        success=False,
        content=request.language.say("plan.beyond"),
        error_code=intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
    )


def _is_borne_out(answer: str, request: AgentRequest, shown: str, count: int) -> bool:
    """Return whether each number in an answer was shown, asked, or can be a count, difference or mean of some."""
    known = {_value(each) for each in _NUMBER.findall(f"{shown} {request.instruction}")}
    degrees = [_value(each) for each in _DEGREES.findall(shown)]
    asks_mean = not request.language.averages.isdisjoint(words_of(request.instruction))
    return all(
        (value := _value(each)) in known
        or (value == int(value) and value <= count)
        or any(abs(abs(one - other) - value) < 0.05 for one in known for other in known)
        or (asks_mean and min(degrees, default=1) <= value <= max(degrees, default=0))
        for each in _NUMBER.findall(answer)
    )


def _value(number: str) -> float:
    """Return a number that is written with a point or a comma."""
    return float(number.replace(",", "."))


def _told_by_room(request: AgentRequest) -> dict[str, list[str]]:
    """Return the exposed entities that the user may read by room, those first that the question is about."""
    known = [
        (entity, state)
        for domain, entities in sorted(request.catalog.by_domain.items())
        if domain not in _SILENT
        for entity in entities
        if (state := request.hass.states.get(entity.entity_id))
        and request.rights.may_read(entity.entity_id)
    ]
    words = frozenset(words_of(request.instruction))
    likely = sorted(known, key=lambda each: -len(words.intersection(_words(request, *each))))
    chosen: dict[str, str] = {}
    size = 0
    for entity, state in likely[:_MOST_ENTITIES]:
        told = f"{entity.name}: {', '.join([*_told(state), *items_of(request, state)])}"
        size += tokens_of(told)
        if size <= _MOST_TOKENS:
            chosen[entity.entity_id] = told
    rooms: dict[str, list[str]] = {}
    # In the same order each time, which a server has read before.
    for entity, _ in known:
        if told := chosen.get(entity.entity_id, ""):
            rooms.setdefault(room_of(request, entity), []).append(told)
    return rooms


def _words(request: AgentRequest, entity: CatalogEntity, state: State) -> frozenset[str]:
    """Return the words that may call an entity: its names, its room, its kind."""
    kind = f"{entity.domain} {entity.device_class or ''}".replace("_", " ")
    texts = (*entity.names, room_of(request, entity), kind, state.state)
    return frozenset(word for text in texts for word in words_of(text))


def _told(state: State) -> Iterator[str]:
    """Yield the state of an entity in a few words, with its unit, or as its device class means it."""
    if state.domain == "binary_sensor":
        yield _OPENINGS.get(state.state, state.state) if _is_opening(state) else state.state
        if kind := state.attributes.get("device_class"):
            yield str(kind)
        return
    if unit := state.attributes.get("unit_of_measurement"):
        yield f"{state.state} {unit}"
        return
    yield from describe_state(state)
    if sources := state.attributes.get("source_list"):
        yield f"sources {'/'.join(map(str, sources))}"
    if state.domain == "weather" and (degrees := state.attributes.get("temperature")) is not None:
        yield f"{degrees}{state.attributes.get('temperature_unit', '')}"


_OPENINGS = {"on": "open", "off": "closed"}


def _is_opening(state: State) -> bool:
    """Return whether a binary sensor tells that something is open."""
    return state.attributes.get("device_class") in {"door", "window", "opening", "garage_door"}
