"""Keeps the last events in memory."""

from collections import deque
from collections.abc import Iterator

from .events import TelemetryEvent

CAPACITY = 400
"""The events that are kept: about fifty turns."""


class RingSink:
    """Keeps the last events, oldest first."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        """Begin with none."""
        self._events: deque[TelemetryEvent] = deque(maxlen=capacity)

    def record(self, event: TelemetryEvent) -> None:
        """Keep an event; the oldest goes when there are too many."""
        self._events.append(event)

    def __iter__(self) -> Iterator[TelemetryEvent]:
        """Iterate over the events, oldest first; others may come meanwhile."""
        return iter(tuple(self._events))

    def __len__(self) -> int:
        """Return how many events are kept."""
        return len(self._events)
