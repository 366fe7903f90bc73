"""Parses a model's choice: the agent for each request, and the confidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field, ValidationError

from ..agents.models import AgentCard
from ..json_model import JsonModel
from ..llm.errors import BadOutputError
from ..llm.logprobs import choice_distribution
from ..llm.models import Completion
from ..llm.retry import shown_again
from ..nlu.loader import Language
from .calibration import calibrate, curves_for
from .evidence import read_evidence
from .models import Measure
from .prompt import label, shown_name
from .router import RoutingRequest

# As many as are worth comparing.
_SCORES_TOLD = 3


class WrittenChoice(JsonModel):
    """A model's answer: AgentChoiceResult (data model) with everything but the agent optional."""

    agent_id: str
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str | None = None
    additional_agents: list[str] | None = None


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
    """The agent for one request. `measure` says what the confidence (0 to 1) was read from."""

    agent_id: str
    confidence: float
    measure: Measure
    reasoning: str = ""


def answering_cards(
    language: Language, cards: Sequence[AgentCard], requests: Sequence[str]
) -> Sequence[AgentCard]:
    """Return the cards that may answer requests: a question never goes to an agent that only acts."""
    if all(language.asks(text) for text in requests):
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
    named = (agents.get(name.strip().casefold()) for name in written.additional_agents or ())
    chosen = [primary, *(agent_id for agent_id in named if agent_id)][: len(requests)]
    first = _first_choice(
        request,
        requests[0],
        completion=completion,
        written=written,
        agent_id=primary,
        model=model,
    )
    others = [
        Choice(_answering(request, agent_id, text), first.confidence, first.measure)
        for agent_id, text in zip(chosen[1:], requests[1:], strict=False)
    ]
    if len(chosen) < len(requests):
        raise IncompleteChoiceError([first, *others], shown_again(completion.data))
    return [first, *others]


def _parse(completion: Completion) -> WrittenChoice:
    """Return the model's answer; raises `BadOutputError` if it is not a choice."""
    try:
        return WrittenChoice.model_validate(completion.data or {})
    except ValidationError as err:
        raise BadOutputError("not a choice of an agent", text=shown_again(completion.data)) from err


def _first_choice(
    request: RoutingRequest,
    text: str,
    *,
    completion: Completion,
    written: WrittenChoice,
    agent_id: str,
    model: str,
) -> Choice:
    """Return the choice for the first request, by log-probabilities where there are any.

    These give the probability of each agent under the schema, which is weighed with the vocabulary; the
    likeliest agent is chosen, even if the model wrote another. The confidence that the model wrote is
    used only without them.
    """
    reasoning = written.reasoning or ""
    cards = answering_cards(request.language, request.cards, [text])
    names = {card.id: shown_name(request.options, card.id) for card in cards}
    distribution = choice_distribution(completion, "agentId", list(names.values()))
    if distribution is None:
        agent_id = _answering(request, agent_id, text)
        if written.confidence is None:
            return Choice(agent_id, 1.0, Measure.NONE, reasoning)
        return Choice(agent_id, written.confidence, Measure.WRITTEN, reasoning)
    by_agent = {agent: distribution[name] for agent, name in names.items()}
    found = read_evidence(request.language, cards, text, by_agent, request.success)
    confidence = calibrate(curves_for(model).get(found.support), found.share)
    told = reasoning or _scores(by_agent)
    return Choice(found.agent_id, confidence, Measure.MEASURED, told)


def _scores(by_agent: Mapping[str, float]) -> str:
    """Return the model's probabilities in words, the likeliest first."""
    likeliest = sorted(by_agent.items(), key=lambda item: -item[1])[:_SCORES_TOLD]
    told = ", ".join(f"{agent_id} {share:.2f}" for agent_id, share in likeliest)
    return f"The model's probabilities: {told}."


def _answering(request: RoutingRequest, agent_id: str, text: str) -> str:
    """Return the agent chosen, or one that only answers where the text is a question."""
    allowed = [card.id for card in answering_cards(request.language, request.cards, [text])]
    return agent_id if agent_id in allowed else allowed[0]
