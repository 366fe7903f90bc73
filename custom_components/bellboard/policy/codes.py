"""Spoken codes that rules want before something is done: which are right, and when too many wrong ones were said.

A code is kept as a keyed hash only, and shown nowhere. Wrong ones count for the whole home, also while the file is
read anew, so that nobody tries one code after the other. In a sentence that nobody asked for a code with, it is masked.
"""

from collections.abc import Iterable, Mapping, Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
import hashlib
import hmac
import logging
import secrets

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..home.names import letters_of, words_of
from .rules import ANY, normal_name

_LOGGER = logging.getLogger(__name__)

MOST_WRONG = 5
"""After so many wrong codes none is taken for a while."""

LOCKED_FOR = timedelta(minutes=5)
"""How long that is."""

_KEY = secrets.token_bytes(32)

DATA_CODES: HassKey[CodeLock] = HassKey(f"{DOMAIN}_codes")
"""The codes in force, and the wrong ones that were said."""


class CodeCheck(StrEnum):
    """What becomes of a code that was said: LOCKED where none is taken at the moment."""

    RIGHT = "right"
    WRONG = "wrong"
    LOCKED = "locked"


def normal_code(text: str) -> str:
    """Return a code as codes are compared: digits without what is between them, or words."""
    words = words_of(text)
    joined = "".join(words)
    return joined if joined.isdecimal() else " ".join(words)


def _hashed(code: str) -> bytes:
    """Return the keyed hash of a code."""
    return hmac.digest(_KEY, code.encode(), hashlib.sha256)


class Codes:
    """The codes of a policies file, each of a person or, under "any", of everybody.

    `lengths` are those of the codes in letters or digits, without what is between them.
    """

    def __init__(self, codes: Mapping[str, str] | None = None) -> None:
        """Hash the codes, by whose they are."""
        self._hashes = [
            (normal_name(holder), _hashed(normal_code(code)))
            for holder, code in (codes or {}).items()
        ]
        spelled = [letters_of(code) for code in (codes or {}).values()]
        self._spelled = frozenset(map(_hashed, spelled))
        self.lengths = frozenset(map(len, spelled))

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self._hashes)

    def fit(self, readings: Iterable[str], persons: AbstractSet[str]) -> bool:
        """Return whether one of the readings of what was said is a code that is good for who said it.

        `persons` are the names of the speaker, as `normal_name` makes them. Where nobody knows who speaks,
        everybody's code is good; who is known has to say their own, or that of all.
        """
        allowed = [h for name, h in self._hashes if name == ANY or not persons or name in persons]
        tried = [_hashed(reading) for reading in readings]
        # All are compared: how long it takes tells nothing.
        return sum(hmac.compare_digest(one, own) for one in tried for own in allowed) > 0

    def has(self, hashed: bytes) -> bool:
        """Return whether the hash of letters, or digits, is that of somebody's code (`home.names.letters_of`)."""
        return hashed in self._spelled


@dataclass(slots=True)
class CodeLock:
    """The codes in force and the count of wrong ones; `locked_until` is in UTC.

    `overheard` are numbers of a code's length that were said though nobody asked for a code, hashed, and when
    each was said first.
    """

    codes: Codes = field(default_factory=Codes)
    wrong: int = 0
    locked_until: datetime | None = None
    overheard: dict[bytes, datetime] = field(default_factory=dict, repr=False)

    @property
    def is_locked(self) -> bool:
        """Return whether no code is taken now."""
        return self.locked_until is not None and dt_util.utcnow() < self.locked_until

    def check(self, readings: Iterable[str], persons: AbstractSet[str]) -> CodeCheck:
        """Return what becomes of a code that was said; a wrong one counts, a right one begins the count anew."""
        if self.is_locked:
            return CodeCheck.LOCKED
        if self.codes.fit(readings, persons):
            self.wrong, self.locked_until = 0, None
            return CodeCheck.RIGHT
        self.wrong += 1
        if self.wrong < MOST_WRONG:
            return CodeCheck.WRONG
        self.wrong, self.locked_until = 0, dt_util.utcnow() + LOCKED_FOR
        _LOGGER.warning("%d wrong codes were said: none is taken for %s", MOST_WRONG, LOCKED_FOR)
        return CodeCheck.LOCKED

    def is_to_be_masked(self, letters: str) -> bool:
        """Return whether what was said though nobody asked for it is a code, or must not be told from one.

        What stands in the place of a code tells that it is one: a sentence full of numbers would try them all.
        So only a few are looked at within a while, and any other counts as a code.
        """
        number = _hashed(letters)
        if self.codes.has(number):
            return True
        if not letters.isdecimal():
            return False
        now = dt_util.utcnow()
        self.overheard = {n: at for n, at in self.overheard.items() if now - at < LOCKED_FOR}
        if number in self.overheard:
            return False
        if self.is_locked or len(self.overheard) >= MOST_WRONG:
            return True
        self.overheard[number] = now
        return False


@callback
def code_lock(hass: HomeAssistant) -> CodeLock:
    """Return the codes in force."""
    return hass.data.setdefault(DATA_CODES, CodeLock())
