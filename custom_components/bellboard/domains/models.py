"""A call of one of a domain's actions, and why it may not do what it should."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field


class ToolCall(BaseModel, frozen=True):
    """Call a Home Assistant action for entity ids.

    What Home Assistant's own agent does to nothing in particular, such as a timer, has no targets and
    is called `intent.` with the intent's name. `domains` are then the kinds of things it may be for.

    `action` is `domain.service`; `data` holds the action's own fields, without the targets. `label`
    is what a value is called when it is spoken, where `data` only has its id.
    """

    type: Literal["tool_call"] = "tool_call"
    action: str
    targets: tuple[str, ...] = ()
    data: dict[str, Any] = Field(default_factory=dict)
    label: str = ""
    domains: tuple[str, ...] = ()


class ErrorCode(StrEnum):
    """Why a tool call did not do what it should: the same codes for all tools and policies.

    `denied` is a policy's word, `not_allowed` Home Assistant's about the user. `out_of_range` and
    `unsupported` are what the entity cannot do, `invalid` a call nobody could carry out. `partly`
    where the entity did something, but not all of it.
    """

    NOT_EXPOSED = "not_exposed"
    UNAVAILABLE = "unavailable"
    UNSUPPORTED = "unsupported"
    OUT_OF_RANGE = "out_of_range"
    INVALID = "invalid"
    DENIED = "denied"
    NOT_ALLOWED = "not_allowed"
    FAILED = "failed"
    NO_ANSWER = "no_answer"
    PARTLY = "partly"
