"""The schema of a golden file: sentences, the state of the house before them, and the expected results."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ..memory.models import TaskState
from ..telemetry.trace import Level, Stage

MOST_CASES = 2000
"""The cases one file may hold."""

MOST_TURNS = 20
"""The turns one case may have."""

MOST_TEXT = 2000
"""The characters of one sentence at most."""

DEMO_HOUSE = "demo"
"""The house that comes with the project."""

# YAML reads the words on and off as true and false.
_SWITCHED: Mapping[bool, str] = {True: "on", False: "off"}


def _as_list(value: Any) -> Any:
    """Read one text as a list of it."""
    return [value] if isinstance(value, str) else value


def _as_state(value: Any) -> Any:
    """Read what an entity is to be like: its state alone, or state and attributes by name."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        return {"state": _switched(value)}
    return {
        name: _switched(wanted) if name == "state" else wanted for name, wanted in value.items()
    }


def _switched(value: Any) -> Any:
    """Read a state; numbers are states, too."""
    if isinstance(value, bool):
        return _SWITCHED[value]
    return str(value) if isinstance(value, int | float) else value


type Texts = Annotated[tuple[str, ...], BeforeValidator(_as_list)]
type Wanted = Annotated[dict[str, Any], BeforeValidator(_as_state)]
type Sentence = Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
type EntityId = Annotated[str, Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$")]
type ActionName = Annotated[str, Field(pattern=r"^[a-z0-9_]+\.[A-Za-z0-9_]+$")]


class _Golden(BaseModel):
    """Base of all parts of a golden file: frozen; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectedCall(_Golden):
    """A call that is expected, for exactly these entities.

    `data` must be among the call's data; what else is in there may be anything.
    """

    action: ActionName
    entities: tuple[EntityId, ...] = ()
    data: dict[str, Any] = Field(default_factory=dict)


class ExpectedStage(_Golden):
    """A stage that is expected in a turn's trace; its name alone stands for it at any level.

    `payload` must be among the stage's payload, and what is in a mapping of it among that.
    """

    stage: Stage
    level: Level | None = None
    payload: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _read_name(cls, value: Any) -> Any:
        """Read a text as the stage's name."""
        return {"stage": value} if isinstance(value, str) else value


class Expected(_Golden):
    """The expected result of a turn. What is left out may be anything.

    `agents` are who answers, in order. `calls` are all actions that are called, in any order.
    `changed` are all entities that change, with what must hold of each afterwards ("state" or an
    attribute); `unchanged` stands for none. Of `reply` each text must occur in what is said, and of
    `not_reply` none, however they are capitalised. `stages` come in this order, with any others between.
    """

    agents: Texts | None = None
    calls: tuple[ExpectedCall, ...] | None = None
    changed: dict[EntityId, Wanted] | None = None
    unchanged: bool = False
    state: TaskState | None = None
    reply: Texts = ()
    not_reply: Texts = ()
    stages: Annotated[
        tuple[ExpectedStage, ...], BeforeValidator(_as_list), Field(min_length=1)
    ] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        """Refuse what expects nothing, or what changes and does not."""
        if not self.model_fields_set:
            raise ValueError("nothing is expected here")
        if self.unchanged and self.changed:
            raise ValueError("it cannot be both changed and unchanged")
        return self


class Given(_Golden):
    """An action that is called before a case, so that the house is as the case needs it."""

    action: ActionName
    entity_id: Annotated[tuple[EntityId, ...], BeforeValidator(_as_list)] = ()
    data: dict[str, Any] = Field(default_factory=dict)


class GoldenTurn(_Golden):
    """One sentence of a conversation. `area` overrides the case's."""

    say: Sentence
    area: str | None = None
    expect: Expected | None = None


class GoldenCase(_Golden):
    """One sentence or one conversation, and the expected results.

    `area` is the room it is said in. `needs` is "model" for what nobody answers without one.
    """

    id: Annotated[str, Field(min_length=1, max_length=100)]
    say: Sentence | None = None
    turns: Annotated[tuple[GoldenTurn, ...], Field(max_length=MOST_TURNS)] = ()
    area: str | None = None
    language: str | None = None
    given: tuple[Given, ...] = ()
    expect: Expected | None = None
    needs: Literal["model"] | None = None

    @model_validator(mode="after")
    def _is_one_or_several(self) -> Self:
        """Refuse a case without a sentence, with two ways of saying it, or without an expectation."""
        if (self.say is None) is (not self.turns):
            raise ValueError("a case has either say or turns")
        if self.turns and self.expect:
            raise ValueError("where there are turns, each has its own expect")
        if not any(turn.expect for turn in self.conversation):
            raise ValueError("nothing is expected of this case")
        return self

    @property
    def conversation(self) -> Sequence[GoldenTurn]:
        """Return the turns; a single sentence is one of them."""
        if self.say is None:
            return self.turns
        return (GoldenTurn(say=self.say, expect=self.expect),)

    @property
    def agent_id(self) -> str:
        """Return the agent that the case is about: the first one expected, empty where none is."""
        expected = (turn.expect.agents for turn in self.conversation if turn.expect)
        return next((agents[0] for agents in expected if agents), "")


class GoldenFile(_Golden):
    """A golden file: its cases, and the house they are said in.

    `house` is "demo" or the path of another description, beside the file. `policies` are rules as
    they are written in their own file, or the path of such a file.
    """

    house: str = DEMO_HOUSE
    language: str = "en"
    policies: str | list[Any] | dict[str, Any] | None = None
    cases: Annotated[tuple[GoldenCase, ...], Field(max_length=MOST_CASES)]

    @model_validator(mode="after")
    def _names_each_case_once(self) -> Self:
        """Refuse a file without a case, and two cases with one id."""
        if not self.cases:
            raise ValueError("there are no cases")
        seen: set[str] = set()
        for case in self.cases:
            if case.id in seen:
                raise ValueError(f"there are two cases with the id {case.id}")
            seen.add(case.id)
        return self
