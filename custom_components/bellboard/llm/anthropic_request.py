"""A request in the shape of Anthropic's Messages protocol, and what its models are known to refuse of it.

The schema of an answer becomes a tool that the model is made to use: what it calls the tool with is
the answer. (V2 routing: Anthropic integration, tool schema)
"""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from .unsupported import Body, UnsupportedField, leave_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .base import ChatRequest
    from .models import JsonSchema, Message

DEFAULT_MAX_TOKENS = 4096
"""Tokens of an answer where no limit is set: the API wants one, and every model allows this one."""
THINKING_TOKENS = 2048
"""Tokens added where a model always thinks: its thoughts count against the limit."""

_DESCRIPTION = "Give the answer."
_NOTHING = "(Nothing was said.)"


def request_body(model: str, request: ChatRequest) -> Body:
    """Put a request to `model` into the protocol's shape."""
    system = [_text(m.content) for m in request.messages if _is_system(m) and m.content.strip()]
    turns = _turns([message for message in request.messages if not _is_system(message)])
    tools: list[Body] = []
    body: Body = {
        "model": model,
        "max_tokens": DEFAULT_MAX_TOKENS if request.max_tokens is None else request.max_tokens,
        "messages": turns,
        "stream": request.stream,
        # Some models think unless they are told not to, and take several seconds over a lamp.
        "thinking": {"type": "disabled"},
    }
    if system:
        body["system"] = system
    if request.temperature is not None:
        # Others go up to 2, this API to 1.
        body["temperature"] = min(request.temperature, 1.0)
    if request.schema is not None:
        name = request.schema_name
        tools.append(_tool(name, request.schema))
        body["tools"] = tools
        body["tool_choice"] = {"type": "tool", "name": name, "disable_parallel_tool_use": True}
    said = [block for turn in turns for block in turn["content"]]
    # In the order in which the server reads them. Only the last message is new each time.
    for same in (tools, system, said[:-1]):
        if same:
            same[-1]["cache_control"] = {"type": "ephemeral"}
    return body


def _is_system(message: Message) -> bool:
    return message.role == "system"


def _text(text: str) -> Body:
    return {"type": "text", "text": text}


def _tool(name: str, schema: JsonSchema) -> Body:
    description = schema.get("description")
    told = description if isinstance(description, str) and description.strip() else _DESCRIPTION
    return {"name": name, "description": told, "input_schema": schema}


def _turns(messages: Sequence[Message]) -> list[Body]:
    """Return messages as turns: the first is the user's, then they alternate, and none is blank."""
    turns: list[Body] = []
    for message in messages:
        if not turns or turns[-1]["role"] != message.role:
            turns.append({"role": message.role, "content": []})
        turns[-1]["content"].append(_text(message.content if message.content.strip() else _NOTHING))
    if not turns or turns[0]["role"] != "user":
        turns.insert(0, {"role": "user", "content": [_text(_NOTHING)]})
    return turns


def _think_little(body: Body) -> Body | None:
    """Let the model think, with low effort, and with room for it beside the answer."""
    if "thinking" not in body:
        return None
    rest = {key: value for key, value in body.items() if key != "thinking"}
    room = body["max_tokens"] + THINKING_TOKENS
    return rest | {"max_tokens": room, "output_config": {"effort": "low"}}


def _tool_in_words(body: Body) -> Body | None:
    """Ask for the tool in the system prompt, since the model cannot be made to use it."""
    choice = body.get("tool_choice", {})
    if choice.get("type") != "tool":
        return None
    told = _text(f"Answer only by using the tool {choice['name']}.")
    return body | {
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        # First, before what is cached, because it is the same every time.
        "system": [told, *body.get("system", ())],
    }


def _cache_breakpoints(body: Body) -> Iterator[Body]:
    """Yield the parts of a request that are marked as cache breakpoints."""
    parts: list[Any] = [*body.get("tools", ()), *body.get("system", ())]
    parts += [block for turn in body["messages"] for block in turn["content"]]
    return (part for part in parts if "cache_control" in part)


def _uncached(body: Body) -> Body | None:
    if not any(_cache_breakpoints(body)):
        return None
    changed = deepcopy(body)
    for part in list(_cache_breakpoints(changed)):
        del part["cache_control"]
    return changed


UNSUPPORTED = (
    UnsupportedField(("temperature",), leave_out("temperature")),
    # Before the others that think: "thinking may not be enabled when tool_choice forces tool use".
    UnsupportedField(("tool_choice",), _tool_in_words),
    UnsupportedField(("thinking.type",), _think_little),
    UnsupportedField(("thinking",), leave_out("thinking")),
    UnsupportedField(("effort", "output_config"), leave_out("output_config")),
    UnsupportedField(("cache_control",), _uncached),
)
"""The fields that models and servers may reject, in the order in which they are dropped."""
