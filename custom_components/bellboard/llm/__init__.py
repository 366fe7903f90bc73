"""The wire to a model: one port (`ModelClient`), one vocabulary, and a client for each kind of model server.

Nothing here knows of Home Assistant; it can be used on its own with an aiohttp session.
"""

from .client import ModelClient
from .errors import (
    AuthenticationError,
    BadOutputError,
    CircuitOpenError,
    InvalidUrlError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    NotAModelServerError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
    UnreachableError,
)
from .limits import LimitedClient, Limits
from .logprobs import choice_distribution
from .models import (
    Alternative,
    Completion,
    Delta,
    JsonSchema,
    Message,
    ModelInfo,
    TokenLogprob,
    Usage,
)
from .providers import PROVIDERS, Provider, create_client
from .url import normalise_url

__all__ = [
    "PROVIDERS",
    "Alternative",
    "AuthenticationError",
    "BadOutputError",
    "CircuitOpenError",
    "Completion",
    "Delta",
    "InvalidUrlError",
    "JsonSchema",
    "LimitedClient",
    "Limits",
    "Message",
    "ModelClient",
    "ModelError",
    "ModelInfo",
    "ModelMissingError",
    "ModelTimeoutError",
    "NotAModelServerError",
    "Provider",
    "RateLimitedError",
    "RequestRejectedError",
    "ServerFailedError",
    "TokenLogprob",
    "UnreachableError",
    "Usage",
    "choice_distribution",
    "create_client",
    "normalise_url",
]
