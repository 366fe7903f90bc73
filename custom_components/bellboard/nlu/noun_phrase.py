"""The words of a command that say what it is for."""

from .house import House
from .lexicon import Role
from .spans import cover_text

_NAMING = (Role.KIND, Role.NAME, Role.NAME_WORD, Role.PLACE)


def noun_phrase(text: str, house: House) -> str:
    """Return the part of a text from the first to the last word that names something; "" where none does."""
    spans = cover_text(text, house)
    named = [span for span in spans if any(map(span.has, _NAMING))]
    return text[named[0].start : named[-1].end] if named else ""
