"""Parses a model's choice: the agent for each request, and the confidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field, ValidationError

from ..agents.models import AgentCard, label
from ..json_model import JsonModel
from ..llm.client import shown_again
from ..llm.errors import BadOutputError
from ..llm.logprobs import choice_distribution
from ..llm.models import Completion
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from .calibration import calibrate, curves_for
from .evidence import read_evidence
from .models import Measure
from .prompt import shown_name
from .router import RoutingRequest

CHOSEN = "The model chose this agent."
"""The reason of a choice for which the model gave none."""

PLAIN = 0.84
"""Confidence at least in the agent of the only words: so often such a choice is right, whatever the model."""

# As many as are worth comparing.
_SCORES_TOLD = 3


class WrittenChoice(JsonModel):
    """A model's answer: AgentChoiceResult (data model) with everything but the agent optional.

    `additional_confidences` are those of the further agents, in order.
    """

    agent_id: str
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str | None = None
    additional_agents: list[str] | None = None
    additional_confidences: list[Annotated[float, Field(ge=0, le=1)]] | None = None

    def confidence_of(self, place: int | None) -> float | None:
        """Return the written confidence of an agent: the first for None, else a further one by its place."""
        written = self.additional_confidences or ()
        return written[place] if place is not None and place < len(written) else self.confidence


class UnknownAgentError(BadOutputError):
    """The model named an unknown agent, `agent_id`.

    It is not asked again (RouterExecutor contract, Error Handling).
    """

    ask_again = False

    def __init__(self, agent_id: str) -> None:
        super().__init__("an agent that does not exist")
        self.agent_id = agent_id[:60]


class IncompleteChoiceError(BadOutputError):
    """The model named known agents for some of the requests only; `choices` are these."""

    def __init__(self, choices: Sequence[Choice], text: str) -> None:
        super().__init__("not an agent for each request", text=text)
        self.choices = tuple(choices)


@dataclass(frozen=True, slots=True)
class Choice:
    """The agent for one request. `measure` says what the confidence (0 to 1) was read from.

    `scores` are the probabilities of all agents where they are measured, by agent id.
    """

    agent_id: str
    confidence: float
    measure: Measure
    reasoning: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


def answering_cards(
    language: Language, cards: Sequence[AgentCard], requests: Sequence[str]
) -> Sequence[AgentCard]:
    """Return the cards that may answer requests: a question never goes to an agent that only acts."""
    if all(read_tags(text, language).is_question for text in requests):
        return [card for card in cards if not card.domains] or cards
    return cards


def read_choices(
    request: RoutingRequest, requests: Sequence[str], completion: Completion, model: str
) -> list[Choice]:
    """Return the choice for each request.

    Raises:
        UnknownAgentError: the first agent is unknown.
        IncompleteChoiceError: fewer known agents are named than there are requests.
        BadOutputError: the answer is not a choice.
    """
    agents = {label(card.id).casefold(): card.id for card in request.cards}
    agents |= {card.id.casefold(): card.id for card in request.cards}
    written = _parse(completion)
    primary = agents.get(written.agent_id.strip().casefold())
    if primary is None:
        raise UnknownAgentError(written.agent_id)
    # Further agents by their places; those that do not exist are left out.
    further = enumerate(written.additional_agents or ())
    named = [(place, agents.get(name.strip().casefold())) for place, name in further]
    chosen = [(None, primary), *((place, agent_id) for place, agent_id in named if agent_id)]
    choices = [
        _choice(
            request,
            text,
            completion=completion,
            written=written,
            place=place,
            agent_id=agent_id,
            model=model,
        )
        for (place, agent_id), text in zip(chosen, requests, strict=False)
    ]
    if len(choices) < len(requests):
        raise IncompleteChoiceError(choices, shown_again(completion.data))
    return choices


def _parse(completion: Completion) -> WrittenChoice:
    """Return the model's answer; raises `BadOutputError` if it is not a choice."""
    try:
        return WrittenChoice.model_validate(completion.data or {})
    except ValidationError as err:
        raise BadOutputError("not a choice of an agent", text=shown_again(completion.data)) from err


def _choice(
    request: RoutingRequest,
    text: str,
    *,
    completion: Completion,
    written: WrittenChoice,
    place: int | None,
    agent_id: str,
    model: str,
) -> Choice:
    """Return the choice for one request, by log-probabilities where there are any.

    These give the probability of each agent under the schema, which is weighed with the vocabulary; the
    likeliest agent is chosen, even if the model wrote another. The confidence that the model wrote is
    used only without them. `place` is that among the further agents, None for the first.
    """
    reasoning = (written.reasoning or "") if place is None else ""
    cards = answering_cards(request.language, request.cards, [text])
    names = {card.id: shown_name(request.options, card.id) for card in cards}
    field = "agentId" if place is None else "additionalAgents"
    distribution = choice_distribution(completion, field, list(names.values()), place)
    if distribution is None:
        agent_id = _answering(request, agent_id, text)
        confidence = written.confidence_of(place)
        if confidence is None:
            return Choice(agent_id, 1.0, Measure.NONE, reasoning)
        return Choice(agent_id, confidence, Measure.WRITTEN, reasoning)
    by_agent = {agent: distribution[name] for agent, name in names.items()}
    found = read_evidence(request.language, cards, text, by_agent, request.success)
    confidence = calibrate(curves_for(model).get(found.support), found.share)
    if found.is_plain:
        confidence = max(confidence, PLAIN)
    # A reason is for the agent that the model wrote.
    is_written = found.agent_id == agent_id and reasoning
    reason = reasoning if is_written else _scores(by_agent)
    return Choice(found.agent_id, confidence, Measure.MEASURED, reason, found.weighed)


def _scores(by_agent: Mapping[str, float]) -> str:
    """Return the model's probabilities in words, the likeliest first."""
    likeliest = sorted(by_agent.items(), key=lambda item: -item[1])[:_SCORES_TOLD]
    told = ", ".join(f"{agent_id} {share:.2f}" for agent_id, share in likeliest)
    return f"The model's probabilities: {told}."


def _answering(request: RoutingRequest, agent_id: str, text: str) -> str:
    """Return the agent chosen, or one that only answers where the text is a question."""
    allowed = [card.id for card in answering_cards(request.language, request.cards, [text])]
    return agent_id if agent_id in allowed else allowed[0]
