"""A real model behind a stand-in's protocol: requests go on to an OpenAI-compatible server."""

from dataclasses import dataclass, field
import json
import math
from typing import TYPE_CHECKING, Any

import aiohttp

from .faults import OK, Fault
from .scripted import Ask, Counts, Piece, Token

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence


@dataclass
class Upstream:
    """A model served at `url` (as in "http://127.0.0.1:8090"), by whatever name in `names` it is asked for.

    `requests` holds every chat request in order; `fault` may be changed at any time.
    """

    url: str
    names: Sequence[str] = ("smollm2:135m",)
    key: str | None = None
    refuses: frozenset[str] = frozenset()
    fault: Fault = OK
    requests: list[Ask] = field(default_factory=list)
    attempts: int = 0
    waiting: int = 0
    most_waiting: int = 0

    async def pieces(self, ask: Ask) -> AsyncGenerator[Piece]:
        """Hand the request on and the answer back, piece by piece."""
        self.requests.append(ask)
        finish_reason = "stop"
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.url}/v1/chat/completions", json=_request(ask)) as response,
        ):
            response.raise_for_status()
            async for line in response.content:
                data = line.removeprefix(b"data:").strip()
                if not line.startswith(b"data:") or data == b"[DONE]":
                    continue
                event = json.loads(data)
                for choice in event["choices"]:
                    finish_reason = choice["finish_reason"] or finish_reason
                    text = choice["delta"].get("content") or ""
                    tokens = _tokens(choice.get("logprobs"))
                    if text or tokens:
                        yield Piece(text=text, tokens=tokens)
                if usage := event.get("usage"):
                    details = usage.get("prompt_tokens_details") or {}
                    counts = Counts(
                        usage["prompt_tokens"],
                        details.get("cached_tokens") or 0,
                        usage["completion_tokens"],
                    )
                    yield Piece(finish_reason=finish_reason, counts=counts)


def _request(ask: Ask) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [message._asdict() for message in ask.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if ask.temperature is not None:
        body["temperature"] = ask.temperature
    if ask.max_tokens is not None:
        body["max_tokens"] = ask.max_tokens
    if ask.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": ask.logprobs}
    if ask.schema is not None:
        schema = {"name": "format", "strict": True, "schema": ask.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _tokens(logprobs: Mapping[str, Any] | None) -> tuple[Token, ...]:
    return tuple(_token(item) for item in (logprobs or {}).get("content") or ())


def _token(item: Mapping[str, Any]) -> Token:
    others = [_token(other) for other in item.get("top_logprobs") or ()]
    return Token(item["token"], math.exp(item["logprob"]), others, bytes(item["bytes"]))
