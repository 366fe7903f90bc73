"""Agent cards: where an agent is spoken to, in which version of the protocol, and with what for a token.

A card is text from the network. It is believed only as far as it stays at the host it was read from:
what is said, and the token, go nowhere else.
"""

from dataclasses import dataclass
import ipaddress
import re
from typing import Annotated, Any, Self
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from pydantic import BeforeValidator, Field, ValidationError

from ..llm.endpoint import BEARER_HEADER
from ..llm.errors import InvalidUrlError
from ..llm.url import normalise_url
from .errors import InvalidAddressError, NoCardError, UnsupportedAgentError
from .models import RemoteModel, parse_json, read_list
from .protocol import V1_0, Version, find_version

WELL_KNOWN = ("/.well-known/agent-card.json", "/.well-known/agent.json")
"""Where a card is found below an agent's address, the older place last."""

_JSON_RPC = "JSONRPC"
_HEADER_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# Headers that carry the connection and not who asks.
_NOT_FOR_KEYS = frozenset(
    {"accept", "connection", "content-length", "content-type", "cookie", "expect", "host", "te",
     "trailer", "transfer-encoding", "upgrade", "a2a-version"}
)  # fmt: skip


def card_addresses(typed: str) -> tuple[str, ...]:
    """Return where an agent's card may be, from what people type: `http://host:9999`, or the card's own address.

    Raises:
        InvalidAddressError: it is no address, or one with a user name, a query or a fragment.
    """
    text = typed.strip().rstrip("/")
    try:
        if text.lower().endswith(".json"):
            return (normalise_url(text),)
        return tuple(normalise_url(f"{text}{path}") for path in WELL_KNOWN)
    except InvalidUrlError:
        wrong = InvalidAddressError()
    # Not chained: who reads it needs to know nothing of model servers.
    raise wrong


class Skill(RemoteModel):
    """Something that an agent can do, with sentences that ask for it."""

    name: str = ""
    description: str = ""
    examples: Annotated[list[str], BeforeValidator(read_list)] = Field(default_factory=list)


class _Interface(RemoteModel):
    """Address of an agent with its transport: 1.0 calls it a binding, and names a version for each."""

    url: str
    protocol_binding: str | None = None
    transport: str | None = None
    protocol_version: str | None = None
    tenant: str | None = None


class _ApiKey(RemoteModel):
    """Scheme of a key in a header of its own."""

    name: str = ""
    location: str = ""


class _Http(RemoteModel):
    """Scheme of HTTP's own header."""

    scheme: str = ""


class _Scheme(RemoteModel):
    """How an agent wants to know who asks: 1.0 has a field for each type, 0.3 one that names it."""

    api_key_security_scheme: _ApiKey | None = None
    http_auth_security_scheme: _Http | None = None
    oauth2_security_scheme: Any = None
    open_id_connect_security_scheme: Any = None
    type: str = ""
    scheme: str = ""
    name: str = ""
    in_: str = Field(default="", alias="in")

    @property
    def key_header(self) -> str | None:
        """Return the header that a token is sent in, None where that is not how it is done."""
        if (
            self.oauth2_security_scheme is not None
            or self.open_id_connect_security_scheme is not None
        ):
            return BEARER_HEADER
        if self.type in {"oauth2", "openIdConnect"}:
            return BEARER_HEADER
        if (http := self.http_auth_security_scheme) or self.type == "http":
            name = http.scheme if http else self.scheme
            return BEARER_HEADER if name.lower() == "bearer" else None
        if (key := self.api_key_security_scheme) or self.type == "apiKey":
            where, name = (key.location, key.name) if key else (self.in_, self.name)
            is_header = where.lower() == "header" and _HEADER_NAME.fullmatch(name)
            return name if is_header and name.lower() not in _NOT_FOR_KEYS else None
        return None


class _Requirement(RemoteModel):
    """Schemes that are wanted together, as 1.0 writes them."""

    schemes: dict[str, Any] = Field(default_factory=dict)


class _Extension(RemoteModel):
    """Extension of the protocol."""

    required: bool | None = False


class _Capabilities(RemoteModel):
    """What an agent can do beside answering."""

    extensions: Annotated[list[_Extension], BeforeValidator(read_list)] = Field(
        default_factory=list
    )


@dataclass(frozen=True, slots=True)
class Contact:
    """How to speak to an agent: its address, the protocol's version, and the header of a token.

    `tenant` goes with each request, "" for none. `needs_token` where nobody is answered without one.
    """

    url: str
    version: Version
    tenant: str
    key_header: str
    needs_token: bool


class RemoteCard(RemoteModel):
    """An agent's card, as either version of the protocol writes it."""

    name: str = Field(min_length=1)
    description: str = ""
    skills: Annotated[list[Skill], BeforeValidator(read_list)] = Field(default_factory=list)
    url: str | None = None
    preferred_transport: str | None = None
    protocol_version: str | None = None
    additional_interfaces: Annotated[list[_Interface], BeforeValidator(read_list)] = Field(
        default_factory=list
    )
    supported_interfaces: Annotated[list[_Interface], BeforeValidator(read_list)] = Field(
        default_factory=list
    )
    security_schemes: dict[str, _Scheme] | None = None
    security_requirements: list[_Requirement] | None = None
    security: list[dict[str, Any]] | None = None
    capabilities: _Capabilities = Field(default_factory=_Capabilities)

    @classmethod
    def read(cls, body: bytes) -> Self:
        """Return the card in a body.

        Raises:
            BadReplyError: it is not JSON.
            NoCardError: it is no card.
        """
        found = parse_json(body)
        try:
            return cls.model_validate(found)
        except ValidationError:
            wrong = NoCardError("what is there is no card")
        # Not chained: a validation error quotes what it refuses.
        raise wrong

    @property
    def examples(self) -> tuple[str, ...]:
        """Return sentences that the agent is for, as its skills name them."""
        return tuple(dict.fromkeys(text for skill in self.skills for text in skill.examples))

    def contact(self, card_url: str) -> Contact:
        """Return how to speak to the agent, whose card was read from `card_url`.

        Raises:
            UnsupportedAgentError: it speaks no version over JSON-RPC that is spoken here, sits at
                another host than its card, or wants an extension or a proof that cannot be given.
        """
        if any(extension.required for extension in self.capabilities.extensions):
            raise UnsupportedAgentError("it requires an extension of the protocol")
        offers = [(version, each) for each in self._interfaces if (version := _version(each))]
        if not offers:
            raise UnsupportedAgentError("it does not speak A2A 0.3 or 1.0 over JSON-RPC")
        # The newest of both versions; among these the card's own order.
        version, chosen = next((o for o in offers if o[0] is V1_0), offers[0])
        key_header, needs_token = self._key_header()
        url = _address_at_host(chosen.url, card_url)
        return Contact(url, version, chosen.tenant or "", key_header, needs_token)

    @property
    def _interfaces(self) -> list[_Interface]:
        """Return the agent's addresses; those of 0.3 have the card's own version."""
        found = list(self.supported_interfaces)
        if self.url and not found:
            transport = self.preferred_transport or _JSON_RPC
            own = _Interface(url=self.url, transport=transport)
            found = [
                each.model_copy(update={"protocol_version": self.protocol_version})
                for each in (own, *self.additional_interfaces)
            ]
        return found

    def _key_header(self) -> tuple[str, bool]:
        """Return the header of a token, and whether one is needed.

        Raises:
            UnsupportedAgentError: what is wanted is not a token alone.
        """
        if self.security_requirements is not None:
            wanted = [tuple(each.schemes) for each in self.security_requirements]
        else:
            wanted = [tuple(each) for each in self.security or ()]
        if not wanted:
            return BEARER_HEADER, False
        schemes = self.security_schemes or {}
        possible = [
            header
            for names in wanted
            if len(names) == 1 and names[0] in schemes and (header := schemes[names[0]].key_header)
        ]
        is_open = () in wanted
        if not possible and not is_open:
            raise UnsupportedAgentError("it wants another proof of who asks than a token")
        return (possible or [BEARER_HEADER])[0], not is_open


def _version(interface: _Interface) -> Version | None:
    """Return the version that an interface speaks over JSON-RPC, None for none that is spoken here."""
    binding = interface.protocol_binding or interface.transport or ""
    return find_version(interface.protocol_version) if binding.upper() == _JSON_RPC else None


def _address_at_host(url: str, card_url: str) -> str:
    """Return the address in a card, at the host of the card.

    "localhost" and the like in the card of another host mean that host: a server often does not know its own name.

    Raises:
        UnsupportedAgentError: it is at another host, without https where the card had it, or no address.
    """
    try:
        found, card = urlsplit(urljoin(card_url, url)), urlsplit(card_url)
        host, port = found.hostname or "", found.port
    except ValueError:
        wrong = UnsupportedAgentError("its card holds no address")
    else:
        schemes = {"https", card.scheme}
        has_user = found.username is not None or found.password is not None
        is_there = host == card.hostname or _is_this_host(host)
        if found.scheme in schemes and is_there and not has_user:
            return urlunsplit(_at(found, card, port))
        wrong = UnsupportedAgentError("its card leads to another host")
    raise wrong


def _at(found: SplitResult, card: SplitResult, port: int | None) -> SplitResult:
    """Return an address with a card's host."""
    host = card.hostname or ""
    where = f"[{host}]" if ":" in host else host
    return found._replace(netloc=f"{where}:{port}" if port else where, fragment="")


def _is_this_host(host: str) -> bool:
    """Return whether a name or number means the machine that wrote it."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
