"""Normalisation of input sentences, and limits on their length and number of requests.

Longer text is declined or not matched before any recogniser sees it, so that input cannot keep Home
Assistant busy.
"""

import re

MAX_CHARACTERS = 2000
"""Characters of a sentence; a longer one is declined at every entry point."""

MAX_WORDS = 60
"""Words of a sentence for Home Assistant's own recognisers, whose time grows fast with them."""

MAX_COMMAND = 300
"""Characters of a single command or condition; no template matches a longer one."""

MAX_REQUESTS = 8
"""Requests that one sentence is split into; one with more is not split."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def normalised(text: str) -> str:
    """Return a text with single spaces between its words, and without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def is_too_long(text: str) -> bool:
    """Return whether a normalised text has more characters than a sentence may have."""
    return len(text) > MAX_CHARACTERS


def has_many_words(text: str) -> bool:
    """Return whether a normalised text has more words than MAX_WORDS."""
    return text.count(" ") >= MAX_WORDS
