"""Routing by a capable model: one call splits a sentence into instructions, asks, or finds nothing to be done.

Other than a small model, which only names an agent for each part that the words show, it says itself what the
parts are: two agents may be meant without a conjunction (RouterExecutor contract, AgentChoiceResult).
"""

from collections.abc import Sequence
from dataclasses import replace
import re

from pydantic import Field, ValidationError

from ..agents.models import AgentCard
from ..home.names import words_of
from ..json_model import JsonModel
from ..llm.client import ModelClient, async_ask_until_usable, shown_again
from ..llm.errors import BadOutputError
from ..llm.models import Completion, JsonSchema, Message, object_schema
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.reminders import read_reminder
from ..options import RouterOptions
from .choice import CHOSEN, UnknownAgentError
from .cleaning import clean
from .evidence import weigh_written
from .log import log_no_choice
from .models import Assignment, Measure, Source
from .parts import split_requests
from .prompt import asked_with, clean_lines, has_own_prompt, shown_name, system_prompt
from .router import RoutingRequest, declined, fall_back, reply_directly

_MOST_PARTS = 8
_LOOKED_UP = "Also what hangs on the past, forecasts, calendars"
_CLAUSE = re.compile(r"[,;.!?…]")
_SENTENCE = re.compile(r"(?<=[.!?…])\s")
_LINE, _MOST_WORDS = 300, 200
# What a part that is cut out of a sentence may begin or end with, and what may end a sentence.
_EDGES, _MARKS = " ,;", " ,;.!?…"
NOTHING_WANTED = "The model says that nothing is wanted of the home."
"""Reason of an assignment of what only tells something."""
NOBODY = "nobody"
"""Whom a model names for what no agent can do."""

_PROMPT = """\
Route what is said to a home. Agents:
{catalog}
- nobody: none of these
"parts": each thing wanted; no remark or reason; what needs another's answer is one part with it. \
"instruction" stands by itself, with "it" resolved: copy names, rooms, numbers, exceptions as said, repeat a room \
in each part it holds for. "asks": only an answer is wanted. "later", not in "instruction": when, if not now, or \
how long ("at 19:45", "until the door is shut"); no calendar entry's. Agents ask for what is missing.
"confidence", 0 to 1: that it is wanted of this agent. Below 0.7, or if unclear \
(no parts), a short "question" in the speaker's language, else none. If nothing is wanted of the home \
or you, both empty."""


class _Part(JsonModel):
    """One part as a model writes it."""

    agent: str
    instruction: str = Field(min_length=1)
    asks: bool = False
    later: bool | str = ""
    confidence: float = Field(ge=0, le=1)
    reasoning: str = ""


class _Split(JsonModel):
    """A sentence as a model splits it; without parts a question, or nothing that is wanted."""

    parts: list[_Part]
    question: str = ""

    @property
    def asked(self) -> str:
        """Return the question as it may be spoken."""
        return clean(self.question, _MOST_WORDS)


async def async_split(
    model: ModelClient,
    source: Source,
    *,
    request: RoutingRequest,
    text: str,
    hint: str = "",
    others: str = "",
) -> list[Assignment]:
    """Return the parts of a text with their agents, as a capable model says; `hint` is how it was read in vain.

    `others` are the parts of the sentence that are done without it.

    Raises:
        UnknownAgentError: the first part is for an agent that does not exist.
        ModelError: the model could not be asked, or no answer fits.
    """
    options = request.options

    async def async_ask(messages: Sequence[Message]) -> list[Assignment]:
        """Return the parts in one answer of the model."""
        completion = await model.complete(
            messages,
            schema=split_schema(options, request.cards),
            schema_name="parts",
            temperature=options.temperature,
            max_tokens=options.max_output_tokens,
            timeout=request.timeout,
        )
        return _read(request, text, completion, source)

    return await async_ask_until_usable(
        async_ask,
        split_messages(request, text, hint, others),
        attempts=options.max_attempts,
        again="Answer again, only with the JSON asked for.",
    )


def split_messages(
    request: RoutingRequest, text: str, hint: str = "", others: str = ""
) -> list[Message]:
    """Return the messages: what is fixed first, then where it is said, what was before, a hint, and the text."""
    text = text.strip(_EDGES)
    options = request.options
    cards = [_detailed(card, request.tools) for card in request.cards]
    is_told = request.rooms and not has_own_prompt(options)
    rooms = ["Rooms:", clean_lines(request.rooms)] if is_told else []
    lines = [clean_lines(request.memory)] if request.memory else []
    whole = request.user_input.text.strip(_EDGES)
    if text.strip(_MARKS) != whole.strip(_MARKS):
        lines.append(f"(A part of: {clean(whole, _LINE)})")
    if others:
        lines.append(f"(Done without you, no part of yours: {clean(others, _LINE)})")
    if request.area:
        lines.append(f"(Said in: {clean(request.area, _LINE)})")
    if hint:
        lines.append(f"(Understood so far: {clean(hint, _LINE)})")
    return [
        Message(role="system", content="\n".join([system_prompt(options, cards, _PROMPT), *rooms])),
        Message(role="user", content="\n".join([*lines, asked_with(options, cards, text)])),
    ]


def _detailed(card: AgentCard, tools: Sequence[str]) -> AgentCard:
    """Return a card with its details in its description; of who talks also the `tools`."""
    described = f"{card.description} {card.details}".strip()
    if card.talks:
        named = clean("; ".join(tools), _MOST_WORDS)
        described = f"{described} {_LOOKED_UP}{f'; tools: {named}' if named else ''}."
    return card.model_copy(update={"description": described})


def split_schema(options: RouterOptions, cards: Sequence[AgentCard]) -> JsonSchema:
    """Return the schema of a split sentence, with the agents that may be named."""
    part = {
        "agent": {
            "type": "string",
            "enum": [*(shown_name(options, card.id) for card in cards), NOBODY],
        },
        "instruction": {"type": "string", "minLength": 1, "maxLength": _LINE},
        "asks": {"type": "boolean"},
        "later": {"type": "string", "maxLength": _MOST_WORDS},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    }
    if has_own_prompt(options):
        part["reasoning"] = {"type": "string", "maxLength": _LINE}
    properties = {
        "parts": {
            "type": "array",
            "maxItems": _MOST_PARTS,
            "items": object_schema(part),
        },
        "question": {"type": "string", "maxLength": _MOST_WORDS},
    }
    return object_schema(properties)


def _read(
    request: RoutingRequest, text: str, completion: Completion, source: Source
) -> list[Assignment]:
    """Return the parts that a model wrote; raises `UnknownAgentError` or `BadOutputError`."""
    try:
        split = _Split.model_validate(completion.data or {})
    except ValidationError as err:
        raise BadOutputError("not parts with agents", text=shown_again(completion.data)) from err
    if split.parts:
        # One clause is a question or none, whatever a model makes of it.
        clauses = [each for each in _CLAUSE.split(request.user_input.text) if each.strip()]
        has_question = len(clauses) > 1 and any(part.asks for part in split.parts)
        parts = [
            _assigned_or_left(
                request, part, source, is_beside_question=has_question, is_first=place == 0
            )
            for place, part in enumerate(split.parts[:_MOST_PARTS])
        ]
        parts = _with_condition(text, parts, request.language)
        threshold = request.options.confidence_threshold
        if not split.asked or any(part.confidence >= threshold for part in parts):
            # What is unsure is asked in the model's own words.
            return [replace(part, question=split.asked) for part in parts]
    if question := split.asked:
        return [
            Assignment(
                agent_id=request.options.clarification_agent_id,
                instruction=text,
                confidence=min((part.confidence for part in split.parts), default=0.0),
                source=source,
                measure=Measure.WRITTEN,
                reason="The model asks what is wanted.",
                is_clarification=True,
                question=question,
            )
        ]
    if talker := request.talker_id:
        return [
            Assignment(
                agent_id=talker,
                instruction=text,
                source=source,
                reason=NOTHING_WANTED,
                spoken=text,
            )
        ]
    words = request.language.say("again.canceled")
    return [reply_directly(text, words, NOTHING_WANTED, source)]


def _assigned_or_left(
    request: RoutingRequest,
    part: _Part,
    source: Source,
    *,
    is_beside_question: bool,
    is_first: bool,
) -> Assignment:
    """Return a part with its agent; one after the first whose agent does not exist is left to the fallback."""
    try:
        return _assigned(request, part, source, is_beside_question=is_beside_question)
    except UnknownAgentError as err:
        if is_first:
            raise
        log_no_choice(str(err))
        return fall_back(request.options, clean(part.instruction, _LINE), err.suggested)


def _assigned(
    request: RoutingRequest, part: _Part, source: Source, *, is_beside_question: bool
) -> Assignment:
    """Return a part with its agent; a question never goes to an agent that only acts.

    The words for when it is to be done go with it (`Assignment.later`): nobody may act on it before they are read.
    One that `is_beside_question` is judged by its own words: the question of the sentence is another part.
    """
    if part.later is True:
        return declined(clean(part.instruction, _LINE), "decline.later", "It is for later.")
    # Whatever a model makes of it, a question changes nothing.
    texts = (
        [part.instruction] if is_beside_question else [request.user_input.text, part.instruction]
    )
    asks = part.asks or any(
        _only_asks(text, request.language) and not _is_polite(text, request.language)
        for text in texts
    )
    if part.agent.strip().casefold() == NOBODY:
        return _for_nobody(request, part, source, asks=asks)
    agents = {shown_name(request.options, card.id).casefold(): card.id for card in request.cards}
    agents |= {card.id.casefold(): card.id for card in request.cards}
    if (agent_id := agents.get(part.agent.strip().casefold())) is None:
        raise UnknownAgentError(part.agent)
    cards = [card for card in request.cards if not (asks and card.domains)] or request.cards
    allowed = [card.id for card in cards]
    agent_id = agent_id if agent_id in allowed else allowed[0]
    confidence = weigh_written(agent_id, part.confidence, request.cards, request.success)
    return Assignment(
        agent_id=agent_id,
        instruction=clean(part.instruction, _LINE),
        confidence=round(confidence, 4),
        source=source,
        measure=Measure.WRITTEN,
        reason=clean(part.reasoning, _LINE) or CHOSEN,
        spoken=request.user_input.text,
        asks=asks,
        later=clean(part.later or "", _MOST_WORDS),
    )


def _with_condition(text: str, parts: list[Assignment], language: Language) -> list[Assignment]:
    """Return parts with all that was said where a model left the condition in it out of each of them.

    An agent knows no other words than its instruction's, and would do what is wanted only if something is so.
    """

    def is_told(part: Assignment) -> bool:
        """Return whether a part has the condition: as words for when, as what is asked, or in its instruction."""
        is_later = part.later or part.decline == "decline.later"
        return bool(is_later or part.asks or read_tags(part.instruction, language).is_conditional)

    if not read_tags(text, language).is_conditional or any(map(is_told, parts)):
        return parts
    said = clean(text, len(text))
    return [part if part.decline else replace(part, instruction=said) for part in parts]


def _for_nobody(request: RoutingRequest, part: _Part, source: Source, *, asks: bool) -> Assignment:
    """Return a part that no agent can do: whoever talks may know a tool for it, else it is declined."""
    talker = request.talker_id if request.has_tools else ""
    return Assignment(
        agent_id=talker or request.options.fallback_agent_id,
        instruction=clean(part.instruction, _LINE),
        confidence=round(part.confidence, 4),
        source=source,
        measure=Measure.WRITTEN,
        reason="The model says that no agent can do it.",
        decline=None if talker else "fallback",
        spoken=request.user_input.text,
        asks=asks,
    )


def _is_polite(text: str, language: Language) -> bool:
    """Return whether a text ends by asking politely for something: "Food's ready, can you set the mood?"."""
    said = [clause.strip() for clause in _CLAUSE.split(text) if words_of(clause)]
    last = read_tags(said[-1], language) if said else None
    return last is not None and last.is_polite_request and not last.begins_like_question


def _only_asks(text: str, language: Language) -> bool:
    """Return whether each sentence and request of a text is a question: in "It's dark, isn't it? Help!" one is not."""
    said = [
        part
        for sentence in _SENTENCE.split(text)
        for part in split_requests(sentence, language)
        if any(map(str.isalnum, part))
    ]
    is_asked = all(read_tags(part, language).is_question for part in said)
    is_reminded = language.reminders.may_be_in(text) and any(
        read_reminder(clause.strip(), language.reminders) for clause in _CLAUSE.split(text)
    )
    return is_asked and not (is_reminded or read_tags(text, language).asks_and_acts)
