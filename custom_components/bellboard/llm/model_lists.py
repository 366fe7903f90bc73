"""How servers of the OpenAI protocol list their models: one shape for what they add to it, and Gemini's own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, override

from pydantic import BeforeValidator, ValidationError

from .base import ServerModel
from .endpoint import BEARER_HEADER
from .errors import BadOutputError, NotAModelServerError
from .models import ModelInfo
from .refusals import failure

if TYPE_CHECKING:
    from .endpoint import Endpoint, Patience, Reply

_SILENT = frozenset({"embedding", "embeddings", "rerank", "reranker"})
"""Types of models that write nothing."""
_LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server tells something beside the chat.

    `path` follows the server's address without `instead_of` at its end. The key goes into
    `key_header`.
    """

    path: str
    instead_of: str = ""
    key_header: str = BEARER_HEADER

    def base(self, base_url: str) -> str:
        """Return the address that `path` follows, for a server at `base_url`."""
        return base_url.removesuffix(self.instead_of)


class ModelList(ServerModel, ABC):
    """What a server says of its models."""

    @abstractmethod
    def infos(self) -> list[ModelInfo]:
        """Describe those that can talk, those that are loaded first."""


def _words(value: Any) -> Any:
    """Take a list of words; servers have other things under the same names, which say nothing here."""
    return tuple(word for word in value if isinstance(word, str)) if isinstance(value, list) else ()


def _word(value: Any) -> Any:
    return value if isinstance(value, str) else None


def _known(value: Any) -> Any:
    return value if isinstance(value, dict) else None


type _Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
type _Word = Annotated[str | None, BeforeValidator(_word)]


class _Meta(ServerModel):
    n_ctx: int | None = None


class _Architecture(ServerModel):
    output_modalities: _Words = ()


class _Listed(ServerModel):
    """One entry of the list. The protocol knows only `id`; the rest is what various servers add."""

    id: str
    meta: _Meta | None = None
    loaded_context_length: int | None = None
    max_model_len: int | None = None
    context_length: int | None = None
    context_window: int | None = None
    context_size: int | None = None
    max_context_length: int | None = None
    type: _Word = None
    state: _Word = None
    capabilities: _Words = ()
    supported_parameters: _Words = ()
    architecture: Annotated[_Architecture | None, BeforeValidator(_known)] = None

    @property
    def writes(self) -> bool:
        """Tell whether nothing speaks against it."""
        modalities = self.architecture.output_modalities if self.architecture else ()
        return self.type not in _SILENT and (not modalities or "text" in modalities)

    def info(self) -> ModelInfo:
        meta = self.meta or _Meta()
        lengths = (
            meta.n_ctx,
            self.loaded_context_length,
            self.max_model_len,
            self.context_length,
            self.context_window,
            self.context_size,
            self.max_context_length,
        )
        return ModelInfo(
            id=self.id,
            context_length=next(filter(None, lengths), None),
            capabilities=self.capabilities or self.supported_parameters,
        )


class ListedModels(ModelList):
    """The protocol's list, with what various servers add to it."""

    data: list[_Listed]

    @override
    def infos(self) -> list[ModelInfo]:
        writing = [model for model in self.data if model.writes]
        # One that is not loaded makes the first who asks it wait.
        return [
            model.info()
            for model in sorted(writing, key=lambda one: one.state not in (None, _LOADED))
        ]


class TalkingModels(ListedModels):
    """A list of models for all purposes, which says of each what it is for."""

    @override
    def infos(self) -> list[ModelInfo]:
        return [
            info
            for info in super().infos()
            if not info.capabilities or any("chat" in word.lower() for word in info.capabilities)
        ]


class _Generating(ServerModel):
    name: str
    inputTokenLimit: int | None = None  # noqa: N815 -- the name on the wire
    supportedGenerationMethods: _Words = ()  # noqa: N815 -- the name on the wire


class GeminiModels(ModelList):
    """Gemini's own list, which knows what a model is for and how much it reads."""

    models: list[_Generating]

    @override
    def infos(self) -> list[ModelInfo]:
        return [
            ModelInfo(id=model.name, context_length=model.inputTokenLimit)
            for model in self.models
            if "generateContent" in model.supportedGenerationMethods
        ]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of models: where it is and how it is read."""

    place: Place = Place("/models")
    shape: type[ModelList] = ListedModels


class _Settings(ServerModel):
    n_ctx: int | None = None


class Properties(ServerModel):
    """What a llama.cpp server says of itself."""

    default_generation_settings: _Settings | None = None

    @property
    def context_length(self) -> int | None:
        """Tokens that one conversation may have."""
        settings = self.default_generation_settings
        return settings.n_ctx if settings else None


async def ask(endpoint: Endpoint, path: str, patience: Patience) -> Reply:
    """Ask a server about itself, and return what it says of a good day.

    Raises `NotAModelServerError` where nothing such is told, and the `ModelError` of any other
    failure.
    """
    try:
        async with endpoint.open("GET", path, None, patience) as response:
            reply = await response.read()
    except BadOutputError:
        # Longer than any list of models is.
        reply = None
    if reply is None or reply.is_page or reply.status == 404:
        raise NotAModelServerError("it answers something else")
    if reply.status != 200:
        raise failure(reply)
    return reply


async def read[T: ServerModel](
    shape: type[T], endpoint: Endpoint, path: str, patience: Patience
) -> T:
    """Ask a server about itself and read what it says; raises like `ask`, also for any other shape."""
    reply = await ask(endpoint, path, patience)
    try:
        return shape.model_validate_json(reply.body)
    except ValidationError:
        wrong = NotAModelServerError("it answers something else")
    # Not chained: a validation error quotes what it refuses.
    raise wrong
