"""Servers of the OpenAI chat protocol (llama.cpp, vLLM, LM Studio, ...): one row each for what differs."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .model_lists import ChatModels, GeminiModels, InfoPath, ModelListSource
from .openai_unsupported import (
    CLOSED_SCHEMA,
    EFFORT,
    FIELDS,
    LLAMACPP_SCHEMA,
    NO_EFFORT,
    ROUTED,
    SCHEMA,
    TEXT_SCHEMA,
    VLLM_SCHEMA,
)
from .url import normalise_url, with_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .unsupported import UnsupportedField

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
