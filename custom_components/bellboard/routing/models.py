"""The routing decision: assignments, their source and confidence, and the contract's AgentChoiceResult."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field

from ..domains.models import Command
from ..json_model import JsonModel
from ..when import Schedule

EXECUTOR_ID = "RouterExecutor"
"""Name of what routes, in spans, logs and workflow states (RouterExecutor contract, ExecutorId)."""

_NOTHING: Mapping[str, float] = MappingProxyType({})


class AgentChoiceResult(JsonModel):
    """The chosen agents, with the router's confidence and reasons (data model, AgentChoiceResult).

    `confidence` is between 0 and 1. `additional_agents` run after the primary one, in order, and
    never hold it. `instructions` gives each agent its own part of the sentence.
    """

    agent_id: str = Field(min_length=1)
    confidence: Annotated[float, Field(ge=0, le=1)]
    reasoning: str | None = None
    additional_agents: list[str] | None = None
    instructions: dict[str, str] | None = None


class Source(StrEnum):
    """The router or stage that decided."""

    REFLEX = "reflex"
    GUARD = "guard"
    READER = "reader"
    LEARNED = "learned"
    GATEKEEPER = "gatekeeper"
    FORWARDED = "forwarded"
    REFERENCE = "reference"
    DELAYED = "delayed"
    VOCABULARY = "vocabulary"
    MODEL = "model"
    ESCALATION = "escalation"
    PENDING = "pending"
    DEFAULT = "default"
    FALLBACK = "fallback"


class Measure(StrEnum):
    """Source of a confidence: log-probabilities, the number the model wrote, or nothing."""

    MEASURED = "measured"
    WRITTEN = "written"
    NONE = "none"


_NO_NUMBERS: Mapping[Measure, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One part of a sentence and the agent that is to answer it.

    - `instruction`: the part word for word; names and places in it are never rewritten.
    - `confidence`: between 0 and 1, read from `measure`.
    - `confidences`: the confidences by what they were read from, where there are several: the lowest counts.
    - `reason`: why, in plain English, for traces and logs.
    - `intent`: what Home Assistant recognised.
    - `decline`: the key of the reply that says why nobody may answer it.
    - `words`: a reply that the user has written, in place of the agent's own.
    - `is_clarification`: it is asked what is meant, because nothing was sure enough; the agent of a sure choice
      may be the same.
    - `question`: what a model asks by itself where it is unsure, in its own words.
    - `has_reply`: `words` are the whole answer, because nothing has to be done; `topic` names what it is about.
    - `known`: the actions it means, all with the same targets, where these are known already.
    - `asks`: only an answer is wanted, and nothing is to be done.
    - `spoken`: all that was said for it, where that is more than the sentence.
    - `scores`: the probabilities of the agents that were weighed, by agent id, where a model was asked.
    - `schedule`: until when it is to stay so, where what it changes is put back then.
    - `later`: the words for when it is to be done, as a model wrote them; nothing may be done before they are read.
    - `data`, `about`: the output of an earlier agent to work with, and the entity ids that it is about.
    """

    agent_id: str
    instruction: str
    source: Source
    confidence: float = 1.0
    reason: str = ""
    intent: Command | None = None
    measure: Measure = Measure.NONE
    confidences: Mapping[Measure, float] = field(default_factory=lambda: _NO_NUMBERS, compare=False)
    decline: str | None = None
    words: str = ""
    is_clarification: bool = False
    question: str = ""
    has_reply: bool = False
    topic: str = ""
    known: tuple[Command, ...] = ()
    data: Any = None
    about: tuple[str, ...] = ()
    spoken: str = ""
    asks: bool = False
    schedule: Schedule | None = None
    later: str = ""
    scores: Mapping[str, float] = field(default_factory=lambda: _NOTHING, compare=False)

    @property
    def is_split(self) -> bool:
        """Return whether a model that splits sentences wants it, and so has said whether it `asks`."""
        is_by_model = self.source in {Source.MODEL, Source.ESCALATION}
        return is_by_model and self.measure is Measure.WRITTEN and bool(self.spoken)


@dataclass(frozen=True)
class Route:
    """All assignments of a sentence, the primary agent's first. Never empty."""

    assignments: tuple[Assignment, ...]

    @cached_property
    def choice(self) -> AgentChoiceResult:
        """Return the decision as AgentChoiceResult.

        The confidence is that of the least certain part: a sentence is routed rightly only when all
        its parts are.
        """
        primary, *rest = self.assignments
        additional = list(dict.fromkeys(a.agent_id for a in rest if a.agent_id != primary.agent_id))
        instructions: dict[str, str] = {}
        for part in self.assignments:
            spoken = instructions.get(part.agent_id)
            instructions[part.agent_id] = (
                f"{spoken}, {part.instruction}" if spoken else part.instruction
            )
        return AgentChoiceResult(
            agent_id=primary.agent_id,
            confidence=min(part.confidence for part in self.assignments),
            reasoning=primary.reason or None,
            additional_agents=additional or None,
            instructions=instructions,
        )
