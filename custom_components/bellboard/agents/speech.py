"""Words of a model or of another agent as they may be spoken: without markup, code and pictures."""

from collections.abc import AsyncGenerator, Iterator
import re
from typing import Any, Protocol

from pydantic_core import from_json

# Marks of emphasis, headings, code and lists; pictures, and what joins and colours them.
_UNSPOKEN = re.compile(
    r"[*_#`~|]|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]|[\U0001f000-\U0001faff]"
)
_LIST_MARK = re.compile(r"[ \t]{0,12}(?:[-+*•–>]|#{1,6})[ \t]{1,12}")
_MARK_BEGINS = re.compile(r"[ \t]{0,12}(?:[-+*•–>]|#{1,6})?[ \t]{0,12}")
# What is for programs, with what ends it: calls of tools and code. An object ends where its braces do.
_BLOCKS = {
    "<tool_call>": "</tool_call>",
    "<tool_calls>": "</tool_calls>",
    "<function_call>": "</function_call>",
    "[TOOL_CALLS]": "\n",
    "```": "```",
    "{": "}",
}
_BLOCK = re.compile("|".join(map(re.escape, _BLOCKS)))
_LONGEST = max(map(len, _BLOCKS))
# Fields of an object that a model puts its words into.
_WORDS = ("answer", "response", "reply", "text", "content", "message")
_CLOSE_UP = ".,;:!?…)"

# What a text of another agent has beside its words.
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,500}\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_LIST_ITEM = re.compile(r"^[ \t]{0,12}(?:[-+•]|>)[ \t]", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?…](?=\s)")
_READ_PER_SPOKEN = 8


class Voice(Protocol):
    """Says words while they come."""

    async def async_speak(self, words: AsyncGenerator[str]) -> str:
        """Say words, and return all of them once they have ended."""
        ...


class SpeechFilter:
    """Keeps of a text that comes in pieces what may be spoken.

    Calls of tools, code and JSON are left out, as are markup and pictures, with the gaps they leave.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._depth = 0
        self._begins_line = True
        self._gap = self._end = ""

    def feed(self, piece: str) -> str:
        """Take the next piece; return what is now known to be spoken."""
        self._held += piece
        return "".join(self._read(is_last=False))

    def flush(self) -> str:
        """Return the text that was held back at the end."""
        return "".join(self._read(is_last=True))

    def _read(self, *, is_last: bool) -> Iterator[str]:
        """Yield the spoken words of what is held, as far as it can be told."""
        while self._held:
            if self._closing:
                if not self._skip():
                    return
                continue
            block = _BLOCK.search(self._held)
            end = block.start() if block else len(self._held) - (0 if is_last else self._begun())
            words, rest = self._held[:end], self._held[end:]
            # A mark at the beginning of a line is known by what follows it.
            held_back = "" if is_last or block else self._open_line(words)
            yield self._words(words[: len(words) - len(held_back)])
            self._held = held_back + rest
            if not block:
                return
            self._closing = _BLOCKS[block[0]]
            self._held = self._held[len(block[0]) :]
            self._depth = 1

    def _begun(self) -> int:
        """Return how many characters at the end may be the beginning of a block."""
        most = min(len(self._held), _LONGEST - 1)
        sizes = range(most, 0, -1)
        return next(
            (n for n in sizes if any(each.startswith(self._held[-n:]) for each in _BLOCKS)), 0
        )

    def _open_line(self, words: str) -> str:
        """Return the end of a text that may be, or be before, the mark of a list's item."""
        at = words.rfind("\n") + 1
        if not at and not self._begins_line:
            return ""
        return words[at:] if _MARK_BEGINS.fullmatch(words[at:]) else ""

    def _skip(self) -> bool:
        """Leave a block out up to its end; return whether that is there."""
        if self._closing == "}":
            for at, mark in enumerate(self._held):
                self._depth += (mark == "{") - (mark == "}")
                if not self._depth:
                    self._held, self._closing = self._held[at + 1 :], ""
                    self._end = self._end and " "
                    return True
            self._held = ""
            return False
        _, closed, rest = self._held.partition(self._closing)
        self._held = rest if closed else self._held[-len(self._closing) :]
        if closed:
            self._closing = ""
        return bool(closed)

    def _words(self, text: str) -> str:
        """Return words as they are spoken after what was said before."""
        said: list[str] = []
        for number, line in enumerate(text.split("\n")):
            if number:
                self._begins_line = True
            mark = _LIST_MARK.match(line) if self._begins_line else None
            if number or mark:
                self._gap = " "
            if mark and self._end.isalnum():
                said.append(",")
                self._end = ","
            for each in line[mark.end() if mark else 0 :]:
                self._begins_line = self._begins_line and each.isspace()
                if each.isspace():
                    self._gap = self._gap or each
                elif not _UNSPOKEN.match(each):
                    said.append(self._after_gap(each))
                elif self._gap:
                    # What stood for itself leaves no gap before a full stop.
                    self._gap = "\0"
        return "".join(said)

    def _after_gap(self, each: str) -> str:
        """Return a character with the space before it, if it needs one."""
        gap, self._gap = self._gap, ""
        is_first, self._end = not self._end, each
        if not gap or is_first or (gap == "\0" and each in _CLOSE_UP):
            return each
        return f" {each}"


def spoken(text: str) -> str:
    """Return a whole text as it is spoken; of an object that only holds words, these."""
    filter_ = SpeechFilter()
    text = _words_of_object(text) or text
    return filter_.feed(text) + filter_.flush()


def _words_of_object(text: str) -> str:
    """Return the words in a text that is nothing but an object with words, "" where it is something else."""
    try:
        data: Any = from_json(text.strip())
    except ValueError:
        return ""
    if not isinstance(data, dict) or len(data) != 1:
        return ""
    [(name, words)] = data.items()
    return words if name in _WORDS and isinstance(words, str) else ""


def speakable(text: str, most: int) -> str:
    """Return a whole text of another agent as it is spoken: on one line, of at most `most` characters.

    A link is only its words. A longer text ends after its last whole sentence that fits, else after a word.
    """
    # What is far beyond the end is not even read.
    text = _LINK.sub(r"\1", text[: most * _READ_PER_SPOKEN])
    text = _UNSPOKEN.sub("", _LIST_ITEM.sub("", _TAG.sub("", text)))
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most + 1]
    ends = [match.end() for match in _SENTENCE_END.finditer(cut)]
    if ends:
        return cut[: ends[-1]].rstrip()
    return f"{cut[:most].rpartition(' ')[0] or cut[: most - 1]}…"
