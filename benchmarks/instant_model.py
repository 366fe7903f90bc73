"""A model that answers at once: what is left of a turn's time is not the model's.

It stands in for the network alone. The client that asks it is the one that asks real servers, so
the writing of requests and the reading of answers are measured.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
import json
import random
from typing import Any, cast
from unittest.mock import patch

import aiohttp

type JsonSchema = Mapping[str, Any]

INSTANT_URL = "http://127.0.0.1:1/v1"
_OFFERED = ("instant",)
_ALTERNATIVES = 20


def simplest(schema: JsonSchema) -> Any:
    """Return the simplest value that fits one of the schemas our prompts come with."""
    if "anyOf" in schema:
        return simplest(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            properties: JsonSchema = schema.get("properties", {})
            return {name: simplest(each) for name, each in properties.items()}
        case "array":
            return [simplest(schema["items"])] * int(schema.get("minItems", 0))
        case "number" | "integer":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case _:
            return "a"


class _Content:
    """The body of a response, which is there as a whole."""

    def __init__(self, body: bytes) -> None:
        self._chunks = [body]

    async def readany(self) -> bytes:
        """Return what there is, then nothing."""
        return self._chunks.pop() if self._chunks else b""


@dataclass(slots=True)
class _Response:
    """A response with status 200."""

    content: _Content
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})

    def close(self) -> None:
        """Do nothing: there is no connection."""


class InstantSession:
    """Takes the place of an aiohttp session and answers in the OpenAI protocol.

    `bodies` holds all chat requests, as they would have gone over the wire. `most_seconds` is how
    long an answer may take; each takes a random part of it.
    """

    closed = False

    def __init__(self, most_seconds: float = 0.0) -> None:
        self.bodies: list[bytes] = []
        self.most_seconds = most_seconds
        self._random = random.Random(1)

    async def request(
        self, method: str, url: str, *, data: bytes | None = None, **_options: Any
    ) -> _Response:
        """Answer a request."""
        if self.most_seconds:
            await asyncio.sleep(self._random.uniform(0, self.most_seconds))
        if data is None:
            return _Response(_Content(json.dumps({"data": [{"id": n} for n in _OFFERED]}).encode()))
        self.bodies.append(data)
        return _Response(_Content(json.dumps(_completion(json.loads(data))).encode()))

    def bodies_for(self, schema_name: str) -> list[dict[str, Any]]:
        """Return the chat requests that came with a schema of this name."""
        found = [json.loads(body) for body in self.bodies]
        return [
            body
            for body in found
            if body.get("response_format", {}).get("json_schema", {}).get("name") == schema_name
        ]

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let connections that are set up meanwhile use this session."""
        session = cast("aiohttp.ClientSession", self)
        target = "custom_components.bellboard.connections.connection.async_get_clientsession"
        with patch(target, return_value=session):
            yield


def _completion(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a chat request."""
    wanted = body.get("response_format")
    text = (
        json.dumps(simplest(wanted["json_schema"]["schema"]), separators=(",", ":"))
        if wanted
        else "Certainly."
    )
    choice: dict[str, Any] = {
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
    }
    if body.get("logprobs"):
        choice["logprobs"] = {"content": [_token(text[i : i + 3]) for i in range(0, len(text), 3)]}
    return {
        "model": body["model"],
        "choices": [choice],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0},
    }


def _token(text: str) -> dict[str, Any]:
    """Return a token the model was sure of, with as many alternatives as real servers list."""
    others = [{"token": f"other{n}", "logprob": -9.0 - n} for n in range(_ALTERNATIVES - 1)]
    likeliest = {"token": text, "logprob": -0.01}
    return {**likeliest, "top_logprobs": [likeliest, *others]}
