"""Model tier: an LLM chooses the agent for each open request (RouterExecutor contract)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from ..llm.client import ModelClient, async_ask_until_usable, server_of
from ..llm.errors import BadOutputError, ModelError, OrchestratorError
from ..llm.models import Completion, Message
from ..options import RouterOptions, fill_template
from .capable import NOTHING_WANTED, async_split
from .choice import (
    CHOSEN,
    Choice,
    IncompleteChoiceError,
    UnknownAgentError,
    answering_cards,
    read_choices,
)
from .log import log_low_confidence, log_no_choice, log_routing_decision
from .models import Assignment, Measure, Source
from .parts import own_pieces
from .prompt import choice_schema, routing_messages
from .router import RoutedPart, RoutingRequest, declined, fall_back

_CAREFUL = "(Be conservative with confidence: below 0.7 where no agent clearly matches.)"
UNASSIGNED = "The model named no agent that there is for this request."

type ModelPlace = tuple[str, str, str]
"""A model by its provider, its server's address and its name."""

type Decide = Callable[[ModelClient, Source], Awaitable[list[Assignment]]]
"""Asks a model for the assignments of requests."""


class ModelRouter:
    """Asks a model once for all open parts of a sentence, with structured output.

    Where the model is unsure or fails, the escalation model is asked. Never raises: an error becomes an
    assignment to the fallback agent that names the cause.
    """

    def __init__(self, without_logprobs: set[ModelPlace] | None = None) -> None:
        """Assume that models tell log-probabilities until one does not.

        Those that do not are added to `without_logprobs`, which routers may share.
        """
        self._without_logprobs = set() if without_logprobs is None else without_logprobs

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Assign every open part."""
        open_parts = [part for part in parts if part.assignment is None]
        model = request.model
        if not open_parts or model is None or not request.cards:
            return list(parts)
        if request.is_split_by_model:
            return await self._async_split(model, request, parts)
        texts = [part.text for part in open_parts]
        assignments = iter(
            await self._async_decided(
                model, request, texts, partial(self._async_chosen, request=request, requests=texts)
            )
        )
        found: list[RoutedPart] = []
        for part in parts:
            found += [part] if part.assignment else _made_of(request, part, [next(assignments)])
        # Whom the model named beside the agents of the parts.
        return [*found, *(RoutedPart(each.instruction, each) for each in assignments)]

    async def _async_split(
        self, model: ModelClient, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts of a capable model for what is open: the whole sentence where all of it is."""
        if all(part.assignment is None for part in parts):
            is_timed = any(part.is_timed for part in parts)
            parts = [replace(parts[0], text=request.user_input.text, is_timed=is_timed)]
        found: list[RoutedPart] = []
        others = "; ".join(part.text.strip(" ,;.!") for part in parts if part.assignment)
        for part in parts:
            if part.assignment:
                found.append(part)
                continue
            ask = partial(
                async_split, request=request, text=part.text, hint=part.hint, others=others
            )
            made = await self._async_decided(model, request, [part.text], ask)
            is_remark = all(each.reason == NOTHING_WANTED for each in made)
            if others and is_remark and not part.readings:
                # "Wait, that's not his voice, lock it": a remark is no part beside what is done.
                continue
            found += _made_of(request, part, made)
        return found

    async def _async_decided(
        self, model: ModelClient, request: RoutingRequest, requests: Sequence[str], ask: Decide
    ) -> list[Assignment]:
        """Return the assignments of the model, or of the one it escalates to where it is unsure."""
        options = request.options
        found = await _async_try(options, requests, ask, model, Source.MODEL)
        if request.escalation and not all(_is_sure(options, part) for part in found):
            second = await _async_try(options, requests, ask, request.escalation, Source.ESCALATION)
            # An escalation that fails leaves the first decision as it was.
            if all(part.source is not Source.FALLBACK for part in second):
                found = second
        return [_settled(options, part) for part in found]

    async def _async_chosen(
        self,
        model: ModelClient,
        source: Source,
        *,
        request: RoutingRequest,
        requests: Sequence[str],
    ) -> list[Assignment]:
        """Return the assignments that a model chooses; raises what `_async_ask` does."""
        choices = await self._async_ask(model, request, requests)
        chosen = [
            _assignment(choice, text, source)
            for choice, text in zip(choices, requests, strict=False)
        ]
        left = requests[len(chosen) :]
        if left:
            return [*chosen, *(fall_back(request.options, text, UNASSIGNED) for text in left)]
        text = ", ".join(requests)
        added = [_assignment(choice, text, source) for choice in choices[len(requests) :]]
        return _with_added(request, chosen, added)

    async def _async_ask(
        self, model: ModelClient, request: RoutingRequest, requests: Sequence[str]
    ) -> list[Choice]:
        """Ask a model, showing it its error where the answer does not fit.

        If it never names enough agents, the choices are fewer than the requests.

        Raises:
            ModelError: the model could not be asked, or no answer fits.
        """
        try:
            return await async_ask_until_usable(
                lambda messages: self._async_choose(model, request, requests, messages),
                routing_messages(request.options, request.cards, requests, request.memory),
                attempts=request.options.max_attempts,
                again="Choose again, only with the JSON asked for.",
            )
        except IncompleteChoiceError as err:
            log_no_choice(str(err))
            return list(err.choices)

    async def _async_choose(
        self,
        model: ModelClient,
        request: RoutingRequest,
        requests: Sequence[str],
        messages: Sequence[Message],
    ) -> list[Choice]:
        """Return what the model chooses; without log-probabilities, it writes its confidence.

        That it has none is seen in its first answer. Unless that one holds a confidence all the same,
        the model is asked again for one: a guess must not pass for certainty.

        Raises:
            ModelError: the model could not be asked, or its answer does not fit.
        """
        place = (model.provider, server_of(model), model.model)
        measured = place not in self._without_logprobs
        completion = await _async_complete(
            model, request, requests, messages, with_confidence=not measured
        )
        if not completion.logprobs:
            self._without_logprobs.add(place)
        choices = read_choices(request, requests, completion, model.model)
        if measured and not completion.logprobs and choices[0].measure is Measure.NONE:
            # It is known now, so that this time a number is asked for.
            return await self._async_choose(model, request, requests, messages)
        return choices


async def _async_try(
    options: RouterOptions, requests: Sequence[str], ask: Decide, model: ModelClient, source: Source
) -> list[Assignment]:
    """Return what a model decides, or the assignments to the fallback agent with the reason."""
    try:
        return await ask(model, source)
    except UnknownAgentError as err:
        cause, reason = str(err), err.suggested
        failed = None
    except ModelError as err:
        cause = reason = str(err)
        # That an answer is of no use is nothing that the user could mend.
        failed = None if isinstance(err, BadOutputError) else err
    except Exception as err:  # noqa: BLE001 - whatever it is, the turn has an answer
        cause = reason = str(OrchestratorError("routing", err))
        failed = None
    log_no_choice(cause)
    decline = f"model.{failed.kind}" if failed else None
    return [fall_back(options, text, reason, decline) for text in requests]


async def _async_complete(
    model: ModelClient,
    request: RoutingRequest,
    requests: Sequence[str],
    messages: Sequence[Message],
    *,
    with_confidence: bool,
) -> Completion:
    """Return the model's answer; it writes its confidence where that is wanted.

    Raises:
        ModelError: the model could not be asked, or its answer is no JSON object.
    """
    options = request.options
    if with_confidence:
        *before, last = messages
        messages = [*before, Message(role=last.role, content=f"{last.content}\n{_CAREFUL}")]
    return await model.complete(
        messages,
        schema=choice_schema(
            options,
            answering_cards(request.language, request.cards, requests),
            len(requests),
            with_confidence=with_confidence,
            is_capable=request.is_capable,
        ),
        schema_name="choice",
        temperature=options.temperature,
        max_tokens=options.max_output_tokens,
        logprobs=True,
        timeout=request.timeout,
    )


def _is_sure(options: RouterOptions, part: Assignment) -> bool:
    """Return whether a decision reaches the confidence threshold; a question that a model asks is none."""
    is_decided = part.source is not Source.FALLBACK and not part.is_clarification
    return is_decided and part.confidence >= options.confidence_threshold


def _assignment(choice: Choice, text: str, source: Source) -> Assignment:
    """Return a model's choice as an assignment."""
    return Assignment(
        agent_id=choice.agent_id,
        instruction=text,
        confidence=round(choice.confidence, 4),
        source=source,
        measure=choice.measure,
        confidences=choice.confidences,
        reason=choice.reasoning or CHOSEN,
        scores=choice.scores,
    )


def _with_added(
    request: RoutingRequest, chosen: Sequence[Assignment], added: Sequence[Assignment]
) -> list[Assignment]:
    """Return the agents of the requests with those that the model added, where it is sure of both."""
    options = request.options
    is_decided = all(_is_sure(options, part) for part in chosen)
    taken = {part.agent_id for part in chosen}
    added = [p for p in added if is_decided and _is_sure(options, p) and p.agent_id not in taken]
    if not added or len(chosen) > 1:
        return [*chosen, *added]
    cards = {card.id: card for card in request.cards}
    parts = [*chosen, *added]
    own = own_pieces(
        chosen[0].instruction, request.language, [cards[part.agent_id] for part in parts]
    )
    return [replace(part, instruction=piece) for part, piece in zip(parts, own, strict=True)]


def _settled(options: RouterOptions, part: Assignment) -> Assignment:
    """Return a decision, or a clarification where it is below the threshold."""
    if part.source is Source.FALLBACK:
        return part
    if _is_sure(options, part):
        log_routing_decision(part.agent_id, part.confidence)
        return part
    log_low_confidence(part.agent_id, part.confidence)
    if part.is_clarification:
        return part
    template = options.clarification_prompt_template
    return Assignment(
        agent_id=options.clarification_agent_id,
        instruction=part.instruction,
        confidence=part.confidence,
        source=part.source,
        measure=part.measure,
        confidences=part.confidences,
        reason=f"Too uncertain that {part.agent_id} is meant. {part.reason}",
        scores=part.scores,
        words=fill_template(template, request=part.instruction, agent=part.agent_id)
        if template
        else "",
        is_clarification=True,
        question="" if template else part.question,
    )


def _made_of(
    request: RoutingRequest, part: RoutedPart, made: Sequence[Assignment]
) -> list[RoutedPart]:
    """Return what a model made of a part: as it was read where that failed, and nothing now of what says a time."""
    if part.readings and all(each.source is Source.FALLBACK for each in made):
        made = part.readings
    if part.is_timed:
        made = [_not_now(request, each) for each in made]
    return [RoutedPart(each.instruction, each) for each in made]


def _not_now(request: RoutingRequest, part: Assignment) -> Assignment:
    """Return a part of what says a time: only whoever talks, or answers, makes anything of it."""
    is_talk = any(card.talks for card in request.cards if card.id == part.agent_id)
    if part.later or part.decline or part.asks or part.has_reply or is_talk:
        return part
    return declined(part.instruction, "decline.later", "It says a time.")
