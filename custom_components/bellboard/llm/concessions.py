"""What servers of the OpenAI protocol are known to refuse, and what they are asked instead, as rows of tables."""

from functools import partial
import json
from typing import TYPE_CHECKING, Any

from .refusals import Body, Concession, without

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ROUTED = "no endpoints found that can handle"


def _few_logprobs(body: Body) -> Body | None:
    return body | {"top_logprobs": 5} if body.get("top_logprobs", 0) > 5 else None


def _completion_tokens(body: Body) -> Body | None:
    body = dict(body)
    return (
        body | {"max_completion_tokens": body.pop("max_tokens")} if "max_tokens" in body else None
    )


def _format(body: Body, kind: str) -> dict[str, Any] | None:
    """Return the wanted format of an answer if it is of a kind."""
    wanted: dict[str, Any] = body.get("response_format") or {}
    return wanted if wanted.get("type") == kind else None


def _lenient_schema(body: Body) -> Body | None:
    wanted = _format(body, "json_schema")
    if wanted is None or not wanted["json_schema"].get("strict"):
        return None
    return body | {
        "response_format": wanted | {"json_schema": wanted["json_schema"] | {"strict": False}}
    }


def _open_schema(body: Body) -> Body | None:
    """Leave `additionalProperties` out of a schema: the model is still held to what is in it."""
    wanted = _format(body, "json_schema")
    if wanted is None or "additionalProperties" not in json.dumps(wanted):
        return None
    return body | {"response_format": _opened(wanted)}


def _opened(value: Any) -> Any:
    if isinstance(value, dict):
        # A name under "properties" is one of ours, whatever it is.
        return {
            key: {name: _opened(one) for name, one in inner.items()}
            if key == "properties" and isinstance(inner, dict)
            else _opened(inner)
            for key, inner in value.items()
            if key != "additionalProperties"
        }
    return [_opened(item) for item in value] if isinstance(value, list) else value


def _object_with_schema(body: Body) -> Body | None:
    """Ask as llama.cpp's servers did first: a JSON object, and its schema beside."""
    wanted = _format(body, "json_schema")
    if wanted is None:
        return None
    schema = wanted["json_schema"]["schema"]
    return body | {"response_format": {"type": "json_object", "schema": schema}}


def _guided(body: Body) -> Body | None:
    """Ask as vLLM's servers did first: with a field of their own."""
    wanted = _format(body, "json_schema")
    if wanted is None:
        return None
    rest = {key: value for key, value in body.items() if key != "response_format"}
    return rest | {"guided_json": wanted["json_schema"]["schema"]}


def _told(body: Body, schema: Any, wanted: Mapping[str, Any] | None, *fields: str) -> Body:
    """Put a schema into words, since the server does not hold the model to it."""
    told = {
        "role": "system",
        "content": "Answer with one JSON object that fits this JSON schema: "
        + json.dumps(schema, ensure_ascii=False, separators=(",", ":")),
    }
    rest = {key: value for key, value in body.items() if key not in ("response_format", *fields)}
    # First, because it is the same for every request of a kind and so keeps the server's prompt cache useful.
    rest |= {"messages": [told, *body["messages"]]}
    return rest if wanted is None else rest | {"response_format": dict(wanted)}


def _any_json(body: Body) -> Body | None:
    """Ask for some JSON object, with the schema in words."""
    if wanted := _format(body, "json_schema"):
        return _told(body, wanted["json_schema"]["schema"], {"type": "json_object"})
    if (wanted := _format(body, "json_object")) and "schema" in wanted:
        return _told(body, wanted["schema"], {"type": "json_object"})
    return None


def _any_text(body: Body) -> Body | None:
    """Ask for an answer in no format, with the schema in words."""
    if wanted := _format(body, "json_schema"):
        return _told(body, wanted["json_schema"]["schema"], None)
    if "guided_json" in body:
        return _told(body, body["guided_json"], None, "guided_json")
    # What came before has put the schema into words.
    return without("response_format")(body) if _format(body, "json_object") else None


def _unrouted(body: Body) -> Body | None:
    """Let any server of a broker answer, with the schema in words, since none of them knows schemas."""
    body = (
        {key: value for key, value in body.items() if key != "provider"}
        if "provider" in body
        else {}
    )
    return (_any_json(body) or body) if body else None


def _instead(field: str, given: Any, other: Any) -> Callable[[Body], Body | None]:
    """Make a concession that asks with another value."""
    return lambda body: body | {field: other} if body.get(field) == given else None


_anew = partial(Concession, statuses=frozenset({400, 404, 422}))

FIELDS = (
    Concession(("chat_template_kwargs",), without("chat_template_kwargs")),
    Concession(("top_logprobs", "sample logprobs"), _few_logprobs),
    Concession(("logprob",), without("logprobs", "top_logprobs")),
    Concession(("max_completion_tokens",), _completion_tokens),
    Concession(("temperature",), without("temperature")),
    Concession(("stream_options",), without("stream_options")),
)
"""Fields of a request that servers of every kind may refuse, in the order in which they are left out."""

SCHEMA = (
    Concession(("invalid schema", "strict"), _lenient_schema),
    Concession(("response_format", "json_schema"), _any_json),
    Concession(("response_format", "json_object"), _any_text),
)
"""How an answer's schema is asked for where it is refused: leniently, as some JSON object, in words alone."""

CLOSED_SCHEMA = (Concession(("additionalproperties", "additional_properties"), _open_schema),)
"""A schema that may not say that it is closed."""

LLAMACPP_SCHEMA = (Concession(("response_format", "json_schema", "grammar"), _object_with_schema),)
"""Builds of llama.cpp that know a schema only beside "json_object"."""

VLLM_SCHEMA = (
    Concession(("response_format", "json_schema", "json_object"), _guided),
    Concession(("guided_json",), _any_text),
)
"""Releases of vLLM from before it knew schemas in `response_format`."""

TEXT_SCHEMA = (Concession(("response_format", "json_schema"), _any_text),)
"""Servers that know a schema or none: a bare JSON object is refused, too."""

EFFORT = (
    Concession(
        ("reasoning", "thinking", "budget"), _instead("reasoning_effort", "none", "minimal")
    ),
    Concession(("reasoning", "thinking", "budget"), without("reasoning_effort")),
)
"""Models that cannot stop thinking, and such as never do, where "reasoning_effort" says how much they think."""

NO_EFFORT = (Concession(("reasoning",), without("reasoning_effort")),)
"""Models that do not know how much they think."""

ROUTED = (
    Concession(
        ("reasoning is mandatory", "cannot be disabled"),
        _instead("reasoning", {"enabled": False}, {"effort": "minimal", "exclude": True}),
    ),
    Concession(("reasoning",), without("reasoning")),
    _anew((_ROUTED,), without("logprobs", "top_logprobs")),
    _anew((_ROUTED,), without("reasoning")),
    _anew((_ROUTED,), without("temperature")),
    _anew((_ROUTED,), _unrouted),
)
"""A broker of many servers, of which none may know everything that is asked for."""
