"""Answers to a message with which somebody else began the conversation: "The door is open, shall I close it?".

A satellite says such a message (`assist_satellite.start_conversation`). What it offers is done only after the person's
yes, and as a command that the person gave: by the same rights, policies and checks. All else in a message is data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..agents.models import NOBODY
from ..dialogue.answers import read_answer
from ..dialogue.choosing import AnswerKind
from ..domains.models import Command
from ..memory.models import TaskState
from ..memory.pending import PendingQuestion
from ..nlu.answers import Sign
from ..nlu.offers import read_commands
from ..nlu.tokens import MAX_CHARACTERS, MAX_COMMAND, normalised, spoken_words, tokenise
from ..plans.models import CONFIRM, AskUser, Candidate
from ..routing.models import Assignment, Source
from ..routing.router import RoutedPart, RoutingRequest, reply_directly
from .context import TurnContext
from .decision import READ_SOURCES, async_read_with, async_understand
from .follow_up import is_new_request
from .last_turns import actions_of
from .stages import Assigned, RouteKind, TurnReply

_BEGINNING = frozenset({Sign.AGREE, Sign.FILLER, Sign.AND})
_REASON = "It answers what a satellite asked first."


@dataclass(frozen=True, slots=True)
class OfferedCommand:
    """What a message offers: the `command`, and its parts as they are read without a model; none that is readable."""

    command: str = ""
    parts: tuple[Assignment, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the entity ids that it is for."""
        found = (target for part in self.parts if part.intent for target in part.intent.targets)
        return tuple(dict.fromkeys(found))

    @property
    def domains(self) -> set[str]:
        """Return the domains of what it is for."""
        return {target.partition(".")[0] for target in self.targets}


def with_opening(context: TurnContext, message: str) -> TurnContext:
    """Return the context of a turn that answers a message, "" for none.

    After a plain yes, what the question at the end of the message names was said by the person, too.
    """
    opening = normalised(message)
    context = replace(context, opening=opening)
    if not _asks(opening) or _kind_of(context, OfferedCommand()) is not AnswerKind.YES:
        return context
    return replace(context, agreed=opening[_last_sentence(opening) :])


async def async_read_first_answer(context: TurnContext) -> tuple[TurnContext, RouteKind] | None:
    """Return how the turn goes on after an answer to a message that asks; None for a sentence of its own."""
    if not _asks(context.opening):
        return None
    if _asks_back(context):
        part = reply_directly(context.text, "", _REASON, Source.PENDING, topic=CONFIRM)
        return context, TurnReply(context.opening, (), TaskState.INPUT_REQUIRED, part)
    offer = await _async_read_offer(context)
    if offer.parts and (changed := await _async_changed(context, offer)):
        return context.with_text(offer.command), Assigned(changed)
    match _kind_of(context, offer):
        case AnswerKind.NO | AnswerKind.CANCELED:
            return context, _replied(context, "again.canceled")
        case AnswerKind.YES if offer.parts and not _chosen(context, offer):
            return context.with_text(offer.command), Assigned(offer.parts)
        case AnswerKind.YES if not context.assistant.models.is_capable:
            return context, _replied(context, "again.unknown")
        case _:
            return None


def _asks_back(context: TurnContext) -> bool:
    """Return whether the sentence only asks to say the message again: "pardon?"."""
    words = spoken_words(context.text)
    found = list(context.language.answers.signs.find(words))
    is_all = sum(each.end - each.start for each in found) == len(words)
    return is_all and any(Sign.AGAIN in each.meanings for each in found)


def _asks(message: str) -> bool:
    """Return whether a message ends in a question."""
    return message.rstrip(" \"'”»“").endswith("?")


def _last_sentence(message: str) -> int:
    """Return where the last sentence of a message begins."""
    ends = [token.end for token in tokenise(message.rstrip("?")) if token.word in {".", "!", "?"}]
    return max(ends, default=0)


def _replied(context: TurnContext, key: str) -> Assigned:
    """Return an answer with which nothing is done, by the key of the reply."""
    words = context.language.say(key)
    return Assigned((reply_directly(context.text, words, _REASON, Source.PENDING, topic=CONFIRM),))


def _question(
    context: TurnContext, offer: OfferedCommand, targets: Sequence[str] = ()
) -> PendingQuestion:
    """Return the question of a message, as answers to it are read; `targets` may be chosen from."""
    known = context.catalog.entities
    names = [Candidate(entity_id=each, name=known[each].name) for each in targets if each in known]
    asked = AskUser(
        param=CONFIRM,
        prompt=context.opening,
        candidates=tuple(names),
        actions=tuple(Command(name) for name in sorted(actions_of(offer.parts))),
        data={"text": offer.command},
    )
    agent_id = offer.parts[0].agent_id if offer.parts else NOBODY
    return PendingQuestion(agent_id, asked, area_id=context.area_id)


def _kind_of(context: TurnContext, offer: OfferedCommand) -> AnswerKind:
    """Return the kind of the answer that the sentence is to the question of a message."""
    question = _question(context, offer)
    return read_answer(context.text, question, context.catalog, context.language).kind


async def _async_read_offer(context: TurnContext) -> OfferedCommand:
    """Return what the message offers; an offer without parts where that is not plain."""
    message = context.opening
    found = context.language.offers.read(message) if len(message) <= MAX_CHARACTERS else None
    if found is None or len(found[1]) > MAX_COMMAND:
        return OfferedCommand()
    for alike in read_commands(*found, context.house):
        offers = [
            OfferedCommand(command, parts)
            for command in alike
            if (parts := await _async_read(context, command))
        ]
        if offers:
            # Of two things that may be meant it is neither.
            return offers[0] if len(offers) == 1 else OfferedCommand()
    return OfferedCommand()


async def _async_read(context: TurnContext, command: str) -> tuple[Assignment, ...]:
    """Return the parts of a command as it is read word by word, else as any is without a model; () where it is not."""
    said = replace(context.user_input, text=command)

    async def async_read(request: RoutingRequest) -> Sequence[RoutedPart]:
        parts = await context.assistant.reader.async_read(request, command, plays=False)
        return parts if all(each.assignment for each in parts) else ()

    parts = await async_read_with(context.assistant, said, async_read)
    if parts and all(part.intent and part.intent.targets for part in parts):
        return parts
    route = await async_understand(context.assistant, said)
    is_read = all(part.intent and part.source in READ_SOURCES for part in route.assignments)
    return route.assignments if is_read else ()


async def _async_changed(context: TurnContext, offer: OfferedCommand) -> tuple[Assignment, ...]:
    """Return the parts of an offer as the answer changes it: "only halfway", "yes, but only the left one"; else ()."""
    text, reading = _without_yes(context), context.reading
    if reading.guards or reading.is_question or reading.is_report:
        return ()
    context = context.with_text(text)
    if chosen := _chosen(context, offer):
        return _narrowed(context, offer, chosen)
    if await is_new_request(context, _question(context, offer, offer.targets)):
        return ()
    reader = context.assistant.reader
    parts = await async_read_with(
        context.assistant,
        context.user_input,
        lambda request: reader.async_complete(request, offer.command, text),
    )
    changed = OfferedCommand(offer.command, parts)
    if not all(part.intent and part.intent.targets for part in parts):
        return ()
    if not changed.domains <= offer.domains:
        # "Only in the kitchen" is whatever of the offer is there.
        is_same = actions_of(offer.parts) <= actions_of(parts)
        return _narrowed(context, offer, changed.targets) if is_same else ()
    # "I have done that" says nothing else than what was offered.
    is_other = [*map(_meaning, parts)] != [*map(_meaning, offer.parts)]
    return parts if is_other else ()


def _meaning(part: Assignment) -> tuple[str, ...]:
    """Return what a part comes to, to be compared."""
    intent = part.intent
    if intent is None:
        return ()
    values = {key: value for key, value in intent.parameters.items() if key != "name"}
    return (*sorted(actions_of((part,))), str(sorted(values.items())), *sorted(intent.targets))


def _without_yes(context: TurnContext) -> str:
    """Return the sentence without the yes and the fillers that it begins with: "yes, just the left one"."""
    tokens = [token for token in tokenise(context.text) if not token.is_mark]
    end = 0
    for found in context.language.answers.signs.find(tuple(token.word for token in tokens)):
        if found.start != end or _BEGINNING.isdisjoint(found.meanings):
            break
        end = found.end
    return context.text[tokens[end].start :] if 0 < end < len(tokens) else context.text


def _chosen(context: TurnContext, offer: OfferedCommand) -> tuple[str, ...]:
    """Return those targets of an offer that the sentence chooses, () where it chooses none or all."""
    question = _question(context, offer, offer.targets)
    answer = read_answer(context.text, question, context.catalog, context.language)
    is_chosen = answer.kind is AnswerKind.CHOSEN and len(answer.targets) < len(offer.targets)
    return answer.targets if is_chosen else ()


def _narrowed(
    context: TurnContext, offer: OfferedCommand, chosen: Sequence[str]
) -> tuple[Assignment, ...]:
    """Return the parts of an offer for some of its targets; () where Home Assistant would read its words anew."""
    parts: list[Assignment] = []
    for part in offer.parts:
        if part.intent is None or (
            part.intent.name.startswith("Hass")
            and context.assistant.registry.agent_for(part.agent_id).card.reaches_all
        ):
            return ()
        if kept := tuple(target for target in part.intent.targets if target in chosen):
            parts.append(replace(part, intent=replace(part.intent, targets=kept)))
    return tuple(parts)
