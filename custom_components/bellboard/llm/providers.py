"""The model providers.

A new one of the OpenAI protocol is a row of `FLAVOURS`, any other a module beside this and its line in
`PROVIDERS`.
"""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from . import anthropic, ollama
from .flavours import FLAVOURS, Flavour
from .openai import OpenAIClient

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import aiohttp

    from .client import ModelClient


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of model server, and how a client for it is made.

    `default_url` is its usual address: on the same machine, or the public one. `base_url` normalises
    what people type and raises `InvalidUrlError`. `options` are the names of its client's arguments
    beside address, key and model. `asks_for_url`: its address differs from house to house. `example`
    is an address to show where it is not derived from `default_url`.
    """

    name: str
    title: str
    default_url: str
    base_url: Callable[[str], str]
    client: Callable[..., ModelClient]
    options: frozenset[str] = frozenset()
    needs_key: bool = False
    asks_for_url: bool = True
    example: str = ""

    @property
    def example_url(self) -> str:
        """Return an example address, mostly of another machine."""
        return self.example or self.default_url.replace("localhost", "192.168.1.5")


def _openai_like(flavour: Flavour) -> Provider:
    """Return the provider of a flavour."""
    return Provider(
        flavour.name,
        flavour.title,
        flavour.default_url,
        flavour.base_url,
        partial(OpenAIClient, flavour=flavour),
        needs_key=flavour.is_remote,
        asks_for_url=not flavour.is_remote,
        example=flavour.example,
    )


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "ollama",
            "Ollama",
            "http://localhost:11434",
            ollama.base_url,
            ollama.OllamaClient,
            options=frozenset({"keep_alive", "num_ctx"}),
        ),
        *(_openai_like(flavour) for flavour in FLAVOURS.values() if not flavour.is_remote),
        Provider(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            anthropic.base_url,
            anthropic.AnthropicClient,
            needs_key=True,
            asks_for_url=False,
        ),
        *(_openai_like(flavour) for flavour in FLAVOURS.values() if flavour.is_remote),
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
    """Return a client for `model` of the server at `url`; nothing is sent yet.

    Options that this provider does not have are ignored, so that one set of settings serves every provider.
    Raises `KeyError` for an unknown provider, `InvalidUrlError` for an address nobody can ask and
    `AuthenticationError` for a key no header can carry.
    """
    chosen = PROVIDERS[provider]
    known = {name: value for name, value in options.items() if name in chosen.options}
    return chosen.client(session, url, api_key=api_key, model=model, **known)
