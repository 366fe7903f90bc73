"""Tables of the fields that servers of the OpenAI protocol may reject, and of what they are sent instead."""

from functools import partial
import json
from typing import TYPE_CHECKING, Any

from .unsupported import Body, UnsupportedField, leave_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .unsupported import Fallback

_ROUTED = "no endpoints found that can handle"


def _few_logprobs(body: Body) -> Body | None:
    return body | {"top_logprobs": 5} if body.get("top_logprobs", 0) > 5 else None


def _completion_tokens(body: Body) -> Body | None:
    body = dict(body)
    return (
        body | {"max_completion_tokens": body.pop("max_tokens")} if "max_tokens" in body else None
    )


def _format(body: Body, kind: str) -> dict[str, Any] | None:
    """Return the response format of a request if it is of a kind."""
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
    """Drop `additionalProperties` from the schema: the model is still held to what is in it."""
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
    """Ask as early llama.cpp servers want it: a JSON object, and its schema beside."""
    wanted = _format(body, "json_schema")
    if wanted is None:
        return None
    schema = wanted["json_schema"]["schema"]
    return body | {"response_format": {"type": "json_object", "schema": schema}}


def _guided(body: Body) -> Body | None:
    """Ask as early vLLM servers want it: with the field `guided_json`."""
    wanted = _format(body, "json_schema")
    if wanted is None:
        return None
    rest = {key: value for key, value in body.items() if key != "response_format"}
    return rest | {"guided_json": wanted["json_schema"]["schema"]}


def _in_words(body: Body, schema: Any, wanted: Mapping[str, Any] | None, *fields: str) -> Body:
    """Put a schema into the system prompt, since the server does not enforce it."""
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
    """Ask for a JSON object, with the schema in the prompt."""
    if wanted := _format(body, "json_schema"):
        return _in_words(body, wanted["json_schema"]["schema"], {"type": "json_object"})
    if (wanted := _format(body, "json_object")) and "schema" in wanted:
        return _in_words(body, wanted["schema"], {"type": "json_object"})
    return None


def _any_text(body: Body) -> Body | None:
    """Ask for text, with the schema in the prompt."""
    if wanted := _format(body, "json_schema"):
        return _in_words(body, wanted["json_schema"]["schema"], None)
    if "guided_json" in body:
        return _in_words(body, body["guided_json"], None, "guided_json")
    # The schema is in the prompt already.
    return leave_out("response_format")(body) if _format(body, "json_object") else None


def _unrouted(body: Body) -> Body | None:
    """Let any upstream server answer, with the schema in the prompt, since none of them knows schemas."""
    body = (
        {key: value for key, value in body.items() if key != "provider"}
        if "provider" in body
        else {}
    )
    return (_any_json(body) or body) if body else None


def _instead(field: str, given: Any, other: Any) -> Fallback:
    """Return the fallback that replaces a value of a field by another."""
    return lambda body: body | {field: other} if body.get(field) == given else None


_unrouted_field = partial(UnsupportedField, statuses=frozenset({400, 404, 422}))

FIELDS = (
    UnsupportedField(("chat_template_kwargs",), leave_out("chat_template_kwargs")),
    UnsupportedField(("top_logprobs", "sample logprobs"), _few_logprobs),
    UnsupportedField(("logprob",), leave_out("logprobs", "top_logprobs")),
    UnsupportedField(("max_completion_tokens",), _completion_tokens),
    UnsupportedField(("temperature",), leave_out("temperature")),
    UnsupportedField(("stream_options",), leave_out("stream_options")),
)
"""Fields that servers of every kind may reject, in the order in which they are dropped."""

SCHEMA = (
    UnsupportedField(("invalid schema", "strict"), _lenient_schema),
    UnsupportedField(("response_format", "json_schema"), _any_json),
    UnsupportedField(("response_format", "json_object"), _any_text),
)
"""Response schemas: asked for leniently, then as a JSON object, then in the prompt alone."""

CLOSED_SCHEMA = (UnsupportedField(("additionalproperties", "additional_properties"), _open_schema),)
"""Servers that reject closed schemas."""

LLAMACPP_SCHEMA = (
    UnsupportedField(("response_format", "json_schema", "grammar"), _object_with_schema),
)
"""Builds of llama.cpp that take a schema only beside "json_object"."""

VLLM_SCHEMA = (
    UnsupportedField(("response_format", "json_schema", "json_object"), _guided),
    UnsupportedField(("guided_json",), _any_text),
)
"""Releases of vLLM that take a schema only in `guided_json`."""

TEXT_SCHEMA = (UnsupportedField(("response_format", "json_schema"), _any_text),)
"""Servers that take a schema or nothing: a bare JSON object is rejected, too."""

EFFORT = (
    UnsupportedField(
        ("reasoning", "thinking", "budget"), _instead("reasoning_effort", "none", "minimal")
    ),
    UnsupportedField(("reasoning", "thinking", "budget"), leave_out("reasoning_effort")),
)
"""Models that always reason, or never do, where "reasoning_effort" controls it."""

NO_EFFORT = (UnsupportedField(("reasoning",), leave_out("reasoning_effort")),)
"""Models without a reasoning effort."""

ROUTED = (
    UnsupportedField(
        ("reasoning is mandatory", "cannot be disabled"),
        _instead("reasoning", {"enabled": False}, {"effort": "minimal", "exclude": True}),
    ),
    UnsupportedField(("reasoning",), leave_out("reasoning")),
    _unrouted_field((_ROUTED,), leave_out("logprobs", "top_logprobs")),
    _unrouted_field((_ROUTED,), leave_out("reasoning")),
    _unrouted_field((_ROUTED,), leave_out("temperature")),
    _unrouted_field((_ROUTED,), _unrouted),
)
"""A router of many upstream servers, none of which may support everything at once."""
