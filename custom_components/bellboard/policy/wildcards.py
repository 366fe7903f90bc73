"""Texts with `*` and `?` in them, as rules name entities and actions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wildcards:
    """A text in which `*` stands for any characters and `?` for any one.

    `pieces` are what stands between the stars. Each is looked for once, from left to right, so that
    however many stars there are the time grows only with the length of what is looked at.
    """

    pieces: tuple[str, ...]

    def fits(self, text: str) -> bool:
        """Return whether a whole text fits."""
        first, *middle = self.pieces
        if not middle:
            return len(first) == len(text) and _stands(first, text, 0)
        *middle, last = middle
        end = len(text) - len(last)
        place = len(first)
        if end < place or not _stands(first, text, 0) or not _stands(last, text, end):
            return False
        for piece in middle:
            found = _find(piece, text, place, end)
            if found < 0:
                return False
            place = found + len(piece)
        return True


def wildcards(written: str) -> Wildcards | None:
    """Return what a text with a `*` or `?` in it stands for, or None for one that stands for itself."""
    if "*" not in written and "?" not in written:
        return None
    return Wildcards(tuple(written.split("*")))


def _find(piece: str, text: str, start: int, end: int) -> int:
    """Return where a piece first stands between two places of a text, or -1."""
    if "?" not in piece:
        return text.find(piece, start, end)
    last = end - len(piece)
    return next((place for place in range(start, last + 1) if _stands(piece, text, place)), -1)


def _stands(piece: str, text: str, place: int) -> bool:
    """Return whether a piece stands at a place of a text that is long enough for it."""
    return all(
        sign in {"?", found}
        for sign, found in zip(piece, text[place : place + len(piece)], strict=True)
    )
