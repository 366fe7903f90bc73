"""Servers of the OpenAI chat protocol (llama.cpp, vLLM, LM Studio, ...): one row each for what differs."""

from dataclasses import dataclass
from functools import partial
import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .model_lists import ChatModels, GeminiModels, InfoPath, ModelListSource
from .unsupported import Body, UnsupportedField, leave_out
from .url import normalise_url, with_version

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
    UnsupportedField(
        ("tools param requires", "not support tool", "support tool use", "supplied: tools"),
        leave_out("tools"),
        statuses=frozenset({400, 404, 422, 500, 501}),
    ),
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


_NOTHING: Mapping[str, Any] = MappingProxyType({})
_TEMPLATE_WITHOUT_REASONING: Mapping[str, Any] = MappingProxyType(
    # llama.cpp and vLLM hand this to the chat template: without it a reasoning model thinks for a minute
    # before it switches a lamp.
    {"chat_template_kwargs": {"enable_thinking": False}}
)
_EFFORTLESS: Mapping[str, Any] = MappingProxyType({"reasoning_effort": "none"})
_COMMON = FIELDS + SCHEMA


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavour:
    """A kind of server of the OpenAI protocol.

    - `title`, `default_url`, `example`: as in `Provider`; `is_remote`: it is at one address for everybody.
    - `path`: the base path of the protocol; `other_api_paths` are those of other protocols it speaks,
      which people may type.
    - `headers`: sent with every request.
    - `no_reasoning`: request fields that turn reasoning off.
    - `schema_fields`: request fields that go along with a response schema.
    - `unsupported`: fields it may reject, in the order in which they are dropped.
    - `model_lists`: its lists of models, the most detailed first.
    - `key_check`: a path for valid keys only, where its lists are public.
    - `model_prefix`: what its lists put before the names of models.
    """

    name: str
    title: str
    default_url: str
    example: str = ""
    is_remote: bool = False
    path: str = "/v1"
    other_api_paths: tuple[str, ...] = ()
    headers: Mapping[str, str] = _NOTHING
    no_reasoning: Mapping[str, Any] = _TEMPLATE_WITHOUT_REASONING
    schema_fields: Mapping[str, Any] = _NOTHING
    unsupported: tuple[UnsupportedField, ...] = _COMMON
    model_lists: tuple[ModelListSource, ...] = (ModelListSource(),)
    key_check: InfoPath | None = None
    model_prefix: str = ""

    def base_url(self, typed: str) -> str:
        """Return the base URL of such a server, from what people type; raises `InvalidUrlError`."""
        url = normalise_url(typed)
        for path in self.other_api_paths:
            url = url.removesuffix(path)
        typed_path = urlsplit(url).path
        if f"{self.path}/".startswith(f"{typed_path}/"):
            return url.removesuffix(typed_path) + self.path
        return with_version(url)

    @property
    def info_paths(self) -> frozenset[InfoPath]:
        """All paths beside the chat that such a server is asked at."""
        key_checks = set() if self.key_check is None else {self.key_check}
        return frozenset({source.path for source in self.model_lists} | key_checks)


FLAVOURS: Mapping[str, Flavour] = {
    flavour.name: flavour
    for flavour in (
        Flavour(
            name="llamacpp",
            title="llama.cpp",
            default_url="http://localhost:8080/v1",
            unsupported=FIELDS + SCHEMA[:1] + LLAMACPP_SCHEMA + SCHEMA[1:],
            # Its older builds list their models to everybody.
            key_check=InfoPath("/props", replaces="/v1"),
        ),
        Flavour(
            name="lmstudio",
            title="LM Studio",
            default_url="http://localhost:1234/v1",
            other_api_paths=("/api/v0", "/api/v1"),
            no_reasoning=_EFFORTLESS,
            unsupported=NO_EFFORT + FIELDS + SCHEMA[:1] + TEXT_SCHEMA,
            # Only its own list knows which models write nothing, and which are loaded.
            model_lists=(
                ModelListSource(InfoPath("/api/v0/models", replaces="/v1")),
                ModelListSource(),
            ),
        ),
        Flavour(
            name="localai",
            title="LocalAI",
            default_url="http://localhost:8080/v1",
            # Its releases read one or the other.
            no_reasoning={**_EFFORTLESS, "metadata": {"enable_thinking": "false"}},
            unsupported=NO_EFFORT + _COMMON,
            # Only this list knows which models talk; it has some for every purpose.
            model_lists=(
                ModelListSource(InfoPath("/models/capabilities"), ChatModels),
                ModelListSource(),
            ),
        ),
        Flavour(
            name="vllm",
            title="vLLM",
            default_url="http://localhost:8000/v1",
            unsupported=FIELDS + SCHEMA[:1] + VLLM_SCHEMA + SCHEMA[1:],
        ),
        Flavour(
            name="openai",
            title="OpenAI-compatible",
            default_url="http://localhost:8080/v1",
            example="https://api.openai.com/v1",
        ),
        Flavour(
            name="gemini",
            title="Google Gemini",
            default_url="https://generativelanguage.googleapis.com/v1beta/openai",
            is_remote=True,
            path="/v1beta/openai",
            # It rejects every field that it does not know.
            no_reasoning=_EFFORTLESS,
            unsupported=EFFORT + CLOSED_SCHEMA + _COMMON,
            model_lists=(
                ModelListSource(
                    InfoPath(
                        "/models?pageSize=1000", replaces="/openai", key_header="x-goog-api-key"
                    ),
                    GeminiModels,
                ),
                ModelListSource(),
            ),
            model_prefix="models/",
        ),
        Flavour(
            name="openrouter",
            title="OpenRouter",
            default_url="https://openrouter.ai/api/v1",
            is_remote=True,
            path="/api/v1",
            headers={
                "HTTP-Referer": "https://github.com/bellboard-home/bellboard",
                "X-Title": "Bellboard",
            },
            no_reasoning={"reasoning": {"enabled": False}},
            # Without it, a server that knows no schema answers as it likes.
            schema_fields={"provider": {"require_parameters": True}},
            unsupported=ROUTED + _COMMON,
            key_check=InfoPath("/key"),
        ),
    )
}
"""The flavours, by name, in the order in which people choose from them."""

OPENAI = FLAVOURS["openai"]
"""OpenAI itself, and any server of which nothing else is known."""
