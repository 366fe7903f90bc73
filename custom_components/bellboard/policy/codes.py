"""Spoken codes that rules want before something is done: which are right, and when too many wrong ones were said.

A code is kept as a keyed hash in memory only, and shown nowhere. Wrong ones count for the whole home, also while the
file is read anew and over a restart, so that nobody tries one code after the other. In a sentence that nobody asked
for a code with, it is masked.
"""

from collections.abc import Callable, Iterable, Mapping, Set as AbstractSet
from enum import StrEnum
import hashlib
import hmac
import logging
import secrets
from time import monotonic
from typing import Annotated

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.exceptions import UnsupportedStorageVersionError
from homeassistant.helpers.storage import Store
from homeassistant.util.hass_dict import HassKey
from pydantic import BaseModel, Field, ValidationError

from ..const import DOMAIN
from ..home.names import letters_of
from .rules import ANY, normal_name

_LOGGER = logging.getLogger(__name__)

MOST_WRONG = 5
"""After so many wrong codes none is taken for a while."""

LOCKED_SECONDS = 300.0
"""How long that is, and how long a wrong code counts. By a clock that nobody sets."""

_KEY = secrets.token_bytes(32)
_STORAGE_VERSION = 1

DATA_CODES: HassKey[CodeLock] = HassKey(f"{DOMAIN}_codes")
"""The codes in force, and the wrong ones that were said."""
_DATA_STORE: HassKey[Store[dict[str, list[float]]]] = HassKey(f"{DOMAIN}_codes_store")


class CodeCheck(StrEnum):
    """Result of the check of a code that was said: LOCKED where none is taken at the moment."""

    RIGHT = "right"
    WRONG = "wrong"
    LOCKED = "locked"


def _hashed(code: str) -> bytes:
    """Return the keyed hash of a code."""
    return hmac.digest(_KEY, code.encode(), hashlib.sha256)


class Codes:
    """The codes of a policies file, each of a person or, under "any", of everybody; `lengths` are theirs in digits."""

    def __init__(self, codes: Mapping[str, str] | None = None) -> None:
        """Hash the codes, by whose they are."""
        digits = {holder: letters_of(code) for holder, code in (codes or {}).items()}
        self._hashes = [(normal_name(holder), _hashed(code)) for holder, code in digits.items()]
        self.lengths = frozenset(map(len, digits.values()))

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self._hashes)

    def fit(self, digits: str, persons: AbstractSet[str]) -> bool:
        """Return whether digits are a code that is good for who said it.

        `persons` are the names of the speaker, as `normal_name` makes them. Where nobody knows who speaks,
        everybody's code is good; who is known has to say their own, or that of all.
        """
        allowed = [h for name, h in self._hashes if name == ANY or not persons or name in persons]
        tried = _hashed(digits)
        # All are compared: how long it takes tells nothing.
        return sum(hmac.compare_digest(tried, own) for own in allowed) > 0

    def has(self, hashed: bytes) -> bool:
        """Return whether a hash is that of somebody's code."""
        return sum(hmac.compare_digest(hashed, own) for _, own in self._hashes) > 0


type _Seconds = Annotated[float, Field(ge=0, le=LOCKED_SECONDS, allow_inf_nan=False)]
type _Counted = Annotated[list[_Seconds], Field(max_length=MOST_WRONG)]


class _Stored(BaseModel, extra="forbid", strict=True):
    """What is kept over a restart: for how many seconds each wrong code, and each number looked at, still counts."""

    wrong: _Counted
    overheard: _Counted


class CodeLock:
    """The codes in force, the count of wrong ones, and the numbers that were looked at for a code.

    `on_change` is called whenever something was counted.
    """

    def __init__(self, codes: Codes | None = None) -> None:
        """Begin with nothing counted."""
        self.codes = codes or Codes()
        self.on_change: Callable[[], None] | None = None
        # Until when each counts.
        self._wrong: list[float] = []
        self._overheard: dict[bytes, float] = {}

    @property
    def is_locked(self) -> bool:
        """Return whether no code is taken now."""
        return self.locked_seconds > 0

    @property
    def locked_seconds(self) -> float:
        """Return for how long no code is taken, 0 where one is."""
        left = self._left(self._wrong)
        return min(left) if len(left) >= MOST_WRONG else 0.0

    def check(self, digits: str, persons: AbstractSet[str]) -> CodeCheck:
        """Return the result for a code that was said; a wrong one counts, a right one resets the count."""
        if self.is_locked:
            return CodeCheck.LOCKED
        until = monotonic() + LOCKED_SECONDS
        if self.codes.fit(digits, persons):
            self._wrong = []
            self._changed()
            return CodeCheck.RIGHT
        self._wrong = [*(each for each in self._wrong if each > monotonic()), until]
        if is_last := len(self._wrong) >= MOST_WRONG:
            self._wrong = [until] * MOST_WRONG
            _LOGGER.warning(
                "%d wrong codes were said: none is taken for %d s", MOST_WRONG, LOCKED_SECONDS
            )
        self._changed()
        return CodeCheck.LOCKED if is_last else CodeCheck.WRONG

    def is_to_be_masked(self, digits: str) -> bool:
        """Return whether a number that nobody asked for is a code, or must not be told from one.

        What stands in the place of a code tells that it is one: a sentence full of numbers would try them all.
        So only a few are looked at within a while, and any other counts as a code.
        """
        number, now = _hashed(digits), monotonic()
        self._overheard = {n: until for n, until in self._overheard.items() if until > now}
        if number not in self._overheard:
            if self.is_locked or len(self._overheard) >= MOST_WRONG:
                return True
            self._overheard[number] = now + LOCKED_SECONDS
            self._changed()
        return self.codes.has(number)

    def as_json(self) -> dict[str, list[float]]:
        """Return the data stored over a restart: counts and seconds, no digits."""
        return {
            "wrong": self._left(self._wrong),
            "overheard": self._left(self._overheard.values()),
        }

    def restore(self, data: object) -> None:
        """Go on with the counts of the last run. What cannot be read counts as if all tries were used up."""
        now = monotonic()
        try:
            stored = _Stored.model_validate(data)
        except ValidationError:
            _LOGGER.warning("The count of wrong codes cannot be read: no code is taken for a while")
            full = [LOCKED_SECONDS] * MOST_WRONG
            stored = _Stored(wrong=full, overheard=full)
        self._wrong = [now + left for left in stored.wrong]
        # Nobody knows any longer which numbers they were.
        self._overheard = {secrets.token_bytes(): now + left for left in stored.overheard}

    def _left(self, deadlines: Iterable[float]) -> list[float]:
        """Return how many seconds are left until those deadlines that are to come."""
        now = monotonic()
        return [until - now for until in deadlines if until > now]

    def _changed(self) -> None:
        """Tell that something was counted."""
        if self.on_change:
            self.on_change()


@callback
def code_lock(hass: HomeAssistant) -> CodeLock:
    """Return the codes in force."""
    return hass.data.setdefault(DATA_CODES, CodeLock())


async def async_setup_code_lock(hass: HomeAssistant) -> None:
    """Go on with what was counted in the last run, and keep what is counted from now on."""
    if _DATA_STORE in hass.data:
        return
    store = hass.data[_DATA_STORE] = Store(
        hass, _STORAGE_VERSION, f"{DOMAIN}.codes", private=True, atomic_writes=True
    )
    lock = code_lock(hass)
    try:
        data = await store.async_load()
    except UnsupportedStorageVersionError:
        # It stays as it is for the release that wrote it.
        _LOGGER.warning("Wrong codes are counted anew: a newer release wrote %s", store.path)
        return
    if data is not None:
        lock.restore(data)

    @callback
    def keep() -> None:
        """Write what is counted at once: whoever tries codes may restart Home Assistant, too."""
        store.async_delay_save(lock.as_json)

    async def keep_at_stop(_: Event) -> None:
        """Write how long each still counts: for a code no time passes while Home Assistant is stopped."""
        if lock.codes:
            await store.async_save(lock.as_json())

    lock.on_change = keep
    hass.bus.async_listen_once(EVENT_HOMEASSISTANT_FINAL_WRITE, keep_at_stop)
