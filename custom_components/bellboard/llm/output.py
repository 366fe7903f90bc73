"""Parsing of a model's output: reasoning removed, JSON read."""

from collections.abc import Iterator
import re
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from .errors import BadOutputError

if TYPE_CHECKING:
    from .models import JsonSchema

_CLOSING = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",
}
"""The tags around reasoning; which of them a model writes is up to its template."""
_TAGS = (*_CLOSING, *_CLOSING.values())
_TAG = re.compile("|".join(map(re.escape, _TAGS)))
_LONGEST_TAG = max(map(len, _TAGS))
_FENCE = "```"
_BRACE_OR_QUOTE = re.compile(r'[{}"\\]')


def without_thoughts(text: str) -> str:
    """Remove reasoning from an answer.

    The opening tag may be missing: some templates put it into the prompt. Thoughts that never end
    leave nothing.
    """
    filter_ = ThoughtFilter(may_begin_inside=True)
    return filter_.feed(text) + filter_.flush()


def json_object(
    text: str, *, schema: JsonSchema | None = None, cut_short: bool = False
) -> dict[str, Any]:
    """Read the JSON object a model wrote; white space, a fence around it and thoughts before it are tolerated.

    One whole object among other words is read where it has the fields of `schema`; of several none is.
    `cut_short` says that the model ran out of tokens, which is then the reason given.
    Raises `BadOutputError` with the text for anything else, also for JSON no other program could
    read (NaN, half a surrogate pair, nesting without end).
    """
    answer = text.strip()
    thoughtless = without_thoughts(answer)
    for candidate in (answer, thoughtless):
        try:
            data = from_json(_without_fence(candidate), allow_inf_nan=False)
        except ValueError:
            continue
        if isinstance(data, dict):
            return data
        break
    else:
        found = list(_objects_in(thoughtless))
        if len(found) == 1 and _has_fields(found[0], schema):
            return found[0]
    raise BadOutputError("cut short" if cut_short else "not a JSON object", text=text)


def _without_fence(text: str) -> str:
    """Return what stands between the fences that a model puts around code; the text where none are."""
    inner = text.removeprefix(_FENCE)
    if inner == text or not inner.endswith(_FENCE):
        return text
    inner = inner.removesuffix(_FENCE)
    return (inner[4:] if inner[:4].lower() == "json" else inner).strip()


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand among other words; one inside another is part of it."""
    begin = depth = 0
    in_text, escaped_at = False, -1
    for mark in _BRACE_OR_QUOTE.finditer(text):
        at = mark.start()
        match mark[0]:
            case "\\" if at != escaped_at:
                escaped_at = at + 1
            case '"' if depth and at != escaped_at:
                in_text = not in_text
            case "{" if not in_text:
                begin, depth = (begin if depth else at), depth + 1
            case "}" if depth and not in_text:
                depth -= 1
                if not depth and (data := _parsed(text[begin : at + 1])) is not None:
                    yield data


def _parsed(text: str) -> dict[str, Any] | None:
    """Return the object that a text between braces is, None where it is none."""
    try:
        data: dict[str, Any] = from_json(text, allow_inf_nan=False)
    except ValueError:
        return None
    return data


def _has_fields(data: dict[str, Any], schema: JsonSchema | None) -> bool:
    """Return whether an object has the fields that a schema wants, and none that it does not know."""
    if schema is None:
        return True
    known = schema.get("properties", {})
    is_closed = schema.get("additionalProperties") is False
    return data.keys() >= set(schema.get("required", ())) and not (
        is_closed and data.keys() - known
    )


class ThoughtFilter:
    """Removes reasoning from a text that comes in pieces.

    With `may_begin_inside` nothing is passed on until it is known that a text does not begin inside
    thoughts, which is at its end: the opening tag may have been in the prompt.
    """

    def __init__(self, *, may_begin_inside: bool = False) -> None:
        self.began_inside = False
        """Whether thoughts ended that were never opened."""
        self._waits = may_begin_inside
        self._closing = ""
        self._is_in_gap = self._has_begun = False
        self._held = self._answer = ""

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is now known to be the answer's."""
        self._held += piece
        while self._advance():
            continue
        # White space may stand before thoughts.
        return "" if self._waits or not self._answer.strip() else self._take()

    def flush(self) -> str:
        """Return the text that was held back, where the end comes before a decision."""
        if not self._closing:
            self._answer += self._held
        self._held = ""
        return self._take()

    def _advance(self) -> bool:
        """Read up to the next tag; return whether there was one."""
        if self._closing:
            _, closed, rest = self._held.partition(self._closing)
            # Thoughts are not kept, only as much as may be the beginning of the closing tag.
            self._held = rest if closed else self._held[-len(self._closing) :]
            if closed:
                self._end_thoughts()
            return bool(closed)
        if self._is_in_gap:
            self._held = self._held.lstrip()
            self._is_in_gap = not self._held
        if tag := _TAG.search(self._held):
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            self._answer += before
            if closing := _CLOSING.get(tag[0]):
                self._closing = closing
            else:
                self.began_inside = True
                # What was passed on cannot be taken back.
                self._answer = "" if self._waits else self._answer
                self._end_thoughts()
            return True
        end = len(self._held) - _length_of_begun_tag(self._held)
        self._answer, self._held = self._answer + self._held[:end], self._held[end:]
        return False

    def _end_thoughts(self) -> None:
        """Go on with the answer, which the white space behind thoughts is no part of."""
        self._closing, self._is_in_gap, self._waits = "", True, False
        if not self._has_begun and not self._answer.strip():
            self._answer = ""

    def _take(self) -> str:
        text, self._answer = self._answer, ""
        self._has_begun |= bool(text)
        return text


def _length_of_begun_tag(text: str) -> int:
    """Return how many characters at the end of a text may be the beginning of a tag."""
    most = min(len(text), _LONGEST_TAG - 1)
    return next(
        (size for size in range(most, 0, -1) if any(tag.startswith(text[-size:]) for tag in _TAGS)),
        0,
    )
