"""What every agent is given and gives back.

An agent knows its instruction and its part of the home. It knows no other agent, no router and
nothing of the rest of the sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
import json
from typing import Any, Protocol, runtime_checkable

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..home.catalog import Catalog
from ..home.rights import EVERYTHING, Rights
from ..llm.client import ModelClient
from ..nlu.kinds import NamedKinds
from ..nlu.loader import Language
from ..plans.models import AskUser, Plan, RecognizedIntent, ToolResult
from ..plans.runner import PlanRunner
from ..tasks.models import Message
from .models import AgentCard


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext:
    """What replies are worded with: the language, and the part of the home that may be named."""

    hass: HomeAssistant
    language: Language
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest(ReplyContext):
    """One instruction for one agent.

    `area_id` is where the speaker is, `rights` are what they may see.
    `intent` is set where the instruction was understood without
    a model. `model` is None where there is none. `timeout` is in seconds, for one model call.
    `history` is what was said before in this conversation, `recent` the entity ids that the last
    turn was about. `decline` is the key of the reply that says why the instruction was kept from
    everybody else; `words` is said instead of the agent's own words where the user has written them,
    and with `is_settled` it is the whole answer: nothing had to be done.
    `offer` is the id of the agent that may be offered to ask instead, empty for none. `data` is what
    there is to work with beside the instruction, any JSON. `runner` is the only way to anything in
    the home.
    """

    instruction: str
    user_input: ConversationInput
    area_id: str | None = None
    rights: Rights = EVERYTHING
    intent: RecognizedIntent | None = None
    model: ModelClient | None = None
    timeout: float = 30.0
    history: Sequence[Message] = ()
    recent: Sequence[str] = ()
    decline: str | None = None
    words: str = ""
    is_settled: bool = False
    offer: str = ""
    data: Any = None
    runner: PlanRunner

    @property
    def named(self) -> NamedKinds:
        """Return the kinds of things that the instruction names."""
        return NamedKinds.read(self.instruction, self.language.phrases, self.catalog)

    @property
    def written_data(self) -> str | None:
        """Return the data as whoever reads prompts can read them, or None where there are none."""
        if self.data is None:
            return None
        return json.dumps(self.data, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an agent did and has to say.

    `content` is the whole answer as it would be said alone. `fragments` are parts of a sentence
    ("turned on the lamp") for what was done and `failures` for what was not; they can be joined
    with those of other agents. `question` is set where the agent needs the user to choose. `native`
    is the response of an agent that is not ours, kept whole for the one who asked. `error_code`
    says how Home Assistant would class a failure. `unknown` where it is not known what was meant.
    """

    success: bool
    content: str
    fragments: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    plan: Plan | None = None
    results: tuple[ToolResult, ...] = ()
    question: AskUser | None = None
    native: intent.IntentResponse | None = None
    error_code: intent.IntentResponseErrorCode = field(
        default=intent.IntentResponseErrorCode.FAILED_TO_HANDLE
    )
    unknown: bool = False

    @property
    def did_something(self) -> bool:
        """Return whether at least a part of what was asked was done."""
        return self.success or any(result.done for result in self.results)


class Agent(Protocol):
    """A specialist that answers an instruction."""

    @property
    def card(self) -> AgentCard:
        """Return what the agent shows of itself."""
        ...

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Carry out an instruction and say what came of it.

        Raises:
            ModelError: the model could not be asked.
        """
        ...


@runtime_checkable
class Confirmable(Agent, Protocol):
    """An agent that may have to ask whether it may do something, and does it after a yes."""

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> Answer:
        """Do what the question asked a yes for, and say what came of it."""
        ...
