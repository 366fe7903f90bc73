"""How much is tried of large tables and of what is drawn by a seed: a part by day, all of it at night.

`BELLBOARD_THOROUGH=1` is the night. A part by day is spread over the whole table, and is the same each time.
"""

from collections.abc import Iterable
from itertools import islice
import os

THOROUGH = "BELLBOARD_THOROUGH" in os.environ
"""Whether all of it is tried."""


def part[T](cases: Iterable[T], one_in: int, *, first: int = 0) -> list[T]:
    """Return all cases at night, and by day one in so many, beginning with the `first`."""
    return list(cases) if THOROUGH else list(islice(cases, first % one_in, None, one_in))


def number(by_day: int, at_night: int) -> int:
    """Return how many are tried."""
    return at_night if THOROUGH else by_day
