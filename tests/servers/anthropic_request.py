"""Requests of Anthropic's Messages protocol: their shapes, and what the real server refuses of them."""

from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import uuid4

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    field_validator,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set as AbstractSet

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_BREAKPOINTS = 4
_NO_DISABLED = (
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and '
    '"output_config.effort" to control thinking behavior.'
)


class RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        """Say what the error body will hold."""
        super().__init__(message)
        self.status = status
        self.body = {
            "type": "error",
            "error": {"type": _KINDS.get(status, "api_error"), "message": message},
            "request_id": f"req_{uuid4().hex}",
        }


class _Strict(BaseModel):
    """A shape that refuses what it does not name, as the real server does."""

    model_config = ConfigDict(extra="forbid")


class _CacheControl(_Strict):
    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] = "5m"


class _TextBlock(_Strict):
    type: Literal["text"]
    text: StrictStr
    cache_control: _CacheControl | None = None

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("text content blocks must contain non-whitespace text")
        return text


class _ToolUse(_Strict):
    type: Literal["tool_use"]
    id: StrictStr = Field(pattern=r"^[a-zA-Z0-9_-]+$")
    name: StrictStr
    input: dict[str, Any]
    cache_control: _CacheControl | None = None

    @property
    def text(self) -> str:
        """Return the block as the model reads it."""
        return f"{self.name} {self.input}"


class _ToolResult(_Strict):
    type: Literal["tool_result"]
    tool_use_id: StrictStr
    content: StrictStr
    cache_control: _CacheControl | None = None

    @property
    def text(self) -> str:
        """Return the block as the model reads it."""
        return self.content


def _as_blocks(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


type _Content = Annotated[list[_TextBlock], BeforeValidator(_as_blocks)]
"""Blocks of text, or a text that is the only one."""


type _Said = Annotated[list[_TextBlock | _ToolUse | _ToolResult], BeforeValidator(_as_blocks)]
"""Blocks of a turn."""


class _Turn(_Strict):
    role: Literal["user", "assistant"]
    content: _Said


class _InputSchema(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: Literal["object"]


class _Tool(_Strict):
    name: StrictStr = Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")
    description: StrictStr = ""
    input_schema: _InputSchema
    cache_control: _CacheControl | None = None


class _ToolChoice(_Strict):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: StrictBool = False


class _Thinking(_Strict):
    type: Literal["disabled", "adaptive"]


class _OutputConfig(_Strict):
    effort: Literal["low", "medium", "high", "xhigh", "max"]


class Request(_Strict):
    """A request for an answer."""

    model: StrictStr
    max_tokens: StrictInt = Field(ge=1)
    messages: list[_Turn] = Field(min_length=1)
    system: _Content = Field(default_factory=list)
    temperature: float | None = Field(default=None, ge=0, le=1)
    stream: StrictBool = False
    thinking: _Thinking | None = None
    output_config: _OutputConfig | None = None
    tools: list[_Tool] = Field(default_factory=list)
    tool_choice: _ToolChoice | None = None

    def parts(self) -> Iterator[tuple[str, _CacheControl | None]]:
        """Yield the prompt in the order in which the model reads it, with the breakpoints in it."""
        for tool in self.tools:
            yield tool.model_dump_json(exclude={"cache_control"}), tool.cache_control
        for block in self.system:
            yield block.text, block.cache_control
        for turn in self.messages:
            for said in turn.content:
                yield f"{turn.role}\n{said.text}", said.cache_control

    def tool(self) -> _Tool | None:
        """Return the tool the model must use, or is told to use in words."""
        wanted = self.tool_choice or _ToolChoice(type="none")
        if wanted.type == "none":
            return None
        named = (tool for tool in self.tools if wanted.name in (None, tool.name))
        return next(named, None)


class Query(BaseModel):
    """What is asked of the list of models."""

    limit: int = Field(default=20, ge=1, le=1000)
    after_id: str | None = None


def checked[T: BaseModel](shape: type[T], data: Mapping[str, Any]) -> T:
    """Read what was sent; raises `RefusedError` that names the first field that is wrong."""
    try:
        return shape.model_validate(data)
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise RefusedError(f"{where}: {first['msg']}") from err


def check(asked: Request, refuses: AbstractSet[str]) -> None:
    """Refuse what no model takes, and what this one, by the names in `refuses`, does not take.

    Raises `RefusedError`.
    """
    if asked.messages[0].role != "user":
        raise RefusedError('messages: first message must use the "user" role')
    marks = [mark for _, mark in asked.parts() if mark]
    if len(marks) > _BREAKPOINTS:
        found = f"Found {len(marks)}."
        raise RefusedError(
            f"A maximum of {_BREAKPOINTS} blocks with cache_control may be provided. {found}"
        )
    _check_tools(asked)
    _check_results(asked)
    for name, message in _refusals(asked):
        if name in refuses:
            raise RefusedError(message)


def _check_results(asked: Request) -> None:
    """Refuse a result without its call in the turn before, and a call without its result in the turn behind."""
    called: set[str] = set()
    for number, turn in enumerate(asked.messages):
        results = {block.tool_use_id for block in turn.content if isinstance(block, _ToolResult)}
        if results != called:
            raise RefusedError(
                f"messages.{number}: `tool_use` ids were found without `tool_result` blocks"
            )
        called = {block.id for block in turn.content if isinstance(block, _ToolUse)}


def _check_tools(asked: Request) -> None:
    wanted = asked.tool_choice
    if wanted is None:
        return
    if not asked.tools:
        raise RefusedError("tool_choice may only be specified while providing tools.")
    if (wanted.type == "tool") != (wanted.name is not None):
        raise RefusedError("tool_choice.tool.name: Field required")
    if wanted.name is not None and wanted.name not in [tool.name for tool in asked.tools]:
        raise RefusedError(f"Tool '{wanted.name}' not found in provided tools")


def _refusals(asked: Request) -> Iterator[tuple[str, str]]:
    """Yield what of a sound request some model or server does not take, and its words for it."""
    if asked.temperature is not None:
        yield "temperature", "`temperature` is deprecated for this model."
    if asked.tool_choice is not None and asked.tool_choice.type in ("tool", "any"):
        yield (
            "tool_choice",
            'tool_choice: type "tool" and "any" are not supported for this model.',
        )
        yield "thoughts", "Thinking may not be enabled when tool_choice forces tool use."
    if asked.thinking is not None and asked.thinking.type == "disabled":
        yield "thinking", _NO_DISABLED
        yield "old_thinking", "thinking: Extra inputs are not permitted"
    if asked.output_config is not None:
        yield "effort", "This model does not support the effort parameter."
    if any(mark for _, mark in asked.parts()):
        yield "cache_control", "system.0.cache_control: Extra inputs are not permitted"
