"""Parsing of a model's output: reasoning removed, JSON read."""

from typing import Any, Literal

from pydantic_core import from_json

from .errors import BadOutputError

_OPEN, _CLOSE = "<think>", "</think>"
_FENCE = "```"


def without_thoughts(text: str) -> str:
    """Remove the reasoning before the answer.

    The opening tag may be missing: some templates put it into the prompt. Thoughts that never end
    leave nothing.
    """
    _, closed, answer = text.partition(_CLOSE)
    if closed:
        return answer.lstrip()
    return "" if text.lstrip().startswith(_OPEN) else text


def json_object(text: str, *, cut_short: bool = False) -> dict[str, Any]:
    """Read the JSON object a model wrote; white space, a fence around it and thoughts before it are tolerated.

    `cut_short` says that the model ran out of tokens, which is then the reason given.
    Raises `BadOutputError` with the text for anything else, also for JSON no other program could
    read (NaN, half a surrogate pair, nesting without end).
    """
    answer = text.strip()
    for candidate in (answer, without_thoughts(answer)):
        try:
            data = from_json(_without_fence(candidate), allow_inf_nan=False)
        except ValueError:
            continue
        if isinstance(data, dict):
            return data
        break
    raise BadOutputError("cut short" if cut_short else "not a JSON object", text=text)


def _without_fence(text: str) -> str:
    """Return what stands between the fences that a model puts around code; the text where none are."""
    inner = text.removeprefix(_FENCE)
    if inner == text or not inner.endswith(_FENCE):
        return text
    inner = inner.removesuffix(_FENCE)
    return (inner[4:] if inner[:4].lower() == "json" else inner).strip()


class ThoughtFilter:
    """Removes a leading block of reasoning from a streamed text."""

    def __init__(self) -> None:
        self._stage: Literal["start", "thoughts", "gap", "answer"] = "start"
        self._held = ""

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is now known to be the answer's."""
        self._held += piece
        if self._stage == "start":
            start = self._held.lstrip()
            if not start.startswith(_OPEN) and _OPEN.startswith(start):
                return ""
            self._stage = "thoughts" if start.startswith(_OPEN) else "answer"
        if self._stage == "thoughts":
            _, closed, rest = self._held.partition(_CLOSE)
            # Thoughts are not kept, only as much as may be the beginning of the closing tag.
            self._held = rest if closed else self._held[-len(_CLOSE) :]
            if not closed:
                return ""
            self._stage = "gap"
        if self._stage == "gap":
            self._held = self._held.lstrip()
            if not self._held:
                return ""
            self._stage = "answer"
        return self._take()

    def flush(self) -> str:
        """Return what was held back when the text ended before it was decided."""
        return self._take() if self._stage == "start" else ""

    def _take(self) -> str:
        text, self._held = self._held, ""
        return text
