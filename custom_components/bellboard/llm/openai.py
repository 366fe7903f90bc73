"""The OpenAI chat protocol, as OpenAI, llama.cpp, vLLM, LM Studio and many others speak it."""

import json
from typing import TYPE_CHECKING, Annotated, Any, override

from pydantic import BeforeValidator

from .base import Answer, HttpModelClient, Question, ServerModel
from .endpoint import Endpoint
from .logprobs import TOP_LOGPROBS, read_logprobs
from .models import ModelInfo, Usage
from .refusals import Body, Concession, reported, without
from .url import normalise_url, with_version

if TYPE_CHECKING:
    import aiohttp


def base_url(typed: str) -> str:
    """Return the address of an OpenAI-compatible server, from what people type; raises `InvalidUrlError`."""
    return with_version(normalise_url(typed))


class OpenAIClient(HttpModelClient):
    """A model behind an OpenAI-compatible server."""

    provider = "openai"
    chat_path = "/chat/completions"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        api_key: str | None = None,
        model: str = "",
        top_logprobs: int = TOP_LOGPROBS,
    ) -> None:
        """Talk to `model` at `url`, which is given in any form people type it.

        Raises `InvalidUrlError` or `AuthenticationError` for what cannot be an address or a key.
        """
        super().__init__(Endpoint(session, base_url(url), api_key), model, CONCESSIONS)
        self._top_logprobs = top_logprobs

    @override
    async def list_models(self, *, timeout: float = 10.0) -> list[ModelInfo]:
        listed = await self._get(_List, "GET", "/models", None, timeout)
        return [model.info() for model in listed.data]

    @override
    def _body(self, question: Question) -> Body:
        body: Body = {
            "model": self.model,
            "messages": [message.model_dump() for message in question.messages],
            "stream": question.stream,
            # llama.cpp and vLLM hand this to the model's chat template: without it a reasoning model thinks for a
            # minute before it switches a lamp. Servers that do not know it are asked without it.
            "chat_template_kwargs": {"enable_thinking": False},
        }
        if question.temperature is not None:
            body["temperature"] = question.temperature
        if question.max_tokens is not None:
            body["max_tokens"] = question.max_tokens
        if question.stream:
            body["stream_options"] = {"include_usage": True}
        if question.logprobs:
            body |= {"logprobs": True, "top_logprobs": self._top_logprobs}
        if question.schema is not None:
            named = {"name": question.schema_name, "strict": True, "schema": question.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    @override
    def _answer(self, body: bytes) -> Answer:
        reply = _Reply.model_validate_json(body)
        if reply.error:
            raise reported(reply.error)
        choice = reply.choices[0] if reply.choices else _Choice()
        return Answer(
            text=choice.message.content or "",
            finish_reason=choice.finish_reason,
            usage=reply.tokens(),
            logprobs=read_logprobs(choice.logprobs.get("content")) if choice.logprobs else (),
            model=reply.model,
            last=True,
        )

    @override
    def _event(self, line: bytes) -> Answer:
        # Comments (": ping") keep a connection open, "event:" and "id:" lines say nothing that matters here.
        if not line.startswith(b"data:"):
            return Answer()
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            return Answer(last=True)
        chunk = _Chunk.model_validate_json(data)
        if chunk.error:
            raise reported(chunk.error)
        choice = chunk.choices[0] if chunk.choices else _ChunkChoice()
        return Answer(
            text=choice.delta.content or "",
            finish_reason=choice.finish_reason,
            usage=chunk.tokens(),
        )


def _joined(content: Any) -> Any:
    """Join the text parts of a content that comes in parts; others (thoughts, pictures) are not for saying."""
    if not isinstance(content, list):
        return content
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(str(part.get("text", "")) for part in parts)


class _Message(ServerModel):
    content: Annotated[str | None, BeforeValidator(_joined)] = None


class _Choice(ServerModel):
    message: _Message = _Message()
    finish_reason: str | None = None
    logprobs: dict[str, Any] | None = None


class _ChunkChoice(ServerModel):
    delta: _Message = _Message()
    finish_reason: str | None = None


class _PromptDetails(ServerModel):
    cached_tokens: int | None = None


class _Usage(ServerModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _PromptDetails | None = None


class _Timings(ServerModel):
    cache_n: int | None = None


class _Counted(ServerModel):
    usage: _Usage | None = None
    timings: _Timings | None = None
    error: Any = None

    def tokens(self) -> Usage | None:
        if self.usage is None:
            return None
        details = self.usage.prompt_tokens_details
        cached = details.cached_tokens if details else None
        # Older llama.cpp servers count cached tokens only among their timings.
        if cached is None and self.timings:
            cached = self.timings.cache_n
        return Usage(
            prompt_tokens=self.usage.prompt_tokens,
            cached_tokens=cached or 0,
            completion_tokens=self.usage.completion_tokens,
        )


class _Reply(_Counted):
    choices: list[_Choice] | None = None
    model: str | None = None


class _Chunk(_Counted):
    choices: list[_ChunkChoice] | None = None


class _Meta(ServerModel):
    n_ctx: int | None = None
    size: int | None = None


class _Listed(ServerModel):
    """One entry of the list. The protocol knows only `id`; the rest is what various servers add."""

    id: str
    meta: _Meta | None = None
    max_model_len: int | None = None
    context_length: int | None = None
    context_window: int | None = None

    def info(self) -> ModelInfo:
        meta = self.meta or _Meta()
        context = meta.n_ctx or self.max_model_len or self.context_length or self.context_window
        return ModelInfo(id=self.id, context_length=context, size=meta.size)


class _List(ServerModel):
    data: list[_Listed]


def _few_logprobs(body: Body) -> Body | None:
    return body | {"top_logprobs": 5} if body.get("top_logprobs", 0) > 5 else None


def _completion_tokens(body: Body) -> Body | None:
    body = dict(body)
    return (
        body | {"max_completion_tokens": body.pop("max_tokens")} if "max_tokens" in body else None
    )


def _lenient_schema(body: Body) -> Body | None:
    format_ = body.get("response_format", {})
    if not format_.get("json_schema", {}).get("strict"):
        return None
    return body | {
        "response_format": format_ | {"json_schema": format_["json_schema"] | {"strict": False}}
    }


def _any_json(body: Body) -> Body | None:
    """Ask for some JSON object and put the schema into words, since the server does not hold the model to it."""
    format_ = body.get("response_format", {})
    if format_.get("type") != "json_schema":
        return None
    schema = json.dumps(format_["json_schema"]["schema"], ensure_ascii=False, separators=(",", ":"))
    told = {
        "role": "system",
        "content": f"Answer with one JSON object that fits this JSON schema: {schema}",
    }
    # First, because it is the same for every request of a kind and so keeps the server's prompt cache useful.
    return body | {
        "response_format": {"type": "json_object"},
        "messages": [told, *body["messages"]],
    }


CONCESSIONS = (
    Concession(("chat_template_kwargs",), without("chat_template_kwargs")),
    Concession(("top_logprobs",), _few_logprobs),
    Concession(("logprob",), without("logprobs", "top_logprobs")),
    Concession(("max_completion_tokens",), _completion_tokens),
    Concession(("temperature",), without("temperature")),
    Concession(("stream_options",), without("stream_options")),
    Concession(("invalid schema", "strict"), _lenient_schema),
    Concession(("response_format", "json_schema"), _any_json),
)
"""What servers are known to refuse, in the order in which it is left out."""
