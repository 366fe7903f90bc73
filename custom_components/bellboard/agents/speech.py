"""Words of a model as they may be spoken while they come: without markup and without pictures."""

from collections.abc import AsyncGenerator
import re
from typing import Protocol

# Marks of emphasis, headings, code and lists; pictures, and what joins and colours them.
_UNSPOKEN = re.compile(
    r"[*_#`~|]|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]|[\U0001f000-\U0001faff]"
)


class Voice(Protocol):
    """Says words while they come."""

    async def async_speak(self, words: AsyncGenerator[str]) -> str:
        """Say words, and return all of them once they have ended."""
        ...


def spoken(piece: str) -> str:
    """Return a piece of text as it is spoken."""
    return _UNSPOKEN.sub("", piece).replace("\n", " ")
