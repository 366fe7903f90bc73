"""Model lists of servers of the OpenAI protocol: the common shape with what servers add, and Gemini's."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, override

from pydantic import BeforeValidator

from .base import Models, ServerModel
from .endpoint import BEARER_HEADER

# Types of models that generate no text.
_NOT_GENERATING = frozenset({"embedding", "embeddings", "rerank", "reranker"})
_LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class InfoPath:
    """A path with information about the server.

    It follows the server's address without `replaces` at its end. The key goes into `key_header`.
    """

    path: str
    replaces: str = ""
    key_header: str = BEARER_HEADER

    def base(self, base_url: str) -> str:
        """Return the address that `path` follows, for a server at `base_url`."""
        return base_url.removesuffix(self.replaces)


class ModelList(ServerModel, ABC):
    """A server's list of its models."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of the models that can chat, those that are loaded first."""

    def sizes(self) -> dict[str, float]:
        """Return the parameters of models in billions, by name, of those of which they are told."""
        return {}


def _words(value: Any) -> Any:
    """Return the words of a list; other shapes, which servers have under the same name, as no words."""
    return tuple(word for word in value if isinstance(word, str)) if isinstance(value, list) else ()


def _word(value: Any) -> Any:
    return value if isinstance(value, str) else None


def _count(value: Any) -> Any:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _known(value: Any) -> Any:
    return value if isinstance(value, dict) else None


type _Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
type _Word = Annotated[str | None, BeforeValidator(_word)]


class _Architecture(ServerModel):
    output_modalities: _Words = ()


class _Meta(ServerModel):
    n_params: Annotated[int | None, BeforeValidator(_count)] = None


class _Listed(ServerModel):
    """One entry of the list. The protocol has only `id`; the rest is what various servers add."""

    id: str
    type: _Word = None
    state: _Word = None
    capabilities: _Words = ()
    meta: Annotated[_Meta | None, BeforeValidator(_known)] = None
    architecture: Annotated[_Architecture | None, BeforeValidator(_known)] = None

    @property
    def can_generate(self) -> bool:
        """Return whether nothing says that the model generates no text."""
        modalities = self.architecture.output_modalities if self.architecture else ()
        return self.type not in _NOT_GENERATING and (not modalities or "text" in modalities)

    @property
    def can_chat(self) -> bool:
        """Return whether the model's capabilities name the chat, or none are told."""
        return not self.capabilities or any("chat" in word.lower() for word in self.capabilities)


class OpenAIModels(ModelList):
    """The protocol's list, with what various servers add to it."""

    data: Models[_Listed]

    @override
    def names(self) -> list[str]:
        offered = [model for model in self.data if self._is_offered(model)]
        # One that is not loaded makes the first who asks it wait.
        offered.sort(key=lambda model: model.state not in (None, _LOADED))
        return [model.id for model in offered]

    @override
    def sizes(self) -> dict[str, float]:
        told = {model.id: model.meta.n_params for model in self.data if model.meta}
        return {name: parameters / 1e9 for name, parameters in told.items() if parameters}

    def _is_offered(self, model: _Listed) -> bool:
        return model.can_generate


class ChatModels(OpenAIModels):
    """A list of models for all purposes, with the capabilities of each."""

    @override
    def _is_offered(self, model: _Listed) -> bool:
        return model.can_generate and model.can_chat


class _Generating(ServerModel):
    name: str
    supportedGenerationMethods: _Words = ()  # noqa: N815 -- the name on the wire


class GeminiModels(ModelList):
    """Gemini's own list, with generation methods."""

    models: Models[_Generating]

    @override
    def names(self) -> list[str]:
        return [
            model.name
            for model in self.models
            if "generateContent" in model.supportedGenerationMethods
        ]


@dataclass(frozen=True, slots=True)
class ModelListSource:
    """A list of models: its path and its shape."""

    path: InfoPath = InfoPath("/models")
    shape: type[ModelList] = OpenAIModels
