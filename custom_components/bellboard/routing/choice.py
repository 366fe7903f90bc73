"""Parses a model's choice: the agent for each request, and the confidence."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from .evidence import read_evidence, weigh_written
from .models import Measure
from .prompt import adds_agents, shown_name
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

    @property
    def suggested(self) -> str:
        """Return the reason of the decision, in the contract's words."""
        return f"Model suggested unknown agent '{self.agent_id}'."


class IncompleteChoiceError(BadOutputError):
    """The model named known agents for some of the requests only; `choices` are these."""

    def __init__(self, choices: Sequence[Choice], text: str) -> None:
        super().__init__("not an agent for each request", text=text)
        self.choices = tuple(choices)


@dataclass(frozen=True, slots=True)
class Choice:
    """The agent for one request. `measure` says what the confidence (0 to 1) was read from.

    `confidences` are all that there are where that is the lower of two. `scores` are the probabilities of all
    agents where they are measured, by agent id.
    """

    agent_id: str
    confidence: float
    measure: Measure
    reasoning: str = ""
    confidences: Mapping[Measure, float] = field(default_factory=dict)
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
    """Return the choice for each request, and then those of the agents that the model named beside them.

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
    known = [(place, agents.get(name.strip().casefold())) for place, name in further]
    named = [(None, primary), *((place, agent_id) for place, agent_id in known if agent_id)]
    answer = _Answer(request, completion, written, model)
    count = len(requests)
    added = _added(request, requests, named)
    # Of one request that is for several agents each is as right as the others.
    together = [agent_id for _, agent_id in (*named[:1], *added)] if count == 1 and added else ()
    choices = [
        answer.choice(text, place, agent_id, together)
        for (place, agent_id), text in zip(named, requests, strict=False)
    ]
    if len(choices) < count:
        raise IncompleteChoiceError(choices, shown_again(completion.data))
    taken = [agent_id for _, agent_id in named[:count]]
    return [*choices, *answer.additions(", ".join(requests), taken, added)]


def _parse(completion: Completion) -> WrittenChoice:
    """Return the model's answer; raises `BadOutputError` if it is not a choice."""
    try:
        return WrittenChoice.model_validate(completion.data or {})
    except ValidationError as err:
        raise BadOutputError("not a choice of an agent", text=shown_again(completion.data)) from err


type _Named = tuple[int | None, str]
"""An agent that a model named: its place among the further agents, None for the first, and its id."""


def _added(request: RoutingRequest, texts: Sequence[str], named: Sequence[_Named]) -> list[_Named]:
    """Return whom a model named beyond the agents of the requests, each once."""
    if not adds_agents(request.options):
        return []
    allowed = {card.id for card in answering_cards(request.language, request.cards, texts)}
    found = {agent_id for _, agent_id in named[: len(texts)]}
    added: list[_Named] = []
    for place, agent_id in named[len(texts) :]:
        if agent_id in allowed - found:
            found.add(agent_id)
            added.append((place, agent_id))
    return added


@dataclass(frozen=True, slots=True)
class _Answer:
    """A model's answer, from which the choice of each agent in it is read; `model` is its name."""

    request: RoutingRequest
    completion: Completion
    written: WrittenChoice
    model: str

    def additions(self, text: str, taken: Sequence[str], added: Sequence[_Named]) -> list[Choice]:
        """Return the choices of the agents that a model added to those that are `taken`."""
        return [
            self.choice(
                text,
                place,
                agent_id,
                [other for _, other in added[number:]],
                without={*taken, *(before for _, before in added[:number])},
            )
            for number, (place, agent_id) in enumerate(added)
        ]

    def choice(
        self,
        text: str,
        place: int | None,
        agent_id: str,
        together: Sequence[str] = (),
        without: Collection[str] = (),
    ) -> Choice:
        """Return the choice of the agent at a place, by log-probabilities where there are any.

        These give the probability of each agent under the schema, which is weighed with the vocabulary; the
        likeliest agent is chosen, even if the model wrote another, unless it wrote several `together`. The
        confidence that the model wrote is used without them, and with the contract's prompts where it is lower.
        `place` is that among the further agents, None for the first; `without` are those named before.
        """
        request = self.request
        reasoning = (self.written.reasoning or "") if place is None else ""
        cards = answering_cards(request.language, request.cards, [text])
        names = {c.id: shown_name(request.options, c.id) for c in cards if c.id not in without}
        number = self.written.confidence_of(place)
        if number is not None:
            number = weigh_written(agent_id, number, cards, request.success)
        field_name = "agentId" if place is None else "additionalAgents"
        shares = choice_distribution(self.completion, field_name, list(names.values()), place)
        if shares is None:
            agent_id = _answering(request, agent_id, text)
            if number is None:
                return Choice(agent_id, 1.0, Measure.NONE, reasoning)
            return Choice(agent_id, number, Measure.WRITTEN, reasoning)
        by_agent = {agent: shares[name] for agent, name in names.items()}
        there = [card for card in cards if card.id in names]
        found = read_evidence(
            request.language, there, text, by_agent, request.success, together=together
        )
        confidence = calibrate(curves_for(self.model).get(found.support), found.share)
        if found.is_plain:
            confidence = max(confidence, PLAIN)
        # A reason is for the agent that the model wrote.
        is_written = found.agent_id == agent_id and reasoning
        choice = Choice(
            found.agent_id,
            confidence,
            Measure.MEASURED,
            reasoning if is_written else _scores(by_agent),
            scores=found.weighed,
        )
        if number is None or request.options.default_prompts != "contract":
            return choice
        return _with_written(choice, number)


def _with_written(choice: Choice, number: float) -> Choice:
    """Return a measured choice with the number that the model wrote: the lower of both counts."""
    confidences = {Measure.MEASURED: choice.confidence, Measure.WRITTEN: number}
    lower = min(confidences, key=lambda measure: confidences[measure])
    return replace(choice, confidence=confidences[lower], measure=lower, confidences=confidences)


def _scores(by_agent: Mapping[str, float]) -> str:
    """Return the model's probabilities in words, the likeliest first."""
    likeliest = sorted(by_agent.items(), key=lambda item: -item[1])[:_SCORES_TOLD]
    told = ", ".join(f"{agent_id} {share:.2f}" for agent_id, share in likeliest)
    return f"The model's probabilities: {told}."


def _answering(request: RoutingRequest, agent_id: str, text: str) -> str:
    """Return the agent chosen, or one that only answers where the text is a question."""
    allowed = [card.id for card in answering_cards(request.language, request.cards, [text])]
    return agent_id if agent_id in allowed else allowed[0]
