"""The OpenAI chat protocol, as OpenAI, llama.cpp, vLLM, LM Studio and many others speak it."""

import re
from typing import TYPE_CHECKING, Annotated, Any, override

from pydantic import BeforeValidator, model_validator

from .base import Answer, HttpModelClient, Question, ServerModel
from .endpoint import Endpoint, Patience
from .errors import ModelMissingError, NotAModelServerError
from .flavours import OPENAI, Flavour
from .logprobs import TOP_LOGPROBS, read_logprobs
from .model_lists import Place, Properties, ask, read
from .models import Usage
from .refusals import Body, reported

if TYPE_CHECKING:
    import aiohttp

    from .models import JsonSchema, ModelInfo

_SCHEMA_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class OpenAIClient(HttpModelClient):
    """A model behind a server of the OpenAI protocol, of any of its kinds."""

    chat_path = "/chat/completions"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        flavour: Flavour = OPENAI,
        api_key: str | None = None,
        model: str = "",
    ) -> None:
        """Talk to `model` at `url`, which is given in any form people type it.

        `flavour` is the kind of server. Raises `InvalidUrlError` or `AuthenticationError` for what
        cannot be an address or a key.
        """
        base = flavour.base_url(url)
        super().__init__(
            Endpoint(session, base, api_key, headers=flavour.headers),
            model.removeprefix(flavour.model_prefix),
            flavour.concessions,
        )
        self.provider = flavour.name
        self._flavour = flavour
        self._places = {
            place: Endpoint(
                session,
                place.base(base),
                api_key,
                key_header=place.key_header,
                headers=flavour.headers,
            )
            for place in flavour.places
        }

    @override
    async def list_models(self, *, timeout: float = 10.0) -> list[ModelInfo]:
        return await self._models(Patience(timeout))

    @override
    async def describe(self, *, timeout: float = 10.0) -> ModelInfo:
        """Describe this client's model from the server's list, or from what else it says of itself."""
        patience = Patience(timeout)
        info = next((one for one in await self._models(patience) if one.id == self.model), None)
        if info is None:
            raise ModelMissingError
        where = self._flavour.properties
        if info.context_length or where is None:
            return info
        try:
            told = await read(Properties, self._places[where], where.path, patience)
        except NotAModelServerError:
            return info
        return info.model_copy(update={"context_length": told.context_length})

    async def _models(self, patience: Patience) -> list[ModelInfo]:
        """Prove the key where lists do not, and return the list that tells most."""
        if (proof := self._flavour.key_proof) is not None:
            await self._prove_key(proof, patience)
        *others, last = self._flavour.lists
        for listing in others:
            place = listing.place
            try:
                listed = await read(listing.shape, self._places[place], place.path, patience)
            except NotAModelServerError:
                # Older ones, and what stands before some, do not have it.
                continue
            return self._plain(listed.infos())
        listed = await read(last.shape, self._places[last.place], last.place.path, patience)
        return self._plain(listed.infos())

    async def _prove_key(self, proof: Place, patience: Patience) -> None:
        try:
            await ask(self._places[proof], proof.path, patience)
        except NotAModelServerError:
            # Nothing is proved by that: whether it is such a server is for the list to tell.
            return

    def _plain(self, infos: list[ModelInfo]) -> list[ModelInfo]:
        """Call models by the names with which they are asked."""
        prefix = self._flavour.model_prefix
        return [info.model_copy(update={"id": info.id.removeprefix(prefix)}) for info in infos]

    @override
    def _body(self, question: Question) -> Body:
        body: Body = {
            "model": self.model,
            "messages": [message.model_dump() for message in question.messages],
            "stream": question.stream,
            # Servers that do not know it are asked without it.
            **self._flavour.unthinking,
        }
        if question.temperature is not None:
            body["temperature"] = question.temperature
        if question.max_tokens is not None:
            body["max_tokens"] = question.max_tokens
        if question.stream:
            body["stream_options"] = {"include_usage": True}
        if question.logprobs:
            body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if question.schema is not None:
            name = _schema_name(question.schema) or question.schema_name
            named = {"name": name, "strict": True, "schema": question.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
            body |= self._flavour.with_schema
        return body

    @override
    def _answer(self, body: bytes) -> Answer:
        reply = _Reply.model_validate_json(body)
        if reply.error:
            raise reported(reply.error)
        choice = reply.choices[0] if reply.choices else _Choice()
        choice.check()
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
        choice.check()
        return Answer(
            text=choice.delta.content or "",
            finish_reason=choice.finish_reason,
            usage=chunk.tokens(),
        )


def _schema_name(schema: JsonSchema) -> str | None:
    """Return the name a schema gives itself, where the protocol can carry it; None otherwise."""
    title = schema.get("title")
    return title if isinstance(title, str) and _SCHEMA_NAME.fullmatch(title) else None


def _joined(content: Any) -> Any:
    """Join the text parts of a content that comes in parts; others (thoughts, pictures) are not for saying."""
    if not isinstance(content, list):
        return content
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(str(part.get("text", "")) for part in parts)


class _Message(ServerModel):
    content: Annotated[str | None, BeforeValidator(_joined)] = None


class _Ended(ServerModel):
    finish_reason: str | None = None
    error: Any = None

    def check(self) -> None:
        """Raise the error with which a server behind the one we ask broke off."""
        if self.error or self.finish_reason == "error":
            raise reported(self.error)


class _Choice(_Ended):
    message: _Message = _Message()
    logprobs: dict[str, Any] | None = None


class _ChunkChoice(_Ended):
    delta: _Message = _Message()


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

    @model_validator(mode="before")
    @classmethod
    def _taken_out(cls, reply: Any) -> Any:
        """Take an error out of the list into which Gemini puts it."""
        wrapped = isinstance(reply, list) and len(reply) == 1 and isinstance(reply[0], dict)
        return reply[0] if wrapped and "error" in reply[0] else reply

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
