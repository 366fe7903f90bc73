"""Base URLs of model servers, from what people type."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from .errors import InvalidUrlError

# What people copy from examples although it names one call and not the server.
_CALLS = re.compile(
    r"/(chat/completions|completions|models|embeddings|api/(chat|generate|tags|version|show))$",
    re.IGNORECASE,
)
_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_.])?", re.IGNORECASE)
_LOCAL_NAME = re.compile(
    r"(^|\.)(localhost|localdomain|local|lan|home|internal|intranet|fritz\.box|home\.arpa)\.?$",
    re.IGNORECASE,
)
_NOT_IN_URLS = re.compile(r"[\s\\\x00-\x1f\x7f]")
_API = re.compile(r"/(api|v1)$", re.IGNORECASE)
_VERSION = re.compile(r"/v\d\w*(/|$)", re.IGNORECASE)
_ROUTE = "/route"


def normalise_url(typed: str, *, default_port: int | None = None) -> str:
    """Return the server's base address without a trailing slash and without the path of a single call.

    `localhost:11434`, `http://host:8081/`, `https://host/v1/chat/completions` and `[::1]` are all
    understood. Without a scheme it is http, except for a public name without a port where no
    `default_port` is known: a key must not travel in the clear because somebody left out
    "https://". `default_port` is added only where neither scheme nor port is given.

    Raises `InvalidUrlError` for anything else, also for addresses that carry a user name, a query
    or a fragment.
    """
    text = typed.strip()
    if not text or _NOT_IN_URLS.search(text):
        raise InvalidUrlError("empty, or with a space in it")
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "", text
    elif scheme.lower() not in ("http", "https"):
        raise InvalidUrlError("only http and https are spoken")
    parts, host, port = _split(rest)
    if not scheme:
        port = port or default_port
        scheme = "https" if port is None and _is_public(host) else "http"
    where = f"[{host}]" if ":" in host else host
    path = _CALLS.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{scheme.lower()}://{where}{f':{port}' if port else ''}{path}"


def gatekeeper_address(typed: str) -> str:
    """Return the address at which a gatekeeper routes, from what people type: `http://host:8080`.

    Raises:
        InvalidUrlError: it is no address, or one with a user name, a query or a fragment.
    """
    text = typed.strip().rstrip("/")
    return normalise_url(text if text.endswith(_ROUTE) else f"{text}{_ROUTE}")


def with_version(base_url: str) -> str:
    """Add `/v1`, where the OpenAI protocol usually lives, unless the address already names a version."""
    return base_url if _VERSION.search(urlsplit(base_url).path) else f"{base_url}/v1"


def without_api(base_url: str) -> str:
    """Remove a trailing `/api` or `/v1`: both live directly under an Ollama server's address."""
    return _API.sub("", base_url)


def _split(rest: str) -> tuple[SplitResult, str, int | None]:
    """Take `host:port/path` apart and check each part; the host comes back in ASCII."""
    parts, host, port = _parse(rest)
    if parts.username is not None or parts.password is not None:
        raise InvalidUrlError("a user name or password does not belong in it")
    if parts.query or parts.fragment:
        raise InvalidUrlError("a query does not belong in it")
    # A host of "http" is a mistyped scheme: "http:/server" or "http//server".
    if port == 0 or host in ("http", "https") or not (_is_ip(host) or _is_name(host)):
        raise InvalidUrlError("host or port")
    return parts, host, port


def _parse(rest: str) -> tuple[SplitResult, str, int | None]:
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname or "", parts.port
        return parts, host if ":" in host else host.encode("idna").decode(), port
    except ValueError:
        wrong = InvalidUrlError("host or port")
    # Not chained: the original quotes what was typed, which may be a key in the wrong field.
    raise wrong


def _is_name(host: str) -> bool:
    return _HOST_NAME.fullmatch(host) is not None and ".." not in host


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_public(host: str) -> bool:
    """Tell whether a name looks like one of the public internet; addresses and single words are taken for local."""
    return "." in host and not _is_ip(host) and not _LOCAL_NAME.search(host)
