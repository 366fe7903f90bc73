"""Words of a model or of another agent as they may be spoken: without markup and without pictures."""

from collections.abc import AsyncGenerator
import re
from typing import Protocol

# Marks of emphasis, headings, code and lists; pictures, and what joins and colours them.
_UNSPOKEN = re.compile(
    r"[*_#`~|]|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]|[\U0001f000-\U0001faff]"
)

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


def spoken(piece: str) -> str:
    """Return a piece of text as it is spoken."""
    return _UNSPOKEN.sub("", piece).replace("\n", " ")


def speakable(text: str, most: int) -> str:
    """Return a whole text of another agent as it is spoken: on one line, of at most `most` characters.

    A link is only its words. A longer text ends after its last whole sentence that fits, else after a word.
    """
    # What is far beyond the end is not even read.
    text = _LINK.sub(r"\1", text[: most * _READ_PER_SPOKEN])
    text = " ".join(spoken(_LIST_ITEM.sub("", _TAG.sub("", text))).split())
    if len(text) <= most:
        return text
    cut = text[: most + 1]
    ends = [match.end() for match in _SENTENCE_END.finditer(cut)]
    if ends:
        return cut[: ends[-1]].rstrip()
    return f"{cut[:most].rpartition(' ')[0] or cut[: most - 1]}…"
