"""A sentence as it comes in: how long it may be, and in how many pieces it may fall.

What people say is short. Text that is not is refused or left unread before anything looks at it
closely, so that nobody can keep Home Assistant busy by talking.
"""

import re

MAX_CHARACTERS = 2000
"""The characters of a sentence; a longer one is declined at every door."""

MAX_WORDS = 60
"""The words of a sentence that Home Assistant's own readers are given; their time grows fast with it."""

MAX_COMMAND = 300
"""The characters of a single command or condition; what is longer is none that a template has."""

MAX_REQUESTS = 8
"""The requests that one sentence is split into; one with more is not split."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def normalised(text: str) -> str:
    """Return a text with single spaces between its words, and without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def is_too_long(text: str) -> bool:
    """Return whether a normalised text has more characters than a sentence may have."""
    return len(text) > MAX_CHARACTERS


def has_many_words(text: str) -> bool:
    """Return whether a normalised text has more words than Home Assistant's readers are given."""
    return text.count(" ") >= MAX_WORDS
