"""Commands read in a sentence: their actions, targets and missing values."""

from dataclasses import dataclass

from ..domains.models import Command
from ..home.catalog import Place


@dataclass(frozen=True, slots=True)
class MissingSlot:
    """Value that is not said: what it measures ("volume"), and whose it is, entities of a domain."""

    measure: str
    domain: str
    targets: tuple[str, ...] = ()

    @property
    def is_music(self) -> bool:
        """Return whether it is what is to be played."""
        return self.measure == "query"


@dataclass(frozen=True, slots=True)
class ReadCommand:
    """Part of a sentence, word for word, and what it comes to.

    Without `actions` it was not understood, unless something in it is not there: `is_missing`, in `places`;
    or a value is not said, which it is `lacking`. `missing` is the key of the reply that says what is not there,
    `name` what that was called. `closed` are the names of what would open the house, and was not named.
    """

    text: str
    actions: tuple[Command, ...] = ()
    is_missing: bool = False
    places: tuple[Place, ...] = ()
    is_kept: bool = False
    has_exception: bool = False
    lacking: MissingSlot | None = None
    missing: str = ""
    name: str = ""
    closed: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Return whether it comes to actions, to none, or to what is to be played."""
        asks = self.lacking is not None and self.lacking.is_music
        return bool(self.actions) or self.is_kept or asks

    @property
    def is_read(self) -> bool:
        """Return whether it is known what the part comes to."""
        return (
            bool(self.actions or self.lacking)
            or self.is_missing
            or self.is_kept
            or bool(self.closed)
        )
