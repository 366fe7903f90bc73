"""Words a question again for the user, and asks a model which candidate an unclear answer means."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
import json

from ..home.catalog import Catalog
from ..home.names import words_of
from ..llm.client import ModelClient
from ..llm.errors import BadOutputError
from ..llm.logprobs import choice_distribution
from ..llm.models import JsonSchema, Message, object_schema
from ..memory.pending import PendingQuestion
from ..nlu.loader import Language
from .choosing import AnswerKind, ReadAnswer

_FIELD = "answer"
_ALL, _CANCEL, _ANOTHER, _UNCLEAR = "all", "cancel", "another", "unclear"
_MAX_TOKENS = 20
# A model that finds its choice less likely than this does not know it.
_LEAST = 0.5
# More candidates are not shown to a model.
_MAX_OFFERED = 24
# Nobody answers a question with more than this.
_MAX_CHARACTERS = 300

_SYSTEM = """\
A person was asked which device is meant. Say which one the answer means, as JSON.
- its number, or "all"
- "cancel": nothing is to be done
- "another": the person wants something else
- "unclear": it does not say which"""
_LAMPS = "Said: dim it\nAsked: Which one?\nDevices: 1 Wall Light (Garden), 2 Ball Lamp (Attic)"
_RADIOS = "Said: some news\nAsked: Where?\nDevices: 1 Old Radio (Attic), 2 Big Radio (Garage)"
_HEATERS = "Said: warmer\nAsked: Which one?\nDevices: 1 Big Heater (Cellar), 2 Old Heater (Attic)"
_EXAMPLES = (
    (_LAMPS, "the round one", "2"),
    (_RADIOS, "where the car is", "2"),
    (_LAMPS, "how late is it", _ANOTHER),
    (_HEATERS, "the heater", _UNCLEAR),
    (_LAMPS, "I would rather not have it", _CANCEL),
    (_RADIOS, "the pair of them", _ALL),
)


def prompt_again(pending: PendingQuestion, catalog: Catalog, language: Language) -> str:
    """Return the prompt to ask a question again: short, and with numbers to answer by.

    Candidates that are gone are left out; the others keep their numbers. Without any candidates the
    question is asked as it was.
    """
    names = _labels(pending, catalog)
    if not names:
        return pending.question.prompt
    if not pending.is_named:
        return language.say("again.place")
    if len(pending.order) == 1:
        return language.say("again.confirm", name=next(iter(names.values())))
    options = list(names.values())
    if not any(_has_number(name, language) for name in options):
        # "Number 1, Lamp 2" would only confuse.
        options = [
            language.say("again.option", number=number, name=name) for number, name in names.items()
        ]
    return language.say("again.choice", candidates=language.join(options, "or"))


def _labels(pending: PendingQuestion, catalog: Catalog) -> dict[int, str]:
    """Return the labels of the candidates that are there, by their numbers in the question.

    One of several with the same name is called by its room, or by a name that only it has.
    """
    named = {candidate.entity_id: candidate.name for candidate in pending.question.candidates}
    here = {
        number: catalog.entities[entity_id] for number, entity_id in _numbered(pending, catalog)
    }
    rooms = Counter(entity.area_id for entity in here.values())
    known = Counter(words for entity in here.values() for words in set(map(words_of, entity.names)))
    spoken = Counter(words_of(name) for name in named.values())
    labels: dict[int, str] = {}
    for number, entity in here.items():
        label = named[entity.entity_id]
        if spoken[words_of(label)] > 1:
            own = [name for name in entity.names if known[words_of(name)] == 1]
            area = catalog.areas.get(entity.area_id or "")
            if area and rooms[area.id] == 1:
                own = [area.name]
            label = next(iter(own), label)
        labels[number] = label
    return labels


def _numbered(pending: PendingQuestion, catalog: Catalog) -> Iterator[tuple[int, str]]:
    """Yield the candidates that are there with their numbers in the question."""
    for number, entity_id in enumerate(pending.order, 1):
        if entity_id in catalog.entities:
            yield number, entity_id


def _has_number(name: str, language: Language) -> bool:
    """Return whether there is a number in a name."""
    cardinals = language.answers.cardinals
    return any(word.isdecimal() or (word,) in cardinals for word in words_of(name))


async def async_ask_which(
    model: ModelClient,
    text: str,
    pending: PendingQuestion,
    catalog: Catalog,
    seconds: float,
    *,
    said: str = "",
) -> ReadAnswer:
    """Ask the model once which candidate a text means, in at most so many `seconds`.

    `said` is the request that the question is about.

    For what `read_answer` finds unclear. The model can only choose candidates that are there now.
    Without any, or with too many to show, it is not asked and the reply is UNCLEAR; so it is where
    the model was not sure.

    Raises:
        ModelError: the model could not be asked, or its answer does not fit.
    """
    offered = _offered(pending, catalog)
    if not offered or len(offered) > _MAX_OFFERED:
        return ReadAnswer(AnswerKind.UNCLEAR)
    options = _options(offered)
    completion = await model.complete(
        [*_fixed_messages(), Message(role="user", content=_question(said, pending, catalog, text))],
        schema=_schema(options),
        schema_name=_FIELD,
        temperature=0.0,
        max_tokens=_MAX_TOKENS,
        logprobs=True,
        timeout=seconds,
    )
    answer = (completion.data or {}).get(_FIELD)
    if answer not in options:
        raise BadOutputError("an answer that was not offered", text=completion.text)
    likely = choice_distribution(completion, _FIELD, options)
    if likely is not None and likely[str(answer)] < _LEAST:
        return ReadAnswer(AnswerKind.UNCLEAR)
    return _reply(str(answer), offered, pending)


def _offered(pending: PendingQuestion, catalog: Catalog) -> dict[str, str]:
    """Return the entity ids of the candidates that are there, by their numbers in the question."""
    return {str(number): entity_id for number, entity_id in _numbered(pending, catalog)}


def _options(offered: Mapping[str, str]) -> list[str]:
    """Return the enum of a model's answer."""
    return [*offered, *([_ALL] if len(offered) > 1 else []), _CANCEL, _ANOTHER, _UNCLEAR]


def _reply(answer: str, offered: Mapping[str, str], pending: PendingQuestion) -> ReadAnswer:
    """Return the meaning of a model's answer."""
    match answer:
        case "cancel":
            return ReadAnswer(AnswerKind.CANCELED)
        case "another":
            return ReadAnswer(AnswerKind.ANOTHER)
        case "unclear":
            return ReadAnswer(AnswerKind.UNCLEAR)
        case "all":
            return ReadAnswer(AnswerKind.CHOSEN, tuple(offered.values()))
        case number:
            return ReadAnswer(AnswerKind.CHOSEN, (offered[number],))


@lru_cache(maxsize=1)
def _fixed_messages() -> tuple[Message, ...]:
    """Return the fixed prefix of the prompt, so that a server can cache it."""
    messages = [Message(role="system", content=_SYSTEM)]
    for about, said, answer in _EXAMPLES:
        content = json.dumps({_FIELD: answer}, separators=(",", ":"))
        messages += [
            Message(role="user", content=f"{about}\nAnswer: {said}"),
            Message(role="assistant", content=content),
        ]
    return tuple(messages)


def _question(said: str, pending: PendingQuestion, catalog: Catalog, text: str) -> str:
    """Return the part of the prompt that varies: the request, the question, the candidates, and the answer."""
    devices: list[str] = []
    for number, entity_id in _numbered(pending, catalog):
        entity = catalog.entities[entity_id]
        area = catalog.areas.get(entity.area_id or "")
        devices.append(f"{number} {entity.name}" + (f" ({area.name})" if area else ""))
    lines = [f"Said: {_clean(said)[:_MAX_CHARACTERS]}"] if said else []
    return "\n".join(
        [
            *lines,
            f"Asked: {_clean(pending.question.prompt)[:_MAX_CHARACTERS]}",
            f"Devices: {_clean(', '.join(devices))}",
            f"Answer: {_clean(text)[:_MAX_CHARACTERS]}",
        ]
    )


def _clean(text: str) -> str:
    """Return a text in one line, without what only looks like white space."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _schema(options: Sequence[str]) -> JsonSchema:
    """Return the JSON schema of an answer."""
    return object_schema({_FIELD: {"type": "string", "enum": list(options)}})
