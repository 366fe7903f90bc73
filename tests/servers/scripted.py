"""A model whose answers are written down by the test, with everything a real one measures."""

import asyncio
from dataclasses import dataclass, field
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .faults import OK, SENTENCE, Fault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence

type JsonSchema = dict[str, Any]

# Cuts text as models do: a quote takes the punctuation around it along, words come in pieces.
_TOKEN = re.compile(r'":\s?"|\s?"[,:}]?|\w{1,4}|\s+|.', re.DOTALL)
_IDLE = {"The": 0.06, "turn": 0.04}
"""What a model would also have liked to write anywhere, as raw log-probabilities show it."""


class Message(NamedTuple):
    """A message as the server received it."""

    role: str
    content: str


class Token(NamedTuple):
    """A written token, its probability, and the likeliest tokens at its place.

    `raw` are its bytes where `text` cannot show them, because it ends inside a character.
    """

    text: str
    probability: float
    likeliest: Sequence[Token] = ()
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens of one call; `cached` of `prompt` were the same as at the beginning of the call before."""

    prompt: int
    cached: int
    completion: int


class Call(NamedTuple):
    """A tool that the model wants called, with its arguments, or with a text `written` in place of their JSON."""

    name: str
    arguments: Mapping[str, Any]
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Calls:
    """An answer that asks for tools, with a text beside."""

    calls: tuple[Call, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an answer; the last one has a `finish_reason` and the `counts`."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    tokens: tuple[Token, ...] = ()
    finish_reason: str | None = None
    counts: Counts | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A chat request, whichever protocol it came by.

    `schema` is the schema the answer must fit, None if none was sent. `headers` do not hold the
    key, only `had_key` tells of it. `body` is the request as it came.
    """

    path: str
    model: str
    messages: list[Message]
    schema: JsonSchema | None
    stream: bool
    temperature: float | None
    max_tokens: int | None
    logprobs: int | None
    had_key: bool
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class Brain(Protocol):
    """What answers behind a protocol; `attempts` counts chat requests, refused ones too."""

    fault: Fault
    attempts: int
    waiting: int
    most_waiting: int

    def pieces(self, ask: Ask) -> AsyncGenerator[Piece]:
        """Answer piece by piece."""
        ...


@dataclass
class ScriptedModel:
    """The brains of a stand-in server.

    `answer` gets the messages and the schema and returns what the model writes: an object (written
    as compact JSON), text, or the tools it wants called. `beliefs` are the probabilities of the texts it might
    choose instead, for log-probabilities: with `{"light-agent": 0.7, "music-agent": 0.3}` an answer that chooses
    "light-agent" does so with probability 0.7.

    `key` is the key the server demands, if any. `refuses` names request fields that it answers with
    status 400. `fault` may be changed at any time. `requests` holds every chat request that reached
    the model, in order, `attempts` counts those that failed before, too,
    and `most_waiting` those that were slow at the same time. It `is_stalled` while it pauses after its first
    token.
    """

    answer: Callable[[list[Message], JsonSchema | None], dict[str, Any] | str | Calls]
    names: Sequence[str] = ("test-model",)
    beliefs: Mapping[str, float] = field(default_factory=dict)
    key: str | None = None
    refuses: frozenset[str] = frozenset()
    fault: Fault = OK
    requests: list[Ask] = field(default_factory=list)
    attempts: int = 0
    is_stalled: bool = False
    waiting: int = 0
    most_waiting: int = 0
    _last_prompt: list[str] = field(default_factory=list)

    async def pieces(self, ask: Ask) -> AsyncGenerator[Piece]:
        """Answer piece by piece, one token each."""
        self.requests.append(ask)
        answer = self.answer(ask.messages, ask.schema)
        calls = answer.calls if isinstance(answer, Calls) else ()
        tokens = list(
            self._tokens(self._text(answer.text if isinstance(answer, Calls) else answer))
        )
        finish_reason = "tool_calls" if calls else "stop"
        if ask.max_tokens is not None and 0 <= ask.max_tokens < len(tokens):
            tokens, finish_reason = tokens[: ask.max_tokens], "length"
        counts = self._count(ask, len(tokens))
        for index, token in enumerate(tokens):
            if index == 1 and self.fault.mode == "stall":
                self.is_stalled = True
                await asyncio.sleep(self.fault.seconds)
                self.is_stalled = False
            yield Piece(text=token.text, tokens=(token,))
        if calls and finish_reason != "length":
            yield Piece(calls=calls)
        yield Piece(finish_reason=finish_reason, counts=counts)

    def _text(self, answer: dict[str, Any] | str) -> str:
        text = answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"))
        match self.fault.mode:
            case "half_json":
                return text[: max(1, len(text) // 2)]
            case "empty_object":
                return "{}"
            case "unknown_text":
                return SENTENCE
            case _:
                return text

    def _count(self, ask: Ask, completion: int) -> Counts:
        prompt = cut("".join(f"<{role}>\n{content}\n" for role, content in ask.messages))
        cached = 0
        for now, before in zip(prompt, self._last_prompt, strict=False):
            if now != before:
                break
            cached += 1
        self._last_prompt = prompt
        # The last token is always computed: without it there is nothing to predict from.
        return Counts(len(prompt), min(cached, len(prompt) - 1), completion)

    def _tokens(self, text: str) -> Iterator[Token]:
        """Cut a text and say of each token how likely it was, given what the model believes."""
        end = 0
        for part in cut(text):
            begin, end = end, end + len(part)
            likely = self._likely(text, begin, part)
            spread = _IDLE | {token: 0.9 * share for token, share in likely.items()}
            ranked = sorted(spread.items(), key=lambda item: -item[1])
            yield Token(part, spread[part], [Token(*item) for item in ranked])

    def _likely(self, text: str, begin: int, part: str) -> dict[str, float]:
        """Share one certainty among the tokens that continue what the model believes possible here."""
        start = text.rfind('"', 0, begin)
        value = text[start:begin]
        beliefs = {json.dumps(option): share for option, share in self.beliefs.items() if share > 0}
        open_ = {literal: share for literal, share in beliefs.items() if literal.startswith(value)}
        if start < 0 or not any(text.startswith(literal, start) for literal in open_):
            return {part: 1.0}
        shares: dict[str, float] = {}
        for literal, share in open_.items():
            # The token written may carry the punctuation after the value; believed ones end with the value.
            mine = text.startswith(literal, start)
            token = part if mine else cut(literal[len(value) :])[0]
            shares[token] = shares.get(token, 0.0) + share
        return {token: share / sum(shares.values()) for token, share in shares.items()}


def cut(text: str) -> list[str]:
    """Cut a text into tokens; joined they are the text again."""
    return _TOKEN.findall(text)
