"""Circuit breaker for a model server: while it is down, calls fail at once, and the log says so once."""

import logging
import time
from typing import TYPE_CHECKING, Literal

from .errors import CircuitOpenError

if TYPE_CHECKING:
    from collections.abc import Callable

    type Clock = Callable[[], float]

_LOGGER = logging.getLogger(__name__)

MAX_FAILURES = 5
"""Failures in a row after which the circuit opens."""
FIRST_PAUSE = 30.0
"""Seconds the circuit stays open at first; twice as long each time a probe fails."""
LONGEST_PAUSE = 300.0
"""Seconds the circuit stays open at most."""


class CircuitBreaker:
    """Circuit breaker: opens after `MAX_FAILURES` failures in a row, then lets probes through.

    Each call that is let through gets a permit and settles it once, as succeeded, failed or
    abandoned. Opening makes all permits given before worthless: a call that began earlier says
    nothing of how the server is now. That it opens is logged once, and so is that it closes.
    """

    def __init__(self, clock: Clock = time.monotonic, *, name: str = "The model server") -> None:
        """Begin closed; `clock` returns seconds, `name` is what the log calls the server."""
        self._clock = clock
        self._name = name
        self._failures = 0
        self._pause = 0.0
        self._until: float | None = None
        self._probing = False
        self._permit = 0

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        """Whether calls pass (`closed`), fail at once (`open`), or one may probe (`half_open`)."""
        if self._until is None:
            return "closed"
        return "half_open" if self._probing or self._clock() >= self._until else "open"

    def check(self) -> None:
        """Raise `CircuitOpenError` if a call would not be let through now."""
        if self._until is None:
            return
        left = self._until - self._clock()
        if self._probing or left > 0:
            raise CircuitOpenError(max(0.0, left))

    def admit(self) -> int:
        """Let a call through and return its permit. Raises `CircuitOpenError` like `check`."""
        self.check()
        self._probing = self._until is not None
        return self._permit

    def succeeded(self, permit: int) -> None:
        """Close: the server answered."""
        if permit != self._permit:
            return
        if self._until is not None:
            _LOGGER.info("%s answers again", self._name)
        self._failures, self._pause, self._until, self._probing = 0, 0.0, None, False

    def close(self) -> None:
        """Close: the server was seen to answer elsewhere."""
        self.succeeded(self._permit)

    def answering(self, permit: int) -> None:
        """Close after a probe whose answer begins; other calls are judged by their end."""
        if self._probing:
            self.succeeded(permit)

    def failed(self, permit: int) -> None:
        """Count a failure: a failed probe opens again, other calls after too many."""
        if permit != self._permit:
            return
        self._failures += 1
        if self._probing or self._failures >= MAX_FAILURES:
            if self._until is None:
                _LOGGER.warning(
                    "%s does not answer; it is left alone and tried now and then", self._name
                )
            self._pause = min(self._pause * 2, LONGEST_PAUSE) or FIRST_PAUSE
            self._until = self._clock() + self._pause
            self._failures, self._probing = 0, False
            self._permit += 1

    def abandoned(self, permit: int) -> None:
        """End a call that says nothing of the server; after a probe the next call is one."""
        if permit == self._permit:
            self._probing = False
