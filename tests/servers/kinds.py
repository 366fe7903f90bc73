"""What the kinds of server of the OpenAI protocol do differently: what they know, refuse and tell, as data."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .scripted import ScriptedModel

type Check = Callable[[Mapping[str, Any], ScriptedModel], None]
_FORMATS = frozenset({"text", "json_object", "json_schema"})
_CONTEXT_LENGTH = 8192


class RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> None:
        """Say what the error body will hold."""
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind
        self.param = param
        self.code = code


def _openai_error(refused: RefusedError) -> object:
    told = {"message": refused.message, "type": refused.kind}
    return {"error": told | {"param": refused.param, "code": refused.code}}


def _numbered_error(refused: RefusedError) -> object:
    told = {"code": refused.status, "message": refused.message, "type": refused.kind}
    return {"error": told}


def _bare_error(refused: RefusedError) -> object:
    return {"error": refused.message}


def _openrouter_error(refused: RefusedError) -> object:
    return {"error": {"code": refused.status, "message": refused.message}}


def _google_error(refused: RefusedError) -> object:
    told = {"code": refused.status, "message": refused.message, "status": "INVALID_ARGUMENT"}
    return {"error": told}


def _listed_google_error(refused: RefusedError) -> object:
    return [_google_error(refused)]


def _vllm_error(refused: RefusedError) -> object:
    if refused.status == 401:
        return {"error": "Unauthorized"}
    told = {"message": refused.message, "type": "BadRequestError"}
    return {"error": told | {"param": refused.param, "code": refused.status}}


def _lmstudio_error(refused: RefusedError) -> object:
    return _bare_error(refused) if refused.param == "response_format" else _openai_error(refused)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a server tells at another path than the chat; `key_header` is where it looks for the key."""

    tell: Callable[[ScriptedModel], object]
    key_header: str = "Authorization"
    error: Callable[[RefusedError], object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of server.

    - `path`: where the protocol lives; `lists_openly`: its models are for everybody.
    - `entry`: one model in its list, `others` the entries beside them.
    - `beside`: what it tells at other paths.
    - `known`: the fields of a request that it knows, None if it takes any.
    - `formats`: the kinds of `response_format` it knows.
    - `logprobs`: whether it gives them, takes no notice, or refuses.
    - `counts_cached`: whether it tells how much of a prompt was cached.
    - `checks`: what else it refuses.
    - `unthinking`: the fields that keep its models from thinking.
    - `error`: the shape of its errors; `unknown_key`, `no_key` and `unknown_model` are such.
    - `lost`: what it answers where nothing lives, with status 200; None for a 404.
    - `meanwhile`: what it sends while the model is still busy: before a stream, before a whole answer.
    """

    name: str
    path: str = "/v1"
    lists_openly: bool = False
    entry: Callable[[ScriptedModel, str], dict[str, Any]] = lambda _model, name: {
        "id": name,
        "object": "model",
        "created": 1_700_000_000,
        "owned_by": "tests",
    }
    others: tuple[Mapping[str, Any], ...] = ()
    beside: Mapping[str, Beside] = field(default_factory=dict)
    known: frozenset[str] | None = None
    formats: frozenset[str] = _FORMATS
    logprobs: Literal["given", "ignored", "refused"] = "given"
    counts_cached: bool = True
    checks: tuple[Check, ...] = ()
    unthinking: Mapping[str, Any] = field(
        default_factory=lambda: {"chat_template_kwargs": {"enable_thinking": False}}
    )
    error: Callable[[RefusedError], object] = _openai_error
    no_key: str = "You didn't provide an API key."
    # The real one quotes the key's ends, too: an error's text is nothing to pass on.
    unknown_key: str = "Incorrect API key provided: {key}."
    unknown_key_status: int = 401
    unknown_model: str = "The model `{name}` does not exist or you do not have access to it."
    unknown_model_status: int = 404
    lost: str | None = None
    meanwhile: tuple[bytes, bytes] = (b"", b"")
    model_prefix: str = ""


def _lmstudio_models(model: ScriptedModel) -> object:
    written = [
        {
            "id": name,
            "object": "model",
            "type": "llm",
            "publisher": "tests",
            "arch": "llama",
            "compatibility_type": "gguf",
            "quantization": "Q4_K_M",
            "state": "loaded",
            "max_context_length": _CONTEXT_LENGTH * 2,
            "loaded_context_length": _CONTEXT_LENGTH,
        }
        for name in model.names
    ]
    silent = {"id": "text-embedding-tests", "type": "embeddings", "max_context_length": 2048}
    return {"object": "list", "data": [silent, *written]}


def _localai_models(model: ScriptedModel) -> object:
    talking = [
        {
            "id": name,
            "object": "model",
            "capabilities": ["chat", "completion"],
            "input_modalities": ["text"],
            "output_modalities": ["text"],
            "context_size": _CONTEXT_LENGTH,
        }
        for name in model.names
    ]
    other = {"id": "whisper-1", "object": "model", "capabilities": ["transcript"]}
    return {"object": "list", "data": [other, *talking]}


def _props(_model: ScriptedModel) -> object:
    settings = {"params": {"temperature": 0.8}, "n_ctx": _CONTEXT_LENGTH}
    return {"default_generation_settings": settings, "total_slots": 1, "model_alias": "tests"}


def _openrouter_key(_model: ScriptedModel) -> object:
    return {
        "data": {"label": "sk-or-v1-0e6...1c9", "limit": None, "usage": 0.5, "is_free_tier": False}
    }


def _gemini_models(model: ScriptedModel) -> object:
    writing = [
        {
            "name": f"models/{name}",
            "displayName": name,
            "inputTokenLimit": _CONTEXT_LENGTH,
            "outputTokenLimit": 8192,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        }
        for name in model.names
    ]
    silent = {"name": "models/embedding-tests", "supportedGenerationMethods": ["embedContent"]}
    return {"models": [*writing, silent]}


def _llamacpp_entry(_model: ScriptedModel, name: str) -> dict[str, Any]:
    meta = {"n_vocab": 49152, "n_ctx": _CONTEXT_LENGTH, "n_ctx_train": 131_072}
    meta |= {"n_params": 134_515_008, "size": 96_576_768}
    return {"id": name, "object": "model", "owned_by": "llamacpp", "meta": meta}


def _vllm_entry(_model: ScriptedModel, name: str) -> dict[str, Any]:
    entry = {"id": name, "object": "model", "owned_by": "vllm", "root": name, "parent": None}
    return entry | {"max_model_len": _CONTEXT_LENGTH, "permission": []}


def _openrouter_entry(_model: ScriptedModel, name: str) -> dict[str, Any]:
    modalities = {"input_modalities": ["text"], "output_modalities": ["text"], "tokenizer": "Other"}
    return {
        "id": name,
        "name": name,
        "context_length": _CONTEXT_LENGTH,
        "architecture": modalities,
        "supported_parameters": ["max_tokens", "structured_outputs", "temperature"],
    }


def _gemini_entry(_model: ScriptedModel, name: str) -> dict[str, Any]:
    return {"id": f"models/{name}", "object": "model", "owned_by": "google", "display_name": name}


def _cannot_stop_thinking(body: Mapping[str, Any], model: ScriptedModel) -> None:
    if "no_thinking" in model.refuses and body.get("reasoning_effort") == "none":
        raise RefusedError("Budget 0 is invalid. This model only works in thinking mode.")


def _knows_no_closed_schema(body: Mapping[str, Any], model: ScriptedModel) -> None:
    named = (body.get("response_format") or {}).get("json_schema") or {}
    if "closed_schema" in model.refuses and "additionalProperties" in named.get("schema", {}):
        raise RefusedError(
            'Invalid JSON payload received. Unknown name "additionalProperties" at '
            "'generation_config.response_schema': Cannot find field."
        )


def _thinks_always(body: Mapping[str, Any], model: ScriptedModel) -> None:
    if "no_thinking" in model.refuses and body.get("reasoning") == {"enabled": False}:
        raise RefusedError("Reasoning is mandatory for this endpoint and cannot be disabled.")


def _routes(body: Mapping[str, Any], model: ScriptedModel) -> None:
    """Find no server where all parameters are required and one of them is known to none."""
    strictly = (body.get("provider") or {}).get("require_parameters")
    if strictly and (model.refuses & body.keys()):
        raise RefusedError(
            "No endpoints found that can handle the requested parameters. To learn more about "
            "provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection",
            status=404,
        )


_CHAT_FIELDS = frozenset(
    {
        "logprobs",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "reasoning_effort",
        "response_format",
        "stream",
        "stream_options",
        "temperature",
        "tools",
        "top_logprobs",
    }
)


def _named(kinds: Iterable[Kind]) -> Mapping[str, Kind]:
    return {kind.name: kind for kind in kinds}


KINDS = _named(
    (
        Kind(name="openai"),
        Kind(
            name="lmstudio",
            others=({"id": "text-embedding-tests", "object": "model"},),
            beside={"/api/v0/models": Beside(_lmstudio_models)},
            formats=frozenset({"text", "json_schema"}),
            logprobs="ignored",
            unthinking={"reasoning_effort": "none"},
            error=_lmstudio_error,
            unknown_key="Malformed LM Studio API token provided.",
            unknown_model='Invalid model identifier "{name}". Please specify a valid downloaded model.',
            unknown_model_status=400,
            lost="Unexpected endpoint or method. ({method} {path})",
        ),
        Kind(
            name="llamacpp",
            lists_openly=True,
            entry=_llamacpp_entry,
            beside={"/props": Beside(_props)},
            error=_numbered_error,
            unknown_key="Invalid API Key",
            unknown_model="model '{name}' not found",
            unknown_model_status=400,
        ),
        Kind(name="vllm", entry=_vllm_entry, error=_vllm_error),
        Kind(
            name="localai",
            others=({"id": "whisper-1", "object": "model"},),
            beside={"/v1/models/capabilities": Beside(_localai_models)},
            counts_cached=False,
            unthinking={"reasoning_effort": "none", "metadata": {"enable_thinking": "false"}},
            error=_numbered_error,
            unknown_key="An authentication key is required",
            unknown_model='model "{name}" not found. To see available models, call GET /v1/models',
        ),
        Kind(
            name="openrouter",
            path="/api/v1",
            lists_openly=True,
            entry=_openrouter_entry,
            others=(
                {
                    "id": "tests/painter",
                    "context_length": 4096,
                    "architecture": {"output_modalities": ["image"]},
                },
            ),
            beside={"/api/v1/key": Beside(_openrouter_key)},
            checks=(_thinks_always, _routes),
            unthinking={"reasoning": {"enabled": False}},
            error=_openrouter_error,
            no_key="No cookie auth credentials found",
            unknown_key="User not found.",
            unknown_model="{name} is not a valid model ID",
            unknown_model_status=400,
            meanwhile=(b": OPENROUTER PROCESSING\n\n", b"\n         \n\n         \n"),
        ),
        Kind(
            name="gemini",
            path="/v1beta/openai",
            entry=_gemini_entry,
            others=({"id": "models/embedding-tests", "object": "model"},),
            beside={"/v1beta/models": Beside(_gemini_models, "x-goog-api-key", _google_error)},
            known=_CHAT_FIELDS,
            logprobs="refused",
            checks=(_cannot_stop_thinking, _knows_no_closed_schema),
            unthinking={"reasoning_effort": "none"},
            error=_listed_google_error,
            no_key="Missing or invalid Authorization header.",
            unknown_key="API key not valid. Please pass a valid API key.",
            unknown_key_status=400,
            unknown_model="models/{name} is not found for API version v1main, or is not supported.",
            model_prefix="models/",
        ),
    )
)
"""The kinds of server, by name."""
