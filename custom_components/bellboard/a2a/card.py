"""Agent cards: where an agent is spoken to, in which version of the protocol, and with what for a token.

A card is text from the network. It is believed only as far as it stays at the origin (scheme, host and port) that it
was read from: what is said goes to no other unless an administrator agreed to it, and the token to none but that.
"""

from dataclasses import dataclass
import ipaddress
from typing import Annotated, Any, Self
from urllib.parse import urljoin, urlsplit, urlunsplit

from pydantic import Field, ValidationError

from ..llm.endpoint import BEARER_HEADER
from ..llm.errors import InvalidUrlError
from ..llm.url import normalise_url
from .errors import (
    InvalidAddressError,
    NoCardError,
    OtherOriginError,
    UnsupportedAgentError,
    UnsupportedTokenError,
)
from .models import MAX_LISTED, Listed, RemoteModel, parse_json
from .protocol import V1_0, Version, find_version

WELL_KNOWN = ("/.well-known/agent-card.json", "/.well-known/agent.json")
"""Where a card is found below an agent's address, the older place last."""

_JSON_RPC = "JSONRPC"
_KEY_HEADER = "X-API-Key"
_DEFAULT_PORTS = {"http": 80, "https": 443}


def card_addresses(typed: str) -> tuple[str, ...]:
    """Return the possible addresses of an agent's card, from typed text: `http://host:9999`, or the card's own address.

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


type _Named = Annotated[dict[str, Any], Field(max_length=MAX_LISTED)]


class Skill(RemoteModel):
    """Something that an agent can do, with sentences that ask for it."""

    name: str = ""
    description: str = ""
    examples: Listed[str] = Field(default_factory=list)


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
        """Return the header that a token is sent in, None where that is not how it is done.

        It is one of two, whatever a card asks for: any other may mean something to what is at its address.
        """
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
            is_known = where.lower() == "header" and name.lower() == _KEY_HEADER.lower()
            return _KEY_HEADER if is_known else None
        return None


class _Requirement(RemoteModel):
    """Schemes that are wanted together, as 1.0 writes them."""

    schemes: dict[str, Any] = Field(default_factory=dict, max_length=MAX_LISTED)


class _Extension(RemoteModel):
    """Extension of the protocol."""

    required: bool | None = False


class _Capabilities(RemoteModel):
    """What an agent can do beside answering."""

    extensions: Listed[_Extension] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Contact:
    """Contact data of an agent: its address, the protocol's version, and the header of a token.

    `tenant` goes with each request, "" for none. `needs_token` where nobody is answered without one. `other_origin`
    is that of the address where it is not the card's, "" where it is: no token is sent there.
    """

    url: str
    version: Version
    tenant: str
    key_header: str
    needs_token: bool
    other_origin: str = ""


class RemoteCard(RemoteModel):
    """An agent's card, as either version of the protocol writes it."""

    name: str = Field(min_length=1)
    description: str = ""
    skills: Listed[Skill] = Field(default_factory=list)
    url: str | None = None
    preferred_transport: str | None = None
    protocol_version: str | None = None
    additional_interfaces: Listed[_Interface] = Field(default_factory=list)
    supported_interfaces: Listed[_Interface] = Field(default_factory=list)
    security_schemes: dict[str, _Scheme] | None = Field(default=None, max_length=MAX_LISTED)
    security_requirements: list[_Requirement] | None = Field(default=None, max_length=MAX_LISTED)
    security: list[_Named] | None = Field(default=None, max_length=MAX_LISTED)
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

    def contact(self, card_url: str, agreed_origin: str = "") -> Contact:
        """Return how to speak to the agent, whose card was read from `card_url`.

        `agreed_origin` is that at which the agent may be although its card is not there, "" for none.

        Raises:
            UnsupportedAgentError: it speaks no version over JSON-RPC that is spoken here, or wants an
                extension or a proof that cannot be given.
            OtherOriginError: it is at another origin than its card, and not at the one that was agreed to.
        """
        if any(extension.required for extension in self.capabilities.extensions):
            raise UnsupportedAgentError("it requires an extension of the protocol")
        offers = [(version, each) for each in self._interfaces if (version := _version(each))]
        if not offers:
            raise UnsupportedAgentError("it does not speak A2A 0.3 or 1.0 over JSON-RPC")
        # The newest of both versions; among these the card's own order.
        version, chosen = next((o for o in offers if o[0] is V1_0), offers[0])
        key_header, needs_token = self._key_header()
        url = _address_in_card(chosen.url, card_url)
        origin = origin_of(url)
        if origin == origin_of(card_url):
            origin = ""
        elif needs_token:
            raise UnsupportedTokenError("it wants it at another address than its card's")
        elif origin != agreed_origin:
            raise OtherOriginError(origin)
        return Contact(url, version, chosen.tenant or "", key_header, needs_token, origin)

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
            UnsupportedTokenError: what is wanted is not a token alone, in one of the headers that are known.
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
            raise UnsupportedTokenError(
                f"it is sent as {BEARER_HEADER}: Bearer or {_KEY_HEADER} alone"
            )
        return (possible or [BEARER_HEADER])[0], not is_open


def _version(interface: _Interface) -> Version | None:
    """Return the version that an interface speaks over JSON-RPC, None for none that is spoken here."""
    binding = interface.protocol_binding or interface.transport or ""
    return find_version(interface.protocol_version) if binding.upper() == _JSON_RPC else None


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address; the port only where it is not the scheme's own."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    where = f"[{host}]" if ":" in host else host
    is_default = port in {None, _DEFAULT_PORTS.get(parts.scheme)}
    return f"{parts.scheme}://{where}" + ("" if is_default else f":{port}")


def _address_in_card(url: str, card_url: str) -> str:
    """Return the address that a card names.

    "localhost" and the like in the card of another host mean that host: a server often does not know its own name.

    Raises:
        UnsupportedAgentError: it is without https where the card had it, or no address.
    """
    try:
        found, card = urlsplit(urljoin(card_url, url)), urlsplit(card_url)
        host, port = found.hostname or "", found.port
    except ValueError:
        wrong = UnsupportedAgentError("its card holds no address")
    else:
        schemes = {"https", card.scheme}
        has_user = found.username is not None or found.password is not None
        if found.scheme in schemes and host and not has_user:
            at = card.hostname or "" if _is_this_host(host) else host
            where = f"[{at}]" if ":" in at else at
            return urlunsplit(
                found._replace(netloc=f"{where}:{port}" if port else where, fragment="")
            )
        wrong = UnsupportedAgentError("its card leads to no address that is as safe as its own")
    raise wrong


def _is_this_host(host: str) -> bool:
    """Return whether a name or number means the machine that wrote it."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
