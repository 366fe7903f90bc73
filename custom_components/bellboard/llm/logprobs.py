"""Confidence of a model's choice, measured in the log-probabilities of its tokens.

Servers report them as the model would have chosen freely: llama.cpp and Ollama compute them before the
schema rules tokens out. A token the schema forced may therefore look improbable (-30), and most alternatives
listed beside it were never possible. So the probability of a choice is counted among those alternatives alone
that lead to one of the options.
"""

from dataclasses import dataclass
from functools import partial
import json
import math
import re
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from .models import TokenLogprob

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from .models import Completion

TOP_LOGPROBS = 20
"""Alternatives to ask for at each token: the most that the protocols allow. With five, often none of them would
be on the way to an option, and every choice would look certain."""

_UNLISTED = 0.001
_MOST_TOKENS = 1024
_TOKENS: TypeAdapter[tuple[TokenLogprob, ...]] = TypeAdapter(
    Annotated[tuple[TokenLogprob, ...], Field(max_length=_MOST_TOKENS)]
)
_THOUGHTS_END = "</think>"
# A text that is never closed is one token to the end: looked for at each quote anew, it would take for ever.
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\[\s\S])*(?:"|\\?\Z)|[{}\[\]:]')


def read_logprobs(reported: Any) -> tuple[TokenLogprob, ...]:
    """Read a server's list of `{token, logprob, bytes, top_logprobs}`; empty where there is none or it is damaged.

    So they are where there are more than of any answer that they are asked for.
    """
    try:
        return _TOKENS.validate_python(reported or ())
    except ValidationError:
        # An answer is as good without them, only its confidence is unknown.
        return ()


def choice_distribution(
    completion: Completion, field: str, options: Sequence[str], place: int | None = None
) -> dict[str, float] | None:
    """Return how probable the model found each of `options` as the text in `field`; they sum to 1.

    With a `place`, that is the text at this place of the list in `field`.

    Read at the first token that tells options apart; an alternative that leaves several open counts
    for each in equal parts. An option that is not among the alternatives the server lists gets the
    share of the least likely one listed, or a thousandth, so that nothing is impossible.

    `field` is a field of the answer's outermost object. None when it cannot be told: no
    log-probabilities, no such field, another value written, or not an option.
    """
    tokens = [token for token in completion.logprobs if token.piece]
    written = b"".join(token.piece for token in tokens)
    value = (completion.data or {}).get(field)
    if place is not None:
        value = value[place] if isinstance(value, list) and place < len(value) else None
    start = _value_start(written, field, value, place) if isinstance(value, str) else None
    if start is None or value not in options:
        return None
    live = {option: _spellings(option) for option in options}
    if len(live) == 1:
        return dict.fromkeys(live, 1.0)
    end = 0
    for token in tokens:
        begin, end = end, end + len(token.piece)
        if end <= start:
            continue
        position = _TokenPosition(
            lead=written[begin:start].strip() if begin <= start else None,
            value=written[start:begin],
        )
        if not (reached := position.reached(token.piece, live)):
            return None
        if reached != live.keys():
            return shares_at(token, tuple(live), partial(position.reached, live=live))
    return None


def shares_at[T](
    token: TokenLogprob, options: Sequence[T], reached: Callable[[bytes], Collection[T]]
) -> dict[T, float]:
    """Return the probability of each option at a token that tells them apart; they sum to 1.

    `reached` returns the options that are still possible after a piece of text.
    """
    choices = {choice.piece: choice.logprob for choice in (*token.alternatives, token)}
    likeliest = max(choices.values())
    shares = dict.fromkeys(options, 0.0)
    for piece, logprob in choices.items():
        for option in (after := reached(piece)):
            shares[option] += math.exp(logprob - likeliest) / len(after)
    least = min(math.exp(min(choices.values()) - likeliest), _UNLISTED)
    shares = {option: share or least for option, share in shares.items()}
    total = sum(shares.values())
    if not total:
        return dict.fromkeys(options, 1 / len(options))
    return {option: share / total for option, share in shares.items()}


@dataclass(frozen=True, slots=True)
class _TokenPosition:
    """Position of a token: `value` is the part of the value that is written before it, with the opening quote.

    `lead` is the punctuation the token carries before the value begins, None once the value has begun.
    """

    lead: bytes | None
    value: bytes

    def reached(self, piece: bytes, live: Mapping[str, Sequence[bytes]]) -> frozenset[str]:
        """Return the options of `live` that are still possible after `piece`."""
        if self.lead is not None:
            # Alternatives differ in white space there, which decides nothing.
            piece = piece.lstrip()
            if not piece.startswith(self.lead):
                return frozenset()
            piece = piece.removeprefix(self.lead).lstrip()
        value = self.value + piece
        return frozenset(
            option
            for option, spellings in live.items()
            if any(
                spelling.startswith(value) or value.startswith(spelling) for spelling in spellings
            )
        )


def _spellings(option: str) -> tuple[bytes, ...]:
    """Spell an option as JSON text, with and without escapes."""
    plain = json.dumps(option, ensure_ascii=False).encode(errors="surrogatepass")
    return plain, json.dumps(option).encode()


def _value_start(written: bytes, field: str, value: str, place: int | None) -> int | None:
    """Find where the outermost object holds `value` in `field`: the position of the opening quote.

    With a `place` it is in a list there.
    """
    # Latin-1 keeps bytes and characters in step; a token may end inside a character.
    text = written.decode("latin-1")
    # What looks like the end of thoughts may stand in the value itself.
    for begin in dict.fromkeys((max(text.rfind(_THOUGHTS_END), 0), 0)):
        if (start := _value_after(text, begin, field, value, place)) is not None:
            return start
    return None


def _value_after(text: str, begin: int, field: str, value: str, place: int | None) -> int | None:
    """Find the value in the object that begins at or after a position."""
    depth, key, colon = 0, None, False
    # The place of the next text, while it is in the list that is looked for.
    next_place: int | None = None
    for found in _JSON_TOKEN.finditer(text, begin):
        mark = found[0]
        if mark == ":":
            colon = True
            continue
        if mark in "{[":
            is_wanted = mark == "[" and depth == 1 and colon and key == field
            next_place = 0 if is_wanted and place is not None else next_place
            depth += 1
        elif mark in "}]":
            depth, next_place = depth - 1, None
        elif depth == 2 and next_place is not None and next_place == place:
            return found.start() if _decoded(mark) == value else None
        elif depth == 2 and next_place is not None:
            next_place += 1
        elif depth == 1 and colon and key == field:
            return found.start() if _decoded(mark) == value else None
        elif depth == 1:
            key = _decoded(mark)
        colon = False
    return None


def _decoded(literal: str) -> str | None:
    try:
        text = json.loads(literal.encode("latin-1"))
    except ValueError:
        return None
    return text if isinstance(text, str) else None
