"""Interface of agents: the request they get, the result they return, and the `Agent` protocol.

An agent sees its own instruction and the catalog of the home. It knows no other agent, no router and
not the rest of the sentence (V2 routing, agents don't route).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import json
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..domains.models import Command
from ..home.catalog import Catalog, CatalogEntity
from ..home.speaker import FULL_RIGHTS, Rights
from ..llm.ability import Contract
from ..llm.client import ModelClient
from ..memory.habits import NOTHING_USUAL, UsualChoices
from ..memory.models import TaskMessage
from ..nlu.bounds import Mentions, collective_words, read_bounds
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..plans.models import AskUser, Plan, ToolResult
from ..plans.runner import PlanRunner
from .models import AgentCard, AgentOffer
from .speech import Voice

if TYPE_CHECKING:
    from .device_planner import Planner


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext:
    """Language and catalog for building replies; only entities of the catalog may be named."""

    hass: HomeAssistant
    language: Language
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest(ReplyContext):
    """One instruction for one agent, with the context it may use.

    `area_id` is the speaker's area, `rights` are the speaker's read permissions. `intent` is set where
    the instruction was recognised without a model. `model` plans or talks, None for none; `timeout` is in
    seconds, for one model call. `history` are earlier messages of the conversation, `recent` the entity
    ids of the last turn ("it"). `data` is any JSON to work on beside the instruction, and `usual` what is
    taken from habit where nothing is said. `answers` is the agent's own question that the instruction answers
    in free words. `house` knows what words mean in this home.
    `planner` makes plans with the model; `runner` executes them, and is the only way to Home Assistant's services.

    A model that `is_capable` plans by itself: `spoken` is all that was said, of which the instruction may be a
    part in other words, and no agent is told it: it is what a plan may be meant by. `before` are data of the turns
    before: what was used last, and how things were. `told_first` is what a satellite said first. It `asks`
    where only an answer is wanted, and it `acts` where a model that split the sentence says that more is.
    `voice` says words while they come, where nobody else answers. `act` has an instruction carried out by the
    agents that are for it, `llm_apis` are the ids of Home Assistant's LLM APIs whose tools may be used, and
    `persona` is what the house's owner tells every model that talks. It `may_pass_on` what it does not
    understand where another agent takes that over.

    For the agents of last resort: `decline` is the reply key of why no other agent got the instruction,
    `words` replaces the agent's own text with the user's option, and with `has_reply` it is the whole
    answer. Where it `is_unknown`, no router understood the instruction, and `decline` is what kept the model from it.
    `question` is what a model asks by itself. `offer` is whom the clarification may offer to ask.
    """

    instruction: str
    user_input: ConversationInput
    area_id: str | None = None
    rights: Rights = FULL_RIGHTS
    intent: Command | None = None
    model: ModelClient | None = None
    timeout: float = 30.0
    history: Sequence[TaskMessage] = ()
    recent: Sequence[str] = ()
    decline: str | None = None
    words: str = ""
    has_reply: bool = False
    is_unknown: bool = False
    question: str = ""
    offer: AgentOffer | None = None
    data: Any = None
    house: HomeLexicon | None = None
    usual: UsualChoices = NOTHING_USUAL
    is_capable: bool = False
    asks: bool = False
    acts: bool = False
    spoken: str = ""
    before: str = ""
    told_first: str = ""
    voice: Voice | None = None
    answers: AskUser | None = None
    act: Act | None = None
    llm_apis: tuple[str, ...] = ()
    may_pass_on: bool = False
    persona: str = ""
    planner: Planner
    runner: PlanRunner

    @property
    def bounds(self) -> Mentions:
        """Return the mentions of targets in the instruction."""
        return read_bounds(self.instruction, self.house)

    @property
    def spoken_bounds(self) -> Mentions:
        """Return the mentions of targets in the whole spoken text of the instruction."""
        return read_bounds(self.spoken or self.instruction, self.house)

    @property
    def named(self) -> Mentions:
        """Return the readable entities and places that the instruction names."""
        return self.named_in(self.instruction)

    def named_in(self, text: str) -> Mentions:
        """Return the readable entities and places that a text names, also in its statements."""
        found = read_bounds(text, self.house, is_command=False)
        return replace(found, things=found.things & self.catalog.entities.keys())

    @property
    def ignored_in_names(self) -> frozenset[str]:
        """Return the words that single out no device: stop words, and nouns for any of a kind ("lamp")."""
        return self.language.ignored | collective_words(self.language.lexicon)

    @property
    def is_question(self) -> bool:
        """Return whether only an answer is wanted: nothing may be done then."""
        reading = read_tags(self.instruction, self.language)
        return self.asks or (reading.is_question and not reading.asks_and_acts)

    @property
    def data_as_json(self) -> str | None:
        """Return the data as JSON for a prompt, or None where there are none."""
        if self.data is None:
            return None
        return json.dumps(self.data, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """Outcome of an instruction: what the agent did, and its reply.

    `content` is the whole reply, as for this agent alone. `fragments` are the parts of a sentence for
    what succeeded ("turned on the lamp") and `failures` for what did not, for aggregation with other
    agents, `remarks` whole sentences after these. `question` is open where the agent needs an answer of
    the user. `native` is the response of another conversation agent, passed on unchanged. `about` are the
    entity ids that a question was about. `error_code` is Home Assistant's class of a failure.
    `unknown` if the instruction was not understood. `declined` is the key of a reply that nothing was done. What is
    refused `is_temporary` where a state that may change is against it. `tool_uses` are the tools that a model had
    called: the name, the arguments, what it told, and whether that is an error. The contract's form of it is
    `models.AgentResponse`.
    """

    success: bool
    content: str
    fragments: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    plan: Plan | None = None
    results: tuple[ToolResult, ...] = ()
    question: AskUser | None = None
    about: tuple[str, ...] = ()
    native: intent.IntentResponse | None = None
    error_code: intent.IntentResponseErrorCode = field(
        default=intent.IntentResponseErrorCode.FAILED_TO_HANDLE
    )
    unknown: bool = False
    declined: str = ""
    is_temporary: bool = False
    tool_uses: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any], bool], ...] = ()

    @property
    def is_remark(self) -> bool:
        """Return whether the reply has only remarks, which follow what other agents did."""
        return bool(self.remarks) and self.content == " ".join(self.remarks)

    @property
    def is_unmatched(self) -> bool:
        """Return whether it was not understood what to do."""
        return (
            not self.success and self.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
        )

    @property
    def did_something(self) -> bool:
        """Return whether at least one target was changed, or the whole answer is a success."""
        return self.success or any(result.done for result in self.results)


def declined_answer(language: Language, key: str) -> AgentResult:
    """Return the answer that nothing was done, and why: by the key of the reply."""
    return AgentResult(success=False, content=language.say(key), declined=key)


type Act = Callable[[str], Awaitable[AgentResult]]
"""Has an instruction carried out by the agents that are for it, and returns their answer."""


class Agent(Protocol):
    """Anything with a card that answers instructions."""

    @property
    def card(self) -> AgentCard:
        """Return the agent's card, which is all that routers know of it."""
        ...

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Carry out an instruction and return its outcome.

        Raises:
            ModelError: the model could not be asked.
        """
        ...


class AgentModel(Protocol):
    """The model of an agent's own, which plans for it in place of the assistant's."""

    @property
    def client(self) -> ModelClient:
        """Return the client that asks it."""
        ...

    @property
    def contract(self) -> Contract:
        """Return the contract of its prompts, as known now."""
        ...


@runtime_checkable
class Confirmable(Agent, Protocol):
    """An agent that asks for confirmation, and continues once it is given."""

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Carry out what the question asked confirmation for, and return its outcome."""
        ...


SHOWS_NOTHING = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""States of an entity of which nothing is known: no answer stands on them."""


def build_intent_id(chosen: Sequence[Command]) -> str:
    """Return the intent id of a plan for chosen actions: their names, joined."""
    return "+".join(dict.fromkeys(step.name for step in chosen))


def states_of(hass: HomeAssistant, entity_ids: Sequence[str]) -> list[State]:
    """Return the states of entities, without those that are gone."""
    return [state for entity_id in entity_ids if (state := hass.states.get(entity_id))]


def filter_targets(states: Sequence[State], step: Command) -> Sequence[State]:
    """Return the states of the targets that an action names, or all of them."""
    return [s for s in states if s.entity_id in step.targets] if step.targets else states


def resolve_pronoun(request: AgentRequest, domain: str) -> tuple[CatalogEntity, ...]:
    """Return the entities of a domain that "it" in an instruction refers to; () without a pronoun."""
    if not read_tags(request.instruction, request.language).has_object:
        return ()
    found = map(request.catalog.entities.get, request.recent)
    return tuple(entity for entity in found if entity and entity.domain == domain)
