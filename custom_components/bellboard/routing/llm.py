"""The model router: asks a model which agent answers each request that is still open."""

from collections.abc import Sequence
import json
import logging

from ..agents.models import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID, AgentCard
from ..llm.client import ModelClient
from ..llm.errors import BadOutputError, ModelError
from ..llm.logprobs import choice_probability
from ..llm.models import Completion, Message
from .models import Assignment, Source
from .prompt import choice_schema, label, routing_messages
from .router import Part, RoutingRequest

_LOGGER = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
_MAX_TOKENS = 120

NO_AGENTS = "No registered agents available for routing."


class ModelRouter:
    """Asks once for all open parts of a sentence; the answer is bound by a schema.

    Never raises: what goes wrong becomes an assignment to the fallback agent that names the cause.
    """

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Assign every open part."""
        open_parts = [part for part in parts if part.assignment is None]
        if not open_parts or request.model is None:
            return list(parts)
        texts = [part.text for part in open_parts]
        assignments = iter(await self._async_assign(request.model, request, texts))
        return [part if part.assignment else Part(part.text, next(assignments)) for part in parts]

    async def _async_assign(
        self, model: ModelClient, request: RoutingRequest, requests: Sequence[str]
    ) -> list[Assignment]:
        """Return an assignment for each request."""
        if not request.cards:
            _LOGGER.warning("The router was asked with no registered agents; falling back")
            return [_fallback(text, NO_AGENTS) for text in requests]
        try:
            return await self._async_ask(model, request, requests)
        except ModelError as err:
            _LOGGER.warning("The router's model gave no choice: %s", err)
            return [_fallback(text, str(err), f"model.{err.kind}") for text in requests]

    async def _async_ask(
        self, model: ModelClient, request: RoutingRequest, requests: Sequence[str]
    ) -> list[Assignment]:
        """Ask the model, showing it its error where the answer does not fit.

        Raises:
            ModelError: the model could not be asked, or no answer fits.
        """
        cards = _eligible(request, requests)
        schema = choice_schema(cards, len(requests))
        asked = routing_messages(request.cards, requests)
        messages = asked
        error = BadOutputError()
        for _ in range(MAX_ATTEMPTS):
            try:
                completion = await model.complete(
                    messages,
                    schema=schema,
                    schema_name="choice",
                    temperature=0.0,
                    max_tokens=_MAX_TOKENS,
                    logprobs=True,
                    timeout=request.timeout,
                )
                return _read_choice(request, requests, completion)
            except BadOutputError as err:
                error = err
                messages = [
                    *asked,
                    Message(role="assistant", content=err.text or "{}"),
                    Message(
                        role="user", content=f"{err} Choose again, only with the JSON asked for."
                    ),
                ]
        raise error


def _eligible(request: RoutingRequest, requests: Sequence[str]) -> Sequence[AgentCard]:
    """Return the cards that may be chosen: a question never goes to an agent that only acts."""
    if all(request.language.is_question(text) for text in requests):
        return [card for card in request.cards if not card.domains] or request.cards
    return request.cards


def _read_choice(
    request: RoutingRequest, requests: Sequence[str], completion: Completion
) -> list[Assignment]:
    """Return the assignments in a model's answer.

    Raises:
        BadOutputError: an agent is missing, or none that was offered.
    """
    agents = {label(card.id): card.id for card in _eligible(request, requests)}
    data = completion.data or {}
    additional = data.get("additionalAgents")
    chosen = [data.get("agentId"), *(additional if isinstance(additional, list) else [])]
    chosen = chosen[: len(requests)]
    # A server may ignore the schema, and a list or an object cannot be looked up.
    known = all(isinstance(name, str) and name in agents for name in chosen)
    if len(chosen) < len(requests) or not known:
        text = json.dumps(data, ensure_ascii=False)[:1000]
        raise BadOutputError("an agent that was not offered", text=text)
    measured = choice_probability(completion, "agentId", str(chosen[0]), list(agents))
    confidence = measured if measured is not None else 1.0
    return [
        _assignment(request, _agent_for(request, agents[str(name)], text), text, confidence)
        for name, text in zip(chosen, requests, strict=True)
    ]


def _agent_for(request: RoutingRequest, agent_id: str, text: str) -> str:
    """Return the agent chosen, or one that only answers where the text is a question."""
    answering = [card.id for card in request.cards if not card.domains]
    if request.language.is_question(text) and answering and agent_id not in answering:
        return answering[0]
    return agent_id


def _assignment(request: RoutingRequest, agent_id: str, text: str, confidence: float) -> Assignment:
    """Return the assignment of a request, to the clarification agent where it is too uncertain."""
    if confidence < request.threshold:
        _LOGGER.warning(
            "Low confidence routing: agent '%s' confidence %.2f, returning clarification",
            agent_id,
            confidence,
        )
        agent_id = CLARIFICATION_AGENT_ID
    return Assignment(
        agent_id=agent_id,
        instruction=text,
        confidence=round(confidence, 4),
        source=Source.MODEL,
        reason="The model chose this agent.",
    )


def _fallback(text: str, reason: str, decline: str | None = None) -> Assignment:
    """Return the assignment of a request nobody could be chosen for."""
    return Assignment(
        agent_id=FALLBACK_AGENT_ID,
        instruction=text,
        confidence=0.0,
        source=Source.FALLBACK,
        reason=reason,
        decline=decline,
    )
