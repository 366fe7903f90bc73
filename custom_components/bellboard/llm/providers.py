"""The kinds of model server there are. A new one is a module beside this and a line in `PROVIDERS`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import ollama, openai

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import aiohttp

    from .client import ModelClient


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of model server.

    `default_url` is where it usually runs on the same machine. `base_url` turns what people type
    into the one form of an address that is kept, and raises `InvalidUrlError` where it cannot.
    `options` are the names of what its client takes beside address, key and model.
    """

    name: str
    title: str
    default_url: str
    base_url: Callable[[str], str]
    client: Callable[..., ModelClient]
    options: frozenset[str]


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "ollama",
            "Ollama",
            "http://localhost:11434",
            ollama.base_url,
            ollama.OllamaClient,
            frozenset({"keep_alive", "num_ctx", "top_logprobs"}),
        ),
        Provider(
            "openai",
            "OpenAI-compatible",
            "http://localhost:8080/v1",
            openai.base_url,
            openai.OpenAIClient,
            frozenset({"top_logprobs"}),
        ),
    )
}


def create_client(
    provider: str,
    session: aiohttp.ClientSession,
    *,
    url: str,
    api_key: str | None = None,
    model: str = "",
    **options: Any,
) -> ModelClient:
    """Make a client for `model` of the server at `url`; nothing is sent yet.

    Options that this provider does not have are ignored, so that one set of settings serves every provider.
    Raises `KeyError` for an unknown provider, `InvalidUrlError` for an address nobody can ask and
    `AuthenticationError` for a key no header can carry.
    """
    chosen = PROVIDERS[provider]
    known = {name: value for name, value in options.items() if name in chosen.options}
    return chosen.client(session, url, api_key=api_key, model=model, **known)
