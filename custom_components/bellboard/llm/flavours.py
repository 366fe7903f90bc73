"""The kinds of server that speak the OpenAI chat protocol, and what each does differently, as data."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .concessions import (
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
from .model_lists import GeminiModels, Listing, Place, TalkingModels
from .url import normalise_url, with_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .refusals import Concession

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_TEMPLATE_WITHOUT_THOUGHTS: Mapping[str, Any] = MappingProxyType(
    # llama.cpp and vLLM hand this to the model's chat template: without it a reasoning model thinks for a minute
    # before it switches a lamp.
    {"chat_template_kwargs": {"enable_thinking": False}}
)
_EFFORTLESS: Mapping[str, Any] = MappingProxyType({"reasoning_effort": "none"})
_COMMON = FIELDS + SCHEMA


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavour:
    """A kind of server of the OpenAI protocol.

    - `path`: where the protocol lives on it; `strange_paths` end addresses of other protocols that
      it speaks, too, and which people may type.
    - `headers`: sent with every request.
    - `unthinking`: fields that keep a model from thinking before it answers.
    - `with_schema`: fields that go along with an answer's schema.
    - `concessions`: what it is known to refuse, in the order in which that is left out.
    - `lists`: where it lists its models, the one that tells most first.
    - `key_proof`: where it accepts nothing but a right key, where its lists are for everybody.
    - `properties`: where it tells the length of the context, where its list does not.
    - `model_prefix`: what its lists put before the names of models.
    """

    name: str
    path: str = "/v1"
    strange_paths: tuple[str, ...] = ()
    headers: Mapping[str, str] = _NOTHING
    unthinking: Mapping[str, Any] = _TEMPLATE_WITHOUT_THOUGHTS
    with_schema: Mapping[str, Any] = _NOTHING
    concessions: tuple[Concession, ...] = _COMMON
    lists: tuple[Listing, ...] = (Listing(),)
    key_proof: Place | None = None
    properties: Place | None = None
    model_prefix: str = ""

    def base_url(self, typed: str) -> str:
        """Return the address of such a server, from what people type; raises `InvalidUrlError`."""
        url = normalise_url(typed)
        for strange in self.strange_paths:
            url = url.removesuffix(strange)
        typed_path = urlsplit(url).path
        if f"{self.path}/".startswith(f"{typed_path}/"):
            return url.removesuffix(typed_path) + self.path
        return with_version(url)

    @property
    def places(self) -> frozenset[Place]:
        """All places beside the chat where such a server is asked."""
        others = {place for place in (self.key_proof, self.properties) if place is not None}
        return frozenset({listing.place for listing in self.lists} | others)


_PROPERTIES = Place("/props", instead_of="/v1")

FLAVOURS: Mapping[str, Flavour] = {
    flavour.name: flavour
    for flavour in (
        Flavour(name="openai"),
        Flavour(
            name="lmstudio",
            strange_paths=("/api/v0", "/api/v1"),
            unthinking=_EFFORTLESS,
            concessions=NO_EFFORT + FIELDS + SCHEMA[:1] + TEXT_SCHEMA,
            # Only its own list knows how much a model reads, and which ones write nothing.
            lists=(Listing(Place("/api/v0/models", instead_of="/v1")), Listing()),
        ),
        Flavour(
            name="llamacpp",
            concessions=FIELDS + SCHEMA[:1] + LLAMACPP_SCHEMA + SCHEMA[1:],
            # Its older builds list their models to everybody.
            key_proof=_PROPERTIES,
            properties=_PROPERTIES,
        ),
        Flavour(name="vllm", concessions=FIELDS + SCHEMA[:1] + VLLM_SCHEMA + SCHEMA[1:]),
        Flavour(
            name="localai",
            # Its releases read one or the other.
            unthinking={**_EFFORTLESS, "metadata": {"enable_thinking": "false"}},
            concessions=NO_EFFORT + _COMMON,
            # Only this list knows which models talk; it has some for every purpose.
            lists=(Listing(Place("/models/capabilities"), TalkingModels), Listing()),
        ),
        Flavour(
            name="openrouter",
            path="/api/v1",
            headers={
                "HTTP-Referer": "https://github.com/bellboard-home/bellboard",
                "X-Title": "Bellboard",
            },
            unthinking={"reasoning": {"enabled": False}},
            # Without it, a server that knows no schema answers as it likes.
            with_schema={"provider": {"require_parameters": True}},
            concessions=ROUTED + _COMMON,
            key_proof=Place("/key"),
        ),
        Flavour(
            name="gemini",
            path="/v1beta/openai",
            # It refuses every field that it does not know.
            unthinking=_EFFORTLESS,
            concessions=EFFORT + CLOSED_SCHEMA + _COMMON,
            lists=(
                Listing(
                    Place(
                        "/models?pageSize=1000", instead_of="/openai", key_header="x-goog-api-key"
                    ),
                    GeminiModels,
                ),
                Listing(),
            ),
            model_prefix="models/",
        ),
    )
}
"""The kinds of server there are, by name."""

OPENAI = FLAVOURS["openai"]
"""OpenAI itself, and any server that is like it."""
