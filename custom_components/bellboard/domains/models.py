"""Tool calls and their error codes (Agent router orchestration, ToolCall and ToolExecutor)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field


class StateLike(Protocol):
    """Home Assistant's `State`, or anything else with a state and attributes."""

    @property
    def state(self) -> str:
        """Return the state."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the attributes."""
        ...


type Unresolved = Literal["action", "targets", "data", "state"]
"""Part of a call that is not known before it is made (`ToolCall.unresolved`)."""


_NOT_STORED = Field(exclude=True)


@dataclass(frozen=True, slots=True)
class Command:
    """Action of a domain's table, by its name, with its parameters; or an intent, with its slots.

    An intent is one of Home Assistant's ("HassTurnOn"), or an action or a question of an agent's own
    ("light-agent/tell_on"). `targets` are the exposed entity ids that are meant, capable of it or not; () are all
    candidates. `by_habit` holds what nobody said and a habit chose for these targets: a level by its parameter, or
    the player itself as `PLAYER`. It is `assumed` where a model chose a value that nobody said.

    The rest is known only of what was just read, and not stored: the `domain` of its table, "" of Home Assistant's
    intent. It `is_ambiguous` if only one of the targets is meant and it is not known which; it `is_list` if each of
    them was named, so that none may be silently left out; it `is_named` where the words single the targets out by a
    name or a part of one, and not only by kind and place. Where it `is_without_others`, the words name what is not
    meant, too. With `is_guess` a target is asked for though there is only one. `asks` is Home Assistant's response
    key of a question: "any", "all", "which", "how_many". With `missing`, what is to be set is known, and not to which
    value ("volume").
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict()

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    by_habit: dict[str, Any] = field(default_factory=dict)
    assumed: bool = False
    domain: Annotated[str, _NOT_STORED] = ""
    is_ambiguous: Annotated[bool, _NOT_STORED] = False
    is_list: Annotated[bool, _NOT_STORED] = False
    is_named: Annotated[bool, _NOT_STORED] = False
    is_without_others: Annotated[bool, _NOT_STORED] = False
    is_guess: Annotated[bool, _NOT_STORED] = False
    asks: Annotated[str, _NOT_STORED] = ""
    missing: Annotated[str, _NOT_STORED] = ""

    @property
    def is_open(self) -> bool:
        """Return whether it has to be asked which target is meant."""
        return self.is_ambiguous or self.is_guess


PLAYER = "player"
"""Key of `Command.by_habit` for the player that a habit chose."""


class ToolCall(BaseModel, frozen=True):
    """Plan step that calls a Home Assistant service for entity ids (Agent router orchestration, Plan).

    `action` is `domain.service`, `targets` are entity ids, `data` holds the service's own fields. `label`
    is the spoken name of a value of which `data` has only the id (a track's title), or a colour as it was said, or of
    whom a call is for.

    An intent of Home Assistant's own agent that has no target entities, such as a timer, is the action
    `intent.` with the intent's name; `domains` are then the domains a policy may match it by. With `assumed`
    a model or a habit chose a target or a value that nobody said; `habit` says which one the habit chose.
    One that `moves` is a step of moving music to the player that the label names.

    `unresolved` are the parts that only show when the call is made, of one that a script, a scene or an automation
    will make: its action, its targets (then `targets` are those that make it), its data, the state its targets have
    by then. Such a call is judged and never made.
    """

    type: Literal["tool_call"] = "tool_call"
    action: str
    targets: tuple[str, ...] = ()
    data: dict[str, Any] = Field(default_factory=dict)
    label: str = ""
    domains: tuple[str, ...] = ()
    assumed: bool = False
    habit: Literal["", "player", "level"] = ""
    moves: bool = False
    unresolved: frozenset[Unresolved] = frozenset()


class ErrorCode(StrEnum):
    """Why a tool call failed for a target; one set of codes for services, checks and policies.

    `denied` comes from a policy, `not_allowed` from Home Assistant's user permissions; what is `excepted` may reach
    what the person excepted. `out_of_range` and `unsupported` are limits of the entity, `invalid` is a call that no
    entity takes, `wakes` one that would say a wake word aloud. `no_answer` is a call whose outcome check did not hold
    in time, `partly` one that changed only some attributes.
    """

    NOT_EXPOSED = "not_exposed"
    UNAVAILABLE = "unavailable"
    UNSUPPORTED = "unsupported"
    OUT_OF_RANGE = "out_of_range"
    INVALID = "invalid"
    WAKES = "wakes"
    DENIED = "denied"
    EXCEPTED = "excepted"
    NOT_ALLOWED = "not_allowed"
    FAILED = "failed"
    NO_ANSWER = "no_answer"
    PARTLY = "partly"
